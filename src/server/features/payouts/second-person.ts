import { and, eq, sql } from "drizzle-orm";
import type { z } from "zod";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { users } from "#server/db/schema/users.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { formatDay, isoInLagos, startOfDay } from "#shared/dates.ts";
import { afterWorkingDays } from "#shared/lagos-time.ts";
import { formatNaira } from "#shared/money.ts";
import { payoutRunTexts } from "#shared/payouts/runs-texts.ts";
import { payoutLimits, payoutTexts } from "#shared/payouts/texts.ts";
import type { failPayoutDetails, refundTransferredDetails } from "#shared/second-person/inputs.ts";
import { failPayoutTexts, refundTransferredTexts } from "#shared/second-person/texts.ts";
import { findHindrance, type Hindrance } from "./coverage.ts";
import { lockUnchecked } from "./earlier-refunds.ts";
import { findFirstStatementDay, postPayouts, postTransferredBefore } from "./ledger.ts";
import { tellFailed, tellTransferred } from "./notices.ts";
import { failPayout, isUnchecked, isUnseen, lockFarms, lockPayouts, type Payout } from "./service.ts";

/** A payout that no statement shows leaving: two owners say that it failed. */

type Details = z.output<typeof failPayoutDetails>;

/** The day on which a payout was sent, and the working days after it on which it should have been seen. */
const daysToCover = (sentAt: Date): string[] =>
  Array.from({ length: payoutLimits.unseenDays + 1 }, (_, days) =>
    isoInLagos(afterWorkingDays(sentAt, days)).slice(0, 10),
  );

/** Why a payout can't be declared failed now; null if it can. */
async function whyNot(db: DbOrTx, payout: Payout): Promise<string | null> {
  const { id, state, sentAt } = payout;
  if ((state !== "sent" && state !== "paid") || sentAt === null) return payoutTexts.notSent;
  if ((await db.$count(payouts, and(eq(payouts.id, id), isUnseen))) === 0) return payoutTexts.seenAlready;
  const hindrance = await findHindrance(db, payout, daysToCover(sentAt));
  return hindrance && hindranceText(hindrance);
}

function hindranceText(hindrance: Hindrance): string {
  switch (hindrance.kind) {
    case "uncovered":
      return failPayoutTexts.uncovered(formatDay(hindrance.day));
    case "gap":
      return failPayoutTexts.gap(formatDay(hindrance.from), formatDay(hindrance.to));
    case "debit": {
      const { day, amountKobo, narration, isNamed } = hindrance;
      const words = { amount: formatNaira(amountKobo), day: formatDay(day), narration };
      return isNamed ? failPayoutTexts.namedBy(words) : failPayoutTexts.sameAmount(words);
    }
  }
}

async function describe(db: DbOrTx, { payoutId }: Details) {
  const [found] = await db
    .select({ payout: payouts, name: sql<string | null>`${users.fullName}` })
    .from(payouts)
    .leftJoin(users, eq(users.id, payouts.userId))
    .where(eq(payouts.id, payoutId));
  if (!found) return null;
  const { payout, name } = found;
  return {
    title: failPayoutTexts.title(formatNaira(payout.amountKobo), name ?? payout.projectTitle),
    consequences: [
      `No statement shows ${payout.reference} leaving.`,
      ...(payout.paidBy && payout.paidAt
        ? [
            `It was marked as paid on ${formatDay(isoInLagos(payout.paidAt).slice(0, 10))}${payout.paidSessionId ? `, with the session id ${payout.paidSessionId}` : ""}.`,
          ]
        : []),
      "The sum is owed again, and a payout with a new reference takes its place.",
      "If the bank did send it, it would be paid twice: please make sure with the bank.",
    ],
    isPossible: (await whyNot(db, payout)) === null,
    projectId: payout.projectId,
  };
}

async function lockUnseen(tx: Tx, { payoutId }: Details): Promise<Payout> {
  await lockFarms(tx, [payoutId]);
  const [payout] = await lockPayouts(tx, [payoutId]);
  if (!payout) throw new AppError("not_found", payoutTexts.gone);
  const why = await whyNot(tx, payout);
  if (why !== null) throw new AppError("conflict", why);
  return payout;
}

/** What the second person confirms. */
export const failPayoutKind = {
  subjectOf: ({ payoutId }: Details): string => String(payoutId),
  describe,
  require: async (tx: Tx, _ctx: ActorContext, details: Details) => void (await lockUnseen(tx, details)),
  act: async (
    tx: Tx,
    ctx: ActorContext,
    { details, requestId, reason }: { details: Details; requestId: number; reason: string },
  ): Promise<void> => {
    const payout = await lockUnseen(tx, details);
    await failPayout(tx, payout, { reason, actorId: ctx.actor.id, at: ctx.clock.now(), hasLeft: false });
    await recordAudit(tx, ctx, "fail_payout", {
      payoutId: payout.id,
      reference: payout.reference,
      amountKobo: payout.amountKobo.toString(),
      requestId,
      reason,
    });
    // To its payee it never left.
    await tellFailed(tx, ctx, payout, { reason: null });
  },
};

