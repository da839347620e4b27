import { and, asc, desc, eq, gt, inArray, isNull, lt, lte, not, or, sql } from "drizzle-orm";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { savedSearches } from "#server/db/schema/saved-searches.ts";
import { roundTerms } from "#server/db/schema/terms.ts";
import { users } from "#server/db/schema/users.ts";
import { type NotifyDeps, notifyEach, type OwnNotice } from "#server/features/notifications/service.ts";
import { currentRound, matchFilters } from "#server/features/projects/queries.ts";
import { termsOfRound } from "#server/features/projects/rounds/queries.ts";
import { forEachOnItsOwn } from "#server/platform/async.ts";
import type { Deps } from "#server/platform/deps.ts";
import { dayInLagos, startOfDay } from "#shared/dates.ts";
import { isNight } from "#shared/lagos-time.ts";
import { openedNotice } from "./emails.ts";
import { signSearchLink } from "./rules.ts";

type JobDeps = Pick<Deps, "appSecret" | "db" | "log"> & NotifyDeps;

/** People of one transaction. */
const batch = 100;

/**
 * Each morning, tells people of the projects that opened until midnight since they were told last, and fit a search of
 * theirs: one mail for all of a person's searches. What a search was told of moves on in the transaction that queues
 * the mail, so a run that is broken off goes on at the next, and two at once tell nobody twice. Days on which the job
 * was down are made up for. An opening's transaction is long over by the morning, so none comes too late to be seen.
 */
export async function notifyOfSavedSearches(deps: JobDeps): Promise<void> {
  const now = deps.clock.now();
  if (isNight(now)) return;
  const until = startOfDay(dayInLagos(now));
  const due = await deps.db
    .selectDistinct({ id: savedSearches.userId })
    .from(savedSearches)
    .innerJoin(users, and(eq(users.id, savedSearches.userId), not(users.isBlocked)))
    .where(isDue(until))
    .orderBy(asc(savedSearches.userId));
  const batches = Array.from({ length: Math.ceil(due.length / batch) }, (_, index) =>
    due.slice(index * batch, (index + 1) * batch).map(({ id }) => id),
  );
  const tellThem = (userIds: string[]) => inTransaction(deps.db, (tx) => tell(tx, deps, { userIds, until }));
  await forEachOnItsOwn(deps.log, batches, (userIds) =>
    // What fails for one person keeps nobody else waiting.
    tellThem(userIds).catch(() => forEachOnItsOwn(deps.log, userIds, (userId) => tellThem([userId]))),
  ).finally(() => markTold(deps, until));
}

const eventKeyOf = (until: Date) => `saved-searches:${dayInLagos(until)}`;

/** A search that runs again on a day when its person has had their mail waits for the next morning. */
const isDue = (until: Date) => {
  const isTold = and(eq(notifications.userId, savedSearches.userId), eq(notifications.eventKey, eventKeyOf(until)));
  return and(
    lt(savedSearches.toldUntil, until),
    isNull(savedSearches.stoppedAt),
    sql`not exists (select 1 from ${notifications} where ${isTold})`,
  );
};

type Due = { userIds: string[]; until: Date };
type Search = typeof savedSearches.$inferSelect;

async function tell(tx: Tx, deps: JobDeps, { userIds, until }: Due): Promise<void> {
  const searches = await tx
    .select()
    .from(savedSearches)
    .where(and(inArray(savedSearches.userId, userIds), isDue(until)))
    .orderBy(asc(savedSearches.id))
    .for("update");
  if (searches.length === 0) return;
  const notices = await writeNotices(tx, deps, { searches, until });
  await notifyEach(tx, deps, "saved_search", notices);
  const told = searches.map(({ id }) => id);
  await tx.update(savedSearches).set({ toldUntil: until }).where(inArray(savedSearches.id, told));
}

/** One notice for each person for whom something opened. A project is named for the first search that it fits. */
async function writeNotices(
  tx: Tx,
  { appSecret, site }: JobDeps,
  { searches, until }: { searches: Search[]; until: Date },
): Promise<OwnNotice[]> {
  const earliest = new Date(Math.min(...searches.map(({ toldUntil }) => toldUntil.getTime())));
  const opened = await listOpened(tx, earliest, until);
  const fitting = await matchFilters(
    tx,
    opened.map(({ id }) => id),
    searches.map(({ filters }) => filters),
  );
  return [...Map.groupBy(searches, ({ userId }) => userId)].flatMap(([userId, own]) => {
    const fits = (search: Search) => opened.filter(({ id }) => fitting(search.filters, id));
    // Of a round that is open again nobody hears twice by searches that run.
    const known = own.flatMap((search) => fits(search).filter((project) => wasTold(search, project)));
    const seen = new Set(known.map(({ id }) => id));
    const finds = own.map((search) => {
      const { id, name, toldUntil } = search;
      const found = fits(search).filter((project) => project.openedAt > toldUntil && !seen.has(project.id));
      for (const project of found) seen.add(project.id);
      return { name, token: signSearchLink(appSecret, id), projects: found };
    });
    const telling = finds.filter((found) => found.projects.length > 0);
    const [first, ...more] = telling.flatMap((found) => found.projects);
    if (!first) return [];
    const text = openedNotice({ site: site.current(), finds: telling });
    const projectId = more.length === 0 ? first.id : null;
    return [{ ...text, userId, projectId, eventKey: eventKeyOf(until) }];
  });
}

/** Returns true if the search is older than the opening that its owner was told of, and they were told up to it. */
const wasTold = ({ createdAt, toldUntil }: Search, { toldAt }: { toldAt: Date | null }) =>
  toldAt !== null && createdAt <= toldAt && toldAt <= toldUntil;

const isOnSale = and(isNull(projectRounds.outcome), not(projects.isClosed));

/** Notes of which rounds everybody was told that they opened. */
const markTold = ({ db }: JobDeps, until: Date) =>
  db
    .update(projectRounds)
    .set({ toldAt: sql`${projectRounds.openedAt}` })
    .from(projects)
    .where(
      and(
        currentRound,
        or(isNull(projectRounds.toldAt), lt(projectRounds.toldAt, projectRounds.openedAt)),
        lte(projectRounds.openedAt, until),
        isOnSale,
      ),
    );

/** Projects of which a round began to be sold in the time, or went on after a closing, and is sold still; newest first. */
const listOpened = (tx: Tx, after: Date, until: Date) =>
  tx
    .select({
      id: projects.id,
      title: projects.title,
      location: projects.location,
      lotPriceKobo: projectRounds.lotPriceKobo,
      firstHarvestOn: roundTerms.firstHarvestOn,
      openedAt: projectRounds.openedAt,
      toldAt: projectRounds.toldAt,
    })
    .from(projects)
    .innerJoin(projectRounds, currentRound)
    .innerJoin(roundTerms, termsOfRound)
    .where(and(gt(projectRounds.openedAt, after), lte(projectRounds.openedAt, until), isOnSale))
    .orderBy(desc(projects.id));
