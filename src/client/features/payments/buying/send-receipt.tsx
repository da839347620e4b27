import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { paymentTexts, refundDueLabel, refundDueText } from "#shared/payments/texts.ts";
import { countLots, projectTexts } from "#shared/projects/texts.ts";
import type { BankDetails } from "#shared/settings/texts.ts";
import { AgreeFirst } from "./agree-first.tsx";
import { AgreeToTerms } from "./agree-to-terms.tsx";
import classes from "./back-project-page.module.css";
import { HoldStatus, holdsLots, isAllHeld, KeepHold } from "./hold-status.tsx";
import { LotsField } from "./lots-field.tsx";
import { MoneyLink } from "./money-link.tsx";
import { ReceiptForm } from "./receipt-form.tsx";
import { type Step, Steps, waitForReview } from "./steps.tsx";
import { TransferDetails } from "./transfer-details.tsx";
import type { PaymentPage, Purchase } from "./use-payment-page.ts";

type SendReceiptProps = { page: PaymentPage; askedLots: number | undefined; onSent: () => void };

/**
 * Lots, terms, then transfer, upload, wait: readers who agreed to the terms see the bank details. A closed project asks
 * only those who still hold lots to transfer: others send a receipt, if they have paid already.
 */
export function SendReceipt({ page, askedLots, onSent }: SendReceiptProps) {
  const { project, round, ownPayment, bankDetails, reference } = page;
  const navigate = useNavigate({ from: "/back-project/$id" });
  const usualLots = page.purchase?.lots ?? 1;
  // An address that somebody sent changes nothing of a purchase that was agreed to, and no lots that come free are
  // added by it.
  const isAgreed = page.purchase !== null && page.blockedBy !== "terms";
  const [chosen, setChosen] = useState(Math.min((!isAgreed && askedLots) || usualLots, page.mostLots));
  // The address keeps what is chosen for a reload. That leaves no page, also while a receipt is on its way.
  const choose = (next: number) => {
    setChosen(next);
    const search = { lots: next === usualLots ? undefined : next };
    void navigate({ search, replace: true, resetScroll: false, ignoreBlocker: true });
  };
  const held = page.hold?.own ?? null;
  const mayPay = !project.isClosed || holdsLots(page);
  const lots = held ? held.lots : Math.min(chosen, page.mostLots);
  const purchase: Purchase =
    !held && project.isClosed && page.purchase
      ? page.purchase
      : { lots, amountKobo: round.lotPriceKobo * BigInt(lots) };
  const upload: Step = {
    title: "Upload your receipt",
    content: (
      <>
        <p>A screenshot or PDF from your bank that shows the amount, the date and the reference.</p>
        <ReceiptForm
          projectId={project.id}
          purchase={purchase}
          accountNumber={mayPay ? bankDetails?.accountNumber : undefined}
          onSent={onSent}
        />
      </>
    ),
  };
  const wait = waitForReview({ isWhole: round.lots === 1 });
  const transfer = (account: BankDetails, own: string): Step => ({
    title: `Transfer ${formatNaira(purchase.amountKobo)}`,
    content: <TransferDetails bankDetails={account} amountKobo={purchase.amountKobo} reference={own} />,
  });
  const isWhole = round.lots === 1;
  const isHolding = holdsLots(page);
  const steps = useShownFromTop(mayPay && bankDetails !== null);
  const lead = !project.isClosed && (
    <p className={classes.lead}>
      {isWhole
        ? "Projects are first-come, first-served: this one is a single lot, and "
        : "Lots are first-come, first-served: "}
      {page.hold
        ? "what you hold is yours to pay for until the time shown. Then it is open to others."
        : isWhole
          ? "it goes to the first backer whose payment we approve."
          : "they go to the backers whose payments we approve first."}
    </p>
  );
  return (
    <>
      {!isHolding && lead}
      <div className={classes.notices}>
        {ownPayment?.status === "rejected" && <LastRejected payment={ownPayment} />}
        {!mayPay && reference ? (
          <ClosedButHeld page={page} reference={reference} amountKobo={purchase.amountKobo} />
        ) : (
          isWhole &&
          page.isOtherUnderReview && (
            <Notice tone="waiting" title={projectTexts.underReview}>
              <p>
                Another backer has sent one. You may still go on: if theirs is approved first, your money will be
                returned to you.
              </p>
            </Notice>
          )
        )}
      </div>
      {!isWhole && !held && <LotsField page={page} lots={lots} onChange={choose} />}
      <HoldStatus page={page} lots={lots} />
      {page.blockedBy === "terms" && !isAllHeld(page) && (
        <AgreeFirst>
          <AgreeToTerms page={page} lots={lots} />
        </AgreeFirst>
      )}
      {mayHavePaidBefore(page) && page.purchase && reference && (
        <PaidBefore projectId={project.id} purchase={page.purchase} reference={reference} onSent={onSent} />
      )}
      {!mayPay && <Steps steps={[upload, wait]} />}
      {mayPay && bankDetails && reference && (
        <Steps ref={steps} steps={[transfer(bankDetails, reference), upload, wait]} />
      )}
      {isHolding && (
        <>
          <KeepHold page={page} />
          {lead}
        </>
      )}
    </>
  );
}

