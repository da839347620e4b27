import { createRouter, lazyRouteComponent, type RouterHistory } from "@tanstack/react-router";
import { ErrorPage } from "#client/app/error-page.tsx";
import type { RouterContext } from "#client/lib/trpc.ts";
import { routeTree } from "./route-tree.gen.ts";

/**
 * The pages of the product. Error and not-found pages stand inside the shell, so that every way on stays open.
 * `at` is for the server: the browser knows its address, and where it has scrolled to.
 */
export function createAppRouter(context: RouterContext, at?: { history: RouterHistory; origin: string }) {
  return createRouter({
    ...at,
    routeTree,
    context,
    defaultPreload: "intent",
    // Loaders fill the query cache, which knows by itself what is fresh.
    defaultPreloadStaleTime: 0,
    scrollRestoration: !at,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: lazyRouteComponent(() => import("#client/app/not-found-page.tsx")),
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
