import { sql } from "drizzle-orm";
import { areTwoOwnersAt } from "#server/accounts/owners/who-may-confirm.ts";
import { lockBank } from "#server/books/locks.ts";
import { type PaymentMoney, placesOf, readMoney, readMoneyOf } from "#server/books/places.ts";
import { hasStatements } from "#server/books/statements.ts";
import { type DbOrTx, rows, type Tx } from "#server/db/open.ts";
import { readSecondPersonAmount, secondPersonValue } from "#server/features/settings/queries.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError, fieldRefusal } from "#server/platform/errors.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { paymentLimits, paymentTexts } from "#shared/payments/texts.ts";
import { approvePaymentTexts } from "#shared/second-person/texts.ts";

/**
 * The rules of an approval once bank statements are imported. It takes nothing where the bank shows the money, a reason
 * where it doesn't, and a second person where much of it isn't shown. Without statements an owner's judgement of the
 * receipt is enough.
 */

/** The condition that the viewer has to meet for an approval. */
export type ApprovalNeed = "nothing" | "reason" | "second_person";

/** The limit of what one owner approves unseen, and what they have approved so alone in the last 30 days. */
export type UnseenLimit = { limitKobo: Kobo; usedKobo: Kobo };

/** Two acts of one owner at once each see what the other one adds. */
export async function lockUnseenLimit(tx: Tx, { actor }: Pick<ActorContext, "actor">): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`unseen-approvals:${actor.id}`}, 0))`);
}

/**
 * Reads how much of the limit the caller has used; null for a single owner, who has none. They used what they approved
 * unseen, by the audit log, even if a line has shown it since; and what is missing of approved payments whose match
 * they undid. `except` is a payment whose money is about to be taken from it: the caller counts what it will miss.
 */
export async function findUnseenLimit(
  db: DbOrTx,
  { actor, clock }: Pick<ActorContext, "actor" | "clock">,
  { except = 0 }: { except?: number } = {},
): Promise<UnseenLimit | null> {
  const now = sql`${clock.now().toISOString()}::timestamptz`;
  const isTheirs = sql`user_id = ${actor.id} and created_at > ${now} - ${paymentLimits.unseenDays}::int * interval '1 day'
    and not details ? 'requestId'`;
  const [found] = await rows<UnseenRow>(
    db,
    sql`select ${areTwoOwnersAt(now)} as "areTwoOwners", ${secondPersonValue} as "secondPerson", (
        select coalesce(sum((details->>'missingKobo')::bigint - (details->>'writtenOffKobo')::bigint), 0)::text
        from audit_logs where action_type = 'update_payment_status' and ${isTheirs}
          and details->>'after' = 'approved' and details ? 'unseenReason'
      ) as "approvedKobo", (
        select coalesce(json_agg(id), '[]') from project_payments where status = 'approved' and id <> ${except} and id in (
          select (details->>'paymentId')::bigint from audit_logs where action_type = 'undo_match' and ${isTheirs}
        )
      ) as "undoneIds"`,
  );
  if (!found?.areTwoOwners) return null;
  const undone = [...(await readMoneyOf(db, found.undoneIds)).values()];
  const undoneKobo = undone.reduce((sum, money) => sum + placesOf(money).missingKobo, 0n);
  return {
    limitKobo: readSecondPersonAmount(found.secondPerson),
    usedKobo: BigInt(found.approvedKobo) + undoneKobo,
  };
}

type UnseenRow = { areTwoOwners: boolean; secondPerson: string | null; approvedKobo: string; undoneIds: number[] };

/** A missing rest that is so small that an approval writes it off, in kobo: somebody's bank kept it. */
export function smallRestOf(money: PaymentMoney): Kobo {
  const { missingKobo } = placesOf(money);
  return money.arrivedKobo > 0n && missingKobo <= paymentLimits.smallRestKobo ? missingKobo : 0n;
}

/**
 * Says what an approval of this money needs where statements are imported. Earlier unseen approvals count towards the
 * limit.
 */
export function approvalNeed(money: PaymentMoney, limit: UnseenLimit | null): ApprovalNeed {
  const unseenKobo = placesOf(money).missingKobo - smallRestOf(money);
  if (unseenKobo === 0n) return "nothing";
  return limit !== null && limit.usedKobo + unseenKobo >= limit.limitKobo ? "second_person" : "reason";
}

/** A second person's confirmation: the payment's missing rest is written off, or stays in transit. */
export type ConfirmedApproval = { requestId: number; writtenOffKobo: Kobo; unseenReason: string };

/**
 * The terms of an approval: the payment's money before it, the sum written off, the small surplus that is kept, and the
 * facts for the audit entry.
 */
export type Approval = {
  money: PaymentMoney;
  writtenOffKobo: Kobo;
  keptKobo: Kobo;
  audit: Record<string, string | number>;
};

/**
 * Weighs what the bank shows of a payment. Shares the bank's lock, so that no first statement comes between. Throws
 * "invalid" for a missing reason, and "conflict" where a second person is needed or the confirmed rest has changed.
 */
export async function weighApproval(
  tx: Tx,
  ctx: ActorContext,
  {
    payment,
    ...given
  }: {
    payment: { id: number };
    unseenReason: string | undefined;
    confirmed: ConfirmedApproval | undefined;
  },
): Promise<Approval> {
  await lockBank(tx, "share");
  const money = await readMoney(tx, payment);
  const { keptKobo } = placesOf({ ...money, isApproved: true });
  const kept = keptKobo > 0n && { keptKobo: keptKobo.toString() };
  if (!(await hasStatements(tx))) return { money, writtenOffKobo: 0n, keptKobo, audit: { ...kept } };
  const { missingKobo } = placesOf(money);
  const { confirmed } = given;
  if (confirmed) requireRest(money, confirmed.writtenOffKobo);
  const writtenOffKobo = confirmed?.writtenOffKobo || smallRestOf(money);
  await lockUnseenLimit(tx, ctx);
  const limit = confirmed ? null : await findUnseenLimit(tx, ctx);
  const need = approvalNeed(money, limit);
  const unseenReason = confirmed?.unseenReason ?? given.unseenReason;
  if (need === "second_person") {
    const { limitKobo, usedKobo } = limit ?? { limitKobo: 0n, usedKobo: 0n };
    throw new AppError("conflict", paymentTexts.needsSecondPerson(formatNaira(limitKobo), formatNaira(usedKobo)));
  }
  if (need === "reason" && !unseenReason) throw fieldRefusal("unseenReason", paymentTexts.unseenReasonMissing);
  return {
    money,
    writtenOffKobo,
    keptKobo,
    audit: {
      ...kept,
      arrivedKobo: money.arrivedKobo.toString(),
      missingKobo: missingKobo.toString(),
      writtenOffKobo: writtenOffKobo.toString(),
      ...(need === "nothing" || unseenReason === undefined ? {} : { unseenReason }),
      ...(confirmed && { requestId: confirmed.requestId }),
    },
  };
}

/** A rest is written off as a whole, of a payment of which something has arrived. Throws "conflict". */
export function requireRest(money: PaymentMoney, writtenOffKobo: Kobo): void {
  if (writtenOffKobo === 0n) return;
  if (money.arrivedKobo === 0n) throw new AppError("conflict", approvePaymentTexts.nothingArrived);
  if (placesOf(money).missingKobo !== writtenOffKobo) throw new AppError("conflict", approvePaymentTexts.restChanged);
}
