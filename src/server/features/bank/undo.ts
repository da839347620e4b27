import { and, eq, isNull } from "drizzle-orm";
import type { z } from "zod";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import type { Line } from "#server/features/bank/matching/candidate.ts";
import { refreshAround } from "#server/features/bank/matching/suggestions.ts";
import { requireMayLeave, tellAnothers, tellGone, whyLeavingTakesTwo } from "#server/features/payments/arrivals.ts";
import { readMoney } from "#server/features/payments/ledger.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { undoMatchInput } from "#shared/bank/inputs.ts";
import { bankTexts, payoutLineTexts } from "#shared/bank/texts.ts";
import { requireNotTakenBack } from "./credits.ts";
import { undoSale } from "./harvest-matches.ts";
import { lockPlacesOfMatch } from "./match-places.ts";
import { countMatched, lockLines, type Match } from "./match-rows.ts";
import { leaveHold, moneyAfter, namesOf, postMatch } from "./matches.ts";
import { listOfOneDebit, undoPayouts } from "./payout-matches.ts";
import { requireOne } from "./walls.ts";

/** A match is undone: its money is unexplained again. */

/**
 * Undoes a match. Throws "not_found", or "conflict" if it was undone already, its money was given back or settled meanwhile, or
 * it takes a second person.
 */
export async function undoMatch(ctx: ActorContext, input: z.output<typeof undoMatchInput>): Promise<void> {
  const lineId = await inTransaction(ctx.db, (tx) => undoOne(tx, ctx, input));
  await refreshAround(ctx.db, [lineId]);
}

type Undoing = z.output<typeof undoMatchInput> & {
  /** Whether two people said so, and by which request. */
  confirmed?: boolean;
  requestId?: number;
};

/** Locks what a match is about, and its lines. Throws "not_found". */
export async function lockForUndoing(tx: Tx, { matchId }: Pick<Undoing, "matchId">) {
  const [found] = await tx.select().from(lineMatches).where(eq(lineMatches.id, matchId));
  if (!found) throw new AppError("not_found", bankTexts.matchGone);
  const places = await lockPlacesOfMatch(tx, found);
  const { lineId, counterLineId } = found;
  const lines = await lockLines(tx, counterLineId === null ? [lineId] : [lineId, counterLineId]);
  return { found, places, lines };
}

/** Undoes a match inside the caller's transaction. Gives its line. */
export async function undoOne(
  tx: Tx,
  ctx: ActorContext,
  { matchId, reason, confirmed = false, requestId }: Undoing,
): Promise<number> {
  const { found, places, lines } = await lockForUndoing(tx, { matchId });
  if (found.payoutId !== null) {
    await undoDebit(tx, ctx, { found, lines, reason });
    return found.lineId;
  }
  const payment = found.paymentId === null ? undefined : places.payments.get(found.paymentId);
  const at = ctx.clock.now();
  const line = lines.get(found.lineId);
  const before = payment && (await readMoney(tx, payment));
  const undone = { undoneAt: at, undoneBy: ctx.actor.id, undoneReason: reason };
  const [match] = await tx
    .update(lineMatches)
    .set(undone)
    .where(and(eq(lineMatches.id, found.id), isNull(lineMatches.undoneAt)))
    .returning();
  if (!match) throw new AppError("conflict", bankTexts.matchGone);
  for (const line of lines.values()) await countMatched(tx, line, -match.amountKobo);
  const isArrival = payment && before && match.kind === "payment";
  if (isArrival) {
    await requireNotTakenBack(tx, match);
    const after = await moneyAfter(tx, payment, match, { before, isUndone: true });
    const why = await whyLeavingTakesTwo(tx, payment, { before, after });
    if (!confirmed) requireOne(why);
    await requireMayLeave(tx, ctx, payment, { before, after, isConfirmed: confirmed });
  }
  const isOut = (line?.amountKobo ?? 0n) < 0n;
  if (match.saleId !== null) await undoSale(tx, ctx, { match, saleId: match.saleId, places });
  else
    await postMatch(tx, ctx, { match, isOut, isUndone: true, ...(payment && { payment }), ...(before && { before }) });
  if (isArrival) {
    if (await leaveHold(tx, payment, at)) await tellAnothers(tx, ctx, { payment, matchId: match.id });
    if (payment.status === "approved") await tellGone(tx, ctx, { payment, match, gone: "undone", reason });
  }
  await recordAudit(tx, ctx, "undo_match", {
    matchId: match.id,
    lineId: match.lineId,
    kind: match.kind,
    amountKobo: match.amountKobo.toString(),
    ...namesOf(match),
    reason,
    ...(requestId !== undefined && { requestId }),
  });
  return match.lineId;
}

type Debit = { found: Match; lines: Map<number, Line>; reason: string };

/** Undoes that a line showed payouts leaving. That one came back stays: another payout has taken its place. */
async function undoDebit(tx: Tx, ctx: ActorContext, { found, lines, reason }: Debit): Promise<void> {
  if (found.kind === "returned") throw new AppError("conflict", payoutLineTexts.returnedStays);
  const together = await listOfOneDebit(tx, found);
  if (!together.some(({ id }) => id === found.id)) throw new AppError("conflict", bankTexts.matchGone);
  const line = lines.get(found.lineId);
  if (!line) throw new AppError("not_found", bankTexts.lineGone);
  const amountKobo = together.reduce((sum, match) => sum + match.amountKobo, 0n);
  await countMatched(tx, line, -amountKobo);
  await undoPayouts(tx, ctx, together, { reason });
  await recordAudit(tx, ctx, "undo_match", {
    matchIds: together.map(({ id }) => id),
    lineId: found.lineId,
    kind: found.kind,
    amountKobo: amountKobo.toString(),
    payoutIds: together.flatMap(({ payoutId }) => payoutId ?? []),
    reason,
  });
}
