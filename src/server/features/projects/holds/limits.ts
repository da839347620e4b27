import { and, count, eq, gt, inArray, isNotNull, like, lte, ne, or, sql } from "drizzle-orm";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { holds, waitingList } from "#server/db/schema/holds.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { holdLimits, holdTexts } from "#shared/projects/holds-texts.ts";

/** Limits on a person's holds: the number of lots, and how often they may hold. */

/**
 * Throws "conflict" if the caller holds two others without a receipt, or has three holds that came to nothing, and
 * "rate_limited" if they held lots and joined waiting lists often today. Lapses are read here too: other rounds may have
 * some that no job has ended yet.
 */
export async function requireMayHold(tx: Tx, ctx: ActorContext, own?: { id: number }): Promise<void> {
  const now = ctx.clock.now();
  const isOther = own && ne(holds.id, own.id);
  const [open] = await tx
    .select({ total: count() })
    .from(holds)
    .where(
      and(isTakenBy(ctx.actor.id), eq(holds.hasReceipt, false), isOther, eq(holds.state, "live"), gt(holds.until, now)),
    );
  if ((open?.total ?? 0) >= holdLimits.open) throw new AppError("conflict", holdTexts.tooMany);
  const { pausedUntil } = await countVain(tx, ctx.actor.id, now);
  if (pausedUntil) throw new AppError("conflict", holdTexts.paused(pausedUntil));
  if ((await countToday(tx, ctx.actor.id, now)) >= holdLimits.perDay) {
    throw new AppError("rate_limited", holdTexts.tooManyToday);
  }
}

/** An offer that nobody took is no hold of theirs. */
const isTakenBy = (userId: string) => and(eq(holds.userId, userId), isNotNull(holds.reference));

/**
 * Counts the holds of a person that came to nothing within 30 days: they lapsed without a receipt, were released, or their
 * receipt was rejected. A hold that ends while its receipt is under review only counts if the receipt is rejected later.
 * The third within 30 days pauses holding for 30 days (`pausedUntil`), even after the first of them has left the window.
 */
export async function countVain(
  db: DbOrTx,
  userId: string,
  now: Date,
): Promise<{ total: number; pausedUntil: Date | null }> {
  const pauseMs = holdLimits.days * dayMs;
  const since = new Date(now.getTime() - pauseMs);
  const isOver = or(eq(holds.state, "lapsed"), and(eq(holds.state, "live"), lte(holds.until, now)));
  const isRejected = sql`(select ${projectPayments.status} from ${projectPayments}
    where ${projectPayments.reference} = ${holds.reference} order by ${projectPayments.id} desc limit 1) = 'rejected'`;
  const isVain = or(
    eq(holds.state, "released"),
    and(isOver, or(eq(holds.hasReceipt, false), isRejected)),
    and(inArray(holds.state, ["live", "lapsed"]), eq(holds.isExtended, true)),
  );
  const at = sql`coalesce(${holds.endedAt}, least(${holds.until}, ${now.toISOString()}::timestamptz))`;
  const vain = db
    .select({
      at: at.as("at"),
      thirdLast: sql`lag(${at}, ${holdLimits.lapsed - 1}::int) over (order by ${at})`.as("third_last"),
    })
    .from(holds)
    .where(
      and(isTakenBy(userId), isVain, sql`${at} > ${new Date(since.getTime() - pauseMs).toISOString()}::timestamptz`),
    )
    .as("vain");
  const isRecent = sql`${vain.at} > ${since.toISOString()}::timestamptz`;
  const isThird = sql`${vain.thirdLast} > ${vain.at} - make_interval(days => ${holdLimits.days}::int)`;
  const [found] = await db
    .select({ total: count(), pausing: sql`max(${vain.at}) filter (where ${isThird})`.mapWith(holds.endedAt) })
    .from(vain)
    .where(isRecent);
  const pausing = found?.pausing ?? null;
  return { total: found?.total ?? 0, pausedUntil: pausing && new Date(pausing.getTime() + pauseMs) };
}

/** Counts a person's new holds and entries on waiting lists within a day; each of them makes mails. */
async function countToday(tx: Tx, userId: string, now: Date): Promise<number> {
  const since = new Date(now.getTime() - dayMs);
  const isPlacing = and(eq(notifications.userId, userId), like(notifications.eventKey, "hold:%:held:%"));
  const placed = await tx.$count(notifications, and(isPlacing, gt(notifications.createdAt, since)));
  const joined = await tx.$count(waitingList, and(eq(waitingList.userId, userId), gt(waitingList.joinedAt, since)));
  return placed + joined;
}
