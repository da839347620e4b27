import type { Deps } from "#server/core/deps.ts";
import { type KeptInMemory, keepInMemory } from "#server/core/keep-in-memory.ts";

/** A few seconds: what a change may stay unseen while the connection that tells of changes is lost. */
const MAX_AGE_MS = 5000;

type Options<Value> = { maxBytes: number; bytesOf: (value: Value) => number };
type Made<Value> = { value: Value; at: number };

export type PublicAnswers<Value> = {
  get(name: string, make: () => Promise<Value>): Promise<Value>;
  /** What is kept now. */
  peek(name: string): Value | undefined;
  /** For an answer that is made elsewhere: called before it is begun, gives the function that keeps it. */
  begin(): (name: string, value: Value) => void;
  /** Stops listening for changes. */
  close(): void;
};

/**
 * What is the same for everybody, kept in this process until projects or settings change in the database, five seconds
 * at most. What was begun before a change is given to those who asked before it, and to nobody after.
 */
export function keepPublicAnswers<Value>(
  { events, clock }: Pick<Deps, "events" | "clock">,
  { maxBytes, bytesOf }: Options<Value>,
): PublicAnswers<Value> {
  const empty = (): KeptInMemory<Made<Value>> =>
    keepInMemory({
      maxBytes,
      bytesOf: ({ value }) => bytesOf(value),
      // A clock that was set back makes nothing young again.
      isFresh: ({ at }) => Math.abs(clock.now().getTime() - at) < MAX_AGE_MS,
    });
  let kept = empty();
  const close = events.subscribe(({ type }) => {
    if (type === "public" || type === "missed") kept = empty();
  });
  return {
    async get(name, make) {
      const at = clock.now().getTime();
      return (await kept.get(name, async () => ({ value: await make(), at }))).value;
    },
    peek: (name) => kept.peek(name)?.value,
    begin() {
      const [current, at] = [kept, clock.now().getTime()];
      return (name, value) => current.keep(name, { value, at });
    },
    close,
  };
}
