import { and, eq, inArray, sql } from "drizzle-orm";
import type { z } from "zod";
import { secondPersonKind } from "#server/accounts/owners/second-person-kind.ts";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { users } from "#server/db/schema/users.ts";
import { describeRefusal, lockRefused, refusePayoutsOfRun } from "#server/features/payouts/runs/refuse.ts";
import { recordAudit } from "#server/platform/audit.ts";
import { AppError } from "#server/platform/errors.ts";
import { findHolidays } from "#server/platform/holidays.ts";
import { dayInLagos, formatDay } from "#shared/dates.ts";
import { afterWorkingDays, type Holiday } from "#shared/lagos-time.ts";
import { formatNaira } from "#shared/money.ts";
import { letPayoutGoDetails, refusePayoutsDetails } from "#shared/payouts/inputs.ts";
import { payoutLimits, payoutTexts } from "#shared/payouts/texts.ts";
import { failPayoutDetails } from "#shared/second-person/inputs.ts";
import { failPayoutTexts, letPayoutGoTexts } from "#shared/second-person/texts.ts";
import { findPaidBack } from "./arrivals.ts";
import { findHindrance, type Hindrance } from "./coverage.ts";
import { failPayout } from "./failing.ts";
import { notifyFailed } from "./notices.ts";
import { isUnseen, isWithheldPayout, lockPayouts, lockSenders, type Payout } from "./service.ts";

/**
 * Two owners say that a payout failed, where no statement shows it leaving, that the bank refused payouts of a run, or
 * that a withheld one may go.
 */

/** Finds the person that a payout is for; nobody if it is for a farm or a sender. */
export const payeeIdOf = (db: DbOrTx, { payoutId }: { payoutId: number }): Promise<string[]> =>
  payeeIdsOf(db, { payoutIds: [payoutId] });

/** Finds the people that these payouts are for, leaving out farms and senders. */
async function payeeIdsOf(db: DbOrTx, { payoutIds }: { payoutIds: number[] }): Promise<string[]> {
  const found = await db.selectDistinct({ id: payouts.userId }).from(payouts).where(inArray(payouts.id, payoutIds));
  return found.flatMap(({ id }) => id ?? []);
}

type Details = z.output<typeof failPayoutDetails>;

/** The day on which a payout was sent, and the working days after it on which it should have been seen. */
const daysToCover = (sentAt: Date, holidays: readonly Holiday[]): string[] =>
  Array.from({ length: payoutLimits.unseenDays + 1 }, (_, days) =>
    dayInLagos(afterWorkingDays(sentAt, days, holidays)),
  );

