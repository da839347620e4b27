import { createRootRouteWithContext, Outlet } from "@tanstack/react-router";
import { Shell } from "#client/app/shell/shell.tsx";
import type { RouterContext } from "#client/lib/trpc.ts";

export const Route = createRootRouteWithContext<RouterContext>()({ component: Root });

function Root() {
  return (
    <Shell>
      <Outlet />
    </Shell>
  );
}
