import { Button } from "@mantine/core";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { useSite } from "#client/lib/site.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { formatDateTime } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { paymentTexts, refundDueText } from "#shared/payments/texts.ts";
import { Arrival, isPart } from "./arrival.tsx";
import classes from "./back-project-page.module.css";
import { MoneyLink } from "./money-link.tsx";
import { ReceiptForm } from "./receipt-form.tsx";
import { type Step, Steps, waitForReview } from "./steps.tsx";
import { TransferDetails } from "./transfer-details.tsx";
import type { PaymentPage } from "./use-payment-page.ts";

type SentReceiptProps = { page: PaymentPage; payment: NonNullable<PaymentPage["ownPayment"]>; isJustSent: boolean };

/** The page after sending: the payment's state, what happens next, and a way to send a better receipt. */
export function SentReceipt({ page, payment, isJustSent }: SentReceiptProps) {
  const { project, blockedBy } = page;
  const { refundDue } = payment;
  const site = useSite();
  const [isReplacing, setIsReplacing] = useState(false);
  const state = useRef<HTMLDivElement>(null);
  const showState = () => {
    window.scrollTo({ top: 0 });
    state.current?.focus({ preventScroll: true });
  };
  // The form that had the focus is gone, so the focus moves to the state.
  const showStateAfterSending = useEffectEvent(() => {
    if (isJustSent) showState();
  });
  useEffect(() => showStateAfterSending(), []);
  const replace = isReplacing ? (
    <ReceiptForm
      projectId={project.id}
      purchase={payment}
      onClose={() => setIsReplacing(false)}
      onSent={() => {
        setIsReplacing(false);
        showState();
      }}
    />
  ) : (
    <ButtonRow>
      <LinkButton to="/profile" search={{ tab: "pending" }} size="lg">
        See it in your profile
      </LinkButton>
      {blockedBy === null && (
        <Button variant="default" size="lg" onClick={() => setIsReplacing(true)}>
          {payment.submittedAt ? "Replace the receipt" : "Send a receipt"}
        </Button>
      )}
    </ButtonRow>
  );
  return (
    <>
      <div ref={state} className={classes.state} tabIndex={-1}>
        {refundDue ? (
          <Notice tone="caution" title={refundDueText({ ...payment, refundDue })}>
            {payment.refundKobo === null && (
              <p>
                {payment.submittedAt && "We have your receipt. "}As soon as we have seen the money in our account, it is
                due to you, and we email you. You can tell us now where to pay it to.
              </p>
            )}
            <MoneyLink />
          </Notice>
        ) : (
          <>
            {payment.lateText !== null ? (
              <Notice tone="caution" title={payment.lateText} />
            ) : (
              !isPart(payment) && (
                <Notice
                  tone="waiting"
                  title={payment.submittedAt ? paymentTexts.inReview(site) : paymentTexts.inReviewUnasked}
                />
              )
            )}
            <Arrival payment={payment} projectId={project.id} />
          </>
        )}
      </div>
      <dl className={classes.facts}>
        {page.round.lots > 1 && <Fact label="Lots" value={String(payment.lots)} />}
        <Fact label="Amount" value={formatNaira(payment.amountKobo)} />
        <Fact label="Reference" value={<span className="reference">{payment.reference}</span>} />
        {payment.submittedAt && <Fact label="Receipt sent" value={formatDateTime(payment.submittedAt)} />}
      </dl>
      {!refundDue && (
        <Steps
          steps={[
            isPart(payment) ? restStep(page, payment) : { title: "Transfer", isDone: true },
            ...(payment.submittedAt ? [{ title: "Receipt", isDone: true }] : []),
            waitForReview({ isWhole: page.round.lots === 1, isRestMissing: isPart(payment) }),
          ]}
        />
      )}
      {replace}
    </>
  );
}

/** The step of a payment of which a part has arrived: transfer the rest. */
function restStep({ bankDetails }: PaymentPage, payment: SentReceiptProps["payment"]): Step {
  const missingKobo = payment.amountKobo - payment.arrivedKobo;
  return {
    title: `Transfer ${formatNaira(missingKobo)}`,
    content: bankDetails && (
      <TransferDetails bankDetails={bankDetails} amountKobo={missingKobo} reference={payment.reference} />
    ),
  };
}

function Fact({ label, value }: { label: string; value: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
