import { Button } from "@mantine/core";
import { Suspense, useState } from "react";
import { useForgetSession } from "#client/lib/session/forget-session.ts";
import { useLeaveSession } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import type { ProofWanted } from "#client/shared-parts/own-proof.tsx";
import { lazyDialog } from "#client/ui/feedback/lazy-part.tsx";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { formatDateTime } from "#shared/dates.ts";
import classes from "./account.module.css";

const ProofDialog = lazyDialog(() => import("./proof-dialog.tsx"));

/** A session to end, or null for all. */
type Asked = { id: string; device: string } | null;

/** Where the person is signed in; each of the others can be ended, and all at once. Both ask who is there. */
export function SessionsCard({ account }: { account: ProofWanted }) {
  const utils = trpc.useUtils();
  const sessions = trpc.users.sessions.useQuery(undefined, { staleTime: 0 });
  // The question stays while its dialog closes; a new one is asked in a new form.
  const [question, setQuestion] = useState<{ asked: Asked; isOpen: boolean; number: number } | null>(null);
  const ask = (asked: Asked) => setQuestion((last) => ({ asked, isOpen: true, number: (last?.number ?? 0) + 1 }));
  const close = () => setQuestion((last) => last && { ...last, isOpen: false });
  const forgetSession = useForgetSession();
  const leave = useLeaveSession();
  const end = trpc.users.endSession.useMutation({
    onSuccess: async () => {
      await utils.users.sessions.invalidate();
      toast.success("Signed out there");
      close();
    },
  });
  const endAll = trpc.users.signOutEverywhere.useMutation({
    onSuccess: () => {
      toast.success("You are signed out everywhere");
      forgetSession();
      return leave();
    },
  });
  return (
    <SectionCard title="Sign-ins" text="Where your account is signed in now.">
      {sessions.error && !sessions.data && <LoadFailed query={sessions} title="This could not be loaded" />}
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
                  onClick={() => ask({ id, device })}
                >
                  Sign out
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <Button className={classes.action} variant="default" onClick={() => ask(null)}>
        Sign out everywhere
      </Button>
      {question && (
        <Suspense>
          <ProofDialog
            key={question.number}
            opened={question.isOpen}
            title={question.asked ? `Sign out ${question.asked.device}?` : "Sign out everywhere?"}
            submitLabel={question.asked ? "Sign out" : "Sign out everywhere"}
            account={account}
            onSubmit={(proof) =>
              question.asked ? end.mutateAsync({ id: question.asked.id, ...proof }) : endAll.mutateAsync(proof)
            }
            onCancel={close}
          >
            <p>
              {question.asked
                ? "That device is signed out at once. Whoever uses it needs your password to come back."
                : "All your devices are signed out, this one too. You can sign in again at once."}
            </p>
          </ProofDialog>
        </Suspense>
      )}
    </SectionCard>
  );
}
