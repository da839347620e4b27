import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { inTransaction } from "#server/db/open.ts";
import { harvestParts } from "#server/db/schema/harvests.ts";
import { type Harvest, lockHarvest, readTerms } from "#server/features/harvests/harvest-rows.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { chooseInput } from "#shared/harvests/inputs.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";
import { formatQuantity, type HarvestOption } from "#shared/projects/terms-texts.ts";
import { allotHarvest } from "./current-shares.ts";

export function requireChoosing({ state, choosesUntil }: Harvest, now: Date): void {
  if (state !== "choosing" || choosesUntil === null || choosesUntil < now) {
    throw new AppError("conflict", texts.notChoosing);
  }
}

/**
 * Keeps what a backer wants of their part; what is neither taken nor given away is sold. It may change until the last second
 * of the last day. Throws "not_found" without a part, "conflict" when choosing is over, or "invalid".
 */
export async function choose(ctx: ActorContext, input: z.output<typeof chooseInput>): Promise<void> {
  const { harvestId, taken, given } = input;
  await inTransaction(ctx.db, async (tx) => {
    const harvest = await lockHarvest(tx, harvestId);
    const isMine = and(eq(harvestParts.harvestId, harvestId), eq(harvestParts.userId, ctx.actor.id));
    const [part] = await tx.select().from(harvestParts).where(isMine);
    if (!part) throw new AppError("not_found", texts.noPart);
    const now = ctx.clock.now();
    requireChoosing(harvest, now);
    const terms = await readTerms(tx, harvest);
    const mine = (await allotHarvest(tx, harvest, terms)).rows.find(({ backingId }) => backingId === part.backingId);
    if (!mine) throw new Error(`backing ${part.backingId} has no part of harvest ${harvestId}`);
    if (taken + given > mine.quantity) {
      const message = texts.tooMuch(formatQuantity(mine.quantity, terms.unit));
      throw new AppError("invalid", message, { fields: { taken: [message] } });
    }
    const sold = mine.quantity - taken - given;
    requireOffered(terms.options, { produce: taken, give_away: given, sale: sold });
    await tx
      .update(harvestParts)
      .set({ chosenTaken: taken, chosenGiven: given, chosenSold: sold, chosenAt: now })
      .where(and(isMine, eq(harvestParts.backingId, part.backingId)));
  });
}

/** Throws "invalid" if the choice takes or gives away what the terms don't offer. The rest is always sold. */
function requireOffered(options: readonly HarvestOption[], chosen: Record<HarvestOption, bigint>): void {
  const isRefused = (["produce", "give_away"] as const).some(
    (option) => chosen[option] > 0n && !options.includes(option),
  );
  if (isRefused) throw new AppError("invalid", texts.notOffered);
}
