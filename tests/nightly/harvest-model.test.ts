import { eq } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { payouts } from "#server/db/schema/payouts.ts";
import { allotIfDue } from "#server/features/harvests/allotment.ts";
import { listToAllot, listToMove, moveUncollected } from "#server/features/harvests/collection.ts";
import { AppError } from "#server/platform/errors.ts";
import type { HarvestPool } from "#shared/harvests-texts.ts";
import { koboToNairaText } from "#shared/money.ts";
import { quantityText } from "#shared/terms-texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import {
  confirmNext,
  type Farm,
  findHarvest,
  fundFarm,
  keepEvidence,
  partsOf,
  sell,
  settlementsOf,
} from "#tests/support/harvests.ts";
import { isLong } from "#tests/support/length.ts";
import { expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { giveAccount, keepRun } from "#tests/support/payouts.ts";
import { callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { openOwnAccount } from "#tests/support/statements.ts";

/**
 * Whatever people do with the harvests of a farm, in whatever order: the server allows just what the model of one harvest
 * allows, and after each step the books hold. Sales come in parts, and each is settled, reversed and paid as it may be. A failure
 * prints what it takes to see it again: HARVEST_MODEL_SEED and HARVEST_MODEL_PATH.
 */
const { HARVEST_MODEL_SEED, HARVEST_MODEL_PATH } = process.env;
const numRuns = isLong ? 2000 : 25;
const seed = Number(HARVEST_MODEL_SEED ?? (isLong ? Date.now() % 2 ** 31 : 20_261_123));

type Step =
  | { do: "open" | "withdraw" | "finish" | "lose" | "pay" }
  | { do: "choose"; backer: number; part: number }
  | { do: "lower" | "wait"; days: number }
  | { do: "collect"; backer: number }
  | { do: "cost"; kobo: number; byFarm: boolean }
  | { do: "sell" | "settle"; kobo: number; isUncollected: boolean }
  | { do: "reverse"; which: number };

const backer = fc.nat(2);
const kobo = fc.integer({ min: 1, max: 90_000_000 });
const steps = fc.array(
  fc.oneof(
    { arbitrary: fc.record({ do: fc.constantFrom("withdraw", "finish", "lose", "pay") }), weight: 2 },
    { arbitrary: fc.record({ do: fc.constant("choose"), backer, part: fc.nat(4) }), weight: 4 },
    { arbitrary: fc.record({ do: fc.constant("lower"), days: fc.nat(3) }), weight: 1 },
    { arbitrary: fc.record({ do: fc.constant("wait"), days: fc.constantFrom(1, 9, 15) }), weight: 3 },
    { arbitrary: fc.record({ do: fc.constant("collect"), backer }), weight: 2 },
    { arbitrary: fc.record({ do: fc.constant("cost"), kobo, byFarm: fc.boolean() }), weight: 2 },
    { arbitrary: fc.record({ do: fc.constant("sell"), kobo, isUncollected: fc.boolean() }), weight: 4 },
    { arbitrary: fc.record({ do: fc.constant("settle"), kobo, isUncollected: fc.boolean() }), weight: 4 },
    { arbitrary: fc.record({ do: fc.constant("reverse"), which: fc.nat(3) }), weight: 2 },
  ) as fc.Arbitrary<Step>,
  { minLength: 4, maxLength: 22 },
);

type PoolSums = Record<HarvestPool, bigint>;
/** One harvest as the rules have it. */
type Model = {
  state: "draft" | "choosing" | "allotted" | "settled" | "done" | "lost" | "withdrawn";
  until: number;
  collectsUntil: number | null;
  quantity: bigint;
  isChosen: boolean;
  hasPlatformCost: boolean;
  areCostsLost: boolean;
  parts: { taken: bigint; sold: bigint; isCollected: boolean; isUncollected: boolean }[];
  sold: PoolSums;
  /** How many there are. */
  sales: PoolSums;
  divided: PoolSums;
  settlements: { pool: HarvestPool; kobo: bigint; isReversed: boolean; hasLeft: boolean }[];
};

const day = 86_400_000;
const deps = await openTestDeps();

async function play(walk: readonly Step[]): Promise<void> {
  await emptyDatabase(deps.db);
  await setBankDetails(deps.db);
  const asker = await createAdmin(deps.db, "owner");
  const confirmer = await createAdmin(deps.db, "owner");
  const farm = await fundFarm(deps, { owner: asker, lots: [3, 2, 2], farmPart: "10" });
  const ownAccount = await openOwnAccount(deps, { importedBy: asker.id, openingKobo: 70_000_000n });
  const accounts = [];
  for (const { id } of farm.backers) accounts.push(await giveAccount(deps, { userId: id }, { addedBy: id }));
  accounts.push(await giveAccount(deps, { projectId: farm.project.id }, { addedBy: asker.id }));
  const owner = await callAs(deps, asker);
  const facts = { quantity: "700.123", lostQuantity: "0", referencePrice: "2,750", note: "" };
  const { harvestId } = await owner.harvests.create({ projectId: farm.project.id, round: 1, ...facts });
  const model: Model = {
    ...{ state: "draft", until: 0, collectsUntil: null, quantity: 700_123n, isChosen: false, parts: [] },
    ...{ hasPlatformCost: false, areCostsLost: false },
    ...{
      sales: { sold: 0n, uncollected: 0n },
      sold: { sold: 0n, uncollected: 0n },
      divided: { sold: 0n, uncollected: 0n },
      settlements: [],
    },
  };
  const scene: Scene = { farm, asker, confirmer, harvestId, model, ownAccount, accounts };
  for (const step of [{ do: "open" } as const, ...walk]) {
    const isAllowed = mayBe(scene, step);
    const isDone = await act(scene, step);
    expect(isDone, `${JSON.stringify(step)} in ${model.state}`).toBe(isAllowed);
    if (isDone) await follow(scene, step);
    await byClock(scene);
    expect((await findHarvest(deps, harvestId)).state, JSON.stringify(step)).toBe(model.state);
    await expectMoneyHolds(deps);
  }
}

type Scene = {
  farm: Farm;
  asker: TestUser;
  confirmer: TestUser;
  harvestId: number;
  model: Model;
  ownAccount: Awaited<ReturnType<typeof openOwnAccount>>;
  accounts: Awaited<ReturnType<typeof giveAccount>>[];
};

const now = () => deps.clock.now().getTime();
const poolOf = ({ isUncollected }: { isUncollected: boolean }): HarvestPool => (isUncollected ? "uncollected" : "sold");
const isOpenToBooks = ({ state }: Model) => ["allotted", "settled", "done"].includes(state);
/** Each sale is of a kilo. */
const hasLeftToSell = ({ quantity, parts, sales }: Model, pool: HarvestPool) => {
  const mine = parts.reduce(
    (sum, part) => sum + (pool === "sold" ? part.sold : part.isUncollected ? part.taken : 0n),
    0n,
  );
  const farms = pool === "sold" ? quantity / 10n : 0n;
  return (sales[pool] + 1n) * 1000n <= farms + mine;
};
const isWithoutSales = ({ state }: Model) => state === "lost" || state === "withdrawn";
const isAnybodys = ({ parts }: Model, pool: HarvestPool) =>
  pool === "sold" || parts.some(({ isUncollected, taken }) => isUncollected && taken > 0n);
const unsettled = ({ sold, divided }: Model, pool: HarvestPool) => sold[pool] - divided[pool];

/** What the rules say of a step. */
function mayBe({ model }: Scene, step: Step): boolean {
  const { state, parts } = model;
  switch (step.do) {
    case "open":
      return state === "draft";
    case "withdraw":
      return state === "choosing" && !model.isChosen;
    case "choose":
      return state === "choosing" && now() <= model.until;
    case "lower":
      return state === "choosing" && now() <= model.until && step.days > 0;
    case "collect": {
      const part = parts[step.backer];
      const isReady = part !== undefined && part.taken > 0n && !part.isCollected && !part.isUncollected;
      return isReady && now() <= (model.collectsUntil ?? 0) && state !== "lost";
    }
    case "cost":
      return state !== "done" && !(isWithoutSales(model) && step.byFarm);
    case "sell":
      return isOpenToBooks(model) && hasLeftToSell(model, poolOf(step));
    case "settle": {
      const pool = poolOf(step);
      return isOpenToBooks(model) && unsettled(model, pool) > 0n && isAnybodys(model, pool);
    }
    case "reverse": {
      const chosen = model.settlements[step.which];
      return chosen !== undefined && !chosen.isReversed && !chosen.hasLeft && state !== "done";
    }
    case "finish": {
      if (isWithoutSales(model)) return model.hasPlatformCost && !model.areCostsLost;
      const isReady = parts.some((part) => part.taken > 0n && !part.isCollected && !part.isUncollected);
      const isSettled = unsettled(model, "sold") === 0n && unsettled(model, "uncollected") === 0n;
      // Each pool that backers have something in was settled.
      const hasSettled = (pool: HarvestPool) => model.settlements.some((one) => one.pool === pool && !one.isReversed);
      const isDivided =
        (hasSettled("sold") || parts.every(({ sold }) => sold === 0n)) &&
        (hasSettled("uncollected") || parts.every(({ isUncollected }) => !isUncollected));
      return (state === "allotted" || state === "settled") && !isReady && isSettled && isDivided;
    }
    case "lose": {
      const isUntouched = parts.every(({ isCollected }) => !isCollected);
      const isWithoutMoney = model.settlements.every(({ isReversed }) => isReversed);
      const isSold = unsettled(model, "sold") !== 0n || unsettled(model, "uncollected") !== 0n;
      return (state === "choosing" || state === "allotted") && isUntouched && isWithoutMoney && !isSold;
    }
    default:
      return true;
  }
}

/** Does a step. False if it was refused; a fault is none. */
async function act(scene: Scene, step: Step): Promise<boolean> {
  try {
    await attempt(scene, step);
    return true;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof AppError ? error.cause : error;
    if (cause instanceof AppError) return false;
    throw error;
  }
}

async function attempt(scene: Scene, step: Step): Promise<void> {
  const { farm, asker, confirmer, harvestId, model } = scene;
  const owner = await callAs(deps, asker);
  const reason = "As the model wants it to be.";
  switch (step.do) {
    case "open":
      return owner.harvests.open({ harvestId });
    case "withdraw":
      return owner.harvests.withdraw({ harvestId, reason });
    case "choose": {
      const mine = (await partsOf(deps, harvestId))[step.backer];
      const whole = (model.quantity * 9n * (mine?.weightKobo ?? 0n)) / 700_000_000n;
      const [taken, given] = [(whole * BigInt(step.part)) / 8n, (whole * BigInt(step.part % 3)) / 8n];
      return (await farm.as(step.backer)).harvests.choose({
        ...{ harvestId, taken: quantityText(taken), given: quantityText(given) },
      });
    }
    case "lower":
      return owner.harvests.lower({
        ...{ harvestId, reason, quantity: quantityText(model.quantity - BigInt(step.days) * 7_777n) },
      });
    case "collect": {
      const part = (await partsOf(deps, harvestId))[step.backer];
      await owner.harvests.collect({ harvestId, code: part?.code ?? "no code" }).catch(wrongInput);
      return;
    }
    case "cost": {
      const fileId = await keepEvidence(deps, asker);
      const paidBy = step.byFarm ? ("farm" as const) : ("platform" as const);
      const amount = koboToNairaText(BigInt(step.kobo));
      return owner.harvests.addCost({ harvestId, label: "Feed", amount, paidBy, fileId });
    }
    case "sell":
      await sell(deps, { asker, confirmer }, { harvestId, amountKobo: BigInt(step.kobo), pool: poolOf(step) });
      return;
    case "settle": {
      const amount = koboToNairaText(unsettled(model, poolOf(step)) || 1n);
      return owner.harvests.settle({ harvestId, pool: poolOf(step), amount });
    }
    case "reverse": {
      const settlement = (await settlementsOf(deps, harvestId))[step.which];
      return owner.harvests.reverse({ settlementId: settlement?.id ?? 999_999, reason });
    }
    case "finish":
      return owner.harvests.finish({ harvestId });
    case "lose": {
      await owner.harvests.addFile({ harvestId, fileId: await keepEvidence(deps, asker) });
      await owner.secondPerson.ask({ kind: "lose_harvest", details: { harvestId }, reason });
      return confirmNext(deps, confirmer);
    }
    case "pay":
      return payDue(scene);
    case "wait":
      deps.clock.advance({ days: step.days });
  }
}

/** A code that doesn't exist is refused by its shape. */
function wrongInput(error: unknown): never {
  if (error instanceof Error && error.cause instanceof AppError) throw error;
  throw new AppError("invalid", "no such code", { cause: error });
}

/** Puts all that is due into a run that the bank gets. */
async function payDue({ accounts, asker, confirmer, ownAccount }: Scene): Promise<void> {
  const due = await deps.db.select().from(payouts).where(eq(payouts.state, "due"));
  const owed = due.flatMap((payout) => {
    const account = accounts.find(({ userId }) => userId === payout.userId);
    return account ? [{ payout, account }] : [];
  });
  if (owed.length > 0) await keepRun(deps, owed, { ownAccount, owner: asker, second: confirmer });
}

/** What a step that was done changes by the rules. */
async function follow({ model, harvestId }: Scene, step: Step): Promise<void> {
  switch (step.do) {
    case "open":
      model.state = "choosing";
      model.until = (await findHarvest(deps, harvestId)).choosesUntil?.getTime() ?? 0;
      expect(model.until - now()).toBeGreaterThan(13 * day);
      return;
    case "withdraw":
      model.state = "withdrawn";
      return;
    case "lose":
      model.state = "lost";
      return;
    case "finish":
      if (isWithoutSales(model)) model.areCostsLost = true;
      else model.state = "done";
      return;
    case "cost":
      if (!step.byFarm) model.hasPlatformCost = true;
      return;
    case "choose":
      model.isChosen = true;
      return;
    case "lower":
      model.quantity -= BigInt(step.days) * 7_777n;
      return;
    case "collect":
      Object.assign(model.parts[step.backer] ?? {}, { isCollected: true });
      return;
    case "sell":
      model.sold[poolOf(step)] += BigInt(step.kobo);
      model.sales[poolOf(step)] += 1n;
      return;
    case "settle": {
      const pool = poolOf(step);
      model.settlements.push({ pool, kobo: unsettled(model, pool), isReversed: false, hasLeft: false });
      model.divided[pool] = model.sold[pool];
      if (model.state === "allotted") model.state = "settled";
      return;
    }
    case "reverse": {
      const reversed = model.settlements[step.which];
      if (!reversed) return;
      reversed.isReversed = true;
      model.divided[reversed.pool] -= reversed.kobo;
      if (model.settlements.every(({ isReversed }) => isReversed)) model.state = "allotted";
      return;
    }
    case "pay":
      for (const [index, { id }] of (await settlementsOf(deps, harvestId)).entries()) {
        const sent = await deps.db.select().from(payouts).where(eq(payouts.settlementId, id));
        const settlement = model.settlements[index];
        if (settlement && sent.some(({ state }) => state === "sent")) settlement.hasLeft = true;
      }
  }
}

/** What the job does as time goes on. */
async function byClock({ model, harvestId }: Scene): Promise<void> {
  for (const id of await listToAllot(deps)) await allotIfDue(deps, id);
  if (model.state === "choosing" && now() > model.until) {
    model.state = "allotted";
    model.collectsUntil = (await findHarvest(deps, harvestId)).collectsUntil?.getTime() ?? null;
    const parts = await partsOf(deps, harvestId);
    const isNew = { isCollected: false, isUncollected: false };
    model.parts = parts.map(({ taken, sold }) => ({ taken: taken ?? 0n, sold: sold ?? 0n, ...isNew }));
  }
  for (const id of await listToMove(deps)) await moveUncollected(deps, id);
  if (model.collectsUntil !== null && now() > model.collectsUntil && model.state !== "lost") {
    for (const part of model.parts) if (part.taken > 0n && !part.isCollected) part.isUncollected = true;
  }
}

test("a harvest goes as its rules say, and the books hold after each step", async () => {
  const path = HARVEST_MODEL_PATH === undefined ? {} : { path: HARVEST_MODEL_PATH };
  await fc.assert(fc.asyncProperty(steps, play), { numRuns, seed, ...path, endOnFailure: !isLong });
}, 3_600_000);
