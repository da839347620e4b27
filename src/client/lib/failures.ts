import type { QueryClient } from "@tanstack/react-query";

/** Tells of every query and mutation that fails, and of queries that have failed. Gives the function that stops it. */
export function onFailure(queryClient: QueryClient, listener: (error: unknown) => void): () => void {
  for (const { state } of queryClient.getQueryCache().getAll()) {
    if (state.error) listener(state.error);
  }
  const stopQueries = queryClient.getQueryCache().subscribe((event) => {
    if (event.type === "updated" && event.action.type === "error") listener(event.action.error);
  });
  const stopMutations = queryClient.getMutationCache().subscribe((event) => {
    if (event.type === "updated" && event.action.type === "error") listener(event.action.error);
  });
  return () => {
    stopQueries();
    stopMutations();
  };
}
