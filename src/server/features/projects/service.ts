import { and, eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { type DbOrTx, inTransaction, type Tx } from "#server/db/open.ts";
import { paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { updatePhotos } from "#server/db/schema/update-photos.ts";
import { lockFarmForProject } from "#server/features/farms/queries.ts";
import { type NotifyDeps, notify } from "#server/features/notifications/service.ts";
import { requireNothingForFarm } from "#server/features/payouts/queries.ts";
import { endHoldsOfDeleted, endLapsedHolds } from "#server/features/projects/holds/service.ts";
import { writeReportPlan } from "#server/features/projects/reporting/service.ts";
import { findTerms, listSettledRounds, requireNoOpenHarvest } from "#server/features/projects/rounds/queries.ts";
import {
  beginRound,
  changeOffer,
  findRound,
  lockProject,
  lockRound,
  type Project,
  type RoundKey,
  type RoundOffer,
  setOpenedAt,
} from "#server/features/projects/rounds/service.ts";
import { enqueueRemoval } from "#server/files/orphans.ts";
import { findPhotoFile } from "#server/files/photo-files.ts";
import { changesBetween, recordAudit } from "#server/platform/audit.ts";
import { laterThan } from "#server/platform/clock.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError, fieldRefusal } from "#server/platform/errors.ts";
import { projectAdminTexts, projectFormTexts } from "#shared/projects/admin-texts.ts";
import type { createProjectInput } from "#shared/projects/create-project.ts";
import type { cloneProjectInput, projectForm, updateProjectInput } from "#shared/projects/inputs.ts";
import { termsOf } from "#shared/projects/terms.ts";
import type { Terms } from "#shared/projects/terms-texts.ts";
import { administratorsName, projectLimits } from "#shared/projects/texts.ts";
import { projectClosedNotice, projectReopenedNotice } from "./emails.ts";
import { findRoundLock, isPhotoOf, listBackersOf, snapshotProject } from "./queries.ts";
import { cloneTitle, columnsOf, daysLeft, endOfCampaign } from "./rules.ts";
import { changeFarm, runBy } from "./run-by.ts";

/**
 * Administrators' operations on projects. Each is one transaction that locks the project first. The order of locks is
 * always project, round, reference, payment.
 */

type ById = { projectId: number };

/**
 * Creates a project with the harvest terms of its first round, published at once. Repeated requests with the same key return
 * the same project. Throws "invalid" if the sanitised description is too short, or the picture is no longer stored.
 */
export async function createProject(
  ctx: ActorContext,
  { idempotencyKey, terms: termsInput, reportPlan: plan, ...form }: z.output<typeof createProjectInput>,
): Promise<{ id: number }> {
  return inTransaction(ctx.db, async (tx) => {
    const values = { ...(await valuesOf(tx, ctx, form)), ...(await runBy(tx, form.farmId ?? null)) };
    const offer = offerOf(form);
    const terms = termsOf(termsInput);
    const project = await insertProject(tx, ctx, { ...values, idempotencyKey }, { offer, terms });
    if (!project) return { id: (await findCreated(tx, idempotencyKey)).id };
    if (plan) await writeReportPlan(tx, ctx, { projectId: project.id, round: project.round, version: 1, plan });
    await recordAudit(tx, ctx, "create_project", {
      projectId: project.id,
      title: project.title,
      after: changesBetween({}, { ...values, ...offer, ...terms, ...(plan && { reportPlan: plan }) }).after,
    });
    return { id: project.id };
  });
}

/** The project that an earlier request with this key created. */
async function findCreated(tx: Tx, idempotencyKey: string): Promise<{ id: number; title: string }> {
  const [earlier] = await tx
    .select({ id: projects.id, title: projects.title })
    .from(projects)
    .where(eq(projects.idempotencyKey, idempotencyKey));
  if (!earlier) throw notCreated();
  return earlier;
}

const notCreated = () => new AppError("unavailable", projectAdminTexts.notCreated);

/** Writes a project and its first round. Undefined if the key was used before. */
async function insertProject(
  tx: Tx,
  ctx: ActorContext,
  values: typeof projects.$inferInsert,
  sold: { offer: RoundOffer; terms: Terms },
): Promise<Project | undefined> {
  const now = ctx.clock.now();
  const [project] = await tx
    .insert(projects)
    .values({ ...values, createdAt: now, updatedAt: now })
    .onConflictDoNothing({ target: projects.idempotencyKey })
    .returning();
  if (project) await beginRound(tx, roundOf(project), { ...sold, by: ctx.actor.id, at: now });
  return project;
}

/** Converts the form to columns, and locks its picture. */
async function valuesOf(tx: Tx, { clock, env }: ActorContext, form: z.output<typeof projectForm>) {
  const columns = columnsOf(form, { publicUrl: env.publicUrl, now: clock.now() });
  const imageFileId = await findPhotoFile(tx, columns.imageUrl);
  if (imageFileId === undefined) throw fieldRefusal("imageUrl", projectFormTexts.imageGone);
  return { ...columns, imageFileId };
}

const offerOf = ({ lots, minimumLots, fundingGoal }: z.output<typeof projectForm>): RoundOffer => ({
  lots,
  minimumLots: minimumLots ?? lots,
  fundingGoalKobo: fundingGoal,
});

/**
 * Saves the edit screen. Throws "not_found"; "conflict" if the project has changed since the form was filled; "invalid"
 * as {@link createProject} does, or if goal or lots of a round would change that is locked.
 */
export async function updateProject(ctx: ActorContext, input: z.output<typeof updateProjectInput>): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const project = await lockProject(tx, input.projectId);
    if (project.updatedAt.getTime() !== input.seenUpdatedAt.getTime()) {
      throw new AppError("conflict", projectAdminTexts.changed);
    }
    const values = await valuesOf(tx, ctx, input);
    const round = await lockRound(tx, roundOf(project));
    const { lots, minimumLots } = round;
    const sold = { lots, minimumLots, fundingGoalKobo: project.fundingGoalKobo };
    const offer = offerOf(input);
    const changedField = changedFieldOf(sold, offer);
    if (changedField) {
      await endLapsedHolds(tx, ctx, { project, round });
      const lockedBy = await findRoundLock(tx, round, ctx.clock.now());
      if (lockedBy) throw fieldRefusal(changedField, offerLocked[changedField][lockedBy]);
      await changeOffer(tx, round, offer);
    }
    const farm = await changeFarm(tx, { project, round, farmId: input.farmId });
    await changeProject(tx, ctx, project, { ...values, ...farm });
    await recordAudit(tx, ctx, "edit_project", {
      projectId: project.id,
      title: values.title,
      ...changesBetween({ ...project, ...sold }, { ...values, ...offer, ...farm }),
    });
    if (project.imageFileId !== values.imageFileId) await enqueueRemoval(tx, ctx, [project.imageFileId]);
  });
}

