/** What a page brings with it, so that its scripts need not ask for it first. */

/** One answer of a procedure, or its refusal, under its key in the browser's query cache. */
export type BootAnswer = {
  key: readonly unknown[];
  data?: unknown;
  refusal?: { name: string; message: string; data: { reason: string } };
};

/** How @trpc/react-query names an answer in the query cache; "infinite" for a list that grows by pages. */
export function answerKey(procedure: string, type: "query" | "infinite", input?: object): readonly unknown[] {
  return [procedure.split("."), { ...(input && { input }), type }];
}
