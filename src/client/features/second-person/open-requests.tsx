import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import "#client/ui/mantine/overlays.css";
import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { ProofForm } from "#client/shared-parts/own-proof.tsx";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { formatDateTime } from "#shared/dates.ts";
import { secondPersonTexts as texts } from "#shared/second-person/texts.ts";
import classes from "./open-requests.module.css";

type Request = RouterOutputs["secondPerson"]["list"]["requests"][number];
type Question = { request: Request; act: "confirm" | "decline" };

/** The requests that wait for a second person: all, or those about one project. Nothing if there are none. */
export default function OpenRequests({ projectId }: { projectId?: number }) {
  const utils = trpc.useUtils();
  const query = trpc.secondPerson.list.useQuery(undefined, { staleTime: 0 });
  const [question, setQuestion] = useState<Question | null>(null);
  // What was confirmed may have changed anything.
  const refresh = () => utils.invalidate();
  const withdraw = trpc.secondPerson.withdraw.useMutation({
    onSuccess: () => toast.success(texts.withdrawn),
    onError: (error) => toast.error(texts.withdrawFailed, errorText(error)),
    onSettled: refresh,
  });
  if (!query.data) {
    if (!query.isError) return null;
    return <LoadFailed query={query} title={texts.fetchFailed} />;
  }
  const requests = query.data.requests.filter((request) => projectId === undefined || request.projectId === projectId);
  return (
    <>
      {requests.length > 0 && (
        <section className={classes.section} aria-labelledby="second-person">
          <h2 id="second-person" className={classes.heading}>
            Waits for a second person
          </h2>
          {requests.map((request) => (
            <RequestCard key={request.id} request={request}>
              {request.refusal === null && (
                <Button disabled={!request.isPossible} onClick={() => setQuestion({ request, act: "confirm" })}>
                  Confirm
                </Button>
              )}
              {request.isOwn ? (
                <Button
                  variant="default"
                  loading={withdraw.isPending}
                  onClick={() => withdraw.mutate({ requestId: request.id })}
                >
                  Withdraw
                </Button>
              ) : (
                <Button variant="default" onClick={() => setQuestion({ request, act: "decline" })}>
                  Decline
                </Button>
              )}
            </RequestCard>
          ))}
        </section>
      )}
      <ConfirmRequest question={question} onClose={() => setQuestion(null)} onSettled={refresh} />
      <ConfirmAlone question={question} onClose={() => setQuestion(null)} onSettled={refresh} />
    </>
  );
}

type RequestCardProps = { request: Request; children: React.ReactNode };

function RequestCard({ request, children }: RequestCardProps) {
  const { title, askedBy, isOwn, requestedAt, until, reason, refusal, consequences, papers = [] } = request;
  return (
    <article className={classes.card}>
      <h3>{title}</h3>
      <p>
        {isOwn ? "You asked" : `${askedBy} asked`} on {formatDateTime(requestedAt)}. The request ends on{" "}
        {formatDateTime(until)}. {refusal ?? (isOwn && texts.onlyOwner)}
      </p>
      <p className={classes.reason}>Reason: {reason}</p>
      <Consequences lines={consequences} />
      {papers.map(({ name, url }) => (
        <p key={url}>
          <a href={url} target="_blank" rel="noreferrer">
            Open the paper that proves it: {name}
          </a>
        </p>
      ))}
      <ButtonRow>{children}</ButtonRow>
    </article>
  );
}

function Consequences({ lines }: { lines: string[] }) {
  return (
    <ul className={classes.consequences}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

type DialogProps = { question: Question | null; onClose: () => void; onSettled: () => Promise<unknown> };

/** Another owner's request is confirmed, or declined. */
function ConfirmRequest({ question, onClose, onSettled }: DialogProps) {
  const settle = async () => {
    onClose();
    await onSettled();
  };
  const confirm = trpc.secondPerson.confirm.useMutation({
    onSuccess: () => toast.success(texts.confirmed),
    onError: (error) => toast.error(texts.confirmFailed, errorText(error)),
    onSettled: settle,
  });
  const decline = trpc.secondPerson.decline.useMutation({
    onSuccess: () => toast.success(texts.declined),
    onError: (error) => toast.error(texts.declineFailed, errorText(error)),
    onSettled: settle,
  });
  const isConfirming = question?.act === "confirm";
  const requestId = question?.request.id ?? 0;
  return (
    <LazyConfirmDialog
      opened={question !== null && !question.request.isOwn}
      title={isConfirming ? `${question.request.title}?` : "Decline this request?"}
      confirmLabel={isConfirming ? "Confirm" : "Decline"}
      isDangerous={isConfirming}
      isPending={confirm.isPending || decline.isPending}
      onConfirm={() => (isConfirming ? confirm : decline).mutate({ requestId })}
      onClose={onClose}
    >
      {isConfirming ? (
        <Consequences lines={question.request.consequences} />
      ) : (
        "Nothing is changed, and whoever asked is told."
      )}
    </LazyConfirmDialog>
  );
}

/** The only owner's own request takes the proof of the account. */
function ConfirmAlone({ question, onClose, onSettled }: DialogProps) {
  const account = trpc.users.account.useQuery(undefined, { enabled: question?.request.isOwn ?? false });
  const confirm = trpc.secondPerson.confirm.useMutation();
  const request = question?.request;
  return (
    <Modal
      opened={request?.isOwn ?? false}
      onClose={onClose}
      title={request ? `${request.title}?` : ""}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {request && account.data ? (
        <ProofForm
          account={account.data}
          submitLabel="Confirm"
          isDangerous
          onCancel={onClose}
          onSubmit={async (proof) => {
            await confirm.mutateAsync({ requestId: request.id, ...proof });
            toast.success(texts.confirmed);
            onClose();
            await onSettled();
          }}
        >
          <p>You are the only owner, so your second factor takes the second person's place.</p>
          <Consequences lines={request.consequences} />
        </ProofForm>
      ) : (
        <Loading>
          <SkeletonText lines={4} />
        </Loading>
      )}
    </Modal>
  );
}
