import { and, eq, gte, isNotNull } from "drizzle-orm";
import type { z } from "zod";
import { readProceeds } from "#server/books/events/harvests.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { harvestFiles, harvestParts, harvests } from "#server/db/schema/harvests.ts";
import { lockProject, lockRound } from "#server/features/projects/rounds/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type {
  chooseInput,
  createHarvestInput,
  createInsuranceInput,
  harvestIdInput,
  lowerQuantityInput,
  updateHarvestInput,
  withdrawHarvestInput,
} from "#shared/harvests/inputs.ts";
import { harvestLimits as limits, harvestTexts as texts } from "#shared/harvests/texts.ts";
import { lastSecondOfDay } from "#shared/lagos-time.ts";
import { formatQuantity, type HarvestOption } from "#shared/projects/terms-texts.ts";
import { tellLowered, tellOpened, tellWithdrawn } from "./notices.ts";
import {
  allotHarvest,
  freezeWeights,
  type Harvest,
  lockHarvest,
  type RoundTerms,
  readTerms,
  unfreezeWeights,
} from "./rows.ts";

/** A harvest from its draft to the day on which everybody has chosen. */

type Facts = { quantity: bigint; note: string };

/** Below 90 % of the plan people read why, and see it. */
const isShort = (quantity: bigint, { plannedQuantity, plannedHarvests }: RoundTerms): boolean =>
  plannedQuantity !== null &&
  quantity * 10_000n * BigInt(plannedHarvests ?? 1) < plannedQuantity * BigInt(limits.shortRate);

function requireReason({ quantity, note }: Facts, terms: RoundTerms): void {
  if (!isShort(quantity, terms) || note.length >= limits.noteMin) return;
  throw new AppError("invalid", texts.shortNote, { fields: { note: [texts.shortNote] } });
}

async function nextNumber(tx: Tx, projectId: number, round: number): Promise<number> {
  return (await tx.$count(harvests, and(eq(harvests.projectId, projectId), eq(harvests.round, round)))) + 1;
}

/**
 * Begins a draft. Throws "not_found", "conflict" if the round isn't funded, or "invalid" if it is less than 90 % of the plan
 * and nobody says why.
 */
export async function createHarvest(ctx: ActorContext, input: z.output<typeof createHarvestInput>) {
  const { projectId, round, quantity, lostQuantity, referencePrice, note } = input;
  return inTransaction(ctx.db, async (tx) => {
    const terms = await lockFunded(tx, projectId, round);
    requireReason(input, terms);
    const facts = { quantity, lostQuantity, referencePriceKobo: referencePrice, note, isInsurance: false };
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
    "isInsurance" | "note" | "quantity" | "lostQuantity" | "referencePriceKobo"
  >;
};

async function insertHarvest(tx: Tx, ctx: ActorContext, { projectId, round, facts }: New) {
  const project = await lockProject(tx, projectId);
  const at = ctx.clock.now();
  const number = await nextNumber(tx, projectId, round);
  const about = { projectId, projectTitle: project.title, round, number, createdBy: ctx.actor.id };
  const [harvest] = await tx
    .insert(harvests)
    .values({ ...about, ...facts, createdAt: at, updatedAt: at })
    .returning();
  if (!harvest) throw new Error("the harvest was not written");
  await recordAudit(tx, ctx, "create_harvest", factsOf(harvest));
  return { harvestId: harvest.id };
}

/** What the audit log keeps of a harvest. */
export const factsOf = ({ id, projectId, projectTitle, round, number, isInsurance, quantity }: Harvest) => ({
  harvestId: id,
  projectId,
  title: projectTitle,
  round,
  number,
  ...(isInsurance ? { isInsurance } : { quantity: String(quantity) }),
});

/** Changes a draft. Throws "conflict" if it isn't one any more, or somebody changed it since the form was filled. */
export async function updateHarvest(ctx: ActorContext, input: z.output<typeof updateHarvestInput>): Promise<void> {
  const { harvestId, seenAt, quantity, lostQuantity, referencePrice: referencePriceKobo, note } = input;
  await inTransaction(ctx.db, async (tx) => {
    const harvest = await lockDraft(tx, harvestId);
    if (harvest.updatedAt.getTime() !== seenAt.getTime()) throw new AppError("conflict", texts.changed);
    requireReason(input, await readTerms(tx, harvest));
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

async function lockDraft(tx: Tx, harvestId: number): Promise<Harvest> {
  const harvest = await lockHarvest(tx, harvestId);
  if (harvest.state !== "draft" || harvest.isInsurance) throw new AppError("conflict", texts.notDraft);
  return harvest;
}

/** The number of photos and documents of the harvest itself. */
export async function countEvidence(tx: Tx, harvestId: number): Promise<number> {
  return tx.$count(harvestFiles, and(eq(harvestFiles.harvestId, harvestId), eq(harvestFiles.purpose, "harvest")));
}

/**
 * Opens a draft for choosing: what the backings count is frozen, and everyone with a part is told. Throws "conflict" if
 * nothing was harvested, or it is less than 90 % of the plan without reason and photo.
 */
export async function openHarvest(ctx: ActorContext, { harvestId }: z.output<typeof harvestIdInput>): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const harvest = await lockDraft(tx, harvestId);
    const { quantity, note } = harvest;
    if (quantity === null || quantity === 0n) throw new AppError("conflict", texts.nothingToChoose);
    const terms = await readTerms(tx, harvest);
    requireReason({ quantity, note }, terms);
    if (isShort(quantity, terms) && (await countEvidence(tx, harvestId)) === 0) {
      throw new AppError("conflict", texts.shortPhoto);
    }
    const weights = await freezeWeights(tx, harvest);
    await tx.insert(harvestParts).values(weights.map((weight) => ({ harvestId, ...weight })));
    const openedAt = ctx.clock.now();
    const choosesUntil = lastSecondOfDay(openedAt, terms.choiceDays);
    await tx
      .update(harvests)
      .set({ state: "choosing", openedAt, openedQuantity: quantity, choosesUntil, updatedAt: openedAt })
      .where(eq(harvests.id, harvestId));
    await recordAudit(tx, ctx, "open_harvest", { ...factsOf(harvest), choosesUntil: choosesUntil.toISOString() });
    await tellOpened(tx, ctx, { harvest: { ...harvest, choosesUntil }, terms });
  });
}

/**
 * Withdraws a draft, or a harvest that nobody has chosen about. If no other harvest of the round has begun, its payments can be
 * approved and taken back again. Throws "conflict" otherwise.
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
      .set({ state: "withdrawn", withdrawnAt: at, updatedAt: at })
      .where(eq(harvests.id, harvestId));
    const isUnfrozen = await unfreezeWeights(tx, harvest);
    await recordAudit(tx, ctx, "withdraw_harvest", { ...factsOf(harvest), reason, ...(isUnfrozen && { isUnfrozen }) });
    if (harvest.state === "choosing") await tellWithdrawn(tx, ctx, { harvest, reason });
  });
}

/** Lowers the quantity while backers choose. Throws as {@link requireLower}, and "conflict" where two owners do it. */
export async function lowerQuantity(ctx: ActorContext, input: z.output<typeof lowerQuantityInput>): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const harvest = await lockHarvest(tx, input.harvestId);
    await requireLower(tx, ctx, harvest, input.quantity);
    if (isSteepFall(harvest, input.quantity)) throw new AppError("conflict", texts.lowerSteep);
    await lowerTo(tx, ctx, harvest, input);
  });
}

