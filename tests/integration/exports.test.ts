import { eq, sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { rows } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { holds, waitingList } from "#server/db/schema/holds.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { settings } from "#server/db/schema/settings.ts";
import { users } from "#server/db/schema/users.ts";
import { lineTabLabels } from "#shared/bank/line-tabs.ts";
import { type ExportName, exportNames, exportPath } from "#shared/exports/texts.ts";
import { bankStateLabels } from "#shared/payments/statuses.ts";
import { payoutKindLabels, payoutStateLabels } from "#shared/payouts/texts.ts";
import { holdStateLabels, waitingStateLabels } from "#shared/projects/holds-texts.ts";
import { holdHoursKey, vatKey } from "#shared/settings/texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { cellsOf, download, exportedLedger } from "#tests/support/downloads.ts";
import {
  endChoosing,
  type Farm,
  fundFarm,
  keepEvidence,
  openHarvestOf,
  partsOf,
  sell,
  settlementsOf,
} from "#tests/support/harvests.ts";
import { agreeToTerms, createPayment, setBankDetails } from "#tests/support/money.ts";
import { giveAccount, keepRun, oweRefund } from "#tests/support/payouts.ts";
import { callAs, createAdmin, createGranted, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { confirmNext } from "#tests/support/second-person.ts";
import { keepLine, openOwnAccount } from "#tests/support/statements.ts";

const deps = await openTestDeps();
const { db } = deps;
let app: FastifyInstance;
let owner: TestUser;
let second: TestUser;
let manager: TestUser;
let farm: Farm;
const ids = { account: 0, other: 0, harvest: 0, pending: 0, held: 0 };

/** A little of everything: a run of payouts, two accounts with lines and matches, a hold, a settled harvest. */
beforeAll(async () => {
  app = await buildApp(deps);
  owner = await createAdmin(db, "owner");
  manager = await createAdmin(db, "manager");
  second = await createAdmin(db, "owner");
  await setBankDetails(db);
  const refund = await oweRefund(deps, { owner });
  farm = await fundFarm(deps, { owner, lots: [3, 2], farmPart: "10" });
  const account = await openOwnAccount(deps, { importedBy: owner.id, openingKobo: 70_000_000n });
  const other = await openOwnAccount(deps, { importedBy: owner.id, accountNumber: "9876543210" });
  const [payout] = refund.payouts;
  if (!payout) throw new Error("nothing is owed");
  const payee = await giveAccount(deps, { userId: refund.backer.id }, { addedBy: refund.backer.id });
  await keepRun(deps, [{ payout, account: payee }], { ownAccount: account, owner, second });
  const { payment, backer } = await createPayment(deps, { owner });
  await db.update(users).set({ fullName: "=HYPERLINK(1)" }).where(eq(users.id, backer.id));
  const line = await keepLine(deps, account, {
    amountKobo: payment.amountKobo,
    narration: "@SUM(A1) transfer",
    counterparty: '-1+1 "Ada", Obi',
  });
  const byOwner = await callAs(deps, owner);
  const part = { kind: "payment" as const, amountKobo: payment.amountKobo, paymentId: payment.id };
  await byOwner.bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts: [part] });
  const charge = await keepLine(deps, account, { amountKobo: -50_00n });
  const charged = { kind: "bank_charges" as const, amountKobo: 50_00n };
  await byOwner.bank.match({ lineId: charge.id, seenMatchedKobo: 0n, parts: [charged] });
  await keepLine(deps, other, { amountKobo: 1_000_05n, reference: "GONA-7K3P-9Q2M" });
  await db.update(settings).set({ value: "24" }).where(eq(settings.key, holdHoursKey));
  const holder = await createUser(db);
  const shared = await createProject(db, { lots: 4, minimumLots: 1, fundingGoalKobo: 40_000_000n });
  await agreeToTerms(deps, holder, shared.id, 2);
  const [joinedAt, offeredAt, leftAt] = [1, 2, 3].map((day) => new Date(`2026-10-0${day}T08:00:00Z`));
  const entries = [{ lots: 3, offeredAt }, { lots: 4, leftAt }, { lots: 2 }, { lots: 1 }];
  for (const entry of entries) {
    const waiter = { projectId: shared.id, round: 1, userId: (await createUser(db)).id };
    await db.insert(waitingList).values({ ...waiter, joinedAt, ...entry });
    await db.update(users).set({ fullName: "+SUM(1)" }).where(eq(users.id, waiter.userId));
  }
  ids.harvest = await openHarvestOf(await callAs(deps, owner), farm, 600_000n, await callAs(deps, second));
  await (await farm.as(1)).harvests.choose({ harvestId: ids.harvest, taken: "50", given: "10" });
  await endChoosing(deps, ids.harvest);
  await sell(deps, { asker: owner, confirmer: second }, { harvestId: ids.harvest, amountKobo: 50_000_001n });
  await db.insert(settings).values({ key: vatKey, value: "7.5" });
  await (await callAs(deps, owner)).harvests.settle({ harvestId: ids.harvest, pool: "sold", amount: "500,000.01" });
  Object.assign(ids, { account: account.id, other: other.id, pending: payment.id, held: shared.id });
});
afterAll(() => app.close());
// Each test may export 30 times.
afterEach(() => deps.clock.advance({ hours: 1 }));

