import { CopyButton } from "#client/ui/copy-button.tsx";
import { Notice } from "#client/ui/notice.tsx";
import { formatDateTime } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { refundDueLabels } from "#shared/payment-texts.ts";
import classes from "./payment-facts.module.css";
import type { AdminPayment } from "./payments-search.ts";
import { PaymentStatusBadge } from "./status-select.tsx";

/** Why to look twice before deciding. */
export function PaymentWarnings({ payment: { refundDue, receipt } }: { payment: AdminPayment }) {
  return (
    <>
      {refundDue && (
        <Notice tone="caution" title={refundDueLabels[refundDue]}>
          <p>This payment can't be approved. Send the money back, then reject it.</p>
        </Notice>
      )}
      {receipt.isUsedBefore && (
        <Notice tone="caution" title="This receipt's file was used before">
          <p>The same file was sent for another payment. Compare the bank's transfer with both.</p>
        </Notice>
      )}
    </>
  );
}

/** Who, how much, for what and when: what the receipt has to agree with. */
export function PaymentFacts({ payment }: { payment: AdminPayment }) {
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
        <dd className={classes.amount}>{formatNaira(payment.amountKobo)}</dd>
      </div>
      <div>
        <dt>Reference</dt>
        <dd className={classes.reference}>
          <span className="money">{payment.reference}</span>
          <CopyButton text={payment.reference} what="reference" size="xs" />
        </dd>
      </div>
      <div>
        <dt>From</dt>
        <dd>
          {payment.backerName}
          <br />
          <span className={classes.dimmed}>{payment.backerEmail}</span>
        </dd>
      </div>
      <div>
        <dt>Project</dt>
        <dd>{payment.projectTitle}</dd>
      </div>
      <div>
        <dt>Receipt sent</dt>
        <dd>
          {formatDateTime(receipt.submittedAt)}
          <br />
          <span className={classes.dimmed}>{receipt.originalName}</span>
        </dd>
      </div>
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
