import { asc, eq } from "drizzle-orm";
import { afterEach, beforeAll, expect, test } from "vitest";
import { startSession } from "#server/accounts/sessions.ts";
import { buildApp } from "#server/app.ts";
import { seedDemoData } from "#server/cli/seed.ts";
import { ownAccounts, statementLines } from "#server/db/schema/bank.ts";
import { writeSampleStatement } from "#server/features/bank/importing/sample-statement.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import { importFile } from "#tests/support/bank-imports.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { contextOf, expectMoneyHolds } from "#tests/support/money.ts";
import { createAdmin, type TestUser } from "#tests/support/people.ts";

const deps = await openTestDeps();
let owner: TestUser;
let accountId: number;

beforeAll(async () => {
  await seedDemoData(deps, {
    owner: { email: "owner@example.com", password: "Farm-b3q8Zt-k2W" },
    second: { email: "second@example.com", password: "Farm-b3q8Zt-k2W" },
    backer: { email: "backer@example.com", password: "Farm-b3q8Zt-k2W" },
  });
  owner = await createAdmin(deps.db, "owner");
  const [account] = await deps.db.select().from(ownAccounts);
  accountId = account?.id ?? 0;
});
afterEach(() => expectMoneyHolds(deps));

test("the sample statement imports without a question, twice, and fits the payments that wait", async () => {
  const ctx = await contextOf(deps, owner);
  const importSample = async () => {
    const file = Buffer.from(await writeSampleStatement(ctx, { accountId }));
    const done = await importFile(ctx, { accountId, file, mapping: undefined });
    if (done.kind !== "imported") throw new Error(`the sample asks: ${JSON.stringify(done)}`);
    expect(done.knownLines).toBe(0);
    return deps.db
      .select()
      .from(statementLines)
      .where(eq(statementLines.statementId, done.statementId))
      .orderBy(asc(statementLines.position));
  };
  const lines = await importSample();
  const named = lines.filter(({ reference }) => reference !== null);
  expect(named.length).toBeGreaterThanOrEqual(4);
  expect(lines.filter(({ narration }) => narration.startsWith("MOBILE TRANSFER FROM"))).toMatchObject([
    { reference: null },
  ]);
  expect(lines.filter(({ amountKobo }) => amountKobo < 0n)).toHaveLength(2);

  deps.clock.advance({ hours: 1 });
  expect((await importSample()).length).toBeGreaterThanOrEqual(2);
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