const answerOf = (person: TestUser | null, path: string) => download(deps, app, person, path);

/** The rows of a CSV by its titles. */
async function rowsOf(name: ExportName, query = "", person = owner): Promise<Record<string, string>[]> {
  const answer = await answerOf(person, exportPath(name, "csv") + query);
  expect([name, query, answer.statusCode]).toEqual([name, query, 200]);
  const [titles = [], ...lines] = cellsOf(answer.body);
  return lines.map((cells) => Object.fromEntries(titles.map((title, index) => [title, cells[index] ?? ""])));
}

/** Kobo of an amount as a CSV has it. */
const koboOf = (cell = "") => BigInt(cell.replace(".", ""));

const queryOf = (name: ExportName) => (name === "backers" ? `?projectId=${farm.project.id}` : "");

describe("every table", () => {
  test("has a row at least, a cell for each title, and amounts in naira with two decimals", async () => {
    for (const name of exportNames) {
      const [titles = [], ...lines] = cellsOf((await answerOf(owner, exportPath(name, "csv") + queryOf(name))).body);
      expect([name, lines.length]).not.toEqual([name, 0]);
      expect([name, new Set(titles).size]).toEqual([name, titles.length]);
      for (const line of lines) expect([name, line.length]).toEqual([name, titles.length]);
      const amounts = titles.flatMap((title, index) => (title.endsWith(" (NGN)") ? [index] : []));
      for (const line of lines) {
        for (const index of amounts)
          expect([name, line[index]]).toEqual([name, expect.stringMatching(/^(-?\d+\.\d\d)?$/)]);
      }
    }
  });

  test("is JSON as well only where a program reads it", async () => {
    const answers = exportNames.map((name) => answerOf(owner, exportPath(name, "json") + queryOf(name)));
    const statuses = (await Promise.all(answers)).map(({ statusCode }, index) => [exportNames[index], statusCode]);
    expect(statuses.filter(([, status]) => status === 200)).toEqual([
      ["ledger", 200],
      ["audit-logs", 200],
    ]);
  });

  test("is for those who may see its screen and payments; a refusal leaves no trace in the audit log", async () => {
    const before = await db.$count(auditLogs);
    const refused = async (person: TestUser | null) => {
      const statuses: [ExportName, number][] = [];
      for (const name of exportNames) {
        const { statusCode } = await answerOf(person, exportPath(name, "csv") + queryOf(name));
        if (statusCode !== 200) statuses.push([name, statusCode]);
      }
      return statuses;
    };
    expect(await refused(null)).toEqual(exportNames.map((name) => [name, 401]));
    for (const person of [await createUser(db), await createAdmin(db, "viewer")])
      expect(await refused(person)).toEqual(exportNames.map((name) => [name, 403]));
    expect(await db.$count(auditLogs)).toBe(before);
    const books: ExportName[] = ["trial-balance", "vat", "fees"];
    expect(await refused(manager)).toEqual([...books, "audit-logs"].map((name) => [name, 403]));
    expect(await refused(await createGranted(db, "accountant"))).toEqual([]);
    const moneyOut: ExportName[] = [...books, "payouts", "harvests", "harvest-parts", "audit-logs"];
    expect(await refused(await createGranted(db, "cashier"))).toEqual(moneyOut.map((name) => [name, 403]));
  });

  test("is audited with its filters", async () => {
    await rowsOf("payments", "?status=pending");
    const [latest] = (await (await callAs(deps, owner)).auditLog.list({ pageSize: 5 })).items;
    const filters = { status: "pending", search: "" };
    expect(latest).toMatchObject({
      actionType: "export_table",
      userId: owner.id,
      details: { table: "payments", format: "csv", filters },
    });
  });

  test("refuses filters that make no sense, and those that it doesn't have", async () => {
    const wrong = [
      ["payments", "?status=gone"],
      ["payments", "?projectId=one"],
      ["payments", "?search=%00"],
      ["payments", "?stauts=pending"],
      ["bank-lines", "?accountId=-1"],
      ["bank-lines", "?accountId=1&accountId=2"],
      ["ledger", "?account=bank"],
      ["backers", ""],
    ] as const;
    for (const [name, query] of wrong) {
      const { statusCode } = await answerOf(owner, exportPath(name, "csv") + query);
      expect([name, query, statusCode]).toEqual([name, query, 400]);
    }
  });

  test("is had 30 times an hour by one person", async () => {
    const eager = await createAdmin(db, "owner");
    for (let time = 0; time < 30; time++) await rowsOf("holds", "", eager);
    expect((await answerOf(eager, exportPath("ledger", "csv"))).statusCode).toBe(429);
  });

  test("runs no text as a formula, and keeps negative numbers", async () => {
    const payments = cellsOf((await answerOf(owner, exportPath("payments", "csv"))).body);
    expect(payments.some((cells) => cells.includes("'=HYPERLINK(1)"))).toBe(true);
    const lines = cellsOf((await answerOf(owner, exportPath("bank-lines", "csv"))).body);
    const [paidIn, charge] = lines.slice(1);
    expect(paidIn).toEqual(expect.arrayContaining(["'@SUM(A1) transfer", `'-1+1 "Ada", Obi`]));
    expect(charge?.[lines[0]?.indexOf("Amount (NGN)") ?? -1]).toBe("-50.00");
    const waiting = cellsOf((await answerOf(owner, exportPath("waiting-list", "csv"))).body);
    expect(waiting.filter((cells) => cells.includes("'+SUM(1)"))).toHaveLength(4);
  });
});

