import { oneLine } from "#server/platform/text.ts";
import { formatDate, formatDay } from "#shared/dates.ts";
import { formatNairaExact, type Kobo, sumOf } from "#shared/money.ts";
import { type PaperContent, type PaperTable, paperKindLabels, rangeText } from "#shared/papers/texts.ts";
import type { RefundReason } from "#shared/payments/texts.ts";
import { type PayoutKind, payoutKindLabels } from "#shared/payouts/texts.ts";
import type { SiteProfile } from "#shared/site/site.ts";
import { refundReasonWords } from "./receipts.ts";
import { issuedBy, left, nameOf, right, signedText } from "./words.ts";

/**
 * The contents of a person's statement. Its events have a day and are never changed: a reversal is a second line with
 * the opposite sign. A statement of a past range therefore always says the same.
 */

/** An approval, or with a negative sum an approval that was taken back. */
export type PaidEvent = { at: Date; projectTitle: string; reference: string; kobo: Kobo };
/** A refund, or money of a round that returns to its backers, that became due or was taken back. */
export type RefundEvent = {
  at: Date;
  projectTitle: string;
  reason: RefundReason | "returned" | "holder_change";
  kobo: Kobo;
};
/** A settlement, or with negative sums one that was taken back. */
export type SettledEvent = {
  at: Date;
  projectTitle: string;
  shareKobo: Kobo;
  feeKobo: Kobo;
  vatKobo: Kobo;
  whtKobo: Kobo;
  netKobo: Kobo;
};
/** A payout that was sent, or with a negative sum one that came back. */
export type PayoutEvent = { at: Date; projectTitle: string; kind: PayoutKind; reference: string; kobo: Kobo };

export type Statement = {
  fullName: string;
  firstDay: string;
  lastDay: string;
  /** The sum owed to them before the first day. */
  dueBeforeKobo: Kobo;
  paid: readonly PaidEvent[];
  refunds: readonly RefundEvent[];
  settled: readonly SettledEvent[];
  payouts: readonly PayoutEvent[];
};

const koboOf = ({ kobo }: { kobo: Kobo }): Kobo => kobo;
const total = (events: readonly { kobo: Kobo }[]): Kobo => sumOf(events.map(koboOf));

/** The sum owed to the person after the last day, in kobo. */
export const dueAfter = ({ dueBeforeKobo, refunds, settled, payouts }: Statement): Kobo =>
  dueBeforeKobo + total(refunds) + sumOf(settled.map(({ netKobo }) => netKobo)) - total(payouts);

export function statementContent(statement: Statement, site: SiteProfile): PaperContent {
  const tables = [paidTable(statement), refundTable(statement), settledTable(statement), payoutTable(statement)];
  return {
    title: paperKindLabels.statement,
    facts: [
      { label: "For", value: nameOf(statement.fullName) },
      { label: "Days", value: rangeText(statement) },
      issuedBy(site),
    ],
    tables: [...tables.filter(({ rows }) => rows.length > 0), dueTable(statement)],
    notes: [
      "What you paid went to the farms you back; we don't owe it to you.",
      "Refunds may include transfers that were never approved. Produce you took isn't listed.",
    ],
  };
}

function paidTable({ paid }: Statement): PaperTable {
  return {
    heading: "Payments approved",
    columns: [left("Day"), left("Farm"), left("Reference"), right("Amount")],
    rows: paid.map(({ at, projectTitle, reference, kobo }) => [
      formatDate(at),
      `${oneLine(projectTitle)}${kobo < 0n ? " (approval taken back)" : ""}`,
      reference,
      signedText(kobo),
    ]),
    sums: [["All", "", "", signedText(total(paid))]],
  };
}

const reasonWords: Record<RefundEvent["reason"], string> = {
  ...refundReasonWords,
  returned: "The farm didn't use the money",
  holder_change: "Taken over with the lots",
};

function refundTable({ refunds }: Statement): PaperTable {
  return {
    heading: "Refunds due",
    columns: [left("Day"), left("Farm"), left("Why"), right("Amount")],
    rows: refunds.map(({ at, projectTitle, reason, kobo }) => [
      formatDate(at),
      oneLine(projectTitle),
      kobo < 0n ? (reason === "holder_change" ? "Passed on with the lots" : "Taken back") : reasonWords[reason],
      signedText(kobo),
    ]),
    sums: [["All", "", "", signedText(total(refunds))]],
  };
}

function settledTable({ settled }: Statement): PaperTable {
  const amounts = ["shareKobo", "feeKobo", "vatKobo", "whtKobo", "netKobo"] as const;
  return {
    heading: "Harvests settled",
    columns: [
      ...[left("Day"), left("Farm"), right("Share"), right("Our fee"), right("VAT")],
      ...[right("Tax withheld"), right("You get")],
    ],
    rows: settled.map((event) => [
      formatDate(event.at),
      `${oneLine(event.projectTitle)}${event.shareKobo < 0n ? " (taken back)" : ""}`,
      ...amounts.map((amount) => signedText(event[amount])),
    ]),
    sums: [["All", "", ...amounts.map((amount) => signedText(sumOf(settled.map((event) => event[amount]))))]],
  };
}

function payoutTable({ payouts }: Statement): PaperTable {
  return {
    heading: "Paid out to you",
    columns: [left("Day"), left("What for"), left("Reference"), right("Amount")],
    rows: payouts.map(({ at, kind, projectTitle, reference, kobo }) => [
      formatDate(at),
      `${payoutKindLabels[kind]}, ${oneLine(projectTitle)}${kobo < 0n ? " (came back)" : ""}`,
      reference,
      signedText(kobo),
    ]),
    sums: [["All", "", "", signedText(total(payouts))]],
  };
}

function dueTable(statement: Statement): PaperTable {
  const { firstDay, lastDay, dueBeforeKobo, refunds, settled, payouts } = statement;
  return {
    heading: "What is owed to you",
    columns: [left("What"), right("Amount")],
    rows: [
      [`Before ${formatDay(firstDay)}`, formatNairaExact(dueBeforeKobo)],
      ["Refunds due", signedText(total(refunds))],
      ["Harvests settled", signedText(sumOf(settled.map(({ netKobo }) => netKobo)))],
      ["Paid out to you", signedText(-total(payouts))],
    ],
    sums: [[`After ${formatDay(lastDay)}`, signedText(dueAfter(statement))]],
  };
}
