import { beforeEach, expect, test } from "vitest";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { contactMessages, jobApplications } from "#server/db/schema/team.ts";
import { listToday, lines as todayLines } from "#server/features/dashboard/today.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { permissionsOf, roles } from "#shared/permissions.ts";
import { todayKinds } from "#shared/today/lines.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { contextOf, createPayment } from "#tests/support/money.ts";
import { callAs, createAdmin } from "#tests/support/people.ts";

/** The lines of today: whose they are, and which comes first. today-states.test.ts checks their numbers. */

const deps = await openTestDeps();
const { db, clock } = deps;

beforeEach(() => emptyDatabase(db));

test("nothing waits on a new site", async () => {
  const owner = await callAs(deps, await createAdmin(db, "owner"));
  expect((await owner.dashboard.today()).lines).toEqual([]);
});

test("each person sees the lines of their own work, and opens no other", async () => {
  await db
    .insert(contactMessages)
    .values({ name: "Ada Obi", email: "ada@example.com", phone: "08031234567", message: "Are you open on Saturday?" });
  await createPayment(deps);
  const seenBy = async (who: "viewer" | "manager" | "owner" | "accountant" | "cashier") =>
    (await (await callAs(deps, who)).dashboard.today()).lines.map(({ kind }) => kind);
  expect(await seenBy("owner")).toEqual(["receipts", "contact"]);
  for (const who of ["viewer", "manager", "accountant", "cashier"] as const) expect(await seenBy(who)).toEqual([]);
  for (const role of roles) {
    const person = await callAs(deps, role);
    const own = permissionsOf({ isAdmin: true, roles: [role] });
    for (const kind of todayKinds) {
      const asked = person.dashboard.todayItems({ kind });
      if (own.includes(todayLines[kind].right)) await asked;
      else await expect(asked).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
  }
});

test("an account without any statement counts from the day it was entered", async () => {
  const owner = await contextOf(deps, await createAdmin(db, "owner"));
  const days = (count: number) => new Date(clock.now().getTime() - count * dayMs);
  const account = { bankName: "Test Bank", accountName: "Gona Farms Limited", isActive: false };
  await db.insert(ownAccounts).values([
    { ...account, accountNumber: "0123456789", createdAt: days(3) },
    { ...account, accountNumber: "9876543210", createdAt: days(4) },
  ]);
  expect((await listToday(owner)).lines).toMatchObject([{ kind: "missing_statements", count: 1, late: 1 }]);
});

test("late lines come first, with the age of the oldest", async () => {
  const owner = await createAdmin(db, "owner");
  const { payment } = await createPayment(deps);
  const [applied] = await db
    .insert(jobApplications)
    .values({ fullName: "Efe Okoro", email: "efe@example.com", phone: "08031234567", position: "Farm hand" })
    .returning();
  const before = await listToday(await contextOf(deps, owner));
  expect(before.lines[0]).toMatchObject({ kind: "receipts", late: 0 });
  const start = clock.now();
  clock.set(new Date(start.getTime() + 10 * dayMs));
  const { lines } = await listToday(await contextOf(deps, owner));
  expect(lines).toEqual([
    { kind: "receipts", count: 1, late: 1, oldest: payment.createdAt },
    { kind: "applicants", count: 1, late: 0, oldest: applied?.createdAt },
  ]);
  clock.set(start);
});
