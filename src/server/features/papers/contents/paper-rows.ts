import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { DbOrTx } from "#server/db/open.ts";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { harvestParts, harvests } from "#server/db/schema/harvests.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { payeeAccounts, payoutRunLines, payoutRuns, payouts } from "#server/db/schema/payouts.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { settlementParts, settlements } from "#server/db/schema/settlements.ts";
import { roundTerms } from "#server/db/schema/terms.ts";
import { users } from "#server/db/schema/users.ts";
import { roundOfHarvest, termsOfRound } from "#server/features/projects/rounds/queries.ts";
import type { Kobo } from "#shared/money.ts";
import { maskedAccount } from "#shared/payouts/payee-accounts-texts.ts";
import type { RunRow } from "./run-sheet.ts";
import type { SettledPart, SettledRow } from "./settlements.ts";

/** The rows that papers are made of, as they are when the paper is. */

export const readReceiptRows = (db: DbOrTx, paymentIds: readonly number[]) =>
  db
    .select({
      paymentId: projectPayments.id,
      userId: projectPayments.userId,
      fullName: users.fullName,
      projectTitle: projectPayments.projectTitle,
      lots: projectPayments.lots,
      amountKobo: projectPayments.amountKobo,
      reference: projectPayments.reference,
      round: projectPayments.round,
      // An old approval may have no time of its own.
      decidedAt: sql`coalesce(${projectPayments.decidedAt}, ${projectPayments.updatedAt})`.mapWith(
        projectPayments.updatedAt,
      ),
    })
    .from(projectPayments)
    .innerJoin(users, eq(users.id, projectPayments.userId))
    .where(and(inArray(projectPayments.id, [...paymentIds]), eq(projectPayments.status, "approved")))
    .orderBy(asc(projectPayments.id));

export const readRefundRows = (db: DbOrTx, refundIds: readonly number[]) =>
  db
    .select({
      refundId: refunds.id,
      userId: refunds.userId,
      fullName: users.fullName,
      projectTitle: projectPayments.projectTitle,
      round: projectPayments.round,
      reference: projectPayments.reference,
      amountKobo: refunds.amountKobo,
      reason: refunds.reason,
      createdAt: refunds.createdAt,
    })
    .from(refunds)
    .innerJoin(users, eq(users.id, refunds.userId))
    .innerJoin(projectPayments, eq(projectPayments.id, refunds.paymentId))
    .where(and(inArray(refunds.id, [...refundIds]), isNull(refunds.takenBackAt)))
    .orderBy(asc(refunds.id));

/** A settlement, with what each of its people gets of it; undefined if it was reversed. */
export async function readSettled(
  db: DbOrTx,
  settlementId: number,
): Promise<{ settled: SettledRow; parts: SettledPart[] } | undefined> {
  const whole = sql`${settlements.farmQuantity} + coalesce((select sum(p.weight) from settlement_parts p
    where p.settlement_id = ${settlements.id}), 0)`.mapWith(settlements.farmQuantity);
  const [settled] = await db
    .select({
      projectTitle: harvests.projectTitle,
      round: harvests.round,
      harvestId: harvests.id,
      harvestNumber: harvests.number,
      isInsurance: harvests.isInsurance,
      unit: roundTerms.unit,
      number: settlements.number,
      pool: settlements.pool,
      createdAt: settlements.createdAt,
      proceedsKobo: settlements.proceedsKobo,
      costsKobo: settlements.costsKobo,
      feeRate: settlements.feeRate,
      vatRate: settlements.vatRate,
      whtRate: settlements.whtRate,
      whole,
    })
    .from(settlements)
    .innerJoin(harvests, eq(harvests.id, settlements.harvestId))
    .innerJoin(projectRounds, roundOfHarvest)
    .innerJoin(roundTerms, termsOfRound)
    .where(and(eq(settlements.id, settlementId), isNull(settlements.reversedAt)));
  if (!settled) return undefined;
  const { harvestId, ...row } = settled;
  return { settled: row, parts: await readParts(db, { settlementId, harvestId }) };
}

