import { eq, inArray } from "drizzle-orm";
import type { z } from "zod";
import type { Confirmed } from "#server/accounts/owners/second-person-kind.ts";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { payoutRuns, payouts } from "#server/db/schema/payouts.ts";
import { findPaidBack, sumOfPayouts } from "#server/features/payouts/arrivals.ts";
import { findDebit } from "#server/features/payouts/coverage.ts";
import { refusePayouts } from "#server/features/payouts/failing.ts";
import { lockPayouts, lockSenders, type Payout } from "#server/features/payouts/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { dayInLagos, formatDay } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import type { refusePayoutsDetails } from "#shared/payouts/inputs.ts";
import { payoutRunTexts } from "#shared/payouts/runs-texts.ts";
import { refusePayoutsTexts as texts } from "#shared/second-person/texts.ts";

/** The bank took a run's file not at all, or without some of its payouts: two owners say so. */

type Details = z.output<typeof refusePayoutsDetails>;

const readPayouts = (db: DbOrTx, payoutIds: number[]) =>
  db.select().from(payouts).where(inArray(payouts.id, payoutIds)).orderBy(payouts.id);

/** Returns why the bank can't have refused these payouts; null if it can. */
async function findRefusal(db: DbOrTx, { runId, payoutIds }: Details, some: readonly Payout[]): Promise<string | null> {
  if (some.length !== payoutIds.length || some.some((payout) => payout.runId !== runId)) return texts.notOfRun;
  const [first] = some;
  if (!first?.sentAt) return texts.notExported;
  const gone = some.find(({ state }) => state !== "sent");
  if (gone) return texts.notSent(gone.reference);
  const paidBack = await findPaidBack(db, some);
  if (paidBack !== null) return paidBack;
  const debit = await findDebit(db, some, dayInLagos(first.sentAt));
  if (!debit) return null;
  const { amountKobo, day, narration } = debit;
  return texts.debit({ amount: formatNaira(amountKobo), day: formatDay(day), narration });
}

/** A refusal in words, with what follows from it; null if the run is gone. */
export async function describeRefusal(db: DbOrTx, details: Details) {
  const [run] = await db.select().from(payoutRuns).where(eq(payoutRuns.id, details.runId));
  const some = await readPayouts(db, details.payoutIds);
  if (!run || some.length === 0) return null;
  const isWhole = some.length === run.payouts;
  const what = isWhole ? "the whole file" : payoutRunTexts.count(some.length);
  const amount = formatNaira(sumOfPayouts(some));
  return {
    title: texts.title(what, amount, run.id),
    consequences: [
      payoutRunTexts.refused(some.length, amount),
      ...(isWhole
        ? []
        : [
            `The other ${run.payouts - some.length} of the run are still on their way, also where one debit pays them.`,
          ]),
      "Nobody is told that money came back.",
      payoutRunTexts.refusedButTaken(some.length),
    ],
    isPossible: (await findRefusal(db, details, some)) === null,
    projectId: null,
  };
}

/** Locks payouts that the bank refused. Throws "conflict" if it can't have. */
export async function lockRefused(tx: Tx, details: Details): Promise<Payout[]> {
  await lockSenders(tx, details.payoutIds);
  const locked = await lockPayouts(tx, details.payoutIds);
  const why = await findRefusal(tx, details, locked);
  if (why !== null) throw new AppError("conflict", why);
  return locked;
}

/** Makes payouts due again that the bank refused, as two owners say. */
export async function refusePayoutsOfRun(
  tx: Tx,
  ctx: ActorContext,
  { details, requestId, reason }: Confirmed<Details>,
): Promise<void> {
  const refused = await lockRefused(tx, details);
  await refusePayouts(tx, ctx, refused, { reason, requestId });
  await recordAudit(tx, ctx, "refuse_payouts", {
    runId: details.runId,
    payouts: refused.length,
    totalKobo: sumOfPayouts(refused).toString(),
    references: refused.map(({ reference }) => reference),
    requestId,
    reason,
  });
}
