import { and, asc, eq, isNotNull } from "drizzle-orm";
import { harvestParts } from "#server/db/schema/harvests.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { settings } from "#server/db/schema/settings.ts";
import { dayInLagos } from "#shared/dates.ts";
import { koboToNairaText } from "#shared/money.ts";
import { secondPersonKey } from "#shared/settings/texts.ts";
import type { TestDeps } from "./deps.ts";
import {
  endChoosing,
  type Farm,
  fundFarm,
  keepEvidence,
  keepSale,
  openHarvestOf,
  sell,
  settlementsOf,
} from "./harvests.ts";
import { setBankDetails } from "./money.ts";
import { findPayout, giveAccount, keepRun } from "./payouts.ts";
import { callAs, createAdmin } from "./people.ts";
import { agree, type Owners } from "./second-person.ts";
import { keepLine, type OwnAccount, openOwnAccount } from "./statements.ts";

/** Farms whose rounds went well, late and badly, as the product makes them. */

type Office = { deps: TestDeps; owners: Owners; account: OwnAccount };

export async function openRecordOffice(deps: TestDeps): Promise<Office> {
  const asker = await createAdmin(deps.db, "owner");
  const owners = { asker, confirmer: await createAdmin(deps.db, "owner") };
  await setBankDetails(deps.db);
  // One owner approves what no statement shows.
  await deps.db.insert(settings).values({ key: secondPersonKey, value: "900000000" }).onConflictDoNothing();
  return { deps, owners, account: await openOwnAccount(deps, { importedBy: asker.id, openingKobo: 900_000_000n }) };
}

const unseenReason = "The backers showed us their bank's papers.";

/** A day in Lagos so many days from now. */
const dayIn = ({ clock }: TestDeps, days: number): string =>
  dayInLagos(new Date(clock.now().getTime() + days * 86_400_000));

/** Lots of ₦100,000 that were sold under a plan of 1,000 kg in so many harvests. */
export function fundPlanned(
  { deps, owners }: Office,
  {
    lots,
    firstHarvestInDays,
    harvests = 1,
  }: { lots: readonly number[]; firstHarvestInDays: number; harvests?: number },
): Promise<Farm> {
  const firstHarvestOn = dayIn(deps, firstHarvestInDays);
  const planned = { plannedQuantity: "1,000", harvests, firstHarvestOn, farmPart: "10" };
  return fundFarm(deps, { owner: owners.asker, lots, unseenReason, ...planned });
}

/** Counts a harvest and shares it out; the second backer takes so many kilos, and comes for them. */
export async function harvestAndCollect(
  { deps, owners }: Office,
  farm: Farm,
  { quantity, taken }: { quantity: bigint; taken: string },
): Promise<number> {
  const asAsker = () => callAs(deps, owners.asker);
  const second = await callAs(deps, owners.confirmer);
  const harvestId = await openHarvestOf(await asAsker(), farm, quantity, second);
  if (taken !== "0") await (await farm.as(1)).harvests.choose({ harvestId, taken, given: "0" });
  await endChoosing(deps, harvestId);
  const isReady = and(eq(harvestParts.harvestId, harvestId), isNotNull(harvestParts.code));
  for (const { code } of await deps.db.select().from(harvestParts).where(isReady)) {
    await (await asAsker()).harvests.collect({ harvestId, code: code ?? "" });
  }
  return harvestId;
}

type Sale = { harvestId: number; quantity: bigint; amountKobo: bigint };

/** The buyer's transfer is on a statement. Returns the sale's id. */
export async function sellByBank({ deps, owners, account }: Office, sale: Sale): Promise<number> {
  const by = await callAs(deps, owners.confirmer);
  const saleId = await keepSale(deps, by, sale);
  const { amountKobo } = sale;
  const line = await keepLine(deps, account, { amountKobo, date: dayIn(deps, 0), narration: "NIP/IBADAN FISH MARKET" });
  const parts = [{ kind: "sale" as const, amountKobo, saleId }];
  await by.bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts });
  return saleId;
}

/** Two owners say that the buyer's money came. */
export const sellByWord = ({ deps, owners }: Office, sale: Sale): Promise<number> => sell(deps, owners, sale);

