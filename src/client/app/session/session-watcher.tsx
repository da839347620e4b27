import { hashKey, useQueryClient } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { getQueryKey } from "@trpc/react-query";
import { Suspense, useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { lazyOr } from "#client/lib/lazy-or.ts";
import { onFailure } from "#client/lib/query-client.ts";
import { storeAdminFlag } from "#client/lib/session/admin-flag.ts";
import { hearActivity, noteSessionEnd, remainingText, startIdleTimer } from "#client/lib/session/idle-timer.ts";
import { useLeaveSession, type Viewer } from "#client/lib/session/session.ts";
import { announceSession, onSessionEvent, type SessionEvent } from "#client/lib/session/session-channel.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { accountBlocked } from "#shared/accounts/sessions.ts";
import { ProofDemand } from "./proof-demand.tsx";
import { SecondFactorDemand } from "./second-factor-demand.tsx";
import type { ExpiryDialogProps, ExpiryDialogState } from "./session-dialogs.tsx";
import { SessionEnd } from "./session-end.tsx";

/** Where the dialog can't be fetched, the same is said by a toast, which waits for nobody. */
function ExpiryToast({ state, text, onClose }: ExpiryDialogProps) {
  useEffect(() => {
    if (state === "open") toast.info("Session Expiring Soon", text);
    if (state === "leaving") onClose();
  }, [state, text, onClose]);
  return null;
}

const ExpiryDialog = lazyOr(
  async () => ({ default: (await import("./session-dialogs.tsx")).ExpiryDialog }),
  ExpiryToast,
);

/** The sign-in and sign-up pages run their own timer (specification, section 9). */
const entryPages = new Set(["/login", "/signup", "/admin/login"]);
/** There the server ends the session of whoever may not come in, which the page tells in its own words. */
const selfEndingPages = new Set([...entryPages, "/admin/auth-callback"]);
const ENTRY_LIMIT_MINUTES = 1440;
const ENTRY_WARN_MINUTES = 60;
const BACKER_WARN_MINUTES = 5;
const ADMIN_WARN_MINUTES = 2;
const MINUTE_MS = 60_000;

function timerFor(viewer: Viewer | null | undefined, pathname: string) {
  if (entryPages.has(pathname)) return { limitMinutes: ENTRY_LIMIT_MINUTES, warnMinutes: ENTRY_WARN_MINUTES };
  if (!viewer) return { limitMinutes: 0, warnMinutes: 0 };
  return {
    limitMinutes: viewer.idleLimitMinutes,
    warnMinutes: viewer.isAdmin ? ADMIN_WARN_MINUTES : BACKER_WARN_MINUTES,
  };
}

const signInPageOf = (viewer: Viewer) => (viewer.isAdmin ? "/admin/login" : "/login");

/**
 * Ends the session on this screen when it has ended elsewhere: by idleness, in another tab, or on the server (blocked,
 * password changed, rights changed).
 */
export function SessionWatcher() {
  const { data: viewer, error: viewerError, dataUpdatedAt } = trpc.auth.viewer.useQuery();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const queryClient = useQueryClient();
  const utils = trpc.useUtils();
  const leave = useLeaveSession();
  const touch = trpc.auth.touch.useMutation();
  const signOut = trpc.auth.signOut.useMutation();
  const { limitMinutes, warnMinutes } = timerFor(viewer, pathname);
  const [hasWarned, setHasWarned] = useState(false);
  const [isEndShown, setIsEndShown] = useState(false);
  const [dialogState, setDialogState] = useState<ExpiryDialogState>("closed");
  const closeWarning = useCallback(() => setDialogState("closed"), []);
  const timer = useRef<ReturnType<typeof startIdleTimer>>(null);
  const warningText =
    limitMinutes === 0
      ? ""
      : `Your session will expire in less than ${remainingText(limitMinutes, warnMinutes)}. Please save your work.`;

  /** Says so and leaves, in each tab alike. */
  const leaveExpired = useEffectEvent(() => {
    closeWarning();
    toast.error(
      "Session Expired",
      viewer?.isAdmin
        ? "Your admin session timed out due to inactivity."
        : "Your session timed out due to inactivity. Please log in again.",
    );
    void leave(viewer ? signInPageOf(viewer) : undefined);
  });
  const expire = useEffectEvent(() => {
    if (viewer) {
      // The server ends it by itself as well: a failure to say so changes nothing for the person.
      signOut.mutate();
      announceSession("expired");
    }
    leaveExpired();
  });
  const warn = useEffectEvent(() => {
    if (!viewer) return toast.info("Session Expiring Soon", warningText);
    setHasWarned(true);
    setDialogState("open");
  });
  const resume = useEffectEvent((where: "here" | "elsewhere") => {
    if (where === "here") announceSession("active");
    setDialogState((state) => (where === "here" && state === "open" ? "leaving" : "closed"));
  });
  const slide = useEffectEvent(async () => {
    if (!viewer) return;
    const askedAt = Date.now();
    await touch.mutateAsync();
    noteSessionEnd(askedAt + viewer.idleLimitMinutes * MINUTE_MS);
  });
  const stay = () => {
    // The press itself is activity: the session may be extended, and the dialog on its way out, before the click comes.
    setDialogState((state) => (state === "open" ? "staying" : state));
    timer.current?.stay();
  };
  // As the touch that was asked for from the dialog: any other refusal leads out by itself.
  const showNotExtended = useEffectEvent((error: unknown) => {
    if (dialogState !== "staying") return;
    setDialogState("open");
    if (errorReason(error) === "network") toast.error("You may be signed out soon", errorText(error));
  });
  const hasSession = Boolean(viewer) && !entryPages.has(pathname);
  const idleEndsAt = viewer ? dataUpdatedAt + viewer.idleEndsInSeconds * 1000 : 0;
  // Before the timer starts, which asks for it.
  useEffect(() => noteSessionEnd(idleEndsAt), [idleEndsAt]);
  useEffect(() => {
    if (limitMinutes === 0) return;
    const started = startIdleTimer({
      limitMinutes,
      warnMinutes,
      hasSession,
      onTouch: async () => {
        try {
          await slide();
        } catch (error) {
          showNotExtended(error);
          throw error;
        }
      },
      onWarn: () => warn(),
      onResume: (where) => resume(where),
      onExpire: () => expire(),
    });
    timer.current = started;
    return () => {
      started.stop();
      closeWarning();
    };
  }, [limitMinutes, warnMinutes, hasSession, closeWarning]);

  const checkSession = useEffectEvent((onNoAnswer: () => void) => {
    if (viewer) void utils.auth.viewer.fetch(undefined, { staleTime: 0 }).catch(onNoAnswer);
  });
  useEffect(() => {
    return onFailure(queryClient, (error) => {
      // No answer, no verdict: the next refused call asks again.
      if (errorReason(error) === "unauthenticated") checkSession(() => {});
    });
  }, [queryClient]);

  /** Whoever asked: the server no longer knows the session. */
  const loseSession = useEffectEvent(() => {
    if (!viewer || selfEndingPages.has(pathname)) return;
    const session = viewer.isAdmin ? "admin session" : "session";
    // By the client itself: leaving forgets every query.
    const asked = utils.client.auth.endReason.query({ userId: viewer.id }).catch(() => "expired");
    void asked.then((reason) => {
      if (reason === "blocked") toast.error("Account Blocked", accountBlocked);
      else toast.error("Session Expired", `Your ${session} has expired. Please log in again.`);
    });
    announceSession("signed-out");
    void leave(signInPageOf(viewer));
  });
  useEffect(() => {
    const viewerHash = hashKey(getQueryKey(trpc.auth.viewer, undefined, "query"));
    return queryClient.getQueryCache().subscribe((event) => {
      if (event.type !== "updated" || event.query.queryHash !== viewerHash || event.action.type !== "success") return;
      // What is put into the cache by hand is known to whoever did it.
      if (!event.action.manual && event.action.data === null) loseSession();
    });
  }, [queryClient]);

  // The first look at the session. A lost connection is told by the pages, and nobody signed in is no failure.
  const hasFailed = viewer === undefined && viewerError !== null && errorReason(viewerError) !== "network";
  const hasToldFailure = useRef(false);
  useEffect(() => {
    if (!hasFailed || hasToldFailure.current) return;
    hasToldFailure.current = true;
    toast.error("Failed to initialize authentication");
  }, [hasFailed]);

  const hear = useEffectEvent((event: SessionEvent) => {
    if (event === "signed-in") void queryClient.invalidateQueries();
    else if (event === "active") hearActivity();
    else if (viewer && event === "expired") leaveExpired();
    else if (viewer && event === "signed-out") void leave();
  });
  useEffect(() => onSessionEvent((event) => hear(event)), []);

  // The stored flag follows the server: it is gone when the rights are, and back when storage was cleared.
  useEffect(() => {
    if (viewer !== undefined) storeAdminFlag(viewer?.isAdmin ?? false);
  }, [viewer]);

  return (
    <>
      {hasWarned && !isEndShown && (
        <Suspense>
          <ExpiryDialog state={dialogState} text={warningText} onStay={stay} onClose={closeWarning} />
        </Suspense>
      )}
      {viewer && (
        <SessionEnd
          viewer={viewer}
          fetchedAt={dataUpdatedAt}
          isOpen={isEndShown}
          onOpenChange={setIsEndShown}
          onEnd={() => checkSession(() => loseSession())}
        />
      )}
      {viewer?.isAdmin && <SecondFactorDemand />}
      {viewer && <ProofDemand />}
    </>
  );
}
