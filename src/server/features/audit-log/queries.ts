import { and, desc, eq, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { AuditFilter, listAuditLogsInput } from "#shared/audit-log/inputs.ts";
import { auditCountCap } from "#shared/audit-log/paging.ts";
import { startOfDay } from "#shared/dates.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { withNames } from "./subjects.ts";

const newestFirst = [desc(auditLogs.createdAt), desc(auditLogs.id)];
const { id, createdAt, actionType, userId, userEmail, details, ipAddress } = auditLogs;
const columns = { id, createdAt, actionType, userId, userEmail, details, ipAddress };

function matching({ from, to, action, userId: byUser }: AuditFilter): SQL | undefined {
  return and(
    from ? gte(createdAt, startOfDay(from)) : undefined,
    to ? lt(createdAt, new Date(startOfDay(to).getTime() + dayMs)) : undefined,
    action ? eq(actionType, action) : undefined,
    byUser ? eq(userId, byUser) : undefined,
  );
}

/** One page of entries, newest first. They are counted only up to the cap, because nobody pages beyond it. */
export async function listAuditLogs({ db }: ActorContext, input: z.output<typeof listAuditLogsInput>) {
  const { page, pageSize } = input;
  const where = matching(input);
  const counted = db
    .select({ id })
    .from(auditLogs)
    .where(where)
    .limit(auditCountCap + 1)
    .as("counted");
  const [count] = await db.select({ entries: sql<number>`count(*)::int` }).from(counted);
  const total = count?.entries ?? 0;
  const offset = (page - 1) * pageSize;
  const found = offset >= Math.min(total, auditCountCap) ? [] : await readPage(db, where, { offset, limit: pageSize });
  const items = await withNames(db, found);
  const isCapped = total > auditCountCap;
  return { items, total: isCapped ? auditCountCap : total, isCapped };
}

/** The entries before the page are skipped in the index, without reading their rows. */
async function readPage(db: DbOrTx, where: SQL | undefined, { offset, limit }: { offset: number; limit: number }) {
  const onPage = db
    .select({ id })
    .from(auditLogs)
    .where(where)
    .orderBy(...newestFirst)
    .limit(limit)
    .offset(offset);
  return db
    .select(columns)
    .from(auditLogs)
    .where(inArray(id, onPage))
    .orderBy(...newestFirst);
}

const optionsLimit = 500;

/** The values to filter by. It jumps along the indexes from value to value, so the number of entries doesn't matter. */
export async function listAuditFilters({ db }: ActorContext) {
  const actions = await rows<{ action: string }>(
    db,
    sql`with recursive hop as (
        (select action_type as action from audit_logs order by action_type limit 1)
        union all
        select (select action_type from audit_logs where action_type > hop.action order by action_type limit 1)
        from hop where hop.action is not null
      )
      select action from hop where action is not null order by action limit ${optionsLimit}`,
  );
  const people = await rows<{ id: string; email: string | null }>(
    db,
    sql`with recursive hop as (
        (select user_id as id from audit_logs where user_id is not null order by user_id limit 1)
        union all
        select (select user_id from audit_logs where user_id > hop.id order by user_id limit 1)
        from hop where hop.id is not null
      )
      select hop.id, latest.email from hop
      cross join lateral (
        select user_email as email from audit_logs where user_id = hop.id order by created_at desc, id desc limit 1
      ) latest
      where hop.id is not null limit ${optionsLimit}`,
  );
  return {
    actions: actions.map(({ action }) => action),
    users: people
      .map(({ id: person, email }) => ({ id: person, email: email ?? person }))
      .sort((a, b) => a.email.localeCompare(b.email)),
  };
}

/** An entry in a file of them. */
export type ExportedEntry = Pick<typeof auditLogs.$inferSelect, keyof typeof columns>;

/** The entries after `last`, newest first. Those from `before` on are left out. */
export async function readAuditEntries(
  db: DbOrTx,
  {
    filter,
    before,
    last,
    limit,
  }: { filter: AuditFilter; before: number; last: ExportedEntry | undefined; limit: number },
): Promise<ExportedEntry[]> {
  return db
    .select(columns)
    .from(auditLogs)
    .where(and(matching(filter), lt(id, before), last && behind(last)))
    .orderBy(...newestFirst)
    .limit(limit);
}

const behind = (last: ExportedEntry): SQL =>
  sql`(${createdAt}, ${id}) < (${last.createdAt.toISOString()}::timestamptz, ${last.id})`;
