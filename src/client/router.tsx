import { createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { ErrorPage } from "#client/app/error-page.tsx";
import type { RouterContext } from "#client/lib/trpc.ts";
import { routeTree } from "./route-tree.gen.ts";

/** The pages of the product. Error and not-found pages stand inside the shell, so that every way on stays open. */
export function createAppRouter(context: RouterContext) {
  return createRouter({
    routeTree,
    context,
    defaultPreload: "intent",
    // Loaders fill the query cache, which knows by itself what is fresh.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: lazyRouteComponent(() => import("#client/app/not-found-page.tsx")),
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
