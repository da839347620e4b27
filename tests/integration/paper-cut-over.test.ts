import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isUniqueViolation } from "#server/db/errors.ts";
import { migrate } from "#server/db/migrate.ts";
import { inTransaction, rows } from "#server/db/open.ts";
import { ownerTerms } from "#server/db/schema/users.ts";
import { openEmptyDatabase, type TestDatabase } from "#tests/support/database.ts";
import { migrateUpTo } from "#tests/support/old-database.ts";

/** Papers of a range from before an index held that one of them is valid, and owners from before their terms were kept. */

let database: TestDatabase;
const ada = "00000000-0000-4000-8000-000000000001";
const obi = "00000000-0000-4000-8000-000000000002";
const ownerSince = "2026-03-01T09:00:00.000Z";
const year = { firstDay: "2026-01-01", lastDay: "2026-12-31" };
const month = { firstDay: "2026-10-01", lastDay: "2026-10-31" };

type Paper = { kind: "statement" | "tax_list"; of: string | null; range: typeof year; isReplaced?: boolean };

let made = 0;
/** The next paper of its kind. */
function paper({ kind, of, range: { firstDay, lastDay }, isReplaced = false }: Paper): string {
  made += 1;
  return `insert into papers (kind, year, sequence, code, user_id, first_day, last_day, amount_kobo, content, replaced_at)
    values ('${kind}', 2026, ${made}, lpad('${made}', 16, '0'), ${of ? `'${of}'` : "null"}, '${firstDay}', '${lastDay}', 0, '{}',
      ${isReplaced ? "'2026-11-01'" : "null"})`;
}

beforeAll(async () => {
  database = await openEmptyDatabase();
  await migrateUpTo(database.db, "0031_lost_costs_by_two");
  const statements = [
    `insert into users (id, email, full_name) values ('${ada}', 'ada@example.com', 'Ada Obi')`,
    `insert into users (id, email, full_name) values ('${obi}', 'obi@example.com', 'Obi Ade')`,
    `update users set is_admin = true where id in ('${ada}', '${obi}')`,
    `insert into user_roles (user_id, role, created_at) values ('${ada}', 'owner', '${ownerSince}'), ('${obi}', 'viewer', '${ownerSince}')`,
    paper({ kind: "statement", of: ada, range: year }),
    paper({ kind: "statement", of: ada, range: year, isReplaced: true }),
    paper({ kind: "statement", of: ada, range: year }),
    paper({ kind: "statement", of: ada, range: month }),
    paper({ kind: "statement", of: obi, range: year }),
    paper({ kind: "tax_list", of: null, range: year }),
    paper({ kind: "tax_list", of: null, range: year }),
    paper({ kind: "tax_list", of: null, range: month }),
  ];
  await inTransaction(database.db, async (tx) => {
    for (const statement of statements) await tx.execute(sql.raw(statement));
  });
  await migrate(database.handle);
});
afterAll(() => database.close());

test("owners are owners since they got the role", async () => {
  const terms = await database.db.select().from(ownerTerms);
  expect(terms).toMatchObject([{ userId: ada, since: new Date(ownerSince), until: null }]);
});

test("of several valid ones the last stays valid, and nothing else changes", async () => {
  const replaced = sql`select sequence, replaced_at <> '2026-11-01' as "isReplacedNow" from papers
    where replaced_at is not null order by id`;
  expect(await rows(database.db, replaced)).toEqual([
    { sequence: 1, isReplacedNow: true },
    { sequence: 2, isReplacedNow: false },
    { sequence: 6, isReplacedNow: true },
  ]);
});

test.each([
  ["statement", ada, "papers_one_statement_of_range"],
  ["tax_list", null, "papers_one_tax_list_of_range"],
] as const)("a second valid %s of a range is refused", async (kind, of, constraint) => {
  const again = (isReplaced: boolean) => database.db.execute(sql.raw(paper({ kind, of, range: month, isReplaced })));
  const refused = await again(false).catch((error: unknown) => error);
  expect(isUniqueViolation(refused, constraint)).toBe(true);
  await again(true);
});
