import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { secondPersonKind } from "#server/accounts/owners/second-person-kind.ts";
import { postDeclaredSale } from "#server/books/events/harvests.ts";
import type { Tx } from "#server/db/open.ts";
import { harvestSales } from "#server/db/schema/harvests.ts";
import { ledgerTransactions } from "#server/db/schema/ledger.ts";
import { hasSaleEvidence } from "#server/features/harvests/harvest-files.ts";
import {
  factsOf,
  findProject,
  isAllotted,
  nameOfHarvest,
  requireAllotted,
} from "#server/features/harvests/harvest-rows.ts";
import { readPoolProceeds, requirePool } from "#server/features/harvests/settling/pool.ts";
import { recordAudit } from "#server/platform/audit.ts";
import { AppError } from "#server/platform/errors.ts";
import { declareSaleDetails } from "#shared/harvests/inputs.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";
import { formatNaira } from "#shared/money.ts";
import { findSale, lockSale, readMatchedOf, requireNothingOf } from "./sales.ts";

/**
 * Requests to a second owner about a sale: its money came though no line shows it, it didn't come after all, or nobody waits
 * for it any more.
 */

type SaleSum = z.output<typeof declareSaleDetails>;

async function requireMissing(tx: Tx, { saleId, amountKobo }: SaleSum) {
  const { sale, harvest } = await lockSale(tx, saleId);
  // A harvest that was lost or withdrawn since has no settlement, so its money would stay.
  requireAllotted(harvest);
  await requirePool(tx, harvest, sale.pool);
  const missingKobo = sale.amountKobo - (await readMatchedOf(tx, saleId));
  if (sale.takenBackAt !== null) throw new AppError("conflict", texts.saleTakenBack);
  const wasDeclared = and(eq(ledgerTransactions.saleId, saleId), eq(ledgerTransactions.kind, "sale_declared"));
  if (sale.declaredAt === null && (await tx.$count(ledgerTransactions, wasDeclared)) > 0) {
    throw new AppError("conflict", texts.saleTakenBack);
  }
  if (sale.declaredAt !== null || missingKobo <= 0n) throw new AppError("conflict", texts.saleArrived);
  if (missingKobo !== BigInt(amountKobo)) throw new AppError("conflict", texts.changed);
  if (!(await hasSaleEvidence(tx, saleId))) throw new AppError("conflict", texts.evidenceFirst);
  return { sale, harvest, missingKobo };
}

export const declareSaleKind = secondPersonKind({
  schema: declareSaleDetails,
  subjectOf: ({ saleId }) => String(saleId),
  describe: async (db, { saleId, amountKobo }) => {
    const found = await findSale(db, saleId);
    if (!found) return null;
    const { sale, harvest } = found;
    const amount = formatNaira(BigInt(amountKobo));
    return {
      title: `Declare ${amount} of a sale to ${sale.buyer} as received`,
      consequences: [
        `It is for ${nameOfHarvest(harvest)}. No line of a statement shows it.`,
        "The money is settled among the farm and its backers as if it were in the bank.",
      ],
      isPossible:
        isAllotted(harvest) &&
        sale.declaredAt === null &&
        sale.takenBackAt === null &&
        sale.amountKobo - (await readMatchedOf(db, saleId)) === BigInt(amountKobo),
      projectId: await findProject(db, harvest),
    };
  },
  require: async (tx, _ctx, details) => void (await requireMissing(tx, details)),
  act: async (tx, ctx, { details, requestId, reason }) => {
    const { sale, harvest, missingKobo } = await requireMissing(tx, details);
    const at = ctx.clock.now();
    const { id: saleId } = sale;
    await tx.update(harvestSales).set({ declaredAt: at, requestId }).where(eq(harvestSales.id, saleId));
    const posted = { saleId, harvestId: harvest.id, amountKobo: missingKobo, actorId: ctx.actor.id, at };
    await postDeclaredSale(tx, "sale_declared", posted);
    const facts = { ...factsOf(harvest), saleId, amountKobo: missingKobo.toString(), requestId, reason };
    await recordAudit(tx, ctx, "declare_sale", facts);
  },
});

/** Throws "conflict" unless so much of a declared sale is neither shown by a line nor settled. */
async function requireTakenBack(tx: Tx, { saleId, amountKobo }: SaleSum) {
  const { sale, harvest } = await lockSale(tx, saleId);
  if (sale.declaredAt === null) throw new AppError("conflict", texts.notDeclared);
  const unmatchedKobo = sale.amountKobo - (await readMatchedOf(tx, saleId));
  if (unmatchedKobo <= 0n) throw new AppError("conflict", texts.saleSeen);
  if (unmatchedKobo !== BigInt(amountKobo)) throw new AppError("conflict", texts.changed);
  if ((await readPoolProceeds(tx, harvest.id, sale.pool)) < unmatchedKobo) {
    throw new AppError("conflict", texts.saleSettled);
  }
  return { sale, harvest, unmatchedKobo };
}