describe("the filters of the screens", () => {
  test("payments: by status, project, what the bank shows, and what is searched for", async () => {
    const idsOf = async (query: string) => (await rowsOf("payments", query)).map(({ Payment }) => Number(Payment));
    expect(await idsOf("")).toHaveLength(await db.$count(projectPayments));
    expect(await idsOf("?status=pending")).toEqual([ids.pending]);
    expect(await idsOf(`?projectId=${farm.project.id}&status=approved`)).toHaveLength(2);
    expect(await idsOf("?bank=in_bank")).toContain(ids.pending);
    expect(await idsOf("?search=hyperlink")).toEqual([ids.pending]);
    const [shown] = await rowsOf("payments", "?status=pending");
    const [listed] = (await (await callAs(deps, owner)).payments.list({ status: "pending" })).items;
    expect(shown).toMatchObject({
      Reference: listed?.reference,
      Bank: bankStateLabels[listed?.bank?.state ?? "not_seen"],
      Submitted: expect.stringMatching(/\+01:00$/),
    });
    expect(koboOf(shown?.["Amount (NGN)"])).toBe(listed?.amountKobo);
    expect(koboOf(shown?.["Arrived (NGN)"])).toBe(listed?.bank?.arrivedKobo);
  });

  test("lines and matches: by account, tab and search", async () => {
    const overview = await (await callAs(deps, owner)).bank.overview();
    for (const { id, counts } of overview.accounts) {
      for (const tab of ["to_match", "suggested", "matched", "own"] as const) {
        const found = await rowsOf("bank-lines", `?accountId=${id}&tab=${tab}`);
        expect([id, tab, found.length]).toEqual([id, tab, counts[tab]]);
        for (const line of found) expect(line).toMatchObject({ State: lineTabLabels[tab] });
      }
    }
    expect(await rowsOf("bank-lines", `?accountId=${ids.other}`)).toMatchObject([{ "Amount (NGN)": "1000.05" }]);
    expect(await rowsOf("bank-lines", "?search=7k3p9q2m")).toHaveLength(1);
    expect(await rowsOf("line-matches")).toHaveLength(await db.$count(lineMatches));
    expect(await rowsOf("line-matches", `?accountId=${ids.other}`)).toEqual([]);
  });

  test("holds, waiting list, harvests and backers: of a project", async () => {
    expect(await rowsOf("holds")).toHaveLength(await db.$count(holds));
    expect(await rowsOf("holds", `?projectId=${ids.held}`)).toMatchObject([{ Lots: "2", State: holdStateLabels.live }]);
    expect(await rowsOf("harvests", `?projectId=${ids.held}`)).toEqual([]);
    expect(await rowsOf("harvests", `?projectId=${farm.project.id}`)).toMatchObject([
      {
        Harvest: String(ids.harvest),
        State: "Settled",
        Unit: "kg",
        Quantity: "600.000",
        "Farm's quantity": "60.000",
        Taken: "50.000",
        Donated: "10.000",
        "Sold for backers": "480.000",
        "Sales (NGN)": "500000.01",
        "Settled (NGN)": "500000.01",
      },
    ]);
    const waiting = await rowsOf("waiting-list", `?projectId=${ids.held}`);
    expect(waiting.map(({ Lots, State }) => [Lots, State])).toEqual([
      ["3", waitingStateLabels.offered],
      ["4", waitingStateLabels.left],
      ["2", waitingStateLabels.waiting],
      ["1", waitingStateLabels.waiting],
    ]);
    expect(waiting[1]).toMatchObject({
      Since: "2026-10-01T09:00:00.000+01:00",
      Left: "2026-10-03T09:00:00.000+01:00",
    });
    expect(await rowsOf("waiting-list", `?projectId=${farm.project.id}`)).toEqual([]);
    const backers = await rowsOf("backers", `?projectId=${farm.project.id}`);
    expect(backers.map((backer) => [backer["Person ID"], backer.Lots, backer["Paid (NGN)"]])).toEqual([
      [farm.backers[0]?.id, "3", "300000.00"],
      [farm.backers[1]?.id, "2", "200000.00"],
    ]);
  });
});

