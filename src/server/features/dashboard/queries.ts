import { and, eq, gte, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { type Db, rows } from "#server/db/open.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { decodeCursor, encodeCursor, pageOf } from "#server/platform/keyset.ts";
import { containsPattern } from "#server/platform/search.ts";
import type { CategoryId } from "#shared/projects/categories.ts";
import type { listDashboardProjectsInput } from "#shared/projects/inputs.ts";
import type { DashboardSort, RoundOutcome } from "#shared/projects/texts.ts";
import { startOfMonth, startsOfWeeks } from "./rules.ts";

const pageSize = 50;

type Row = {
  id: number;
  title: string;
  category: CategoryId | null;
  creator: string;
  backerName: string | null;
  fundingGoalKobo: string;
  currentFundingKobo: string;
  isClosed: boolean;
  lots: number;
  approvedLots: number;
  outcome: RoundOutcome;
  sortKey: string;
  sortTitle: string;
};

/** A part of the table. Each is read in the order of an index, so that a page reads only its own rows. */
type List = {
  /** FROM and WHERE, with `projects` and the backer: one row per project, with its first backing. */
  from: SQL;
  backerName: SQL;
  /** The expression that sorts before title and id, and its value for a cursor. */
  key: SQL;
  sortKey: SQL;
  /** The condition for the rows after a cursor. */
  after: (sortKey: string, title: string, id: number) => SQL;
};

const title = sql`lower(projects.title)`;
const afterTitle = (last: string, id: number) => sql`(${title}, projects.id) > (${last}, ${id}::int)`;
const backing = sql`select from project_backings b where b.project_id = projects.id`;
const withBacker = {
  from: sql`from projects left join lateral (
      select u.full_name as name from project_backings b join users u on u.id = b.user_id
      where b.project_id = projects.id order by b.created_at, b.id limit 1
    ) backer on true where true`,
  backerName: sql`backer.name`,
};
const none = sql`''::text`;

const lists: Record<DashboardSort, List[]> = {
  title: [{ ...withBacker, key: none, sortKey: none, after: (_, last, id) => afterTitle(last, id) }],
  status: [
    {
      ...withBacker,
      key: sql`projects.is_closed`,
      sortKey: sql`projects.is_closed::int::text`,
      after: (key, last, id) =>
        sql`(projects.is_closed, ${title}, projects.id) > (${key === "1"}::boolean, ${last}, ${id}::int)`,
    },
  ],
  // Projects without a backer come last.
  backer: [
    {
      from: sql`from users u join project_backings first on first.user_id = u.id
        join projects on projects.id = first.project_id
        where not exists (${backing} and (b.created_at, b.id) < (first.created_at, first.id))`,
      backerName: sql`u.full_name`,
      key: sql`lower(u.full_name)`,
      sortKey: sql`'0' || lower(u.full_name)`,
      after: (key, last, id) =>
        key.startsWith("0")
          ? sql`lower(u.full_name) >= ${key.slice(1)}
              and (lower(u.full_name), ${title}, projects.id) > (${key.slice(1)}, ${last}, ${id}::int)`
          : sql`false`,
    },
    {
      from: sql`from projects where not exists (${backing})`,
      backerName: sql`null::text`,
      key: none,
      sortKey: sql`'1'`,
      after: (key, last, id) => (key === "1" ? afterTitle(last, id) : sql`true`),
    },
  ],
};

const ofRound = (column: "lots" | "approved_lots" | "outcome"): SQL => sql`(
  select ${sql.raw(column)} from project_rounds r where r.project_id = projects.id and r.round = projects.round)`;

const rowsOf = ({ from, backerName, key, sortKey }: List, where: SQL): SQL => sql`
  select projects.id, projects.title, projects.category, projects.creator, ${backerName} as "backerName",
    projects.funding_goal_kobo as "fundingGoalKobo", projects.current_funding_kobo as "currentFundingKobo",
    projects.is_closed as "isClosed", 
    ${ofRound("lots")} as lots, ${ofRound("approved_lots")} as "approvedLots", ${ofRound("outcome")} as outcome,
    ${key} as key, ${sortKey} as "sortKey", ${title} as "sortTitle"
  ${from} and ${where}`;

const inOrder = sql`order by key, "sortTitle", id`;

/** The first rows of the list after the cursor; with a search, only those with a matching title or backer. */
function readList(db: Db, list: List, after: SQL, search: string, wanted: number): Promise<Row[]> {
  if (search === "") return rows<Row>(db, sql`${rowsOf(list, after)} ${inOrder} limit ${wanted}`);
  const pattern = containsPattern(search);
  // Candidates match by title or by any backer, which the indexes can find. Whether it is the first backer is checked
  // afterwards.
  const isCandidate = sql`projects.id in (
    select p.id from projects p where p.title ilike ${pattern}
    union select b.project_id from users u join project_backings b on b.user_id = u.id where u.full_name ilike ${pattern})`;
  const isMatch = sql`(title ilike ${pattern} or "backerName" ilike ${pattern})`;
  return rows<Row>(
    db,
    sql`select * from (${rowsOf(list, sql`${after} and ${isCandidate}`)}) list where ${isMatch} ${inOrder} limit ${wanted}`,
  );
}

/** The administrators' table. */
export async function listDashboardProjects(
  { db }: ActorContext,
  { search, sort, cursor }: z.output<typeof listDashboardProjectsInput>,
) {
  const last = cursor ? decodeCursor(cursor, ["string", "string", "int"]) : null;
  const found: Row[] = [];
  for (const list of lists[sort]) {
    if (found.length > pageSize) break;
    const after = last ? list.after(...last) : sql`true`;
    found.push(...(await readList(db, list, after, search, pageSize + 1 - found.length)));
  }
  const page = pageOf(found, pageSize, ({ sortKey, sortTitle, id }) => encodeCursor([sortKey, sortTitle, id]));
  return {
    ...page,
    items: page.items.map(({ id, title: name, category, creator, backerName, isClosed, ...row }) => ({
      id,
      title: name,
      category,
      creator,
      backerName,
      isClosed,
      lots: row.lots,
      approvedLots: row.approvedLots,
      outcome: row.outcome,
      fundingGoalKobo: BigInt(row.fundingGoalKobo),
      currentFundingKobo: BigInt(row.currentFundingKobo),
    })),
  };
}

/** The numbers of projects for the dashboard, each counted in an index alone. */
export async function countProjects({ db }: ActorContext): Promise<{ open: number; closed: number }> {
  const [counts] = await rows<{ open: number; closed: number }>(
    db,
    sql`select (select count(*)::int from projects where not is_closed) as open,
      (select count(*)::int from projects where is_closed) as closed`,
  );
  return counts ?? { open: 0, closed: 0 };
}

const facts = {
  count: sql<number>`count(*)::int`,
  kobo: sql`coalesce(sum(${projectPayments.amountKobo}), 0)`.mapWith(BigInt),
};

/** Sums of money: payments that wait for review, those approved this month, and those of the last twelve weeks. */
export async function summarizeMoney({ db, clock }: ActorContext) {
  const starts = startsOfWeeks(clock.now(), 12);
  const firstWeek = starts[0] ?? clock.now();
  const decidedSince = (from: Date) =>
    and(eq(projectPayments.status, "approved"), gte(projectPayments.decidedAt, from));
  const sumOf = (where: SQL | undefined) => db.select(facts).from(projectPayments).where(where);
  const [pending] = await sumOf(eq(projectPayments.status, "pending"));
  const [approvedThisMonth] = await sumOf(decidedSince(startOfMonth(clock.now())));
  const week = sql<number>`floor(extract(epoch from ${projectPayments.decidedAt} - ${firstWeek.toISOString()}::timestamptz) / 604800)::int`;
  const found = await db
    .select({ week, ...facts })
    .from(projectPayments)
    .where(decidedSince(firstWeek))
    .groupBy(sql`1`);
  const none = { count: 0, kobo: 0n };
  const weeks = starts.map((startsAt, index) => {
    const { count, kobo } = found.find((one) => one.week === index) ?? none;
    return { startsAt, count, kobo };
  });
  return { pending: pending ?? none, approvedThisMonth: approvedThisMonth ?? none, weeks };
}
