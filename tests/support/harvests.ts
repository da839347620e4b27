import { and, asc, eq, isNull } from "drizzle-orm";
import type { Db } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { harvestParts, harvestSales, harvests } from "#server/db/schema/harvests.ts";
import { settings } from "#server/db/schema/settings.ts";
import { settlements } from "#server/db/schema/settlements.ts";
import { allotIfDue } from "#server/features/harvests/choosing/allotment.ts";
import { findRound } from "#server/features/projects/rounds/service.ts";
import { newFileKey } from "#server/files/storage.ts";
import type { Deps } from "#server/platform/deps.ts";
import type { CostPayer } from "#shared/harvests/texts.ts";
import { type Kobo, koboToNairaText } from "#shared/money.ts";
import { type HarvestOption, quantityText } from "#shared/projects/terms-texts.ts";
import { maxLotsKey } from "#shared/settings/texts.ts";
import type { TestClock } from "./deps.ts";
import { createPayment, sumIn } from "./money.ts";
import { type Caller, callAs, createAdmin, createUser, type TestUser } from "./people.ts";
import { createProject, type TestProject } from "./projects.ts";
import { confirmNext, type Owners, twoAgree } from "./second-person.ts";

/** Funded farms and their harvests, as the product makes them. */

const lotKobo = 10_000_000n;

/** `as` calls as one of its backers, with a session that begins now. */
export type Farm = { project: TestProject; backers: TestUser[]; as: (index: number) => Promise<Caller> };

type FarmTerms = {
  farmPart?: string;
  fee?: string;
  costs?: string[];
  plannedQuantity?: string;
  harvests?: number;
  harvestPlan?: string[];
  firstHarvestOn?: string;
  options?: HarvestOption[];
};

/** A farm that is sold out: lots of ₦100,000, so many to each backer. */
export async function fundFarm(
  deps: Deps,
  {
    owner,
    lots,
    minimumLots,
    unseenReason,
    ...terms
  }: { owner: TestUser; lots: readonly number[]; minimumLots?: number; unseenReason?: string } & FarmTerms,
): Promise<Farm> {
  await deps.db.insert(settings).values({ key: maxLotsKey, value: "1000" }).onConflictDoNothing();
  const all = lots.reduce((sum, count) => sum + count, 0);
  const offer = { lots: all, minimumLots: minimumLots ?? all, fundingGoalKobo: BigInt(all) * lotKobo };
  const project = await createProject(deps.db, offer);
  const manager = await callAs(deps, owner);
  const { termsVersion: seenVersion } = await findRound(deps.db, { projectId: project.id, round: 1 });
  await manager.projects.updateTerms({
    releaseParts: [],
    projectId: project.id,
    seenVersion,
    unit: "kg",
    plannedPrice: "2,750",
    plannedQuantity: terms.plannedQuantity ?? "",
    plannedHarvests: terms.harvests ?? 1,
    harvestPlan: terms.harvestPlan ?? [],
    firstHarvestOn: terms.firstHarvestOn ?? null,
    farmPart: terms.farmPart ?? "0",
    deductibleCosts: terms.costs ?? ["Feed"],
    fee: terms.fee ?? "5",
    options: terms.options ?? ["produce", "sale", "give_away"],
    collectionPlace: "Moniya market, Ibadan",
    choiceDays: 14,
    collectionDays: 7,
    insurance: null,
  });
  const backers: TestUser[] = [];
  for (const count of lots) {
    const backer = await createUser(deps.db);
    await createPayment(deps, { project, backer, lots: count, owner, status: "approved", unseenReason });
    backers.push(backer);
  }
  const as = async (index: number) => {
    const backer = backers[index];
    if (!backer) throw new Error("no such backer");
    return callAs(deps, backer);
  };
  return { project, backers, as };
}

/** A document that is evidence, as an upload leaves it. */
export async function keepEvidence(deps: Deps, by: Pick<TestUser, "id">): Promise<string> {
  const key = newFileKey("evidence");
  const bytes = Buffer.from("%PDF-1.7");
  await deps.storage.write(key, bytes);
  const [file] = await deps.db
    .insert(storedFiles)
    .values({
      kind: "evidence",
      storageKey: key,
      sha256: "0".repeat(64),
      bytes: bytes.length,
      contentType: "application/pdf",
      originalName: "weighing.pdf",
      uploadedBy: by.id,
    })
    .returning({ id: storedFiles.id });
  if (!file) throw new Error("the file was not kept");
  return file.id;
}

/** A draft as it is now, for whoever opens it. */
export async function seenDraft(db: Db, harvestId: number): Promise<{ harvestId: number; seenAt: Date }> {
  const [draft] = await db.select({ seenAt: harvests.updatedAt }).from(harvests).where(eq(harvests.id, harvestId));
  return { harvestId, seenAt: draft?.seenAt ?? new Date(0) };
}

/** Opens a draft: by two owners where the bank doesn't show all that was paid for its round. */
export async function openDraft(by: Caller, harvestId: number, second?: Caller): Promise<void> {
  const { unseen, updatedAt: seenAt } = await by.harvests.one({ harvestId });
  if (unseen.length === 0 || !second) return by.harvests.open({ harvestId, seenAt });
  const unseenKobo = String(unseen.reduce((sum, { missingKobo }) => sum + missingKobo, 0n));
  const reason = "The backers showed us their bank's papers.";
  await twoAgree(by, second, {
    kind: "open_harvest",
    details: { harvestId, seenAt: seenAt.toISOString(), unseenKobo },
    reason,
  });
}

