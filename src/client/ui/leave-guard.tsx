import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, useEffect, useEffectEvent } from "react";
import { LazyConfirmDialog } from "./lazy-confirm-dialog.tsx";

type LeaveGuardProps = {
  isSending: boolean;
  title: string;
  /** What is lost by leaving now. */
  children: ReactNode;
};

/** Asks before an upload is left behind; once it has ended, the person stays and sees how. */
export function LeaveGuard({ isSending, title, children }: LeaveGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: () => isSending,
    enableBeforeUnload: () => isSending,
    withResolver: true,
  });
  const isBlocked = blocker.status === "blocked";
  const stay = useEffectEvent(() => blocker.reset?.());
  useEffect(() => {
    if (isBlocked && !isSending) stay();
  }, [isBlocked, isSending]);
  return (
    <LazyConfirmDialog
      opened={isBlocked && isSending}
      title={title}
      confirmLabel="Leave and stop the upload"
      cancelLabel="Stay"
      isDangerous
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      {children}
    </LazyConfirmDialog>
  );
}
