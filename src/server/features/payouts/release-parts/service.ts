import { and, eq, isNull } from "drizzle-orm";
import type { z } from "zod";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { releaseAsks, releaseProofs, releaseSkips } from "#server/db/schema/release-parts.ts";
import { photoFindings } from "#server/db/schema/update-photos.ts";
import { lockProject } from "#server/features/projects/rounds/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { holdFarmRight, requireFarmRight } from "#server/platform/farm-rights.ts";
import { formatDate } from "#shared/dates.ts";
import type {
  askForPartInput,
  decideProofFindingInput,
  refuseAskInput,
  releaseAskInput,
  skipPartDetails,
} from "#shared/payouts/release-parts.ts";
import { releasePartTexts as texts } from "#shared/payouts/release-parts-texts.ts";
import { notifyAsk, notifyOfDecision } from "./notices.ts";
import { keepProofs, readUploads } from "./proofs.ts";
import {
  findCheckRefusal,
  isCheckable,
  isOpenFindingOf,
  type PartKey,
  type ReleasePartRow,
  readParts,
} from "./queries.ts";

/**
 * A round's money goes to its farm in the parts of its terms: one asks for a part with proof, another checks it, and a third
 * releases it. Everything of a round happens behind the lock of its project.
 */

type Ask = typeof releaseAsks.$inferSelect;

/**
 * Reads the parts of a round, whose project is locked, and the one that is asked for. Throws "conflict" if the round
 * isn't funded.
 */
async function lockPart(tx: Tx, { part: number, ...key }: PartKey) {
  const project = await lockProject(tx, key.projectId);
  if (key.round > project.round) throw new AppError("not_found", texts.gone);
  const { parts, outcome, hasSteps, farmId } = await readParts(tx, key);
  const part = parts.find((one) => one.part === number);
  if (!part) throw new AppError("not_found", texts.gone);
  if (outcome !== "funded") throw new AppError("conflict", texts.notFunded);
  if (!hasSteps) throw new AppError("conflict", texts.noSteps);
  return { project, farmId, part, parts };
}

/** Refuses what is out of order: each earlier part is released, or left out. */
function requireEarlierReleased(parts: readonly ReleasePartRow[], number: number): void {
  const before = parts.find((one) => one.part < number && !one.isBehind);
  if (before) throw new AppError("conflict", texts.earlierFirst(before.part));
}

type Asking = z.output<typeof askForPartInput>;

/** The same by a keeper of the farm that ran the round. Throws "forbidden" for anybody else. */
export async function askAsKeeper(ctx: ActorContext, input: Asking): Promise<void> {
  await askForPart(ctx, input, async (tx) => {
    const { farmId } = await requireFarmRight({ db: tx, actor: ctx.actor }, input.projectId, "keep", input.round);
    await holdFarmRight(tx, { farmId, userId: ctx.actor.id, right: "keep" });
  });
}

/**
 * Asks for the next part of a round's money, with the proof that was agreed. Throws "not_found"; "conflict" if the
 * round isn't funded, the part was asked for, left out or released, isn't due yet, or an earlier one isn't released;
 * "invalid" without its proof. `requireRight` is asked once the project is locked.
 */
export async function askForPart(
  ctx: ActorContext,
  { note, fileIds, ...key }: Asking,
  requireRight?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const files = await readUploads(ctx, fileIds);
  await inTransaction(ctx.db, async (tx) => {
    const { project, farmId, part, parts } = await lockPart(tx, key);
    await requireRight?.(tx);
    requireAskable(part, ctx.clock.now());
    requireEarlierReleased(parts, key.part);
    if (part.proof !== "" && fileIds.length === 0) {
      throw new AppError("invalid", texts.proofNeeded(part.proof), {
        fields: { fileIds: [texts.proofNeeded(part.proof)] },
      });
    }
    const at = ctx.clock.now();
    const [ask] = await tx
      .insert(releaseAsks)
      .values({ ...key, note, askedBy: ctx.actor.id, createdAt: at })
      .returning();
    if (!ask) throw new Error("the ask was not written");
    await keepProofs(tx, ctx, { ask, fileIds, files });
    await recordAudit(tx, ctx, "ask_for_part", { ...factsOf(ask, project.title), proofs: fileIds.length });
    await notifyAsk(tx, ctx, { ask, part, parts: parts.length, project, farmId });
  });
}

function requireAskable({ state, askableFrom, releasableKobo }: ReleasePartRow, now: Date): void {
  if (state === "skipped") throw new AppError("conflict", texts.isSkipped);
  if (state === "released" || state === "paid") throw new AppError("conflict", texts.releasedAlready);
  if (state !== "planned" && state !== "refused") throw new AppError("conflict", texts.askedAlready);
  if (releasableKobo === 0n) throw new AppError("conflict", texts.nothingLeft);
  if (askableFrom === null || now < askableFrom) {
    throw new AppError("conflict", texts.notBefore(askableFrom ? formatDate(askableFrom) : "its funding"));
  }
}

