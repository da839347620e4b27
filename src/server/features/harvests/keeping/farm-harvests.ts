import { and, desc, eq, inArray } from "drizzle-orm";
import type { DbOrTx } from "#server/db/open.ts";
import { harvestCosts, harvests } from "#server/db/schema/harvests.ts";
import { projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { sumParts } from "#server/features/harvests/choosing/parts.ts";
import { findNextPlace, plannedOf, readTerms } from "#server/features/harvests/harvest-rows.ts";
import { readCosts, readFiles } from "#server/features/harvests/queries.ts";
import { AppError } from "#server/platform/errors.ts";
import { requireFarmRight } from "#server/platform/farm-rights.ts";
import type { FarmContext } from "#server/platform/procedures.ts";
import { plannedAt } from "#shared/harvests/plan.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";
import { projectTexts } from "#shared/projects/texts.ts";
import { findRoundOf } from "./acts.ts";

/** The keepers' view of their farm's harvests. It names no backer, and no amount that one paid or received. */

/** The funded rounds of a project that the caller's farms ran, and their harvests, newest first. Throws "forbidden". */
export async function listKeptHarvests(ctx: FarmContext, { projectId }: { projectId: number }) {
  const { db } = ctx;
  const own = await listOwnRounds(ctx, projectId);
  if (own.length === 0) await requireFarmRight(ctx, projectId, "keep");
  const [project] = await db.select({ title: projects.title }).from(projects).where(eq(projects.id, projectId));
  if (!project) throw new AppError("not_found", projectTexts.notFound);
  const { id, round, number, state, quantity } = harvests;
  const ofOwn = and(eq(harvests.projectId, projectId), inArray(round, own), eq(harvests.isInsurance, false));
  const found = await db
    .select({ id, round, number, isInsurance: harvests.isInsurance, state, quantity })
    .from(harvests)
    .where(ofOwn)
    .orderBy(desc(round), desc(number));
  const rounds = [];
  for (const number of own) rounds.push(await readRound(db, { projectId, round: number }));
  return { title: project.title, rounds, harvests: found };
}

/** The numbers of the funded rounds of a project that the caller's farms ran, the last first. */
async function listOwnRounds({ db, farms }: FarmContext, projectId: number): Promise<number[]> {
  const ids = farms.map(({ farmId }) => farmId);
  const isOwn = and(eq(projectRounds.projectId, projectId), inArray(projectRounds.farmId, ids));
  const found = await db
    .select({ round: projectRounds.round })
    .from(projectRounds)
    .where(and(isOwn, eq(projectRounds.outcome, "funded")))
    .orderBy(desc(projectRounds.round));
  return found.map(({ round }) => round);
}

async function readRound(db: DbOrTx, key: { projectId: number; round: number }) {
  const terms = await readTerms(db, key);
  const { unit, plannedPriceKobo, deductibleCosts, collectionPlace } = terms;
  return {
    round: key.round,
    unit,
    nextPlanned: plannedAt(terms, await findNextPlace(db, key)),
    plannedPriceKobo,
    deductibleCosts,
    collectionPlace,
  };
}

/**
 * One harvest of the caller's farms: what was entered, how far the collection is, and the costs that the farm paid. Throws
 * "forbidden".
 */
export async function describeKeptHarvest(ctx: FarmContext, { harvestId }: { harvestId: number }) {
  const { db, clock, actor } = ctx;
  const key = await findRoundOf(db, harvestId);
  await requireFarmRight(ctx, key.projectId, "keep", key.round);
  const [harvest] = await db.select().from(harvests).where(eq(harvests.id, harvestId));
  if (!harvest) throw new AppError("not_found", texts.gone);
  const { takers, collected } = (await sumParts(db, harvest)).parts;
  const ofFarm = (await readCosts(db, harvestId)).filter(({ paidBy }) => paidBy === "farm");
  const ids = new Set(ofFarm.map(({ id }) => id));
  const isCallers = and(eq(harvestCosts.harvestId, harvestId), eq(harvestCosts.recordedBy, actor.id));
  const entered = new Set(
    (await db.select({ id: harvestCosts.id }).from(harvestCosts).where(isCallers)).map(({ id }) => id),
  );
  const costs = ofFarm.map((cost) => ({ ...cost, isOwn: entered.has(cost.id) }));
  const files = (await readFiles(db, [harvestId])).filter(
    ({ purpose, costId }) => purpose === "harvest" || (costId !== null && ids.has(costId)),
  );
  const { id, projectId, round, number, isInsurance, state, quantity, lostQuantity, referencePriceKobo, note } =
    harvest;
  const { createdAt, updatedAt, choosesUntil, allottedAt, collectsUntil, costsLostAt } = harvest;
  return {
    id,
    projectId,
    round,
    number,
    isInsurance,
    state,
    quantity,
    planned: plannedOf(harvest, await readTerms(db, harvest)),
    lostQuantity,
    referencePriceKobo,
    note,
    createdAt,
    updatedAt,
    choosesUntil,
    allottedAt,
    collectsUntil,
    costsLostAt,
    parts: { takers, collected },
    costs,
    files,
    now: clock.now(),
  };
}
