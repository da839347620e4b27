import { and, eq, isNull, notExists, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { z } from "zod";
import type { DbOrTx } from "#server/db/open.ts";
import { ledgerEntries } from "#server/db/schema/ledger.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { paymentReceipts, projectPayments } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { users } from "#server/db/schema/users.ts";
import { isStandingRefund, order, withRefundDue } from "#server/features/payments/queries.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { pageOf } from "#server/platform/keyset.ts";
import { shownName } from "#server/platform/names.ts";
import type { listSaidPaidInput } from "#shared/payments/inputs.ts";
import { paymentLimits } from "#shared/payments/texts.ts";

/** Returns true if a refund of the payment stands; the payment can't be approved meanwhile. */
export async function hasRefundDue(db: DbOrTx, paymentId: number): Promise<boolean> {
  const found = await db
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(eq(refunds.paymentId, paymentId), isStandingRefund))
    .limit(1);
  return found.length > 0;
}

/**
 * Returns true if some of the payment's money is its payer's only by one person's word, not by the bank's lines. Giving
 * any of it back then takes two: otherwise one owner could send an unknown sender's money to whom they please.
 */
export async function hasUnnamedMoney(db: DbOrTx, paymentId: number): Promise<boolean> {
  const isOfIt = and(eq(lineMatches.paymentId, paymentId), eq(lineMatches.kind, "payment"));
  const isUnnamed = and(isNull(lineMatches.undoneAt), eq(lineMatches.isNamed, false));
  return (await db.$count(lineMatches, and(isOfIt, isUnnamed))) > 0;
}

/**
 * "You say you paid": who sent a receipt for a payment that is rejected, or can't be approved any more, and of which nothing
 * has arrived as far as we know. Nobody is given money back by a receipt alone: two people have to see that it came.
 */

const later = alias(projectPayments, "later");

/** The list, the latest payment first. A project that was deleted goes by the title kept with the payment. */
export async function listSaidPaid(ctx: ActorContext, { cursor }: z.output<typeof listSaidPaidInput>) {
  const { db } = ctx;
  const { approvedLots, lots, outcome } = projectRounds;
  const isTaken = sql<boolean>`coalesce(${lots} - ${approvedLots} < ${projectPayments.lots}, false)`;
  const isLost = or(isNull(projects.id), sql`${outcome} in ('not_funded', 'written_off')`, isTaken);
  const refund = db.select({ id: refunds.id }).from(refunds).where(eq(refunds.paymentId, projectPayments.id));
  const line = db
    .select({ id: lineMatches.id })
    .from(lineMatches)
    .where(and(eq(lineMatches.paymentId, projectPayments.id), isNull(lineMatches.undoneAt)));
  const unallocated = db
    .select({ kobo: sql`1` })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.account, "unallocated"), eq(ledgerEntries.paymentId, projectPayments.id)))
    .having(sql`sum(${ledgerEntries.amountKobo}) <> 0`);
  // Who sent another receipt under the same reference made one transfer.
  const replacing = db
    .select({ id: later.id })
    .from(later)
    .where(and(eq(later.reference, projectPayments.reference), sql`${later.id} > ${projectPayments.id}`));
  const found = await db
    .select({
      id: projectPayments.id,
      backerName: shownName(users),
      projectId: projectPayments.projectId,
      projectTitle: sql<string>`coalesce(${projects.title}, ${projectPayments.projectTitle})`,
      amountKobo: projectPayments.amountKobo,
      reference: projectPayments.reference,
      status: projectPayments.status,
      rejectionReason: projectPayments.rejectionReason,
      submittedAt: projectPayments.createdAt,
      receiptSentAt: paymentReceipts.createdAt,
      roundLots: lots,
      roundOutcome: outcome,
      isProjectTaken: isTaken,
    })
    .from(projectPayments)
    .innerJoin(paymentReceipts, eq(paymentReceipts.id, projectPayments.currentReceiptId))
    .leftJoin(users, eq(users.id, projectPayments.userId))
    .leftJoin(projects, eq(projects.id, projectPayments.projectId))
    .leftJoin(
      projectRounds,
      and(eq(projectRounds.projectId, projectPayments.projectId), eq(projectRounds.round, projectPayments.round)),
    )
    .where(
      and(
        or(eq(projectPayments.status, "rejected"), and(eq(projectPayments.status, "pending"), isLost)),
        notExists(refund),
        notExists(line),
        notExists(unallocated),
        notExists(replacing),
        order.after(cursor),
      ),
    )
    .orderBy(...order.by)
    .limit(paymentLimits.pageSize + 1);
  const page = pageOf(found, paymentLimits.pageSize, (last) => order.cursorOf(last.submittedAt, last.id));
  return {
    items: page.items.map((row) => withRefundDue({ ...row, refundReason: null })),
    nextCursor: page.nextCursor,
  };
}
