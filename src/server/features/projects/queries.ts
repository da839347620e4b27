import { and, count, eq, gt, lte, ne, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { type Db, type DbOrTx, rows, type Tx } from "#server/db/open.ts";
import { perDatabase } from "#server/db/prepared.ts";
import { farms } from "#server/db/schema/farms.ts";
import { holds } from "#server/db/schema/holds.ts";
import { paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import {
  backingWeights,
  projectBackings,
  projectFavorites,
  projectMedia,
  projectMessages,
  projects,
  projectUpdates,
} from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { settings } from "#server/db/schema/settings.ts";
import { roundTerms } from "#server/db/schema/terms.ts";
import { updatePhotos } from "#server/db/schema/update-photos.ts";
import { users } from "#server/db/schema/users.ts";
import { farmsWithRecord, narrowedBy } from "#server/features/projects/filters/queries.ts";
import { countLotsHeld } from "#server/features/projects/holds/queries.ts";
import { type SummaryRow, summaryFrom, summaryRows } from "#server/features/projects/reporting/queries.ts";
import {
  type ProgressRow,
  progressFrom,
  progressRows,
  readable,
  shownTermsColumns,
  termsColumns,
  termsOfRound,
} from "#server/features/projects/rounds/queries.ts";
import type { Round } from "#server/features/projects/rounds/service.ts";
import { findPlatformFee, requiresSignInForProjects } from "#server/features/settings/queries.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { sanitizeDescription } from "#server/platform/rich-text.ts";
import { projectAdminTexts, type RoundLock } from "#shared/projects/admin-texts.ts";
import type { ProjectFilters } from "#shared/projects/filters-texts.ts";
import { defaultTerms, type Terms } from "#shared/projects/terms-texts.ts";
import { projectLimits, projectTexts } from "#shared/projects/texts.ts";
import { isSwitchedOn, requireSignInKey } from "#shared/settings/texts.ts";
import { daysLeft, isGivenTier, shownPicture } from "./rules.ts";

/** Joins the round that a project is sold in now. */
export const currentRound = and(eq(projectRounds.projectId, projects.id), eq(projectRounds.round, projects.round));

/** The columns of a project's card. */
export const projectCardColumns = {
  id: projects.id,
  title: projects.title,
  category: projects.category,
  imageUrl: projects.imageUrl,
  imageAlt: projects.imageAlt,
  location: projects.location,
  fundingGoalKobo: projects.fundingGoalKobo,
  currentFundingKobo: projects.currentFundingKobo,
  backersCount: projects.backersCount,
  endsAt: projects.endsAt,
  isClosed: projects.isClosed,
};

/** The columns of a card that are about lots. */
export const lotColumns = {
  round: projectRounds.round,
  lots: projectRounds.lots,
  lotPriceKobo: projectRounds.lotPriceKobo,
  approvedLots: projectRounds.approvedLots,
  outcome: projectRounds.outcome,
};

/** A row for display, with the days left by the server's clock, and a picture that browsers load. */
export function toCard<Row extends { endsAt: Date; imageUrl: string }>(
  ctx: Pick<Context, "clock">,
  { endsAt, ...row }: Row,
) {
  return { ...row, imageUrl: shownPicture(row.imageUrl), daysLeft: daysLeft(endsAt, ctx.clock.now()) };
}

/**
 * The project page. Throws "unauthenticated" for anonymous visitors if the installation requires a sign-in (missing and
 * denied projects look the same to them), "not_found" otherwise.
 */
export async function getProject(ctx: Context, { projectId }: { projectId: number }) {
  const now = ctx.clock.now();
  const [row] = await projectPageOf(ctx.db).execute({
    projectId,
    userId: ctx.actor?.id ?? null,
    now: now.toISOString(),
  });
  if (!row) {
    await requireProjectAccess(ctx);
    throw new AppError("not_found", projectTexts.notFound);
  }
  const { requiresSignIn, terms, held, progress, reports, ...project } = row;
  if (!ctx.actor && isSwitchedOn(requiresSignIn)) throw new AppError("unauthenticated", projectTexts.signInToView);
  const description = sanitizeDescription(project.description);
  const shownHolds = { ...held, mineUntil: toDate(held.mineUntil), freeAt: toDate(held.freeAt), now };
  return toCard(ctx, {
    ...project,
    description,
    rewards: project.rewards.filter((reward) => !isGivenTier(reward)),
    terms: readable(terms),
    held: shownHolds,
    reports: reports && summaryFrom(reports, now),
    progress: progress && progressFrom(progress, now),
  });
}

const toDate = (time: string | null): Date | null => (time === null ? null : new Date(time));

/** The lots that are held now, those of them that the caller holds, and when each kind begins to come free. */
type HeldLots = { lots: number; mine: number; mineUntil: string | null; freeAt: string | null };

const requiresSignIn = sql<
  string | null
>`(select value from ${settings} where key = ${sql.raw(`'${requireSignInKey}'`)})`;

/**
 * It compares with the parameters, because in a query of one table drizzle writes columns without their table:
 * `projects.id` inside a subquery would be the subquery's own id. For strangers the person is null.
 */
const projectPageOf = perDatabase((db) => {
  const projectId = sql`${sql.placeholder("projectId")}::int`;
  const userId = sql`${sql.placeholder("userId")}::uuid`;
  const now = sql`${sql.placeholder("now")}::timestamptz`;
  const isMine = (table: typeof projectFavorites | typeof projectBackings) =>
    sql<boolean>`exists (select from ${table} where ${table.projectId} = ${projectId} and ${table.userId} = ${userId})`;
  return db
    .select({
      ...projectCardColumns,
      ...lotColumns,
      shortDescription: projects.shortDescription,
      description: projects.description,
      videoUrl: projects.videoUrl,
      creator: projects.creator,
      farmId: projects.farmId,
      rewards: projects.rewards,
      /** Another person's receipt is pending. */
      isUnderReview: sql<boolean>`exists (select from ${projectPayments} where ${projectPayments.projectId} = ${projectId}
        and ${projectPayments.status} = 'pending' and ${projectPayments.userId} is distinct from ${userId})`,
      held: sql<HeldLots>`(select json_build_object('lots', coalesce(sum(h.lots), 0),
          'mine', coalesce(sum(h.lots) filter (where h.user_id = ${userId}), 0),
          'mineUntil', min(h.until) filter (where h.user_id = ${userId}),
          'freeAt', min(h.until) filter (where h.user_id is distinct from ${userId}))
        from ${holds} h where h.project_id = ${projectId} and h.round = ${projectRounds.round}
          and (h.state = 'claimed' or (h.state = 'live' and h.until > ${now})))`,
      progress: sql<ProgressRow | null>`case when ${projectRounds.outcome} = 'funded' then (
        select row_to_json(progress) from (${progressRows(sql`p.id = ${projectId}`)}) progress) end`,
      /** Null before a round was funded. */
      reports: sql<SummaryRow | null>`case when ${projectRounds.round} > 1 or ${projectRounds.outcome} = 'funded' then (
        select row_to_json(summary) from (${summaryRows(sql`r.project_id = ${projectId}`, now)}) summary) end`,
      isFavorite: isMine(projectFavorites),
      isBacked: isMine(projectBackings),
      terms: shownTermsColumns,
      requiresSignIn,
    })
    .from(projects)
    .innerJoin(projectRounds, currentRound)
    .innerJoin(roundTerms, termsOfRound)
    .where(eq(projects.id, projectId))
    .prepare("project_page");
});

/** Refuses anonymous visitors if the installation requires a sign-in, before any other query. */
export async function requireProjectAccess(ctx: Context): Promise<void> {
  if (ctx.actor || !(await requiresSignInForProjects(ctx.db))) return;
  throw new AppError("unauthenticated", projectTexts.signInToView);
}

function preparePublicProject(db: DbOrTx) {
  return db
    .select({
      title: projects.title,
      shortDescription: projects.shortDescription,
      imageUrl: projects.imageUrl,
      imageAlt: projects.imageAlt,
      isClosed: projects.isClosed,
      fundingGoalKobo: projects.fundingGoalKobo,
      ...lotColumns,
      requiresSignIn,
    })
    .from(projects)
    .innerJoin(projectRounds, currentRound)
    .where(eq(projects.id, sql.placeholder("projectId")))
    .prepare("public_project");
}

const publicProjectOf = perDatabase(preparePublicProject);

/**
 * A project's public data for link previews and search engines, in one prepared statement. "hidden" if only signed-in
 * people may see projects, whether it exists or not; null if it doesn't exist.
 */
export async function findPublicProject(db: Db, projectId: number) {
  const [row] = await publicProjectOf(db).execute({ projectId });
  if (!row) return (await requiresSignInForProjects(db)) ? "hidden" : null;
  const { requiresSignIn, ...project } = row;
  return isSwitchedOn(requiresSignIn) ? "hidden" : project;
}

/** The number of consecutive ids in a part of the site map. Search engines accept 50,000 addresses per part. */
export const SITEMAP_PART = 50_000;

/** The parts that have projects, with each part's latest change. */
export async function listSitemapParts(db: DbOrTx) {
  const part = sql<number>`(${projects.id} - 1) / ${sql.raw(String(SITEMAP_PART))}`;
  return db
    .select({ part, updatedAt: sql`max(${projects.updatedAt})`.mapWith(projects.updatedAt) })
    .from(projects)
    .groupBy(sql`1`)
    .orderBy(sql`1`);
}

const isWithin = ({ after, until }: { after: number; until: number }) =>
  and(gt(projects.id, after), lte(projects.id, until));

/**
 * A state that differs whenever the part has changed, because every change of a project gets a later time than those
 * before.
 */
export async function readSitemapState(db: DbOrTx, range: { after: number; until: number }) {
  const [state] = await db
    .select({ total: count(), changedAt: sql<string | null>`max(${projects.updatedAt})::text` })
    .from(projects)
    .where(isWithin(range));
  return state ?? { total: 0, changedAt: null };
}

/** Projects in the order of their ids, above `after` and up to `until`. */
export async function listSitemapProjects(db: DbOrTx, range: { after: number; until: number; limit: number }) {
  return db
    .select({ id: projects.id, updatedAt: projects.updatedAt })
    .from(projects)
    .where(isWithin(range))
    .orderBy(sql`${projects.id} asc`)
    .limit(range.limit);
}

/**
 * The ids of a round's backers: who has an approved payment in it that isn't struck, or a part in its harvests that was
 * granted.
 */
export const backersOfRound = ({ projectId, round }: { projectId: SQL | number; round: SQL | number }): SQL => sql`(
  select paid.user_id from project_payments paid
  where paid.project_id = ${projectId} and paid.round = ${round} and paid.status = 'approved'
    and not exists (select from payment_strikes struck where struck.payment_id = paid.id)
  union select given.user_id from project_backings given join backing_weights part on part.backing_id = given.id
  where given.project_id = ${projectId} and part.round = ${round})`;

/** The ids of the project's backers, for notices; without blocked ones, and without `exceptUserId`. */
export async function listBackersOf(db: DbOrTx, projectId: number, exceptUserId?: string): Promise<string[]> {
  const found = await db
    .select({ userId: projectBackings.userId })
    .from(projectBackings)
    .innerJoin(users, eq(users.id, projectBackings.userId))
    .where(
      and(
        eq(projectBackings.projectId, projectId),
        eq(users.isBlocked, false),
        exceptUserId === undefined ? undefined : ne(projectBackings.userId, exceptUserId),
      ),
    );
  return found.map(({ userId }) => userId);
}

/** Gives the reason why goal, lots and terms of a round can no longer be edited; null while they can. */
export async function findRoundLock(
  db: DbOrTx,
  { projectId, round, outcome }: Pick<Round, "projectId" | "round" | "outcome">,
  now: Date,
): Promise<RoundLock | null> {
  const paid = await db
    .select({ id: projectPayments.id })
    .from(projectPayments)
    .where(
      and(
        eq(projectPayments.projectId, projectId),
        eq(projectPayments.round, round),
        ne(projectPayments.status, "rejected"),
      ),
    )
    .limit(1);
  if (paid.length > 0) return "paid";
  if (outcome !== null) return "decided";
  return (await countLotsHeld(db, { projectId, round }, now)) > 0 ? "held" : null;
}

/** The harvest terms that the form of a new project starts with. */
export const getDefaultTerms = async ({ db }: Pick<Context, "db">): Promise<Terms> =>
  defaultTerms(await findPlatformFee(db));

/** The data of the edit screen. The days are those left (specification, section 3). Throws "not_found". */
export async function getProjectForEdit(ctx: ActorContext, { projectId }: { projectId: number }) {
  const [found] = await ctx.db
    .select({ project: projects, round: projectRounds, terms: termsColumns, farm: farms })
    .from(projects)
    .innerJoin(projectRounds, currentRound)
    .innerJoin(roundTerms, termsOfRound)
    .leftJoin(farms, eq(farms.id, projects.farmId))
    .where(eq(projects.id, projectId));
  if (!found) throw new AppError("not_found", projectAdminTexts.notFound);
  const { project, round, terms, farm } = found;
  const { id, title, category, shortDescription, location, videoUrl, imageUrl, imageAlt, rewards } = project;
  const { fundingGoalKobo, isClosed, updatedAt, endsAt } = project;
  return {
    id,
    title,
    category,
    shortDescription,
    location,
    videoUrl,
    imageUrl,
    imageAlt,
    rewards,
    fundingGoalKobo,
    isClosed,
    updatedAt,
    lots: round.lots,
    minimumLots: round.minimumLots,
    terms,
    farm: farm && { id: farm.id, name: farm.name, state: farm.state, place: farm.place },
    isFarmFixed: farm !== null && (round.approvedLots > 0 || round.outcome !== null),
    description: sanitizeDescription(project.description),
    durationDays: daysLeft(endsAt, ctx.clock.now()) || projectLimits.defaultDaysLeft,
    lockedBy: await findRoundLock(ctx.db, round, ctx.clock.now()),
  };
}

/** Condition on update_photos: of an update of the project, or of a report that isn't published. */
export const isPhotoOf = (projectId: number) =>
  sql`(${updatePhotos.updateId} in (select id from project_updates where project_id = ${projectId})
    or ${updatePhotos.reportId} in (select id from farm_reports where project_id = ${projectId}))`;

/** Every row that is deleted with a project, as plain JSON for the audit entry, and the files of its media. */
export async function snapshotProject(tx: Tx, projectId: number) {
  const listOf = (table: PgTable) =>
    sql`(select coalesce(jsonb_agg(to_jsonb(t)), '[]') from ${table} t where t.project_id = ${projectId})`;
  const [found] = await rows<{ deleted: Record<string, unknown> }>(
    tx,
    sql`select jsonb_build_object(
      'project', (select to_jsonb(p) from ${projects} p where p.id = ${projectId}),
      'backings', ${listOf(projectBackings)},
      'weights', (select coalesce(jsonb_agg(to_jsonb(w)), '[]') from ${backingWeights} w
        join ${projectBackings} b on b.id = w.backing_id where b.project_id = ${projectId}),
      'favorites', ${listOf(projectFavorites)},
      'media', ${listOf(projectMedia)},
      'updates', ${listOf(projectUpdates)},
      'messages', ${listOf(projectMessages)},
      'references', ${listOf(paymentReferences)}
    ) as deleted`,
  );
  const media = await tx
    .select({ fileId: projectMedia.fileId, posterFileId: projectMedia.posterFileId })
    .from(projectMedia)
    .where(eq(projectMedia.projectId, projectId));
  const photos = await tx.select({ fileId: updatePhotos.fileId }).from(updatePhotos).where(isPhotoOf(projectId));
  const files = [
    ...media.flatMap(({ fileId, posterFileId }) => [fileId, posterFileId]),
    ...photos.map((photo) => photo.fileId),
  ];
  return { ...found?.deleted, fileIds: files };
}

const askedAtOnce = 250;

/**
 * Tells which of the projects fit which of many filters, by the conditions of the list: a statement asks for hundreds of
 * them, and reads once which farms have a record. Filters that are the same are asked for once.
 */
export async function matchFilters(db: DbOrTx, projectIds: number[], many: readonly ProjectFilters[]) {
  const distinct = projectIds.length > 0 ? [...new Map(many.map((one) => [keyOf(one), one]))] : [];
  // One parameter: thousands of lists would be more than a statement takes.
  const isMeant = sql`${projects.id} = any(${`{${projectIds.join(",")}}`}::int[])`;
  const meantFarms = db.select({ farmId: projects.farmId }).from(projects).where(isMeant);
  const recordedAmong = sql`select farm_id from ${farmsWithRecord} f where farm_id = any(array(${meantFarms}))`;
  const recorded = sql`(select farm_id from recorded)`;
  const fits = new Set<string>();
  for (let from = 0; from < distinct.length; from += askedAtOnce) {
    const asked = distinct.slice(from, from + askedAtOnce).map(([, filters], index) => {
      const isFitting = narrowedBy({ ...filters, showClosed: false }, { recorded });
      return sql`case when ${isFitting} then ${from + index}::int end`;
    });
    const found = db
      .select({ id: projects.id, n: sql`unnest(array_remove(array[${sql.join(asked, sql`, `)}], null))`.as("n") })
      .from(projects)
      .innerJoin(projectRounds, currentRound)
      .innerJoin(roundTerms, termsOfRound)
      .where(isMeant);
    const withRecorded = sql`with recorded as materialized (${recordedAmong}) ${found}`;
    for (const { id, n } of await rows<{ id: number; n: number }>(db, withRecorded)) {
      fits.add(`${id} ${distinct[n]?.[0]}`);
    }
  }
  return (filters: ProjectFilters, projectId: number): boolean => fits.has(`${projectId} ${keyOf(filters)}`);
}

const keyOf = (filters: ProjectFilters): string => JSON.stringify(filters);