/** Reads each person's part. A person with several backings gets one paper, of their sums. */
async function readParts(
  db: DbOrTx,
  { settlementId, harvestId }: { settlementId: number; harvestId: number },
): Promise<SettledPart[]> {
  const found = await db
    .select({
      userId: settlementParts.userId,
      fullName: users.fullName,
      weight: settlementParts.weight,
      shareKobo: settlementParts.shareKobo,
      feeKobo: settlementParts.feeKobo,
      vatKobo: settlementParts.vatKobo,
      whtKobo: settlementParts.whtKobo,
      netKobo: settlementParts.netKobo,
      struckKobo: sql`(select coalesce(sum(k.net_kobo), 0)::bigint from settlement_strikes k
        where k.settlement_id = ${settlementParts.settlementId} and k.backing_id = ${settlementParts.backingId})`.mapWith(
        settlementParts.netKobo,
      ),
      quantity: harvestParts.quantity,
      taken: harvestParts.taken,
      given: harvestParts.given,
      sold: harvestParts.sold,
      produceKobo: harvestParts.produceKobo,
      uncollectedAt: harvestParts.uncollectedAt,
    })
    .from(settlementParts)
    .innerJoin(users, eq(users.id, settlementParts.userId))
    .leftJoin(
      harvestParts,
      and(eq(harvestParts.harvestId, harvestId), eq(harvestParts.backingId, settlementParts.backingId)),
    )
    .where(eq(settlementParts.settlementId, settlementId))
    .orderBy(asc(settlementParts.backingId));
  const parts = new Map<string, SettledPart>();
  for (const { quantity, taken, given, sold, produceKobo, uncollectedAt, ...part } of found) {
    const allotted =
      quantity === null || taken === null || given === null || sold === null || produceKobo === null
        ? null
        : { quantity, given, sold, ...(uncollectedAt ? movedToSold(taken) : collected(taken, produceKobo)) };
    const before = parts.get(part.userId);
    parts.set(part.userId, before ? together(before, { ...part, allotted }) : { ...part, allotted });
  }
  return [...parts.values()];
}

const collected = (taken: bigint, produceKobo: Kobo) => ({ taken, uncollected: 0n, produceKobo });
const movedToSold = (uncollected: bigint) => ({ taken: 0n, uncollected, produceKobo: 0n });

function together(one: SettledPart, other: SettledPart): SettledPart {
  const { allotted: mine } = one;
  const { allotted: more } = other;
  return {
    ...one,
    weight: one.weight + other.weight,
    shareKobo: one.shareKobo + other.shareKobo,
    feeKobo: one.feeKobo + other.feeKobo,
    vatKobo: one.vatKobo + other.vatKobo,
    whtKobo: one.whtKobo + other.whtKobo,
    netKobo: one.netKobo + other.netKobo,
    struckKobo: one.struckKobo + other.struckKobo,
    allotted: mine &&
      more && {
        quantity: mine.quantity + more.quantity,
        taken: mine.taken + more.taken,
        uncollected: mine.uncollected + more.uncollected,
        given: mine.given + more.given,
        sold: mine.sold + more.sold,
        produceKobo: mine.produceKobo + more.produceKobo,
      },
  };
}

const maker = alias(users, "maker");
const approver = alias(users, "approver");
const exporter = alias(users, "exporter");

/** A run that was sent to the bank, with its lines; undefined before. */
export async function readRunRow(db: DbOrTx, runId: number): Promise<RunRow | undefined> {
  const [run] = await db
    .select({
      id: payoutRuns.id,
      totalKobo: payoutRuns.totalKobo,
      from: { bankName: ownAccounts.bankName, accountNumber: ownAccounts.accountNumber },
      madeBy: maker.fullName,
      approvedBy: approver.fullName,
      exportedBy: exporter.fullName,
      exportedAt: payoutRuns.exportedAt,
    })
    .from(payoutRuns)
    .innerJoin(ownAccounts, eq(ownAccounts.id, payoutRuns.ownAccountId))
    .innerJoin(maker, eq(maker.id, payoutRuns.madeBy))
    .innerJoin(approver, eq(approver.id, payoutRuns.approvedBy))
    .innerJoin(exporter, eq(exporter.id, payoutRuns.exportedBy))
    .where(eq(payoutRuns.id, runId));
  if (!run?.exportedAt) return undefined;
  const lines = await db
    .select({
      reference: payouts.reference,
      amountKobo: payouts.amountKobo,
      bankName: payeeAccounts.bankName,
      accountNumber: payeeAccounts.accountNumber,
      accountName: payeeAccounts.accountName,
    })
    .from(payoutRunLines)
    .innerJoin(payouts, eq(payouts.id, payoutRunLines.payoutId))
    .innerJoin(payeeAccounts, eq(payeeAccounts.id, payoutRunLines.payeeAccountId))
    .where(eq(payoutRunLines.runId, runId))
    .orderBy(asc(payoutRunLines.position));
  const { from, exportedAt, ...row } = run;
  return {
    ...row,
    exportedAt,
    fromAccount: maskedAccount(from),
    lines: lines.map(({ bankName, accountNumber, ...line }) => ({
      ...line,
      account: maskedAccount({ bankName, accountNumber }),
    })),
  };
}
