import { and, eq, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { readMoney } from "#server/features/payments/ledger.ts";
import { lockPayment } from "#server/features/payments/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { bankTexts, restOf } from "#shared/bank-texts.ts";
import { formatDay } from "#shared/dates.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import type { bookLossDetails, bookPaymentLossDetails } from "#shared/second-person.ts";
import { bookLossTexts } from "#shared/second-person-texts.ts";
import { bookLateDebit, describeLateDebit, lockLateDebit } from "./late-debit.ts";
import { insertMatch, lockLines } from "./match-rows.ts";
import { postMatch } from "./matches.ts";

/**
 * What can't be got back, which two owners book as a loss: a credit that the bank took back after its money was given back, or
 * the debit of a payout that had been declared failed.
 */

type Details = z.output<typeof bookPaymentLossDetails>;
type AnyDetails = z.output<typeof bookLossDetails>;
type Confirmed<Of> = { details: Of; requestId: number; reason: string };

/** What was given back of a payment, or is due to be, and isn't booked as lost. */
async function readGivenBack(db: DbOrTx, paymentId: number): Promise<Kobo> {
  const isOf = eq(refunds.paymentId, paymentId);
  const sum = (column: typeof refunds.amountKobo | typeof lineMatches.amountKobo) =>
    sql`coalesce(sum(${column}), 0)::bigint`.mapWith(refunds.amountKobo);
  const [given] = await db
    .select({ kobo: sum(refunds.amountKobo) })
    .from(refunds)
    .where(and(isOf, isNull(refunds.takenBackAt)));
  const isLoss = and(eq(lineMatches.paymentId, paymentId), eq(lineMatches.kind, "loss"), isNull(lineMatches.undoneAt));
  const [lost] = await db
    .select({ kobo: sum(lineMatches.amountKobo) })
    .from(lineMatches)
    .where(isLoss);
  return (given?.kobo ?? 0n) - (lost?.kobo ?? 0n);
}

async function describe(db: DbOrTx, { lineId, paymentId, amountKobo }: Details) {
  const [found] = await db
    .select({ line: statementLines, payment: projectPayments })
    .from(statementLines)
    .innerJoin(projectPayments, eq(projectPayments.id, paymentId))
    .where(eq(statementLines.id, lineId));
  if (!found) return null;
  const { line, payment } = found;
  const kobo = BigInt(amountKobo);
  return {
    title: bookLossTexts.title(formatNaira(kobo), payment.projectTitle),
    consequences: [
      `The bank took ${formatNaira(-line.amountKobo)} back on ${formatDay(line.date)}: ${line.narration}`,
      `The money of ${payment.reference} was given back to its payer already, so ${formatNaira(kobo)} are the platform's loss.`,
    ],
    isPossible: kobo <= restOf(line) && kobo <= (await readGivenBack(db, paymentId)),
    projectId: payment.projectId,
  };
}

async function lockLoss(tx: Tx, { lineId, paymentId, amountKobo }: Details) {
  const { payment } = await lockPayment(tx, paymentId);
  const line = (await lockLines(tx, [lineId])).get(lineId);
  if (!line) throw new AppError("not_found", bankTexts.lineGone);
  if (line.amountKobo > 0n) throw new AppError("conflict", bankTexts.onlyOut);
  const kobo = BigInt(amountKobo);
  if (kobo > restOf(line)) throw new AppError("conflict", bankTexts.moreThanRest(restOf(line)));
  const { arrivedKobo } = await readMoney(tx, payment);
  if (arrivedKobo > 0n) throw new AppError("conflict", bookLossTexts.takenBackFirst(formatNaira(arrivedKobo)));
  const givenBackKobo = await readGivenBack(tx, paymentId);
  if (kobo > givenBackKobo) throw new AppError("conflict", bookLossTexts.tooMuch(formatNaira(givenBackKobo)));
  return { payment, line, kobo };
}

/** Books what the bank took back, and was given back before, as a loss. */
async function bookLoss(tx: Tx, ctx: ActorContext, { details, requestId, reason }: Confirmed<Details>): Promise<void> {
  const { payment, line, kobo } = await lockLoss(tx, details);
  const match = await insertMatch(tx, [line], {
    lineId: line.id,
    kind: "loss",
    amountKobo: kobo,
    paymentId: payment.id,
    reason,
    madeBy: ctx.actor.id,
    createdAt: ctx.clock.now(),
  });
  await postMatch(tx, ctx, { match });
  await recordAudit(tx, ctx, "book_loss", {
    matchId: match.id,
    lineId: line.id,
    paymentId: payment.id,
    amountKobo: kobo.toString(),
    requestId,
    reason,
  });
}

/** What the second person confirms. */
export const bookLossKind = {
  subjectOf: ({ lineId }: AnyDetails): string => String(lineId),
  describe: (db: DbOrTx, details: AnyDetails) =>
    "payoutId" in details ? describeLateDebit(db, details) : describe(db, details),
  require: async (tx: Tx, _ctx: ActorContext, details: AnyDetails): Promise<void> => {
    if ("payoutId" in details) await lockLateDebit(tx, details);
    else await lockLoss(tx, details);
  },
  act: (tx: Tx, ctx: ActorContext, { details, ...confirmed }: Confirmed<AnyDetails>): Promise<void> =>
    "payoutId" in details
      ? bookLateDebit(tx, ctx, { details, ...confirmed })
      : bookLoss(tx, ctx, { details, ...confirmed }),
};
