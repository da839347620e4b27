import { eq } from "drizzle-orm";
import type { z } from "zod";
import { secondPersonKind } from "#server/accounts/owners/second-person-kind.ts";
import { postSaleLost } from "#server/books/events/harvests.ts";
import { readSaleMoney } from "#server/books/sales.ts";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { harvestSales } from "#server/db/schema/harvests.ts";
import { factsOf, findProject, isWithoutSales, nameOfHarvest } from "#server/features/harvests/harvest-rows.ts";
import { recordAudit } from "#server/platform/audit.ts";
import { AppError } from "#server/platform/errors.ts";
import { changeSaleDetails, declareSaleDetails } from "#shared/harvests/inputs.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";
import { formatNaira } from "#shared/money.ts";
import { findSale, lockSale, readMatchedOf, type Sale } from "./sales.ts";

/** Requests to a second owner: a sale was for another amount, or money of it that the bank took back won't come again. */

type Change = z.output<typeof changeSaleDetails>;

/** Returns why a sale can't have another amount; null if it can. */
async function findChangeRefusal(db: DbOrTx, sale: Sale, amountKobo: bigint): Promise<string | null> {
  if (sale.declaredAt !== null) return texts.declaredAmount;
  return amountKobo < (await readMatchedOf(db, sale.id)) ? texts.lessThanArrived : null;
}

async function requireChange(tx: Tx, { saleId, amountKobo, seenKobo }: Change) {
  const { sale, harvest } = await lockSale(tx, saleId);
  if (sale.amountKobo !== BigInt(seenKobo) || harvest.state === "done" || isWithoutSales(harvest)) {
    throw new AppError("conflict", texts.changed);
  }
  if (amountKobo === seenKobo) throw new AppError("conflict", texts.sameAmount);
  const refusal = await findChangeRefusal(tx, sale, BigInt(amountKobo));
  if (refusal !== null) throw new AppError("conflict", refusal);
  return { sale, harvest };
}

/** Writes down that a buyer pays more or less than was typed. Nothing is posted before it comes. */
export const changeSaleKind = secondPersonKind({
  schema: changeSaleDetails,
  subjectOf: ({ saleId }) => String(saleId),
  describe: async (db, { saleId, amountKobo, seenKobo }) => {
    const found = await findSale(db, saleId);
    if (!found) return null;
    const { sale, harvest } = found;
    const matchedKobo = await readMatchedOf(db, saleId);
    return {
      title: `Change what ${sale.buyer} pays from ${formatNaira(BigInt(seenKobo))} to ${formatNaira(BigInt(amountKobo))}`,
      consequences: [
        `It is a sale of ${nameOfHarvest(harvest)}. ${formatNaira(matchedKobo)} of it has come.`,
        `${formatNaira(BigInt(amountKobo) - matchedKobo)} is waited for from then on.`,
      ],
      isPossible:
        sale.amountKobo === BigInt(seenKobo) &&
        harvest.state !== "done" &&
        !isWithoutSales(harvest) &&
        (await findChangeRefusal(db, sale, BigInt(amountKobo))) === null,
      projectId: await findProject(db, harvest),
    };
  },
  require: async (tx, _ctx, details) => void (await requireChange(tx, details)),
  act: async (tx, ctx, { details, requestId, reason }) => {
    const { sale, harvest } = await requireChange(tx, details);
    const { amountKobo, seenKobo } = details;
    await tx
      .update(harvestSales)
      .set({ amountKobo: BigInt(amountKobo) })
      .where(eq(harvestSales.id, sale.id));
    const facts = { ...factsOf(harvest), saleId: sale.id, buyer: sale.buyer, beforeKobo: seenKobo, amountKobo };
    await recordAudit(tx, ctx, "change_sale", { ...facts, requestId, reason });
  },
});

type Loss = z.output<typeof declareSaleDetails>;

async function requireLost(tx: Tx, { saleId, amountKobo }: Loss) {
  const { sale, harvest } = await lockSale(tx, saleId);
  const { receivableKobo } = await readSaleMoney(tx, saleId);
  if (receivableKobo === 0n) throw new AppError("conflict", texts.nothingOfSaleLost);
  if (receivableKobo !== BigInt(amountKobo)) throw new AppError("conflict", texts.changed);
  return { sale, harvest };
}

/** Books what the bank took back of a sale after it was settled as a loss: its buyer won't pay it again. */
export const loseSaleKind = secondPersonKind({
  schema: declareSaleDetails,
  subjectOf: ({ saleId }) => String(saleId),
  describe: async (db, { saleId, amountKobo }) => {
    const found = await findSale(db, saleId);
    if (!found) return null;
    const { sale, harvest } = found;
    const amount = formatNaira(BigInt(amountKobo));
    return {
      title: `Book ${amount} of the sale to ${sale.buyer} as a loss`,
      consequences: [
        `The bank took it back after it was settled. It is of ${nameOfHarvest(harvest)}.`,
        `What the farm and its backers got stays theirs, so the ${amount} are the platform's loss. Nobody waits for it any more.`,
      ],
      isPossible: (await readSaleMoney(db, saleId)).receivableKobo === BigInt(amountKobo),
      projectId: await findProject(db, harvest),
    };
  },
  require: async (tx, _ctx, details) => void (await requireLost(tx, details)),
  act: async (tx, ctx, { details, requestId, reason }) => {
    const { sale, harvest } = await requireLost(tx, details);
    const amountKobo = BigInt(details.amountKobo);
    await tx
      .update(harvestSales)
      .set({ lostKobo: sale.lostKobo + amountKobo })
      .where(eq(harvestSales.id, sale.id));
    await postSaleLost(tx, { saleId: sale.id, amountKobo, actorId: ctx.actor.id, at: ctx.clock.now() });
    const facts = { ...factsOf(harvest), saleId: sale.id, buyer: sale.buyer, amountKobo: details.amountKobo };
    await recordAudit(tx, ctx, "lose_sale", { ...facts, requestId, reason });
  },
});
