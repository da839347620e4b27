import { and, asc, desc, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { holds } from "#server/db/schema/holds.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { projectBackings, projects } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import { findRunningEnd } from "#server/features/payments/holder-changes/queries.ts";
import { standsAt } from "#server/features/projects/holds/queries.ts";
import { isOver } from "#server/features/projects/rounds/queries.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { decodeCursor, encodeCursor, latestFirst, pageOf } from "#server/platform/keyset.ts";
import { contains } from "#server/platform/search.ts";
import { accountTexts, returnDays } from "#shared/accounts/texts.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { formatNaira } from "#shared/money.ts";
import { holderChangeTexts } from "#shared/payments/holder-changes-texts.ts";
import { adminTexts } from "#shared/people/texts.ts";
import type { backedProjectsInput, listUsersInput } from "#shared/people/users.ts";
import { backingLimits } from "#shared/projects/backings-texts.ts";

/** Describes a closing of the caller's account: what keeps it open, in words, or null, and which contacts stay. */
export async function describeClosing({ db, actor, clock }: ActorContext) {
  return {
    keptOpenBy: await findOpenAffair(db, actor.id, clock.now()),
    keepsContact: await hasMoneyToCome(db, actor.id),
    /** The end of keeping the address alone, because money may still come back; null if it needn't be kept. */
    keepsAddressUntil: await findEndOfReturns(db, actor.id, clock.now()),
  };
}

/**
 * Condition that money may still come to the person `userId`: a payment of theirs is approved in a round that nobody wrote
 * off and whose harvests aren't over, or a grant gives them a part in one, or a payment waits for a decision, or money of it
 * is held, or a payout isn't paid yet. Whoever closes the account until then keeps an address and the bank account.
 */
export const moneyMayCome = (userId: SQL): SQL<boolean> => sql<boolean>`(
  exists (select from project_payments p
    join project_rounds r on r.project_id = p.project_id and r.round = p.round and r.outcome is distinct from 'written_off'
    where p.user_id = ${userId} and p.status = 'approved' and not ${isOver})
  or exists (select from project_rounds r where r.outcome is distinct from 'written_off' and not ${isOver} and (
    exists (select from round_weights v where v.project_id = r.project_id and v.round = r.round and v.user_id = ${userId})
    or (r.outcome is distinct from 'not_funded' and exists (
      select from project_backings b join backing_weights w on w.backing_id = b.id and w.round = r.round
      where b.project_id = r.project_id and b.user_id = ${userId}))))
  or exists (select from project_payments p where p.user_id = ${userId} and p.status = 'pending')
  or exists (select from ledger_entries e join project_payments p on p.id = e.payment_id
    where p.user_id = ${userId} and e.account = 'unallocated' group by p.id having sum(e.amount_kobo) <> 0)
  or exists (select from payouts o where o.user_id = ${userId} and o.state in ('waiting', 'due', 'in_run', 'sent'))
)`;

/** The time in which a payout may come back. An account closed within it keeps its address. */
const returnsMs = returnDays * dayMs;

/** Condition that a payout of the person `userId` left so recently that the bank may send it back. */
export const mayComeBack = (userId: SQL, now: Date): SQL<boolean> => sql<boolean>`exists (
  select from payouts o where o.user_id = ${userId} and o.state = 'paid'
    and greatest(o.sent_at, o.paid_at) > ${new Date(now.getTime() - returnsMs).toISOString()}::timestamptz
)`;

/** The end of the time in which a paid payout of a person may come back; null if it is over, or none was paid. */
export async function findEndOfReturns(db: DbOrTx, userId: string, now: Date): Promise<Date | null> {
  const [last] = await db
    .select({ leftAt: sql`max(greatest(${payouts.sentAt}, ${payouts.paidAt}))`.mapWith(payouts.paidAt) })
    .from(payouts)
    .where(and(eq(payouts.userId, userId), eq(payouts.state, "paid")));
  const end = last?.leftAt ? new Date(last.leftAt.getTime() + returnsMs) : null;
  return end && end > now ? end : null;
}

export async function hasMoneyToCome(db: DbOrTx, userId: string): Promise<boolean> {
  const [found] = await rows<{ mayCome: boolean }>(db, sql`select ${moneyMayCome(sql`${userId}::uuid`)} as "mayCome"`);
  return found?.mayCome ?? false;
}

type OpenMoney = {
  due: string;
  sent: string;
  unallocated: string;
  needsAccount: boolean;
  isPending: boolean;
  undecided: string | null;
};

/**
 * An account stands until its money is settled: what is due or on its way, a payment under review, money that is
 * unallocated, a farm whose round isn't decided, lots that are held, and a change of holder that runs. The money is
 * read in one statement, because it moves from one to the other.
 */
export async function findOpenAffair(db: DbOrTx, userId: string, now: Date): Promise<string | null> {
  const [money] = await rows<OpenMoney>(
    db,
    sql`with own as (select * from project_payments where user_id = ${userId})
      select
        (select coalesce(sum(amount_kobo), 0)::text from payouts
          where user_id = ${userId} and state in ('waiting', 'due', 'in_run')) as due,
        (select coalesce(sum(amount_kobo), 0)::text from payouts where user_id = ${userId} and state = 'sent') as sent,
        exists (select from payouts where user_id = ${userId} and state = 'waiting') as "needsAccount",
        (select coalesce(-sum(e.amount_kobo), 0)::text from ledger_entries e join own on own.id = e.payment_id
          where e.account = 'unallocated') as unallocated,
        exists (select from own where status = 'pending') as "isPending",
        (select j.title from own
            join project_rounds r on r.project_id = own.project_id and r.round = own.round and r.outcome is null
            join projects j on j.id = own.project_id
          where own.status = 'approved' order by own.id limit 1) as undecided`,
  );
  if (!money) throw new Error("no money was read");
  const [due, sent, unallocated] = [BigInt(money.due), BigInt(money.sent), BigInt(money.unallocated)];
  const dueText = money.needsAccount ? accountTexts.moneyDue : accountTexts.moneyComing;
  if (due > 0n) return dueText(formatNaira(due));
  if (sent > 0n) return accountTexts.moneyOnItsWay(formatNaira(sent));
  if (money.isPending) return accountTexts.paymentPending;
  if (unallocated > 0n) return accountTexts.moneyUnallocated(formatNaira(unallocated));
  if (money.undecided !== null) return accountTexts.farmUndecided(money.undecided);
  const isHeld = and(eq(holds.userId, userId), standsAt(now));
  if ((await db.$count(holds, isHeld)) > 0) return accountTexts.lotsHeld;
  const changesUntil = await findRunningEnd(db, userId);
  return changesUntil && holderChangeTexts.keepsOpen(changesUntil);
}

const usersPageSize = 25;

/** All people except administrators, newest first, without closed accounts. */
export async function listUsers({ db }: ActorContext, { search, cursor }: z.output<typeof listUsersInput>) {
  const { id, fullName, email, isBlocked, createdAt, lastActivityAt } = users;
  const columns = { id, fullName, email, isBlocked, createdAt, lastActivityAt };
  const inList = and(eq(users.isAdmin, false), isNull(users.closedAt), cursor ? afterUser(cursor) : undefined);
  const by = [desc(createdAt), asc(id)];
  const found = await db
    .select(columns)
    .from(users)
    .where(and(inList, named(search)))
    .orderBy(...by)
    .limit(usersPageSize + 1);
  return pageOf(found, usersPageSize, (last) => encodeCursor([last.createdAt.getTime(), last.id]));
}

/** People whose name or address contains the term; all without a term. */
const named = (term: string) =>
  term === "" ? undefined : or(contains(users.fullName, term), contains(users.email, term));

function afterUser(cursor: string) {
  const [createdAt, id] = decodeCursor(cursor, ["moment", "uuid"]);
  const at = sql`${createdAt.toISOString()}::timestamptz`;
  return sql`(${users.createdAt} <= ${at} and (${users.createdAt} < ${at} or ${users.id} > ${id}::uuid))`;
}

/** The data of /admin/user-projects/{userId}. Throws "User not found". */
export async function describeUser({ db }: ActorContext, { userId }: { userId: string }) {
  const { id, fullName, email, isAdmin, isBlocked, closedAt, createdAt, lastActivityAt } = users;
  const [user] = await db
    .select({ id, fullName, email, isAdmin, isBlocked, closedAt, createdAt, lastActivityAt })
    .from(users)
    .where(eq(id, userId));
  if (!user) throw new AppError("not_found", adminTexts.userNotFound);
  return user;
}

const backedPageSize = 25;

const latestBacking = latestFirst(projectBackings.createdAt, projectBackings.id, "bigint");

/** A person's backed projects, latest first. */
export async function listBackedProjects({ db }: ActorContext, input: z.output<typeof backedProjectsInput>) {
  const found = await db
    .select({
      backingId: projectBackings.id,
      backedAt: projectBackings.createdAt,
      id: projects.id,
      title: projects.title,
      category: projects.category,
      fundingGoalKobo: projects.fundingGoalKobo,
      currentFundingKobo: projects.currentFundingKobo,
      isClosed: projects.isClosed,
    })
    .from(projectBackings)
    .innerJoin(projects, eq(projects.id, projectBackings.projectId))
    .where(and(eq(projectBackings.userId, input.userId), latestBacking.after(input.cursor)))
    .orderBy(...latestBacking.by)
    .limit(backedPageSize + 1);
  return pageOf(found, backedPageSize, (last) => latestBacking.cursorOf(last.backedAt, last.backingId));
}

/**
 * Finds possible backers by a part of name or address for a picker, and whether there are more. Blocked people and
 * closed accounts are left out.
 */
export async function searchForPicker({ db }: ActorContext, { search }: { search: string }) {
  const columns = { id: users.id, fullName: users.fullName, email: users.email };
  const inList = and(eq(users.isBlocked, false), isNull(users.closedAt));
  const found = await db
    .select(columns)
    .from(users)
    .where(and(inList, named(search)))
    .orderBy(asc(users.email))
    .limit(backingLimits.picked + 1);
  return { people: found.slice(0, backingLimits.picked), hasMore: found.length > backingLimits.picked };
}
