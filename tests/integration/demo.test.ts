import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { refuseDemoAccounts } from "#server/cli/demo.ts";
import { isDatabaseEmpty, seedDemoData } from "#server/cli/seed.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { projects, projectUpdates } from "#server/db/schema/projects.ts";
import { jobApplications } from "#server/db/schema/team.ts";
import { readEnv } from "#server/platform/env.ts";
import { categoryIds } from "#shared/categories.ts";
import { openTestDatabase, type TestDatabase } from "#tests/support/database.ts";
import { createUser } from "#tests/support/people.ts";

let database: TestDatabase;
const stored = new Map<string, Uint8Array>();

beforeAll(async () => {
  database = await openTestDatabase();
  await seedDemoData(database.db, {
    now: new Date("2026-11-21T09:00:00Z"),
    owner: { email: "owner@demo.example", passwordHash: "x" },
    backer: { email: "backer@demo.example", passwordHash: "x" },
    storeReceipt: async (bytes) => {
      const key = `receipt/${stored.size}`;
      stored.set(key, bytes);
      return { key, sha256: createHash("sha256").update(bytes).digest("hex") };
    },
  });
});
afterAll(() => database.close());

test("the demo has at least 24 farms in all seven categories, open and closed", async () => {
  const farms = await database.db.select().from(projects);
  expect(farms.length).toBeGreaterThanOrEqual(24);
  expect(new Set(farms.map((farm) => farm.category))).toEqual(new Set(categoryIds));
  expect(new Set(farms.map((farm) => farm.isClosed))).toEqual(new Set([true, false]));
  expect(await database.db.$count(projectUpdates)).toBeGreaterThan(50);
});

test("the demo has payments in each status, and closed farms are funded", async () => {
  const payments = await database.db.select().from(projectPayments);
  expect(new Set(payments.map((payment) => payment.status))).toEqual(new Set(["pending", "approved", "rejected"]));
  expect(stored.size).toBe(payments.length);
  for (const farm of await database.db.select().from(projects).where(eq(projects.isClosed, true))) {
    expect(farm.currentFundingKobo).toBe(farm.fundingGoalKobo);
  }
});

test("the demo has applicants of each status, and is not loaded twice", async () => {
  const applicants = await database.db.select().from(jobApplications);
  expect(new Set(applicants.map((applicant) => applicant.status))).toEqual(
    new Set(["new", "reviewed", "contacted", "rejected"]),
  );
  expect(await isDatabaseEmpty(database.db)).toBe(false);
});

test("its accounts keep a server from starting anywhere but in local use", async () => {
  const { db } = database;
  const start = (variables: Record<string, string>) => refuseDemoAccounts({ db, env: readEnv(variables) });
  await expect(start({})).resolves.toBeUndefined();
  await expect(start({ HOST: "0.0.0.0" })).rejects.toThrow("demo's accounts");
  await expect(start({ PUBLIC_URL: "https://gona.example" })).rejects.toThrow("demo's accounts");
});

test("an address like the demo's, signed up by anybody, keeps no server from starting", async () => {
  const other = await openTestDatabase();
  try {
    await createUser(other.db, { email: "owner@demo.example" });
    const env = readEnv({ PUBLIC_URL: "https://gona.example" });
    await expect(refuseDemoAccounts({ db: other.db, env })).resolves.toBeUndefined();
  } finally {
    await other.close();
  }
});