const roundOf = ({ id, round }: Project): RoundKey => ({ projectId: id, round });

const offerLocked = {
  fundingGoal: projectAdminTexts.goalLocked,
  lots: projectAdminTexts.lotsLocked,
  minimumLots: projectAdminTexts.lotsLocked,
} as const;

/** The form's first field by which two offers differ. */
function changedFieldOf(sold: RoundOffer, offer: RoundOffer): keyof typeof offerLocked | null {
  if (sold.fundingGoalKobo !== offer.fundingGoalKobo) return "fundingGoal";
  if (sold.lots !== offer.lots) return "lots";
  return sold.minimumLots === offer.minimumLots ? null : "minimumLots";
}

/** Every change advances `updated_at`, so that a form filled before it can't overwrite it. */
async function changeProject(tx: Tx, deps: Pick<Deps, "clock">, project: Project, changes: Partial<Project>) {
  const updatedAt = laterThan(project.updatedAt, deps.clock.now());
  await tx
    .update(projects)
    .set({ ...changes, updatedAt })
    .where(eq(projects.id, project.id));
}

/**
 * Closes an open project by hand. Throws "not_found", or "conflict" if it is already closed, even since a moment ago.
 */
export async function closeByHand(ctx: ActorContext, { projectId }: ById): Promise<{ title: string }> {
  return inTransaction(ctx.db, async (tx) => {
    const project = await lockProject(tx, projectId);
    if (project.isClosed) throw new AppError("conflict", projectAdminTexts.alreadyClosed);
    const { title, round } = project;
    const auditId = await recordAudit(tx, ctx, "close_project", {
      projectId,
      title,
      round,
      before: { isClosed: false },
      after: { isClosed: true },
    });
    await closeProject(tx, ctx, { project, at: ctx.clock.now(), occasion: String(auditId) });
    return { title };
  });
}

