import "#client/ui/mantine/overlays.css";
import { Button, Modal } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { Evidence, PaidUnder, Struck } from "#client/features/payments/strikes/struck.tsx";
import { PaymentMoney } from "#client/features/payments/unallocated/payment-money.tsx";
import { trpc } from "#client/lib/trpc.ts";
import { CopyButton } from "#client/ui/feedback/copy-button.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { formatDate, formatDateTime } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { type PaymentStatus, paymentStatusLabels } from "#shared/payments/statuses.ts";
import { paymentTexts, refundDueLabel } from "#shared/payments/texts.ts";
import { countLots } from "#shared/projects/texts.ts";
import { BankStateMark, isStruck, partOf } from "./bank-state.tsx";
import { type Decision, DecisionForm, decisionTitle } from "./decision-form.tsx";
import { PaymentStatusBadge, Reference } from "./payment-columns.tsx";
import { PaymentPapers } from "./payment-papers.tsx";
import classes from "./payments.module.css";
import type { AdminPayment, UnseenLimit } from "./payments-search.ts";
import { DownloadButton, ReceiptViewer, useReceipt } from "./receipt-viewer.tsx";
import type { PaymentWalk } from "./use-payment-walk.ts";
import type { SetStatus } from "./use-set-status.ts";
import { WalkBar } from "./walk-bar.tsx";

type ReceiptDialogProps = {
  walk: PaymentWalk;
  /** How many payments the filters leave; undefined where they aren't counted. */
  total: number | undefined;
  canProcess: boolean;
  unseenLimit: UnseenLimit;
  update: SetStatus;
  onChangeHolder: (payment: AdminPayment) => void;
};

/** A receipt beside the decision it is for, and the way to the payments before and after it in the list. */
export default function ReceiptDialog({
  walk,
  total,
  canProcess,
  unseenLimit,
  update,
  onChangeHolder,
}: ReceiptDialogProps) {
  const { payment, isDone, close } = walk;
  return (
    <Modal
      opened={payment !== null}
      onClose={update.isPending ? () => undefined : close}
      title="Payment receipt"
      size="62rem"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {isDone ? (
        <NothingPending onClose={close} />
      ) : (
        payment && (
          <>
            <WalkBar walk={walk} total={total} isLocked={update.isPending} />
            <Review
              key={payment.id}
              payment={payment}
              canProcess={canProcess}
              unseenLimit={unseenLimit}
              update={update}
              onDone={() => void walk.goOn()}
              onClose={close}
              onChangeHolder={() => onChangeHolder(payment)}
            />
          </>
        )
      )}
    </Modal>
  );
}

/** Said in the dialog after the last decision. */
function NothingPending({ onClose }: { onClose: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <div role="status">
      <EmptyState
        picture="/art/empty-payments.svg"
        title={paymentTexts.nothingPending}
        action={
          <Button ref={button} onClick={onClose}>
            Back to the list
          </Button>
        }
      />
    </div>
  );
}

type ReviewProps = {
  payment: AdminPayment;
  canProcess: boolean;
  unseenLimit: UnseenLimit;
  update: SetStatus;
  /** The payment is decided, or left to another owner. */
  onDone: () => void;
  onClose: () => void;
  onChangeHolder: () => void;
};

function Review({ payment, canProcess, unseenLimit, update, onDone, onClose, onChangeHolder }: ReviewProps) {
  const { query, download } = useReceipt(payment.id, { hasReceipt: payment.receipt !== null });
  const [decision, setDecision] = useState<Decision | null>(null);
  const side = useRef<HTMLDivElement>(null);
  // The keyboard goes on beside the receipt when a form has been left.
  const goOn = () => side.current?.focus();
  const label = `Receipt of ${payment.backerName} for ${payment.projectTitle}`;
  const { receipt } = payment;
  const seen = receipt ? query.data?.link.sha256 : null;
  return (
    <div className={classes.review}>
      {receipt ? (
        <ReceiptViewer query={query} label={label} />
      ) : (
        <Notice tone="neutral" title={paymentTexts.seenWithoutReceipt} />
      )}
      <div ref={side} className={classes.side} tabIndex={-1}>
        {decision ? (
          <>
            <h3 className={classes.heading}>{decisionTitle(decision)}</h3>
            <DecisionForm
              decision={decision}
              unseenLimit={unseenLimit}
              update={update}
              onDone={onDone}
              onRefused={onClose}
              onCancel={() => {
                setDecision(null);
                goOn();
              }}
              isNarrow
            />
          </>
        ) : (
          <>
            <PaymentWarnings payment={payment} onLeave={onClose} />
            <Struck paymentId={payment.id} />
            <PaymentFacts payment={payment} />
            <PaidUnder paymentId={payment.id} />
            {canProcess && !isStruck(payment) && (
              <Choices
                payment={payment}
                onChoose={seen === undefined ? null : (status) => setDecision({ payment, receiptSha256: seen, status })}
              />
            )}
            {receipt && <DownloadButton download={download} />}
            <PaymentPapers payment={payment} />
            <Evidence paymentId={payment.id} />
            {canProcess && (
              <PaymentMoney payment={payment} onDone={onClose} onCancel={goOn} onChangeHolder={onChangeHolder} />
            )}
          </>
        )}
      </div>
    </div>
  );
}

