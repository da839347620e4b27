import { Button } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, type Ref, useEffect, useEffectEvent, useRef, useState } from "react";
import { CopyButton } from "#client/ui/feedback/copy-button.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { formatDateTime } from "#shared/dates.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { paymentTexts, refundDueLabel, refundDueText } from "#shared/payments/texts.ts";
import { countLots, projectTexts } from "#shared/projects/texts.ts";
import type { BankDetails } from "#shared/settings/texts.ts";
import { AgreeToTerms } from "./agree-to-terms.tsx";
import { Arrival, isPart } from "./arrival.tsx";
import classes from "./back-project-page.module.css";
import { HoldStatus, holdsLots, isAllHeld, KeepHold } from "./hold-status.tsx";
import { LotsField } from "./lots-field.tsx";
import { MoneyLink } from "./money-link.tsx";
import { ReceiptForm } from "./receipt-form.tsx";
import type { PaymentPage, Purchase } from "./use-payment-page.ts";

type SendReceiptProps = { page: PaymentPage; askedLots: number | undefined; onSent: () => void };

/**
 * Lots, terms, then transfer, upload, wait: the bank details are shown to who agreed to the terms. A closed project asks
 * nobody to transfer but who still holds lots: others only send a receipt, if they have paid already.
 */
export function SendReceipt({ page, askedLots, onSent }: SendReceiptProps) {
  const { project, round, ownPayment, bankDetails, reference } = page;
  const navigate = useNavigate({ from: "/back-project/$id" });
  const usualLots = page.purchase?.lots ?? 1;
  // An address that somebody sent changes nothing of a purchase that was agreed to, and no lots that come free are added by it.
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
  const wait: Step = { title: "Wait for our review", content: <WhatHappensNext isWhole={round.lots === 1} /> };
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
      {page.blockedBy === "terms" && !isAllHeld(page) && <AgreeToTerms page={page} lots={lots} />}
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

/** The terms that were agreed to are gone: the page is read from its top, and the keyboard goes on at the steps. */
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

/** What became of the payment before: its money is on the way back, or its receipt wasn't enough. */
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

/** Whether what the reader agreed to pay can't be had any more as it was. */
const mayHavePaidBefore = ({ blockedBy, project, hold, purchase, mostLots }: PaymentPage): boolean =>
  !project.isClosed && !hold?.own && purchase !== null && (blockedBy === "terms" || purchase.lots > mostLots);

type PaidBeforeProps = { projectId: number; purchase: Purchase; reference: string; onSent: () => void };

/** For who sent the money when they could, and is late with the receipt. */
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

/** What comes of a receipt, and when. */
function WhatHappensNext({ isWhole, isRestMissing = false }: { isWhole: boolean; isRestMissing?: boolean }) {
  return (
    <>
      <p>
        We review receipts within one working day and email you.
        {!isRestMissing && " There is nothing else you need to do."}
      </p>
      <ul className={classes.list}>
        <li>
          Approved: {isWhole ? "the project is yours" : "your lots are yours"}. You find {isWhole ? "it" : "the farm"}{" "}
          under Backed Projects in your profile.
        </li>
        <li>Something is missing: we tell you what, and you can send another receipt.</li>
        <li>
          {isWhole ? "Another backer was first" : "Other backers were first"}: your money will be returned to you. Tell
          us in your profile where to pay it to.
        </li>
      </ul>
    </>
  );
}

type SentReceiptProps = { page: PaymentPage; payment: NonNullable<PaymentPage["ownPayment"]>; isJustSent: boolean };

/** After sending: what we have, what happens next, and a way to send a better receipt. */
export function SentReceipt({ page, payment, isJustSent }: SentReceiptProps) {
  const { project, blockedBy } = page;
  const { refundDue } = payment;
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
            {!isPart(payment) && (
              <Notice
                tone="waiting"
                title={payment.submittedAt ? paymentTexts.inReview : paymentTexts.inReviewUnasked}
              />
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
            {
              title: "Wait for our review",
              content: <WhatHappensNext isWhole={page.round.lots === 1} isRestMissing={isPart(payment)} />,
            },
          ]}
        />
      )}
      {replace}
    </>
  );
}

/** What is missing, and where to send it. */
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

type TransferDetailsProps = { bankDetails: BankDetails; amountKobo: Kobo; reference: string };

/** Where the money goes: what is typed into a bank's app is large and has a button to copy it. The account comes first. */
function TransferDetails({ bankDetails, amountKobo, reference }: TransferDetailsProps) {
  return (
    <dl className={classes.details}>
      <Detail label="Account number" value={bankDetails.accountNumber} copyText={bankDetails.accountNumber} isLargest />
      <Detail label="Bank" value={bankDetails.bankName} isHalf />
      <Detail label="Account name" value={bankDetails.accountName} isHalf />
      <Detail
        label="Amount"
        value={formatNaira(amountKobo)}
        copyText={plainNaira(amountKobo)}
        hints={[paymentTexts.addsUp]}
        isMoney
      />
      <Detail
        label="Reference"
        value={reference}
        copyText={reference}
        hints={[paymentTexts.narration, paymentTexts.noNarration]}
      />
    </dl>
  );
}

type DetailProps = {
  label: string;
  value: string;
  copyText?: string;
  hints?: readonly string[];
  isHalf?: boolean;
  isMoney?: boolean;
  isLargest?: boolean;
};

function Detail({ label, value, copyText, hints, isHalf, isMoney, isLargest }: DetailProps) {
  return (
    <div className={classes.detail} data-half={isHalf}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value} data-large={copyText ? true : undefined} data-largest={isLargest}>
        {/* Figures of one width bring hyphens as wide: not for the reference. */}
        <span className={isMoney ? "money" : undefined}>{value}</span>
        {copyText && <CopyButton text={copyText} what={label.toLowerCase()} />}
      </dd>
      {hints?.map((hint) => (
        <dd key={hint} className={classes.hint}>
          {hint}
        </dd>
      ))}
    </div>
  );
}

/** "1250000" or "1250000.50", as banks take it: formatted for reading it would be refused. */
function plainNaira(kobo: Kobo): string {
  return formatNaira(kobo).replace(/[₦,]/g, "");
}

type Step = { title: string; isDone?: boolean; content?: ReactNode };

/** A numbered way through something, one under the other; what is done has a check mark instead of its number. */
function Steps({ steps, ref }: { steps: readonly Step[]; ref?: Ref<HTMLOListElement> }) {
  return (
    <ol ref={ref} className={classes.steps} tabIndex={ref ? -1 : undefined}>
      {steps.map(({ title, isDone = false, content }, index) => (
        <li key={title} className={classes.step} data-done={isDone || undefined}>
          <span className={classes.number} aria-hidden="true">
            {isDone ? <IconCheck size={20} stroke={2.5} /> : index + 1}
          </span>
          <div className={classes.words}>
            <h2 className={classes.stepTitle}>
              <span className="visually-hidden">
                Step {index + 1}
                {isDone ? ", done" : ""}:{" "}
              </span>
              {title}
            </h2>
            {content}
          </div>
        </li>
      ))}
    </ol>
  );
}
