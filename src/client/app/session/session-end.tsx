import { Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { lazyOr } from "#client/lib/lazy-or.ts";
import { startEndTimer } from "#client/lib/session/end-timer.ts";
import type { Viewer } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { absoluteLimitMinutes, type SessionKind } from "#shared/accounts/sessions.ts";
import type { SessionEndDialogProps } from "./session-dialogs.tsx";

const WARN_MINUTES = 5;
const MINUTE_MS = 60_000;

/** Where the dialog can't be fetched, the same is said by a toast. */
function SessionEndToast({ isOpen, text }: SessionEndDialogProps) {
  useEffect(() => {
    if (isOpen) toast.info("Session Expiring Soon", text);
  }, [isOpen, text]);
  return null;
}

const SessionEndDialog = lazyOr(
  async () => ({ default: (await import("./session-dialogs.tsx")).SessionEndDialog }),
  SessionEndToast,
);

function spanInWords(kind: SessionKind): string {
  const hours = absoluteLimitMinutes[kind] / 60;
  return hours % 24 === 0 ? `${hours / 24} days` : `${hours} hours`;
}

type SessionEndProps = {
  viewer: Viewer;
  /** When the viewer was fetched, by this device's clock: the server's may be another. */
  fetchedAt: number;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** Its time is over: the server is to be asked. */
  onEnd: () => void;
};

/** The end that activity doesn't put off: said before it comes, so that nobody is thrown out in the middle of work. */
export function SessionEnd({ viewer, fetchedAt, isOpen, onOpenChange, onEnd }: SessionEndProps) {
  const [hasWarned, setHasWarned] = useState(false);
  const endsAt = fetchedAt + viewer.endsInSeconds * 1000;
  const text = `You have been signed in for ${spanInWords(viewer.kind)}, which is as long as a session lasts. It ends in less than ${WARN_MINUTES} minutes: please save your work. After that you need to sign in again.`;
  const warnedOf = useRef(0);

  const warn = useEffectEvent(() => {
    // Each look at the session gives the same end, but for the seconds that the answer was on its way.
    if (Math.abs(warnedOf.current - endsAt) < MINUTE_MS) return;
    warnedOf.current = endsAt;
    setHasWarned(true);
    onOpenChange(true);
  });
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    return startEndTimer({ endsAt, warnMs: WARN_MINUTES * MINUTE_MS, onWarn: () => warn(), onEnd: () => end() });
  }, [endsAt]);

  useEffect(() => () => onOpenChange(false), [onOpenChange]);

  return (
    hasWarned && (
      <Suspense>
        <SessionEndDialog isOpen={isOpen} text={text} onClose={() => onOpenChange(false)} />
      </Suspense>
    )
  );
}
