import { Button } from "@mantine/core";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { formatDateTime } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { paymentTexts } from "#shared/payment-texts.ts";
import classes from "./back-project-page.module.css";
import { ReceiptForm } from "./receipt-form.tsx";
import { WhatHappensNext } from "./send-receipt.tsx";
import { Steps } from "./steps.tsx";
import type { PaymentPage } from "./use-payment-page.ts";

type SentReceiptProps = { page: PaymentPage; payment: NonNullable<PaymentPage["ownPayment"]>; isJustSent: boolean };

/** After sending: what we have, what happens next, and a way to send a better receipt. */
export function SentReceipt({ page, payment, isJustSent }: SentReceiptProps) {
  const { project, blockedBy } = page;
  const [isReplacing, setIsReplacing] = useState(false);
  const state = useRef<HTMLDivElement>(null);
  const showState = () => {
    window.scrollTo({ top: 0 });
    state.current?.focus({ preventScroll: true });
  };
  // The form that had the keyboard is gone: it goes on at how things stand.
  const showStateAfterSending = useEffectEvent(() => {
    if (isJustSent) showState();
  });
  useEffect(() => showStateAfterSending(), []);
  const replace = isReplacing ? (
    <ReceiptForm
      projectId={project.id}
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
          Replace the receipt
        </Button>
      )}
    </ButtonRow>
  );
  return (
    <>
      <div ref={state} className={classes.state} tabIndex={-1}>
        {payment.refundDue ? (
          <Notice
            tone="caution"
            title={payment.refundDue === "project_taken" ? paymentTexts.taken : paymentTexts.removed}
          >
            <p>We have your receipt and will contact you about the refund. There is nothing you need to do.</p>
          </Notice>
        ) : (
          <Notice tone="waiting" title={paymentTexts.inReview} />
        )}
      </div>
      <dl className={classes.facts}>
        <Fact label="Amount" value={formatNaira(payment.amountKobo)} />
        <Fact label="Reference" value={payment.reference} />
        <Fact label="Receipt sent" value={formatDateTime(payment.submittedAt)} />
      </dl>
      {!payment.refundDue && (
        <Steps
          steps={[
            { title: "Transfer", isDone: true },
            { title: "Receipt", isDone: true },
            { title: "Wait for our review", content: <WhatHappensNext /> },
          ]}
        />
      )}
      {replace}
    </>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
