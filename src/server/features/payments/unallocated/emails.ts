import type { NoticeText } from "#server/features/notifications/service.ts";
import {
  factsLine,
  moneyAction,
  noteLines,
  type PaymentFacts,
  type RefundFacts,
  whereTo,
} from "#server/features/payments/notices.ts";
import { greeting, referenceNote } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { type RefundReason, refundDueText } from "#shared/payments/texts.ts";

/** Sent to a backer for whom a refund was made of what was unallocated of the payment, without a decision on it. */
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
    content: [`${oneLine(payment.projectTitle)}: ${what}`, ...(refund ? [whereTo(payment.site, refund)] : [])].join(
      " ",
    ),
    isAboutMoney: refund !== undefined,
    mail: ({ fullName, isClosed }) => ({
      subject,
      content: {
        title: heading,
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
