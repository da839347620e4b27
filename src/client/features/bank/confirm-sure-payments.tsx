import "#client/ui/mantine/overlays.css";
import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import importClasses from "#client/features/bank/importing/import.module.css";
import { errorText } from "#client/lib/errors.ts";
import { formatCount, formatNumber } from "#client/lib/format.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { bankTexts } from "#shared/bank/texts.ts";
import { formatDay } from "#shared/dates.ts";
import { formatNairaExact } from "#shared/money.ts";
import { countLots } from "#shared/projects/texts.ts";
import classes from "./line.module.css";

export type SurePayment = RouterOutputs["bank"]["listSurePayments"][number];
type Confirmed = RouterOutputs["bank"]["confirmSurePayments"];

type ConfirmSureProps = {
  opened: boolean;
  /** As they were when the dialog opened: what is confirmed is what was seen. */
  payments: readonly SurePayment[];
  onClose: () => void;
};

/** Payments that the bank shows wholly: to look at, to approve at once, and what came of it. */
export default function ConfirmSurePayments({ opened, payments, onClose }: ConfirmSureProps) {
  const utils = trpc.useUtils();
  const [result, setResult] = useState<Confirmed | null>(null);
  const confirm = trpc.bank.confirmSurePayments.useMutation({
    onSuccess: setResult,
    onError: (error) => toast.error(bankTexts.confirmFailed, errorText(error)),
    // Approvals close projects, make backings and refunds.
    onSettled: () => utils.invalidate(),
  });
  const close = () => {
    // It also pends while the screens behind it are read again, which nobody has to wait for.
    if (confirm.isPending && result === null) return;
    setResult(null);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={
        result ? "Sure matches confirmed" : `Confirm ${formatCount(payments.length, "sure match", "sure matches")}?`
      }
      size="42rem"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <div className={importClasses.import}>
        {result ? (
          <Result result={result} payments={payments} onClose={close} />
        ) : (
          <>
            <p>
              {formatNairaExact(payments.reduce((sum, { amountKobo }) => sum + amountKobo, 0n))} arrived, of each
              payment the whole amount. Each payment is approved on its own, in the order in which its money arrived.
            </p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls, also by the keyboard. */}
            <ul className={`${classes.choices} ${classes.sureList}`} aria-label="Sure matches" tabIndex={0}>
              {payments.map((payment) => (
                <li key={payment.paymentId} className={classes.choice}>
                  <SureWords payment={payment} />
                </li>
              ))}
            </ul>
            <ButtonRow>
              <Button
                data-autofocus
                loading={confirm.isPending}
                onClick={() => confirm.mutate({ paymentIds: payments.map(({ paymentId }) => paymentId) })}
              >
                Approve {formatCount(payments.length, "payment")}
              </Button>
              <Button variant="default" disabled={confirm.isPending} onClick={close}>
                Not now
              </Button>
            </ButtonRow>
          </>
        )}
      </div>
    </Modal>
  );
}

function SureWords({ payment }: { payment: SurePayment }) {
  const { backerName, amountKobo, projectTitle, reference, arrivedOn, lots, hasReceipt, hasLots } = payment;
  const { isByHand, isUnnamed } = payment;
  return (
    <>
      <div className={classes.choiceHead}>
        <span className={classes.who}>{backerName}</span>
        <span className="money">{formatNairaExact(amountKobo)}</span>
      </div>
      <p className={classes.why}>
        {lots > 1 && `${countLots(lots)} of `}
        {projectTitle}, {reference}, arrived {formatDay(arrivedOn)}
      </p>
      {(!hasReceipt || !hasLots || isByHand) && (
        <div className={classes.marks}>
          {isByHand && <StatusBadge tone="neutral">Matched by hand</StatusBadge>}
          {isUnnamed && <StatusBadge tone="caution">The line doesn't name the backer</StatusBadge>}
          {!hasReceipt && <StatusBadge tone="neutral">No receipt</StatusBadge>}
          {!hasLots && <StatusBadge tone="caution">Lots are gone: becomes a refund due</StatusBadge>}
        </div>
      )}
    </>
  );
}

type ResultProps = { result: Confirmed; payments: readonly SurePayment[]; onClose: () => void };

function Result({ result: { approved, refundsDue, refused }, payments, onClose }: ResultProps) {
  return (
    <>
      <Notice tone={refused.length > 0 ? "caution" : "positive"} title={`${formatNumber(approved)} approved`}>
        <p role="status">
          {refundsDue > 0 && `${formatCount(refundsDue, "refund is", "refunds are")} due, because the lots were gone. `}
          {refused.length > 0
            ? `${formatCount(refused.length, "payment stays", "payments stay")} as before.`
            : "Every backer is told by email."}
        </p>
      </Notice>
      {refused.length > 0 && (
        <ul className={classes.choices} aria-label="Not approved">
          {refused.map(({ paymentId, why }) => {
            const payment = payments.find((one) => one.paymentId === paymentId);
            return (
              <li key={paymentId} className={classes.choice}>
                <span className={classes.who}>
                  {payment ? `${payment.backerName}, ${payment.reference}` : `Payment ${paymentId}`}
                </span>
                <p className={classes.why}>{why}</p>
              </li>
            );
          })}
        </ul>
      )}
      <ButtonRow>
        <Button onClick={onClose}>Done</Button>
      </ButtonRow>
    </>
  );
}
