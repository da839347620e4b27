import { eq, inArray, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { statementLines, statements } from "#server/db/schema/bank.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { formatNairaExact } from "#shared/money.ts";
import { keepOwnAccount } from "#tests/support/bank-imports.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createPayment } from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { keepLine, openOwnAccount } from "#tests/support/statements.ts";

/** The bank's data as administrators' screens read it. */

const deps = await openTestDeps();
const { db } = deps;
let owner: TestUser;
let manager: Caller;
beforeAll(async () => {
  owner = await createAdmin(db, "owner", { fullName: "Chidi Eze" });
  manager = await callAs(deps, "manager");
});

let accounts = 0;

/** An own account with a statement up to 20 November. */
async function openAccount(openingKobo: bigint, closingKobo?: bigint) {
  accounts += 1;
  const accountNumber = String(accounts).padStart(10, "0");
  const account = await openOwnAccount(deps, { importedBy: owner.id, openingKobo, accountNumber });
  const printed = { lastDay: "2026-11-20", closingKobo: closingKobo ?? null };
  await db.update(statements).set(printed).where(eq(statements.id, account.statementId));
  const addLine = (amountKobo: bigint, values: Partial<typeof statementLines.$inferInsert> = {}) =>
    keepLine(deps, account, { date: "2026-11-20", amountKobo, ...values });
  return { account, addLine };
}

/** Explains a whole line, or a part of it. */
async function explain(
  line: { id: number; amountKobo: bigint },
  match: Omit<typeof lineMatches.$inferInsert, "lineId" | "amountKobo"> & { amountKobo?: bigint },
) {
  const amountKobo = match.amountKobo ?? (line.amountKobo < 0n ? -line.amountKobo : line.amountKobo);
  await db.transaction(async (tx) => {
    await tx.insert(lineMatches).values({ madeBy: owner.id, ...match, lineId: line.id, amountKobo });
    const more = sql`${statementLines.matchedKobo} + ${amountKobo}`;
    const changed = match.counterLineId ? [line.id, match.counterLineId] : [line.id];
    await tx.update(statementLines).set({ matchedKobo: more }).where(inArray(statementLines.id, changed));
  });
}

const overviewOf = async (accountId: number) => {
  const found = (await manager.bank.overview()).accounts.find(({ id }) => id === accountId);
  if (!found) throw new Error("the account is not in the overview");
  return found;
};

describe("the overview", () => {
  test("has nothing of an account before its first statement, and says what is in transit", async () => {
    const accountId = await keepOwnAccount(db);
    const { payment } = await createPayment(deps, { owner, status: "approved" });
    const found = await overviewOf(accountId);
    expect(found).toMatchObject({ openedOn: null, lastDay: null, bankKobo: null, differenceKobo: null });
    expect(found.ledgerKobo).toBe(0n);
    expect((await manager.bank.overview()).inTransitKobo).toBeGreaterThanOrEqual(payment.amountKobo);
    expect((await manager.bank.overview()).accounts[0]?.id).toBe(accountId);
  });

  test("takes the last printed balance, with the lines after it", async () => {
    const { account, addLine } = await openAccount(100_000n);
    await addLine(50_000n, { balanceKobo: 150_000n });
    await addLine(-20_000n);
    expect(await overviewOf(account.id)).toMatchObject({
      lastDay: "2026-11-20",
      bankKobo: 130_000n,
      ledgerKobo: 130_000n,
      differenceKobo: 0n,
      gapsKobo: 0n,
      counts: { to_match: 2, suggested: 0, matched: 0, own: 0 },
    });
  });

  test("says what was accepted as missing", async () => {
    const { account, addLine } = await openAccount(100_000n);
    await addLine(50_000n, { balanceKobo: 150_000n });
    await addLine(10_000n, { balanceKobo: 178_400n, gapKobo: 18_400n });
    const { differenceKobo, gapsKobo } = await overviewOf(account.id);
    expect([differenceKobo, gapsKobo].map((kobo) => formatNairaExact(kobo ?? 0n))).toEqual(["₦184.00", "₦184.00"]);
  });

  test("takes the closing balance where no line prints one, else the opening and all lines", async () => {
    const closing = await openAccount(100_000n, 149_999n);
    await closing.addLine(50_000n);
    expect(await overviewOf(closing.account.id)).toMatchObject({ bankKobo: 149_999n, differenceKobo: -1n });
    const bare = await openAccount(100_000n);
    await bare.addLine(50_000n);
    expect(await overviewOf(bare.account.id)).toMatchObject({ bankKobo: 150_000n, differenceKobo: 0n });
  });

  test("tells who may import", async () => {
    expect((await manager.bank.overview()).canImport).toBe(false);
    expect((await (await callAs(deps, owner)).bank.overview()).canImport).toBe(true);
  });
});

describe("the lines", () => {
  type Tab = Parameters<Caller["bank"]["lines"]>[0]["tab"];
  const listed = async (accountId: number, tab: Tab, search = "") =>
    (await manager.bank.lines({ accountId, tab, search })).items.map(({ id }) => id);

  test("stand where they belong, the latest first, with what explains them", async () => {
    const { account, addLine } = await openAccount(0n);
    const [bare, part, likely, paid, charge, interest] = [
      await addLine(10_000n),
      await addLine(20_000n),
      await addLine(30_000n, { suggestedRule: "other_amount" }),
      await addLine(40_000n),
      await addLine(-450n, { narration: "SMS ALERT CHARGE" }),
      await addLine(500n, { narration: "INTEREST" }),
    ];
    const { payment, backer } = await createPayment(deps, { owner });
    await explain(part, { kind: "operator", reason: "Capital", amountKobo: 5000n });
    await explain(paid, { kind: "payment", paymentId: payment.id });
    await explain(charge, { kind: "bank_charges" });
    await explain(interest, { kind: "operator", reason: "Interest" });
    expect(await listed(account.id, "to_match")).toEqual([part.id, bare.id]);
    expect(await listed(account.id, "suggested")).toEqual([likely.id]);
    expect(await listed(account.id, "matched")).toEqual([charge.id, paid.id]);
    expect(await listed(account.id, "own")).toEqual([interest.id]);
    expect((await overviewOf(account.id)).counts).toEqual({ to_match: 2, suggested: 1, matched: 2, own: 1 });
    const [, explained] = (await manager.bank.lines({ accountId: account.id, tab: "matched" })).items;
    expect(explained?.explainedBy).toEqual([
      { kind: "payment", amountKobo: 40_000n, reference: payment.reference, personName: backer.fullName, ofRun: null },
    ]);
  });

  test("are found by what the bank wrote, by our reference and by amount", async () => {
    const { account, addLine } = await openAccount(0n);
    const named = await addLine(1_119_550n, { narration: "NIP/ACCESS/ADAEZE 50%_OKAFOR", counterparty: "A. Okafor" });
    const ours = await addLine(-7_500n, { reference: "GONA-7K3P-9Q2M", bankReference: "FT26325XK" });
    for (const text of ["adaeze", "50%_", "a. okafor", "11,195.50", "₦11195.5"])
      expect([text, await listed(account.id, "to_match", text)]).toEqual([text, [named.id]]);
    for (const text of ["gona-7k3p", "7K3P9Q", "7k3p 9q2m", "ft26325", "75", "-75.00"])
      expect([text, await listed(account.id, "to_match", text)]).toEqual([text, [ours.id]]);
    for (const text of ["50__", "%%%", "\\", "xyzzy"]) expect(await listed(account.id, "to_match", text)).toEqual([]);
  });

  test("come a page at a time, each once", async () => {
    const { account, addLine } = await openAccount(0n);
    const added: number[] = [];
    for (let line = 0; line < 53; line++) added.unshift((await addLine(100n)).id);
    const first = await manager.bank.lines({ accountId: account.id, tab: "to_match" });
    const second = await manager.bank.lines({ accountId: account.id, tab: "to_match", cursor: first.nextCursor });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(added);
    expect([first.items.length, second.nextCursor]).toEqual([50, null]);
    await expect(
      manager.bank.lines({ accountId: account.id, tab: "to_match", cursor: "eyJ4Ijox" }),
    ).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  test("a line tells its file, and its matches with who and why, also those that were undone", async () => {
    const { account, addLine } = await openAccount(0n);
    const line = await addLine(10_000n, { sessionId: "0".repeat(30) });
    await explain(line, { kind: "operator", reason: "Capital" });
    await db.transaction(async (tx) => {
      const undone = { undoneAt: new Date(), undoneBy: owner.id, undoneReason: "A backer's after all" };
      await tx.update(lineMatches).set(undone).where(eq(lineMatches.lineId, line.id));
      await tx.update(statementLines).set({ matchedKobo: 0n }).where(eq(statementLines.id, line.id));
    });
    const found = await manager.bank.line({ lineId: line.id });
    expect(found).toMatchObject({
      id: line.id,
      accountId: account.id,
      sessionId: "0".repeat(30),
      canMatch: false,
      statement: { fileName: "statement.csv", importedByName: "Chidi Eze" },
    });
    expect(found.matches).toMatchObject([
      { kind: "operator", reason: "Capital", madeByName: "Chidi Eze", undoneReason: "A backer's after all" },
    ]);
    await expect(manager.bank.line({ lineId: 999_999 })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("money between own accounts is seen from both sides", async () => {
    const [from, to] = [await openAccount(0n), await openAccount(0n)];
    const left = await from.addLine(-7_777_777n);
    const near = await to.addLine(7_777_000n);
    const arrived = await to.addLine(7_777_777n, { date: "2026-11-22" });
    await to.addLine(7_777_777n, { date: "2026-12-22" });
    await from.addLine(7_777_777n);
    const caller = await callAs(deps, owner);
    // Other tests' lines are of other amounts, and come behind.
    const choices = async () => {
      const found = (await caller.bank.counterLines({ lineId: left.id })).map(({ id }) => id);
      return found.slice(0, found.indexOf(near.id) + 1);
    };
    expect(await choices()).toEqual([arrived.id, near.id]);
    await explain(arrived, { kind: "own_transfer", counterLineId: left.id });
    for (const { account } of [from, to]) {
      const { items } = await manager.bank.lines({ accountId: account.id, tab: "matched" });
      expect(items.map(({ explainedBy }) => explainedBy.map(({ kind }) => kind))).toEqual([["own_transfer"]]);
    }
    const { matches } = await manager.bank.line({ lineId: left.id });
    expect(matches).toMatchObject([{ line: { id: arrived.id }, counterLine: { id: left.id } }]);
    expect(await choices()).toEqual([near.id]);
  });
});