/** Locks an ask with its project. Throws "not_found". */
async function lockAsk(tx: Tx, askId: number) {
  const [found] = await tx.select().from(releaseAsks).where(eq(releaseAsks.id, askId));
  if (!found) throw new AppError("not_found", texts.askGone);
  const locked = await lockPart(tx, found);
  const [ask] = await tx.select().from(releaseAsks).where(eq(releaseAsks.id, askId)).for("update");
  if (!ask) throw new AppError("not_found", texts.askGone);
  return { ask, ...locked };
}

/**
 * Says that what a part was asked for with is right. Throws "forbidden" to whom {@link findCheckRefusal} refuses;
 * "conflict" if it was decided already, or something that was noticed about its photos wasn't dismissed.
 */
export async function checkAsk(ctx: ActorContext, { askId }: z.output<typeof releaseAskInput>): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const { ask, project, farmId, part, parts } = await lockAsk(tx, askId);
    if (ask.verdict !== null) throw new AppError("conflict", texts.decidedAlready);
    const refusal = await findCheckRefusal(tx, { ...ask, farmId }, ctx.actor.id);
    if (refusal !== null) throw new AppError("forbidden", refusal);
    await requireFindingsDismissed(tx, askId);
    await decide(tx, ctx, ask, { verdict: "checked" });
    await recordAudit(tx, ctx, "check_part", factsOf(ask, project.title));
    await notifyOfDecision(tx, ctx, { ask, part, parts: parts.length, project, farmId, refusal: null });
  });
}

async function requireFindingsDismissed(tx: Tx, askId: number): Promise<void> {
  const found = await tx.select({ verdict: photoFindings.verdict }).from(photoFindings).where(isOpenFindingOf(askId));
  if (found.some(({ verdict }) => verdict === null)) throw new AppError("conflict", texts.findingsFirst);
  if (found.length > 0) throw new AppError("conflict", texts.findingConfirmed);
}

/**
 * Refuses what a part was asked for with, also once it was checked, while nothing of it is released. The farm reads
 * why, and may ask again. Throws "conflict" otherwise.
 */
export async function refuseAsk(ctx: ActorContext, { askId, refusal }: z.output<typeof refuseAskInput>): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const { ask, project, farmId, part, parts } = await lockAsk(tx, askId);
    if (ask.verdict === "refused") throw new AppError("conflict", texts.decidedAlready);
    if (part.releasedKobo > 0n) throw new AppError("conflict", texts.releasedAlready);
    await decide(tx, ctx, ask, { verdict: "refused", refusal });
    await recordAudit(tx, ctx, "refuse_part", { ...factsOf(ask, project.title), before: ask.verdict, refusal });
    await notifyOfDecision(tx, ctx, { ask, part, parts: parts.length, project, farmId, refusal });
  });
}

type Decision = { verdict: "checked" | "refused"; refusal?: string; requestId?: number };

async function decide(tx: Tx, ctx: ActorContext, ask: Ask, decision: Decision): Promise<void> {
  const decided = { ...decision, decidedBy: ctx.actor.id, decidedAt: ctx.clock.now() };
  await tx.update(releaseAsks).set(decided).where(eq(releaseAsks.id, ask.id));
}

/** Decides about what was noticed about a photo of an ask, which may be decided anew until the ask is. */
export async function decideProofFinding(
  ctx: ActorContext,
  { findingId, verdict }: z.output<typeof decideProofFindingInput>,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const askId = await findAskOfFinding(tx, findingId);
    if (askId === undefined) throw new AppError("not_found", texts.askGone);
    const { ask, project, farmId } = await lockAsk(tx, askId);
    if (ask.verdict !== null) throw new AppError("conflict", texts.decidedAlready);
    const refusal = await findCheckRefusal(tx, { ...ask, farmId }, ctx.actor.id);
    const isAlone = ask.askedBy === ctx.actor.id && !(await isCheckable(tx, { ...ask, farmId }));
    if (refusal !== null && !isAlone) throw new AppError("forbidden", refusal);
    const decided = { verdict, decidedBy: ctx.actor.id, decidedAt: ctx.clock.now() };
    const [finding] = await tx.update(photoFindings).set(decided).where(eq(photoFindings.id, findingId)).returning();
    await recordAudit(tx, ctx, "decide_proof_finding", {
      ...factsOf(ask, project.title),
      kind: finding?.kind,
      verdict,
    });
  });
}