type Closing = {
  project: Pick<Project, "id" | "title" | "updatedAt">;
  at: Date;
  /** The project expired. Otherwise a payment took it, or an administrator closed it. */
  hasExpired?: boolean;
  /** A person who gets another notice instead. */
  exceptUserId?: string;
  /** Distinguishes this closing from others of the same project. */
  occasion: string;
};

/** Closes an open project and notifies its backers. The caller locks it, and writes the audit entry. */
export async function closeProject(
  tx: Tx,
  deps: NotifyDeps,
  { project, at, hasExpired = false, exceptUserId, occasion }: Closing,
): Promise<void> {
  const updatedAt = laterThan(project.updatedAt, at);
  const facts = { site: deps.site.current(), projectId: project.id, projectTitle: project.title };
  await tx.update(projects).set({ isClosed: true, closedAt: at, updatedAt }).where(eq(projects.id, project.id));
  await notify(tx, deps, {
    ...projectClosedNotice({ ...facts, hasExpired }),
    userIds: await listBackersOf(tx, project.id, exceptUserId),
    kind: "project_closed",
    projectId: project.id,
    eventKey: `project:${project.id}:closed:${occasion}`,
  });
}

/**
 * Reopens a closed project and notifies its backers. A round that isn't decided goes on; after a decided one the next
 * begins, sold by the same. An expired project gets 30 days (product decision).
 * Throws "not_found", or "conflict" if it is already open.
 */
export async function reopenProject(ctx: ActorContext, { projectId }: ById): Promise<{ title: string }> {
  return inTransaction(ctx.db, async (tx) => {
    const project = await lockProject(tx, projectId);
    if (!project.isClosed) throw new AppError("conflict", projectAdminTexts.alreadyOpen);
    const now = ctx.clock.now();
    const last = await lockRound(tx, roundOf(project));
    const round = last.outcome === null ? project.round : project.round + 1;
    if (project.farmId !== null) await lockFarmForProject(tx, project.farmId);
    const isOver = project.endsAt <= now;
    const time = isOver ? { durationDays: projectLimits.defaultDaysLeft, endsAt: endOfCampaign(now) } : {};
    const changes = { isClosed: false, closedAt: null, round, ...time };
    await changeProject(tx, ctx, project, changes);
    if (round === project.round) {
      await setOpenedAt(tx, last, now);
    } else {
      const offer = { ...last, fundingGoalKobo: project.fundingGoalKobo };
      const terms = await findTerms(tx, last, last.termsVersion);
      const version = last.termsVersion + 1;
      await beginRound(tx, { projectId, round }, { offer, terms, version, by: ctx.actor.id, at: now });
      await tx
        .update(projects)
        .set({ currentFundingKobo: sql`ledger_funding(${projectId}, ${round})` })
        .where(eq(projects.id, projectId));
    }
    const { title } = project;
    const auditId = await recordAudit(tx, ctx, "reopen_project", {
      projectId,
      title,
      ...changesBetween(project, changes),
    });
    await notify(tx, ctx, {
      ...projectReopenedNotice({ site: ctx.site.current(), projectId, projectTitle: title }),
      userIds: await listBackersOf(tx, projectId),
      kind: "project_reopened",
      projectId,
      eventKey: `project:${projectId}:reopened:${auditId}`,
    });
    return { title };
  });
}

/**
 * Creates an open project with the same content and the same picture file. Repeated requests with the same key return
 * the same clone. Throws "not_found" if the original doesn't exist.
 */
