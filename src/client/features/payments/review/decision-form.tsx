import { faultsOf } from "#client/lib/faults.ts";
import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Button, Checkbox, Modal, Textarea } from "@mantine/core";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { formatNaira, type Kobo } from "#shared/money.ts";
import type { PaymentStatus } from "#shared/payments/statuses.ts";
import { paymentLimits, paymentTexts } from "#shared/payments/texts.ts";
import { countLots } from "#shared/projects/texts.ts";
import { reasonInput } from "#shared/second-person/reason.ts";
import { secondPersonLimits, secondPersonTexts } from "#shared/second-person/texts.ts";
import {
  ApprovalFields,
  type ApprovalWords,
  mayWriteOff,
  reasonFault,
  takesSecondPerson,
  useAskApproval,
  WriteOffRest,
} from "./approval-form.tsx";
import classes from "./payments.module.css";
import type { AdminPayment, UnseenLimit } from "./payments-search.ts";
import type { SetStatus } from "./use-set-status.ts";

type DecisionDialogProps = {
  decision: Decision | null;
  unseenLimit: UnseenLimit;
  update: SetStatus;
  onClose: () => void;
};

/** Confirms a status chosen in the table. */
export default function DecisionDialog({ decision, unseenLimit, update, onClose }: DecisionDialogProps) {
  return (
    <Modal
      opened={decision !== null}
      onClose={update.isPending ? () => undefined : onClose}
      title={decision && decisionTitle(decision)}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {decision && (
        <DecisionForm
          decision={decision}
          unseenLimit={unseenLimit}
          update={update}
          onDone={onClose}
          onRefused={onClose}
          onCancel={onClose}
        />
      )}
    </Modal>
  );
}

/** A wish to set a payment's status: the payment as it was seen, its receipt included. */
export type Decision = { payment: AdminPayment; receiptSha256: string | null; status: PaymentStatus };

const titles: Record<PaymentStatus, string> = {
  approved: "Approve this payment?",
  rejected: "Reject this payment?",
  pending: "Set this payment back to pending?",
};
export const decisionTitle = ({ status }: Decision): string => titles[status];

const labels: Record<PaymentStatus, string> = {
  approved: "Approve payment",
  rejected: "Reject payment",
  pending: "Set to pending",
};

type DecisionFormProps = {
  decision: Decision;
  unseenLimit: UnseenLimit;
  update: SetStatus;
  /** Decided, or left to another owner. */
  onDone: () => void;
  /** Refused by the server: what was seen is no longer what there is. */
  onRefused: () => void;
  onCancel: () => void;
  /** In a column, where the buttons share the width. */
  isNarrow?: boolean;
};

const ownFault = (reason: string): string | undefined => faultsOf(reasonInput, { reason }).reason;

