import type { NoticeText } from "#server/features/notifications/service.ts";
import { factsLine, type PaymentFacts, whatOf } from "#server/features/payments/notices.ts";
import { greeting, referenceNote } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { moneyTabPath } from "#shared/payouts/payee-accounts-texts.ts";

/**
 * Sent to the backer of a payment that two owners struck, with their reason. `takenKobo` is what harvests owed and
 * isn't paid.
 */
export function struckNotice(
  payment: PaymentFacts,
  { reason, takenKobo }: { reason: string; takenKobo: Kobo },
): NoticeText {
  const title = `Your payment no longer counts: ${oneLine(payment.projectTitle)}`;
  const what = `Your payment of ${formatNaira(payment.amountKobo)} for ${whatOf(payment)} isn't with us, so it no longer counts. You don't back the farm by it any more, and have no part in its harvests.`;
  const notPaid = takenKobo > 0n ? [`${formatNaira(takenKobo)} of harvests that you were to get isn't paid.`] : [];
  return {
    title,
    content: `${what} Reason: ${oneLine(reason)}`,
    isAboutMoney: true,
    mail: ({ fullName }) => ({
      subject: title,
      content: {
        title,
        paragraphs: [
          greeting(fullName),
          what,
          `Reason: ${reason}`,
          ...notPaid,
          "What we paid to you before stays yours. If your money reaches us after all, we give it back to you.",
          factsLine(payment),
        ],
        action: { label: "See your money", url: `${payment.site.publicUrl}${moneyTabPath}` },
        footnote: referenceNote(payment.site),
      },
    }),
  };
}
