import { createRootRouteWithContext, Outlet } from "@tanstack/react-router";
import { LateSessionKeeper } from "#client/app/session/late-session-keeper.tsx";
import { Shell } from "#client/app/shell/shell.tsx";
import type { RouterContext } from "#client/lib/trpc.ts";

export const Route = createRootRouteWithContext<RouterContext>()({ component: Root });

function Root() {
  return (
    <Shell>
      <LateSessionKeeper />
      <Outlet />
    </Shell>
  );
}
