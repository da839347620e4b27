import { Notice } from "#client/ui/feedback/notice.tsx";
import { formatNaira } from "#shared/money.ts";
import { paymentTexts } from "#shared/payment-texts.ts";
import { projectTexts } from "#shared/project-texts.ts";
import type { BankDetails } from "#shared/settings.ts";
import classes from "./back-project-page.module.css";
import { ReceiptForm } from "./receipt-form.tsx";
import { type Step, Steps } from "./steps.tsx";
import { TransferDetails } from "./transfer-details.tsx";
import type { PaymentPage } from "./use-payment-page.ts";

type SendReceiptProps = { page: PaymentPage; bankDetails: BankDetails; reference: string; onSent: () => void };

/** Transfer, upload, wait. A closed project asks nobody to transfer: only who has paid already sends a receipt. */
export function SendReceipt({ page, bankDetails, reference, onSent }: SendReceiptProps) {
  const { project, amountKobo, ownPayment } = page;
  const upload: Step = {
    title: "Upload your receipt",
    content: (
      <>
        <p>A screenshot or PDF from your bank that shows the amount, the date and the reference.</p>
        <ReceiptForm projectId={project.id} onSent={onSent} />
      </>
    ),
  };
  const wait: Step = { title: "Wait for our review", content: <WhatHappensNext /> };
  const transfer: Step = {
    title: `Transfer ${formatNaira(amountKobo)}`,
    content: (
      <>
        <p>Send exactly this amount to our account: with your bank's app, by USSD or at a branch.</p>
        <TransferDetails bankDetails={bankDetails} amountKobo={amountKobo} reference={reference} />
      </>
    ),
  };
  return (
    <>
      {!project.isClosed && (
        <p className={classes.lead}>
          Projects are first-come, first-served: this one is a single lot, and it goes to the first backer whose payment
          we approve.
        </p>
      )}
      <div className={classes.notices}>
        {ownPayment?.status === "rejected" && (
          <Notice tone="negative" title="We could not approve your last receipt">
            {ownPayment.rejectionReason && <p>Reason: {ownPayment.rejectionReason}</p>}
            <p>
              If you have paid, you don't need to pay again. Send another receipt below, and we will look at it anew.
            </p>
          </Notice>
        )}
        {project.isClosed ? (
          <ClosedButHeld page={page} reference={reference} />
        ) : (
          page.isOtherUnderReview && (
            <Notice tone="waiting" title={projectTexts.underReview}>
              <p>
                Another backer has sent one. You may still go on: if theirs is approved first, a refund of your transfer
                is due to you.
              </p>
            </Notice>
          )
        )}
      </div>
      <Steps steps={project.isClosed ? [upload, wait] : [transfer, upload, wait]} />
    </>
  );
}

function ClosedButHeld({ page, reference }: { page: PaymentPage; reference: string }) {
  return (
    <Notice tone="caution" title={paymentTexts.projectClosed}>
      {page.isTakenByOther && <p>Another backer's payment was approved first.</p>}
      <p>
        <strong>Please don't transfer any money for it now.</strong> If you have already paid{" "}
        {formatNaira(page.amountKobo)} with your reference <span className="money">{reference}</span>, send your receipt
        here: we look at it and write to you about your money.
      </p>
    </Notice>
  );
}

/** What comes of a receipt, and when. */
export function WhatHappensNext() {
  return (
    <>
      <p>We review receipts within one working day and email you. There is nothing else you need to do.</p>
      <ul className={classes.list}>
        <li>Approved: the project is yours. You find it under Backed Projects in your profile.</li>
        <li>Something is missing: we tell you what, and you can send another receipt.</li>
        <li>Another backer was first: a refund of your transfer is due to you.</li>
      </ul>
    </>
  );
}
