import type { NoticeText } from "#server/features/notifications/service.ts";
import { greeting } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { brand } from "#shared/brand.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import type { PaymentStatus } from "#shared/payment-statuses.ts";
import { countLots } from "#shared/projects-texts.ts";

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

/** Sent to the backer when the project is theirs: the specification's backer confirmation. */
function approvedNotice(payment: PaymentFacts): NoticeText {
  const title = oneLine(payment.projectTitle);
  return {
    title: "Payment approved",
    content: `Your payment of ${formatNaira(payment.amountKobo)} for ${whatOf(payment)} was approved. You are now a backer of this project.`,
    mail: ({ fullName }) => ({
      subject: `Your backing of ${title} is confirmed`,
      content: {
        title: "Your backing is confirmed",
        paragraphs: [
          greeting(fullName),
          `We received your payment for ${title}, and it is approved. Thank you: you are now a backer of this project.`,
          factsLine(payment),
          "What happens next: the farm starts its work and reports on it every week. You find the reports on your project's page.",
        ],
        action: { label: "See your project", url: `${payment.publicUrl}/backed-project/${payment.projectId}` },
        footnote: help,
      },
    }),
  };
}

/** Sent to the backer, with the administrator's reason if there is one. */
function rejectedNotice(payment: PaymentFacts, change: { reason: string | null; wasApproved: boolean }): NoticeText {
  const title = oneLine(payment.projectTitle);
  const takenBack = change.wasApproved ? " Its earlier approval was taken back." : "";
  const reason = change.reason === null ? [] : [`Reason: ${change.reason}`];
  return {
    title: "Payment not approved",
    content: [`Your payment for ${title} was not approved.${takenBack}`, ...reason].join(" "),
    mail: ({ fullName }) => ({
      subject: `Your payment for ${title} was not approved`,
      content: {
        title: "Your payment was not approved",
        paragraphs: [
          greeting(fullName),
          `We checked your payment for ${title} and could not approve it.${takenBack}`,
          ...reason,
          factsLine(payment),
          "If you think this is a mistake, or have a clearer receipt, you can send it again from the project's payment page, or write to us.",
        ],
        ...(payment.projectId === null
          ? {}
          : {
              action: { label: "Open the payment page", url: `${payment.publicUrl}/back-project/${payment.projectId}` },
            }),
        footnote: help,
      },
    }),
  };
}

/** Sent to the backer when the payment is pending again. If it was approved, the backing ends too. */
function pendingAgainNotice(payment: PaymentFacts, { wasApproved }: { wasApproved: boolean }): NoticeText {
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
export function statusNotice(
  payment: PaymentFacts,
  change: { to: PaymentStatus; wasApproved: boolean; reason: string | null },
): NoticeText {
  if (change.to === "approved") return approvedNotice(payment);
  return change.to === "rejected" ? rejectedNotice(payment, change) : pendingAgainNotice(payment, change);
}

/** Sent to other backers whose pending payments no longer fit into the round. */
export function takenNotice(project: { publicUrl: string; projectTitle: string; lots: number }): NoticeText {
  const title = oneLine(project.projectTitle);
  const isWhole = project.lots === 1;
  const what = isWhole
    ? `Another payment for ${title} was approved first. If you have paid, a refund is due to you.`
    : `Other payments for ${title} were approved first, and fewer lots are left than you paid for. If you have paid, a refund is due to you.`;
  const rule = isWhole
    ? "each project goes to whoever's payment is approved first"
    : "lots go to whoever's payment is approved first";
  return {
    title: isWhole ? "Project taken, refund due" : "Lots taken, refund due",
    content: `${what} We will contact you about it.`,
    mail: ({ fullName }) => ({
      subject: isWhole ? `${title} was taken by another backer` : `The lots of ${title} were taken by other backers`,
      content: {
        title: isWhole ? "The project was taken by another backer" : "The lots were taken by other backers",
        paragraphs: [
          greeting(fullName),
          `${what} We are sorry: ${rule}.`,
          "There is nothing you need to do. Your receipt stays with us, and we will contact you about the refund.",
        ],
        action: { label: "See your payments", url: `${project.publicUrl}/profile` },
        footnote: help,
      },
    }),
  };
}

/** Sent to a backer of a round that didn't reach its minimum, whose money is given back. */
export function notFundedNotice(payment: PaymentFacts): NoticeText {
  const title = oneLine(payment.projectTitle);
  const what = `${title} did not find enough backers, so it does not start. ${formatNaira(payment.amountKobo)} will be returned to you.`;
  return {
    title: "Not funded, refund due",
    content: what,
    mail: ({ fullName }) => ({
      subject: `${title} was not funded: your money will be returned`,
      content: {
        title: "Your money will be returned",
        paragraphs: [
          greeting(fullName),
          what,
          factsLine(payment),
          "There is nothing you need to do. We will contact you about the refund.",
        ],
        action: { label: "See your payments", url: `${payment.publicUrl}/profile` },
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
        action: { label: "Review payments", url: `${payment.publicUrl}/admin/payments` },
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
