import { and, asc, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { z } from "zod";
import { rows } from "#server/db/open.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { payeeAccounts, payoutRunLines, payouts } from "#server/db/schema/payouts.ts";
import { paymentStrikes } from "#server/db/schema/strikes.ts";
import { isCurrentOf } from "#server/features/payouts/payees/service.ts";
import { isNameUnlike } from "#server/features/payouts/queries.ts";
import { isOverdue, isWithheld } from "#server/features/payouts/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { isNumberUnusual } from "#shared/bank/nigerian-banks.ts";
import type { checkPayeeAccountInput } from "#shared/payouts/payee-accounts.ts";
import { maskedAccount } from "#shared/payouts/payee-accounts-texts.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";

/** Returns what is unusual about an account that the caller is about to give. None of it refuses the account. */
export async function checkAccount({ db, actor }: ActorContext, account: z.output<typeof checkPayeeAccountInput>) {
  const [compared] = await rows<{ isUnlike: boolean }>(
    db,
    sql`select ${isNameUnlike(sql`${account.accountName}::text`, sql`${actor.fullName}::text`)} as "isUnlike"`,
  );
  return {
    isNameUnlike: compared?.isUnlike ?? false,
    isNumberUnusual: isNumberUnusual(account),
  };
}

/** The number of payouts that a person sees: those that are open or on their way come first. */
const shownPayouts = 200;

/**
 * Returns the caller's payouts, the newest sum first and its parts in their order, and the account that they go to. Account
 * numbers are masked.
 */
export async function findMyMoney({ db, actor, clock }: ActorContext) {
  const [account] = await db
    .select()
    .from(payeeAccounts)
    .where(isCurrentOf({ userId: actor.id }));
  const now = clock.now();
  const paidTo = alias(payeeAccounts, "paid_to");
  const replaced = alias(payouts, "replaced");
  const found = await db
    .select({
      payout: payouts,
      isOverdue: isOverdue(now),
      paidTo,
      isWithheld,
      isStruck: sql<boolean>`exists (select from settlement_strikes k where k.payout_id = ${payouts.id})`,
      replaced: { id: replaced.id, reason: replaced.failedReason, refusalRequestId: replaced.refusalRequestId },
    })
    .from(payouts)
    .leftJoin(payoutRunLines, and(eq(payoutRunLines.payoutId, payouts.id), eq(payoutRunLines.runId, payouts.runId)))
    .leftJoin(paidTo, eq(paidTo.id, payoutRunLines.payeeAccountId))
    .leftJoin(replaced, eq(replaced.id, payouts.replacesId))
    .where(and(eq(payouts.userId, actor.id), sql`${payouts.state} <> 'cancelled'`))
    .orderBy(
      sql`${payouts.state} in ('paid', 'failed')`,
      desc(payouts.refundId),
      desc(payouts.settlementId),
      desc(payouts.returnId),
      asc(payouts.part),
      desc(payouts.id),
    )
    .limit(shownPayouts);
  const failedIds = found.flatMap(({ payout, replaced: before }) => [
    ...(payout.state === "failed" ? [payout.id] : []),
    ...(before ? [before.id] : []),
  ]);
  const returned = await findReturned(db, failedIds);
  const shown = found.map(
    ({ payout, isOverdue: isLate, isWithheld: isHeld, isStruck, paidTo: went, replaced: before }) => {
      const { id, kind, state, projectTitle, amountKobo, reference, part, parts, createdAt } = payout;
      const { promisedBy, sentAt, paidAt, failedAt, failedReason } = payout;
      return {
        id,
        kind,
        state,
        projectTitle,
        amountKobo,
        createdAt,
        promisedBy,
        sentAt,
        paidAt,
        failedAt,
        reference: payoutTexts.part(reference, part, parts),
        isOverdue: isLate,
        paidTo: went && maskedAccount(went),
        /** Null unless the bank gave it back; what owners wrote of one that never left is theirs. */
        returnedFor: returned.has(id) ? failedReason : null,
        /** Our bank refused it, so it never left. */
        isRefused: payout.refusalRequestId !== null,
        isWithheld: isHeld,
        /** It isn't paid again, because its payment was struck. */
        isStruck,
        /** The failure of an earlier payout of this sum, with the bank's reason if it came back. */
        failedBefore: before && {
          returnedFor: returned.has(before.id) ? before.reason : null,
          isRefused: before.refusalRequestId !== null,
        },
      };
    },
  );
  return {
    sums: await sumMyMoney(db, actor.id),
    struck: await listStruck(db, actor.id),
    account: account
      ? {
          masked: maskedAccount(account),
          bankCode: account.bankCode,
          accountName: account.accountName,
          usableFrom: account.usableFrom,
          isUsable: account.usableFrom <= now,
        }
      : null,
    payouts: shown,
  };
}

/** A person's payments that two owners struck, the newest first. */
const listStruck = (db: ActorContext["db"], userId: string) =>
  db
    .select({
      id: projectPayments.id,
      projectTitle: projectPayments.projectTitle,
      amountKobo: projectPayments.amountKobo,
      reference: projectPayments.reference,
      struckAt: paymentStrikes.createdAt,
      reason: paymentStrikes.reason,
    })
    .from(paymentStrikes)
    .innerJoin(projectPayments, eq(projectPayments.id, paymentStrikes.paymentId))
    .where(eq(paymentStrikes.userId, userId))
    .orderBy(desc(paymentStrikes.id))
    .limit(shownPayouts);

/**
 * Sums what a person paid for the lots that they have, what was paid to their bank, and what is due to them or on its
 * way.
 */
async function sumMyMoney(db: ActorContext["db"], userId: string) {
  const [sums] = await rows<{ paid: string; paidBack: string; due: string }>(
    db,
    sql`select
        (select coalesce(sum(amount_kobo), 0) from project_payments where user_id = ${userId} and status = 'approved'
          and not exists (select from payment_strikes k where k.payment_id = project_payments.id))::text as paid,
        coalesce(sum(amount_kobo) filter (where state = 'paid'), 0)::text as "paidBack",
        coalesce(sum(amount_kobo) filter (where state in ('waiting', 'due', 'in_run', 'sent')), 0)::text as due
      from payouts where user_id = ${userId}`,
  );
  return {
    paidKobo: BigInt(sums?.paid ?? 0),
    paidBackKobo: BigInt(sums?.paidBack ?? 0),
    dueKobo: BigInt(sums?.due ?? 0),
  };
}

/** Which of these failed payouts a line of the bank's statement shows as come back. */
async function findReturned(db: ActorContext["db"], ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const isReturned = and(eq(lineMatches.kind, "returned"), isNull(lineMatches.undoneAt));
  const found = await db
    .select({ id: lineMatches.payoutId })
    .from(lineMatches)
    .where(and(inArray(lineMatches.payoutId, ids), isReturned));
  return new Set(found.flatMap(({ id }) => id ?? []));
}
