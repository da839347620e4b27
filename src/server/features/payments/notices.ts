import type { NoticeText } from "#server/features/notifications/service.ts";
import { type NamedPaper, paperLines } from "#server/features/papers/notices.ts";
import { oneLine } from "#server/platform/text.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { moneyTabPath, ownMoneyTexts } from "#shared/payouts/payee-accounts-texts.ts";
import { countLots } from "#shared/projects/texts.ts";
import type { Site } from "#shared/site/site.ts";

export function factsLine({ amountKobo, lots, reference }: PaymentFacts): string {
  const forLots = lots > 1 ? `\nLots: ${lots}` : "";
  return `Amount: ${formatNaira(amountKobo)}${forLots}\nReference: ${reference}`;
}

/** "Snail farm", or "3 lots of Snail farm". */
export const whatOf = ({ lots, projectTitle }: PaymentFacts): string =>
  lots > 1 ? `${countLots(lots)} of ${oneLine(projectTitle)}` : oneLine(projectTitle);

/**
 * Sent to the administrators who review payments when a backer pays for lots with what came beyond another payment's
 * amount.
 */
export function surplusUsedNotice(payment: PaymentFacts & { backerName: string }): NoticeText {
  const content = `${oneLine(payment.backerName) || "A backer"} pays for ${whatOf(payment)} with ${formatNaira(payment.amountKobo)} that came beyond an earlier payment (${payment.reference}). The bank's line is matched with it.`;
  return {
    title: "Surplus used for another lot",
    content,
    mail: () => ({
      subject: `Payment to review: ${oneLine(payment.projectTitle)}`,
      content: {
        title: "A surplus pays for another lot",
        paragraphs: [content],
        action: { label: "Review payments", url: `${payment.site.publicUrl}/admin/payments?status=pending` },
      },
    }),
  };
}

/** A refund's amount, whether an account for it is known, and its paper. */
export type RefundFacts = { amountKobo: Kobo; isAccountKnown: boolean; note?: NamedPaper | undefined };

export const noteLines = (
  { site }: PaymentFacts,
  refund: RefundFacts | null | undefined,
  isClosed: boolean | undefined,
) => paperLines({ site, kind: "refund_note", isClosed }, refund?.note);

/** Says where the money goes, or asks for an account. A person who closed theirs is asked to write to us. */
export function whereTo(site: Site, { isAccountKnown }: RefundFacts, isClosed = false): string {
  if (isAccountKnown) return ownMoneyTexts.known;
  return isClosed ? ownMoneyTexts.writeToUs(site) : ownMoneyTexts.whereTo;
}

export const moneyAction = ({ site }: { site: Site }, { isAccountKnown }: Pick<RefundFacts, "isAccountKnown">) => ({
  label: isAccountKnown ? "See your money" : "Tell us where to",
  url: `${site.publicUrl}${moneyTabPath}`,
});

/** The facts of a payment in notices. */
export type PaymentFacts = {
  site: Site;
  /** Null if the project was deleted. */
  projectId: number | null;
  projectTitle: string;
  amountKobo: Kobo;
  lots: number;
  reference: string;
};
