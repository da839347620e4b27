import type postgres from "postgres";
import { isPlanOutdated } from "./errors.ts";

type Options = postgres.UnsafeQueryOptions & { onexecute?: () => boolean };
type Query = PromiseLike<unknown> & { values(): PromiseLike<unknown>; prepared: boolean };
type Unsafe = (text: string, values?: unknown[], options?: Options) => Query;

/** Slower than any quick read on a healthy database, and not yet felt by who waits. */
const PATIENCE_MS = 10;

/**
 * Makes a client of one connection fit for many prepared reads on their way at once, and gives what tells whether it is
 * held up: some are under way, and for a while none of them has ended.
 *
 * When a newer process's migration has changed what a prepared statement answers, postgres.js prepares it again behind
 * the others' backs: of those that are on their way some get each other's rows then. Here it doesn't, and the read is
 * asked again by a text of its own, which is prepared as any new one.
 */
export function openLane(client: postgres.Sql): () => boolean {
  let underWay = 0;
  let lastProgress = 0;
  /** By text: the spaces behind it that make it another one. */
  const renewed = new Map<string, string>();
  // The driver's types name neither the option nor the flag of its queries that this is about.
  const unsafe = client.unsafe.bind(client) as unknown as Unsafe;

  const ask = async (inForm: (query: Query) => PromiseLike<unknown>, ...statement: Parameters<Unsafe>) => {
    const [text, values, options] = statement;
    const query = unsafe(text, values, {
      ...options,
      // Called when it is written: the driver asks again only for what it takes for prepared.
      onexecute: () => {
        query.prepared = false;
        return true;
      },
    });
    if (underWay === 0) lastProgress = performance.now();
    underWay += 1;
    try {
      return await inForm(query);
    } finally {
      underWay -= 1;
      lastProgress = performance.now();
    }
  };
  const askAgain = async (inForm: (query: Query) => PromiseLike<unknown>, ...statement: Parameters<Unsafe>) => {
    const [text, ...rest] = statement;
    const spaces = renewed.get(text) ?? "";
    try {
      return await ask(inForm, text + spaces, ...rest);
    } catch (error) {
      if (!isPlanOutdated(error)) throw error;
      // Of several that failed together the first renews it.
      if ((renewed.get(text) ?? "") === spaces) renewed.set(text, `${spaces} `);
      return await ask(inForm, text + (renewed.get(text) ?? ""), ...rest);
    }
  };
  Object.assign(client, {
    unsafe: (...statement: Parameters<Unsafe>) => ({
      values: () => askAgain((query) => query.values(), ...statement),
      // biome-ignore lint/suspicious/noThenProperty: it stands for the driver's query, which is asked by awaiting it.
      then: (...handlers: Parameters<PromiseLike<unknown>["then"]>) =>
        askAgain((query) => query, ...statement).then(...handlers),
    }),
  });
  return () => underWay > 0 && performance.now() - lastProgress > PATIENCE_MS;
}
