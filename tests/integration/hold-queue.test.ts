import fc from "fast-check";
import { expect, test } from "vitest";
import { holds, waitingList } from "#server/db/schema/holds.ts";
import { settings } from "#server/db/schema/settings.ts";
import { submitReceipt } from "#server/features/payments/buying/receipts.ts";
import { beginPurchase } from "#server/features/payments/buying/service.ts";
import { sweepHolds } from "#server/features/projects/holds/jobs.ts";
import { joinWaitingList, leaveWaitingList, releaseHold } from "#server/features/projects/holds/own-hold.ts";
import { findRound } from "#server/features/projects/rounds/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { holdHoursKey, offerHoursKey } from "#shared/settings/texts.ts";
import { isPostgres } from "#tests/support/database.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { isLong } from "#tests/support/length.ts";
import { contextOf, decide, expectMoneyHolds, setBankDetails, storeReceiptFile } from "#tests/support/money.ts";
import { createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";

/** Whatever people do on whatever days, and whether or not the job runs: the waiting list is fair. */

const deps = await openTestDeps();
const lotsOfRound = 3;
const offerHours = 12;
const minuteMs = 60_000;

type Run = { owner: TestUser; people: ActorContext[]; projectId: number };

async function beginRun(): Promise<Run> {
  await emptyDatabase(deps.db);
  deps.clock.set(new Date("2026-11-21T09:00:00.000Z"));
  await deps.db.insert(settings).values([
    { key: holdHoursKey, value: "24" },
    { key: offerHoursKey, value: String(offerHours) },
  ]);
  await setBankDetails(deps.db);
  const people: ActorContext[] = [];
  for (let index = 0; index < 5; index += 1) people.push(await contextOf(deps, await createUser(deps.db)));
  const endsAt = new Date("2028-01-01T00:00:00.000Z");
  const project = await createProject(deps.db, { fundingGoalKobo: 30_000_000n, lots: lotsOfRound, endsAt });
  return { people, projectId: project.id, owner: await createAdmin(deps.db, "owner") };
}

const acts = {
  hold: (ctx: ActorContext, { projectId }: Run, lots: number) =>
    beginPurchase(ctx, { projectId, lots, termsVersion: 1, hasReadTerms: true }),
  join: (ctx: ActorContext, { projectId }: Run, lots: number) => joinWaitingList(ctx, { projectId, lots }),
  leave: (ctx: ActorContext, { projectId }: Run) => leaveWaitingList(ctx, { projectId }),
  release: (ctx: ActorContext, { projectId }: Run) => releaseHold(ctx, { projectId }),
  async pay(ctx: ActorContext, { projectId, owner }: Run, lots: number) {
    const file = await storeReceiptFile(deps);
    const sent = await submitReceipt(ctx, { projectId, lots, idempotencyKey: crypto.randomUUID(), file });
    await decide(deps, owner, { paymentId: sent.paymentId, status: "approved" });
  },
  sweep: () => sweepHolds(deps),
  wait: async () => {},
};
const kinds = ["hold", "hold", "join", "join", "join", "leave", "release", "release", "pay", "sweep", "wait"] as const;
const anyStep = fc.record({
  kind: fc.constantFrom(...kinds),
  person: fc.nat({ max: 4 }),
  lots: fc.integer({ min: 1, max: lotsOfRound }),
  /** Time goes by before it. */
  minutes: fc.constantFrom(0, 0, 1, 47, 6 * 60, 13 * 60, 25 * 60),
});

const readList = () => deps.db.select().from(waitingList).orderBy(waitingList.id);
const readHolds = () => deps.db.select().from(holds).orderBy(holds.id);
const isWaiting = ({ offeredAt, leftAt }: typeof waitingList.$inferSelect) => offeredAt === null && leftAt === null;

/** Minute by minute, by the clock in Lagos. */
function afterWakingHours(from: Date, hours: number): Date {
  let now = from.getTime();
  for (let left = hours * 60; left > 0; now += minuteMs) {
    const hour = new Date(now + 60 * minuteMs).getUTCHours();
    if (hour >= 7 && hour < 22) left -= 1;
  }
  return new Date(now);
}

/** How many lots nobody has, by the clock alone. */
async function countFree({ projectId }: Run): Promise<number> {
  const { approvedLots } = await findRound(deps.db, { projectId, round: 1 });
  const now = deps.clock.now();
  const standing = (await readHolds()).filter(({ state, until }) => state === "live" && until !== null && until > now);
  return standing.reduce((free, { lots }) => free - lots, lotsOfRound - approvedLots);
}

type Step = { kind: (typeof kinds)[number]; person: number; lots: number; minutes: number };

async function play(run: Run, { kind, person, lots, minutes }: Step): Promise<void> {
  deps.clock.advance({ minutes });
  const ctx = run.people[person] as ActorContext;
  const before = (await readList()).filter(isWaiting);
  const known = new Set((await readHolds()).map(({ id }) => id));
  let isDone = true;
  try {
    await acts[kind](ctx, run, lots);
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== "conflict") throw error;
    isDone = false;
  }
  const now = deps.clock.now();
  const after = await readList();
  const stillThere = new Set(after.filter(({ leftAt }) => leftAt === null).map(({ id }) => id));
  // Those who waited before and did not leave just now, in the order in which they came.
  const queue = before.filter(({ id }) => stillThere.has(id)).map(({ id }) => id);
  const offered = after.filter(({ id, offeredAt }) => queue.includes(id) && offeredAt !== null);
  expect(
    offered.map(({ id }) => id),
    "the first of the queue are offered, and no others",
  ).toEqual(queue.slice(0, offered.length));

  const made = (await readHolds()).filter(({ id }) => !known.has(id));
  const isTaken = isDone && ["hold", "release", "pay"].includes(kind);
  const isOwn = (userId: string) => isTaken && userId === ctx.actor.id;
  const offers = made.filter(({ userId }) => !isOwn(userId));
  expect(
    offers.map(({ userId, until }) => ({ userId, until })),
    "one offer for each of them, until its hours by day are over",
  ).toEqual(
    // Whoever presses when it is their turn has taken the offer already, or given it back.
    offered
      .filter(({ userId }) => !isOwn(userId))
      .map(({ userId }) => ({ userId, until: afterWakingHours(now, offerHours) })),
  );

  const free = await countFree(run);
  expect(free, "never more held and approved than there is").toBeGreaterThanOrEqual(0);
  const { approvedLots } = await findRound(deps.db, { projectId: run.projectId, round: 1 });
  if (kind === "sweep" && approvedLots < lotsOfRound && free > 0) {
    expect(after.filter(isWaiting), "nobody waits while lots are free").toEqual([]);
  }
}

/** All lots are held, and three wait. */
const opening: Step[] = [
  { kind: "hold", person: 0, lots: lotsOfRound, minutes: 0 },
  ...[1, 2, 3].map((person) => ({ kind: "join" as const, person, lots: 1, minutes: 0 })),
];

/** The embedded database plays a few at night too: two thousand take it an hour. */
const numRuns = !isLong ? 12 : isPostgres() ? 2000 : 20;

test(
  `offers go in the order of joining, once each, ${numRuns} times`,
  async () => {
    const property = fc.asyncProperty(
      fc.array(anyStep, { minLength: 4, maxLength: isLong ? 40 : 14, size: "max" }),
      async (steps) => {
        const run = await beginRun();
        for (const step of [...opening, ...steps]) await play(run, step);
        // What nobody holds and nobody waits for is open to everybody.
        await sweepHolds(deps);
        const free = await countFree(run);
        if (free > 0) await acts.hold(await contextOf(deps, await createUser(deps.db)), run, free);
        await expectMoneyHolds(deps);
      },
    );
    await fc.assert(property, { numRuns, seed: isLong ? Date.now() % 2 ** 31 : 20_261_123, endOnFailure: !isLong });
  },
  Math.max(120_000, numRuns * 5000),
);
