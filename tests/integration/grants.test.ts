import { asc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { ledgerTransactions } from "#server/db/schema/ledger.ts";
import { outgoingMails } from "#server/db/schema/notifications.ts";
import { sessions } from "#server/db/schema/sessions.ts";
import { userGrants, userRoles } from "#server/db/schema/users.ts";
import { exportables } from "#server/features/exports/tables.ts";
import type { ProcedureMeta } from "#server/platform/procedures.ts";
import { appRouter } from "#server/router.ts";
import { dayInLagos } from "#shared/dates.ts";
import { exportNames } from "#shared/exports/texts.ts";
import { adminTexts as texts } from "#shared/people/texts.ts";
import { csvOf, importAs, keepOwnAccount, line } from "#tests/support/bank-imports.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { contextOf, createPayment, expectMoneyHolds, findPayment } from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, createGranted, createUser, type TestUser } from "#tests/support/people.ts";

/** Grants that owners give administrators beside the roles, and the rights of an accountant and a cashier. */

const deps = await openTestDeps();
const { db } = deps;
let ownerRow: TestUser;
let owner: Caller;

beforeEach(async () => {
  await emptyDatabase(db);
  deps.clock.set(new Date("2026-11-09T09:00:00.000Z"));
  ownerRow = await createAdmin(db, "owner", { fullName: "Chidi Eze" });
  owner = await callAs(deps, ownerRow);
});

const grantsOf = async ({ id }: TestUser) =>
  (await db.select().from(userGrants).where(eq(userGrants.userId, id))).map(({ grant }) => grant).sort();
const lastAudit = async () => (await db.select().from(auditLogs).orderBy(asc(auditLogs.id))).at(-1);
const state = async () => [
  await db.select().from(userGrants).orderBy(userGrants.userId, userGrants.grant),
  await db.select().from(userRoles).orderBy(userRoles.userId),
  await db.$count(auditLogs),
  await db.$count(outgoingMails),
  await db.$count(sessions),
];
async function expectRefused(call: () => Promise<unknown>, message: string): Promise<void> {
  const before = await state();
  await expect(call()).rejects.toMatchObject({ message });
  expect(await state()).toEqual(before);
}
const subjectsTo = async ({ email }: TestUser) => (await queuedMailsTo(db, email)).map(({ subject }) => subject);

describe("a grant", () => {
  let target: TestUser;
  beforeEach(async () => {
    target = await createAdmin(db, "viewer", { fullName: "Ngozi Balogun" });
  });

  test("is given: sessions end, it is audited, and every owner and the person are mailed", async () => {
    const second = await createAdmin(db, "owner");
    await callAs(deps, target);
    expect(await owner.admins.addGrant({ userId: target.id, grant: "accountant" })).toEqual({ wasChanged: true });
    expect(await grantsOf(target)).toEqual(["accountant"]);
    expect(await db.$count(sessions, eq(sessions.userId, target.id))).toBe(0);
    expect(await lastAudit()).toMatchObject({
      actionType: "add_grant",
      userId: ownerRow.id,
      details: { userId: target.id, grant: "accountant", before: [], after: ["accountant"] },
    });
    const subject = "Gona: somebody was made an accountant";
    expect(await Promise.all([ownerRow, second, target].map(subjectsTo))).toEqual([[subject], [subject], [subject]]);
    expect((await queuedMailsTo(db, second.email))[0]?.text).toContain(
      `Chidi Eze (${ownerRow.email}) made Ngozi Balogun (${target.email}) an accountant.`,
    );
    const again = await callAs(deps, target);
    expect(await again.auth.viewer()).toMatchObject({
      permissions: expect.arrayContaining(["payouts:view", "audit:view"]),
    });
    expect((await owner.admins.list()).find(({ id }) => id === target.id)).toMatchObject({ grants: ["accountant"] });
  });

  test("that is held already, or isn't, changes nothing", async () => {
    await owner.admins.addGrant({ userId: target.id, grant: "cashier" });
    await callAs(deps, target);
    const before = await state();
    expect(await owner.admins.addGrant({ userId: target.id, grant: "cashier" })).toEqual({ wasChanged: false });
    expect(await owner.admins.removeGrant({ userId: target.id, grant: "accountant" })).toEqual({ wasChanged: false });
    expect(await state()).toEqual(before);
  });

  test("is taken: the rights are gone, it is audited and mailed", async () => {
    await owner.admins.addGrant({ userId: target.id, grant: "cashier" });
    await callAs(deps, target);
    await owner.admins.removeGrant({ userId: target.id, grant: "cashier" });
    expect(await grantsOf(target)).toEqual([]);
    expect(await db.$count(sessions, eq(sessions.userId, target.id))).toBe(0);
    expect(await lastAudit()).toMatchObject({
      actionType: "remove_grant",
      details: { before: ["cashier"], after: [] },
    });
    expect(await subjectsTo(ownerRow)).toContain("Gona: somebody is no longer a cashier");
    const again = await callAs(deps, target);
    await expect(again.payments.list({})).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  test("is given by owners only, who just gave their password, to other administrators only", async () => {
    await expectRefused(() => owner.admins.addGrant({ userId: ownerRow.id, grant: "cashier" }), texts.ownGrant);
    const backer = await createUser(db);
    await expectRefused(() => owner.admins.addGrant({ userId: backer.id, grant: "cashier" }), texts.notAdmin);
    const manager = await callAs(deps, "manager");
    const refusal = "Admin privileges required";
    await expectRefused(() => manager.admins.addGrant({ userId: target.id, grant: "cashier" }), refusal);
    const stolen = await callAs(deps, ownerRow, { isProved: false });
    await expect(stolen.admins.addGrant({ userId: target.id, grant: "cashier" })).rejects.toThrow();
    expect(await grantsOf(target)).toEqual([]);
    const unknown = "treasurer" as "cashier";
    await expect(owner.admins.addGrant({ userId: target.id, grant: unknown })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
  });

  test("stays with a deactivated administrator without giving anything, and goes with a removed one", async () => {
    await owner.admins.addGrant({ userId: target.id, grant: "accountant" });
    await owner.admins.deactivate({ userId: target.id });
    const backer = await callAs(deps, { id: target.id, isAdmin: false });
    await expect(backer.payments.list({})).rejects.toMatchObject({ code: "FORBIDDEN" });
    await owner.admins.reactivate({ userId: target.id });
    const back = await callAs(deps, target);
    expect((await back.payments.list({})).items).toEqual([]);
    await owner.admins.remove({ userId: target.id });
    expect(await grantsOf(target)).toEqual([]);
    expect(await lastAudit()).toMatchObject({ details: { before: { grants: ["accountant"] } } });
  });

  test("can't be one's own in the database either", async () => {
    const own = { userId: target.id, givenBy: target.id, grant: "cashier" as const };
    await expect(db.insert(userGrants).values(own)).rejects.toThrow();
  });
});

// At run time this is flat, a path to each procedure; its type is nested.
type Procedure = { _def: { type: string; meta?: ProcedureMeta } };
const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, Procedure>);
/** True for procedures about what is everybody's own: their account, what they buy and read. */
const isOwn = (access: ProcedureMeta["access"] | undefined) =>
  access === undefined || ["public", "backer", "administrator"].includes(access);

async function refusalOf(caller: Caller, path: string): Promise<string | null> {
  const [area, name] = path.split(".") as [keyof Caller, string];
  const call = (caller[area] as Record<string, (input: unknown) => Promise<unknown>>)[name];
  return (call as NonNullable<typeof call>)({ malformed: true }).then(
    () => null,
    (error: { code?: string }) => (error.code === "FORBIDDEN" ? "FORBIDDEN" : null),
  );
}

describe("an accountant's first morning", () => {
  test("sees every payment, line, payout, harvest, paper, export and the log", async () => {
    const accountId = await keepOwnAccount(db);
    const { payment } = await createPayment(deps, { owner: ownerRow, status: "approved" });
    const file = csvOf({ openingKobo: 0n, truths: [line("2026-11-08", 1_00n)] });
    await importAs(deps, ownerRow, { accountId, file });
    const accountant = await callAs(deps, "accountant");
    const projectId = payment.projectId ?? 0;
    const { items } = await accountant.payments.list({});
    expect(items.map(({ id }) => id)).toEqual([payment.id]);
    expect(await accountant.payments.list({})).toMatchObject({ canProcess: false });
    expect((await accountant.bank.lines({ accountId, tab: "to_match" })).items).toHaveLength(1);
    expect(await accountant.bank.overview()).toMatchObject({ canImport: false });
    expect(await accountant.bank.imports({ accountId })).toMatchObject({ canVoid: false });
    expect(await accountant.payouts.due()).toMatchObject({ payouts: [] });
    expect(await accountant.payouts.overview()).toMatchObject({ overdue: 0 });
    expect((await accountant.payouts.runs({})).runs).toEqual([]);
    expect((await accountant.payments.saidPaid({})).items).toEqual([]);
    expect((await accountant.farmReleases.ofProject({ projectId })).releases).toEqual([]);
    expect(await accountant.roundReturns.ofProject({ projectId })).toEqual([]);
    expect((await accountant.harvests.ofProject({ projectId })).harvests).toEqual([]);
    expect((await accountant.papers.list({})).items).toHaveLength(1);
    expect((await accountant.auditLog.list({})).items.length).toBeGreaterThan(0);
    const on = dayInLagos(deps.clock.now());
    const { accounts } = await accountant.books.trialBalance({ on });
    expect(accounts.map(({ account }) => account)).toEqual(expect.arrayContaining(["bank", "in_transit"]));
    expect(accounts.reduce((sum, { balance }) => sum + balance, 0n)).toBe(0n);
    expect((await accountant.books.entries({ account: "bank", on })).items).toHaveLength(1);
    expect(await accountant.books.closings()).toMatchObject({ closings: [], next: { isOpen: false } });
    const { actor } = await contextOf(deps, await createGranted(db, "accountant"));
    for (const name of exportNames)
      expect(actor.permissions).toEqual(expect.arrayContaining([...exportables[name].permissions]));
  });

  test("changes nothing: each mutation but those of papers and closings is refused", async () => {
    const accountant = await callAs(deps, "accountant");
    const mutations = procedures.filter(([, { _def }]) => _def.type === "mutation" && !isOwn(_def.meta?.access));
    expect(mutations.length).toBeGreaterThan(100);
    const before = [...(await state()), await db.$count(ledgerTransactions)];
    const allowed: string[] = [];
    for (const [path, { _def }] of mutations) {
      if (_def.meta?.access !== "books:close" && (await refusalOf(accountant, path)) === null) allowed.push(path);
    }
    expect(allowed).toEqual(["papers.statementOf", "papers.taxList"]);
    expect([...(await state()), await db.$count(ledgerTransactions)]).toEqual(before);
  });
});

test("a cashier imports a statement and matches it, and an owner confirms", async () => {
  const accountId = await keepOwnAccount(db);
  const { payment } = await createPayment(deps, { owner: ownerRow });
  const cashierRow = await createGranted(db, "cashier");
  const cashier = await callAs(deps, cashierRow);
  const truths = [line("2026-11-08", payment.amountKobo, "TRANSFER FROM ADA OBI")];
  const file = csvOf({ openingKobo: 0n, truths });
  expect(await importAs(deps, cashierRow, { accountId, file })).toMatchObject({ kind: "imported" });
  const [found] = (await cashier.bank.lines({ accountId, tab: "to_match" })).items;
  const lineId = found?.id ?? 0;
  expect(await cashier.bank.line({ lineId })).toMatchObject({ canMatch: true });
  const parts = [{ kind: "payment" as const, amountKobo: payment.amountKobo, paymentId: payment.id }];
  await cashier.bank.match({ lineId, seenMatchedKobo: 0n, parts });
  expect(await lastAudit()).toMatchObject({ userId: cashierRow.id });
  // What needs an owner stays an owner's.
  const refusal = { code: "FORBIDDEN" };
  await expect(cashier.bank.confirmSurePayments({ paymentIds: [payment.id] })).rejects.toMatchObject(refusal);
  await expect(cashier.secondPerson.list()).rejects.toMatchObject(refusal);
  await expect(cashier.payouts.overview()).rejects.toMatchObject(refusal);
  await expect(cashier.auditLog.list({})).rejects.toMatchObject(refusal);
  expect((await findPayment(db, payment.id))?.status).toBe("pending");
  expect(await owner.bank.confirmSurePayments({ paymentIds: [payment.id] })).toMatchObject({ approved: 1 });
  await expectMoneyHolds(deps);
});
