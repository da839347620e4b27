import { and, eq, inArray, isNull } from "drizzle-orm";
import type { z } from "zod";
import { readMoney } from "#server/books/places.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { undoings } from "#server/features/bank/matching/kinds/kinds.ts";
import { listSenderLines } from "#server/features/payouts/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { undoMatchInput } from "#shared/bank/inputs.ts";
import { bankTexts } from "#shared/bank/texts.ts";
import { lockRowsOfMatch } from "./locked-rows.ts";
import { auditSubject } from "./match-line.ts";
import { countMatched, lockLines } from "./match-rows.ts";
import { refreshAround } from "./suggestions.ts";

/** A match is undone: its money is unexplained again. */

/**
 * Undoes a match. Throws "not_found", or "conflict" if it was undone already, its money was given back or settled
 * meanwhile, or it takes a second person.
 */
export async function undoMatch(ctx: ActorContext, input: z.output<typeof undoMatchInput>): Promise<void> {
  const lineId = await inTransaction(ctx.db, (tx) => undoOne(tx, ctx, input));
  await refreshAround(ctx.db, [lineId]);
}

type Undoing = z.output<typeof undoMatchInput> & {
  /** True if two people said so, and by which request. */
  confirmed?: boolean;
  /** True if the same money is matched with another payment of its backer at once: nobody is told that it is gone. */
  isMoved?: boolean;
  requestId?: number;
};

/** Locks what a match is about, and its lines. Throws "not_found". */
export async function lockForUndoing(tx: Tx, { matchId }: Pick<Undoing, "matchId">) {
  const [found] = await tx.select().from(lineMatches).where(eq(lineMatches.id, matchId));
  if (!found) throw new AppError("not_found", bankTexts.matchGone);
  const locked = await lockRowsOfMatch(tx, found);
  const { lineId, counterLineId, payoutId } = found;
  const ids = counterLineId === null ? [lineId] : [lineId, counterLineId];
  // A payout to a sender that didn't come back after all is owed less to them.
  const senders = await listSenderLines(tx, payoutId === null ? [] : [payoutId]);
  const lockedLines = await lockLines(tx, [...ids, ...senders]);
  const lines = new Map([...lockedLines].filter(([id]) => ids.includes(id)));
  return { found, locked, lines };
}

/** Undoes a match inside the caller's transaction, and those that are one explanation with it. Gives its line. */
export async function undoOne(
  tx: Tx,
  ctx: ActorContext,
  { matchId, reason, confirmed = false, isMoved = false, requestId }: Undoing,
): Promise<number> {
  const { found, locked, lines } = await lockForUndoing(tx, { matchId });
  const kind = undoings[found.kind];
  const payment = found.paymentId === null ? null : (locked.payments.get(found.paymentId) ?? null);
  const before = payment && (await readMoney(tx, payment));
  const together = kind.listTogether ? await kind.listTogether(tx, found) : [found];
  const undoneAt = ctx.clock.now();
  const ids = together.map(({ id }) => id);
  const marked = await tx
    .update(lineMatches)
    .set({ undoneAt, undoneBy: ctx.actor.id, undoneReason: reason })
    .where(and(inArray(lineMatches.id, ids), isNull(lineMatches.undoneAt)))
    .returning();
  const match = marked.find(({ id }) => id === found.id);
  const line = lines.get(found.lineId);
  if (!match || !line) throw new AppError("conflict", bankTexts.matchGone);
  const amountKobo = marked.reduce((sum, one) => sum + one.amountKobo, 0n);
  for (const each of lines.values()) await countMatched(tx, each, -amountKobo);
  const isConfirmed = confirmed || isMoved;
  const undone = { match, line, locked, payment, before, reason, isConfirmed, together: marked };
  await kind.requireUndoing?.(tx, ctx, undone);
  await kind.undo(tx, ctx, undone);
  if (!isMoved) await kind.followUpUndoing?.(tx, ctx, undone);
  const about = kind.listTogether
    ? { matchIds: ids, payoutIds: marked.flatMap(({ payoutId }) => payoutId ?? []) }
    : { matchId: match.id, ...auditSubject(match) };
  await recordAudit(tx, ctx, "undo_match", {
    ...about,
    lineId: match.lineId,
    kind: match.kind,
    amountKobo: amountKobo.toString(),
    reason,
    ...(requestId !== undefined && { requestId }),
  });
  return match.lineId;
}
