import { type SQL, sql } from "drizzle-orm";
import { isCodeAsked } from "#server/accounts/second-factor.ts";
import { type DbOrTx, rows } from "#server/db/open.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { requireProof } from "#server/platform/procedures.ts";
import { hourMs } from "#shared/lagos-time.ts";
import { ownerLimits, secondPersonTexts as texts } from "#shared/second-person/texts.ts";
import { momentOf, recentTerms } from "./owner-terms.ts";

/**
 * Two people are two people also where one of them could make the other: a
 * second person counts who has been an owner for 72 hours, and an owner is alone only a week after everybody else left.
 */

type Standing = {
  /** Since when a person has been an owner without a break; null for who is none. */
  since: (userId: string) => Date | null;
  /** The last moment at which anybody else was an owner: now, while somebody is; null where there never was one. */
  lastOther: (userId: string) => Date | null;
  /** True until the site's first payment is approved. */
  isNewSite: boolean;
};

async function readStanding(db: DbOrTx, now: Date): Promise<Standing> {
  const terms = await rows<{ userId: string; since: string; until: string | null }>(
    db,
    sql`select user_id as "userId", since::text, until::text from (${recentTerms(momentOf(now))}) recent`,
  );
  const [site] = await rows<{ isNew: boolean }>(
    db,
    sql`select not exists (select from ledger_transactions where kind = 'approval') as "isNew"`,
  );
  return {
    since: (userId) => {
      const open = terms.find((term) => term.userId === userId && term.until === null);
      return open ? new Date(open.since) : null;
    },
    lastOther: (userId) => {
      const ends = terms.filter((term) => term.userId !== userId).map(({ until }) => (until ? new Date(until) : now));
      return ends.length === 0 ? null : new Date(Math.max(...ends.map((end) => end.getTime())));
    },
    isNewSite: site?.isNew ?? false,
  };
}

/**
 * Returns the moment from which a person counts as one of two, if they don't yet; null if they do. On a new site every
 * owner counts at once.
 */
function findCountsFrom({ since, isNewSite }: Standing, userId: string, now: Date): Date | null {
  const began = since(userId);
  const counts = began && new Date(began.getTime() + ownerLimits.countsAfterHours * hourMs);
  if (counts && (isNewSite || counts <= now)) return null;
  return counts ?? new Date(now.getTime() + ownerLimits.countsAfterHours * hourMs);
}

/**
 * Returns the reason why a person can't confirm what somebody made, in words, or null. Its maker may confirm it only if
 * nobody else was an owner within a week. Owners and their terms are read at the moment of confirming.
 */
export async function findConfirmRefusal(
  db: DbOrTx,
  { madeBy, userId, now }: { madeBy: string; userId: string; now: Date },
): Promise<string | null> {
  const standing = await readStanding(db, now);
  if (madeBy !== userId) {
    const [self, maker] = [findCountsFrom(standing, userId, now), findCountsFrom(standing, madeBy, now)];
    if (self) return texts.countsFrom(self);
    return maker && texts.makerCountsFrom(maker);
  }
  const other = standing.lastOther(userId);
  if (other === null) return null;
  if (other >= now) return texts.needsAnother;
  return texts.aloneFrom(new Date(other.getTime() + ownerLimits.aloneHours * hourMs));
}

/** Condition that there are two owners, or were within a week: then nobody is alone. */
export const areTwoOwnersAt = (now: SQL): SQL<boolean> =>
  sql<boolean>`(select count(distinct user_id) > 1 from (${recentTerms(now)}) recent)`;

/** Says whether there are two owners, or were within a week. */
export async function areTwoOwners(db: DbOrTx, now: Date): Promise<boolean> {
  const [found] = await rows<{ areTwo: boolean }>(db, sql`select ${areTwoOwnersAt(momentOf(now))} as "areTwo"`);
  return found?.areTwo ?? false;
}

/**
 * Nobody decides on their own money while there is, or was within a week, another owner; who is alone does so with the second
 * factor, asked for in the last minutes, and a written reason. Throws "forbidden", "proof_required", or "invalid".
 */
export async function refuseOwnMoney(
  db: DbOrTx,
  ctx: Pick<ActorContext, "actor" | "clock">,
  { userId, hasReason }: { userId: string | null; hasReason: boolean },
): Promise<void> {
  const { actor, clock } = ctx;
  if (userId !== actor.id) return;
  if (await areTwoOwners(db, clock.now())) throw new AppError("forbidden", texts.ownMoney);
  if (!hasReason) throw new AppError("forbidden", texts.ownMoneyAlone);
  if (!(await isCodeAsked(db, actor))) throw new AppError("forbidden", texts.needsFactor);
  requireProof(ctx);
}
