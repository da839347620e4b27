import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { rows } from "#server/db/open.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createPayment } from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, createUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";

const deps = await openTestDeps();
let manager: Caller;
beforeAll(async () => {
  manager = await callAs(deps, "manager");
});

const found = async (search: string, more: { status?: "pending" | "approved" | "rejected" } = {}) =>
  (await manager.payments.list({ search, ...more })).items;

describe("the search of payments", () => {
  test("finds a payment by its reference as people type it, by name and by address", async () => {
    const backer = await createUser(deps.db, { fullName: "Ọlá 50%_Bello", email: "ola.bello@farm.example" });
    const { payment } = await createPayment(deps, { backer });
    await createPayment(deps);
    const [, first = "", second = ""] = payment.reference.split("-");
    const bare = `${first}${second}`;
    const typed = [
      ...[payment.reference, payment.reference.toLowerCase(), ` ${payment.reference} `, `GONA${bare}`, bare],
      ...[`${first} ${second}`, `gona ${first.toLowerCase()} ${second}`, `${first}–${second}`, bare.slice(1, 7)],
      ...["ọlá", "OLA.BELLO", "bello@farm", "50%_b"],
    ];
    for (const search of typed)
      expect([search, (await found(search)).map(({ id }) => id)]).toEqual([search, [payment.id]]);
    for (const search of ["50__b", "%%%", "o_a.bello", "\\", "xyzzy-9999", "' or 1=1"])
      expect(await found(search)).toEqual([]);
    expect((await found("gona")).length).toBe(2);
    expect(await found(bare, { status: "approved" })).toEqual([]);
  });

  test("is bounded", async () => {
    await expect(found("x".repeat(101))).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(manager.payments.list({ search: "a\0b" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  test("finds nobody by what stands for a closed account", async () => {
    const { backer, payment } = await createPayment(deps);
    await deps.db.execute(sql`update users set closed_at = now(), full_name = 'Closed account', password_hash = null,
      email = ${`closed-${backer.id}@closed.invalid`} where id = ${backer.id}`);
    expect(await found("closed")).toEqual([]);
    expect((await found(payment.reference)).map(({ backerName }) => backerName)).toEqual(["Unknown"]);
  });

  test("is counted by status, as the other filters leave it", async () => {
    const backer = await createUser(deps.db, { fullName: "Zainab Counted" });
    const counts = (input: Parameters<Caller["payments"]["statusCounts"]>[0]) => manager.payments.statusCounts(input);
    const before = await counts({});
    const { payment, project } = await createPayment(deps, { backer });
    await createPayment(deps, { backer, status: "rejected" });
    expect(await counts({ search: "zainab" })).toEqual({ pending: 1, approved: 0, rejected: 1, late: 0 });
    expect(await counts({ projectId: project.id })).toEqual({ pending: 1, approved: 0, rejected: 0, late: 0 });
    expect(await counts({ sameReceiptAs: payment.id })).toEqual({ pending: 1, approved: 0, rejected: 0, late: 0 });
    expect(await counts({})).toEqual({ ...before, pending: before.pending + 1, rejected: before.rejected + 1 });
  });
});

describe("among thousands", () => {
  type Listed = { id: number; name: string; email: string; reference: string; status: string };
  let all: Listed[] = [];

  /** Names that only old payments have, in numbers that take every way a search takes. */
  beforeAll(async () => {
    const { id: projectId } = await createProject(deps.db);
    const { id: userId } = await createAdmin(deps.db, "owner");
    const each = sql.raw("generate_series(1, 14000) n");
    const uuid = (kind: number) => sql.raw(`('00000000-0000-4000-${kind}-' || lpad(n::text, 12, '0'))::uuid`);
    const reference = sql.raw("'GONA-' || upper(substr(md5(n::text), 1, 4) || '-' || substr(md5(n::text), 5, 4))");
    const hash = sql.raw("lpad(n::text, 64, '0')");
    await deps.db.transaction(async (tx) => {
      await tx.execute(sql`insert into users (id, email, full_name)
        select ${uuid(8001)}, 'backer-' || n || case when n % 2 = 0 then '@farm.example' else '@mail.example' end,
          case when n <= 3500 then 'Quinoa' when n <= 3800 then 'Barley' else 'Cassava' end || ' ' || n from ${each}`);
      await tx.execute(sql`insert into stored_files (id, kind, storage_key, sha256, bytes, content_type, original_name, uploaded_by)
        select ${uuid(8002)}, 'receipt', 'receipt/' || n, ${hash}, 1, 'image/png', 'receipt.png', ${userId} from ${each}`);
      await tx.execute(sql`insert into project_payments
          (project_id, project_title, user_id, round, lots, terms_version, agreed_at, amount_kobo, reference, current_receipt_id,
          status, created_at)
        select ${projectId}, 'Ponds', ${uuid(8001)}, 1, 1, 1, now(), 100, ${reference}, ${uuid(8003)},
          case when n % 3 = 0 then 'pending' else 'rejected' end, timestamptz '2026-01-01' + (n / 4) * interval '1 second'
        from ${each} order by n`);
      await tx.execute(sql`insert into payment_receipts (id, payment_id, user_id, file_id, sha256, idempotency_key)
        select p.current_receipt_id, p.id, p.user_id, ${uuid(8002)}, ${hash}, p.current_receipt_id
        from ${each} join project_payments p on p.current_receipt_id = ${uuid(8003)}`);
    });
    await deps.db.execute(sql`analyze`);
    all = await rows<Listed>(
      deps.db,
      sql`select p.id::int as id, p.reference, case when u.closed_at is null then u.full_name else '' end as name,
          case when u.closed_at is null then u.email else '' end as email, p.status from project_payments p
        join users u on u.id = p.user_id order by p.created_at desc, p.id desc`,
    );
  }, 60_000);

  const bare = (text: string) => text.replaceAll(/[\s-]/g, "").toLowerCase();
  const expected = (search: string, status: string | undefined) =>
    all.filter(
      ({ name, email, reference, ...payment }) =>
        (status === undefined || payment.status === status) &&
        (`${name}\n${email}`.toLowerCase().includes(search) ||
          (/^[\da-z-]{3,}$/.test(search) && bare(reference).includes(bare(search)))),
    );

  test.each([
    "quinoa",
    "barley",
    "barley 36",
    "cassava 9",
    "backer-12",
    "farm.ex",
    "gona",
    "gona-a",
    "a1b",
    "q",
    "xyzzy",
  ])("%s gives what reading all of them gives, page by page", { timeout: 60_000 }, async (search) => {
    const counts = await manager.payments.statusCounts({ search });
    for (const status of ["pending", "approved", "rejected"] as const)
      expect([status, counts[status]]).toEqual([status, expected(search, status).length]);
    for (const status of [undefined, "pending"] as const) {
      const wanted = expected(search, status).slice(0, 150);
      const ids: number[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < 3; page++) {
        const { items, nextCursor }: Awaited<ReturnType<Caller["payments"]["list"]>> = await manager.payments.list({
          search,
          status,
          cursor,
        });
        ids.push(...items.map(({ id }) => id));
        cursor = nextCursor;
        if (cursor === null) break;
      }
      expect(ids).toEqual(wanted.map(({ id }) => id));
    }
  });
});