/** Shows the consequences of a decision before it is made. A lost connection keeps everything typed. */
export function DecisionForm(props: DecisionFormProps) {
  const { decision, unseenLimit, update, onDone, onRefused, onCancel, isNarrow = false } = props;
  const { payment, receiptSha256, status } = decision;
  const [reason, setReason] = useState("");
  const [ownReason, setOwnReason] = useState("");
  const [words, setWords] = useState<ApprovalWords>({ reason: "", isWrittenOff: false });
  const [isGivenBack, setIsGivenBack] = useState(true);
  const [isTried, setIsTried] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { askApproval, isPending: isAsking } = useAskApproval();
  const bank = status === "approved" ? payment.bank : null;
  const isOwn = payment.ownDecider === "alone";
  // The only owner gives one reason, and asks nobody; what is written off they confirm as a request of their own.
  const isAsked = isOwn ? mayWriteOff(bank) && words.isWrittenOff : takesSecondPerson(bank, words);
  const fault = isOwn ? ownFault(ownReason) : reasonFault(bank, words);
  const returnableKobo = status === "rejected" ? (payment.bank?.returnableKobo ?? 0n) : 0n;
  const isUnnamed = payment.bank?.isUnnamed ?? false;
  const isPending = update.isPending || isAsking;
  // Beside a receipt it takes the place of the button that was pressed: the keyboard goes on here. Never on the
  // deciding button, so that a key pressed twice decides nothing.
  useEffect(() => (form.current?.querySelector("textarea") ?? form.current)?.focus(), []);
  const decide = async () => {
    if (status === "rejected" && isTooLong(reason)) return form.current?.querySelector("textarea")?.focus();
    setIsTried(true);
    if (fault) return form.current?.querySelector("textarea")?.focus();
    setHasFailed(false);
    const seen = { paymentId: payment.id, seenStatus: payment.status, seenReceiptSha256: receiptSha256 };
    if (bank && isAsked) {
      try {
        await askApproval(seen, bank, isOwn ? { ...words, reason: ownReason } : words);
        onDone();
      } catch (error) {
        toast.error(secondPersonTexts.askFailed, errorText(error));
      }
      return;
    }
    const outcome = await update.setStatus({
      ...seen,
      status,
      ...(status === "rejected" && reason.trim() ? { reason: reason.trim() } : {}),
      ...(isOwn ? { ownReason } : bank && bank.need !== "nothing" ? { unseenReason: words.reason } : {}),
      ...(returnableKobo > 0n ? { isGivenBack: isGivenBack && !isUnnamed } : {}),
    });
    if (outcome === "done") onDone();
    else if (outcome === "refused") onRefused();
    else setHasFailed(outcome === "failed");
  };
  if (payment.ownDecider === "another") {
    return (
      <div className={classes.form}>
        <Notice tone="caution" title={secondPersonTexts.ownMoney}>
          <p>Another owner decides on it.</p>
        </Notice>
        <div className={classes.buttons}>
          <Button variant="default" onClick={onCancel} data-autofocus>
            Close
          </Button>
        </div>
      </div>
    );
  }
  return (
    <form
      ref={form}
      className={classes.form}
      data-narrow={isNarrow || undefined}
      tabIndex={-1}
      aria-label={decisionTitle(decision)}
      data-autofocus={status === "rejected" || (bank && bank.need !== "nothing") ? undefined : true}
      onSubmit={(event) => {
        event.preventDefault();
        void decide();
      }}
    >
      <p className={classes.who}>
        <strong className="money">{formatNaira(payment.amountKobo)}</strong> from <strong>{payment.backerName}</strong>{" "}
        for {payment.lots > 1 && `${countLots(payment.lots)} of `}
        <strong>{payment.projectTitle}</strong>
      </p>
      <Consequences decision={decision} />
      {bank && !isOwn && (
        <ApprovalFields
          bank={bank}
          unseenLimit={unseenLimit}
          words={words}
          fault={isTried ? fault : undefined}
          onChange={setWords}
        />
      )}
      {isOwn && mayWriteOff(bank) && (
        <WriteOffRest
          description="You confirm it on the dashboard, with your password and a code."
          bank={bank}
          words={words}
          onChange={setWords}
        />
      )}
      {isOwn && (
        <Textarea
          label={secondPersonTexts.ownReason}
          description="You are the only owner: it takes your password and a code, and is kept in the audit log."
          autosize
          minRows={2}
          maxRows={6}
          maxLength={secondPersonLimits.reasonMax}
          error={isTried ? fault : undefined}
          value={ownReason}
          onChange={({ currentTarget }) => setOwnReason(currentTarget.value)}
        />
      )}
      {status === "rejected" && (
        <Reason
          payment={payment}
          givenBackKobo={isGivenBack && !isUnnamed ? returnableKobo : 0n}
          reason={reason}
          onChange={setReason}
        />
      )}
      {returnableKobo > 0n && (
        <Checkbox
          label={`Give ${formatNaira(returnableKobo)} back now`}
          description={
            isUnnamed ? paymentTexts.unnamedRejected : "It has arrived. Otherwise it is kept for the backer."
          }
          disabled={isUnnamed}
          checked={isGivenBack && !isUnnamed}
          onChange={({ currentTarget }) => setIsGivenBack(currentTarget.checked)}
        />
      )}
      {hasFailed && (
        <Notice tone="negative" title={paymentTexts.updateFailed} isAlert>
          <p>We don't know whether it arrived. Trying again does no harm.</p>
        </Notice>
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onCancel} disabled={isPending}>
          Cancel
        </Button>
        <Button type="submit" color={status === "rejected" ? "red" : undefined} loading={isPending}>
          {isAsked ? (isOwn ? "Ask, and confirm on the dashboard" : "Send to another owner") : labels[status]}
        </Button>
      </div>
    </form>
  );
}

function Consequences({ decision: { payment, status } }: { decision: Decision }) {
  const lines: ReactNode[] = [];
  if (status === "approved") {
    lines.push(
      payment.roundLots === 1
        ? "The project closes to other backers."
        : `It takes ${countLots(payment.lots)} of ${payment.roundLots}; the last one closes the project to other backers.`,
      payment.isAccountClosed ? (
        "The backer's account is closed: nobody is emailed."
      ) : (
        <>
          {payment.backerName} becomes its backer and is emailed at{" "}
          <span className={classes.decisionEmail}>{payment.backerEmail}</span>.
        </>
      ),
      "The amount is posted to the ledger and counted as the project's funding.",
    );
  }
  if (payment.status === "approved") {
    lines.push(
      "The approval is taken back: funding and backing are reversed in the ledger.",
      payment.roundLots === 1
        ? "The project stays closed. Reopening it is a separate step."
        : "Its lots are free again. A closed project stays closed; reopening it is a separate step.",
    );
    if (payment.bank && status === "pending") {
      const { returnableKobo } = payment.bank;
      lines.push(
        returnableKobo > 0n
          ? `${formatNaira(returnableKobo)} has arrived, and is kept for the backer.`
          : "Nothing of it was seen in the bank, so nothing is kept for the backer.",
      );
    }
  }
  if (status !== "approved") {
    lines.push(
      payment.isAccountClosed ? (
        "The backer's account is closed: nobody is emailed."
      ) : (
        <>
          {payment.backerName} is emailed at <span className={classes.decisionEmail}>{payment.backerEmail}</span>.
        </>
      ),
    );
  }
  if (payment.refundContact) {
    lines.push(
      <>
        The refund contact <span className={classes.decisionEmail}>{payment.refundContact}</span> is deleted.
        {status !== "approved" && " Send the money back first."}
      </>,
    );
  }
  return (
    <ul className={classes.list}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are fixed while the question stands.
        <li key={index}>{line}</li>
      ))}
    </ul>
  );
}

