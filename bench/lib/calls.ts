import superjson from "superjson";

/** The address of a query as the browser sends it: a batch of one. */
export function queryPath(procedure: string, input?: unknown): string {
  const inputs = input === undefined ? {} : { 0: superjson.serialize(input) };
  return `/trpc/${procedure}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`;
}

/** A query's answer. */
export async function ask<Answer>(url: string, procedure: string, input?: unknown): Promise<Answer> {
  const answer = await fetch(url + queryPath(procedure, input));
  const [{ result }] = (await answer.json()) as [{ result: { data: Parameters<typeof superjson.deserialize>[0] } }];
  return superjson.deserialize(result.data);
}