/** Takes a declaration back. The matched part of the sale stays received; the rest is expected again. */
export const takeBackSaleKind = secondPersonKind({
  schema: declareSaleDetails,
  subjectOf: ({ saleId }) => String(saleId),
  describe: async (db, { saleId, amountKobo }) => {
    const found = await findSale(db, saleId);
    if (!found) return null;
    const { sale, harvest } = found;
    const amount = formatNaira(BigInt(amountKobo));
    const matchedKobo = await readMatchedOf(db, saleId);
    const unmatchedKobo = sale.amountKobo - matchedKobo;
    return {
      title: `Take back that ${amount} of a sale to ${sale.buyer} came`,
      consequences: [
        `It is for ${nameOfHarvest(harvest)}, and isn't settled yet.`,
        matchedKobo > 0n
          ? `${texts.restWaits} It can't be declared again.`
          : "The money isn't settled, and the sale can be removed. It can't be declared again.",
      ],
      isPossible:
        sale.declaredAt !== null &&
        unmatchedKobo === BigInt(amountKobo) &&
        (await readPoolProceeds(db, harvest.id, sale.pool)) >= unmatchedKobo,
      projectId: await findProject(db, harvest),
    };
  },
  require: async (tx, _ctx, details) => void (await requireTakenBack(tx, details)),
  act: async (tx, ctx, { details, requestId, reason }) => {
    const { sale, harvest, unmatchedKobo } = await requireTakenBack(tx, details);
    const at = ctx.clock.now();
    const { id: saleId } = sale;
    const takenBack = { declaredAt: null, requestId: null, takenBackAt: at, takenBackRequestId: requestId };
    await tx.update(harvestSales).set(takenBack).where(eq(harvestSales.id, saleId));
    const posted = { saleId, harvestId: harvest.id, amountKobo: unmatchedKobo, actorId: ctx.actor.id, at };
    await postDeclaredSale(tx, "sale_taken_back", posted);
    const facts = { ...factsOf(harvest), saleId, amountKobo: unmatchedKobo.toString(), requestId, reason };
    await recordAudit(tx, ctx, "take_back_sale", facts);
  },
});

async function requirePromise(tx: Tx, { saleId, amountKobo }: SaleSum) {
  const { sale, harvest } = await lockSale(tx, saleId);
  await requireNothingOf(tx, sale);
  if (sale.amountKobo !== BigInt(amountKobo)) throw new AppError("conflict", texts.changed);
  return { sale, harvest };
}

/** Removes a sale of which nothing has arrived: nobody waits for that buyer's or insurer's money any more. */
export const removeSaleKind = secondPersonKind({
  schema: declareSaleDetails,
  subjectOf: ({ saleId }) => String(saleId),
  describe: async (db, { saleId, amountKobo }) => {
    const found = await findSale(db, saleId);
    if (!found) return null;
    const { sale, harvest } = found;
    const amount = formatNaira(BigInt(amountKobo));
    return {
      title: `Remove the ${amount} that ${sale.buyer} is to pay`,
      consequences: [
        harvest.isInsurance
          ? `It is an insurer's sum for round ${harvest.round} of ${harvest.projectTitle}. Nothing of it has arrived.`
          : `It is a sale of ${nameOfHarvest(harvest)}. Nothing of it has arrived.`,
        `Nobody waits for the ${amount} any more, and the backers get nothing of it.`,
      ],
      isPossible: sale.declaredAt === null && (await readMatchedOf(db, saleId)) === 0n,
      projectId: await findProject(db, harvest),
    };
  },
  require: async (tx, _ctx, details) => void (await requirePromise(tx, details)),
  act: async (tx, ctx, { details, requestId, reason }) => {
    const { sale, harvest } = await requirePromise(tx, details);
    await tx
      .update(harvestSales)
      .set({ removedAt: ctx.clock.now(), removedBy: ctx.actor.id })
      .where(eq(harvestSales.id, sale.id));
    const { buyer } = sale;
    await recordAudit(tx, ctx, "remove_harvest_sale", {
      ...factsOf(harvest),
      saleId: sale.id,
      buyer,
      amountKobo: details.amountKobo,
      requestId,
      reason,
    });
  },
});
