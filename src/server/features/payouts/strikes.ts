import { and, asc, eq, inArray, ne, or, type SQLWrapper, sql } from "drizzle-orm";
import { postStruckPayout, type StruckShare } from "#server/books/events/strikes.ts";
import { lockTaxes } from "#server/books/locks.ts";
import { type Backer, readStruckShares } from "#server/books/struck.ts";
import type { Tx } from "#server/db/open.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { paymentStrikes, settlementStrikes } from "#server/db/schema/strikes.ts";
import { type NotifyDeps, notify } from "#server/features/notifications/service.ts";
import { replaceStatements } from "#server/features/papers/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { Kobo } from "#shared/money.ts";
import { struckPayoutNotice } from "./emails.ts";
import { lowerPayouts, type Payout } from "./service.ts";

/**
 * The payouts that the strike of a payment concerns. A settlement's are lowered: those waiting or due at the strike,
 * those that left their run before and are still due to who held the payment then, and those that were in a run, and
 * come back, are refused by the bank, or leave it. A return's that does is withheld.
 */

/** The holder of a struck payment, and the backing that it counted for. */
type StruckBacker = Backer & { backingId: number | null };

/** Condition of a settlement's payouts for a backing, whoever holds or held it. */
export const isOfBacking = (backingId: number | null | SQLWrapper) => sql`exists (
  select from settlement_parts q where q.settlement_id = ${payouts.settlementId} and q.backing_id = ${backingId}
    and q.user_id = coalesce(${payouts.formerUserId}, ${payouts.userId}))`;

/**
 * Condition of what settlements owe to who held a payment before: it was in a run when the lots passed on, and left it
 * since.
 */
export const isDueToFormerHolder = ({ projectId, round, userId, backingId }: StruckBacker) =>
  and(
    eq(payouts.kind, "harvest"),
    eq(payouts.projectId, projectId),
    eq(payouts.round, round),
    inArray(payouts.state, ["waiting", "due"]),
    ne(payouts.userId, userId),
    isOfBacking(backingId),
  );

/** A payout of a settlement for a backing of which a payment was struck. */
type StruckPayout = Backer & { settlementId: number; settledFor: string; payoutId: number; projectTitle: string };

/**
 * Finds those of some locked payouts that a strike may concern: one for each settlement, person and former holder. Locks
 * what else the settlements owe these people for the same backings, and the taxes. Whoever makes payouts due again does
 * so before they lock runs.
 */
export async function lockStruckPayouts(tx: Tx, some: readonly Payout[]): Promise<StruckPayout[]> {
  const ofHarvests = some.flatMap(({ id, settlementId, projectId, round, userId, formerUserId, projectTitle, kind }) =>
    kind === "harvest" && settlementId !== null && projectId !== null && round !== null && userId !== null
      ? [{ payoutId: id, settlementId, projectId, round, userId, settledFor: formerUserId ?? userId, projectTitle }]
      : [],
  );
  if (ofHarvests.length === 0) return [];
  const struckIds = await tx
    .selectDistinct({ id: payouts.id })
    .from(payouts)
    .innerJoin(
      paymentStrikes,
      and(eq(paymentStrikes.projectId, payouts.projectId), eq(paymentStrikes.round, payouts.round)),
    )
    .where(
      and(
        inArray(
          payouts.id,
          ofHarvests.map(({ payoutId }) => payoutId),
        ),
        isOfBacking(paymentStrikes.backingId),
      ),
    );
  const isStruck = ({ payoutId }: StruckPayout) => struckIds.some(({ id }) => id === payoutId);
  const struck = new Map<string, StruckPayout>();
  for (const one of ofHarvests) {
    const key = `${one.settlementId} ${one.userId} ${one.settledFor}`;
    if (isStruck(one) && !struck.has(key)) struck.set(key, one);
  }
  if (struck.size === 0) return [];
  const isTheirs = or(
    ...[...struck.values()].map((one) =>
      and(
        eq(payouts.settlementId, one.settlementId),
        eq(payouts.userId, one.userId),
        sql`coalesce(${payouts.formerUserId}, ${payouts.userId}) = ${one.settledFor}`,
      ),
    ),
  );
  await tx.select({ id: payouts.id }).from(payouts).where(isTheirs).orderBy(asc(payouts.id)).for("update");
  await lockTaxes(tx);
  return [...struck.values()];
}

/** The strike, and after it the payout, by which sums of settlements go back to the proceeds. */
type Cause = { strikeId: number; payoutId: number | null; projectTitle: string; at: Date };

