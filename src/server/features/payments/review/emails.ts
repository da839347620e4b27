import type { NoticeText } from "#server/features/notifications/service.ts";
import { type NamedPaper, paperLines } from "#server/features/papers/notices.ts";
import {
  factsLine,
  moneyAction,
  noteLines,
  type PaymentFacts,
  type RefundFacts,
  whatOf,
  whereTo,
} from "#server/features/payments/notices.ts";
import { greeting, referenceNote } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { arrivalTexts, paymentTexts } from "#shared/payments/texts.ts";
import { ownMoneyTexts } from "#shared/payouts/payee-accounts-texts.ts";
import type { Site } from "#shared/site/site.ts";

/** Sent to the backer when the project is theirs: the specification's backer confirmation. */
export function approvedNotice(
  payment: PaymentFacts,
  { refund, keptKobo, receipt }: { refund: RefundFacts | null; keptKobo: Kobo; receipt?: NamedPaper | undefined },
): NoticeText {
  const title = oneLine(payment.projectTitle);
  const kept = keptKobo > 0n ? [arrivalTexts.surplus(keptKobo)] : [];
  const surplus = (isClosed = false) =>
    refund === null
      ? kept
      : [`${paymentTexts.surplus(formatNaira(refund.amountKobo))} ${whereTo(payment.site, refund, isClosed)}`];
  return {
    title: "Payment approved",
    content: [
      `Your payment of ${formatNaira(payment.amountKobo)} for ${whatOf(payment)} was approved. You are now a backer of this project.`,
      ...surplus(),
    ].join(" "),
    isAboutMoney: refund !== null,
    mail: ({ fullName, isClosed }) => ({
      subject: `Your backing of ${title} is confirmed`,
      content: {
        title: "Your backing is confirmed",
        paragraphs: [
          greeting(fullName),
          `We received your payment for ${title}, and it is approved. Thank you: you are now a backer of this project.`,
          factsLine(payment),
          ...paperLines({ site: payment.site, kind: "receipt", isClosed }, receipt),
          ...surplus(isClosed),
          ...noteLines(payment, refund, isClosed),
          "What happens next: the farm starts its work and reports on it every week. You find the reports on your project's page.",
        ],
        action:
          refund === null
            ? { label: "See your project", url: `${payment.site.publicUrl}/backed-project/${payment.projectId}` }
            : moneyAction(payment, refund),
        footnote: referenceNote(payment.site),
      },
    }),
  };
}

/** Sent to the backer, with the administrator's reason if there is one, and what is given back. */
export function rejectedNotice(
  payment: PaymentFacts,
  change: { wasApproved: boolean; reason: string | null; refund: RefundFacts | null },
): NoticeText {
  const title = oneLine(payment.projectTitle);
  const { refund } = change;
  const takenBack = change.wasApproved ? " Its earlier approval was taken back." : "";
  const reason = change.reason === null ? [] : [`Reason: ${change.reason}`];
  return {
    title: "Payment not approved",
    content: [
      `Your payment for ${title} was not approved.${takenBack}`,
      ...reason,
      ...(refund === null
        ? []
        : [paymentTexts.returned(formatNaira(refund.amountKobo)), whereTo(payment.site, refund)]),
    ].join(" "),
    isAboutMoney: refund !== null,
    mail: ({ fullName, isClosed }) => ({
      subject: `Your payment for ${title} was not approved`,
      content: {
        title: "Your payment was not approved",
        paragraphs: [
          greeting(fullName),
          `We checked your payment for ${title} and could not approve it.${takenBack}`,
          ...reason,
          factsLine(payment),
          refund === null
            ? "If you think this is a mistake, or have a clearer receipt, you can send it again from the project's payment page, or write to us."
            : `${paymentTexts.returned(formatNaira(refund.amountKobo))} ${whereTo(payment.site, refund, isClosed)}`,
          ...noteLines(payment, refund, isClosed),
        ],
        ...(refund !== null && { action: moneyAction(payment, refund) }),
        ...(refund === null &&
          payment.projectId !== null && {
            action: {
              label: "Open the payment page",
              url: `${payment.site.publicUrl}/back-project/${payment.projectId}`,
            },
          }),
        footnote: referenceNote(payment.site),
      },
    }),
  };
}

