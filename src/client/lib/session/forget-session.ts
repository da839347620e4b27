import { useCallback } from "react";
import { siteStorage, tabStorage } from "#client/lib/browser-storage.ts";
import { trpc } from "#client/lib/trpc.ts";
import { storeAdminFlag } from "./admin-flag.ts";
import { announceSession } from "./session-channel.ts";

/**
 * After the account itself was changed (its password): this browser forgets at once all that it stored, and its other
 * tabs leave. The page then goes to /login by useLeaveSession, after the delay that belongs to it.
 */
export function useForgetSession(): () => void {
  const utils = trpc.useUtils();
  return useCallback(() => {
    siteStorage.clear();
    tabStorage.clear();
    storeAdminFlag(false);
    utils.auth.viewer.setData(undefined, null);
    announceSession("signed-out");
  }, [utils]);
}
