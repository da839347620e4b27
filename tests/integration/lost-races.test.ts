import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import { busyText } from "#server/platform/errors.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import {
  agreeToTerms,
  createPayment,
  expectMoneyHolds,
  findPayment,
  findProject,
  seen,
  setBankDetails,
} from "#tests/support/money.ts";
import { callAs, cookieJar, createAdmin, createUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";

/** A write that loses its race to others (deadlock, serialization failure) is tried again three times. */

const deps = await openTestDeps();
const app = await buildApp(deps, { distDir: "/nowhere" });

beforeAll(async () => {
  await setBankDetails(deps.db);
  // The database itself makes writes to payments lose; a sequence counts past a rollback.
  await deps.db.execute(sql`create sequence losses minvalue 0`);
});
afterAll(() => app.close());
afterEach(async () => {
  await deps.db.execute(sql`drop trigger if exists lose on project_payments`);
  await expectMoneyHolds(deps);
});

/** Makes the next `count` attempts to write to payments lose their race. */
async function loseNext(count: number, sqlState: "40001" | "40P01" | "55P03" = "40P01"): Promise<void> {
  await deps.db.execute(sql`alter sequence losses restart with 0`);
  await deps.db.execute(
    sql.raw(`create or replace function lose() returns trigger language plpgsql as $$
      begin
        if nextval('losses') < ${count} then raise exception 'lost' using errcode = '${sqlState}'; end if;
        return new;
      end $$`),
  );
  await deps.db.execute(
    sql`create trigger lose before insert or update on project_payments for each row execute function lose()`,
  );
}

const countAudited = (paymentId: number) =>
  deps.db.$count(auditLogs, eq(sql`(${auditLogs.details}->>'paymentId')::bigint`, paymentId));

test.each(["40P01", "40001"] as const)(
  "an approval that loses three times (%s) is done at the fourth, once",
  async (state) => {
    const { payment, project, owner } = await createPayment(deps);
    const caller = await callAs(deps, owner);
    const look = await seen(deps.db, payment.id);
    await loseNext(3, state);
    await caller.payments.setStatus({ ...look, status: "approved" });
    expect(await findPayment(deps.db, payment.id)).toMatchObject({ status: "approved" });
    expect(await findProject(deps.db, project.id)).toMatchObject({
      isClosed: true,
      backersCount: 1,
      currentFundingKobo: payment.amountKobo,
    });
    expect(await countAudited(payment.id)).toBe(1);
  },
);

test("one that loses a fourth time changes nothing, and says that one may try again", async () => {
  const { payment, project, owner } = await createPayment(deps);
  const caller = await callAs(deps, owner);
  const look = await seen(deps.db, payment.id);
  await loseNext(4);
  await expect(caller.payments.setStatus({ ...look, status: "approved" })).rejects.toMatchObject({
    code: "SERVICE_UNAVAILABLE",
    message: busyText,
  });
  expect(await findPayment(deps.db, payment.id)).toMatchObject({ status: "pending" });
  expect(await findProject(deps.db, project.id)).toMatchObject({ isClosed: false, currentFundingKobo: 0n });
  expect(await countAudited(payment.id)).toBe(0);
  // Tried again by hand, it is the fifth.
  await caller.payments.setStatus({ ...look, status: "approved" });
  expect(await countAudited(payment.id)).toBe(1);
});

test("one that waits for a lock too long says so at once", async () => {
  const { payment, owner } = await createPayment(deps);
  const caller = await callAs(deps, owner);
  const look = await seen(deps.db, payment.id);
  await loseNext(1, "55P03");
  await expect(caller.payments.setStatus({ ...look, status: "approved" })).rejects.toThrow(busyText);
  expect(await findPayment(deps.db, payment.id)).toMatchObject({ status: "pending" });
});

async function upload(projectId: number) {
  const backer = await createUser(deps.db);
  await agreeToTerms(deps, backer, projectId);
  const jar = cookieJar();
  await callAs(deps, backer, { jar });
  const form = new FormData();
  form.append("projectId", String(projectId));
  form.append("idempotencyKey", randomUUID());
  form.append("file", new File(["%PDF-1.7\n%%EOF\n"], "receipt.pdf"));
  const body = new Response(form);
  return app.inject({
    method: "POST",
    url: "/uploads/receipts",
    headers: {
      origin: deps.env.publicUrl,
      "x-upload": "1",
      "content-type": body.headers.get("content-type") ?? "",
    },
    cookies: { [sessionCookieName(deps.env)]: jar.get(sessionCookieName(deps.env)) ?? "" },
    payload: Buffer.from(await body.arrayBuffer()),
  });
}

test("a receipt that loses three times is kept once; a fourth time, its sender may try again", async () => {
  const project = await createProject(deps.db);
  const ofProject = eq(projectPayments.projectId, project.id);
  await createAdmin(deps.db, "owner");
  await loseNext(3);
  expect((await upload(project.id)).statusCode).toBe(200);
  expect(await deps.db.$count(projectPayments, ofProject)).toBe(1);
  await deps.db.execute(sql`drop trigger lose on project_payments`);
  await loseNext(4);
  const refused = await upload(project.id);
  expect(refused.statusCode).toBe(503);
  expect(refused.json()).toEqual({ error: { reason: "unavailable", message: busyText } });
  expect(await deps.db.$count(projectPayments, ofProject)).toBe(1);
});
