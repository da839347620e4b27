import { useQueryClient } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef } from "react";
import { storeAdminFlag } from "#client/lib/admin-flag.ts";
import { remainingText, startIdleTimer } from "#client/lib/idle-timer.ts";
import { onUnauthenticated } from "#client/lib/query-client.ts";
import { useLeaveSession, useViewer, type Viewer } from "#client/lib/session.ts";
import { announceSession, onSessionEvent } from "#client/lib/session-channel.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";

/** The sign-in and sign-up pages run their own timer (specification, section 9). */
const entryPages = new Set(["/login", "/signup"]);
const ENTRY_LIMIT_MINUTES = 1440;
const ENTRY_WARN_MINUTES = 60;
const BACKER_WARN_MINUTES = 5;
const ADMIN_WARN_MINUTES = 2;

function timerFor(viewer: Viewer | null | undefined, pathname: string) {
  if (entryPages.has(pathname)) return { limitMinutes: ENTRY_LIMIT_MINUTES, warnMinutes: ENTRY_WARN_MINUTES };
  if (!viewer) return { limitMinutes: 0, warnMinutes: 0 };
  return {
    limitMinutes: viewer.idleLimitMinutes,
    warnMinutes: viewer.isAdmin ? ADMIN_WARN_MINUTES : BACKER_WARN_MINUTES,
  };
}

/**
 * Ends the session on this screen when it has ended elsewhere: by idleness, in another tab, or on the server (blocked,
 * password changed, rights changed).
 */
export function SessionKeeper() {
  const viewer = useViewer();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const queryClient = useQueryClient();
  const utils = trpc.useUtils();
  const leave = useLeaveSession();
  const touch = trpc.auth.touch.useMutation();
  const signOut = trpc.auth.signOut.useMutation();
  const { limitMinutes, warnMinutes } = timerFor(viewer, pathname);

  const expire = useEffectEvent(() => {
    const signInPage = viewer?.isAdmin ? "/admin/login" : "/login";
    if (viewer) {
      // The server ends it by itself as well: a failure to say so changes nothing for the person.
      signOut.mutate();
      announceSession("signed-out");
    }
    toast.error(
      "Session Expired",
      viewer?.isAdmin
        ? "Your admin session timed out due to inactivity."
        : "Your session timed out due to inactivity. Please log in again.",
    );
    void leave(signInPage);
  });
  const warn = useEffectEvent(() => {
    const left = remainingText(limitMinutes, warnMinutes);
    toast.info("Session Expiring Soon", `Your session will expire in less than ${left}. Please save your work.`);
  });
  const slide = useEffectEvent(() => {
    if (viewer) touch.mutate();
  });

  useEffect(() => {
    if (limitMinutes === 0) return;
    return startIdleTimer({
      limitMinutes,
      warnMinutes,
      onTouch: () => slide(),
      onWarn: () => warn(),
      onExpire: () => expire(),
    });
  }, [limitMinutes, warnMinutes]);

  const isChecking = useRef(false);
  const checkSession = useEffectEvent(async () => {
    const before = utils.auth.viewer.getData();
    if (!before || isChecking.current) return;
    isChecking.current = true;
    try {
      const now = await utils.auth.viewer.fetch(undefined, { staleTime: 0 });
      if (now) return;
      const session = before.isAdmin ? "admin session" : "session";
      toast.error("Session Expired", `Your ${session} has expired. Please log in again.`);
      await leave(before.isAdmin ? "/admin/login" : "/login");
    } catch {
      // No answer, no verdict: the next refused call asks again.
    } finally {
      isChecking.current = false;
    }
  });
  useEffect(() => onUnauthenticated(queryClient, () => void checkSession()), [queryClient]);

  const hear = useEffectEvent((event: "signed-in" | "signed-out") => {
    if (event === "signed-in") void queryClient.invalidateQueries();
    else if (viewer) void leave();
  });
  useEffect(() => onSessionEvent((event) => hear(event)), []);

  // The stored flag follows the server: it is gone when the rights are, and back when storage was cleared.
  useEffect(() => {
    if (viewer !== undefined) storeAdminFlag(viewer?.isAdmin ?? false);
  }, [viewer]);

  return null;
}
