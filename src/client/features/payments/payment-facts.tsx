import { trpc } from "#client/lib/trpc.ts";
import { CopyButton } from "#client/ui/feedback/copy-button.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { formatDate, formatDateTime } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { paymentStatusLabels } from "#shared/payment-statuses.ts";
import { refundDueLabels } from "#shared/payment-texts.ts";
import classes from "./payment-facts.module.css";
import type { AdminPayment } from "./payments-search.ts";
import { Reference } from "./reference.tsx";
import { PaymentStatusBadge } from "./status-select.tsx";

/** Why to look twice before deciding. `onLeave`: a link to other payments was followed. */
export function PaymentWarnings({ payment, onLeave }: { payment: AdminPayment; onLeave: () => void }) {
  const { refundDue, refundContact, receipt } = payment;
  return (
    <>
      {refundDue && (
        <Notice tone="caution" title={refundDueLabels[refundDue]}>
          <p>This payment can't be approved. Send the money back, then reject it.</p>
          {refundContact && (
            <p>
              The backer closed the account. Refund contact: <strong>{refundContact}</strong>. It is deleted as soon as
              the payment is decided.
            </p>
          )}
        </Notice>
      )}
      {receipt.isUsedBefore && (
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
        <TextLink to="/admin/payments" search={{ sameReceipt: payment.id }} onClick={onLeave}>
          Show these payments
        </TextLink>
      </p>
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
          <Reference text={payment.reference} />
          <CopyButton text={payment.reference} what="reference" size="xs" />
        </dd>
      </div>
      <div>
        <dt>From</dt>
        <dd>
          {payment.backerName}
          <br />
          <span className={classes.dimmed}>
            {payment.isAccountClosed ? "The account is closed" : payment.backerEmail}
          </span>
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
