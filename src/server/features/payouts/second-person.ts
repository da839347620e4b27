import { and, eq, gte, sql } from "drizzle-orm";
import type { z } from "zod";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { statements } from "#server/db/schema/bank.ts";
import { payoutRuns, payouts } from "#server/db/schema/payouts.ts";
import { users } from "#server/db/schema/users.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { isoInLagos } from "#shared/dates.ts";
import { afterWorkingDays } from "#shared/lagos-time.ts";
import { formatNaira } from "#shared/money.ts";
import { payoutLimits, payoutTexts } from "#shared/payouts-texts.ts";
import type { failPayoutDetails } from "#shared/second-person.ts";
import { failPayoutTexts } from "#shared/second-person-texts.ts";
import { tellFailed } from "./notices.ts";
import { failPayout, lockPayouts, type Payout, waitsForLine } from "./service.ts";

/** A payout that no statement shows leaving: two owners say that it failed. */

type Details = z.output<typeof failPayoutDetails>;

/** Whether the statements of the account that paid it cover three working days after the payout was sent, without it. */
async function isUnseen(db: DbOrTx, { id, sentAt, runId }: Payout): Promise<boolean> {
  if (sentAt === null || runId === null) return false;
  const waits = await db.$count(payouts, and(eq(payouts.id, id), waitsForLine));
  if (waits === 0) return false;
  const until = isoInLagos(afterWorkingDays(sentAt, payoutLimits.unseenDays)).slice(0, 10);
  const covering = await db
    .select({ id: statements.id })
    .from(statements)
    .innerJoin(payoutRuns, eq(payoutRuns.ownAccountId, statements.ownAccountId))
    .where(and(eq(payoutRuns.id, runId), gte(statements.lastDay, until)))
    .limit(1);
  return covering.length > 0;
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
      "The sum is owed again, and a payout with a new reference takes its place.",
      "If the bank did send it, it would be paid twice: please make sure with the bank.",
    ],
    isPossible: await isUnseen(db, payout),
    projectId: payout.projectId,
  };
}

async function lockUnseen(tx: Tx, { payoutId }: Details): Promise<Payout> {
  const [payout] = await lockPayouts(tx, [payoutId]);
  if (!payout) throw new AppError("not_found", payoutTexts.gone);
  if (payout.state !== "sent" && payout.state !== "paid") throw new AppError("conflict", payoutTexts.notSent);
  if (!(await isUnseen(tx, payout))) throw new AppError("conflict", failPayoutTexts.tooEarly);
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
    await failPayout(tx, payout, { reason, actorId: ctx.actor.id, at: ctx.clock.now() });
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