/** A harvest of a farm that is open for choosing, see {@link openDraft}. Quantities are thousandths of a kilo. */
export async function openHarvestOf(
  manager: Caller,
  { project }: Pick<Farm, "project">,
  quantity: bigint,
  second?: Caller,
): Promise<number> {
  const facts = { quantity: quantityText(quantity), lostQuantity: "0", referencePrice: "2,750", note: "" };
  const { harvestId } = await manager.harvests.create({ projectId: project.id, round: 1, ...facts });
  await openDraft(manager, harvestId, second);
  return harvestId;
}

export async function findHarvest(deps: Pick<Deps, "db">, harvestId: number) {
  const [harvest] = await deps.db.select().from(harvests).where(eq(harvests.id, harvestId));
  if (!harvest) throw new Error("no such harvest");
  return harvest;
}

export const partsOf = (deps: Pick<Deps, "db">, harvestId: number) =>
  deps.db.select().from(harvestParts).where(eq(harvestParts.harvestId, harvestId)).orderBy(asc(harvestParts.backingId));

export const settlementsOf = (deps: Pick<Deps, "db">, harvestId: number) =>
  deps.db.select().from(settlements).where(eq(settlements.harvestId, harvestId)).orderBy(asc(settlements.id));

/** Moves the clock past the last day for choosing, and allots. */
export async function endChoosing(deps: Deps & { clock: TestClock }, harvestId: number): Promise<void> {
  const { choosesUntil } = await findHarvest(deps, harvestId);
  if (!choosesUntil) throw new Error("nobody may choose");
  deps.clock.advance({ ms: choosesUntil.getTime() - deps.clock.now().getTime() + 1000 });
  await allotIfDue(deps, harvestId);
}

type Sold = {
  harvestId: number;
  buyer?: string;
  quantity?: bigint | null;
  amountKobo: bigint;
  pool?: "sold" | "uncollected";
  /** True for an advance or a further payment. */
  isWithoutQuantity?: boolean;
};

/** Writes a sale down, and returns its id. */
export async function keepSale(deps: Deps, by: Caller, sold: Sold): Promise<number> {
  const { harvestId, buyer = "Ibadan Fish Market", quantity = 1000n, amountKobo, pool = "sold" } = sold;
  const amount = koboToNairaText(amountKobo);
  const typed = quantity === null ? "" : quantityText(quantity);
  const { isWithoutQuantity = false } = sold;
  await by.harvests.addSale({ harvestId, pool, buyer, quantity: typed, amount, isWithoutQuantity });
  const sales = await deps.db
    .select()
    .from(harvestSales)
    .where(and(eq(harvestSales.harvestId, harvestId), isNull(harvestSales.removedAt)))
    .orderBy(asc(harvestSales.id));
  const sale = sales.at(-1);
  if (!sale) throw new Error("the sale was not kept");
  return sale.id;
}

/** Two owners say that the money of a sale came. */
export async function declareSale(deps: Deps, { asker, confirmer }: Owners, saleId: number): Promise<void> {
  const [sale] = await deps.db.select().from(harvestSales).where(eq(harvestSales.id, saleId));
  const fileId = await keepEvidence(deps, asker);
  const by = await callAs(deps, asker);
  await by.harvests.addFile({ harvestId: sale?.harvestId ?? 0, saleId, fileId });
  const details = { saleId, amountKobo: String(sale?.amountKobo) };
  await by.secondPerson.ask({
    kind: "declare_sale",
    details,
    reason: "The buyer paid in cash.",
  });
  await confirmNext(deps, confirmer);
}

/**
 * Sells so much of a harvest for money that two owners have seen. Whoever confirms it wrote it down: the other one
 * settles it.
 */
export async function sell(deps: Deps, owners: Owners, sold: Sold): Promise<number> {
  const saleId = await keepSale(deps, await callAs(deps, owners.confirmer), sold);
  await declareSale(deps, owners, saleId);
  return saleId;
}

/** A manager writes down that feed for a harvest was paid, by the platform unless it says otherwise. */
export async function keepCost(
  deps: Deps,
  { paidBy = "platform", ...cost }: { harvestId: number; amountKobo: Kobo; paidBy?: CostPayer; by?: TestUser },
): Promise<void> {
  const { harvestId, amountKobo } = cost;
  const by = cost.by ?? (await createAdmin(deps.db, "manager"));
  const fileId = await keepEvidence(deps, by);
  const caller = await callAs(deps, by);
  await caller.harvests.addCost({ harvestId, label: "Feed", amount: koboToNairaText(amountKobo), paidBy, fileId });
}

/** One owner asks to book what the platform paid for a harvest as a loss. */
export async function askToLoseCosts(
  deps: Deps,
  by: TestUser,
  { harvestId, amountKobo }: { harvestId: number; amountKobo: Kobo },
): Promise<void> {
  const details = { what: "costs" as const, harvestId, lostKobo: String(amountKobo) };
  const caller = await callAs(deps, by);
  await caller.secondPerson.ask({ kind: "lose", details, reason: "No sale of it will ever bring this." });
}

/** All that was ever lost, in the ledger. */
export const sumOfLosses = ({ db }: Pick<Deps, "db">): Promise<Kobo> => sumIn(db, "losses");