/** Less than half of what backers were told when it opened: as a loss, two owners say so. */
export const isSteepFall = ({ openedQuantity }: Pick<Harvest, "openedQuantity">, quantity: bigint): boolean =>
  quantity * 10_000n < (openedQuantity ?? 0n) * BigInt(limits.steepRate);

/**
 * Throws "invalid" unless it is less and not nothing, and "conflict" unless backers choose, or if it is less than 90 % of the plan,
 * or of what was opened, without a photo from since the opening.
 */
export async function requireLower(tx: Tx, ctx: ActorContext, harvest: Harvest, quantity: bigint): Promise<void> {
  requireChoosing(harvest, ctx.clock.now());
  if (harvest.quantity === null || quantity >= harvest.quantity || quantity === 0n) {
    throw new AppError("invalid", texts.onlyLess, { fields: { quantity: [texts.onlyLess] } });
  }
  const { openedQuantity, openedAt, createdAt, id } = harvest;
  const isMuchLess = quantity * 10_000n < (openedQuantity ?? 0n) * BigInt(limits.shortRate);
  if (!isMuchLess && !isShort(quantity, await readTerms(tx, harvest))) return;
  const isOfHarvest = and(eq(harvestFiles.harvestId, id), eq(harvestFiles.purpose, "harvest"));
  const since = gte(harvestFiles.createdAt, openedAt ?? createdAt);
  if ((await tx.$count(harvestFiles, and(isOfHarvest, since))) === 0) throw new AppError("conflict", texts.lowerPhoto);
}

/** Lowers the quantity: what backers chose is cut in proportion, and they are told why. */
export async function lowerTo(
  tx: Tx,
  ctx: ActorContext,
  harvest: Harvest,
  { quantity, reason, requestId }: { quantity: bigint; reason: string; requestId?: number },
): Promise<void> {
  const changed = { quantity, note: reason, updatedAt: ctx.clock.now() };
  await tx.update(harvests).set(changed).where(eq(harvests.id, harvest.id));
  const before = String(harvest.quantity);
  await recordAudit(tx, ctx, "lower_harvest", {
    ...factsOf(harvest),
    before,
    quantity: String(quantity),
    reason,
    ...(requestId !== undefined && { requestId }),
  });
  const terms = await readTerms(tx, harvest);
  await tellLowered(tx, ctx, { harvest: { ...harvest, quantity }, terms, reason });
}

function requireChoosing({ state, choosesUntil }: Harvest, now: Date): void {
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

/** What the terms don't offer isn't chosen. What is left open is sold all the same. */
function requireOffered(options: readonly HarvestOption[], chosen: Record<HarvestOption, bigint>): void {
  const isRefused = (["produce", "give_away"] as const).some(
    (option) => chosen[option] > 0n && !options.includes(option),
  );
  if (isRefused) throw new AppError("invalid", texts.notOffered);
}