/** Refunds from before there were payouts: two owners say that one was transferred by hand. */

type Transferred = z.output<typeof refundTransferredDetails>;

/** A session id has 30 digits; anything else describes the line. */
function sessionIdOf(evidence: string): string | null {
  const digits = evidence.replace(/[\s-]/g, "");
  return /^\d{30}$/.test(digits) ? digits : null;
}

/** Whether the bank's statements can't show a transfer of this day, because the first begins after it. */
const wasBeforeStatements = (paidOn: string, firstDay: string | null): boolean =>
  firstDay === null || paidOn < firstDay;

async function describeTransferred(db: DbOrTx, { payoutId, paidOn, evidence }: Transferred) {
  const [found] = await db
    .select({ payout: payouts, name: users.fullName, isUnchecked: sql<boolean>`${isUnchecked}` })
    .from(payouts)
    .innerJoin(users, eq(users.id, payouts.userId))
    .where(eq(payouts.id, payoutId));
  if (!found) return null;
  const { payout, name } = found;
  const isBefore = wasBeforeStatements(paidOn, await findFirstStatementDay(db));
  return {
    title: refundTransferredTexts.title(formatNaira(payout.amountKobo), name),
    consequences: [
      `It left our account on ${formatDay(paidOn)}: ${evidence}.`,
      "Nothing of it is owed any more, and the backer is told that it was paid.",
      isBefore
        ? "That was before the first statement, so no line has to show it."
        : "The statements cover that day: the line that shows it still has to be matched to this payout.",
    ],
    isPossible: found.isUnchecked,
    projectId: payout.projectId,
  };
}

async function requireTransferred(
  tx: Tx,
  ctx: ActorContext,
  { payoutId, paidOn, evidence }: Transferred,
): Promise<Payout> {
  const payout = await lockUnchecked(tx, payoutId);
  if (paidOn > isoInLagos(ctx.clock.now()).slice(0, 10))
    throw new AppError("conflict", refundTransferredTexts.inFuture);
  const isOfPayment = eq(projectPayments.id, payout.paymentId ?? 0);
  const [payment] = await tx.select({ at: projectPayments.createdAt }).from(projectPayments).where(isOfPayment);
  if (payment && paidOn < isoInLagos(payment.at).slice(0, 10))
    throw new AppError("conflict", refundTransferredTexts.tooEarly);
  const other = await findOfSession(tx, evidence);
  if (other && other.refundId !== payout.refundId) throw new AppError("conflict", payoutRunTexts.sessionIdTaken);
  return payout;
}

/** The payout that was marked with the session id that this evidence is. Parts of a refund may have left by one transfer. */
async function findOfSession(tx: Tx, evidence: string): Promise<Payout | undefined> {
  const sessionId = sessionIdOf(evidence);
  if (sessionId === null) return undefined;
  return (await tx.select().from(payouts).where(eq(payouts.paidSessionId, sessionId))).at(0);
}

/** What the second person confirms. */
export const refundTransferredKind = {
  subjectOf: ({ payoutId }: Transferred): string => String(payoutId),
  describe: describeTransferred,
  require: async (tx: Tx, ctx: ActorContext, details: Transferred) => void (await requireTransferred(tx, ctx, details)),
  act: async (
    tx: Tx,
    ctx: ActorContext,
    { details, requestId, reason }: { details: Transferred; requestId: number; reason: string },
  ): Promise<void> => {
    const payout = await requireTransferred(tx, ctx, details);
    const { id: payoutId, amountKobo, reference } = payout;
    const { paidOn, evidence } = details;
    const [at, left] = [ctx.clock.now(), startOfDay(paidOn)];
    // A session id stands in one row, that of the first part.
    const sessionId = (await findOfSession(tx, evidence)) ? null : sessionIdOf(evidence);
    const seen = {
      paidBy: ctx.actor.id,
      paidSessionId: sessionId,
      paidReason: sessionId === null ? `${evidence}: ${reason}` : reason,
    };
    await tx
      .update(payouts)
      .set({ ...seen, state: "paid", sentAt: left, paidAt: left, checkedAt: at })
      .where(eq(payouts.id, payoutId));
    await postPayouts(tx, "payout_sent", { payoutIds: [payoutId], actorId: ctx.actor.id, at });
    await postTransferredBefore(tx, { payoutId, amountKobo, paidOn, actorId: ctx.actor.id, at });
    await recordAudit(tx, ctx, "declare_refund_transferred", {
      ...{ payoutId, reference, amountKobo: amountKobo.toString() },
      ...{ paidOn, evidence, requestId, reason },
    });
    await tellTransferred(tx, ctx, payout, paidOn);
  },
};
