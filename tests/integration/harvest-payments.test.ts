import { desc, eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sumOfEntries } from "#server/books/sums.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { harvestSales } from "#server/db/schema/harvests.ts";
import { ledgerEntries } from "#server/db/schema/ledger.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { harvestTexts } from "#shared/harvests/texts.ts";
import { type Kobo, koboToNairaText } from "#shared/money.ts";
import { openTestReplicas } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { endChoosing, type Farm, fundFarm, keepSale, openHarvestOf, settlementsOf } from "#tests/support/harvests.ts";
import { expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
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

beforeEach(async () => {
  await emptyDatabase(deps.db);
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  await setBankDetails(deps.db);
  farm = await fundFarm(deps, { owner: amaka, lots: [1, 1] });
  account = await openOwnAccount(deps, { importedBy: amaka.id, openingKobo: naira(1000) });
  harvestId = await openHarvestOf(await asOwner(), farm, 100_000n);
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
const sumOf = async (account: "harvest_proceeds" | "receivable" | "losses") => {
  const [sum] = await deps.db
    .select({ kobo: sumOfEntries() })
    .from(ledgerEntries)
    .where(eq(ledgerEntries.account, account));
  return sum?.kobo ?? 0n;
};
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
  await expect((await asRecorder()).harvests.setSaleQuantity({ saleId, quantity: "100" })).rejects.toThrow(
    harvestTexts.notAllotted,
  );
  await endChoosing(deps, harvestId);
  await expect((await asRecorder()).harvests.setSaleQuantity({ saleId, quantity: "101" })).rejects.toThrow(
    harvestTexts.tooMuchSold("100 kg"),
  );
  await (await asRecorder()).harvests.setSaleQuantity({ saleId, quantity: "100" });
  expect((await findSale(saleId))?.quantity).toBe(100_000n);
  expect(await audited("set_sale_quantity")).toBe(1);
  await settle(naira(500_000));
  await (await asOwner()).harvests.finish({ harvestId });
});

test("a quantity is written down once, and for what is sold by quantity only", async () => {
  await endChoosing(deps, harvestId);
  const saleId = await keepSale(deps, await asRecorder(), { harvestId, amountKobo: naira(1000), quantity: 50_000n });
  await expect((await asRecorder()).harvests.setSaleQuantity({ saleId, quantity: "60" })).rejects.toThrow(
    harvestTexts.changed,
  );
  expect((await findSale(saleId))?.quantity).toBe(50_000n);
});

test("nothing with a quantity is sold before a harvest is shared out", async () => {
  await expect(keepSale(deps, await asRecorder(), { harvestId, amountKobo: naira(1000) })).rejects.toThrow(
    harvestTexts.notAllotted,
  );
  expect(await deps.db.$count(harvestSales)).toBe(0);
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