const isTooLong = (reason: string) => reason.trim().length > paymentLimits.reasonLength;

type ReasonProps = {
  payment: AdminPayment;
  /** The amount given back with the rejection. */
  givenBackKobo: Kobo;
  reason: string;
  onChange: (reason: string) => void;
};

function Reason({ payment, givenBackKobo, reason, onChange }: ReasonProps) {
  const id = useId();
  const takenBack = payment.status === "approved" ? " Its earlier approval was taken back." : "";
  return (
    <>
      <Textarea
        label="Reason (optional)"
        description={`${payment.isAccountClosed ? "Kept with the payment" : "For the backer"}, up to ${paymentLimits.reasonLength} characters`}
        autosize
        minRows={2}
        maxRows={6}
        error={isTooLong(reason) ? paymentTexts.reasonTooLong : undefined}
        value={reason}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        data-autofocus
      />
      {!payment.isAccountClosed && (
        <section className={classes.preview} aria-labelledby={id}>
          <h3 id={id} className={classes.previewTitle}>
            What the backer reads
          </h3>
          <p>
            We checked your payment for {payment.projectTitle} and could not approve it.{takenBack}
          </p>
          {reason.trim() && <p>Reason: {reason.trim()}</p>}
          <p>
            {givenBackKobo > 0n
              ? paymentTexts.returned(formatNaira(givenBackKobo))
              : "If you think this is a mistake, or have a clearer receipt, you can send it again."}
          </p>
        </section>
      )}
    </>
  );
}
