import { oneLine } from "#server/core/one-line.ts";
import type { NoticeText } from "#server/features/notifications/service.ts";
import type { PaymentFacts } from "#server/features/payments/service.ts";
import { formatNaira } from "#shared/money.ts";

/** To the administrators who review payments. */
export function receiptNotice(payment: PaymentFacts & { backerName: string; isReplacement: boolean }): NoticeText {
  const title = oneLine(payment.projectTitle);
  const what = payment.isReplacement ? "replaced the payment receipt" : "sent a payment receipt";
  const content = `${oneLine(payment.backerName) || "A backer"} ${what} of ${formatNaira(payment.amountKobo)} for ${title} (${payment.reference}).`;
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
