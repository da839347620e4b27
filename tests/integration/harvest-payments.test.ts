import { desc, eq } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { harvestSales, harvests } from "#server/db/schema/harvests.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { moveUncollected } from "#server/features/harvests/choosing/collection.ts";
import { keptMatch } from "#shared/bank/inputs.ts";
import { harvestLineTexts, wallTexts } from "#shared/bank/texts.ts";
import { harvestTexts } from "#shared/harvests/texts.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { type Kobo, koboToNairaText } from "#shared/money.ts";
import { openTestReplicas } from "#tests/support/deps.ts";
import {
  askToLoseCosts,
  declareSale,
  endChoosing,
  type Farm,
  fundFarm,
  keepCost,
  keepSale,
  openHarvestOf,
  sell,
  settlementsOf,
  sumOfLosses,
} from "#tests/support/harvests.ts";
import { expectMoneyHolds, setBankDetails, sumIn } from "#tests/support/money.ts";
import { callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { startEachWith } from "#tests/support/scene.ts";
import { confirmNext } from "#tests/support/second-person.ts";
import { keepLine, type OwnAccount, openOwnAccount } from "#tests/support/statements.ts";

/** Buyers who pay otherwise than it was written down: in advance, more, wrongly typed, or not after all. */

const { deps } = await openTestReplicas();
const naira = (amount: number): Kobo => BigInt(amount) * 100n;
let amaka: TestUser;
let bola: TestUser;
let account: OwnAccount;
let farm: Farm;
let harvestId: number;

const asOwner = () => callAs(deps, amaka);
const asRecorder = () => callAs(deps, bola);

startEachWith(deps, async () => {
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  await setBankDetails(deps.db);
  farm = await fundFarm(deps, { owner: amaka, lots: [1, 1] });
  account = await openOwnAccount(deps, { importedBy: amaka.id, openingKobo: naira(1000) });
  harvestId = await openHarvestOf(await asOwner(), farm, 100_000n, await asRecorder());
});
afterEach(() => expectMoneyHolds(deps));

type Part = Parameters<Awaited<ReturnType<typeof callAs>>["bank"]["match"]>[0]["parts"][number];
async function match(lineId: number, part: Part) {
  const [line] = await deps.db.select().from(statementLines).where(eq(statementLines.id, lineId));
  await (await asOwner()).bank.match({ lineId, seenMatchedKobo: line?.matchedKobo ?? 0n, parts: [part] });
}
const lastMatchOf = async (lineId: number) => {
  const [last] = await deps.db
    .select()
    .from(lineMatches)
    .where(eq(lineMatches.lineId, lineId))
    .orderBy(desc(lineMatches.id))
    .limit(1);
  return last?.id ?? 0;
};
const undo = async (lineId: number) =>
  (await asOwner()).bank.undo({ matchId: await lastMatchOf(lineId), reason: "It was another sale" });
const credit = (amountKobo: Kobo) => keepLine(deps, account, { amountKobo, narration: "NIP FISH MARKET" });
const receive = async (saleId: number, amountKobo: Kobo) => {
  const { id: lineId } = await credit(amountKobo);
  await match(lineId, { kind: "sale", amountKobo, saleId });
  return lineId;
};
const sumOf = (account: "harvest_proceeds" | "harvest_costs" | "receivable" | "losses") => sumIn(deps.db, account);
const settle = async (amountKobo: Kobo, by = amaka) =>
  (await callAs(deps, by)).harvests.settle({ harvestId, pool: "sold", amount: koboToNairaText(amountKobo) });
const findSale = async (saleId: number) => {
  const [sale] = await deps.db.select().from(harvestSales).where(eq(harvestSales.id, saleId));
  return sale;
};
const audited = async (action: string) => deps.db.$count(auditLogs, eq(auditLogs.actionType, action));

test("an advance of a buyer waits until the harvest is shared out, and is settled with what was sold", async () => {
  const advance = { harvestId, amountKobo: naira(500_000), quantity: null, isWithoutQuantity: true };
  const saleId = await keepSale(deps, await asRecorder(), advance);
  await receive(saleId, naira(500_000));
  expect(await sumOf("harvest_proceeds")).toBe(-naira(500_000));
  await expect(settle(naira(500_000))).rejects.toThrow(harvestTexts.notAllotted);
  // Nothing with a quantity is sold before the harvest is shared out.
  await expect(keepSale(deps, await asRecorder(), { harvestId, amountKobo: naira(1000) })).rejects.toThrow(
    harvestTexts.notAllotted,
  );
  expect(await deps.db.$count(harvestSales)).toBe(1);
  await expect((await asRecorder()).harvests.setSaleQuantity({ saleId, quantity: "100" })).rejects.toThrow(
    harvestTexts.notAllotted,
  );
  await endChoosing(deps, harvestId);
  await expect((await asRecorder()).harvests.setSaleQuantity({ saleId, quantity: "101" })).rejects.toThrow(
    harvestTexts.tooMuchSold("100 kg"),
  );
  await (await asRecorder()).harvests.setSaleQuantity({ saleId, quantity: "100" });
  await expect((await asRecorder()).harvests.setSaleQuantity({ saleId, quantity: "60" })).rejects.toThrow(
    harvestTexts.changed,
  );
  expect((await findSale(saleId))?.quantity).toBe(100_000n);
  expect(await audited("set_sale_quantity")).toBe(1);
  await settle(naira(500_000));
  await (await asOwner()).harvests.finish({ harvestId });
});

test("a harvest with a buyer's advance isn't withdrawn before its money is taken out of it", async () => {
  const advance = { harvestId, amountKobo: naira(5000), quantity: null, isWithoutQuantity: true };
  const lineId = await receive(await keepSale(deps, await asRecorder(), advance), naira(5000));
  const withdraw = async () => (await asOwner()).harvests.withdraw({ harvestId, reason: "It was entered by mistake." });
  await expect(withdraw()).rejects.toThrow(harvestTexts.soldAlready);
  await undo(lineId);
  await withdraw();
});

test("a further payment for what was sold has no quantity and is shared by the pool's weights", async () => {
  await endChoosing(deps, harvestId);
  const bonus = { harvestId, amountKobo: naira(20_000), quantity: null, isWithoutQuantity: true };
  await expect(keepSale(deps, await asRecorder(), bonus)).rejects.toThrow(harvestTexts.nothingToPayMoreFor);
  await receive(
    await keepSale(deps, await asRecorder(), { harvestId, amountKobo: naira(200_000), quantity: 100_000n }),
    naira(200_000),
  );
  await settle(naira(200_000));
  await receive(await keepSale(deps, await asRecorder(), bonus), naira(20_000));
  await settle(naira(20_000));
  expect((await settlementsOf(deps, harvestId)).map(({ netKobo }) => netKobo)).toEqual([naira(190_000), naira(19_000)]);
  await (await asOwner()).harvests.finish({ harvestId });
});

/** Another owner confirms what a line takes two for. */
async function matchByTwo(lineId: number, part: Part) {
  const [line] = await deps.db.select().from(statementLines).where(eq(statementLines.id, lineId));
  const kept = keptMatch({ lineId, seenMatchedKobo: line?.matchedKobo ?? 0n, parts: [part] });
  const by = await asOwner();
  await by.secondPerson.ask({ kind: "match_line", details: kept, reason: "The bank reversed the buyer's transfer." });
  await confirmNext(deps, bola);
}
const reversal = (amountKobo: Kobo) =>
  keepLine(deps, account, { amountKobo: -amountKobo, narration: "RVSL NIP FISH MARKET" });

/** The bank takes back what a line brought. */
async function takeBack(lineId: number, saleId: number, amountKobo: Kobo) {
  const { id } = await reversal(amountKobo);
  const creditMatchId = await lastMatchOf(lineId);
  await matchByTwo(id, { kind: "sale_taken_back", amountKobo, saleId, creditMatchId });
  return id;
}
const askAboutSale = async (asked: Parameters<Awaited<ReturnType<typeof callAs>>["secondPerson"]["ask"]>[0]) =>
  (await asOwner()).secondPerson.ask(asked);
const reason = "The buyer told us on the phone.";

describe("a sale that was typed with a digit too few", () => {
  let saleId: number;
  startEachWith(deps, async () => {
    await endChoosing(deps, harvestId);
    const typed = { harvestId, amountKobo: naira(140_000), quantity: 100_000n };
    saleId = await keepSale(deps, await asRecorder(), typed);
  });

  test("rises by the line that shows the rest, also after it was settled", async () => {
    await receive(saleId, naira(140_000));
    await settle(naira(140_000));
    const { id: lineId } = await credit(naira(900_000));
    const part = { kind: "sale" as const, amountKobo: naira(900_000), saleId };
    await expect(match(lineId, part)).rejects.toThrow(harvestLineTexts.moreThanMissing(0n));
    expect((await findSale(saleId))?.amountKobo).toBe(naira(140_000));
    await match(lineId, { ...part, isRaised: true });
    expect((await findSale(saleId))?.amountKobo).toBe(naira(1_040_000));
    await settle(naira(900_000));
    await (await asOwner()).harvests.finish({ harvestId });
  });

  test("has its old amount again when that line's match is undone", async () => {
    const { id: lineId } = await credit(naira(1_040_000));
    await match(lineId, { kind: "sale", amountKobo: naira(1_040_000), saleId, isRaised: true });
    await undo(lineId);
    expect((await findSale(saleId))?.amountKobo).toBe(naira(140_000));
  });

  test("rises or falls by two people, but never below what came", async () => {
    await receive(saleId, naira(140_000));
    const change = (amount: number) => ({
      kind: "change_sale" as const,
      details: { saleId, amountKobo: String(naira(amount)), seenKobo: String(naira(140_000)) },
      reason,
    });
    await expect(askAboutSale(change(139_999))).rejects.toThrow(harvestTexts.lessThanArrived);
    await askAboutSale(change(1_040_000));
    expect((await findSale(saleId))?.amountKobo).toBe(naira(140_000));
    await confirmNext(deps, bola);
    expect((await findSale(saleId))?.amountKobo).toBe(naira(1_040_000));
    expect(await audited("change_sale")).toBe(1);
  });

  test("is paid further where two owners declared it", async () => {
    const declared = await sell(
      deps,
      { asker: amaka, confirmer: bola },
      { harvestId, amountKobo: naira(500), quantity: null, isWithoutQuantity: true },
    );
    const { id: lineId } = await credit(naira(900));
    const part = { kind: "sale" as const, amountKobo: naira(900), saleId: declared, isRaised: true };
    await expect(match(lineId, part)).rejects.toThrow(harvestLineTexts.declaredStays);
  });
});

describe("a buyer's transfer that the bank takes back", () => {
  let saleId: number;
  let lineId: number;
  startEachWith(deps, async () => {
    await endChoosing(deps, harvestId);
    saleId = await keepSale(deps, await asRecorder(), { harvestId, amountKobo: naira(200_000), quantity: 100_000n });
    lineId = await receive(saleId, naira(200_000));
  });

  test("is suggested for the debit, and takes a second person", async () => {
    const { id } = await reversal(naira(200_000));
    const found = await (await asOwner()).bank.line({ lineId: id });
    expect(found.candidates.map(({ kind }) => kind)).toEqual(["sale_taken_back"]);
    const part = found.candidates[0]?.part;
    if (!part) throw new Error("nothing can be done with it");
    await expect(match(id, part)).rejects.toThrow(wallTexts.saleTakenBack("Ibadan Fish Market"));
  });

  test("before the settlement leaves the proceeds, and the sale waits for its money", async () => {
    await takeBack(lineId, saleId, naira(200_000));
    expect([await sumOf("harvest_proceeds"), await sumOf("receivable")]).toEqual([0n, 0n]);
    await expect(settle(naira(200_000))).rejects.toThrow(harvestTexts.nothingReceived);
    await expect(undo(lineId)).rejects.toThrow(wallTexts.creditTakenBack);
    await receive(saleId, naira(200_000));
    await settle(naira(200_000));
  });

  test("before the settlement lets two owners remove the sale", async () => {
    await takeBack(lineId, saleId, naira(200_000));
    await askAboutSale({ kind: "remove_sale", details: { saleId, amountKobo: String(naira(200_000)) }, reason });
    await confirmNext(deps, bola);
    expect((await findSale(saleId))?.removedAt).not.toBeNull();
  });

  test("after the settlement is receivable until the buyer pays again", async () => {
    await settle(naira(200_000));
    await takeBack(lineId, saleId, naira(200_000));
    expect([await sumOf("harvest_proceeds"), await sumOf("receivable")]).toEqual([0n, naira(200_000)]);
    const [settlement] = await settlementsOf(deps, harvestId);
    const reverse = { settlementId: settlement?.id ?? 0, reason: "The money was taken back." };
    await expect((await asOwner()).harvests.reverse(reverse)).rejects.toThrow(harvestTexts.settledTakenBack);
    await expect((await asOwner()).harvests.finish({ harvestId })).rejects.toThrow(harvestTexts.salesUnpaid);
    await receive(saleId, naira(200_000));
    expect([await sumOf("harvest_proceeds"), await sumOf("receivable")]).toEqual([0n, 0n]);
    await (await asOwner()).harvests.finish({ harvestId });
  });

  test("after the settlement is a loss once two owners wait for it no more", async () => {
    await settle(naira(200_000));
    const debit = await takeBack(lineId, saleId, naira(200_000));
    const lost = { kind: "lose_sale" as const, details: { saleId, amountKobo: String(naira(200_000)) }, reason };
    await askAboutSale(lost);
    await confirmNext(deps, bola);
    expect([await sumOf("receivable"), await sumOf("losses")]).toEqual([0n, naira(200_000)]);
    await expect(undo(debit)).rejects.toThrow(harvestLineTexts.cameAgain);
    await (await asOwner()).harvests.finish({ harvestId });
  });

  test("after its settlement leaves other buyers' later money to be settled", async () => {
    await settle(naira(200_000));
    const bonus = { harvestId, amountKobo: naira(50_000), quantity: null, isWithoutQuantity: true };
    await receive(await keepSale(deps, await asRecorder(), bonus), naira(50_000));
    await takeBack(lineId, saleId, naira(200_000));
    expect([await sumOf("harvest_proceeds"), await sumOf("receivable")]).toEqual([-naira(50_000), naira(200_000)]);
    await settle(naira(50_000));
  });

  test("isn't taken back after all when the match is undone", async () => {
    await settle(naira(200_000));
    await undo(await takeBack(lineId, saleId, naira(200_000)));
    expect([await sumOf("harvest_proceeds"), await sumOf("receivable")]).toEqual([0n, 0n]);
  });

  test("counts once where two owners declared the sale before the match was undone", async () => {
    const debit = await takeBack(lineId, saleId, naira(200_000));
    await declareSale(deps, { asker: amaka, confirmer: bola }, saleId);
    await undo(debit);
    expect(await sumOf("harvest_proceeds")).toBe(-naira(200_000));
  });
});

test("costs fall on what nobody collected by at most its part, and on what was sold by the rest", async () => {
  await (await farm.as(0)).harvests.choose({ harvestId, taken: "10", given: "0" });
  await endChoosing(deps, harvestId);
  deps.clock.advance({ ms: 9 * dayMs });
  await moveUncollected(deps, harvestId);
  await keepCost(deps, { harvestId, amountKobo: naira(100_000), by: bola });
  const sellAll = async (pool: "sold" | "uncollected", quantity: bigint, amount: number) =>
    receive(
      await keepSale(deps, await asRecorder(), { harvestId, pool, quantity, amountKobo: naira(amount) }),
      naira(amount),
    );
  await sellAll("uncollected", 10_000n, 50_000);
  await sellAll("sold", 90_000n, 400_000);
  const settlePool = async (pool: "sold" | "uncollected", amount: string) =>
    (await asOwner()).harvests.settle({ harvestId, pool, amount });
  await settlePool("uncollected", "50,000");
  await settlePool("sold", "400,000");
  expect((await settlementsOf(deps, harvestId)).map(({ costsKobo }) => costsKobo)).toEqual([
    naira(10_000),
    naira(90_000),
  ]);
  await (await asOwner()).harvests.finish({ harvestId });
});

test("costs that a line shows and nobody wrote down are named at the preview, and lost by two at the end", async () => {
  await endChoosing(deps, harvestId);
  await receive(
    await keepSale(deps, await asRecorder(), { harvestId, amountKobo: naira(200_000), quantity: 100_000n }),
    naira(200_000),
  );
  const debit = async () =>
    (await keepLine(deps, account, { amountKobo: -naira(30_000), narration: "TRF FEED MILL" })).id;
  const lineId = await debit();
  const cost = { kind: "harvest_cost" as const, amountKobo: naira(30_000), harvestId };
  await match(lineId, cost);
  const preview = await (await asOwner()).harvests.preview({ harvestId, pool: "sold" });
  expect([preview.unwrittenKobo, preview.costsKobo]).toEqual([naira(30_000), 0n]);
  await settle(naira(200_000));
  const finish = async () => (await asOwner()).harvests.finish({ harvestId });
  await expect(finish()).rejects.toThrow(harvestTexts.costsLost("₦30,000"));
  await askToLoseCosts(deps, amaka, { harvestId, amountKobo: naira(30_000) });
  await confirmNext(deps, bola);
  expect(await sumOfLosses(deps)).toBe(naira(30_000));
  await expect(match(await debit(), cost)).rejects.toThrow(harvestLineTexts.costsOver);
  // It was another harvest's: two undo it, and what was booked as a loss is taken back.
  await expect(undo(lineId)).rejects.toThrow(harvestLineTexts.costsLost(naira(30_000)));
  const matchId = await lastMatchOf(lineId);
  const owner = await asOwner();
  await owner.secondPerson.ask({
    kind: "undo_match",
    details: { matchId },
    reason: "It was the feed of another farm.",
  });
  const [asked] = (await owner.secondPerson.list()).requests;
  expect(asked?.consequences).toContain(harvestLineTexts.lossTakenBack(naira(30_000)));
  await confirmNext(deps, bola);
  expect([await sumOfLosses(deps), await sumOf("harvest_costs")]).toEqual([0n, 0n]);
  const [harvest] = await deps.db.select().from(harvests).where(eq(harvests.id, harvestId));
  expect(harvest).toMatchObject({ state: "done", costsLostAt: null, unwrittenLostKobo: 0n });
  await expect(match(lineId, cost)).rejects.toThrow(harvestLineTexts.costsOver);
  const other = await openHarvestOf(await asOwner(), farm, 100_000n, await callAs(deps, bola));
  await match(lineId, { ...cost, harvestId: other });
});