export async function cloneProject(
  ctx: ActorContext,
  { projectId, idempotencyKey }: z.output<typeof cloneProjectInput>,
): Promise<{ id: number; title: string }> {
  return inTransaction(ctx.db, async (tx) => {
    const [original] = await tx.select().from(projects).where(eq(projects.id, projectId)).for("share");
    if (!original) throw new AppError("not_found", projectAdminTexts.originalNotFound);
    const { category, shortDescription, description, imageUrl, imageFileId, imageAlt, videoUrl } = original;
    const { location, rewards, fundingGoalKobo } = original;
    const { lots, minimumLots, termsVersion } = await findRound(tx, roundOf(original));
    const terms = await findTerms(tx, roundOf(original), termsVersion);
    const now = ctx.clock.now();
    const durationDays = daysLeft(original.endsAt, now) || projectLimits.defaultDaysLeft;
    const content = { category, shortDescription, description, imageUrl, imageFileId, imageAlt, videoUrl };
    const values = {
      ...content,
      title: cloneTitle(original.title),
      // Of no farm: the clone's farm is chosen on its edit screen (specification, section 3).
      creator: administratorsName,
      location,
      rewards,
      fundingGoalKobo,
      durationDays,
      endsAt: endOfCampaign(now, durationDays),
      idempotencyKey,
    };
    const clone = await insertProject(tx, ctx, values, { offer: { lots, minimumLots, fundingGoalKobo }, terms });
    if (!clone) return findCreated(tx, idempotencyKey);
    const { id, title } = clone;
    await recordAudit(tx, ctx, "clone_project", {
      projectId: id,
      title,
      originalId: projectId,
      original: original.title,
    });
    return { id, title };
  });
}

/** Throws "conflict" while money of a project's backers or for its farm is in it, or a harvest isn't over. */
async function requireDeletable(db: DbOrTx, projectId: number): Promise<void> {
  await requireNoOpenHarvest(db, projectId);
  const sold = await db
    .selectDistinct({ round: projectRounds.round, outcome: projectRounds.outcome })
    .from(projectPayments)
    .innerJoin(
      projectRounds,
      and(eq(projectRounds.projectId, projectPayments.projectId), eq(projectRounds.round, projectPayments.round)),
    )
    .where(and(eq(projectPayments.projectId, projectId), eq(projectPayments.status, "approved")));
  const settled = await listSettledRounds(db, projectId);
  const isOpen = sold.some(({ round, outcome }) => outcome !== "written_off" && !settled.has(round));
  if (isOpen) throw new AppError("conflict", projectAdminTexts.hasMoney);
  await requireNothingForFarm(db, projectId);
}

/** Returns the reason why a project can't be deleted now, for whoever is about to; null if it can. */
export async function getDeletion({ db }: ActorContext, { projectId }: ById): Promise<{ refusal: string | null }> {
  try {
    await requireDeletable(db, projectId);
    return { refusal: null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { refusal: error.message };
  }
}

/**
 * Deletes a project with its backings, favourites, media, updates and messages, and ends its holds. Payments, receipts
 * and the ledger stay, detached, with its title. The audit entry has all deleted rows, and a job removes files after
 * the commit (product decision). Throws "not_found", or "conflict" while its backers' money is in it.
 */
export async function deleteProject(ctx: ActorContext, { projectId }: ById): Promise<{ title: string }> {
  return inTransaction(ctx.db, async (tx) => {
    const project = await lockProject(tx, projectId, "update");
    const { title, imageFileId } = project;
    await endHoldsOfDeleted(tx, ctx, project);
    await tx.select().from(paymentReferences).where(eq(paymentReferences.projectId, projectId)).for("update");
    // Locked in the order of their ids, as by whoever gives a round back.
    const detached = await tx
      .select({ id: projectPayments.id })
      .from(projectPayments)
      .where(eq(projectPayments.projectId, projectId))
      .orderBy(projectPayments.id)
      .for("update");
    await requireDeletable(tx, projectId);
    const { fileIds, ...deleted } = await snapshotProject(tx, projectId);
    await tx
      .update(projectPayments)
      .set({ projectId: null, projectTitle: title })
      .where(eq(projectPayments.projectId, projectId));
    await tx.delete(updatePhotos).where(isPhotoOf(projectId));
    // Foreign keys delete the rest.
    await tx.delete(projects).where(eq(projects.id, projectId));
    await recordAudit(tx, ctx, "delete_project", {
      projectId,
      title,
      detachedPaymentIds: detached.map(({ id }) => id),
      deleted,
    });
    await enqueueRemoval(tx, ctx, [...fileIds, imageFileId]);
    return { title };
  });
}
