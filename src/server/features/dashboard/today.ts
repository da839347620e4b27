import { type SQL, sql } from "drizzle-orm";
import { rows } from "#server/db/open.ts";
import { alarmLines } from "#server/features/alarms/today.ts";
import { bankLines } from "#server/features/bank/today.ts";
import { careerLines } from "#server/features/careers/today.ts";
import { contactLines } from "#server/features/contact/today.ts";
import { farmPastLines } from "#server/features/farm-past/today.ts";
import { harvestLines } from "#server/features/harvests/today.ts";
import { paymentLines } from "#server/features/payments/review/today.ts";
import { releasePartLines } from "#server/features/payouts/release-parts/today.ts";
import { payoutLines } from "#server/features/payouts/today.ts";
import { messageLines } from "#server/features/projects/messages/today.ts";
import { reportLines } from "#server/features/reports/today.ts";
import { requestLines } from "#server/features/second-person/today.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { TodayFacts, TodayLine } from "#server/platform/today.ts";
import { type TodayKind, todayKinds, todayTexts } from "#shared/today/lines.ts";
import { selectUnreleasedMoney, undecidedRounds, unsettledSales } from "./waiting-money.ts";

/**
 * The list of everything that waits for a person today: the lines of all features, each with the query it is counted
 * by.
 */

const moneyItems = (waiting: SQL): SQL => sql`
  select w.project_id || ':' || w.round || ':' || w.harvest_id as key, w.since, false as is_late, p.title, p.id as project_id
  from (${waiting}) w join projects p on p.id = w.project_id`;

export const lines: Record<TodayKind, TodayLine> = {
  ...paymentLines,
  ...bankLines,
  ...requestLines,
  ...payoutLines,
  ...harvestLines,
  rounds_to_decide: { right: "payments:process", items: () => moneyItems(undecidedRounds) },
  sales_to_settle: { right: "harvests:settle", items: () => moneyItems(unsettledSales) },
  money_to_release: {
    right: "payouts:process",
    isSlow: true,
    items: async ({ db }) => moneyItems(await selectUnreleasedMoney(db)),
  },
  ...releasePartLines,
  ...reportLines,
  ...farmPastLines,
  ...messageLines,
  ...contactLines,
  ...careerLines,
  ...alarmLines,
};

type Counted = { kind: TodayKind; count: number; late: number; oldest: string | null };

/**
 * The lines of the caller's work in which something waits, with late ones first: by one statement, and beside it the
 * slow ones.
 */
export async function listToday({ db, clock, actor }: ActorContext) {
  const facts = { db, now: clock.now(), userId: actor.id };
  const own = todayKinds.filter((kind) => actor.permissions.includes(lines[kind].right));
  const slow = own.filter((kind) => lines[kind].isSlow);
  const statements = [own.filter((kind) => !lines[kind].isSlow), ...slow.map((kind) => [kind])];
  const found = await Promise.all(
    statements.filter((kinds) => kinds.length > 0).map((kinds) => countLines(kinds, facts)),
  );
  const waiting = found
    .flat()
    .filter(({ count }) => count > 0)
    .sort((one, other) => todayKinds.indexOf(one.kind) - todayKinds.indexOf(other.kind))
    .map(({ oldest, ...line }) => ({ ...line, oldest: oldest === null ? null : new Date(oldest) }));
  return {
    now: facts.now,
    lines: [...waiting.filter(({ late }) => late > 0), ...waiting.filter(({ late }) => late === 0)],
  };
}

async function countLines(kinds: TodayKind[], facts: TodayFacts): Promise<Counted[]> {
  const counts = await Promise.all(kinds.map((kind) => countOf(kind, facts)));
  return rows<Counted>(facts.db, sql.join(counts, sql` union all `));
}

const countOf = async (kind: TodayKind, facts: TodayFacts): Promise<SQL> => sql`
  select ${kind}::text as kind, count(*)::int as count, (count(*) filter (where is_late))::int as late, min(since)::text as oldest
  from (${await lines[kind].items(facts)}) items`;

type Item = { key: string; since: string | null; isLate: boolean; title: string; projectId: number | null };

/**
 * Lists the items that a line counts: the late ones first, each group by how long it has waited. Throws "forbidden" if
 * the line isn't the caller's work.
 */
export async function listTodayItems({ db, clock, actor }: ActorContext, { kind }: { kind: TodayKind }) {
  const { right, items } = lines[kind];
  if (!actor.permissions.includes(right)) throw new AppError("forbidden", todayTexts.notYours);
  const now = clock.now();
  const found = await rows<Item>(
    db,
    sql`select key, since::text, is_late as "isLate", coalesce(title, '') as title, project_id as "projectId"
      from (${await items({ db, now, userId: actor.id })}) items order by is_late desc, since nulls last, key limit ${todayTexts.shown}`,
  );
  return { now, items: found.map((item) => ({ ...item, since: item.since === null ? null : new Date(item.since) })) };
}
