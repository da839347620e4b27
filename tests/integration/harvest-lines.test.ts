import { desc, eq, inArray } from "drizzle-orm";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { ledgerEntries } from "#server/db/schema/ledger.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { settings } from "#server/db/schema/settings.ts";
import { matchSureLines } from "#server/features/bank/matching/match-sure-lines.ts";
import { bankTexts, harvestLineTexts, restOf } from "#shared/bank/texts.ts";
import { harvestTexts } from "#shared/harvests/texts.ts";
import { type Kobo, koboToNairaText } from "#shared/money.ts";
import { vatKey, withholdingKey } from "#shared/settings/texts.ts";
import { openTestReplicas } from "#tests/support/deps.ts";
import {
  askToLoseCosts,
  endChoosing,
  type Farm,
  fundFarm,
  keepCost,
  keepEvidence,
  keepSale,
  openHarvestOf,
  sell,
  settlementsOf,
  sumOfLosses,
} from "#tests/support/harvests.ts";
import { expectMoneyHolds, setBankDetails, sumIn } from "#tests/support/money.ts";
import { callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { startEachWith } from "#tests/support/scene.ts";
import { confirmNext, removeSale } from "#tests/support/second-person.ts";
import { keepLine, type OwnAccount, openOwnAccount } from "#tests/support/statements.ts";

/** Lines of the bank that show money of harvests: sales, costs, and the taxes that are passed on. */

const { deps, replicas } = await openTestReplicas();
const naira = (amount: number): Kobo => BigInt(amount) * 100n;
let amaka: TestUser;
let bola: TestUser;
let account: OwnAccount;
let farm: Farm;
let harvestId: number;

const asOwner = () => callAs(deps, amaka);

startEachWith(deps, async () => {
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  await setBankDetails(deps.db);
  farm = await fundFarm(deps, { owner: amaka, lots: [1, 1] });
  account = await openOwnAccount(deps, { importedBy: amaka.id, openingKobo: naira(1000) });
  harvestId = await openHarvestOf(await asOwner(), farm, 100_000n, await callAs(deps, bola));
  await endChoosing(deps, harvestId);
});
afterEach(async () => {
  await expectMoneyHolds(deps);
  for (const { differenceKobo } of (await (await asOwner()).bank.overview()).accounts) expect(differenceKobo).toBe(0n);
});

/** Amounts of their own, so that no line fits two sales by chance. */
let count = 0;
const amountOfOwn = (): Kobo => naira(1000 + 7 * ++count);

async function keepSaleOf(amountKobo = amountOfOwn(), buyer = "Ibadan Fish Market") {
  return { saleId: await keepSale(deps, await callAs(deps, bola), { harvestId, buyer, amountKobo }), amountKobo };
}
const credit = (amountKobo: Kobo, narration = "NIP FISH MARKET") => keepLine(deps, account, { amountKobo, narration });
const debit = (amountKobo: Kobo, narration = "TRF FEED MILL") =>
  keepLine(deps, account, { amountKobo: -amountKobo, narration });

type Part = Parameters<Awaited<ReturnType<typeof callAs>>["bank"]["match"]>[0]["parts"][number];
async function match(lineId: number, ...parts: Part[]) {
  const [line] = await deps.db.select().from(statementLines).where(eq(statementLines.id, lineId));
  await (await asOwner()).bank.match({ lineId, seenMatchedKobo: line?.matchedKobo ?? 0n, parts });
}
async function undo(lineId: number) {
  const [last] = await deps.db
    .select()
    .from(lineMatches)
    .where(eq(lineMatches.lineId, lineId))
    .orderBy(desc(lineMatches.id))
    .limit(1);
  await (await asOwner()).bank.undo({ matchId: last?.id ?? 0, reason: "It was another sale" });
}
const sumOf = (name: "harvest_proceeds" | "harvest_costs" | "in_transit", id: number) =>
  sumIn(deps.db, name, eq(name === "in_transit" ? ledgerEntries.saleId : ledgerEntries.harvestId, id));
const sumOfTax = (name: "vat_due" | "wht_due") => sumIn(deps.db, name);
const restOfLine = async (lineId: number) => {
  const [line] = await deps.db.select().from(statementLines).where(eq(statementLines.id, lineId));
  return line ? restOf(line) : null;
};
const harvest = async () => (await asOwner()).harvests.one({ harvestId });

/** Returns the consequences that the other owner reads before they confirm. */
const readConsequences = async () =>
  (await (await callAs(deps, bola)).secondPerson.list()).requests.at(-1)?.consequences.join(" ");

const remove = (saleId: number) => removeSale(deps, { asker: amaka, confirmer: bola }, saleId);

async function takeBack(saleId: number, amountKobo: Kobo) {
  const details = { saleId, amountKobo: String(amountKobo) };
  const reason = "The buyer's cheque was returned.";
  await (await asOwner()).secondPerson.ask({ kind: "take_back_sale", details, reason });
  const consequences = await readConsequences();
  await confirmNext(deps, bola);
  return consequences;
}

test("what two owners said that came of a sale is taken back, but for what lines have shown, until it is settled", async () => {
  const amountKobo = naira(9000);
  const saleId = await sell(deps, { asker: amaka, confirmer: bola }, { harvestId, amountKobo });
  const line = await credit(naira(2000));
  await match(line.id, { kind: "sale", amountKobo: naira(2000), saleId });
  await expect(takeBack(saleId, amountKobo)).rejects.toThrow(harvestTexts.changed);
  await (await asOwner()).harvests.settle({ harvestId, pool: "sold", amount: "9,000" });
  await expect(takeBack(saleId, naira(7000))).rejects.toThrow(harvestTexts.saleSettled);
  const [settlement] = await settlementsOf(deps, harvestId);
  const reason = "Its money didn't come at all.";
  await (await asOwner()).harvests.reverse({ settlementId: settlement?.id ?? 0, reason });

  const consequences = await takeBack(saleId, naira(7000));
  expect(consequences).toContain(harvestTexts.restWaits);
  expect(consequences).not.toContain("can be removed");
  await expect(remove(saleId)).rejects.toThrow(harvestTexts.saleReceived);
  expect(await sumOf("in_transit", saleId)).toBe(0n);
  expect(await sumOf("harvest_proceeds", harvestId)).toBe(-naira(2000));
  expect((await harvest()).unsettledKobo.sold).toBe(naira(2000));
  await expect(takeBack(saleId, naira(7000))).rejects.toThrow(harvestTexts.notDeclared);
  const again = { kind: "declare_sale" as const, details: { saleId, amountKobo: String(naira(7000)) }, reason };
  await expect((await asOwner()).secondPerson.ask(again)).rejects.toThrow(harvestTexts.saleTakenBack);
  const [logged] = await deps.db.select().from(auditLogs).where(eq(auditLogs.actionType, "take_back_sale"));
  expect(logged?.details).toMatchObject({ saleId, amountKobo: String(naira(7000)), reason: expect.any(String) });

  await undo(line.id);
  await remove(saleId);
  expect(await sumOf("harvest_proceeds", harvestId)).toBe(0n);
});

test("of a sale that lines show wholly nothing is taken back, and one owner alone takes nothing back", async () => {
  const amountKobo = amountOfOwn();
  const saleId = await sell(deps, { asker: amaka, confirmer: bola }, { harvestId, amountKobo });
  const details = { saleId, amountKobo: String(amountKobo) };
  const reason = "The buyer's cheque was returned.";
  await (await asOwner()).secondPerson.ask({ kind: "take_back_sale", details, reason });
  expect(await readConsequences()).toContain("the sale can be removed");
  expect(await sumOf("in_transit", saleId)).toBe(amountKobo);
  const line = await credit(amountKobo);
  await match(line.id, { kind: "sale", amountKobo, saleId });
  await expect(confirmNext(deps, bola)).rejects.toThrow(harvestTexts.saleSeen);
  expect(await sumOf("harvest_proceeds", harvestId)).toBe(-amountKobo);
});

test("money of a sale is in its proceeds once a line shows it, and comes back out when that is undone", async () => {
  const { saleId, amountKobo } = await keepSaleOf();
  const line = await credit(amountKobo);
  await match(line.id, { kind: "sale", amountKobo, saleId });
  expect(await sumOf("harvest_proceeds", harvestId)).toBe(-amountKobo);
  expect((await harvest()).unsettledKobo.sold).toBe(amountKobo);
  expect((await harvest()).sales[0]).toMatchObject({ id: saleId, matchedKobo: amountKobo });
  expect(await restOfLine(line.id)).toBe(0n);
  const [entry] = await deps.db
    .select()
    .from(auditLogs)
    .where(eq(auditLogs.actionType, "match_line"))
    .orderBy(desc(auditLogs.id))
    .limit(1);
  expect(entry?.details).toMatchObject({ matches: [{ kind: "sale", saleId, amountKobo: amountKobo.toString() }] });

  await undo(line.id);
  expect(await sumOf("harvest_proceeds", harvestId)).toBe(0n);
  expect(await restOfLine(line.id)).toBe(amountKobo);
});

test("a sale takes several transfers, and never more than is missing of it", async () => {
  const { saleId, amountKobo } = await keepSaleOf(naira(3000));
  const [first, second] = [await credit(naira(1000)), await credit(naira(2500))];
  await match(first.id, { kind: "sale", amountKobo: naira(1000), saleId });
  await expect(match(second.id, { kind: "sale", amountKobo: naira(2500), saleId })).rejects.toThrow(
    harvestLineTexts.moreThanMissing(naira(2000)),
  );
  // Both parts of one line count.
  const twice = match(
    second.id,
    { kind: "sale", amountKobo: naira(1500), saleId },
    { kind: "sale", amountKobo: naira(1000), saleId },
  );
  await expect(twice).rejects.toThrow(harvestLineTexts.moreThanMissing(naira(500)));
  expect(await sumOf("harvest_proceeds", harvestId)).toBe(-naira(1000));
  await match(
    second.id,
    { kind: "sale", amountKobo: naira(2000), saleId },
    { kind: "operator", amountKobo: naira(500), reason: "Ours" },
  );
  expect(await sumOf("harvest_proceeds", harvestId)).toBe(-amountKobo);
});

test("two owners who match two lines to one sale at once leave it at what it is", async () => {
  const { saleId, amountKobo } = await keepSaleOf();
  const lines = [await credit(amountKobo), await credit(amountKobo)];
  const callers = [await callAs(replicas[0], amaka), await callAs(replicas[1], bola)];
  const answers = await Promise.allSettled(
    lines.map(({ id: lineId }, index) =>
      callers[index]?.bank.match({ lineId, seenMatchedKobo: 0n, parts: [{ kind: "sale", amountKobo, saleId }] }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await sumOf("harvest_proceeds", harvestId)).toBe(-amountKobo);
});

test("nothing is booked to a sale that was removed, nor money of sales to a harvest that was lost", async () => {
  const { saleId, amountKobo } = await keepSaleOf();
  const [inwards, outwards] = [await credit(amountKobo), await debit(amountKobo)];
  const { saleId: removed } = await keepSaleOf(amountKobo);
  await remove(removed);
  const refused: [number, Part, string][] = [
    [inwards.id, { kind: "sale", amountKobo, saleId: removed }, harvestLineTexts.saleGone],
    [inwards.id, { kind: "sale", amountKobo, saleId: 999_999 }, harvestLineTexts.saleGone],
    [inwards.id, { kind: "harvest_cost", amountKobo, harvestId }, bankTexts.onlyOut],
    [outwards.id, { kind: "sale", amountKobo, saleId }, bankTexts.onlyIn],
    [outwards.id, { kind: "harvest_cost", amountKobo, harvestId: 999_999 }, harvestTexts.gone],
    [inwards.id, { kind: "vat", amountKobo }, bankTexts.onlyOut],
    [inwards.id, { kind: "wht", amountKobo }, bankTexts.onlyOut],
  ];
  for (const [lineId, part, text] of refused) await expect(match(lineId, part)).rejects.toThrow(text);
  await lose();
  await expect(match(inwards.id, { kind: "sale", amountKobo, saleId })).rejects.toThrow(harvestLineTexts.over);
  expect([await restOfLine(inwards.id), await restOfLine(outwards.id)]).toEqual([amountKobo, amountKobo]);
});

const lose = async () => {
  const owner = await asOwner();
  await owner.harvests.addFile({ harvestId, fileId: await keepEvidence(deps, amaka) });
  const reason = "A storm has taken all of it away.";
  await owner.secondPerson.ask({ kind: "lose", details: { what: "harvest", harvestId }, reason });
  await confirmNext(deps, bola);
};
test("what the platform paid for a lost harvest is booked as a loss by two, anew with what comes to light later", async () => {
  const chidi = await createAdmin(deps.db, "manager");
  const [seen, late] = [await debit(naira(500)), await debit(naira(70))];
  await match(seen.id, { kind: "harvest_cost", amountKobo: naira(500), harvestId });
  await keepCost(deps, { harvestId, amountKobo: naira(500) });
  await keepCost(deps, { harvestId, amountKobo: naira(300), paidBy: "farm" });
  await lose();
  await askToLoseCosts(deps, amaka, { harvestId, amountKobo: naira(500) });
  await keepCost(deps, { harvestId, amountKobo: naira(40) });
  await expect(confirmNext(deps, bola)).rejects.toThrow(harvestTexts.changed);
  await expect(keepCost(deps, { harvestId, amountKobo: naira(40), paidBy: "farm" })).rejects.toThrow(
    harvestTexts.onlyPlatformCosts,
  );
  await expect((await asOwner()).harvests.finish({ harvestId })).rejects.toThrow(harvestTexts.notAllotted);
  deps.clock.advance({ days: 8 });
  await askToLoseCosts(deps, amaka, { harvestId, amountKobo: naira(540) });
  await expect(confirmNext(deps, amaka)).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect([await sumOf("harvest_costs", harvestId), await sumOfLosses(deps)]).toEqual([naira(500), 0n]);
  await confirmNext(deps, bola);
  // The line of the second cost is still to come.
  expect([await sumOf("harvest_costs", harvestId), await sumOfLosses(deps)]).toEqual([-naira(40), naira(540)]);
  expect(await harvest()).toMatchObject({ state: "lost", costsLostAt: deps.clock.now() });
  const [entry] = await deps.db.select().from(auditLogs).where(eq(auditLogs.actionType, "lose_costs"));
  expect(entry?.details).toMatchObject({ harvestId, amountKobo: "54000" });
  await expect(askToLoseCosts(deps, amaka, { harvestId, amountKobo: naira(540) })).rejects.toThrow(
    harvestTexts.noCostsLeft,
  );
  const [cost] = (await harvest())?.costs ?? [];
  await expect((await asOwner()).harvests.removeCost({ costId: cost?.id ?? 0 })).rejects.toThrow(
    harvestTexts.costTaken,
  );

  await expect(keepCost(deps, { harvestId, amountKobo: naira(30), by: chidi })).rejects.toThrow(
    harvestTexts.costsLostAlready,
  );
  await keepCost(deps, { harvestId, amountKobo: naira(30), by: amaka });
  expect([await sumOfLosses(deps), (await harvest())?.costsLostAt]).toEqual([0n, null]);
  const added = await deps.db.select().from(auditLogs).where(eq(auditLogs.actionType, "add_harvest_cost"));
  const takenBack = added.filter(({ details }) => "lossTakenBackKobo" in (details ?? {}));
  expect(takenBack).toMatchObject([{ userId: amaka.id, details: { amountKobo: "3000", lossTakenBackKobo: "54000" } }]);
  await askToLoseCosts(deps, amaka, { harvestId, amountKobo: naira(570) });
  await confirmNext(deps, bola);
  expect(await sumOfLosses(deps)).toBe(naira(570));
  const offered = await (await asOwner()).bank.harvests({ lineId: late.id, search: "" });
  expect(offered).toMatchObject([{ id: harvestId, unseenKobo: naira(70) }]);
  await match(late.id, { kind: "harvest_cost", amountKobo: naira(70), harvestId });
  expect([await sumOf("harvest_costs", harvestId), await sumOfLosses(deps)]).toEqual([0n, naira(570)]);
});

test("a withdrawn harvest is offered to a debit once a cost of it is written down, and that is booked as a loss", async () => {
  const withdrawn = await openHarvestOf(await asOwner(), farm, 50_000n, await callAs(deps, bola));
  await (await asOwner()).harvests.withdraw({ harvestId: withdrawn, reason: "It was entered for the wrong farm." });
  const line = await debit(naira(20));
  const offered = async () =>
    (await (await asOwner()).bank.harvests({ lineId: line.id, search: "" })).map(({ id }) => id);
  expect(await offered()).toEqual([harvestId]);
  const lose = (amountKobo: Kobo) => askToLoseCosts(deps, amaka, { harvestId: withdrawn, amountKobo });
  await expect(lose(1n)).rejects.toThrow(harvestTexts.noCostsLeft);
  await keepCost(deps, { harvestId: withdrawn, amountKobo: naira(20) });
  expect(await offered()).toContain(withdrawn);
  await match(line.id, { kind: "harvest_cost", amountKobo: naira(20), harvestId: withdrawn });
  await lose(naira(20));
  await confirmNext(deps, bola);
  expect([await sumOf("harvest_costs", withdrawn), await sumOfLosses(deps)]).toEqual([0n, naira(20)]);
});

test("a harvest with money of its sales isn't lost, until that is undone", async () => {
  const owner = await asOwner();
  const { saleId, amountKobo } = await keepSaleOf();
  const line = await credit(amountKobo);
  await match(line.id, { kind: "sale", amountKobo, saleId });
  await expect(remove(saleId)).rejects.toThrow(harvestTexts.saleReceived);
  await owner.harvests.addFile({ harvestId, fileId: await keepEvidence(deps, amaka) });
  const reason = "A storm has taken all of it away.";
  const ask = () => owner.secondPerson.ask({ kind: "lose", details: { what: "harvest", harvestId }, reason });
  await expect(ask()).rejects.toThrow(harvestTexts.saleMoneyStays);
  await undo(line.id);
  await ask();
});

test("money that was settled stays in its sale until the settlement is reversed", async () => {
  const { saleId, amountKobo } = await keepSaleOf();
  const line = await credit(amountKobo);
  await match(line.id, { kind: "sale", amountKobo, saleId });
  const owner = await asOwner();
  await owner.harvests.settle({ harvestId, pool: "sold", amount: koboToNairaText(amountKobo) });
  await expect(undo(line.id)).rejects.toThrow(harvestLineTexts.settled);
  expect(await restOfLine(line.id)).toBe(0n);

  // Money of another sale that isn't settled may leave.
  const other = await keepSaleOf();
  const otherLine = await credit(other.amountKobo);
  await match(otherLine.id, { kind: "sale", ...other });
  await undo(otherLine.id);
  await expect(undo(line.id)).rejects.toThrow(harvestLineTexts.settled);

  const settlementId = (await harvest()).settlements[0]?.id ?? 0;
  await owner.harvests.reverse({ settlementId, reason: "The wrong line was taken for it" });
  await undo(line.id);
  expect(await sumOf("harvest_proceeds", harvestId)).toBe(0n);
});

test("of a declared sale a line moves the money from its way to the bank, and undoing puts it on its way again", async () => {
  const { saleId, amountKobo } = await keepSaleOf(naira(3000));
  const early = await credit(naira(1000));
  await match(early.id, { kind: "sale", amountKobo: naira(1000), saleId });
  deps.clock.advance({ seconds: 1 });
  await declareRest(saleId, naira(2000));
  deps.clock.advance({ seconds: 1 });
  expect([await sumOf("in_transit", saleId), await sumOf("harvest_proceeds", harvestId)]).toEqual([
    naira(2000),
    -amountKobo,
  ]);
  const late = await credit(naira(2000));
  await match(late.id, { kind: "sale", amountKobo: naira(2000), saleId });
  expect([await sumOf("in_transit", saleId), await sumOf("harvest_proceeds", harvestId)]).toEqual([0n, -amountKobo]);
  await expectMoneyHolds(deps);
  await undo(late.id);
  await expectMoneyHolds(deps);
  expect([await sumOf("in_transit", saleId), await sumOf("harvest_proceeds", harvestId)]).toEqual([
    naira(2000),
    -amountKobo,
  ]);
  // Nobody has declared what it showed.
  await expect(undo(early.id)).rejects.toThrow(harvestLineTexts.declared);
});

async function declareRest(saleId: number, amountKobo: Kobo): Promise<void> {
  const owner = await asOwner();
  await owner.harvests.addFile({ harvestId, saleId, fileId: await keepEvidence(deps, amaka) });
  const details = { saleId, amountKobo: amountKobo.toString() };
  await owner.secondPerson.ask({ kind: "declare_sale", details, reason: "The buyer paid the rest in cash." });
  await confirmNext(deps, bola);
}

test("a cost that the platform paid is seen leaving, and what isn't recorded of it is negative until it is", async () => {
  const line = await debit(naira(1850));
  await match(line.id, { kind: "harvest_cost", amountKobo: naira(1850), harvestId });
  expect(await sumOf("harvest_costs", harvestId)).toBe(naira(1850));
  const shown = await (await asOwner()).bank.line({ lineId: line.id });
  expect(shown.matches[0]).toMatchObject({ kind: "harvest_cost", harvest: { id: harvestId, number: 1 }, buyer: null });
  await undo(line.id);
  expect(await sumOf("harvest_costs", harvestId)).toBe(0n);
});

/** A settlement of ₦100,000, of which ₦1,000 are VAT on the fee and ₦2,000 withheld. */
async function oweTaxes(): Promise<void> {
  const rates = [
    { key: vatKey, value: "20" },
    { key: withholdingKey, value: "2" },
  ];
  await deps.db.insert(settings).values(rates);
  onTestFinished(
    async () => void (await deps.db.delete(settings).where(inArray(settings.key, [vatKey, withholdingKey]))),
  );
  const { saleId, amountKobo } = await keepSaleOf(naira(100_000));
  await match((await credit(amountKobo)).id, { kind: "sale", amountKobo, saleId });
  await (await asOwner()).harvests.settle({ harvestId, pool: "sold", amount: "100,000" });
}

test("taxes that are passed on lower what is owed to the state", async () => {
  await oweTaxes();
  const [vat, wht] = [await sumOfTax("vat_due"), await sumOfTax("wht_due")];
  expect([vat, wht]).toEqual([-naira(1000), -naira(2000)]);
  const line = await debit(naira(300), "FIRS");
  await match(line.id, { kind: "vat", amountKobo: naira(100) }, { kind: "wht", amountKobo: naira(200) });
  expect([await sumOfTax("vat_due"), await sumOfTax("wht_due")]).toEqual([vat + naira(100), wht + naira(200)]);
  const standing = await deps.db.select().from(lineMatches).where(eq(lineMatches.lineId, line.id));
  for (const { id: matchId } of standing) await (await asOwner()).bank.undo({ matchId, reason: "It was another tax" });
  expect([await sumOfTax("vat_due"), await sumOfTax("wht_due")]).toEqual([vat, wht]);
});

test("no more of a tax is passed on than settlements owe, also not in two parts", async () => {
  const line = await debit(naira(5000), "FIRS");
  await expect(match(line.id, { kind: "vat", amountKobo: 1n })).rejects.toThrow("No VAT is owed");
  await oweTaxes();
  const most = { kind: "vat", amountKobo: naira(1000) } as const;
  await expect(match(line.id, { ...most, amountKobo: most.amountKobo + 1n })).rejects.toThrow(
    harvestLineTexts.moreThanTaxOwed("vat", naira(1000)),
  );
  await expect(match(line.id, most, { kind: "vat", amountKobo: 1n })).rejects.toThrow("No VAT is owed");
  expect(await sumOfTax("vat_due")).toBe(-naira(1000));
  await match(line.id, most, { kind: "wht", amountKobo: naira(2000) });
  await expect(match(line.id, { kind: "wht", amountKobo: 1n })).rejects.toThrow("No withheld tax is owed");
  expect([await sumOfTax("vat_due"), await sumOfTax("wht_due"), await restOfLine(line.id)]).toEqual([
    0n,
    0n,
    naira(2000),
  ]);
  const [settlement] = await settlementsOf(deps, harvestId);
  const reverse = async () =>
    (await asOwner()).harvests.reverse({
      settlementId: settlement?.id ?? 0,
      reason: "The buyer was not the one of the invoice",
    });
  await expect(reverse()).rejects.toThrow(harvestTexts.taxPassedOn);
  expect([await sumOfTax("vat_due"), await sumOfTax("wht_due")]).toEqual([0n, 0n]);
});

test("a credit of what is missing of a sale is suggested, and never matched by itself", async () => {
  const { saleId, amountKobo } = await keepSaleOf();
  const line = await credit(amountKobo);
  await matchSureLines(deps);
  const [found] = await deps.db.select().from(statementLines).where(eq(statementLines.id, line.id));
  expect(found).toMatchObject({ suggestedRule: "amount", matchedKobo: 0n });
  const { candidates } = await (await asOwner()).bank.line({ lineId: line.id });
  expect(candidates).toMatchObject([
    {
      kind: "sale",
      rule: "amount",
      isSure: false,
      amountKobo,
      part: { kind: "sale", amountKobo, saleId },
      sale: { id: saleId, buyer: "Ibadan Fish Market", projectTitle: farm.project.title, number: 1 },
    },
  ]);
  await match(line.id, { kind: "sale", amountKobo, saleId });
  const next = await credit(amountKobo);
  expect((await (await asOwner()).bank.line({ lineId: next.id })).candidates).toEqual([]);
});

test("sales and harvests are found by hand, those of the line's amount first", async () => {
  const owner = await asOwner();
  const [large, fitting] = [
    await keepSaleOf(naira(90_000), "Hotel Ondo"),
    await keepSaleOf(naira(777), "Bodija Market"),
  ];
  const line = await credit(naira(777));
  const projectTitle = farm.project.title;
  const listed = await owner.bank.sales({ lineId: line.id, search: projectTitle });
  expect(listed.map(({ id }) => id)).toEqual([fitting.saleId, large.saleId]);
  expect((await owner.bank.sales({ lineId: line.id, search: "hotel" })).map(({ id }) => id)).toContain(large.saleId);
  const fileId = await keepEvidence(deps, amaka);
  await owner.harvests.addCost({ harvestId, label: "Feed", amount: "1,850", paidBy: "platform", fileId });
  const out = await debit(naira(1850));
  const [first] = await owner.bank.harvests({ lineId: out.id, search: projectTitle });
  expect(first).toMatchObject({ id: harvestId, projectTitle, number: 1, unseenKobo: naira(1850) });
  await match(out.id, { kind: "harvest_cost", amountKobo: naira(1850), harvestId });
  expect((await owner.bank.harvests({ lineId: out.id, search: projectTitle }))[0]).toMatchObject({ unseenKobo: 0n });
});
