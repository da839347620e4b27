import type { NoticeText } from "#server/features/notifications/service.ts";
import { type NamedPaper, paperLines } from "#server/features/papers/notices.ts";
import { greeting } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { brand } from "#shared/brand.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import type { PaymentStatus } from "#shared/payments/statuses.ts";
import {
  arrivalOf,
  arrivalTexts,
  goneTexts,
  paymentTexts,
  type RefundReason,
  refundDueText,
  restDeadline,
} from "#shared/payments/texts.ts";
import { moneyTabPath, ownMoneyTexts } from "#shared/payouts/payee-accounts-texts.ts";
import { countLots } from "#shared/projects/texts.ts";

function factsLine({ amountKobo, lots, reference }: PaymentFacts): string {
  const forLots = lots > 1 ? `\nLots: ${lots}` : "";
  return `Amount: ${formatNaira(amountKobo)}${forLots}\nReference: ${reference}`;
}

/** "Snail farm", or "3 lots of Snail farm". */
const whatOf = ({ lots, projectTitle }: PaymentFacts): string =>
  lots > 1 ? `${countLots(lots)} of ${oneLine(projectTitle)}` : oneLine(projectTitle);

const help = [
  "Questions? Write to ",
  { text: brand.supportEmail, href: `mailto:${brand.supportEmail}` },
  " and name the reference.",
];

/** What is given back, whether it is known where to, and the paper that says so. */
type RefundFacts = { amountKobo: Kobo; isAccountKnown: boolean; note?: NamedPaper | undefined };

type StatusChange = {
  to: PaymentStatus;
  wasApproved: boolean;
  reason: string | null;
  refund: RefundFacts | null;
  /** Of an approval. */
  receipt?: NamedPaper | undefined;
};

const noteLines = (
  { publicUrl }: PaymentFacts,
  refund: RefundFacts | null | undefined,
  isClosed: boolean | undefined,
) => paperLines({ publicUrl, kind: "refund_note", isClosed }, refund?.note);

/** Where the money goes, or who is asked for that. Whoever closed their account can't give it here. */
function whereTo({ isAccountKnown }: RefundFacts, isClosed = false): string {
  if (isAccountKnown) return ownMoneyTexts.known;
  return isClosed ? ownMoneyTexts.writeToUs : ownMoneyTexts.whereTo;
}

const moneyAction = (
  { publicUrl }: { publicUrl: string },
  { isAccountKnown }: Pick<RefundFacts, "isAccountKnown">,
) => ({
  label: isAccountKnown ? "See your money" : "Tell us where to",
  url: `${publicUrl}${moneyTabPath}`,
});

/** Sent to the backer when the project is theirs: the specification's backer confirmation. */
function approvedNotice(payment: PaymentFacts, { refund, receipt }: StatusChange): NoticeText {
  const title = oneLine(payment.projectTitle);
  const surplus = (isClosed = false) =>
    refund === null ? [] : [`${paymentTexts.surplus(formatNaira(refund.amountKobo))} ${whereTo(refund, isClosed)}`];
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
          ...paperLines({ publicUrl: payment.publicUrl, kind: "receipt", isClosed }, receipt),
          ...surplus(isClosed),
          ...noteLines(payment, refund, isClosed),
          "What happens next: the farm starts its work and reports on it every week. You find the reports on your project's page.",
        ],
        action:
          refund === null
            ? { label: "See your project", url: `${payment.publicUrl}/backed-project/${payment.projectId}` }
            : moneyAction(payment, refund),
        footnote: help,
      },
    }),
  };
}

/** Sent to the backer, with the administrator's reason if there is one, and what is given back. */
function rejectedNotice(payment: PaymentFacts, change: StatusChange): NoticeText {
  const title = oneLine(payment.projectTitle);
  const { refund } = change;
  const takenBack = change.wasApproved ? " Its earlier approval was taken back." : "";
  const reason = change.reason === null ? [] : [`Reason: ${change.reason}`];
  return {
    title: "Payment not approved",
    content: [
      `Your payment for ${title} was not approved.${takenBack}`,
      ...reason,
      ...(refund === null ? [] : [paymentTexts.returned(formatNaira(refund.amountKobo)), whereTo(refund)]),
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
            : `${paymentTexts.returned(formatNaira(refund.amountKobo))} ${whereTo(refund, isClosed)}`,
          ...noteLines(payment, refund, isClosed),
        ],
        ...(refund !== null && { action: moneyAction(payment, refund) }),
        ...(refund === null &&
          payment.projectId !== null && {
            action: { label: "Open the payment page", url: `${payment.publicUrl}/back-project/${payment.projectId}` },
          }),
        footnote: help,
      },
    }),
  };
}

