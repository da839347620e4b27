import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { trpc } from "#client/lib/trpc.ts";
import { storeAdminFlag } from "./admin-flag.ts";
import { resetActivity } from "./idle-timer.ts";
import type { Viewer } from "./session.ts";
import { announceSession } from "./session-channel.ts";

/**
 * To be called after the server has opened a session (sign-in, sign-up, accepted invitation): forgets what was cached
 * for the person before, stores the admin flag, tells the other tabs. Gives the new viewer.
 */
export function useStartSession(): () => Promise<Viewer | null> {
  const queryClient = useQueryClient();
  const utils = trpc.useUtils();
  return useCallback(async () => {
    queryClient.removeQueries({ type: "inactive" });
    // An answer that was already on its way is about the person before.
    await utils.auth.viewer.cancel();
    const viewer = await utils.auth.viewer.fetch(undefined, { staleTime: 0 });
    storeAdminFlag(viewer?.isAdmin ?? false);
    resetActivity();
    announceSession("signed-in");
    return viewer;
  }, [queryClient, utils]);
}
