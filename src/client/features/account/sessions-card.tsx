import { Button } from "@mantine/core";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { useForgetSession } from "#client/lib/forget-session.ts";
import { useLeaveSession } from "#client/lib/session.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/error-state.tsx";
import { LazyConfirmDialog } from "#client/ui/lazy-confirm-dialog.tsx";
import { SectionCard } from "#client/ui/section-card.tsx";
import { Loading, SkeletonText } from "#client/ui/skeleton.tsx";
import { StatusBadge } from "#client/ui/status-badge.tsx";
import { formatDateTime } from "#shared/dates.ts";
import classes from "./account.module.css";

/** Where the person is signed in; each of the others can be ended, and all at once. */
export function SessionsCard() {
  const utils = trpc.useUtils();
  const sessions = trpc.users.sessions.useQuery(undefined, { staleTime: 0 });
  const [isAsking, setIsAsking] = useState(false);
  const forgetSession = useForgetSession();
  const leave = useLeaveSession();
  const end = trpc.users.endSession.useMutation({
    onSuccess: async () => {
      await utils.users.sessions.invalidate();
      toast.success("Signed out there");
    },
    onError: (error) => toast.error("That device was not signed out", errorText(error)),
  });
  const endAll = trpc.users.signOutEverywhere.useMutation({
    onSuccess: () => {
      toast.success("You are signed out everywhere");
      forgetSession();
      return leave();
    },
    onError: (error) => {
      setIsAsking(false);
      toast.error("You were not signed out everywhere", errorText(error));
    },
  });
  return (
    <SectionCard title="Sign-ins" text="Where your account is signed in now.">
      {sessions.error && !sessions.data && (
        <ErrorState
          title="This could not be loaded"
          text={errorText(sessions.error)}
          onRetry={() => void sessions.refetch()}
          isRetrying={sessions.isFetching}
        />
      )}
      {!sessions.data && !sessions.error && (
        <Loading label="Loading your sign-ins">
          <SkeletonText lines={3} />
        </Loading>
      )}
      {sessions.data && (
        <ul className={classes.list}>
          {sessions.data.map(({ id, device, ipAddress, lastActivityAt, isThisDevice }) => (
            <li key={id} className={classes.item}>
              <div>
                <p className={classes.itemTitle}>
                  {device}
                  {isThisDevice && <StatusBadge tone="positive">This device</StatusBadge>}
                </p>
                <p className={classes.itemText}>
                  Last active {formatDateTime(lastActivityAt)} · {ipAddress}
                </p>
              </div>
              {!isThisDevice && (
                <Button
                  size="sm"
                  variant="default"
                  aria-label={`Sign out ${device}, last active ${formatDateTime(lastActivityAt)}`}
                  loading={end.isPending && end.variables.id === id}
                  onClick={() => end.mutate({ id })}
                >
                  Sign out
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <Button className={classes.action} variant="default" onClick={() => setIsAsking(true)}>
        Sign out everywhere
      </Button>
      <LazyConfirmDialog
        opened={isAsking}
        title="Sign out everywhere?"
        confirmLabel="Sign out everywhere"
        isPending={endAll.isPending}
        onConfirm={() => endAll.mutate()}
        onClose={() => setIsAsking(false)}
      >
        All your devices are signed out, this one too. You can sign in again at once.
      </LazyConfirmDialog>
    </SectionCard>
  );
}