/** Divides what a harvest's sales brought, and returns the settlement's id. */
export async function settleAll({ deps, owners }: Office, harvestId: number, amountKobo: bigint): Promise<number> {
  const by = await callAs(deps, owners.asker);
  await by.harvests.settle({ harvestId, pool: "sold", amount: koboToNairaText(amountKobo) });
  return (await settlementsOf(deps, harvestId)).at(-1)?.id ?? 0;
}

const payoutsOfSettlement = ({ deps }: Pick<Office, "deps">, settlementId: number) =>
  deps.db
    .select()
    .from(payouts)
    .where(and(eq(payouts.settlementId, settlementId), eq(payouts.kind, "harvest")))
    .orderBy(asc(payouts.id));

/** Sends the backers' payouts of a settlement, and lines show them so many days later. Returns their ids. */
export async function payBackers(
  { deps, owners, account }: Office,
  settlementId: number,
  { afterDays = 0, isSeen = true }: { afterDays?: number; isSeen?: boolean } = {},
): Promise<number[]> {
  const owed = await payoutsOfSettlement({ deps }, settlementId);
  const named = [];
  for (const { id, userId } of owed) {
    const payee = await giveAccount(deps, { userId: userId ?? "" }, { addedBy: userId ?? "" });
    named.push({ payout: await findPayout(deps, id), account: payee });
  }
  const { asker: owner, confirmer: second } = owners;
  await keepRun(deps, named, { ownAccount: account, owner, second });
  deps.clock.advance({ days: afterDays });
  if (!isSeen) return owed.map(({ id }) => id);
  for (const { id: payoutId, amountKobo, reference: narration } of owed) {
    const line = await keepLine(deps, account, { amountKobo: -amountKobo, date: dayIn(deps, 0), narration });
    const parts = [{ kind: "payout" as const, amountKobo, payoutId }];
    await (await callAs(deps, owner)).bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts });
  }
  return owed.map(({ id }) => id);
}

/** Nothing was harvested, as two owners say with a paper. Returns the harvest's id. */
export async function loseAll({ deps, owners }: Office, { project }: Farm, reason: string): Promise<number> {
  const by = await callAs(deps, owners.asker);
  const facts = {
    projectId: project.id,
    round: 1,
    quantity: "0",
    lostQuantity: "0",
    referencePrice: "2,750",
    note: reason,
  };
  const { harvestId } = await by.harvests.create(facts);
  await by.harvests.addFile({ harvestId, fileId: await keepEvidence(deps, owners.asker) });
  const details = { what: "harvest" as const, harvestId, lostKobo: "0" };
  await agree(deps, owners, { kind: "lose", details, reason });
  return harvestId;
}

/** The insurer pays, by a transfer on a statement, and it is divided. Returns the settlement's id. */
export async function insure(office: Office, { project }: Farm, amountKobo: bigint): Promise<number> {
  const { deps, owners, account } = office;
  const by = await callAs(deps, owners.confirmer);
  const asked = { projectId: project.id, round: 1, note: "The insurer pays for chicks and feed." };
  const { harvestId } = await by.harvests.createInsurance(asked);
  const saleId = await keepSale(deps, by, { harvestId, buyer: "Leadway", quantity: null, amountKobo });
  const line = await keepLine(deps, account, { amountKobo, date: dayIn(deps, 0), narration: "LEADWAY CLAIM" });
  const parts = [{ kind: "sale" as const, amountKobo, saleId }];
  await by.bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts });
  return settleAll(office, harvestId, amountKobo);
}

/** A farm that did well: counted on the day, sold and paid through the bank. */
export async function goodFarm(office: Office) {
  const farm = await fundPlanned(office, { lots: [3, 2, 1], firstHarvestInDays: 0 });
  const harvestId = await harvestAndCollect(office, farm, { quantity: 1_000_000n, taken: "60" });
  await sellByBank(office, { harvestId, quantity: 940_000n, amountKobo: 94_000_000n });
  const settlementId = await settleAll(office, harvestId, 94_000_000n);
  const payoutIds = await payBackers(office, settlementId, { afterDays: 4 });
  await (await callAs(office.deps, office.owners.asker)).harvests.finish({ harvestId });
  return { farm, harvestId, settlementId, payoutIds };
}
