import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { type harvestParts, harvests } from "#server/db/schema/harvests.ts";
import { projects } from "#server/db/schema/projects.ts";
import { roundTerms } from "#server/db/schema/terms.ts";
import { lockProjectIfThere, type RoundKey } from "#server/features/projects/rounds/service.ts";
import { AppError } from "#server/platform/errors.ts";
import { plannedAt, type QuantityPlan } from "#shared/harvests/plan.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";

/** The rows of harvests. Locks: project, harvest, then lines and payouts. */

export type Harvest = typeof harvests.$inferSelect;

export type HarvestPart = typeof harvestParts.$inferSelect;

export type RoundTerms = typeof roundTerms.$inferSelect;

/** Locks a harvest, after its project if that still exists. Throws "not_found". */
export async function lockHarvest(tx: Tx, harvestId: number): Promise<Harvest> {
  const isIt = eq(harvests.id, harvestId);
  await lockProjectIfThere(tx, tx.select({ id: harvests.projectId }).from(harvests).where(isIt), "no key update");
  const [harvest] = await tx.select().from(harvests).where(isIt).for("update");
  if (!harvest) throw new AppError("not_found", texts.gone);
  return harvest;
}

/** Finds the project that a notification leads to; null once it was deleted, which a finished harvest outlives. */
export async function findProject(db: DbOrTx, { projectId }: Harvest): Promise<number | null> {
  return (await db.$count(projects, eq(projects.id, projectId))) > 0 ? projectId : null;
}

/** The terms that a round was sold by, also of a project that was deleted. */
export async function readTerms(db: DbOrTx, { projectId, round }: RoundKey): Promise<RoundTerms> {
  const isSoldBy = sql`${roundTerms.version} = (
    select r.terms_version from project_rounds r where r.project_id = ${projectId} and r.round = ${round})`;
  const isOfRound = sql`${roundTerms.projectId} = ${projectId} and ${roundTerms.round} = ${round}`;
  const [terms] = await db.select().from(roundTerms).where(sql`${isOfRound} and ${isSoldBy}`);
  if (!terms) throw new Error(`round ${round} of project ${projectId} has no terms`);
  return terms;
}

/** Nothing of a lost or withdrawn harvest is sold, so only the platform's costs of it count: they are lost. */
export const isWithoutSales = ({ state }: Pick<Harvest, "state">): boolean => state === "lost" || state === "withdrawn";

/** Something of a harvest is sold once it is allotted; an insurer's sum may come at once. */
export function isAllotted({ state, isInsurance }: Pick<Harvest, "state" | "isInsurance">): boolean {
  const states = isInsurance ? ["draft", "settled", "done"] : ["allotted", "settled", "done"];
  return states.includes(state);
}

/** A buyer may pay in advance until a harvest is allotted. */
export const isBeforeAllotment = ({ state, isInsurance }: Pick<Harvest, "state" | "isInsurance">): boolean =>
  !isInsurance && (state === "draft" || state === "choosing");

/** Throws "conflict" if nothing of a harvest may be sold. */
export function requireAllotted(harvest: Pick<Harvest, "state" | "isInsurance">): void {
  if (!isAllotted(harvest)) throw new AppError("conflict", texts.notAllotted);
}

/** "harvest 2 of Ijebu Fish Farm", as requests to a second owner name it. */
export const nameOfHarvest = ({ number, projectTitle }: Pick<Harvest, "number" | "projectTitle">): string =>
  `harvest ${number} of ${projectTitle}`;

/** The facts that each audit entry about a harvest has. */
export const factsOf = ({ id, projectId, projectTitle, round, number, isInsurance, quantity }: Harvest) => ({
  harvestId: id,
  projectId,
  title: projectTitle,
  round,
  number,
  ...(isInsurance ? { isInsurance } : { quantity: String(quantity) }),
});

/** The quantity that the terms plan for a harvest. Null if they plan none. */
export const plannedOf = ({ place }: Harvest, terms: QuantityPlan): bigint | null =>
  place === null ? null : plannedAt(terms, place);

/** The place that the next harvest of a round takes: the first that none has. */
export async function findNextPlace(db: DbOrTx, { projectId, round }: RoundKey): Promise<number> {
  const isPlaced = and(eq(harvests.projectId, projectId), eq(harvests.round, round), isNotNull(harvests.place));
  const placed = await db.select({ place: harvests.place }).from(harvests).where(isPlaced);
  const taken = new Set(placed.map(({ place }) => place));
  let place = 1;
  while (taken.has(place)) place++;
  return place;
}

/**
 * Drafts of a round move up to places that a withdrawn harvest left. Of one that was opened or lost people know what
 * was planned: it stays where it is. The caller has locked the project.
 */
export async function moveDraftsUp(tx: Tx, { projectId, round }: RoundKey): Promise<void> {
  const isDraft = and(eq(harvests.projectId, projectId), eq(harvests.round, round), eq(harvests.state, "draft"));
  const drafts = await tx
    .select({ id: harvests.id, place: harvests.place })
    .from(harvests)
    .where(and(isDraft, isNotNull(harvests.place)))
    .orderBy(harvests.place);
  for (const draft of drafts) {
    const place = await findNextPlace(tx, { projectId, round });
    if (draft.place === null || place > draft.place) return;
    await tx.update(harvests).set({ place }).where(eq(harvests.id, draft.id));
  }
}