/** Returns why a payout can't be declared failed now; null if it can. */
async function findFailRefusal(db: DbOrTx, payout: Payout): Promise<string | null> {
  const { id, state, sentAt } = payout;
  if ((state !== "sent" && state !== "paid") || sentAt === null) return payoutTexts.notSent;
  if ((await db.$count(payouts, and(eq(payouts.id, id), isUnseen))) === 0) return payoutTexts.seenAlready;
  const paidBack = await findPaidBack(db, [payout]);
  if (paidBack !== null) return paidBack;
  const hindrance = await findHindrance(db, payout, daysToCover(sentAt, await findHolidays(db)));
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

/** Finds a payout with the name of the person that it is for. */
async function findNamed(db: DbOrTx, payoutId: number) {
  const [found] = await db
    .select({ payout: payouts, name: sql<string | null>`${users.fullName}` })
    .from(payouts)
    .leftJoin(users, eq(users.id, payouts.userId))
    .where(eq(payouts.id, payoutId));
  return found;
}

async function describe(db: DbOrTx, { payoutId }: Details) {
  const found = await findNamed(db, payoutId);
  if (!found) return null;
  const { payout, name } = found;
  return {
    title: failPayoutTexts.title(formatNaira(payout.amountKobo), name ?? payout.projectTitle),
    consequences: [
      `No statement shows ${payout.reference} leaving.`,
      ...(payout.paidBy && payout.paidAt
        ? [
            `It was marked as paid on ${formatDay(dayInLagos(payout.paidAt))}${payout.paidSessionId ? `, with the session id ${payout.paidSessionId}` : ""}.`,
          ]
        : []),
      "The sum is owed again, and a payout with a new reference takes its place.",
      "If the bank did send it, it would be paid twice: please make sure with the bank.",
    ],
    isPossible: (await findFailRefusal(db, payout)) === null,
    projectId: payout.projectId,
  };
}

async function lockFailable(tx: Tx, { payoutId }: Details): Promise<Payout> {
  await lockSenders(tx, [payoutId]);
  const [payout] = await lockPayouts(tx, [payoutId]);
  if (!payout) throw new AppError("not_found", payoutTexts.gone);
  const why = await findFailRefusal(tx, payout);
  if (why !== null) throw new AppError("conflict", why);
  return payout;
}

export const failPayoutKind = secondPersonKind({
  schema: failPayoutDetails,
  concerns: payeeIdOf,
  subjectOf: ({ payoutId }) => String(payoutId),
  describe,
  require: async (tx, _ctx, details) => void (await lockFailable(tx, details)),
  act: async (tx, ctx, { details, requestId, reason }) => {
    const payout = await lockFailable(tx, details);
    const { isStruck, ...failed } = await failPayout(tx, ctx, payout, { reason });
    await recordAudit(tx, ctx, "fail_payout", {
      payoutId: payout.id,
      reference: payout.reference,
      amountKobo: payout.amountKobo.toString(),
      requestId,
      reason,
    });
    // To its payee it never left.
    if (!isStruck) await notifyFailed(tx, ctx, payout, { reason: null, ...failed });
  },
});

type LetGo = z.output<typeof letPayoutGoDetails>;

const isStillWithheld = (payout: Payout): boolean =>
  isWithheldPayout(payout) && (payout.state === "waiting" || payout.state === "due");

async function lockWithheld(tx: Tx, { payoutId }: LetGo): Promise<Payout> {
  const [payout] = await lockPayouts(tx, [payoutId]);
  if (!payout) throw new AppError("not_found", payoutTexts.gone);
  if (!isStillWithheld(payout)) throw new AppError("conflict", letPayoutGoTexts.notWithheld);
  return payout;
}

export const letPayoutGoKind = secondPersonKind({
  schema: letPayoutGoDetails,
  concerns: payeeIdOf,
  subjectOf: ({ payoutId }) => String(payoutId),
  describe: async (db, { payoutId }) => {
    const found = await findNamed(db, payoutId);
    if (!found) return null;
    const { payout, name } = found;
    const { amountKobo, projectTitle, reference, withheldAt, withheldReason } = payout;
    return {
      title: letPayoutGoTexts.title(formatNaira(amountKobo), name ?? projectTitle),
      consequences: [
        ...(withheldAt ? [`It was withheld on ${formatDay(dayInLagos(withheldAt))}: ${withheldReason}`] : []),
        `${formatNaira(amountKobo)} may be put into a run again, as ${reference}.`,
      ],
      isPossible: isStillWithheld(payout),
      projectId: payout.projectId,
    };
  },
  require: async (tx, _ctx, details) => void (await lockWithheld(tx, details)),
  act: async (tx, ctx, { details, requestId, reason }) => {
    const { id, reference, amountKobo } = await lockWithheld(tx, details);
    await tx.update(payouts).set({ letGoRequestId: requestId }).where(eq(payouts.id, id));
    await recordAudit(tx, ctx, "let_payout_go", {
      payoutId: id,
      reference,
      amountKobo: amountKobo.toString(),
      requestId,
      reason,
    });
  },
});

/** Payouts of a run that the bank refused. */
export const refusePayoutsKind = secondPersonKind({
  schema: refusePayoutsDetails,
  concerns: payeeIdsOf,
  subjectOf: ({ runId }) => String(runId),
  describe: describeRefusal,
  require: async (tx, _ctx, details) => void (await lockRefused(tx, details)),
  act: refusePayoutsOfRun,
});