/** Sent to the backer when the payment is pending again. If it was approved, the backing ends too. */
export function pendingAgainNotice(payment: PaymentFacts, { wasApproved }: { wasApproved: boolean }): NoticeText {
  const title = oneLine(payment.projectTitle);
  const what = wasApproved
    ? `The approval of your payment for ${title} was taken back, and we are reviewing it again.`
    : `We are reviewing your payment for ${title} again.`;
  return {
    title: "Payment under review again",
    content: what,
    mail: ({ fullName }) => ({
      subject: `Your payment for ${title} is under review again`,
      content: {
        title: "Your payment is under review again",
        paragraphs: [
          greeting(fullName),
          wasApproved ? `${what} Until it is decided, the project is not among your backed projects.` : what,
          factsLine(payment),
          "There is nothing you need to do. We email you as soon as it is decided.",
        ],
        action: { label: "See your payments", url: `${payment.site.publicUrl}/profile` },
        footnote: referenceNote(payment.site),
      },
    }),
  };
}

type Taken = { site: Site; projectTitle: string; lots: number; refundDays: number };

/**
 * Sent to other backers whose pending payments no longer fit into the round. It isn't known yet whether their money has
 * come.
 */
export function takenNotice({ site, projectTitle, lots, refundDays }: Taken): NoticeText {
  const title = oneLine(projectTitle);
  const isWhole = lots === 1;
  const what = isWhole
    ? `Another payment for ${title} was approved first.`
    : `Other payments for ${title} were approved first, and fewer lots are left than you paid for.`;
  const rule = isWhole
    ? "each project goes to whoever's payment is approved first"
    : "lots go to whoever's payment is approved first";
  const days = refundDays === 1 ? "1 working day" : `${refundDays} working days`;
  const paid = "If you have paid, your money will be returned to you.";
  return {
    title: isWhole ? "Project taken by another backer" : "Lots taken by other backers",
    content: `${what} ${paid} Tell us where to send it. We say when the refund is due, and pay it within ${days}.`,
    isAboutMoney: true,
    mail: ({ fullName, isClosed }) => ({
      subject: isWhole ? `${title} was taken by another backer` : `The lots of ${title} were taken by other backers`,
      content: {
        title: isWhole ? "The project was taken by another backer" : "The lots were taken by other backers",
        paragraphs: [
          greeting(fullName),
          `${what} We are sorry: ${rule}.`,
          `${paid} ${isClosed ? ownMoneyTexts.writeToUs(site) : "Tell us where to send it, if you have not yet."}`,
          `What happens next: once your transfer is in our account and we have looked at it, we email you that the refund is due. We pay it within ${days}, counted from when we also know where to.`,
        ],
        action: moneyAction({ site }, { isAccountKnown: false }),
        footnote: referenceNote(site),
      },
    }),
  };
}

/** Sent to a backer of a round that didn't reach its minimum, with what is given back: what has arrived of the payment. */
export function notFundedNotice(payment: PaymentFacts, refund: RefundFacts | null): NoticeText {
  const title = oneLine(payment.projectTitle);
  const money =
    refund === null
      ? "We have not seen your transfer in our bank account. If you have paid, please write to us."
      : paymentTexts.returned(formatNaira(refund.amountKobo));
  const what = `${title} did not find enough backers, so it does not start. ${money}`;
  return {
    title: refund ? "Not funded, refund due" : "Not funded",
    content: refund ? `${what} ${whereTo(payment.site, refund)}` : what,
    isAboutMoney: refund !== null,
    mail: ({ fullName, isClosed }) => ({
      subject: refund ? `${title} was not funded: your money will be returned` : `${title} was not funded`,
      content: {
        title: refund ? "Your money will be returned" : "The project was not funded",
        paragraphs: [
          ...[
            greeting(fullName),
            what,
            factsLine(payment),
            ...(refund ? [whereTo(payment.site, refund, isClosed)] : []),
          ],
          ...noteLines(payment, refund, isClosed),
        ],
        action: refund
          ? moneyAction(payment, refund)
          : { label: "See your payments", url: `${payment.site.publicUrl}/profile` },
        footnote: referenceNote(payment.site),
      },
    }),
  };
}
