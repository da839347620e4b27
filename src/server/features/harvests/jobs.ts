import { and, asc, gt, lte, type SQL } from "drizzle-orm";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { harvests } from "#server/db/schema/harvests.ts";
import { allotIfDue } from "#server/features/harvests/choosing/allotment.ts";
import { listToAllot, listToMove, moveUncollected } from "#server/features/harvests/choosing/collection.ts";
import { forEachOnItsOwn } from "#server/platform/async.ts";
import type { Deps } from "#server/platform/deps.ts";
import { harvestLimits as limits } from "#shared/harvests/texts.ts";
import { dayMs, daysBetween, isNight } from "#shared/lagos-time.ts";
import { type Harvest, lockHarvest, readTerms } from "./harvest-rows.ts";
import { notifyToChoose, notifyToCollect } from "./notices.ts";

/**
 * Allots the harvests whose time for choosing is over, and sells what nobody collected in time. Choosing and collecting end
 * by the clock, whether or not this has run.
 */
export async function sweepHarvests(deps: Deps): Promise<void> {
  await forEachOnItsOwn(deps.log, await listToAllot(deps), (id) => allotIfDue(deps, id));
  await forEachOnItsOwn(deps.log, await listToMove(deps), (id) => moveUncollected(deps, id));
}

const mostDays = Math.max(...limits.reminderDays);

/** Reminds, by day, who hasn't chosen yet, and who hasn't collected their produce: each once per step. */
export async function remindOfHarvests(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  if (isNight(now)) return;
  const soon = new Date(now.getTime() + (mostDays + 1) * dayMs);
  const choosing = await listOf(deps, and(gt(harvests.choosesUntil, now), lte(harvests.choosesUntil, soon)));
  await forEachOnItsOwn(deps.log, choosing, (id) => remind(deps, id, toChoose));
  const collecting = await listOf(deps, and(gt(harvests.collectsUntil, now), lte(harvests.collectsUntil, soon)));
  await forEachOnItsOwn(deps.log, collecting, (id) => remind(deps, id, toCollect));
}

async function listOf({ db }: Deps, which: SQL | undefined): Promise<number[]> {
  const found = await db.select({ id: harvests.id }).from(harvests).where(which).orderBy(asc(harvests.id));
  return found.map(({ id }) => id);
}

const remind = (deps: Deps, harvestId: number, tell: (tx: Tx, deps: Deps, harvest: Harvest) => Promise<void>) =>
  inTransaction(deps.db, async (tx) => tell(tx, deps, await lockHarvest(tx, harvestId)));

async function toChoose(tx: Tx, deps: Deps, harvest: Harvest): Promise<void> {
  const { state, openedAt, choosesUntil } = harvest;
  if (state !== "choosing" || !openedAt || !choosesUntil || choosesUntil <= deps.clock.now()) return;
  const days = daysBetween(deps.clock.now(), choosesUntil);
  const step = stepOf(days, daysBetween(openedAt, choosesUntil));
  if (step === undefined) return;
  await notifyToChoose(tx, deps, { harvest, terms: await readTerms(tx, harvest), days, step });
}

async function toCollect(tx: Tx, deps: Deps, harvest: Harvest): Promise<void> {
  const { state, allottedAt, collectsUntil } = harvest;
  if (state === "lost" || !allottedAt || !collectsUntil || collectsUntil <= deps.clock.now()) return;
  const isLastDays = daysBetween(deps.clock.now(), collectsUntil) <= 1 && daysBetween(allottedAt, collectsUntil) > 1;
  if (isLastDays) await notifyToCollect(tx, deps, { harvest, terms: await readTerms(tx, harvest) });
}

/**
 * The reminder that is due with so many days left: also a missed one, until the next. None on the day on which all were told
 * that they may choose.
 */
const stepOf = (daysLeft: number, daysInAll: number): number | undefined =>
  limits.reminderDays.findLast((step) => daysLeft <= step && step < daysInAll);
