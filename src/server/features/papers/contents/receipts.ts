import { oneLine } from "#server/platform/text.ts";
import { formatDate } from "#shared/dates.ts";
import { formatNairaExact, type Kobo } from "#shared/money.ts";
import type { PaperContent } from "#shared/papers/texts.ts";
import type { RefundReason } from "#shared/payments/texts.ts";
import { countLots } from "#shared/projects/texts.ts";
import type { SiteProfile } from "#shared/site/site.ts";
import { issuedBy, left, nameOf, right } from "./words.ts";

/**
 * The contents of payment receipts and refund notes. Everything here is words and formatted numbers from rows; nothing
 * asks the database or the clock.
 */

export type ReceiptRow = {
  fullName: string;
  projectTitle: string;
  lots: number;
  amountKobo: Kobo;
  reference: string;
  round: number;
  decidedAt: Date;
};

export function receiptContent(row: ReceiptRow, site: SiteProfile): PaperContent {
  const { lots, amountKobo, decidedAt } = row;
  const amount = formatNairaExact(amountKobo);
  return {
    title: "Payment receipt",
    facts: [
      { label: "Received from", value: nameOf(row.fullName) },
      { label: "For", value: `${oneLine(row.projectTitle)}, round ${row.round}` },
      { label: "Reference", value: row.reference },
      { label: "Approved on", value: formatDate(decidedAt) },
      issuedBy(site),
    ],
    tables: [
      {
        heading: "What was paid",
        columns: [left("Lots"), right("Price of a lot"), right("Amount")],
        rows: [[countLots(lots), formatNairaExact(amountKobo / BigInt(lots)), amount]],
        sums: [["Paid", "", amount]],
      },
    ],
    notes: [
      `${site.name} confirms that this payment was approved.`,
      "It entitles you to a share of this round's harvests under the terms you accepted. Nobody guarantees a return.",
    ],
  };
}

export type RefundRow = {
  fullName: string;
  projectTitle: string;
  round: number;
  reference: string;
  amountKobo: Kobo;
  reason: RefundReason;
  createdAt: Date;
};

export const refundReasonWords: Record<RefundReason, string> = {
  not_funded: "The farm did not find enough backers",
  not_approved: "The payment was not approved",
  lots_gone: "The lots were taken by other backers",
  surplus: "More arrived than the payment needed",
};

export function refundContent(row: RefundRow, site: SiteProfile): PaperContent {
  const amount = formatNairaExact(row.amountKobo);
  return {
    title: "Refund note",
    facts: [
      { label: "Refund to", value: nameOf(row.fullName) },
      { label: "Of the payment for", value: `${oneLine(row.projectTitle)}, round ${row.round}` },
      { label: "Reference of the payment", value: row.reference },
      { label: "Due since", value: formatDate(row.createdAt) },
      issuedBy(site),
    ],
    tables: [
      {
        heading: "What is given back",
        columns: [left("Why"), right("Amount")],
        rows: [[refundReasonWords[row.reason], amount]],
        sums: [["Refund", amount]],
      },
    ],
    notes: [
      "We have owed you this sum since the day above. We pay it to the account you gave us; it appears on your statement once it has been sent.",
    ],
  };
}
