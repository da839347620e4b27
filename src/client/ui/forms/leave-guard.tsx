import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, useEffect, useEffectEvent } from "react";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";

type LeaveGuardProps = {
  /** Something would be lost by leaving: an upload that runs, a form that isn't saved. */
  isActive: boolean;
  title: string;
  confirmLabel?: string;
  /** A description of what is lost by leaving now. */
  children: ReactNode;
};

const signInPages = ["/login", "/admin/login"];

/**
 * Asks before unsaved work is left behind; once it is saved, the person stays and sees how. Never in the way of a session
 * that has ended: the page can't be worked on any more.
 */
export function LeaveGuard(props: LeaveGuardProps) {
  const { isActive, title, confirmLabel = "Leave and stop the upload", children } = props;
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => isActive && !signInPages.includes(next.pathname),
    enableBeforeUnload: () => isActive,
    withResolver: true,
  });
  const isBlocked = blocker.status === "blocked";
  const stay = useEffectEvent(() => blocker.reset?.());
  useEffect(() => {
    if (isBlocked && !isActive) stay();
  }, [isBlocked, isActive]);
  return (
    <LazyConfirmDialog
      opened={isBlocked && isActive}
      title={title}
      confirmLabel={confirmLabel}
      cancelLabel="Stay"
      isDangerous
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      {children}
    </LazyConfirmDialog>
  );
}
