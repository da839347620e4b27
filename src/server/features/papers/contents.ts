import { oneLine } from "#server/platform/text.ts";
import { brand } from "#shared/brand.ts";
import { formatDate } from "#shared/dates.ts";
import { formatNairaExact, type Kobo } from "#shared/money.ts";
import type { PaperContent, PaperTable } from "#shared/papers/texts.ts";
import type { RefundReason } from "#shared/payments/texts.ts";
import { countLots } from "#shared/projects/texts.ts";

/**
 * What papers of payments, refunds and runs say. Everything here is words and formatted numbers from rows; nothing asks the
 * database or the clock.
 */

/** Who issues a paper. */
export type Issuer = { supportEmail: string };

/** Whoever closed their account has no name any more. */
export const nameOf = (fullName: string): string => oneLine(fullName) || "Unknown";

export const left = (label: string) => ({ label, align: "left" as const });
export const right = (label: string) => ({ label, align: "right" as const });
export const sumOf = (amounts: readonly Kobo[]): Kobo => amounts.reduce((sum, kobo) => sum + kobo, 0n);

/** "−₦5.00" of what is taken off. */
export const offText = (kobo: Kobo): string => (kobo > 0n ? `−${formatNairaExact(kobo)}` : formatNairaExact(kobo));
/** "−₦5.00" of a negative sum, with the sign that a paper prints. */
export const signedText = (kobo: Kobo): string => (kobo < 0n ? offText(-kobo) : formatNairaExact(kobo));

export const issuedBy = ({ supportEmail }: Issuer) => ({
  label: "Issued by",
  value: `${brand.legalName} (${brand.name}), ${supportEmail}`,
});

export type ReceiptRow = {
  fullName: string;
  projectTitle: string;
  lots: number;
  amountKobo: Kobo;
  reference: string;
  round: number;
  decidedAt: Date;
};

export function receiptContent(row: ReceiptRow, issuer: Issuer): PaperContent {
  const { lots, amountKobo, decidedAt } = row;
  const amount = formatNairaExact(amountKobo);
  return {
    title: "Payment receipt",
    facts: [
      { label: "Received from", value: nameOf(row.fullName) },
      { label: "For", value: `${oneLine(row.projectTitle)}, round ${row.round}` },
      { label: "Reference", value: row.reference },
      { label: "Approved on", value: formatDate(decidedAt) },
      issuedBy(issuer),
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
      `${brand.name} confirms that this payment was approved.`,
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

export function refundContent(row: RefundRow, issuer: Issuer): PaperContent {
  const amount = formatNairaExact(row.amountKobo);
  return {
    title: "Refund note",
    facts: [
      { label: "Refund to", value: nameOf(row.fullName) },
      { label: "Of the payment for", value: `${oneLine(row.projectTitle)}, round ${row.round}` },
      { label: "Reference of the payment", value: row.reference },
      { label: "Due since", value: formatDate(row.createdAt) },
      issuedBy(issuer),
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

export type RunRow = {
  id: number;
  totalKobo: Kobo;
  fromAccount: string;
  madeBy: string;
  approvedBy: string;
  exportedBy: string;
  exportedAt: Date;
  lines: readonly { reference: string; accountName: string; account: string; amountKobo: Kobo }[];
};

/** Accounts are named by their last digits: the whole ones are in the bank's file. */
export function runSheetContent(run: RunRow, issuer: Issuer): PaperContent {
  const table: PaperTable = {
    heading: "Payouts",
    columns: [right("No."), left("Reference"), left("Name of the account"), left("Account"), right("Amount")],
    rows: run.lines.map(({ reference, accountName, account, amountKobo }, index) => [
      String(index + 1),
      reference,
      oneLine(accountName),
      account,
      formatNairaExact(amountKobo),
    ]),
    sums: [["", `${run.lines.length} in all`, "", "", formatNairaExact(run.totalKobo)]],
  };
  return {
    title: "Payout run sheet",
    facts: [
      { label: "Run", value: `No. ${run.id}` },
      { label: "Paid from", value: run.fromAccount },
      { label: "Made by", value: nameOf(run.madeBy) },
      { label: "Approved by", value: nameOf(run.approvedBy) },
      { label: "Sent to the bank by", value: `${nameOf(run.exportedBy)}, ${formatDate(run.exportedAt)}` },
      issuedBy(issuer),
    ],
    tables: [table],
    notes: ["The bank's statement shows whether a transfer left the account."],
  };
}
