import { type RouterHistory, RouterProvider } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { StrictMode } from "react";
import superjson from "superjson";
import { Providers } from "#client/app/providers.tsx";
import { createQueryClient } from "#client/lib/query-client.ts";
import { type createTrpcClient, createTrpcUtils } from "#client/lib/trpc.ts";
import type { BootAnswer } from "#shared/boot.ts";
import type { SiteFacts } from "#shared/site/site.ts";
import { createAppRouter } from "./router.tsx";

type AppOptions = {
  trpcClient: ReturnType<typeof createTrpcClient>;
  styleNonce: string;
  site: SiteFacts;
  /** The answers that came with the page, as the server wrote them; empty for none. */
  boot: string;
  /** When they were given; in the far past where they are only to be shown until they have been asked for again. */
  answeredAt: number;
  /** Only on the server: the browser has its own. */
  at?: { history: RouterHistory; origin: string };
};

/**
 * The product on one page. `load` fetches all that the first render needs, after which `element` renders without
 * waiting: on the server, and in the browser, which hydrates what the server has rendered. `history` is the router's, for
 * whoever holds navigation back.
 */
export function appOf({ trpcClient, styleNonce, site, boot, answeredAt, at }: AppOptions): {
  element: ReactNode;
  load: () => Promise<void>;
  history: RouterHistory;
} {
  const queryClient = createQueryClient();
  const router = createAppRouter({ queryClient, trpc: createTrpcUtils(queryClient, trpcClient), site }, at);
  const answers = boot ? superjson.parse<BootAnswer[]>(boot) : [];
  const fill = () => {
    for (const { key, data, refusal } of answers) {
      if (refusal)
        queryClient.getQueryCache().build(queryClient, { queryKey: key }).setState({ status: "error", error: refusal });
      else queryClient.setQueryData(key, data, { updatedAt: answeredAt });
    }
  };
  fill();
  return {
    element: (
      <StrictMode>
        <Providers queryClient={queryClient} trpcClient={trpcClient} styleNonce={styleNonce}>
          <RouterProvider router={router} />
        </Providers>
      </StrictMode>
    ),
    async load() {
      // The same boundaries as on the server.
      router.ssr = { manifest: undefined };
      await router.load();
      // Loaders ask again for what was refused.
      fill();
    },
    history: router.history,
  };
}