/** Sent to the backer when the payment is pending again. If it was approved, the backing ends too. */
function pendingAgainNotice(payment: PaymentFacts, { wasApproved }: StatusChange): NoticeText {
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
        action: { label: "See your payments", url: `${payment.publicUrl}/profile` },
        footnote: help,
      },
    }),
  };
}

/** The notice to the backer when an administrator changes the payment's status. */
export function statusNotice(payment: PaymentFacts, change: StatusChange): NoticeText {
  if (change.to === "approved") return approvedNotice(payment, change);
  return change.to === "rejected" ? rejectedNotice(payment, change) : pendingAgainNotice(payment, change);
}

/**
 * Sent to the backer when the bank shows money of a pending payment: all of it without a receipt, a part, or too much.
 * Null if there is nothing to tell.
 */
export function arrivedNotice(
  payment: PaymentFacts,
  { arrivedKobo, hasReceipt, at }: { arrivedKobo: Kobo; hasReceipt: boolean; at: Date },
): NoticeText | null {
  const arrival = arrivalOf({ ...payment, arrivedKobo });
  const title = oneLine(payment.projectTitle);
  const all = hasReceipt ? [] : [arrivalTexts.all];
  const told = {
    none: [],
    part: [arrivalTexts.part(arrivedKobo, payment.amountKobo), arrivalTexts.rest(restDeadline(at))],
    all,
    surplus: arrival.kind === "surplus" ? [...all, arrivalTexts.surplus(arrival.surplusKobo)] : [],
  }[arrival.kind];
  if (told.length === 0) return null;
  const heading = {
    none: "",
    part: "A part of your payment has arrived",
    all: "Your transfer has arrived",
    surplus: "More than your payment has arrived",
  }[arrival.kind];
  return {
    title: heading,
    content: `${told.join(" ")} It is for ${whatOf(payment)}.`,
    mail: ({ fullName }) => ({
      subject: `${heading}: ${title}`,
      content: {
        title: heading,
        paragraphs: [
          greeting(fullName),
          told.join(" "),
          factsLine(payment),
          ...(arrival.kind === "part" ? [] : ["We look at it within one working day, and email you."]),
        ],
        action: { label: "See your payments", url: `${payment.publicUrl}/profile?tab=pending` },
        footnote: help,
      },
    }),
  };
}

/** Sent to a backer who needn't send a receipt, when the transfer turns out to be another's. */
export function anothersNotice(payment: PaymentFacts): NoticeText {
  const title = oneLine(payment.projectTitle);
  const heading = "Your transfer has not arrived yet";
  const action = { label: "Open the payment page", url: `${payment.publicUrl}/back-project/${payment.projectId}` };
  return {
    title: heading,
    content: `${arrivalTexts.anothers} It is for ${whatOf(payment)}.`,
    mail: ({ fullName }) => ({
      subject: `${heading}: ${title}`,
      content: {
        title: heading,
        paragraphs: [greeting(fullName), arrivalTexts.anothers, factsLine(payment)],
        ...(payment.projectId !== null && { action }),
        footnote: help,
      },
    }),
  };
}

type GoneFacts = { goneKobo: Kobo; gone: "taken_back" | "undone" };

/** Sent to the backer of an approved payment when the bank took its money back, or it was taken for theirs by mistake. */
export function goneNotice(payment: PaymentFacts, { goneKobo, gone }: GoneFacts): NoticeText {
  const heading = gone === "taken_back" ? "The bank took your transfer back" : "We can't see your transfer any more";
  const content = `${goneTexts[gone](formatNaira(goneKobo))} ${goneTexts.stays} It is for ${whatOf(payment)}.`;
  return {
    title: heading,
    content,
    mail: ({ fullName }) => ({
      subject: `${heading}: ${oneLine(payment.projectTitle)}`,
      content: {
        title: heading,
        paragraphs: [
          greeting(fullName),
          goneTexts[gone](formatNaira(goneKobo)),
          `${goneTexts.stays} ${goneTexts.write}`,
          factsLine(payment),
        ],
        footnote: help,
      },
    }),
  };
}

/** Sent to every owner of the same. */
export function goneOwnersMail(
  payment: PaymentFacts,
  { fullName, goneKobo, gone, reason }: GoneFacts & { fullName: string; reason: string | null },
) {
  const amount = formatNaira(goneKobo);
  const title =
    gone === "taken_back" ? "Money of an approved payment was taken back" : "An approved payment lost its transfer";
  const what =
    gone === "taken_back"
      ? `A line of the bank's statement shows that ${amount} of this approved payment was taken back.`
      : `${amount} that a line of the bank's statement had shown for this approved payment count for it no longer.`;
  return {
    subject: `${title}: ${oneLine(payment.projectTitle)}`,
    content: {
      title,
      paragraphs: [
        greeting(fullName),
        `${what} It stays approved, and the money is in transit until another line shows it.`,
        factsLine(payment),
        ...(reason ? [`Reason: ${oneLine(reason)}`] : []),
      ],
      action: { label: "Open the bank", url: `${payment.publicUrl}/admin/bank` },
      footnote: "All owners get this mail.",
    },
  };
}

