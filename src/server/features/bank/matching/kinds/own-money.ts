import { and, eq, gte, isNull, lt, or, sql } from "drizzle-orm";
import { postAgainst } from "#server/books/events/matches.ts";
import type { LedgerEntry } from "#server/books/post.ts";
import { readTaxOwed } from "#server/books/sums.ts";
import type { Tx } from "#server/db/open.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import type { Line } from "#server/features/bank/matching/candidates/candidate.ts";
import { findSecondPersonAmount } from "#server/features/settings/queries.ts";
import { AppError } from "#server/platform/errors.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import { harvestLineTexts, wallLimits as limits, wallTexts as texts } from "#shared/bank/texts.ts";
import { dayMs } from "#shared/lagos-time.ts";
import type { Kobo } from "#shared/money.ts";
import { partKind, type Undoing } from "./kind.ts";

/** Money of the platform itself: its own, charges, taxes that it passes on, and losses. */

/** Taking money of the platform back from its account. */
const undoing = (account: LedgerEntry["account"]): Undoing => ({
  undo: (tx, ctx, { match, line }) =>
    postAgainst(tx, ctx, { match, account, isOut: line.amountKobo < 0n, isUndone: true }),
});

export const operatorPart = partKind({
  makes: "operator",
  explains: "both",
  platformLock: "own_money",
  require: async () => null,
  matches: ({ part }: { part: Extract<LinePart, { kind: "operator" }> }) => [{ kind: "operator", reason: part.reason }],
  post: async (tx, by, { given: { line }, made }) => {
    const isOut = line.amountKobo < 0n;
    for (const match of made) await postAgainst(tx, by, { match, account: "operator", isOut, isUndone: false });
  },
  reasonsOfSum: async (tx, { line, at }) => {
    if (line.amountKobo > 0n) return [];
    const limitKobo = await findSecondPersonAmount(tx);
    if ((await sumAlone(tx, "operator", { lineId: line.id })) >= limitKobo) return [texts.operator(limitKobo)];
    const sumKobo = await sumAlone(tx, "operator", { at });
    return sumKobo >= limitKobo ? [texts.operatorTogether(sumKobo, limitKobo)] : [];
  },
  describe: async (_db, { reason }) => reason,
});
export const operatorUndoing = undoing("operator");

export const bankChargesPart = partKind<Extract<LinePart, { kind: "bank_charges" }>, null>({
  makes: "bank_charges",
  explains: "money_out",
  platformLock: "own_money",
  require: async () => null,
  matches: () => [{ kind: "bank_charges" }],
  // The bank names the transfer that it charges for.
  reasonsOfReferences: () => [],
  reasonsOfSum: reasonsOfCharges,
  post: async (tx, by, { made }) => {
    for (const match of made)
      await postAgainst(tx, by, { match, account: "bank_charges", isOut: true, isUndone: false });
  },
});
export const bankChargesUndoing = undoing("bank_charges");

/**
 * Returns why charges need two people: those of a line with what the bank kept of payouts, or all that one owner booked
 * in a month.
 */
export async function reasonsOfCharges(tx: Tx, { line, at }: { line: Line; at: Date }): Promise<string[]> {
  const ofLineKobo = await sumAlone(tx, "bank_charges", { lineId: line.id });
  if (ofLineKobo > limits.chargesOfLineKobo) return [texts.chargesOfLine];
  const sumKobo = await sumAlone(tx, "bank_charges", { at });
  return sumKobo > limits.chargesKobo ? [texts.chargesTogether(sumKobo)] : [];
}

/** The charges that the bank kept of a payout that came back, in kobo. */
const keptKobo = sql`(${payouts.amountKobo} - ${lineMatches.amountKobo})`;

/**
 * Sums what single owners booked as a kind of money out: of one line, or in the days up to a moment. What two said
 * isn't counted.
 */
async function sumAlone(
  tx: Tx,
  kind: "bank_charges" | "operator",
  of: { lineId: number } | { at: Date },
): Promise<Kobo> {
  const kobo = sql`case ${lineMatches.kind} when 'returned' then ${keptKobo} else ${lineMatches.amountKobo} end`;
  const isOut = and(eq(lineMatches.kind, kind), lt(statementLines.amountKobo, 0n));
  const isKept = kind === "bank_charges" ? eq(lineMatches.kind, "returned") : undefined;
  const isOf =
    "lineId" in of
      ? eq(lineMatches.lineId, of.lineId)
      : gte(lineMatches.createdAt, new Date(of.at.getTime() - limits.days * dayMs));
  const [sum] = await tx
    .select({ kobo: sql`coalesce(sum(${kobo}), 0)::bigint`.mapWith(lineMatches.amountKobo) })
    .from(lineMatches)
    .innerJoin(statementLines, eq(statementLines.id, lineMatches.lineId))
    .leftJoin(payouts, eq(payouts.id, lineMatches.payoutId))
    .where(and(or(isOut, isKept), isNull(lineMatches.undoneAt), isNull(lineMatches.requestId), isOf));
  return sum?.kobo ?? 0n;
}

/** Tax that settlements owe to the state, at most what is owed. */
const taxPart = <Tax extends "vat" | "wht">(tax: Tax) =>
  partKind<Extract<LinePart, { kind: Tax }>, void>({
    makes: tax,
    explains: "money_out",
    platformLock: "taxes",
    require: (tx, { part }) => requireTaxOwed(tx, part),
    matches: () => [{ kind: tax }],
    post: async (tx, by, { made }) => {
      for (const match of made)
        await postAgainst(tx, by, { match, account: `${tax}_due`, isOut: true, isUndone: false });
    },
  });
export const vatPart = taxPart("vat");
export const vatUndoing = undoing("vat_due");
export const whtPart = taxPart("wht");
export const whtUndoing = undoing("wht_due");

/** Two people book a loss: no part of a line is one by itself. */
export const lossUndoing = undoing("losses");

/** Throws "conflict" if settlements owe less of a tax to the state. The caller has locked the taxes. */
async function requireTaxOwed(tx: Tx, { kind, amountKobo }: Extract<LinePart, { kind: "vat" | "wht" }>): Promise<void> {
  const owedKobo = await readTaxOwed(tx, kind);
  if (amountKobo > owedKobo) throw new AppError("conflict", harvestLineTexts.moreThanTaxOwed(kind, owedKobo));
}
