import { asc, eq } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { harvestParts } from "#server/db/schema/harvests.ts";
import { projects } from "#server/db/schema/projects.ts";
import { type NoticeText, type NotifyDeps, notifyEach } from "#server/features/notifications/service.ts";
import type { Kobo } from "#shared/money.ts";
import {
  countedNotice,
  type HarvestFacts,
  lostNotice,
  loweredNotice,
  openedNotice,
  readyNotice,
  reminderNotice,
  settledNotice,
  uncollectedNotice,
  withdrawnNotice,
} from "./emails.ts";
import { allotHarvest, type Harvest, type HarvestPart, readTerms, type RoundTerms as Terms } from "./rows.ts";

/** Who is told of a harvest: everyone with a part of it, in the transaction of the event. */

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
  publicUrl: deps.env.publicUrl,
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

/** Whether the terms offer anything but a sale. */
const mayChoose = ({ options }: Pick<Terms, "options">): boolean => options.some((option) => option !== "sale");

export async function tellOpened(tx: Tx, deps: NotifyDeps, { harvest, terms }: About): Promise<void> {
  const { rows } = await allotHarvest(tx, harvest, terms);
  const quantities = new Map(rows.map(({ backingId, quantity }) => [backingId, quantity]));
  const until = untilOf(harvest.choosesUntil);
  const told = (await listParts(tx, harvest.id)).map(({ userId, backingId }) => ({
    userId,
    notice: (mayChoose(terms) ? openedNotice : countedNotice)(factsOf(harvest, terms, deps), {
      mine: quantities.get(backingId) ?? 0n,
      until,
    }),
  }));
  await tell(tx, deps, harvest, "opened", told);
}

function untilOf(until: Date | null): Date {
  if (until === null) throw new Error("a harvest without an end of choosing or collecting");
  return until;
}

/** Reminds who hasn't chosen, with so many days left. Each step reaches a person once. */
export async function tellToChoose(
  tx: Tx,
  deps: NotifyDeps,
  { harvest, terms, days, step }: About & { days: number; step: number },
): Promise<void> {
  if (!mayChoose(terms)) return;
  const until = untilOf(harvest.choosesUntil);
  const notice = reminderNotice(factsOf(harvest, terms, deps), { days, until });
  const open = (await listParts(tx, harvest.id)).filter(({ chosenAt }) => chosenAt === null);
  await tell(
    tx,
    deps,
    harvest,
    `choose:${step}`,
    open.map(({ userId }) => ({ userId, notice })),
  );
}

export async function tellLowered(
  tx: Tx,
  deps: NotifyDeps,
  { harvest, terms, reason }: About & { reason: string },
): Promise<void> {
  const quantity = harvest.quantity ?? 0n;
  const notice = loweredNotice(factsOf(harvest, terms, deps), { quantity, reason });
  const told = (await listParts(tx, harvest.id)).map(({ userId }) => ({ userId, notice }));
  await tell(tx, deps, harvest, `lowered:${quantity}`, told);
}

export async function tellWithdrawn(
  tx: Tx,
  deps: NotifyDeps,
  { harvest, reason }: { harvest: Harvest; reason: string },
): Promise<void> {
  const notice = withdrawnNotice(factsOf(harvest, await readTerms(tx, harvest), deps), { reason });
  const told = (await listParts(tx, harvest.id)).map(({ userId }) => ({ userId, notice }));
  await tell(tx, deps, harvest, "withdrawn", told);
}

/** Tells takers where and until when they collect, and their code. */
export async function tellReady(tx: Tx, deps: NotifyDeps, { harvest, terms }: About): Promise<void> {
  const told = (await listParts(tx, harvest.id)).flatMap(({ userId, taken, code }) => {
    if (code === null || taken === null) return [];
    const ready = { taken, code, until: untilOf(harvest.collectsUntil), place: terms.collectionPlace };
    return [{ userId, notice: readyNotice(factsOf(harvest, terms, deps), ready) }];
  });
  await tell(tx, deps, harvest, "ready", told);
}

/** Reminds who hasn't collected yet, a day before the end. */
export async function tellToCollect(tx: Tx, deps: NotifyDeps, { harvest, terms }: About): Promise<void> {
  const told = (await listParts(tx, harvest.id)).flatMap(({ userId, taken, code, collectedAt, uncollectedAt }) => {
    if (code === null || taken === null || collectedAt !== null || uncollectedAt !== null) return [];
    const ready = { taken, code, until: untilOf(harvest.collectsUntil), place: terms.collectionPlace };
    return [{ userId, notice: readyNotice(factsOf(harvest, terms, deps), ready) }];
  });
  await tell(tx, deps, harvest, "collect:1", told);
}

export async function tellUncollected(
  tx: Tx,
  deps: NotifyDeps,
  { harvest, parts }: { harvest: Harvest; parts: readonly HarvestPart[] },
): Promise<void> {
  const facts = factsOf(harvest, await readTerms(tx, harvest), deps);
  const told = parts.map(({ userId, taken }) => ({ userId, notice: uncollectedNotice(facts, { taken: taken ?? 0n }) }));
  await tell(tx, deps, harvest, "uncollected", told);
}

type SettledPart = { userId: string; shareKobo: Kobo; feeKobo: Kobo; vatKobo: Kobo; whtKobo: Kobo; netKobo: Kobo };

export async function tellSettled(
  tx: Tx,
  deps: NotifyDeps,
  { harvest, settlement, parts }: { harvest: Harvest; settlement: { number: number }; parts: readonly SettledPart[] },
): Promise<void> {
  const facts = factsOf(harvest, await readTerms(tx, harvest), deps);
  const told = parts
    .filter(({ netKobo }) => netKobo > 0n)
    .map(({ userId, ...part }) => ({
      userId,
      notice: settledNotice(facts, { ...part, isInsurance: harvest.isInsurance }),
    }));
  await tell(tx, deps, harvest, `settled:${settlement.number}`, told);
}

export async function tellLost(
  tx: Tx,
  deps: NotifyDeps,
  { harvest, terms, reason }: About & { reason: string },
): Promise<void> {
  const notice = lostNotice(factsOf(harvest, terms, deps), { reason, insurance: terms.insurance });
  const told = (await listParts(tx, harvest.id)).map(({ userId }) => ({ userId, notice }));
  await tell(tx, deps, harvest, "lost", told);
}
