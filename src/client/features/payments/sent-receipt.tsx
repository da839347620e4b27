import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { formatDateTime } from "#client/lib/format.ts";
import { LinkButton } from "#client/ui/link-button.tsx";
import { Notice } from "#client/ui/notice.tsx";
import { formatNaira } from "#shared/money.ts";
import { paymentTexts } from "#shared/payments.ts";
import classes from "./back-project-page.module.css";
import { ReceiptForm } from "./receipt-form.tsx";
import { WhatHappensNext } from "./send-receipt.tsx";
import { Steps } from "./steps.tsx";
import type { PaymentPage } from "./use-payment-page.ts";

type SentReceiptProps = { page: PaymentPage; payment: NonNullable<PaymentPage["ownPayment"]> };

/** After sending: what we have, what happens next, and a way to send a better receipt. */
export function SentReceipt({ page, payment }: SentReceiptProps) {
  const { project, blockedBy } = page;
  const [isReplacing, setIsReplacing] = useState(false);
  const replace = isReplacing ? (
    <ReceiptForm
      projectId={project.id}
      onClose={() => setIsReplacing(false)}
      onSent={() => {
        setIsReplacing(false);
        window.scrollTo({ top: 0 });
      }}
    />
  ) : (
    <div className={classes.actions}>
      <LinkButton to="/profile" search={{ tab: "pending" }} size="lg">
        See it in your profile
      </LinkButton>
      {blockedBy === null && (
        <Button variant="default" size="lg" onClick={() => setIsReplacing(true)}>
          Replace the receipt
        </Button>
      )}
    </div>
  );
  return (
    <>
      {payment.refundDue ? (
        <RefundNotice text={payment.refundDue === "project_taken" ? paymentTexts.taken : paymentTexts.removed}>
          <p>We have your receipt and will contact you about the refund. There is nothing you need to do.</p>
        </RefundNotice>
      ) : (
        <Notice tone="waiting" title={paymentTexts.inReview} />
      )}
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

function RefundNotice({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Notice tone="caution" title={text}>
      {children}
    </Notice>
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
