/** Data sent within a page, so that its scripts don't have to fetch it. */

/** The result of a procedure, or its refusal, with its key in the browser's query cache. */
export type BootAnswer = {
  key: readonly unknown[];
  data?: unknown;
  refusal?: { name: string; message: string; data: { reason: string } };
};

/** The key that @trpc/react-query gives a result in the query cache; "infinite" is for paged lists. */
export function answerKey(procedure: string, type: "query" | "infinite", input?: object): readonly unknown[] {
  return [procedure.split("."), { ...(input && { input }), type }];
}
