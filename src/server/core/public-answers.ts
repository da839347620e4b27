import type { Deps } from "#server/core/deps.ts";
import { type KeptInMemory, keepInMemory } from "#server/core/keep-in-memory.ts";

/** A few seconds: what a change may stay unseen while the connection that tells of changes is lost. */
const MAX_AGE_MS = 5000;
/** What takes longer, as a search or anything in a jam, is made only for those who ask. */
const QUICK_MS = 50;

type Options<Value> = {
  maxBytes: number;
  bytesOf: (value: Value) => number;
  /** How many of the quick ones that were asked for since the last change are made again at once at the next; else none. */
  remakes?: number;
};
type Made<Value> = { value: Value; at: number };
/** All that was begun between two changes. */
type Generation<Value> = { kept: KeptInMemory<Made<Value>>; asked: Map<string, () => Promise<Value>> };

export type PublicAnswers<Value> = {
  get(name: string, make: () => Promise<Value>): Promise<Value>;
  /** What is kept now. */
  peek(name: string): Value | undefined;
  /** For a value that is made elsewhere: called before it is begun, gives the function that ends it, with one or without. */
  begin(name: string): (value: Value | undefined) => void;
  /** What was begun since the last change and hasn't ended: settles to nothing where it comes to nothing. */
  whenMade(name: string): Promise<Value | undefined> | undefined;
  /** Stops listening for changes. */
  close(): void;
};

/**
 * What is the same for everybody, kept in this process until projects or settings change in the database, five seconds
 * at most. What was begun before a change is given to those who asked before it, and to nobody after.
 */
export function keepPublicAnswers<Value>(
  { events, clock }: Pick<Deps, "events" | "clock">,
  { maxBytes, bytesOf, remakes = 0 }: Options<Value>,
): PublicAnswers<Value> {
  const next = (): Generation<Value> => ({
    kept: keepInMemory({
      maxBytes,
      bytesOf: ({ value }) => bytesOf(value),
      // A clock that was set back makes nothing young again.
      isFresh: ({ at }) => Math.abs(clock.now().getTime() - at) < MAX_AGE_MS,
    }),
    asked: new Map(),
  });
  let current = next();
  const getCurrent = async (name: string, make: () => Promise<Value>) => {
    const at = clock.now().getTime();
    return (await current.kept.get(name, async () => ({ value: await make(), at }))).value;
  };
  const close = events.subscribe(({ type }) => {
    if (type !== "public" && type !== "missed") return;
    const { asked } = current;
    current = next();
    // Together they are made sooner than one after the other, as they are asked for. Who asks is told of a failure.
    for (const [name, make] of asked) getCurrent(name, make).catch(() => {});
  });
  return {
    async get(name, make) {
      const { asked } = current;
      const since = performance.now();
      const value = await getCurrent(name, make);
      if (asked.size < remakes && performance.now() - since < QUICK_MS) asked.set(name, make);
      return value;
    },
    peek: (name) => current.kept.peek(name)?.value,
    begin(name) {
      const [{ kept }, at] = [current, clock.now().getTime()];
      const { promise, resolve, reject } = Promise.withResolvers<Made<Value>>();
      kept.get(name, () => promise).catch(() => {});
      return (value) => (value === undefined ? reject(new Error("it came to nothing")) : resolve({ value, at }));
    },
    whenMade: (name) =>
      current.kept.whenMade(name)?.then(
        ({ value }) => value,
        () => undefined,
      ),
    close,
  };
}