describe("who got what of harvests", () => {
  const partsOfFarm = () => rowsOf("harvest-parts", `?projectId=${farm.project.id}`);

  test("has a row for each backing, with what was allotted and its share, and no code", async () => {
    const parts = await partsOfFarm();
    expect(parts.map((part) => [part["Person ID"], part.Name, part["Weight (NGN)"]])).toEqual([
      [farm.backers[0]?.id, farm.backers[0]?.fullName, "300000.00"],
      [farm.backers[1]?.id, farm.backers[1]?.fullName, "200000.00"],
    ]);
    expect(parts[0]).toMatchObject({ Sold: "324.000", Taken: "0.000", Collected: "" });
    expect(parts[1]).toMatchObject({
      Harvest: String(ids.harvest),
      State: "Settled",
      Unit: "kg",
      Quantity: "216.000",
      Taken: "50.000",
      Donated: "10.000",
      Sold: "156.000",
    });
    const codes = (await partsOf(deps, ids.harvest)).flatMap(({ code }) => code ?? []);
    expect(codes).not.toEqual([]);
    for (const code of codes) expect(JSON.stringify(parts)).not.toContain(`"${code}"`);
    expect(await rowsOf("harvest-parts", `?projectId=${ids.held}`)).toEqual([]);
  });

  test("adds up to what SQL sums of the settlements that stand, also of an insurer's sum", async () => {
    const by = await callAs(deps, owner);
    const asked = { projectId: farm.project.id, round: 1, note: "The insurer paid." };
    const { harvestId } = await by.harvests.createInsurance(asked);
    await sell(deps, { asker: owner, confirmer: second }, { harvestId, amountKobo: 40_000_003n, quantity: null });
    await by.harvests.settle({ harvestId, pool: "sold", amount: "400,000.03" });
    const [first] = await settlementsOf(deps, harvestId);
    expect((await partsOfFarm()).filter((part) => part.Insurance === "Yes")).toHaveLength(2);
    await by.harvests.reverse({ settlementId: first?.id ?? 0, reason: "It was for another year." });
    expect((await partsOfFarm()).filter((part) => part.Insurance === "Yes")).toEqual([]);
    await by.harvests.settle({ harvestId, pool: "sold", amount: "400,000.03" });
    const parts = await partsOfFarm();
    const insured = parts.filter((part) => part.Insurance === "Yes");
    expect(insured.map((part) => [part["Weight (NGN)"], part.Quantity])).toEqual([
      ["300000.00", ""],
      ["200000.00", ""],
    ]);
    const sumOf = (id: number, title: string) =>
      parts.filter(({ Harvest }) => Number(Harvest) === id).reduce((sum, part) => sum + koboOf(part[title]), 0n);
    const titles = { share: "Share", fee: "Fee", vat: "VAT", wht: "Withheld tax", net: "Net" } as const;
    const summed = await rows<Record<"id" | keyof typeof titles, string>>(
      db,
      sql`select harvest_id as id, sum(proceeds_kobo - costs_kobo - farm_kobo)::text as share, sum(fee_kobo)::text as fee,
          sum(vat_kobo)::text as vat, sum(wht_kobo)::text as wht, sum(net_kobo)::text as net
        from settlements where reversed_at is null group by harvest_id order by harvest_id`,
    );
    expect(summed.map(({ id }) => Number(id))).toEqual([ids.harvest, harvestId]);
    for (const { id, ...sums } of summed) {
      for (const [name, title] of Object.entries(titles))
        expect([id, name, sumOf(Number(id), `${title} (NGN)`)]).toEqual([
          id,
          name,
          BigInt(sums[name as keyof typeof titles]),
        ]);
    }
    const [harvest] = await rowsOf("harvests", `?projectId=${farm.project.id}`);
    const alike = {
      Taken: "Taken",
      Donated: "Donated",
      Sold: "Sold for backers",
      "Net (NGN)": "Backers (NGN)",
      "Fee (NGN)": "Fee (NGN)",
    };
    for (const [ofPart, ofHarvest] of Object.entries(alike))
      expect([ofPart, sumOf(ids.harvest, ofPart)]).toEqual([ofPart, koboOf(harvest?.[ofHarvest])]);
  });
});

