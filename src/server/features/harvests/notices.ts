import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import { listActiveOwners } from "#server/accounts/users.ts";
import type { Tx } from "#server/db/open.ts";
import { harvestParts } from "#server/db/schema/harvests.ts";
import { projects } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import { allotHarvest } from "#server/features/harvests/choosing/current-shares.ts";
import { readWeights } from "#server/features/harvests/choosing/weights.ts";
import { administratorsWith } from "#server/features/notifications/queries.ts";
import { type NoticeText, type NotifyDeps, notify, notifyEach } from "#server/features/notifications/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { HarvestPool } from "#shared/harvests/texts.ts";
import type { Kobo } from "#shared/money.ts";
import {
  codesLockedNotice,
  costEnteredNotice,
  countedNotice,
  type HarvestFacts,
  harvestEnteredNotice,
  lostNotice,
  loweredNotice,
  openedNotice,
  readyNotice,
  reminderNotice,
  restLostNotice,
  settledNotice,
  uncollectedNotice,
  withdrawnNotice,
} from "./emails.ts";
import { type Harvest, type HarvestPart, readTerms, type RoundTerms as Terms } from "./harvest-rows.ts";

/** Notices about a harvest go to everyone with a part in it, in the transaction of the event. */

type Told = { userId: string; notice: NoticeText };

async function tell(tx: Tx, deps: NotifyDeps, harvest: Harvest, event: string, told: readonly Told[]): Promise<void> {
  const isThere = (await tx.$count(projects, eq(projects.id, harvest.projectId))) > 0;
  const projectId = isThere ? harvest.projectId : null;
  const eventKey = `harvest:${harvest.id}:${event}`;
  await notifyEach(
    tx,
    deps,
    "harvest",
    told.map(({ userId, notice }) => ({ ...notice, userId, projectId, eventKey })),
  );
}

const factsOf = (
  { projectId, projectTitle }: Harvest,
  { unit }: Pick<Terms, "unit">,
  deps: NotifyDeps,
): HarvestFacts => ({
  site: deps.site.current(),
  projectId,
  projectTitle,
  unit,
});

async function listParts(tx: Tx, harvestId: number): Promise<HarvestPart[]> {
  return tx
    .select()
    .from(harvestParts)
    .where(eq(harvestParts.harvestId, harvestId))
    .orderBy(asc(harvestParts.backingId));
}

type About = { harvest: Harvest; terms: Terms };

/** True if the terms offer anything but a sale. */
const mayChoose = ({ options }: Pick<Terms, "options">): boolean => options.some((option) => option !== "sale");

/** The people among these parts who can sign in and choose: those who aren't blocked and haven't closed their account. */
async function findChoosers(tx: Tx, parts: readonly HarvestPart[]): Promise<Set<string>> {
  const userIds = [...new Set(parts.map(({ userId }) => userId))];
  const canSignIn = and(inArray(users.id, userIds), eq(users.isBlocked, false), isNull(users.closedAt));
  return new Set((await tx.select({ id: users.id }).from(users).where(canSignIn)).map(({ id }) => id));
}

export async function notifyOpened(tx: Tx, deps: NotifyDeps, { harvest, terms }: About): Promise<void> {
  const { rows } = await allotHarvest(tx, harvest, terms);
  const quantities = new Map(rows.map(({ backingId, quantity }) => [backingId, quantity]));
  const until = untilOf(harvest.choosesUntil);
  const facts = factsOf(harvest, terms, deps);
  const parts = await listParts(tx, harvest.id);
  const choosers = await findChoosers(tx, parts);
  const told = parts.map(({ userId, backingId }) => {
    const opened = { mine: quantities.get(backingId) ?? 0n, until };
    if (mayChoose(terms) && choosers.has(userId)) return { userId, notice: openedNotice(facts, opened) };
    return { userId, notice: countedNotice(facts, { ...opened, isLockedOut: mayChoose(terms) }) };
  });
  await tell(tx, deps, harvest, "opened", told);
}

function untilOf(until: Date | null): Date {
  if (until === null) throw new Error("a harvest without an end of choosing or collecting");
  return until;
}

