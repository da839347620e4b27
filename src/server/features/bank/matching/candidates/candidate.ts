import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { statementLines } from "#server/db/schema/bank.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import { type MatchRule, restOf } from "#shared/bank/texts.ts";
import type { Kobo } from "#shared/money.ts";
import type { PaymentStatus } from "#shared/payments/statuses.ts";
import type { PayoutState } from "#shared/payouts/texts.ts";

/** A line, and what is suggested for it. */

export type Line = typeof statementLines.$inferSelect;

/** The columns of a line that suggestions follow from. */
export type SuggestedLine = Pick<
  Line,
  | "id"
  | "ownAccountId"
  | "date"
  | "amountKobo"
  | "matchedKobo"
  | "narration"
  | "customerReference"
  | "bankReference"
  | "counterparty"
  | "reference"
  | "isReversal"
>;

export type CandidatePayment = {
  id: number;
  reference: string;
  backerName: string;
  projectTitle: string;
  amountKobo: Kobo;
  missingKobo: Kobo;
  status: PaymentStatus;
  hasReceipt: boolean;
};

export type CandidatePayout = {
  id: number;
  /** With its part, where the sum is paid by several transfers. */
  reference: string;
  payeeName: string;
  projectTitle: string;
  amountKobo: Kobo;
  state: PayoutState;
  runId: number | null;
  /** It left twice: what comes back is one of the two, and nothing is owed again. */
  isSecondOut: boolean;
};

export type CandidateSale = {
  id: number;
  buyer: string;
  projectTitle: string;
  round: number;
  number: number;
  isInsurance: boolean;
  amountKobo: Kobo;
  missingKobo: Kobo;
};

type PartOf<Kind extends LinePart["kind"]> = Extract<LinePart, { kind: Kind }>;

/** One of the purchases that a line names, with what is missing of it. */
export type SplitPart = {
  backerName: string;
  projectTitle: string;
  reference: string;
  part: PartOf<"payment"> | PartOf<"purchase">;
};

/** Something that may explain a line. `bank.match` takes `part`, which is null if nobody can act on it. */
export type Candidate = { rule: MatchRule; isSure: boolean; why: string; amountKobo: Kobo } & (
  | { kind: "payment"; payment: CandidatePayment; part: PartOf<"payment"> }
  | { kind: "purchase"; backerName: string; part: PartOf<"purchase"> }
  /** Several purchases that the line names, which it pays together: `bank.match` takes all their parts. */
  | { kind: "split"; parts: SplitPart[]; part: null }
  | { kind: "taken_back"; payment: CandidatePayment; part: PartOf<"taken_back"> }
  | {
      kind: "payout";
      payout: CandidatePayout;
      /** True if it is a second debit, or that of a payout that was declared failed: two people book it as paid out twice. */
      isLateDebit: boolean;
      part: PartOf<"payout"> | null;
    }
  | { kind: "returned"; payout: CandidatePayout; part: PartOf<"returned"> | null }
  /** All payouts of a run that no line shows yet, where the run left by one debit. */
  | { kind: "payout_run"; run: { id: number; payouts: number }; part: PartOf<"payout_run"> }
  | { kind: "sale"; sale: CandidateSale; part: PartOf<"sale"> }
  | { kind: "sale_taken_back"; sale: CandidateSale; part: PartOf<"sale_taken_back"> }
  | { kind: "own_transfer"; part: PartOf<"own_transfer"> }
  | { kind: "bank_charges"; part: PartOf<"bank_charges"> }
);

export type CandidateOf<Kind extends Candidate["kind"]> = Extract<Candidate, { kind: Kind }>;

/** Values found for lines, by the lines' ids. */
export type Found<Value> = ReadonlyMap<number, Value[]>;

/** Groups candidates by the line that each was found for, in their order. */
export function byLine<One>(found: readonly { lineId: number; candidate: One }[]): Found<One> {
  const grouped = new Map<number, One[]>();
  for (const { lineId, candidate } of found) {
    const those = grouped.get(lineId);
    if (those) those.push(candidate);
    else grouped.set(lineId, [candidate]);
  }
  return grouped;
}

/** Condition of a row among these, of which there may be more than a statement has parameters. */
export const hasId = (column: AnyPgColumn, ids: readonly number[]): SQL =>
  sql`${column} in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb))`;

export const hasReference = (column: AnyPgColumn, references: readonly string[]): SQL =>
  sql`${column} in (select value from jsonb_array_elements_text(${JSON.stringify(references)}::text::jsonb))`;

/** Lines as a table of SQL, in their given state: their id, account, day, amount and rest. */
export function linesTable(lines: readonly SuggestedLine[]): SQL {
  const listed = lines.map((line) => ({
    id: line.id,
    account: line.ownAccountId,
    day: line.date,
    amount: line.amountKobo.toString(),
    rest: restOf(line).toString(),
  }));
  return sql`jsonb_to_recordset(${JSON.stringify(listed)}::text::jsonb)
    as line(id bigint, account bigint, day date, amount bigint, rest bigint)`;
}
