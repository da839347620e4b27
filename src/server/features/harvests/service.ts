import { and, eq, isNotNull } from "drizzle-orm";
import type { z } from "zod";
import { readProceeds } from "#server/books/events/harvests.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { harvestParts, harvests } from "#server/db/schema/harvests.ts";
import { unfreezeWeights } from "#server/features/harvests/choosing/weights.ts";
import { lockProject, lockRound } from "#server/features/projects/rounds/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { lockKeepersRight } from "#server/platform/farm-rights.ts";
import type {
  createHarvestInput,
  createInsuranceInput,
  seenDraftInput,
  updateHarvestInput,
  withdrawHarvestInput,
} from "#shared/harvests/inputs.ts";
import { isShort, plannedAt } from "#shared/harvests/plan.ts";
import { harvestLimits as limits, harvestTexts as texts } from "#shared/harvests/texts.ts";
import {
  factsOf,
  findNextPlace,
  type Harvest,
  lockHarvest,
  moveDraftsUp,
  plannedOf,
  type RoundTerms,
  readTerms,
} from "./harvest-rows.ts";
import { notifyHarvestEntered, notifyWithdrawn } from "./notices.ts";

/** A harvest from its draft to its opening, and its withdrawal. */

type Facts = { quantity: bigint; note: string };

/** Throws "invalid" if a quantity is less than 90 % of what was planned and nobody says why. */
export function requireReason({ quantity, note }: Facts, planned: bigint | null): void {
  if (!isShort(quantity, planned) || note.length >= limits.noteMin) return;
  throw new AppError("invalid", texts.shortNote, { fields: { note: [texts.shortNote] } });
}

async function nextNumber(tx: Tx, projectId: number, round: number): Promise<number> {
  return (await tx.$count(harvests, and(eq(harvests.projectId, projectId), eq(harvests.round, round)))) + 1;
}

/**
 * Begins a draft. Throws "not_found", "conflict" if the round isn't funded, or "invalid" if it is less than 90 % of its plan
 * and nobody says why.
 */
export async function createHarvest(ctx: ActorContext, input: z.output<typeof createHarvestInput>) {
  const { projectId, round, quantity, lostQuantity, referencePrice, note } = input;
  return inTransaction(ctx.db, async (tx) => {
    const terms = await lockFunded(tx, projectId, round);
    const place = await findNextPlace(tx, input);
    requireReason(input, plannedAt(terms, place));
    const facts = { place, quantity, lostQuantity, referencePriceKobo: referencePrice, note, isInsurance: false };
    return insertHarvest(tx, ctx, { projectId, round, facts });
  });
}

/** Begins an insurer's sum for a round: without quantity, divided by what the backings count. Throws as above. */
export async function createInsurance(ctx: ActorContext, input: z.output<typeof createInsuranceInput>) {
  const { projectId, round, note } = input;
  return inTransaction(ctx.db, async (tx) => {
    await lockFunded(tx, projectId, round);
    return insertHarvest(tx, ctx, { projectId, round, facts: { note, isInsurance: true } });
  });
}

async function lockFunded(tx: Tx, projectId: number, number: number): Promise<RoundTerms> {
  const project = await lockProject(tx, projectId);
  if (number > project.round) throw new AppError("conflict", texts.notFunded);
  const round = await lockRound(tx, { projectId, round: number });
  if (round.outcome !== "funded") throw new AppError("conflict", texts.notFunded);
  return readTerms(tx, round);
}

type New = {
  projectId: number;
  round: number;
  facts: Pick<
    typeof harvests.$inferInsert,
    "isInsurance" | "place" | "note" | "quantity" | "lostQuantity" | "referencePriceKobo"
  >;
};

