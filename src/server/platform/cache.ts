import { LRUCache } from "lru-cache";
import type { Deps } from "./deps.ts";

type Options<Value> = {
  maxBytes: number;
  bytesOf: (value: Value) => number;
  /** Without it a value stays until others need its room. */
  maxAgeMs?: number;
  /** The clock that ages are read from, in milliseconds. */
  now?: () => number;
};

export type Cache<Value> = {
  /** The kept value, or the one that is being made, or what `make` gives. A failure is not kept. */
  get(key: string, make: () => Promise<Value>): Promise<Value>;
  /** Whether a value is kept or being made. */
  has(key: string): boolean;
  /** Forgets everything. What was begun before is given to those who asked before, and to nobody after. */
  clear(): void;
};

/**
 * Values that are dear to make, by key, in this process: up to `maxBytes` with their keys (two bytes a letter), the least
 * recently used goes first. Several who ask for the same at once wait for one making.
 */
export function openCache<Value extends object | string>({
  maxBytes,
  bytesOf,
  maxAgeMs = 0,
  now = () => performance.now(),
}: Options<Value>): Cache<Value> {
  const kept = new LRUCache<string, { value: Value }>({
    maxSize: maxBytes,
    sizeCalculation: ({ value }, key) => bytesOf(value) + 2 * key.length,
    ttl: maxAgeMs,
    ttlResolution: 0,
    perf: { now },
  });
  let inMaking = new Map<string, Promise<Value>>();

  const start = (key: string, make: () => Promise<Value>): Promise<Value> => {
    const generation = inMaking;
    const begun = now();
    const making = make()
      .then((value) => {
        if (generation === inMaking) kept.set(key, { value }, { start: begun });
        return value;
      })
      .finally(() => generation.delete(key));
    generation.set(key, making);
    return making;
  };

  return {
    get: async (key, make) => kept.get(key)?.value ?? inMaking.get(key) ?? start(key, make),
    has: (key) => kept.has(key) || inMaking.has(key),
    clear() {
      kept.clear();
      inMaking = new Map();
    },
  };
}

/** A few seconds: what a change may stay unseen while the connection that tells of changes is lost. */
const MAX_AGE_MS = 5000;

export type PublicCache<Value> = Cache<Value> & { close(): void };

/**
 * A cache of what is the same for everybody: cleared when projects or settings change in the database, which tells of it
 * by a trigger, and five seconds old at most. `close` stops listening.
 */
export function openPublicCache<Value extends object | string>(
  { events, clock }: Pick<Deps, "events" | "clock">,
  options: Pick<Options<Value>, "maxBytes" | "bytesOf">,
): PublicCache<Value> {
  const cache = openCache<Value>({ ...options, maxAgeMs: MAX_AGE_MS, now: () => clock.now().getTime() });
  const close = events.subscribe(({ type }) => {
    if (type === "public" || type === "missed") cache.clear();
  });
  return { ...cache, close };
}
