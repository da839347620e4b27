import { QueryClient } from "@tanstack/react-query";
import { errorReason } from "./errors.ts";

const FIVE_MINUTES_MS = 5 * 60_000;

/** Refusals are answers: asking again changes nothing. */
const answers = new Set(["invalid", "unauthenticated", "forbidden", "not_found", "conflict", "rate_limited"]);

/**
 * For a query's `retry`: up to `times` repetitions of a failure, none of a refusal.
 * One is the default; the project page asks for three (specification, section 8).
 */
export function retryFailures(times: number) {
  return (failures: number, error: unknown) => failures < times && !answers.has(errorReason(error));
}

/**
 * Defaults of the specification: no refetch on window focus, one retry, five minutes fresh. Without a connection reads
 * and writes fail and say so; the library's default would hold them back in silence.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        refetchOnWindowFocus: false,
        retry: retryFailures(1),
        staleTime: FIVE_MINUTES_MS,
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
}

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
