import { LRUCache } from "lru-cache";
import type { Deps } from "./deps.ts";

type Options<Value> = {
  maxBytes: number;
  bytesOf: (value: Value) => number;
  /** Without it a value stays until it is evicted for lack of room. */
  maxAgeMs?: number;
  /** The clock that measures ages, in milliseconds. */
  now?: () => number;
};

export type Cache<Value> = {
  /** The cached value, or the pending one, or the result of `make`. A failure is not cached. */
  get(key: string, make: () => Promise<Value>): Promise<Value>;
  /** Returns true if a value is cached or pending. */
  has(key: string): boolean;
  /** Removes everything. A value whose making started earlier goes only to requests that arrived before. */
  clear(): void;
};

/**
 * An in-process LRU cache of expensive values. `maxBytes` includes the keys (two bytes a letter).
 * Concurrent requests for the same key share one call of `make`.
 */
export function openCache<Value extends object | string>({
  maxBytes,
  bytesOf,
  maxAgeMs = 0,
  now = () => performance.now(),
}: Options<Value>): Cache<Value> {
  const cached = new LRUCache<string, { value: Value }>({
    maxSize: maxBytes,
    sizeCalculation: ({ value }, key) => bytesOf(value) + 2 * key.length,
    ttl: maxAgeMs,
    ttlResolution: 0,
    perf: { now },
  });
  let pending = new Map<string, Promise<Value>>();

  const start = (key: string, make: () => Promise<Value>): Promise<Value> => {
    const generation = pending;
    const startedAt = now();
    const making = make()
      .then((value) => {
        if (generation === pending) cached.set(key, { value }, { start: startedAt });
        return value;
      })
      .finally(() => generation.delete(key));
    generation.set(key, making);
    return making;
  };

  return {
    get: async (key, make) => cached.get(key)?.value ?? pending.get(key) ?? start(key, make),
    has: (key) => cached.has(key) || pending.has(key),
    clear() {
      cached.clear();
      pending = new Map();
    },
  };
}

/** Changes may go unseen this long while the connection that listens for them is lost. */
const MAX_AGE_MS = 5000;

export type PublicCache<Value> = Cache<Value> & { close(): void };

/**
 * A cache of values that are the same for everybody. It is cleared when projects, settings or the operator's profile
 * change, which a database trigger announces, and no value is older than five seconds. `close` stops listening.
 */
export function openPublicCache<Value extends object | string>(
  { events, clock }: Pick<Deps, "events" | "clock">,
  options: Pick<Options<Value>, "maxBytes" | "bytesOf">,
): PublicCache<Value> {
  const cache = openCache<Value>({ ...options, maxAgeMs: MAX_AGE_MS, now: () => clock.now().getTime() });
  const close = events.subscribe(({ type }) => {
    if (type === "public" || type === "site" || type === "missed") cache.clear();
  });
  return { ...cache, close };
}