type ChoicesProps = {
  payment: AdminPayment;
  /** Null until the receipt has come: nobody decides on one that they haven't seen. */
  onChoose: ((status: PaymentStatus) => void) | null;
};

function Choices({ payment, onChoose }: ChoicesProps) {
  return (
    <div className={classes.choices}>
      {payment.status !== "approved" && (
        <Button disabled={!onChoose || payment.refundDue !== null} onClick={() => onChoose?.("approved")}>
          Approve…
        </Button>
      )}
      {payment.status !== "rejected" && (
        <Button variant="outline" color="red" disabled={!onChoose} onClick={() => onChoose?.("rejected")}>
          Reject…
        </Button>
      )}
      {payment.status !== "pending" && (
        <Button variant="default" disabled={!onChoose} onClick={() => onChoose?.("pending")}>
          Set to pending…
        </Button>
      )}
    </div>
  );
}

/** The reasons to look twice before deciding. `onLeave`: a link to other payments was followed. */
function PaymentWarnings({ payment, onLeave }: { payment: AdminPayment; onLeave: () => void }) {
  const { refundDue, refundKobo, roundLots, refundContact, receipt } = payment;
  return (
    <>
      {refundDue && (
        <Notice tone="caution" title={refundDueLabel(refundDue, roundLots)}>
          <p>
            {refundDue === "surplus" && refundKobo !== null
              ? `${formatNaira(refundKobo)} more arrived than was due, and is owed to the backer.`
              : refundKobo !== null
                ? `${formatNaira(refundKobo)} are due to the backer, so this payment can't be approved.`
                : "This payment can't be approved. Send the money back, then reject it."}
          </p>
          {refundContact && (
            <p>
              The backer closed the account. Refund contact: <strong>{refundContact}</strong>. It is deleted as soon as
              the payment is decided.
            </p>
          )}
        </Notice>
      )}
      {receipt?.isUsedBefore && (
        <Notice tone="caution" title="This receipt's file was used before">
          <p>The same file was sent for another payment. Compare the bank's transfer with both.</p>
          <OtherPayments payment={payment} onLeave={onLeave} />
        </Notice>
      )}
    </>
  );
}

const namedOthers = 5;

/** The other payments that the file was sent for, in a few words each, and the way to them. */
function OtherPayments({ payment, onLeave }: { payment: AdminPayment; onLeave: () => void }) {
  const { data } = trpc.payments.list.useQuery({ sameReceiptAs: payment.id }, { staleTime: 0 });
  const others = data?.items.filter(({ id }) => id !== payment.id).slice(0, namedOthers) ?? [];
  return (
    <>
      {others.length > 0 && (
        <ul className={classes.others}>
          {others.map(({ id, backerName, projectTitle, status, submittedAt }) => (
            <li key={id}>
              {backerName} for {projectTitle}, {formatDate(submittedAt)}: {paymentStatusLabels[status].toLowerCase()}
            </li>
          ))}
        </ul>
      )}
      <p>
        <TextLink to="/admin/payments" search={{ sameReceipt: payment.id, status: "all" }} onClick={onLeave}>
          Show these payments
        </TextLink>
      </p>
    </>
  );
}

/** Who, how much, for what and when: what the receipt has to agree with. */
function PaymentFacts({ payment }: { payment: AdminPayment }) {
  const { receipt } = payment;
  return (
    <dl className={classes.facts}>
      <div>
        <dt>Status</dt>
        <dd>
          <PaymentStatusBadge status={payment.status} />
        </dd>
      </div>
      <div>
        <dt>Expected amount</dt>
        <dd>
          <span className={classes.amount}>{formatNaira(payment.amountKobo)}</span>
          {payment.lots > 1 && <span className={classes.factsDimmed}> for {countLots(payment.lots)}</span>}
        </dd>
      </div>
      {payment.bank && (
        <div>
          <dt>In the bank</dt>
          <dd className={classes.factsReference}>
            {isStruck(payment)
              ? `${formatNaira(payment.bank.arrivedKobo)} of ${formatNaira(payment.amountKobo)}`
              : partOf(payment.bank)}
            <BankStateMark bank={payment.bank} />
          </dd>
        </div>
      )}
      <div>
        <dt>Reference</dt>
        <dd className={classes.factsReference}>
          <Reference text={payment.reference} />
          <CopyButton text={payment.reference} what="reference" size="xs" />
        </dd>
      </div>
      <div>
        <dt>From</dt>
        <dd>
          {payment.backerName}
          <br />
          <span className={classes.factsDimmed}>
            {payment.isAccountClosed ? "The account is closed" : payment.backerEmail}
          </span>
        </dd>
      </div>
      <div>
        <dt>Project</dt>
        <dd>{payment.projectTitle}</dd>
      </div>
      {receipt && (
        <div>
          <dt>Receipt sent</dt>
          <dd>
            {formatDateTime(receipt.submittedAt)}
            <br />
            <span className={classes.factsDimmed}>{receipt.originalName}</span>
          </dd>
        </div>
      )}
      {payment.decidedAt && (
        <div>
          <dt>Decided</dt>
          <dd>
            {formatDateTime(payment.decidedAt)}
            {payment.decidedByName && `, by ${payment.decidedByName}`}
          </dd>
        </div>
      )}
      {payment.rejectionReason && (
        <div>
          <dt>Reason given</dt>
          <dd>{payment.rejectionReason}</dd>
        </div>
      )}
    </dl>
  );
}
