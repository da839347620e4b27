import { useCallback, useEffect, useState } from "react";
import { trpc } from "#client/lib/trpc.ts";
import { authTexts, signInLimits } from "#shared/accounts/inputs.ts";
import classes from "./auth-card.module.css";

type Failure = { failures: number; secondsLeft: number };

/** Reads what a refused sign-in says beside its text. */
function readFailure(details: Record<string, string | number> | undefined): Failure | null {
  const { failures, secondsLeft = 0 } = details ?? {};
  return typeof failures === "number" && typeof secondsLeft === "number" ? { failures, secondsLeft } : null;
}

/**
 * The lock as the server keeps it, so that a reload changes nothing. It is counted down from the seconds that are left,
 * not from a moment: a phone's clock may be wrong.
 */
export function useSignInLock() {
  const state = trpc.auth.signInState.useQuery(undefined, { staleTime: 0, gcTime: 0 });
  const [failures, setFailures] = useState(0);
  const [endsAt, setEndsAt] = useState<number | null>(null);
  const [now, setNow] = useState(() => Date.now());

  const show = useCallback((failure: Failure) => {
    setFailures(failure.failures);
    setNow(Date.now());
    setEndsAt(failure.secondsLeft > 0 ? Date.now() + failure.secondsLeft * 1000 : null);
  }, []);

  useEffect(() => {
    if (state.data) show(state.data);
  }, [state.data, show]);

  useEffect(() => {
    if (endsAt === null) return;
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() < endsAt) return;
      setEndsAt(null);
      setFailures(0);
    }, 250);
    return () => clearInterval(timer);
  }, [endsAt]);

  const noteRefusal = useCallback(
    (details: Record<string, string | number> | undefined) => {
      const failure = readFailure(details);
      if (failure) show(failure);
    },
    [show],
  );

  return {
    isLocked: endsAt !== null,
    secondsLeft: endsAt === null ? 0 : Math.max(0, Math.ceil((endsAt - now) / 1000)),
    showsWarning: endsAt === null && failures > signInLimits.warnAfterFailures,
    noteRefusal,
    /** A sign-in that this browser began waits for its code. */
    needsCode: state.data?.needsCode ?? false,
    /** The address of a Google account that waits for the password of the account here. */
    linksGoogle: state.data?.linksGoogle?.email ?? null,
  };
}

/** Says once that the account is locked; the running time beside it is not read out every second. */
export function LockNotice({ secondsLeft }: { secondsLeft: number }) {
  return (
    <div className={classes.notice}>
      <p className={classes.noticeTitle} role="alert">
        {authTexts.lockBanner}
      </p>
      <p role="timer" aria-live="off">
        Too many failed attempts. Try again in <span className={classes.time}>{formatLeft(secondsLeft)}</span>
      </p>
    </div>
  );
}

/** "2:05": what is left of a lock, as minutes and seconds. */
function formatLeft(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
