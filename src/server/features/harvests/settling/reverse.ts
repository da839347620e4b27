import { and, eq, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { type Divided, postSettlement } from "#server/books/events/harvests.ts";
import { lockTaxes } from "#server/books/locks.ts";
import { moneyOfSaleTable } from "#server/books/sales.ts";
import { readTaxOwed } from "#server/books/sums.ts";
import { inTransaction, rows, type Tx } from "#server/db/open.ts";
import { harvests } from "#server/db/schema/harvests.ts";
import { settlements } from "#server/db/schema/settlements.ts";
import { settlementStrikes } from "#server/db/schema/strikes.ts";
import { factsOf, lockHarvest } from "#server/features/harvests/harvest-rows.ts";
import { replacePapers } from "#server/features/papers/service.ts";
import { cancelPayouts, owedBy } from "#server/features/payouts/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { reverseSettlementInput } from "#shared/harvests/inputs.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";

/**
 * Takes a settlement back while no payout of it has left "due": nothing of it is owed any more, and its money can be settled
 * again. Throws "conflict" otherwise.
 */
export async function reverseSettlement(
  ctx: ActorContext,
  { settlementId, reason }: z.output<typeof reverseSettlementInput>,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const isIt = eq(settlements.id, settlementId);
    const [found] = await tx.select({ harvestId: settlements.harvestId }).from(settlements).where(isIt);
    if (!found) throw new AppError("not_found", texts.settlementGone);
    const harvest = await lockHarvest(tx, found.harvestId);
    const [settlement] = await tx.select().from(settlements).where(isIt).for("no key update");
    if (!settlement || settlement.reversedAt !== null) throw new AppError("conflict", texts.reversedAlready);
    if (harvest.state === "done") throw new AppError("conflict", texts.payoutLeft);
    if (await isMissing(tx, settlement)) throw new AppError("conflict", texts.settledTakenBack);
    const at = ctx.clock.now();
    const cancelled = await cancelPayouts(tx, { settlementId, at, refusal: texts.payoutLeft });
    const nets = owedBy(cancelled).map(({ userId, amountKobo: netKobo }) => ({ userId, netKobo }));
    const divided = await readStanding(tx, settlement);
    await requireTaxesKept(tx, divided);
    await tx.update(settlements).set({ reversedAt: at, reversedBy: ctx.actor.id, reversedReason: reason }).where(isIt);
    await replacePapers(tx, { settlementId }, at);
    await postSettlement(tx, "settlement_reversed", { harvest, divided, nets, actorId: ctx.actor.id, at });
    const others = await tx.$count(
      settlements,
      and(eq(settlements.harvestId, harvest.id), isNull(settlements.reversedAt)),
    );
    if (others === 0) {
      const state = harvest.isInsurance ? ("draft" as const) : ("allotted" as const);
      await tx.update(harvests).set({ state, updatedAt: at }).where(eq(harvests.id, harvest.id));
    }
    await recordAudit(tx, ctx, "reverse_settlement", { ...factsOf(harvest), settlementId, reason });
  });
}

/** True if the bank took money of the settlement's pool back, which would be shared again. */
async function isMissing(tx: Tx, { harvestId, pool }: typeof settlements.$inferSelect): Promise<boolean> {
  const found = await rows(
    tx,
    sql`select 1 from harvest_sales s cross join lateral ${moneyOfSaleTable} money
      where s.harvest_id = ${harvestId} and s.pool = ${pool} and money.away > s.lost_kobo limit 1`,
  );
  return found.length > 0;
}

/** Reads a settlement without the shares that strikes took out of it. */
async function readStanding(tx: Tx, settlement: typeof settlements.$inferSelect): Promise<Divided> {
  const struck = await tx.select().from(settlementStrikes).where(eq(settlementStrikes.settlementId, settlement.id));
  const divided: Divided = { ...settlement };
  for (const { shareKobo, feeKobo, vatKobo, whtKobo } of struck) {
    divided.proceedsKobo -= shareKobo;
    divided.feeKobo -= feeKobo;
    divided.vatKobo -= vatKobo;
    divided.whtKobo -= whtKobo;
  }
  return divided;
}

/** Throws "conflict" if taxes of the settlement were passed on already: without it more would be passed on than is owed. */
async function requireTaxesKept(tx: Tx, { vatKobo, whtKobo }: Divided): Promise<void> {
  if (vatKobo === 0n && whtKobo === 0n) return;
  await lockTaxes(tx);
  const isPassedOn = vatKobo > (await readTaxOwed(tx, "vat")) || whtKobo > (await readTaxOwed(tx, "wht"));
  if (isPassedOn) throw new AppError("conflict", texts.taxPassedOn);
}