/** Scrolls to the top and moves the focus to the steps once they replace the terms that were agreed to. */
function useShownFromTop(isShown: boolean) {
  const steps = useRef<HTMLOListElement>(null);
  const wasShown = useRef(isShown);
  useEffect(() => {
    if (isShown && !wasShown.current) {
      window.scrollTo({ top: 0 });
      steps.current?.focus({ preventScroll: true });
    }
    wasShown.current = isShown;
  }, [isShown]);
  return steps;
}

/** Tells that the money of the rejected payment is on its way back, or that its receipt wasn't enough. */
function LastRejected({ payment }: { payment: NonNullable<PaymentPage["ownPayment"]> }) {
  const { refundDue, roundLots, rejectionReason } = payment;
  if (refundDue) {
    return (
      <Notice tone="caution" title={refundDueLabel(refundDue, roundLots)}>
        <p>{refundDueText({ ...payment, refundDue })}</p>
        {payment.refundKobo !== null && <MoneyLink />}
        <p>{paymentTexts.newTransfer}</p>
      </Notice>
    );
  }
  return (
    <Notice tone="negative" title="We could not approve your last receipt">
      {rejectionReason && <p>Reason: {rejectionReason}</p>}
      <p>If you have paid, you don't need to pay again. Send another receipt below, and we will look at it anew.</p>
    </Notice>
  );
}

/** The reader's purchase can't be had any more as it was agreed to. */
const mayHavePaidBefore = ({ blockedBy, project, hold, purchase, mostLots }: PaymentPage): boolean =>
  !project.isClosed && !hold?.own && purchase !== null && (blockedBy === "terms" || purchase.lots > mostLots);

type PaidBeforeProps = { projectId: number; purchase: Purchase; reference: string; onSent: () => void };

/** Takes the receipt of a reader who sent the money in time, and is late with the receipt. */
function PaidBefore({ projectId, purchase, reference, onSent }: PaidBeforeProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section className={classes.paidBefore} aria-labelledby="paid-before">
      <h2 id="paid-before" className={classes.stepTitle}>
        Have you already paid?
      </h2>
      <p>
        Your hold of {countLots(purchase.lots)} has ended. If you sent {formatNaira(purchase.amountKobo)} with your
        reference <span className="reference">{reference}</span>, send us the receipt. If the lots are gone by then,
        your money will be returned to you.
      </p>
      {isOpen ? (
        <ReceiptForm projectId={projectId} purchase={purchase} onSent={onSent} />
      ) : (
        <ButtonRow>
          <Button variant="default" onClick={() => setIsOpen(true)}>
            I have paid: send my receipt
          </Button>
        </ButtonRow>
      )}
    </section>
  );
}

type ClosedButHeldProps = { page: PaymentPage; reference: string; amountKobo: Kobo };

function ClosedButHeld({ page, reference, amountKobo }: ClosedButHeldProps) {
  return (
    <Notice tone="caution" title={paymentTexts.projectClosed}>
      {page.isTakenByOther && <p>Another backer's payment was approved first.</p>}
      <p>
        <strong>Please don't transfer any money for it now.</strong> If you have already paid {formatNaira(amountKobo)}{" "}
        with your reference <span className="reference">{reference}</span>, send your receipt here: we look at it and
        write to you about your money.
      </p>
    </Notice>
  );
}
