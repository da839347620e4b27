import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { useLateComponent } from "#client/lib/late-component.ts";

const load = () => import("./session-keeper.tsx");

/** Fetched after the first paint, which has no need of it; tried again on the next page where that failed. */
export function LateSessionKeeper() {
  const [Keeper, fetchKeeper] = useLateComponent(load);
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const isMissing = Keeper === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another chance
  useEffect(() => {
    if (isMissing) void fetchKeeper();
  }, [isMissing, fetchKeeper, pathname]);
  return Keeper && <Keeper />;
}
