import { asc } from "drizzle-orm";
import { afterEach, beforeAll, expect, test } from "vitest";
import { startSession } from "#server/accounts/sessions.ts";
import { buildApp } from "#server/app.ts";
import { seedDemoData } from "#server/cli/seed.ts";
import { ownAccounts, statementLines } from "#server/db/schema/bank.ts";
import { writeSampleStatement } from "#server/features/bank/importing/sample-statement.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import { importFile } from "#tests/support/bank-imports.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { contextOf, expectMoneyHolds, storeReceiptFile } from "#tests/support/money.ts";
import { createAdmin, type TestUser } from "#tests/support/people.ts";

const deps = await openTestDeps();
let owner: TestUser;
let accountId: number;

beforeAll(async () => {
  await seedDemoData(deps.db, {
    now: deps.clock.now(),
    owner: { email: "owner@example.com", passwordHash: "unusable" },
    backer: { email: "backer@example.com", passwordHash: "unusable" },
    storeFile: (bytes) => storeReceiptFile(deps, Buffer.from(bytes)),
  });
  owner = await createAdmin(deps.db, "owner");
  const [account] = await deps.db.select().from(ownAccounts);
  accountId = account?.id ?? 0;
});
afterEach(() => expectMoneyHolds(deps));

test("the sample statement imports without a question but the columns, twice, and fits the payments that wait", async () => {
  const ctx = await contextOf(deps, owner);
  const file = Buffer.from(await writeSampleStatement(ctx, { accountId }));
  const asked = await importFile(ctx, { accountId, file, mapping: undefined });
  expect(asked).toMatchObject({ kind: "asks", opening: false, gaps: [], mapping: { bank: "Access Bank" } });
  const mapping = asked.kind === "asks" ? asked.mapping?.mapping : undefined;
  const done = await importFile(ctx, { accountId, file, mapping: mapping ?? undefined });
  expect(done).toMatchObject({ kind: "imported", knownLines: 0 });
  const lines = await deps.db.select().from(statementLines).orderBy(asc(statementLines.position));
  const named = lines.filter(({ reference }) => reference !== null);
  expect(named.length).toBeGreaterThanOrEqual(4);
  expect(lines.filter(({ narration }) => narration.startsWith("MOBILE TRANSFER FROM"))).toMatchObject([
    { reference: null },
  ]);
  expect(lines.filter(({ amountKobo }) => amountKobo < 0n)).toHaveLength(2);
  // The ledger's balance is the bank's: nothing is left as an opening difference.
  expect(await deps.db.select().from(ownAccounts)).toMatchObject([{ openedOn: lines[0]?.date }]);

  deps.clock.advance({ hours: 1 });
  const next = Buffer.from(await writeSampleStatement(ctx, { accountId }));
  const again = await importFile(ctx, { accountId, file: next, mapping: undefined });
  expect(again).toMatchObject({ kind: "imported", knownLines: 0 });
  expect(again.kind === "imported" && again.newLines).toBeGreaterThanOrEqual(2);
});

test("it is given in local use alone, to who may import", async () => {
  const app = await buildApp(deps, { distDir: "/nowhere" });
  const elsewhere = await buildApp({ ...deps, env: { ...deps.env, isLocalUse: false } }, { distDir: "/nowhere" });
  const manager = await createAdmin(deps.db, "manager");
  const cookieOf = async ({ id: userId }: TestUser) =>
    `${sessionCookieName(deps.env)}=${await startSession(deps, { userId, kind: "admin", device: "Test", ipAddress: "127.0.0.1" })}`;
  const get = async (from: typeof app, person: TestUser, id: string | number) =>
    from.inject({
      url: `/bank/sample-statement?accountId=${id}`,
      headers: { cookie: await cookieOf(person), host: "127.0.0.1" },
    });
  const given = await get(app, owner, accountId);
  expect(given.statusCode).toBe(200);
  expect(given.headers["content-disposition"]).toContain("sample-statement.csv");
  expect((await get(app, manager, accountId)).statusCode).toBe(403);
  expect((await get(app, owner, 999_999)).statusCode).toBe(404);
  expect((await get(app, owner, "x")).statusCode).toBe(404);
  expect((await get(elsewhere, owner, accountId)).body).not.toContain("POST DATE");
  await Promise.all([app.close(), elsewhere.close()]);
});