test("payouts have the accounts that they go to, as the owners' screen", async () => {
  const found = await rowsOf("payouts");
  expect(found).toHaveLength(await db.$count(payouts));
  expect(found.filter(({ State }) => State === payoutStateLabels.sent)).toMatchObject([
    { Kind: payoutKindLabels.refund, "Account number": expect.stringMatching(/^\d{10}$/), "Account name": "Ada Obi" },
  ]);
});

test("a harvest whose rest is lost says when and why", async () => {
  const { harvest: harvestId } = ids;
  const by = await callAs(deps, owner);
  for (const { code } of await partsOf(deps, harvestId)) if (code) await by.harvests.collect({ harvestId, code });
  await by.harvests.addFile({ harvestId, fileId: await keepEvidence(deps, owner) });
  const reason = "The buyer went out of business.";
  await by.secondPerson.ask({ kind: "lose", details: { what: "rest", harvestId }, reason });
  await confirmNext(deps, second);
  const found = await rowsOf("harvests");
  const ended = found.find(({ Harvest }) => Number(Harvest) === harvestId);
  expect(ended).toMatchObject({ "Rest lost because": reason, "Costs booked as a loss": "" });
  expect(ended?.["Rest lost"]).toEqual(ended?.Done);
});

describe("the ledger", () => {
  test("has every entry once, with the balances that SQL sums and the screen shows", async () => {
    const entries = await exportedLedger(deps, app, owner);
    const summed = await rows<{ id: number; balance: string; own: string | null }>(
      db,
      sql`select e.id::float8 as id, sum(e.amount_kobo) over (partition by e.account order by e.id)::text as balance,
          case when e.account = 'bank' then
            (sum(e.amount_kobo) over (partition by e.account, own.id order by e.id))::text end as own
        from ledger_entries e
        left join own_accounts own on own.id = e.own_account_id
        order by e.id`,
    );
    expect(
      entries.map(({ id, balanceKobo, ownBalanceKobo }) => ({ id, balance: balanceKobo, own: ownBalanceKobo })),
    ).toEqual(summed);
    const { accounts } = await (await callAs(deps, owner)).bank.overview();
    expect(accounts).toHaveLength(2);
    for (const { id, ledgerKobo } of accounts) {
      const last = entries.findLast(
        ({ ownAccountId, ownBalanceKobo }) => ownAccountId === id && ownBalanceKobo !== null,
      );
      expect([id, last?.ownBalanceKobo]).toEqual([id, String(ledgerKobo)]);
    }
    const total = entries.reduce((sum, { amountKobo }) => sum + BigInt(String(amountKobo)), 0n);
    expect(total).toBe(0n);
    const kinds = new Set(entries.map(({ kind }) => kind));
    for (const kind of ["approval", "reversal", "refund_due", "opening", "line", "match", "payout_sent", "settlement"])
      expect([kind, kinds.has(kind)]).toEqual([kind, true]);
  });

  test("names what an entry is about", async () => {
    const entries = await exportedLedger(deps, app, owner);
    expect(entries.find(({ account }) => account === "payouts_in_transit")).toMatchObject({
      payoutReference: expect.stringMatching(/^GP-/),
      projectTitle: expect.any(String),
    });
    expect(entries.find(({ account }) => account === "unallocated")).toMatchObject({
      paymentReference: expect.stringMatching(/^GONA-/),
      createdAt: expect.stringMatching(/\+01:00$/),
    });
  });
});
