import type { NoticeText } from "#server/features/notifications/service.ts";
import { type PaymentFacts, whatOf } from "#server/features/payments/notices.ts";
import { oneLine } from "#server/platform/text.ts";
import { formatNaira } from "#shared/money.ts";

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
        action: { label: "Review payments", url: `${payment.site.publicUrl}/admin/payments?status=pending` },
      },
    }),
  };
}
