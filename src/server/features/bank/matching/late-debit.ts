import { and, eq, ne } from "drizzle-orm";
import type { z } from "zod";
import type { Confirmed } from "#server/accounts/owners/second-person-kind.ts";
import { postPayoutMatches } from "#server/books/events/payout-matches.ts";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { filterUnseen, isShownComingBack, wasDeclaredFailed, wasPaidTwice } from "#server/features/payouts/arrivals.ts";
import { lockPayouts } from "#server/features/payouts/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { bankTexts, restOf } from "#shared/bank/texts.ts";
import { formatDay } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { payoutStateLabels, payoutTexts } from "#shared/payouts/texts.ts";
import type { bookPayoutLossDetails } from "#shared/second-person/inputs.ts";
import { bookLossTexts } from "#shared/second-person/texts.ts";
import { insertMatch, lockLines } from "./match-rows.ts";

/**
 * The debit of a payout that two people had declared failed: it left after all, and another payout has taken its place;
 * or the second debit of one, as where its file was uploaded twice. What was paid twice isn't there until it is given
 * back. Its match has the reason that the two gave.
 */

export type LateDebit = z.output<typeof bookPayoutLossDetails>;

export async function describeLateDebit(db: DbOrTx, { lineId, payoutId }: LateDebit) {
  const [line] = await db.select().from(statementLines).where(eq(statementLines.id, lineId));
  const [payout] = await db.select().from(payouts).where(eq(payouts.id, payoutId));
  const isNext = and(eq(payouts.replacesId, payoutId), ne(payouts.state, "cancelled"));
  const [next] = await db.select().from(payouts).where(isNext);
  const cameBack = next ? await isShownComingBack(db, payoutId) : false;
  if (!line || !payout) return null;
  const amount = formatNaira(payout.amountKobo);
  const isOpen = next && (next.state === "waiting" || next.state === "due");
  return {
    title: bookLossTexts.title(amount, payout.projectTitle),
    consequences: [
      `${amount} left our account on ${formatDay(line.date)}: ${line.narration}`,
      payout.state === "failed" && !cameBack
        ? `${payout.reference} had been declared failed, so ${amount} were paid out twice, and are missing until they are given back.`
        : `Another line shows ${payout.reference} leaving already, so ${amount} were paid out twice, and are missing until they are given back.`,
      ...(next
        ? [
            `${next.reference} took its place (${payoutStateLabels[next.state].toLowerCase()})${isOpen ? `, and will be paid as well unless ${cameBack ? "it is undone first that the other came back" : "what is owed is taken back first"}` : ""}.`,
          ]
        : []),
    ],
    isPossible: payout.sentAt !== null && payout.amountKobo <= restOf(line),
    projectId: payout.projectId,
  };
}

export async function lockLateDebit(tx: Tx, { lineId, payoutId, amountKobo }: LateDebit) {
  const line = (await lockLines(tx, [lineId])).get(lineId);
  if (!line) throw new AppError("not_found", bankTexts.lineGone);
  if (line.amountKobo > 0n) throw new AppError("conflict", bankTexts.onlyOut);
  const [payout] = await lockPayouts(tx, [payoutId]);
  if (!payout) throw new AppError("not_found", payoutTexts.gone);
  const kobo = BigInt(amountKobo);
  if (kobo !== payout.amountKobo) throw new AppError("conflict", payoutTexts.wholeOnly(payout.amountKobo));
  if (kobo > restOf(line)) throw new AppError("conflict", bankTexts.moreThanRest(restOf(line)));
  if (await wasPaidTwice(tx, payout)) throw new AppError("conflict", bookLossTexts.paidTwiceAlready);
  const isUnseen = (await filterUnseen(tx, [payout])).length > 0;
  const isPossible = !isUnseen || (await wasDeclaredFailed(tx, payout));
  if (payout.sentAt === null || !isPossible) throw new AppError("conflict", bookLossTexts.notDeclaredFailed);
  return { line, payout, kobo };
}

/** Books the debit as paid out twice. */
export async function bookLateDebit(
  tx: Tx,
  ctx: ActorContext,
  { details, requestId, reason }: Confirmed<LateDebit>,
): Promise<void> {
  const { line, payout, kobo } = await lockLateDebit(tx, details);
  const match = await insertMatch(tx, [line], {
    lineId: line.id,
    kind: "payout",
    amountKobo: kobo,
    payoutId: payout.id,
    reason,
    madeBy: ctx.actor.id,
    createdAt: ctx.clock.now(),
  });
  await postPayoutMatches(tx, ctx, [match]);
  await recordAudit(tx, ctx, "book_loss", {
    matchId: match.id,
    lineId: line.id,
    payoutId: payout.id,
    reference: payout.reference,
    amountKobo: kobo.toString(),
    requestId,
    reason,
  });
}
