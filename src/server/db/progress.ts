import type postgres from "postgres";

type Unsafe = (...statement: Parameters<postgres.Sql["unsafe"]>) => PromiseLike<unknown>;

/** Slower than any quick read on a healthy database, and not yet felt by who waits. */
const PATIENCE_MS = 10;

/** Gives what tells whether a client is held up: statements are under way, and for a while none of them has ended. */
export function watchProgress(client: postgres.Sql): () => boolean {
  let underWay = 0;
  let lastProgress = 0;
  const end = () => {
    underWay -= 1;
    lastProgress = performance.now();
  };
  const unsafe = client.unsafe.bind(client) as Unsafe;
  Object.assign(client, {
    unsafe: (...statement: Parameters<Unsafe>) => {
      if (underWay === 0) lastProgress = performance.now();
      underWay += 1;
      // The driver sends it in a moment, once the caller has said in what form it wants the rows.
      const answer = unsafe(...statement);
      answer.then(end, end);
      return answer;
    },
  });
  return () => underWay > 0 && performance.now() - lastProgress > PATIENCE_MS;
}