/**
 * Refuses the release of a part that wasn't asked for and checked, if its terms name parts, or that comes before an
 * earlier one. The caller has locked the project.
 */
export async function requireChecked(tx: Tx, { part: number, ...key }: PartKey): Promise<void> {
  const { parts, hasSteps } = await readParts(tx, key);
  if (!hasSteps) return;
  requireEarlierReleased(parts, number);
  const ask = parts.find((one) => one.part === number)?.ask;
  if (ask?.verdict !== "checked") throw new AppError("conflict", texts.notChecked(number));
}

/** The same, but lets the only administrator there is release what they asked for themselves: nobody else could check it. */
export async function requireCheckedOrAlone(tx: Tx, key: PartKey): Promise<void> {
  const ask = await findUnchecked(tx, key);
  if (!ask) return requireChecked(tx, key);
  const { parts, farmId } = await readParts(tx, key);
  if (await isCheckable(tx, { ...ask, farmId })) throw new AppError("conflict", texts.notChecked(key.part));
  await requireFindingsDismissed(tx, ask.id);
  requireEarlierReleased(parts, key.part);
}

/** Checks, as two owners or the only one confirmed, what nobody else could check. */
export async function checkAlone(tx: Tx, ctx: ActorContext, { requestId, ...key }: PartKey & { requestId: number }) {
  await requireCheckedOrAlone(tx, key);
  const ask = await findUnchecked(tx, key);
  if (!ask) return;
  const project = await lockProject(tx, key.projectId);
  await decide(tx, ctx, ask, { verdict: "checked", requestId });
  await recordAudit(tx, ctx, "check_part", { ...factsOf(ask, project.title), requestId });
}

async function findUnchecked(tx: Tx, { projectId, round, part }: PartKey): Promise<Ask | undefined> {
  const isIt = and(eq(releaseAsks.projectId, projectId), eq(releaseAsks.round, round), eq(releaseAsks.part, part));
  const [ask] = await tx
    .select()
    .from(releaseAsks)
    .where(and(isIt, isNull(releaseAsks.verdict)));
  return ask;
}

type Skip = z.output<typeof skipPartDetails>;

/** Locks the part that is left out, or isn't any more. Throws "conflict" if that can't be. */
export async function lockSkippable(tx: Tx, { isSkipped, ...key }: Skip) {
  const locked = await lockPart(tx, key);
  const { part, parts } = locked;
  if (isSkipped) {
    if (part.state === "skipped") throw new AppError("conflict", texts.isSkipped);
    if (part.state !== "planned" && part.state !== "refused") throw new AppError("conflict", texts.cannotSkip);
    return locked;
  }
  if (part.state !== "skipped") throw new AppError("conflict", texts.notSkipped);
  const hasBegun = ({ state }: ReleasePartRow) => state !== "planned" && state !== "refused" && state !== "skipped";
  if (parts.some((one) => one.part > key.part && hasBegun(one))) throw new AppError("conflict", texts.cannotUnskip);
  return locked;
}

/** Leaves a part out, or takes that back, as two owners said. */
export async function skipPart(
  tx: Tx,
  ctx: ActorContext,
  { requestId, reason, ...details }: Skip & { requestId: number; reason: string },
): Promise<void> {
  const { project } = await lockSkippable(tx, details);
  const { isSkipped, ...key } = details;
  const at = ctx.clock.now();
  if (isSkipped) {
    await tx.insert(releaseSkips).values({ ...key, reason, requestId, skippedBy: ctx.actor.id, createdAt: at });
  } else {
    const isIt = and(
      eq(releaseSkips.projectId, key.projectId),
      eq(releaseSkips.round, key.round),
      eq(releaseSkips.part, key.part),
    );
    const takenBack = { takenBackAt: at, takenBackRequestId: requestId };
    await tx
      .update(releaseSkips)
      .set(takenBack)
      .where(and(isIt, isNull(releaseSkips.takenBackAt)));
  }
  await recordAudit(tx, ctx, isSkipped ? "skip_part" : "take_skip_back", {
    ...key,
    title: project.title,
    requestId,
    reason,
  });
}

/** The ask whose photo a finding is about. */
async function findAskOfFinding(tx: Tx, findingId: number): Promise<number | undefined> {
  const [found] = await tx
    .select({ askId: releaseProofs.askId })
    .from(photoFindings)
    .innerJoin(releaseProofs, eq(releaseProofs.fileId, photoFindings.fileId))
    .where(eq(photoFindings.id, findingId));
  return found?.askId;
}

const factsOf = ({ id, projectId, round, part }: Ask, title: string) => ({ askId: id, projectId, title, round, part });
