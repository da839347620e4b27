import { Button } from "@mantine/core";
import { useRef, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { formatNaira } from "#shared/money.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { countLots } from "#shared/projects/texts.ts";
import classes from "./round-decision.module.css";

type RoundToDecide = NonNullable<RouterOutputs["payments"]["roundToDecide"]>;

/** On a closed project whose round isn't sold out: an owner starts the farm, or gives everything back. */
export default function RoundDecision({ projectId }: { projectId: number }) {
  const utils = trpc.useUtils();
  const { data: round } = trpc.payments.roundToDecide.useQuery({ projectId }, { staleTime: 0 });
  const [isAsking, setIsAsking] = useState(false);
  const card = useRef<HTMLElement>(null);
  const decision = trpc.payments.decideRound.useMutation({
    onSuccess: (_, { outcome }) => {
      toast.success(outcome === "funded" ? paymentTexts.roundFunded : paymentTexts.roundGivenBack);
    },
    onError: (error) => toast.error(paymentTexts.decideFailed, errorText(error)),
    onSettled: async () => {
      setIsAsking(false);
      await Promise.all([
        utils.payments.invalidate(),
        utils.projects.invalidate(),
        utils.backings.project.invalidate({ projectId }),
        utils.backings.listForProject.invalidate({ projectId }),
      ]);
    },
  });
  if (!round) return null;
  const { lots, minimumLots, approvedLots, isReached, totalKobo, totalDueKobo, waiting } = round;
  const outcome = isReached ? "funded" : "not_funded";
  return (
    <section ref={card} className={classes.card} aria-labelledby="round-decision" tabIndex={-1}>
      <h2 id="round-decision" className={classes.title}>
        {isReached ? "The minimum is reached" : "The minimum was missed"}
      </h2>
      <p>
        {approvedLots} of {countLots(lots)} {approvedLots === 1 ? "was" : "were"} sold, for{" "}
        <strong className="money">{formatNaira(totalKobo)}</strong>. At least {minimumLots}{" "}
        {minimumLots === 1 ? "is" : "are"} needed.{" "}
        {isReached ? "The farm can start." : "Everything has to be given back."}
      </p>
      <ConcernedBackers round={round} />
      {waiting > 0 && <Notice tone="waiting" title={paymentTexts.paymentsWait(waiting)} />}
      <Button
        className={classes.action}
        color={isReached ? undefined : "red"}
        disabled={waiting > 0}
        onClick={() => setIsAsking(true)}
      >
        {isReached ? "Declare funded" : "Give everything back"}
      </Button>
      <LazyConfirmDialog
        opened={isAsking}
        title={isReached ? "Declare this round funded?" : `Give ${formatNaira(totalDueKobo)} back?`}
        confirmLabel={isReached ? "Declare funded" : "Give everything back"}
        isDangerous={!isReached}
        isPending={decision.isPending}
        onConfirm={() => decision.mutate({ projectId, outcome, seenApprovedLots: approvedLots })}
        onClose={() => setIsAsking(false)}
      >
        {isReached ? (
          "The farm starts with the lots that are sold. This can't be undone."
        ) : (
          <>
            <p>
              Each approval is reversed, what has arrived becomes a refund due, and every backer is emailed. This can't
              be undone.
            </p>
            <UnseenBackers round={round} />
          </>
        )}
      </LazyConfirmDialog>
    </section>
  );
}

/** Those to whom less would be due than they were approved with, because nobody has seen it. */
function UnseenBackers({ round: { backers } }: { round: RoundToDecide }) {
  const unseen = backers.filter(({ amountKobo, dueKobo }) => dueKobo < amountKobo);
  if (unseen.length === 0) return null;
  return (
    <Notice tone="caution" title="Not seen in the bank">
      <p>
        Declare it as arrived first, on the payment, if it came before the first statement. Else nothing more is due:
      </p>
      <ul>
        {unseen.map(({ paymentId, fullName, amountKobo, dueKobo }) => (
          <li key={paymentId}>
            {fullName ?? "Unknown"}: {formatNaira(dueKobo)} of {formatNaira(amountKobo)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** Whom the decision concerns, with what they paid. */
function ConcernedBackers({ round }: { round: RoundToDecide }) {
  return (
    <table className={classes.backers}>
      <thead>
        <tr>
          <th scope="col">Backer</th>
          <th scope="col">Lots</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        {round.backers.map(({ paymentId, fullName, lots, amountKobo }) => (
          <tr key={paymentId}>
            <td>{fullName ?? "Unknown"}</td>
            <td>{lots}</td>
            <td className="money">{formatNaira(amountKobo)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Together</th>
          <td>{round.approvedLots}</td>
          <td className="money">{formatNaira(round.totalKobo)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