async function insertHarvest(tx: Tx, ctx: ActorContext, { projectId, round, facts }: New) {
  const project = await lockProject(tx, projectId);
  await lockKeepersRight(tx, ctx);
  const at = ctx.clock.now();
  const number = await nextNumber(tx, projectId, round);
  const about = { projectId, projectTitle: project.title, round, number, createdBy: ctx.actor.id };
  const [harvest] = await tx
    .insert(harvests)
    .values({ ...about, ...facts, createdAt: at, updatedAt: at })
    .returning();
  if (!harvest) throw new Error("the harvest was not written");
  await recordAudit(tx, ctx, "create_harvest", factsOf(harvest));
  await notifyHarvestEntered(tx, ctx, harvest);
  return { harvestId: harvest.id };
}

/** Changes a draft. Throws "conflict" if it isn't one any more, or somebody changed it since the form was filled. */
export async function updateHarvest(ctx: ActorContext, input: z.output<typeof updateHarvestInput>): Promise<void> {
  const { harvestId, quantity, lostQuantity, referencePrice: referencePriceKobo, note } = input;
  await inTransaction(ctx.db, async (tx) => {
    const harvest = await lockSeenDraft(tx, input);
    await lockKeepersRight(tx, ctx);
    requireReason(input, plannedOf(harvest, await readTerms(tx, harvest)));
    await tx
      .update(harvests)
      .set({ quantity, lostQuantity, referencePriceKobo, note, updatedAt: ctx.clock.now() })
      .where(eq(harvests.id, harvestId));
    await recordAudit(tx, ctx, "edit_harvest", {
      ...factsOf(harvest),
      before: String(harvest.quantity),
      after: String(quantity),
    });
  });
}

/** Locks a draft. Throws "conflict" if the harvest was opened or is an insurance sum. */
export async function lockDraft(tx: Tx, harvestId: number): Promise<Harvest> {
  const harvest = await lockHarvest(tx, harvestId);
  if (harvest.state !== "draft" || harvest.isInsurance) throw new AppError("conflict", texts.notDraft);
  return harvest;
}

/** Locks a draft as the caller saw it. Throws "conflict" too if somebody changed it since. */
export async function lockSeenDraft(tx: Tx, { harvestId, seenAt }: z.output<typeof seenDraftInput>): Promise<Harvest> {
  const harvest = await lockDraft(tx, harvestId);
  if (harvest.updatedAt.getTime() !== seenAt.getTime()) throw new AppError("conflict", texts.changed);
  return harvest;
}

/**
 * Withdraws a draft, or a harvest that nobody has chosen about. If no other harvest of the round has begun, its
 * payments can be approved and taken back again. Throws "conflict" otherwise.
 */
export async function withdrawHarvest(ctx: ActorContext, input: z.output<typeof withdrawHarvestInput>): Promise<void> {
  const { harvestId, reason } = input;
  await inTransaction(ctx.db, async (tx) => {
    const harvest = await lockHarvest(tx, harvestId);
    if (harvest.state !== "draft" && harvest.state !== "choosing") throw new AppError("conflict", texts.notDraft);
    const chosen = await tx.$count(
      harvestParts,
      and(eq(harvestParts.harvestId, harvestId), isNotNull(harvestParts.chosenAt)),
    );
    if (chosen > 0) throw new AppError("conflict", texts.choicesMade);
    if ((await readProceeds(tx, harvestId)) !== 0n) throw new AppError("conflict", texts.soldAlready);
    const at = ctx.clock.now();
    await tx
      .update(harvests)
      .set({ state: "withdrawn", place: null, withdrawnAt: at, updatedAt: at })
      .where(eq(harvests.id, harvestId));
    await moveDraftsUp(tx, harvest);
    const isUnfrozen = await unfreezeWeights(tx, harvest);
    await recordAudit(tx, ctx, "withdraw_harvest", { ...factsOf(harvest), reason, ...(isUnfrozen && { isUnfrozen }) });
    if (harvest.state === "choosing") await notifyWithdrawn(tx, ctx, { harvest, reason });
  });
}