/** Reminds who hasn't chosen and can, with so many days left. Each step reaches a person once. */
export async function notifyToChoose(
  tx: Tx,
  deps: NotifyDeps,
  { harvest, terms, days, step }: About & { days: number; step: number },
): Promise<void> {
  if (!mayChoose(terms)) return;
  const until = untilOf(harvest.choosesUntil);
  const notice = reminderNotice(factsOf(harvest, terms, deps), { days, until });
  const parts = (await listParts(tx, harvest.id)).filter(({ chosenAt }) => chosenAt === null);
  const choosers = await findChoosers(tx, parts);
  const open = parts.filter(({ userId }) => choosers.has(userId));
  await tell(
    tx,
    deps,
    harvest,
    `choose:${step}`,
    open.map(({ userId }) => ({ userId, notice })),
  );
}

export async function notifyLowered(
  tx: Tx,
  deps: NotifyDeps,
  { harvest, terms, reason }: About & { reason: string },
): Promise<void> {
  const quantity = harvest.quantity ?? 0n;
  const notice = loweredNotice(factsOf(harvest, terms, deps), { quantity, reason });
  const told = (await listParts(tx, harvest.id)).map(({ userId }) => ({ userId, notice }));
  await tell(tx, deps, harvest, `lowered:${quantity}`, told);
}

export async function notifyWithdrawn(
  tx: Tx,
  deps: NotifyDeps,
  { harvest, reason }: { harvest: Harvest; reason: string },
): Promise<void> {
  const notice = withdrawnNotice(factsOf(harvest, await readTerms(tx, harvest), deps), { reason });
  const told = (await listParts(tx, harvest.id)).map(({ userId }) => ({ userId, notice }));
  await tell(tx, deps, harvest, "withdrawn", told);
}

/** Tells takers where and until when they collect, and their code. */
export async function notifyReady(tx: Tx, deps: NotifyDeps, { harvest, terms }: About): Promise<void> {
  const told = (await listParts(tx, harvest.id)).flatMap(({ userId, taken, code }) => {
    if (code === null || taken === null) return [];
    const ready = { taken, code, until: untilOf(harvest.collectsUntil), place: terms.collectionPlace };
    return [{ userId, notice: readyNotice(factsOf(harvest, terms, deps), ready) }];
  });
  await tell(tx, deps, harvest, "ready", told);
}

/** Tells who holds the lots since a change of holder what they collect, and the code that is valid now. */
export async function notifyNewHolder(tx: Tx, deps: NotifyDeps, harvest: Harvest, part: HarvestPart): Promise<void> {
  const { userId, taken, code } = part;
  if (taken === null || code === null) return;
  const terms = await readTerms(tx, harvest);
  const ready = { taken, code, until: untilOf(harvest.collectsUntil), place: terms.collectionPlace };
  const notice = readyNotice(factsOf(harvest, terms, deps), ready);
  await tell(tx, deps, harvest, "ready_for_new_holder", [{ userId, notice }]);
}

/** Reminds who hasn't collected yet, a day before the end. */
export async function notifyToCollect(tx: Tx, deps: NotifyDeps, { harvest, terms }: About): Promise<void> {
  const told = (await listParts(tx, harvest.id)).flatMap(({ userId, taken, code, collectedAt, uncollectedAt }) => {
    if (code === null || taken === null || collectedAt !== null || uncollectedAt !== null) return [];
    const ready = { taken, code, until: untilOf(harvest.collectsUntil), place: terms.collectionPlace };
    return [{ userId, notice: readyNotice(factsOf(harvest, terms, deps), ready) }];
  });
  await tell(tx, deps, harvest, "collect:1", told);
}

export async function notifyUncollected(
  tx: Tx,
  deps: NotifyDeps,
  { harvest, parts }: { harvest: Harvest; parts: readonly HarvestPart[] },
): Promise<void> {
  const facts = factsOf(harvest, await readTerms(tx, harvest), deps);
  const told = parts.map(({ userId, taken }) => ({ userId, notice: uncollectedNotice(facts, { taken: taken ?? 0n }) }));
  await tell(tx, deps, harvest, "uncollected", told);
}

type Divided = { number: number; proceedsKobo: Kobo; costsKobo: Kobo };
type SettledPart = { userId: string; shareKobo: Kobo; feeKobo: Kobo; vatKobo: Kobo; whtKobo: Kobo; netKobo: Kobo };

type Settled = {
  harvest: Harvest;
  settlement: Divided;
  parts: readonly SettledPart[];
  /** The paper of each person. */
  statements: readonly { userId: string | null; number: string }[];
};

