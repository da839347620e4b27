import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { inTransaction, rows } from "#server/db/open.ts";
import { outgoingMails } from "#server/db/schema/notifications.ts";
import { paperCounters, papers } from "#server/db/schema/papers.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { settings } from "#server/db/schema/settings.ts";
import { makePapers } from "#server/features/papers/numbering.ts";
import { formatNairaExact } from "#shared/money.ts";
import type { PaperKind } from "#shared/papers/kinds.ts";
import { paperLimits, paperTexts } from "#shared/papers/texts.ts";
import { vatKey, withholdingKey } from "#shared/settings/texts.ts";
import { isPostgres } from "#tests/support/database.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { endChoosing, fundFarm, openHarvestOf, sell, settlementsOf } from "#tests/support/harvests.ts";
import { isLong } from "#tests/support/length.ts";
import { createPayment, decide, expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { giveAccount, keepRun, oweRefund } from "#tests/support/payouts.ts";
import { callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { gona } from "#tests/support/site.ts";
import { openOwnAccount } from "#tests/support/statements.ts";

/** Papers: made with what they tell of, numbered without gaps, kept, checked by anybody. */

const deps = await openTestDeps();
const { db } = deps;
let app: FastifyInstance;
let owner: TestUser;
let second: TestUser;
const range = { firstDay: "2026-01-01", lastDay: "2026-12-31" };

beforeAll(async () => {
  app = await buildApp(deps, { distDir: "/nowhere" });
  owner = await createAdmin(db, "owner");
  second = await createAdmin(db, "owner");
  await setBankDetails(db);
});
afterEach(() => expectMoneyHolds(deps));
afterAll(() => app.close());

const approved = async (backer?: TestUser) =>
  createPayment(deps, { owner, status: "approved", ...(backer && { backer }) });
const papersOf = (userId: string) => db.select().from(papers).where(eq(papers.userId, userId)).orderBy(asc(papers.id));
const sequences = async (kind: PaperKind) =>
  (await db.select().from(papers).where(eq(papers.kind, kind)).orderBy(asc(papers.sequence))).map(
    ({ sequence }) => sequence,
  );
/** The number of approvals, and of statements, requested at once. */
const atOnce = isLong ? 32 : 8;
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const mailsTo = async ({ email }: TestUser) =>
  db.select().from(outgoingMails).where(eq(outgoingMails.recipient, email)).orderBy(asc(outgoingMails.id));

describe("the receipt of a payment", () => {
  test("is made with its approval, says what was paid, and is named by the mail with a link", async () => {
    const { payment, backer } = await approved();
    const [receipt, ...others] = await papersOf(backer.id);
    expect(others).toEqual([]);
    expect(receipt).toMatchObject({ kind: "receipt", paymentId: payment.id, amountKobo: payment.amountKobo });
    expect(receipt?.content.facts).toContainEqual({ label: "Reference", value: payment.reference });
    const { items } = await (await callAs(deps, backer)).papers.mine({});
    expect(items).toMatchObject([{ kind: "receipt", replacedAt: null, url: `/files/papers/${receipt?.id}` }]);
    expect(receipt?.content.facts).toContainEqual({ label: "For", value: `${items[0]?.about}, round 1` });
    expect(items[0]?.number).toMatch(/^GR-2026-\d{6}$/);
    const mail = (await mailsTo(backer)).find(({ eventKey }) => eventKey.startsWith(`payment:${payment.id}:approved`));
    expect(mail?.text).toContain(`Your receipt is ${items[0]?.number}`);
    expect(mail?.html).toContain("/profile?tab=money");
  });

  test("is replaced when the approval is taken back, and a new one comes with the next", async () => {
    const { payment, backer } = await approved();
    await decide(deps, owner, { paymentId: payment.id, status: "pending" });
    expect((await papersOf(backer.id)).map(({ replacedAt }) => replacedAt !== null)).toEqual([true]);
    await decide(deps, owner, { paymentId: payment.id, status: "approved" });
    expect((await papersOf(backer.id)).map(({ replacedAt }) => replacedAt !== null)).toEqual([true, false]);
  });
});

describe("the note of a refund", () => {
  test("is made when it becomes due, named by its mail, and replaced when it is taken back", async () => {
    const { refund, backer } = await oweRefund(deps, { owner });
    const note = (await papersOf(backer.id)).at(-1);
    expect(note).toMatchObject({ kind: "refund_note", refundId: refund.id, amountKobo: refund.amountKobo });
    expect((await mailsTo(backer)).at(-1)?.text).toMatch(/Your refund note is GN-2026-\d{6}/);
    const reason = "It was not to be given back.";
    await (await callAs(deps, owner)).payments.takeRefundBack({ refundId: refund.id, reason });
    expect((await papersOf(backer.id)).at(-1)?.replacedAt).not.toBeNull();
  });
});

describe("statements of a settlement", () => {
  test("are made for each person to the kobo, told of, and replaced with its reversal", async () => {
    await db.insert(settings).values([
      { key: vatKey, value: "7.5" },
      { key: withholdingKey, value: "10" },
    ]);
    const farm = await fundFarm(deps, { owner, lots: [3, 2], farmPart: "10" });
    const harvestId = await openHarvestOf(await callAs(deps, owner), farm, 600_000n);
    await endChoosing(deps, harvestId);
    await sell(deps, { asker: owner, confirmer: second }, { harvestId, amountKobo: 50_000_000n });
    await (await callAs(deps, owner)).harvests.settle({ harvestId, pool: "sold", amount: "500,000" });
    const settlement = (await settlementsOf(deps, harvestId)).at(-1);
    const made = await db
      .select()
      .from(papers)
      .where(eq(papers.settlementId, settlement?.id ?? 0))
      .orderBy(asc(papers.id));
    expect(made.map(({ userId }) => userId)).toEqual(farm.backers.map(({ id }) => id));
    expect(made.reduce((sum, { amountKobo }) => sum + amountKobo, 0n)).toBe(settlement?.netKobo);
    const [first] = farm.backers;
    if (!first) throw new Error("no backer");
    expect((await mailsTo(first)).at(-1)?.text).toMatch(/Your settlement statement is GS-2026-\d{6}/);
    const taxes = await (await callAs(deps, owner)).papers.taxList(range);
    const [list] = await db.select().from(papers).where(eq(papers.id, taxes.id));
    expect(list).toMatchObject({ kind: "tax_list", userId: null, amountKobo: settlement?.whtKobo });
    expect(list?.content.tables[0]?.rows).toHaveLength(2);
    const reason = "The price was typed wrong at first.";
    await (await callAs(deps, owner)).harvests.reverse({ settlementId: settlement?.id ?? 0, reason });
    const valid = and(eq(papers.settlementId, settlement?.id ?? 0), isNull(papers.replacedAt));
    expect(await db.$count(papers, valid)).toBe(0);
    // The statement of the year has the settlement and its reversal, which are nothing together.
    const { id } = await (await callAs(deps, first)).papers.statement(range);
    const [statement] = await db.select().from(papers).where(eq(papers.id, id));
    const harvested = statement?.content.tables.find(({ heading }) => heading === "Harvests settled");
    expect(harvested?.rows).toHaveLength(2);
    expect(harvested?.sums[0]?.at(-1)).toBe("₦0.00");
    // The list of tax says something else now, so the older one of this range is replaced.
    const again = await (await callAs(deps, owner)).papers.taxList(range);
    expect(again.id).not.toBe(taxes.id);
    const [old] = await db.select().from(papers).where(eq(papers.id, taxes.id));
    expect(old?.replacedAt).not.toBeNull();
  });
});

describe("a person's statement", () => {
  test("adds up, is the same paper while it says the same, and replaces the older otherwise", async () => {
    const { refund, backer } = await oweRefund(deps, { owner });
    const asBacker = () => callAs(deps, backer);
    const made = await (await asBacker()).papers.statement(range);
    const again = await (await asBacker()).papers.statement(range);
    expect(again).toEqual(made);
    const [statement] = await db.select().from(papers).where(eq(papers.id, made.id));
    expect(statement).toMatchObject({ amountKobo: refund.amountKobo, ...range });
    const headings = statement?.content.tables.map(({ heading }) => heading);
    expect(headings).toEqual(["Payments approved", "Refunds due", "What is owed to you"]);
    const reason = "It was not to be given back.";
    await (await callAs(deps, owner)).payments.takeRefundBack({ refundId: refund.id, reason });
    const later = await (await asBacker()).papers.statement(range);
    expect(later.id).not.toBe(made.id);
    const [lower] = await db.select().from(papers).where(eq(papers.id, later.id));
    expect(lower?.amountKobo).toBe(0n);
    expect((await papersOf(backer.id)).find(({ id }) => id === made.id)?.replacedAt).not.toBeNull();
    // After the year everything was before.
    const next = await (await asBacker()).papers.statement({ firstDay: "2027-01-01", lastDay: "2027-12-31" });
    const [empty] = await db.select().from(papers).where(eq(papers.id, next.id));
    expect(empty?.content.tables).toHaveLength(1);
  });

  test("asked for ten times at once is one paper", async () => {
    const { backer } = await approved();
    const asBacker = await callAs(deps, backer);
    const made = await Promise.all(upTo(10).map(() => asBacker.papers.statement(range)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  });

  // The embedded database has one connection, and nobody waits there.
  test.runIf(isPostgres())("says what is true after its wait for another", async () => {
    const { refund, backer } = await oweRefund(deps, { owner });
    const asBacker = await callAs(deps, backer);
    const reason = "It was not to be given back.";
    const asked = await db.transaction(async (tx) => {
      const key = `paper statement ${backer.id} ${range.firstDay} ${range.lastDay}`;
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${key}))`);
      const statement = asBacker.papers.statement(range);
      const waits = sql`select 1 from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`;
      while ((await rows(db, waits)).length === 0) await sleep(20);
      await (await callAs(deps, owner)).payments.takeRefundBack({ refundId: refund.id, reason });
      return { statement };
    });
    const [made] = await db
      .select()
      .from(papers)
      .where(eq(papers.id, (await asked.statement).id));
    expect(made?.amountKobo).toBe(0n);
  });

  test("of another person is made by who may see payments, and audited", async () => {
    const { backer } = await approved();
    const manager = await createAdmin(db, "manager");
    const { number } = await (await callAs(deps, manager)).papers.statementOf({ userId: backer.id, ...range });
    expect(number).toMatch(/^GA-2026-\d{6}$/);
    const { items } = await (await callAs(deps, owner)).auditLog.list({ action: "make_paper" });
    expect(JSON.stringify(items)).toContain(number);
    const stranger = await callAs(deps, await createUser(db));
    await expect(stranger.papers.statementOf({ userId: backer.id, ...range })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
  });

  test("refuses days that are turned, too many or none", async () => {
    const asBacker = await callAs(deps, await createUser(db));
    const refused = (firstDay: string, lastDay: string) =>
      expect(asBacker.papers.statement({ firstDay, lastDay })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await refused("2026-02-01", "2026-01-31");
    await refused("2020-01-01", "2026-01-01");
    await refused("2026-02-30", "2026-03-01");
  });
});

describe(`${2 * atOnce} at once`, () => {
  test("approvals and statements, some of which fail, leave no gap in the numbers", async () => {
    const project = await createProject(db, { lots: 64, minimumLots: 64, fundingGoalKobo: 64n * 10_000_000n });
    const waiting = [];
    for (let index = 0; index < atOnce; index += 1) waiting.push(await createPayment(deps, { project, owner }));
    const before = await sequences("receipt");
    const asking = await Promise.all(waiting.map(({ backer }) => callAs(deps, backer)));
    const outcomes = await Promise.allSettled([
      ...waiting.map(({ payment }, index) =>
        index % 4 === 0
          ? inTransaction(db, async (tx) => {
              await makePapers(tx, { kind: "receipt", at: deps.clock.now(), site: gona }, []);
              const [row] = await tx.select().from(papers).limit(1);
              if (!row) throw new Error("no paper yet");
              const { content, amountKobo } = row;
              const lost = { paymentId: payment.id, userId: payment.userId, amountKobo, content };
              await makePapers(tx, { kind: "receipt", at: deps.clock.now(), site: gona }, [lost]);
              throw new Error("the transaction fails after its paper was numbered");
            })
          : decide(deps, owner, { paymentId: payment.id, status: "approved" }),
      ),
      ...asking.map((backer) => backer.papers.statement(range)),
    ]);
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(atOnce / 4);
    const after = await sequences("receipt");
    expect(after).toEqual(upTo(before.length + (atOnce * 3) / 4));
    expect(await sequences("statement")).toEqual(upTo((await sequences("statement")).length));
    const [counter] = await db.select().from(paperCounters).where(eq(paperCounters.kind, "receipt"));
    expect(counter?.last).toBe(after.length);
  });
});

describe("checking a paper", () => {
  test("tells anybody kind, number, amount and day, and no name; a forged code is told as forged", async () => {
    const { payment, backer } = await approved();
    const [receipt] = await papersOf(backer.id);
    const stranger = await callAs(deps, await createUser(db));
    const code = receipt?.code ?? "";
    const typed = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4, 8)} ${code.slice(8)} `;
    const found = await stranger.papers.verify({ code: typed });
    expect(found).toEqual({
      kind: "receipt",
      code,
      number: expect.stringMatching(/^GR-/),
      amountKobo: payment.amountKobo,
      issuedAt: receipt?.createdAt,
      replacedAt: null,
      books: null,
    });
    const forged = code.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    await expect(stranger.papers.verify({ code: forged })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: paperTexts.unknownCode,
    });
    await decide(deps, owner, { paymentId: payment.id, status: "rejected" });
    expect((await stranger.papers.verify({ code })).replacedAt).not.toBeNull();
  });

  test("finds a code whose letters and digits were misread for one another", async () => {
    const twins: Record<string, string> = { 5: "S", S: "5", 8: "B", B: "8", 2: "Z", Z: "2", 6: "G", G: "6" };
    const misread = (code: string) => code.replace(/[5S8B2Z6G]/g, (letter) => twins[letter] ?? letter);
    let code = "";
    while (misread(code) === code) {
      const { backer } = await approved();
      code = (await papersOf(backer.id))[0]?.code ?? "";
    }
    const stranger = await callAs(deps, await createUser(db));
    expect((await stranger.papers.verify({ code: misread(code) })).code).toBe(code);
    const other = code.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    await expect(stranger.papers.verify({ code: misread(other) })).rejects.toThrow(paperTexts.unknownCode);
  });

  test("is refused to who guesses from many addresses of one IPv6 network, and not to their neighbour", async () => {
    const guessFrom = async (ipAddress: string) => {
      const guesser = await callAs(deps, "anonymous", { ipAddress });
      return guesser.papers.verify({ code: randomUUID().replaceAll("-", "").slice(0, 16) }).then(
        () => "found",
        ({ code }: { code: string }) => code,
      );
    };
    for (const host of upTo(60)) expect(await guessFrom(`2001:db8:5:5::${host.toString(16)}`)).toBe("NOT_FOUND");
    expect(await guessFrom("2001:db8:5:5:ffff::1")).toBe("TOO_MANY_REQUESTS");
    expect(await guessFrom("2001:db8:5:6::1")).toBe("NOT_FOUND");
  });
});

describe("the list of papers", () => {
  test("is found by number, name and kind, by keyset, and each reads only their own", async () => {
    const backer = await createUser(db, { fullName: "Adéọlá Ọṣun" });
    const project = await createProject(db, { lots: 64, minimumLots: 64, fundingGoalKobo: 64n * 10_000_000n });
    for (const _ of upTo(2)) await createPayment(deps, { backer, project, owner, status: "approved" });
    const manager = await callAs(deps, await createAdmin(db, "manager"));
    const list = (input: Parameters<typeof manager.papers.list>[0]) => manager.papers.list(input);
    const { items } = await list({ search: "Ọṣun" });
    expect(items.map(({ fullName }) => fullName)).toEqual(["Adéọlá Ọṣun", "Adéọlá Ọṣun"]);
    const number = items[0]?.number ?? "";
    expect((await list({ search: number })).items.map((paper) => paper.number)).toEqual([number]);
    expect((await list({ kind: "run_sheet", userId: backer.id })).items).toEqual([]);
    const first = await list({});
    expect(first.items).toHaveLength(paperLimits.pageSize);
    const next = await list({ cursor: first.nextCursor });
    expect(next.items[0]?.id).toBeLessThan(first.items.at(-1)?.id ?? 0);
    const other = await callAs(deps, await createUser(db));
    expect((await other.papers.mine({})).items).toEqual([]);
  });
});

test("the database refuses to delete or change a paper", async () => {
  const { refund } = await oweRefund(deps, { owner });
  expect(await db.$count(refunds, eq(refunds.id, refund.id))).toBe(1);
  await expect(db.delete(papers).where(eq(papers.refundId, refund.id))).rejects.toThrow();
  await expect(db.update(papers).set({ amountKobo: 1n }).where(eq(papers.refundId, refund.id))).rejects.toThrow();
});

/** At the end, because with the first statement approvals need what the bank shows. */
test("a run's sheet has its lines with the last digits of accounts, and a statement what was paid out", async () => {
  const { refund, backer, payouts } = await oweRefund(deps, { owner });
  const account = await giveAccount(deps, { userId: backer.id }, { addedBy: backer.id, accountNumber: "0123454321" });
  const ownAccount = await openOwnAccount(deps, { importedBy: owner.id });
  const owed = payouts.map((payout) => ({ payout, account }));
  const runId = await keepRun(deps, owed, { ownAccount, owner, second });
  const sheet = await (await callAs(deps, owner)).papers.find({ kind: "run_sheet", id: runId });
  expect(sheet).toMatchObject({ amountKobo: refund.amountKobo, replacedAt: null });
  const [kept] = await db.select().from(papers).where(eq(papers.id, sheet.id));
  expect(kept?.userId).toBeNull();
  expect(JSON.stringify(kept?.content)).toContain("••• 4321");
  expect(JSON.stringify(kept?.content)).not.toContain("0123454321");
  await expect((await callAs(deps, backer)).papers.find({ kind: "run_sheet", id: runId })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  const { id } = await (await callAs(deps, backer)).papers.statement(range);
  const [statement] = await db.select().from(papers).where(eq(papers.id, id));
  expect(statement?.amountKobo).toBe(0n);
  expect(statement?.content.tables.at(-1)?.rows).toEqual([
    ["Before 1 Jan 2026", "₦0.00"],
    ["Refunds due", formatNairaExact(refund.amountKobo)],
    ["Harvests settled", "₦0.00"],
    ["Paid out to you", `−${formatNairaExact(refund.amountKobo)}`],
  ]);
});
