import { Button } from "@mantine/core";
import { errorText } from "#client/lib/errors.ts";
import { formatCount } from "#client/lib/format.ts";
import { useCan } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { PayoutBadge } from "#client/shared-parts/payout-badge.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { InlineReason } from "#client/ui/forms/inline-reason.tsx";
import { useInlineForm } from "#client/ui/forms/use-inline-form.ts";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { lineReasonInput } from "#shared/bank/inputs.ts";
import { bankLimits, bankTexts, lineMatchKindLabels } from "#shared/bank/texts.ts";
import { formatDateTime, formatDay } from "#shared/dates.ts";
import { formatNairaExact } from "#shared/money.ts";
import { paymentStatusLabels } from "#shared/payments/statuses.ts";
import { AskSecondOwner, useAloneOrAsk } from "./ask-second-owner.tsx";
import type { Line } from "./bank-search.ts";
import { harvestName } from "./harvest-choices.tsx";
import classes from "./line.module.css";

type Match = Line["matches"][number];

/** Lists a line's matches, also undone ones, with who and why. Nothing if there never was one. */
export function LineMatches({ line }: { line: Line }) {
  if (line.matches.length === 0) return null;
  const standing = line.matches.filter(({ undoneAt }) => undoneAt === null);
  const undone = line.matches.filter(({ undoneAt }) => undoneAt !== null);
  return (
    <>
      {standing.length > 0 && (
        <section className={classes.part} aria-label="Matched to">
          <h3>Matched to</h3>
          <ul className={classes.choices}>
            {standing.map((match) => (
              <li key={match.id} className={classes.choice}>
                <MatchWords line={line} match={match} />
                {match.payment && <ToPayment line={line} payment={match.payment} />}
                {line.canMatch && <Undo match={match} />}
              </li>
            ))}
          </ul>
        </section>
      )}
      {undone.length > 0 && (
        <section className={classes.part} aria-label="Undone">
          <h3>Undone</h3>
          <ul className={classes.choices}>
            {undone.map((match) => (
              <li key={match.id} className={classes.choice} data-undone>
                <MatchWords line={line} match={match} />
                {match.undoneAt && (
                  <p className={classes.why}>
                    Undone by {match.undoneByName ?? "nobody known"} on {formatDateTime(match.undoneAt)}
                    {match.undoneReason && `: ${match.undoneReason}`}
                  </p>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function MatchWords({ line, match }: { line: Line; match: Match }) {
  const { kind, amountKobo, payment, payout, buyer, harvest, ofRun, reason, rule, madeByName, createdAt } = match;
  const maySeePayouts = useCan("payouts:view");
  const run = ofRun && `Payment run ${ofRun.id}`;
  const other = match.line.id === line.id ? match.counterLine : match.line;
  return (
    <>
      <div className={classes.choiceHead}>
        <span className={classes.who}>
          {payment?.backerName ?? payout?.payeeName ?? buyer ?? run ?? lineMatchKindLabels[kind]}
        </span>
        <span className="money">{formatNairaExact(amountKobo)}</span>
      </div>
      {payment && (
        <p>
          {kind !== "payment" && `${lineMatchKindLabels[kind]}: `}
          {payment.projectTitle}, <span className="reference">{payment.reference}</span>
        </p>
      )}
      {harvest && (
        <p>
          {buyer && `${lineMatchKindLabels[kind]}: `}
          {harvestName(harvest)}
        </p>
      )}
      {ofRun && <p>{formatCount(ofRun.payouts, "payout")} in one debit</p>}
      {payout && (
        <p>
          {lineMatchKindLabels[kind]}: {payout.projectTitle}, <span className="reference">{payout.reference}</span>
        </p>
      )}
      {payout && (
        <p>
          <PayoutBadge payout={payout} />
        </p>
      )}
      {payment && (
        <p>
          <StatusBadge
            tone={payment.status === "approved" ? "positive" : payment.status === "rejected" ? "negative" : "waiting"}
          >
            {paymentStatusLabels[payment.status]}
          </StatusBadge>
        </p>
      )}
      {match.counterLine && other && (
        <p>
          {other.bankName}, {formatDay(other.date)}
        </p>
      )}
      {reason && <p>{reason}</p>}
      {match.sentBack && (
        <p>
          <PayoutBadge payout={{ state: match.sentBack, isRefused: false }} />
        </p>
      )}
      {match.sentBack === "waiting" && maySeePayouts && (
        <LinkButton className={classes.act} to="/admin/payouts" search={{ tab: "waiting" }} variant="default" size="sm">
          Enter the sender's account
        </LinkButton>
      )}
      <p className={classes.why}>
        {rule ? "Matched by itself, because it was sure," : `By ${madeByName ?? "nobody known"}`} on{" "}
        {formatDateTime(createdAt)}
      </p>
    </>
  );
}

type ToPaymentProps = { line: Line; payment: NonNullable<Match["payment"]> };

/** The way to the payment that a line shows, and its approval where the bank shows all of it. */
function ToPayment({ line, payment: { id, reference } }: ToPaymentProps) {
  const utils = trpc.useUtils();
  const approve = trpc.bank.confirmSurePayments.useMutation({
    onSuccess: ({ approved, refused }) => {
      if (approved > 0) toast.success(bankTexts.approved(reference));
      else toast.error(bankTexts.approvalRefused(reference), refused[0]?.why ?? bankTexts.lotsGone);
    },
    onError: (error) => toast.error(bankTexts.approvalRefused(reference), errorText(error)),
    onSettled: () => utils.invalidate(),
  });
  return (
    <ButtonRow>
      {line.approvable.includes(id) && (
        <Button
          size="sm"
          loading={approve.isPending}
          aria-label={`Approve the payment ${reference}`}
          onClick={() => approve.mutate({ paymentIds: [id] })}
        >
          Approve the payment
        </Button>
      )}
      <LinkButton
        to="/admin/payments"
        search={{ status: "all", search: reference }}
        variant="default"
        size="sm"
        aria-label={`See the payment ${reference}`}
      >
        See the payment
      </LinkButton>
    </ButtonRow>
  );
}

function Undo({ match }: { match: Match }) {
  const utils = trpc.useUtils();
  const form = useInlineForm();
  const undo = trpc.bank.undo.useMutation({
    onSuccess: () => toast.success(bankTexts.undone),
    onSettled: async () => {
      void utils.payments.invalidate();
      await utils.bank.invalidate();
    },
  });
  const secondPerson = useAloneOrAsk();
  if (secondPerson.question) {
    const done = () => {
      secondPerson.forget();
      form.close();
    };
    return <AskSecondOwner question={secondPerson.question} onDone={done} />;
  }
  if (!form.isOpen) {
    return (
      <Button ref={form.opener} className={classes.act} variant="default" size="sm" onClick={form.open}>
        Undo…
      </Button>
    );
  }
  return (
    <InlineReason
      label="Undo this explanation"
      description="Why it is undone. The money goes back to what is to be matched of the line."
      submitLabel="Undo this explanation"
      isDangerous
      schema={lineReasonInput}
      maxLength={bankLimits.reasonLength}
      onSubmit={(reason) =>
        secondPerson.act(
          () => undo.mutateAsync({ matchId: match.id, reason }),
          { kind: "undo_match", details: { matchId: match.id } },
          reason,
        )
      }
      onCancel={form.close}
    />
  );
}
