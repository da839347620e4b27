import { desc, eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { readRoundMoney } from "#server/books/rounds.ts";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { payouts, roundReturns } from "#server/db/schema/payouts.ts";
import { users } from "#server/db/schema/users.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { byLargestRemainder } from "#shared/harvests/arithmetic.ts";
import type { Kobo } from "#shared/money.ts";
import type { returnToBackersDetails } from "#shared/payouts/returns.ts";
import { roundReturnTexts as texts } from "#shared/payouts/returns-texts.ts";

/** Returns to backers: the sums that one would pay, and those that were made. */

type Details = z.output<typeof returnToBackersDetails>;
export type Asked = Omit<Details, "amountKobo"> & { amountKobo: Kobo };

export const askedBy = ({ amountKobo, ...round }: Details): Asked => ({ ...round, amountKobo: BigInt(amountKobo) });

/** A part of a return: the payment that it is of, and whose that is. */
type Part = { paymentId: number; userId: string; amountKobo: Kobo };

/** Divides a return among the payments, in their order. Throws "conflict" if it can't be made. */
export async function divideReturn(
  db: DbOrTx,
  { projectId, round, amountKobo }: Asked,
): Promise<{ projectTitle: string; parts: Part[] }> {
  const { releasableKobo } = await readRoundMoney(db, { projectId, round });
  if (amountKobo > releasableKobo) throw new AppError("conflict", texts.moreThanThere(releasableKobo));
  const paid = await listPaid(db, { projectId, round });
  if (paid.some(({ isUndecided }) => isUndecided)) throw new AppError("conflict", texts.notFunded);
  const amounts = byLargestRemainder(
    amountKobo,
    paid.map(({ seenKobo }) => BigInt(seenKobo)),
  );
  const parts = paid.map(({ paymentId, userId }, place) => ({
    paymentId: Number(paymentId),
    userId,
    amountKobo: amounts[place] ?? 0n,
  }));
  return { projectTitle: paid[0]?.projectTitle ?? "", parts: parts.filter((part) => part.amountKobo > 0n) };
}

type Paid = {
  paymentId: string;
  userId: string;
  projectTitle: string;
  seenKobo: string;
  isUndecided: boolean;
};

/**
 * The approved payments of a round with their holders and what the bank showed of each, also of a project that was
 * deleted since.
 */
async function listPaid(db: DbOrTx, { projectId, round }: Omit<Asked, "amountKobo">): Promise<Paid[]> {
  const paid = await rows<Paid>(
    db,
    sql`select a.payment_id::text as "paymentId", p.user_id as "userId", a.project_title as "projectTitle",
        (r.project_id is not null and r.outcome is null) as "isUndecided",
        (-f.amount_kobo - coalesce((select sum(e.amount_kobo) from ledger_entries e
          where e.payment_id = a.payment_id and e.account in ('in_transit', 'receivable')), 0)
          - coalesce((select lost_kobo from payment_strikes k where k.payment_id = a.payment_id), 0))::text as "seenKobo"
      from ledger_transactions a join project_payments p on p.id = a.payment_id
        join ledger_entries f on f.transaction_id = a.id and f.account = 'project_funding'
        left join project_rounds r on r.project_id = a.project_id and r.round = a.round
      where a.kind = 'approval' and a.project_id = ${projectId} and a.round = ${round}
        and not exists (select from ledger_transactions v where v.reverses_id = a.id)
      order by a.payment_id`,
  );
  if (paid.every(({ seenKobo }) => BigInt(seenKobo) <= 0n)) throw new AppError("conflict", texts.nobody);
  return paid;
}

/** "12 backers get between ₦1,000 and ₦5,000, by what each paid." A person with several payments is one backer. */
export function dividedText(parts: readonly Part[]): string {
  const sums = new Map<string, Kobo>();
  for (const { userId, amountKobo } of parts) sums.set(userId, (sums.get(userId) ?? 0n) + amountKobo);
  const amounts = [...sums.values()].sort((one, two) => (one < two ? -1 : one > two ? 1 : 0));
  return texts.divided(amounts.length, amounts[0] ?? 0n, amounts.at(-1) ?? 0n);
}

/** Describes in words who would get how much of a return. Throws what {@link divideReturn} does. */
export async function previewReturn({ db }: ActorContext, details: Details): Promise<{ text: string }> {
  const { parts } = await divideReturn(db, askedBy(details));
  return { text: dividedText(parts) };
}

/**
 * Reads what returns owe for a payment: what ends if they are taken back, what is in a run before its export, and what
 * stays due because others were paid already.
 */
export async function readReturnsDue(
  db: DbOrTx,
  paymentId: number,
): Promise<{ openKobo: Kobo; inRunKobo: Kobo; stayingKobo: Kobo }> {
  const [found] = await rows<{ open: string; inRun: string; staying: string }>(
    db,
    sql`select coalesce(sum(amount_kobo) filter (where is_open), 0)::text as open,
        coalesce(sum(amount_kobo) filter (where state = 'in_run'), 0)::text as "inRun",
        coalesce(sum(amount_kobo) filter (where not is_open and state <> 'in_run'), 0)::text as staying
      from (
        select o.amount_kobo, o.state, not exists (
          select from payouts s where s.return_id = o.return_id and s.state not in ('waiting', 'due', 'failed', 'cancelled')
        ) as is_open
        from payouts o where o.kind = 'returned' and o.payment_id = ${paymentId} and o.state in ('waiting', 'due', 'in_run')
      ) due`,
  );
  return {
    openKobo: BigInt(found?.open ?? 0),
    inRunKobo: BigInt(found?.inRun ?? 0),
    stayingKobo: BigInt(found?.staying ?? 0),
  };
}

/** The returns of a project's rounds, the newest first. */
export async function listReturns({ db }: ActorContext, { projectId }: { projectId: number }) {
  const isOpen = sql<boolean>`not exists (select from ${payouts} where ${payouts.returnId} = ${roundReturns.id}
    and ${payouts.state} not in ('waiting', 'due', 'failed', 'cancelled'))`;
  return db
    .select({
      id: roundReturns.id,
      round: roundReturns.round,
      amountKobo: roundReturns.amountKobo,
      reason: roundReturns.reason,
      madeByName: users.fullName,
      createdAt: roundReturns.createdAt,
      takenBackAt: roundReturns.takenBackAt,
      takenBackReason: roundReturns.takenBackReason,
      backers: sql<number>`(select count(distinct ${payouts.userId})::int from ${payouts}
        where ${payouts.returnId} = ${roundReturns.id})`,
      /** Two owners may take it back: nothing of it is in a run or was sent. */
      canBeTakenBack: sql<boolean>`${roundReturns.takenBackAt} is null and ${isOpen}`,
    })
    .from(roundReturns)
    .leftJoin(users, eq(users.id, roundReturns.madeBy))
    .where(eq(roundReturns.projectId, projectId))
    .orderBy(desc(roundReturns.id));
}
