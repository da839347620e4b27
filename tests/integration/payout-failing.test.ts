import { eq } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { statementLines, statements } from "#server/db/schema/bank.ts";
import { formatDay } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";
import { failPayoutTexts } from "#shared/second-person/texts.ts";
import { csvOf, importAs, keepOwnAccount, line } from "#tests/support/bank-imports.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createPayment, expectMoneyHolds } from "#tests/support/money.ts";
import { findPayout, giveAccount, keepRun, oweRefund } from "#tests/support/payouts.ts";
import { type Caller, callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { startEachWith } from "#tests/support/scene.ts";
import { keepLine } from "#tests/support/statements.ts";

/** Declaring a payout failed that no statement shows: the days that statements have to cover, and what prevents it. */

const deps = await openTestDeps();
const reason = "The bank confirmed that it never left.";
const price = 5_000_000n;
let amaka: TestUser;
let tunde: TestUser;
let owner: Caller;
let accountId: number;
/** A Friday, on which everything is sent. */
const friday = "2026-11-27";

const goTo = async (day: string, hour = 12) => {
  const to = new Date(`${day}T${String(hour).padStart(2, "0")}:00:00+01:00`).getTime();
  const minutes = Math.round((to - deps.clock.now().getTime()) / 60_000);
  deps.clock.advance({ minutes });
  owner = await callAs(deps, amaka);
};
startEachWith(deps, async () => {
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  tunde = await createAdmin(deps.db, "owner", { fullName: "Tunde Ade" });
  await goTo(friday);
  const opened = await keepOwnAccount(deps.db);
  return async () => {
    owner = await callAs(deps, amaka);
    accountId = opened;
    payouts = 0;
  };
});
afterEach(() => expectMoneyHolds(deps));

let payouts = 0;
/** Owes a refund, each time of another sum, from money that an approval took for granted. */
async function owe() {
  payouts += 1;
  const project = await createProject(deps.db, { fundingGoalKobo: price + BigInt(payouts) * 1_000_00n });
  const { backer, payouts: made } = await oweRefund(deps, { owner: amaka, project });
  const account = await giveAccount(deps, { userId: backer.id }, { addedBy: backer.id });
  return { payout: await findPayout(deps, made[0]?.id ?? 0), account };
}
async function send(count = 1) {
  const owed = [];
  for (let index = 0; index < count; index += 1) owed.push(await owe());
  await keepRun(deps, owed, { ownAccount: { id: accountId }, owner: amaka, second: tunde });
  const [first] = owed;
  if (!first) throw new Error("nothing was sent");
  return {
    sent: await findPayout(deps, first.payout.id),
    total: owed.reduce((sum, it) => sum + it.payout.amountKobo, 0n),
  };
}
const ask = (payoutId: number) => owner.secondPerson.ask({ kind: "fail_payout", details: { payoutId }, reason });
type Lines = Parameters<typeof line>[];
const importLines = async (openingKobo: bigint, lines: Lines, given = {}) =>
  expect(
    await importAs(deps, amaka, {
      accountId,
      file: csvOf({ openingKobo, truths: lines.map((it) => line(...it)) }),
      ...given,
    }),
  ).toMatchObject({ kind: "imported" });
const uncovered = (day: string) => failPayoutTexts.uncovered(formatDay(day));
const asked = async () => (await owner.secondPerson.list()).requests;

describe("the statements", () => {
  test("have to cover the day it was sent, and each of three working days after it", async () => {
    const { sent } = await send();
    await expect(ask(sent.id)).rejects.toThrow(uncovered(friday));
    await goTo("2026-12-03");
    // A statement that only begins later, however far it goes.
    await importLines(0n, [
      ["2026-12-01", 100n],
      ["2026-12-03", 100n],
    ]);
    await expect(ask(sent.id)).rejects.toThrow(uncovered(friday));
    expect(await asked()).toEqual([]);
  });

  test("cover a day only once it is over", async () => {
    const { sent } = await send();
    await goTo("2026-12-02", 15);
    const file = csvOf({ openingKobo: 0n, truths: [line(friday, 100n), line("2026-12-02", 100n)] });
    const again = async () =>
      expect(await importAs(deps, amaka, { accountId, file })).toMatchObject({ kind: "imported" });
    await again();
    // Wednesday is the third working day, and more may come on it.
    await expect(ask(sent.id)).rejects.toThrow(uncovered("2026-12-02"));
    await goTo("2026-12-03", 8);
    await expect(ask(sent.id)).rejects.toThrow(uncovered("2026-12-02"));
    await again();
    await ask(sent.id);
  });

  test("of the days between two that follow from each other by their balances count", async () => {
    const { sent } = await send();
    await goTo("2026-11-27", 18);
    await importLines(0n, [[friday, 100n]]);
    await goTo("2026-12-04");
    await importLines(100n, [["2026-12-03", 100n]]);
    await ask(sent.id);
    expect(await asked()).toMatchObject([{ kind: "fail_payout", isPossible: true }]);
  });

  test("with an accepted gap in those days don't count", async () => {
    const { sent } = await send();
    await goTo("2026-11-27", 18);
    await importLines(0n, [[friday, 100n]]);
    await goTo("2026-12-04");
    await importLines(500n, [["2026-12-03", 100n]], { gapReason: "The bank didn't give these days" });
    await expect(ask(sent.id)).rejects.toThrow(uncovered(friday));
    await importLines(600n, [["2026-12-04", 100n]]);
    await expect(ask(sent.id)).rejects.toThrow(uncovered(friday));
  });

  test("of one file with an accepted gap don't count either, and the refusal names its days", async () => {
    const { sent } = await send();
    await goTo("2026-12-04");
    const [first, last] = [line(friday, 100n), line("2026-12-03", 100n)];
    const whole = csvOf({ openingKobo: 0n, truths: [first, line("2026-12-01", -700n), last] }).toString();
    const file = Buffer.from(
      whole
        .split("\n")
        .filter((row) => !row.includes("7.00"))
        .join("\n"),
    );
    expect(await importAs(deps, amaka, { accountId, file, gapReason: "The bank left a row out" })).toMatchObject({
      kind: "imported",
    });
    await expect(ask(sent.id)).rejects.toThrow(failPayoutTexts.gap(formatDay(friday), formatDay("2026-12-03")));
  });

  test("of another own account don't count", async () => {
    const { sent } = await send();
    accountId = await keepOwnAccount(deps.db, "9876543210");
    await goTo("2026-12-04");
    await importLines(0n, [
      [friday, 100n],
      ["2026-12-03", 100n],
    ]);
    await expect(ask(sent.id)).rejects.toThrow(uncovered(friday));
  });
});

describe("a debit that nobody has explained", () => {
  const covering = async (...more: Lines) => {
    await goTo("2026-12-04");
    await importLines(price * 10n, [[friday, 100n], ...more, ["2026-12-03", 100n]]);
  };
  const words = (amountKobo: bigint, narration: string) => ({
    amount: formatNaira(amountKobo),
    day: formatDay("2026-11-30"),
    narration,
  });

  test("and names the payout hinders it, cut off and with another amount too", async () => {
    const { sent } = await send();
    const narration = `TRF ${sent.reference.slice(0, 10).replaceAll("-", " ")}`;
    await covering(["2026-11-30", -123_00n, narration]);
    await expect(ask(sent.id)).rejects.toThrow(failPayoutTexts.namedBy(words(123_00n, narration)));
    expect(await asked()).toEqual([]);
  });

  test("and has its amount, or its run's, hinders it until it is explained", async () => {
    const { sent, total } = await send(2);
    const { amountKobo } = sent;
    await covering(["2026-11-30", -amountKobo, "POS PURCHASE"], ["2026-11-30", -total, "BULK"]);
    await expect(ask(sent.id)).rejects.toThrow(failPayoutTexts.sameAmount(words(amountKobo, "POS PURCHASE")));
    const explain = async (kobo: bigint) => {
      const lines = await deps.db.select().from(statementLines).where(eq(statementLines.amountKobo, -kobo));
      const lineId = lines[0]?.id ?? 0;
      const parts = [{ kind: "operator" as const, amountKobo: kobo, reason: "Feed for the office" }];
      await owner.bank.match({ lineId, seenMatchedKobo: 0n, parts });
    };
    await explain(amountKobo);
    await expect(ask(sent.id)).rejects.toThrow(failPayoutTexts.sameAmount(words(total, "BULK")));
    await explain(total);
    await ask(sent.id);
    expect(await asked()).toHaveLength(1);
  });

  test("hinders the second person as well", async () => {
    const { sent } = await send();
    await covering();
    await ask(sent.id);
    const second = await callAs(deps, tunde);
    const [request] = (await second.secondPerson.list()).requests;
    await importLines(price * 10n + 200n, [["2026-12-04", -sent.amountKobo, "TRF"]]);
    expect((await second.secondPerson.list()).requests[0]).toMatchObject({ isPossible: false });
    await expect(second.secondPerson.confirm({ requestId: request?.id ?? 0 })).rejects.toThrow(/isn't matched/);
    expect(await findPayout(deps, sent.id)).toMatchObject({ state: "sent" });
  });

  test("of a day before it was sent doesn't matter", async () => {
    const { sent } = await send();
    await goTo("2026-12-04");
    const before: Lines = [["2026-11-26", -sent.amountKobo, "OLD"]];
    await importLines(price * 10n, [...before, [friday, 100n], ["2026-12-03", 100n]]);
    await ask(sent.id);
  });
});

describe("what an owner marked as paid after the first statement", () => {
  test("is among what was sent and not seen, says that it is stale, and may be declared failed", async () => {
    await importLines(0n, [[friday, price]]);
    const [imported] = await deps.db.select().from(statements);
    const kept = { id: accountId, statementId: imported?.id ?? 0 };
    const { payment, backer } = await createPayment(deps, { owner: amaka });
    const credit = await keepLine(deps, kept, {
      amountKobo: payment.amountKobo,
      date: friday,
      narration: payment.reference,
    });
    const part = { kind: "payment" as const, amountKobo: payment.amountKobo, paymentId: payment.id };
    await owner.bank.match({ lineId: credit.id, seenMatchedKobo: 0n, parts: [part] });
    await owner.payments.setStatus({
      paymentId: payment.id,
      seenStatus: "pending",
      status: "rejected",
      isGivenBack: true,
      reason: "Gone",
      seenReceiptSha256: (await owner.payments.list({})).items[0]?.receipt?.sha256 ?? null,
    });
    const account = await giveAccount(deps, { userId: backer.id }, { addedBy: backer.id });
    const [due] = (await owner.payouts.due()).payouts;
    const payout = await findPayout(deps, due?.id ?? 0);
    await keepRun(deps, [{ payout, account }], { ownAccount: { id: accountId }, owner: amaka, second: tunde });
    await owner.payouts.markPaid({ payoutId: payout.id, sessionId: "1".repeat(30), reason });
    const sent = async () => (await owner.payouts.list({ list: "sent" })).payouts;
    expect(await sent()).toMatchObject([{ id: payout.id, state: "paid", isUnseen: false, mayFail: true }]);
    expect((await owner.payouts.list({ list: "done" })).payouts).toEqual([]);
    expect(await owner.payouts.overview()).toMatchObject({
      sent: { count: 1, totalKobo: payout.amountKobo },
      unseen: 0,
    });
    await goTo("2026-12-04");
    expect(await sent()).toMatchObject([{ isUnseen: true }]);
    expect(await owner.payouts.overview()).toMatchObject({ unseen: 1 });
    const debit = await keepLine(deps, kept, { amountKobo: -payout.amountKobo, date: friday });
    const left = { kind: "payout" as const, amountKobo: payout.amountKobo, payoutId: payout.id };
    await owner.bank.match({ lineId: debit.id, seenMatchedKobo: 0n, parts: [left] });
    expect(await sent()).toEqual([]);
    expect((await owner.payouts.list({ list: "done" })).payouts).toMatchObject([{ id: payout.id, mayFail: false }]);
    await expect(ask(payout.id)).rejects.toThrow(payoutTexts.seenAlready);
  });
});
