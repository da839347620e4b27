import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import type { Line } from "#server/features/bank/matching/candidates/candidate.ts";
import { namesReturn } from "#server/features/bank/statements/narrations.ts";
import { AppError } from "#server/platform/errors.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import { wallLimits as limits, wallTexts as texts } from "#shared/bank/texts.ts";
import { formatDay } from "#shared/dates.ts";
import { dayMs } from "#shared/lagos-time.ts";
import type { Match } from "./match-rows.ts";

/** Credits whose money the bank may take back: standing matches of payments, each as far as nothing was taken back of it. */

/** The sum taken back of a match's credit. It stands nested in another `sql`, because drizzle names the table only there. */
const takenBackOf: SQL = sql`coalesce((select sum(t.amount_kobo) from line_matches t
  where t.credit_match_id = ${lineMatches.id} and t.undone_at is null), 0)`;

/** Condition of a match of which nothing was taken back. */
export const isNotTakenBack: SQL = sql`${takenBackOf} = 0`;

/** The sum of a match's credit that wasn't taken back. */
export const standsKobo = sql`(${lineMatches.amountKobo} - ${takenBackOf})::bigint`.mapWith(lineMatches.amountKobo);

type TakenBack = Extract<LinePart, { kind: "taken_back" | "sale_taken_back" }>;

/** The credit that a part names, with its day. Undefined if it isn't matched with the part's payment or sale any more. */
export async function findCredit(db: DbOrTx, part: TakenBack) {
  const isOfIt =
    part.kind === "taken_back"
      ? and(eq(lineMatches.kind, "payment"), eq(lineMatches.paymentId, part.paymentId))
      : and(eq(lineMatches.kind, "sale"), eq(lineMatches.saleId, part.saleId));
  const [credit] = await db
    .select({
      ownAccountId: statementLines.ownAccountId,
      date: statementLines.date,
      narration: statementLines.narration,
      amountKobo: lineMatches.amountKobo,
      standsKobo,
    })
    .from(lineMatches)
    .innerJoin(statementLines, eq(statementLines.id, lineMatches.lineId))
    .where(and(eq(lineMatches.id, part.creditMatchId), isOfIt, isNull(lineMatches.undoneAt)));
  return credit;
}

/**
 * Makes sure that a debit may have taken back so much of the credit that the part names. The caller has locked the payment.
 * Throws "conflict".
 */
export async function requireCredit(tx: Tx, { line, part }: { line: Line; part: TakenBack }): Promise<void> {
  const credit = await findCredit(tx, part);
  if (!credit) throw new AppError("conflict", texts.creditGone);
  if (credit.ownAccountId !== line.ownAccountId) throw new AppError("conflict", texts.creditElsewhere);
  if (credit.date > line.date) throw new AppError("conflict", texts.creditLater);
  if (part.amountKobo > credit.standsKobo) throw new AppError("conflict", texts.creditLess(credit.standsKobo));
}

/**
 * Returns why a debit that takes a credit back needs two people: the bank doesn't call it a reversal, or the credit is
 * old.
 */
export function reasonsOfCredit(line: Line, credit: { date: string }): string[] {
  const reasons: string[] = [];
  if (!line.isReversal && !namesReturn(line.narration)) reasons.push(texts.noReversal);
  const days = (Date.parse(line.date) - Date.parse(credit.date)) / dayMs;
  if (days > limits.takenBackDays) reasons.push(texts.oldCredit(formatDay(credit.date)));
  return reasons;
}

/** Makes sure that nothing was taken back of a credit whose match is undone. Throws "conflict". */
export async function requireNotTakenBack(tx: Tx, { id }: Match): Promise<void> {
  const isOfCredit = and(eq(lineMatches.creditMatchId, id), isNull(lineMatches.undoneAt));
  if ((await tx.$count(lineMatches, isOfCredit)) > 0) throw new AppError("conflict", texts.creditTakenBack);
}