/** Tells everybody with a part in what was divided how it was, also whom nothing is left for. */
export async function notifySettled(
  tx: Tx,
  deps: NotifyDeps,
  { harvest, settlement, parts, statements }: Settled,
): Promise<void> {
  const { proceedsKobo, costsKobo } = settlement;
  const facts = factsOf(harvest, await readTerms(tx, harvest), deps);
  const { isInsurance } = harvest;
  const statementOf = new Map(statements.map((statement) => [statement.userId, statement]));
  const told = parts.map(({ userId, ...part }) => ({
    userId,
    notice: settledNotice(facts, {
      ...part,
      proceedsKobo,
      costsKobo,
      isInsurance,
      statement: statementOf.get(userId),
    }),
  }));
  await tell(tx, deps, harvest, `settled:${settlement.number}`, told);
}

/** Tells everybody with a part in the pools of which something is lost; of an insurer's sum everybody it was shared among. */
export async function notifyRestLost(
  tx: Tx,
  deps: NotifyDeps,
  { harvest, pools, reason }: { harvest: Harvest; pools: readonly HarvestPool[]; reason: string },
): Promise<void> {
  const notice = restLostNotice(factsOf(harvest, await readTerms(tx, harvest), deps), { reason });
  const isLost = ({ sold, uncollectedAt }: HarvestPart): boolean =>
    (pools.includes("sold") && sold !== null && sold > 0n) || (pools.includes("uncollected") && uncollectedAt !== null);
  const people = harvest.isInsurance
    ? await readWeights(tx, harvest)
    : (await listParts(tx, harvest.id)).filter((part) => isLost(part));
  await tell(
    tx,
    deps,
    harvest,
    "rest_lost",
    people.map(({ userId }) => ({ userId, notice })),
  );
}

export async function notifyLost(
  tx: Tx,
  deps: NotifyDeps,
  { harvest, terms, reason }: About & { reason: string },
): Promise<void> {
  const notice = lostNotice(factsOf(harvest, terms, deps), { reason, insurance: terms.insurance });
  const told = (await listParts(tx, harvest.id)).map(({ userId }) => ({ userId, notice }));
  await tell(tx, deps, harvest, "lost", told);
}

/** Tells owners that wrong codes have locked the collection list. */
export async function notifyCodesLocked(
  tx: Tx,
  ctx: ActorContext,
  { harvest, wrongCodes, isOfDay }: { harvest: Harvest; wrongCodes: number; isOfDay: boolean },
): Promise<void> {
  const facts = factsOf(harvest, await readTerms(tx, harvest), ctx);
  const { number } = harvest;
  const notice = codesLockedNotice(facts, { number, wrongCodes, isOfDay, by: ctx.actor.fullName });
  const told = (await listActiveOwners(tx)).map(({ id: userId }) => ({ userId, notice }));
  await tell(tx, ctx, harvest, `codes_locked:${ctx.clock.now().toISOString()}`, told);
}

/** Tells who looks after harvests that a farm's keeper entered one; of an administrator's nobody is told. */
export async function notifyHarvestEntered(tx: Tx, ctx: ActorContext, harvest: Harvest): Promise<void> {
  await notifyOfKeeper(tx, ctx, { harvest, event: "entered", noticeOf: harvestEnteredNotice });
}

type Cost = { id: number; label: string; amountKobo: Kobo };

/** The same for a cost. */
export async function notifyCostEntered(
  tx: Tx,
  ctx: ActorContext,
  { harvest, cost }: { harvest: Harvest; cost: Cost },
): Promise<void> {
  await notifyOfKeeper(tx, ctx, {
    harvest,
    event: `cost:${cost.id}`,
    noticeOf: (facts) => costEnteredNotice(facts, cost),
  });
}

type OfKeeper = {
  harvest: Harvest;
  event: string;
  noticeOf: (facts: Parameters<typeof harvestEnteredNotice>[0]) => NoticeText;
};

async function notifyOfKeeper(tx: Tx, ctx: ActorContext, { harvest, event, noticeOf }: OfKeeper): Promise<void> {
  if (!ctx.keeperOf) return;
  const { id, projectId, number } = harvest;
  const facts = { ...factsOf(harvest, await readTerms(tx, harvest), ctx), number, farm: ctx.keeperOf.farm };
  const administrators = await administratorsWith(tx, "harvests:manage");
  await notify(tx, ctx, {
    ...noticeOf(facts),
    kind: "farm_report",
    projectId,
    eventKey: `harvest:${id}:${event}`,
    userIds: administrators.filter((userId) => userId !== ctx.actor.id),
  });
}
