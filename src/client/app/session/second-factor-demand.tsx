import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { lazyOr } from "#client/lib/lazy-or.ts";
import { onFailure } from "#client/lib/query-client.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { secondFactorRequired } from "#shared/accounts/sessions.ts";
import type { SecondFactorDialogProps } from "./session-dialogs.tsx";

const PAGE = "/admin/two-factor";

/** Where the dialog can't be fetched, a toast says what is asked for. */
function SecondFactorToast({ isOpen }: SecondFactorDialogProps) {
  useEffect(() => {
    if (isOpen) toast.info(secondFactorRequired.title, secondFactorRequired.now);
  }, [isOpen]);
  return null;
}

const SecondFactorDialog = lazyOr(
  async () => ({ default: (await import("./session-dialogs.tsx")).SecondFactorDialog }),
  SecondFactorToast,
);

/**
 * For administrators whose pages were open when the second factor was made mandatory: the first call that is refused for
 * want of it leads to where it is set up. Where something was typed the person is asked first, since that would be lost.
 */
export function SecondFactorDemand() {
  const queryClient = useQueryClient();
  const utils = trpc.useUtils();
  const router = useRouter();
  const [hasAsked, setHasAsked] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const typedOn = useRef<string | null>(null);

  useEffect(() => {
    const note = () => {
      typedOn.current = router.state.location.pathname;
    };
    window.addEventListener("input", note, { capture: true, passive: true });
    return () => window.removeEventListener("input", note, { capture: true });
  }, [router]);

  const leave = async () => {
    setIsAsking(false);
    await router.navigate({ to: PAGE });
    // Only now: the page that was left shows what the person may no longer do, and what was typed there.
    await utils.auth.viewer.invalidate();
  };
  const hear = useEffectEvent((error: unknown) => {
    if (errorText(error) !== secondFactorRequired.refusal) return;
    const { pathname } = router.state.location;
    if (pathname === PAGE) return;
    if (typedOn.current === pathname) {
      setHasAsked(true);
      setIsAsking(true);
      return;
    }
    toast.info(secondFactorRequired.title, secondFactorRequired.now);
    void leave();
  });
  useEffect(() => onFailure(queryClient, (error) => hear(error)), [queryClient]);

  return (
    hasAsked && (
      <Suspense>
        <SecondFactorDialog isOpen={isAsking} onStay={() => setIsAsking(false)} onLeave={() => void leave()} />
      </Suspense>
    )
  );
}