/** Lowers the payouts of settlements by what was taken out of them. The caller has locked them, and posts it. */
export async function lowerStruck(
  tx: Tx,
  { projectId, round, userId }: Backer,
  { takenOut, strikeId, payoutId, projectTitle, at }: Cause & { takenOut: readonly StruckShare[] },
): Promise<void> {
  for (const { harvestId: _harvestId, settledFor, ...taken } of takenOut) {
    const { settlementId, netKobo } = taken;
    const formerUserId = settledFor === userId ? null : settledFor;
    await tx.insert(settlementStrikes).values({ strikeId, payoutId, ...taken, createdAt: at });
    const about = { kind: "harvest" as const, settlementId, projectId, projectTitle, round, userId, formerUserId, at };
    const loweredKobo = await lowerPayouts(tx, { ...about, byKobo: netKobo });
    if (loweredKobo !== netKobo) throw new Error(`settlement ${settlementId} owes less than was locked`);
  }
}

/** Whoever takes a step of a payout, with what it needs to audit it and to tell people. */
export type By = NotifyDeps & Parameters<typeof recordAudit>[1] & { actor: { id: string } };

/**
 * Takes what is due again out of its settlement, as far as strikes say so, and tells its person. The caller has made it
 * due again and does nothing afterwards but tell people. Returns the sum for each settlement.
 */
export async function takeOutStruckPayouts(
  tx: Tx,
  by: By,
  struck: readonly StruckPayout[],
): Promise<Map<number, Kobo>> {
  const at = by.clock.now();
  const sums = new Map<number, Kobo>();
  for (const { settlementId, settledFor, payoutId, projectTitle, ...backer } of struck) {
    const takenOut = await readStruckShares(tx, backer, { amountKobo: 0n, only: { settlementId, settledFor } });
    const [taken] = takenOut;
    if (!taken) continue;
    const strikeId = await findLastStrike(tx, backer, taken.backingId);
    await lowerStruck(tx, backer, { takenOut, strikeId, payoutId, projectTitle, at });
    await postStruckPayout(tx, { payoutId, taken, actorId: by.actor.id, at });
    const { projectId, round, userId } = backer;
    const amountKobo = taken.netKobo;
    await recordAudit(tx, by, "take_out_struck_payout", {
      payoutId,
      settlementId,
      strikeId,
      projectId,
      projectTitle,
      round,
      backerId: userId,
      amountKobo: amountKobo.toString(),
    });
    await replaceStatements(tx, takenOut, at);
    await notify(tx, by, {
      ...struckPayoutNotice({ site: by.site.current(), projectTitle, amountKobo }),
      userIds: [userId],
      kind: "payment_status",
      projectId: null,
      eventKey: `payout:${payoutId}:struck`,
    });
    sums.set(settlementId, amountKobo);
  }
  return sums;
}

/**
 * Takes out, after a strike, what settlements owe to who held its payment before, and tells them. The caller has locked
 * that, and posted the strike.
 */
export async function takeOutOfFormerHolders(tx: Tx, by: By, struck: StruckBacker): Promise<void> {
  const due = await tx.select().from(payouts).where(isDueToFormerHolder(struck)).orderBy(asc(payouts.id));
  await takeOutStruckPayouts(tx, by, await lockStruckPayouts(tx, due));
}

/**
 * Returns the columns that withhold payouts' replacements until two owners let them go: they return money of a payment
 * that was struck while they were on their way. Keyed by the id of the payout that came back or was refused.
 */
export async function readWithheldByStrike(tx: Tx, some: readonly Payout[], at: Date) {
  const returned = some.filter(({ kind }) => kind === "returned");
  const paymentIds = returned.flatMap(({ paymentId }) => paymentId ?? []);
  if (paymentIds.length === 0) return new Map<number, never>();
  const strikes = await tx.select().from(paymentStrikes).where(inArray(paymentStrikes.paymentId, paymentIds));
  return new Map(
    returned.flatMap(({ id, paymentId }) => {
      const strike = strikes.find((one) => one.paymentId === paymentId);
      if (!strike) return [];
      return [[id, { withheldAt: at, withheldBy: strike.struckBy, withheldReason: strike.reason }] as const];
    }),
  );
}

async function findLastStrike(tx: Tx, { projectId, round }: Backer, backingId: number): Promise<number> {
  const isOf = and(
    eq(paymentStrikes.projectId, projectId),
    eq(paymentStrikes.round, round),
    eq(paymentStrikes.backingId, backingId),
  );
  const [found] = await tx
    .select({ id: sql<string>`max(${paymentStrikes.id})` })
    .from(paymentStrikes)
    .where(isOf);
  if (!found) throw new Error("a payout is struck without a strike");
  return Number(found.id);
}
