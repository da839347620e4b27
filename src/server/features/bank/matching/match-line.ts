import { and, eq, isNotNull } from "drizzle-orm";
import type { z } from "zod";
import { lockOwnMoney, lockTaxes } from "#server/books/locks.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { requireSecondPersonIf } from "#server/features/bank/matching/kinds/kind.ts";
import { collectNamedIds, kindOf } from "#server/features/bank/matching/kinds/kinds.ts";
import { lockPayoutsForLines } from "#server/features/payouts/arrivals.ts";
import { listSenderLines } from "#server/features/payouts/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { LinePart, matchLineInput } from "#shared/bank/inputs.ts";
import { bankTexts, restOf, type SureRule } from "#shared/bank/texts.ts";
import type { Kobo } from "#shared/money.ts";
import { lockRows, makePurchases } from "./locked-rows.ts";
import { lockLines, type Match, type Matcher } from "./match-rows.ts";
import { refreshAround } from "./suggestions.ts";
import { weighParts } from "./walls.ts";

/**
 * Matches explain a line, or a part of it. A match moves money in the ledger from the line's unexplained rest to where
 * it belongs, and undoing it moves the money back. The order of locks is that of `books/locks.ts`: here project,
 * harvest, reference, payment, line, payouts, taxes, own money.
 */

/**
 * Explains a line, or parts of it. Throws "not_found", or "conflict" if the line has changed since the caller looked, the
 * parts are more than its rest, or one doesn't fit the line.
 */
export async function matchLine(ctx: ActorContext, input: z.output<typeof matchLineInput>): Promise<void> {
  await inTransaction(ctx.db, (tx) => matchParts(tx, ctx, input));
  await refreshAround(ctx.db, [input.lineId]);
}

type Explained = {
  lineId: number;
  seenMatchedKobo: Kobo;
  parts: LinePart[];
  /** The rule that is sure of it. */
  rule?: SureRule;
  /** The request that two people confirmed. */
  confirmed?: Confirmed | undefined;
  /** True if a payment's money, of which it is known whose it is, moves to another payment of its backer. */
  isMoved?: boolean;
};
/** `requestId` is null while the match is only tried out. */
type Confirmed = { requestId: number | null; reason: string };

/** Locks what parts of a line are about, and the lines. */
export async function lockForParts(tx: Tx, { lineId, parts }: Pick<Explained, "lineId" | "parts">) {
  const namedIds = collectNamedIds(parts);
  const locked = await lockRows(tx, namedIds);
  // What comes back of a payout to a sender is owed to them again.
  const senders = await listSenderLines(tx, namedIds.returnedIds);
  const lines = await lockLines(tx, [lineId, ...namedIds.counterLineIds, ...senders]);
  const payouts = await lockPayoutsForLines(tx, namedIds);
  return { namedIds, locked, lines, payouts };
}

/**
 * Explains parts of a line inside the caller's transaction. Throws "conflict" with the detail `needs` if that takes a second
 * person whom nobody has asked.
 */
export async function matchParts(tx: Tx, by: Matcher, explained: Explained): Promise<void> {
  const { lineId, seenMatchedKobo, parts, rule, confirmed, isMoved = false } = explained;
  const { namedIds, locked, lines, payouts } = await lockForParts(tx, explained);
  const line = lines.get(lineId);
  if (!line) throw new AppError("not_found", bankTexts.lineGone);
  if (line.matchedKobo !== seenMatchedKobo) throw new AppError("conflict", bankTexts.lineChanged);
  if (rule) await requireNoneUndone(tx, lineId);
  const total = parts.reduce((sum, { amountKobo }) => sum + amountKobo, 0n);
  if (total > restOf(line)) throw new AppError("conflict", bankTexts.moreThanRest(restOf(line)));
  const platformLocks = new Set(parts.map((part) => kindOf(part).platformLock));
  if (platformLocks.has("taxes")) await lockTaxes(tx);
  if (platformLocks.has("own_money")) await lockOwnMoney(tx);
  const weighed =
    rule || confirmed || isMoved
      ? null
      : await weighParts(tx, { line, actorId: by.actor.id, lines, parts, locked, payouts });
  const purchases = await makePurchases(tx, namedIds.references, { locked, at: by.clock.now() });
  const made: Match[] = [];
  for (const part of parts) {
    const { requestId = null, reason = null } = confirmed ?? {};
    // Money that is sure, confirmed by two or moved counts as named.
    const facts = { rule: rule ?? null, requestId, reason, isNamed: !weighed?.unnamed.has(part), isMoved };
    const given = { line, lines, part, locked, purchases, payouts, ...facts };
    made.push(...(await kindOf(part).explain(tx, by, given)));
  }
  // Refused last, because `reasonsOfSum` counts the matches just made; a refusal undoes the transaction.
  if (weighed) {
    const reasons = [...weighed.reasons];
    for (const kind of new Set(parts.map(kindOf)))
      reasons.push(...(await kind.reasonsOfSum(tx, { line, at: by.clock.now() })));
    requireSecondPersonIf(reasons);
  }
  await recordAudit(tx, by, "match_line", {
    lineId,
    ownAccountId: line.ownAccountId,
    date: line.date,
    narration: line.narration,
    matches: made.map(({ id, kind, amountKobo, reason, ...about }) => ({
      matchId: id,
      kind,
      amountKobo: amountKobo.toString(),
      ...auditSubject(about),
      ...(reason !== null && { reason }),
    })),
    ...(rule && { rule }),
    ...confirmed,
  });
}

/** The ids of what a match is about, for the audit log. */
export const auditSubject = ({
  paymentId,
  payoutId,
  saleId,
  harvestId,
  releaseId,
  counterLineId,
  creditMatchId,
}: Pick<
  Match,
  "paymentId" | "payoutId" | "saleId" | "harvestId" | "releaseId" | "counterLineId" | "creditMatchId"
>) => ({
  ...(paymentId !== null && { paymentId }),
  ...(payoutId !== null && { payoutId }),
  ...(saleId !== null && { saleId }),
  ...(harvestId !== null && { harvestId }),
  ...(releaseId !== null && { releaseId }),
  ...(counterLineId !== null && { counterLineId }),
  ...(creditMatchId !== null && { creditMatchId }),
});

/** Throws "conflict" if a person undid a match of the line, even a moment ago: then a person decides. */
async function requireNoneUndone(tx: Tx, lineId: number): Promise<void> {
  const isUndone = and(eq(lineMatches.lineId, lineId), isNotNull(lineMatches.undoneAt));
  if ((await tx.$count(lineMatches, isUndone)) > 0) throw new AppError("conflict", bankTexts.lineChanged);
}