type Taken = { publicUrl: string; projectTitle: string; lots: number; refundDays: number };

/** Sent to other backers whose pending payments no longer fit into the round. It isn't known yet whether their money has come. */
export function takenNotice({ publicUrl, projectTitle, lots, refundDays }: Taken): NoticeText {
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
          `${paid} ${isClosed ? ownMoneyTexts.writeToUs : "Tell us where to send it, if you have not yet."}`,
          `What happens next: once your transfer is in our account and we have looked at it, we email you that the refund is due. We pay it within ${days}, counted from when we also know where to.`,
        ],
        action: moneyAction({ publicUrl }, { isAccountKnown: false }),
        footnote: help,
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
    content: refund ? `${what} ${whereTo(refund)}` : what,
    isAboutMoney: refund !== null,
    mail: ({ fullName, isClosed }) => ({
      subject: refund ? `${title} was not funded: your money will be returned` : `${title} was not funded`,
      content: {
        title: refund ? "Your money will be returned" : "The project was not funded",
        paragraphs: [
          ...[greeting(fullName), what, factsLine(payment), ...(refund ? [whereTo(refund, isClosed)] : [])],
          ...noteLines(payment, refund, isClosed),
        ],
        action: refund
          ? moneyAction(payment, refund)
          : { label: "See your payments", url: `${payment.publicUrl}/profile` },
        footnote: help,
      },
    }),
  };
}

/** Sent to a backer for whom a refund was made of what was held of the payment, without another decision. */
export function refundDueNotice(payment: PaymentFacts, refund: RefundFacts & { reason: RefundReason }): NoticeText {
  const text = refundDueText({ refundDue: refund.reason, refundKobo: refund.amountKobo, roundLots: payment.lots });
  return refundNotice(payment, {
    title: "Refund due",
    subject: `Money of your payment for ${oneLine(payment.projectTitle)} will be returned`,
    heading: "Money will be returned to you",
    what: text,
    refund,
  });
}

/** Sent to a backer whose refund was taken back, with the owner's reason. */
export function refundTakenBackNotice(payment: PaymentFacts, refund: { amountKobo: Kobo; reason: string }): NoticeText {
  const title = oneLine(payment.projectTitle);
  return refundNotice(payment, {
    title: "Refund taken back",
    subject: `The refund of your payment for ${title} was taken back`,
    heading: "The refund was taken back",
    what: `The refund of ${formatNaira(refund.amountKobo)} of your payment for ${title} was taken back: it is not due any more. Reason: ${oneLine(refund.reason)}`,
  });
}

type RefundText = { title: string; subject: string; heading: string; what: string; refund?: RefundFacts };

function refundNotice(payment: PaymentFacts, { title, subject, heading, what, refund }: RefundText): NoticeText {
  return {
    title,
    content: [`${oneLine(payment.projectTitle)}: ${what}`, ...(refund ? [whereTo(refund)] : [])].join(" "),
    isAboutMoney: refund !== undefined,
    mail: ({ fullName, isClosed }) => ({
      subject,
      content: {
        title: heading,
        paragraphs: [
          ...[greeting(fullName), what, factsLine(payment), ...(refund ? [whereTo(refund, isClosed)] : [])],
          ...noteLines(payment, refund, isClosed),
        ],
        action: refund
          ? moneyAction(payment, refund)
          : { label: "See your payments", url: `${payment.publicUrl}/profile` },
        footnote: help,
      },
    }),
  };
}

/** Sent to the administrators who review payments. */
export function receiptNotice(payment: PaymentFacts & { backerName: string; isReplacement: boolean }): NoticeText {
  const title = oneLine(payment.projectTitle);
  const what = payment.isReplacement ? "replaced the payment receipt" : "sent a payment receipt";
  const content = `${oneLine(payment.backerName) || "A backer"} ${what} of ${formatNaira(payment.amountKobo)} for ${whatOf(payment)} (${payment.reference}).`;
  return {
    title: "Payment receipt submitted",
    content,
    mail: () => ({
      subject: `Payment receipt to review: ${title}`,
      content: {
        title: "A payment receipt waits for review",
        paragraphs: [content],
        action: { label: "Review payments", url: `${payment.publicUrl}/admin/payments?status=pending` },
      },
    }),
  };
}

/** The facts of a payment in notices. */
export type PaymentFacts = {
  publicUrl: string;
  /** Null if the project was deleted. */
  projectId: number | null;
  projectTitle: string;
  amountKobo: Kobo;
  lots: number;
  reference: string;
};
