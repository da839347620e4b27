import type { QueryClient } from "@tanstack/react-query";
import { httpBatchLink } from "@trpc/client";
import { createTRPCQueryUtils, createTRPCReact } from "@trpc/react-query";
import superjson from "superjson";
import type { AppRouter, RouterInputs, RouterOutputs } from "#server/api-types.ts";
import type { SiteFacts } from "#shared/site/site.ts";
import { proofLink } from "./proof.ts";

export type { RouterInputs, RouterOutputs };

/** Hooks for every procedure: `trpc.projects.list.useQuery(…)`, `trpc.payments.setStatus.useMutation()`. */
export const trpc = createTRPCReact<AppRouter>();

/** The server takes at most 10 calls in a batch (product decision); addresses stay short enough for any proxy. */
export function createTrpcClient() {
  return trpc.createClient({
    links: [proofLink(), httpBatchLink({ url: "/trpc", transformer: superjson, maxItems: 10, maxURLLength: 4000 })],
  });
}

/** The same procedures outside of components, for loaders and guards: `context.trpc.projects.list.ensureData(…)`. */
export function createTrpcUtils(queryClient: QueryClient, client: ReturnType<typeof createTrpcClient>) {
  return createTRPCQueryUtils<AppRouter>({ queryClient, client });
}

export type TrpcUtils = ReturnType<typeof createTrpcUtils>;

/** The `context` of every route's loader and guard. */
export type RouterContext = {
  queryClient: QueryClient;
  trpc: TrpcUtils;
  site: SiteFacts;
};
