import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createPayment } from "#tests/support/money.ts";
import { callAs, createAdmin, createUser } from "#tests/support/people.ts";

const deps = await openTestDeps();
const { db } = deps;

test("the audit log names whom and what its entries are about, as far as they are there", async () => {
  const ownerRow = await createAdmin(db, "owner");
  const owner = await callAs(deps, ownerRow);
  const { payment, backer, project } = await createPayment(deps, { owner: ownerRow });
  const person = await createUser(db, { fullName: "Bola Adeyinka" });
  const write = (details: Record<string, unknown>) =>
    db.insert(auditLogs).values({ actionType: "edit_terms", userId: ownerRow.id, userEmail: ownerRow.email, details });
  const latest = async () => (await owner.auditLog.list({ action: "edit_terms" })).items[0]?.names;
  const { fullName: actor } = ownerRow;
  const none = { actor, person: null, asker: null, project: null, payment: null };
  await write({ paymentId: payment.id, projectId: project.id, requestedBy: person.id });
  const paid = { backer: backer.fullName, amountKobo: payment.amountKobo };
  const named = { actor, person: backer.fullName, asker: "Bola Adeyinka", project: project.title, payment: paid };
  expect(await latest()).toEqual(named);
  await write({ matches: [{ paymentId: payment.id }] });
  expect(await latest()).toEqual({ ...none, person: backer.fullName, payment: paid });
  await write({ matches: [{ paymentId: payment.id }, { paymentId: payment.id }] });
  expect(await latest()).toEqual(none);
  await write({ userId: person.id });
  expect(await latest()).toEqual({ ...none, person: "Bola Adeyinka" });
  // Nobody reads the name of a closed account, nor what was never an id.
  await db.execute(sql`update users set closed_at = now(), password_hash = null where id = ${person.id}`);
  expect(await latest()).toEqual(none);
  for (const odd of [null, "x", -1, 2 ** 40, 1.5, [], {}, "00000000-0000-4000-8000-00000000000x"]) {
    await write({ userId: odd, backerId: odd, requestedBy: odd, projectId: odd, paymentId: odd, matches: odd });
    expect(await latest()).toEqual(none);
  }
});
