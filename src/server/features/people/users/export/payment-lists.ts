import { and, asc, eq, gt, inArray, or } from "drizzle-orm";
import { storedFiles } from "#server/db/schema/files.ts";
import { holderChanges } from "#server/db/schema/holder-changes.ts";
import { holds, waitingList } from "#server/db/schema/holds.ts";
import { paymentReceipts, paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { payeeAccounts, payouts } from "#server/db/schema/payouts.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { paymentStrikes } from "#server/db/schema/strikes.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { isProved } from "#server/platform/procedures.ts";
import { batch, inBatches, naira, type Read } from "./batches.ts";

/** References, holds, payments, refunds, payee accounts and payouts of the person. */
export const paymentLists: Record<string, Read> = {
  paymentReferences: inBatches(
    ({ db }, userId, after) =>
      db
        .select({
          key: paymentReferences.id,
          projectId: paymentReferences.projectId,
          reference: paymentReferences.reference,
          round: paymentReferences.round,
          termsVersion: paymentReferences.termsVersion,
          agreedAt: paymentReferences.agreedAt,
          lots: paymentReferences.lots,
          lotPriceKobo: paymentReferences.lotPriceKobo,
          retiredAt: paymentReferences.retiredAt,
          createdAt: paymentReferences.createdAt,
        })
        .from(paymentReferences)
        .where(and(eq(paymentReferences.userId, userId), gt(paymentReferences.id, after)))
        .orderBy(asc(paymentReferences.id))
        .limit(batch),
    (_, found) =>
      found.map(({ lotPriceKobo, ...reference }) => ({
        ...reference,
        lotPrice: naira(lotPriceKobo),
      })),
  ),
  holds: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: holds.id,
        projectId: holds.projectId,
        round: holds.round,
        lots: holds.lots,
        reference: holds.reference,
        state: holds.state,
        until: holds.until,
        endedAt: holds.endedAt,
        endReason: holds.endReason,
        createdAt: holds.createdAt,
      })
      .from(holds)
      .where(and(eq(holds.userId, userId), gt(holds.id, after)))
      .orderBy(asc(holds.id))
      .limit(batch),
  ),
  waitingList: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: waitingList.id,
        projectId: waitingList.projectId,
        round: waitingList.round,
        lots: waitingList.lots,
        joinedAt: waitingList.joinedAt,
        offeredAt: waitingList.offeredAt,
        leftAt: waitingList.leftAt,
      })
      .from(waitingList)
      .where(and(eq(waitingList.userId, userId), gt(waitingList.id, after)))
      .orderBy(asc(waitingList.id))
      .limit(batch),
  ),
  payments: inBatches(
    ({ db }, userId, after) =>
      db
        .select({
          key: projectPayments.id,
          id: projectPayments.id,
          projectId: projectPayments.projectId,
          project: projectPayments.projectTitle,
          round: projectPayments.round,
          lots: projectPayments.lots,
          termsVersion: projectPayments.termsVersion,
          agreedAt: projectPayments.agreedAt,
          amountKobo: projectPayments.amountKobo,
          reference: projectPayments.reference,
          status: projectPayments.status,
          reviewBy: projectPayments.reviewBy,
          rejectionReason: projectPayments.rejectionReason,
          decidedAt: projectPayments.decidedAt,
          createdAt: projectPayments.createdAt,
          /** Set if two owners struck it, so that it no longer counts. */
          struckAt: paymentStrikes.createdAt,
          struckReason: paymentStrikes.reason,
        })
        .from(projectPayments)
        .leftJoin(paymentStrikes, eq(paymentStrikes.paymentId, projectPayments.id))
        .where(and(eq(projectPayments.userId, userId), gt(projectPayments.id, after)))
        .orderBy(asc(projectPayments.id))
        .limit(batch),
    async (ctx, found) => {
      const receipts = await receiptsOf(
        ctx,
        found.map(({ id }) => id),
      );
      return found.map(({ amountKobo, ...payment }) => ({
        ...payment,
        amount: naira(amountKobo),
        receipts: receipts.filter(({ paymentId }) => paymentId === payment.id).map(({ paymentId: _, ...file }) => file),
      }));
    },
  ),
  refunds: inBatches(
    ({ db }, userId, after) =>
      db
        .select({
          key: refunds.id,
          paymentId: refunds.paymentId,
          amountKobo: refunds.amountKobo,
          reason: refunds.reason,
          createdAt: refunds.createdAt,
          takenBackAt: refunds.takenBackAt,
          takenBackReason: refunds.takenBackReason,
        })
        .from(refunds)
        .where(and(eq(refunds.userId, userId), gt(refunds.id, after)))
        .orderBy(asc(refunds.id))
        .limit(batch),
    (_, found) => found.map(({ amountKobo, ...refund }) => ({ ...refund, amount: naira(amountKobo) })),
  ),
  payeeAccounts: inBatches(
    ({ db }, userId, after) =>
      db
        .select({
          key: payeeAccounts.id,
          bankCode: payeeAccounts.bankCode,
          bankName: payeeAccounts.bankName,
          accountNumber: payeeAccounts.accountNumber,
          accountName: payeeAccounts.accountName,
          usableFrom: payeeAccounts.usableFrom,
          since: payeeAccounts.createdAt,
          replacedAt: payeeAccounts.replacedAt,
        })
        .from(payeeAccounts)
        .where(and(eq(payeeAccounts.userId, userId), gt(payeeAccounts.id, after)))
        .orderBy(asc(payeeAccounts.id))
        .limit(batch),
    // A stolen session learns the last digits only.
    (ctx, found) =>
      isProved(ctx)
        ? found
        : found.map(({ accountNumber, ...account }) => ({
            ...account,
            accountNumber: `••• ${accountNumber.slice(-4)}`,
          })),
  ),
  payouts: inBatches(
    ({ db }, userId, after) =>
      db
        .select({
          key: payouts.id,
          kind: payouts.kind,
          state: payouts.state,
          paymentId: payouts.paymentId,
          projectId: payouts.projectId,
          project: payouts.projectTitle,
          round: payouts.round,
          amountKobo: payouts.amountKobo,
          part: payouts.part,
          parts: payouts.parts,
          reference: payouts.reference,
          createdAt: payouts.createdAt,
          dueAt: payouts.dueAt,
          promisedBy: payouts.promisedBy,
          sentAt: payouts.sentAt,
          paidAt: payouts.paidAt,
          failedAt: payouts.failedAt,
          cancelledAt: payouts.cancelledAt,
        })
        .from(payouts)
        .where(and(eq(payouts.userId, userId), gt(payouts.id, after)))
        .orderBy(asc(payouts.id))
        .limit(batch),
    (_, found) => found.map(({ amountKobo, ...payout }) => ({ ...payout, amount: naira(amountKobo) })),
  ),
  /** Changes of holder from the person or to them, pending and done. The other person isn't named. */
  holderChanges: inBatches(
    ({ db }, userId, after) =>
      db
        .select({
          key: holderChanges.id,
          paymentId: holderChanges.paymentId,
          projectId: holderChanges.projectId,
          project: holderChanges.projectTitle,
          round: holderChanges.round,
          fromUserId: holderChanges.fromUserId,
          cause: holderChanges.cause,
          reason: holderChanges.reason,
          createdAt: holderChanges.createdAt,
          until: holderChanges.until,
          outcome: holderChanges.outcome,
          endedAt: holderChanges.endedAt,
          endReason: holderChanges.endReason,
        })
        .from(holderChanges)
        .where(
          and(
            or(eq(holderChanges.fromUserId, userId), eq(holderChanges.toUserId, userId)),
            gt(holderChanges.id, after),
          ),
        )
        .orderBy(asc(holderChanges.id))
        .limit(batch),
    ({ actor }, found) => found.map(({ fromUserId, ...change }) => ({ ...change, isFromMe: fromUserId === actor.id })),
  ),
};

async function receiptsOf({ db, actor }: ActorContext, paymentIds: number[]) {
  if (paymentIds.length === 0) return [];
  return db
    .select({
      paymentId: paymentReceipts.paymentId,
      fileName: storedFiles.originalName,
      bytes: storedFiles.bytes,
      sha256: paymentReceipts.sha256,
      sentAt: paymentReceipts.createdAt,
    })
    .from(paymentReceipts)
    .innerJoin(storedFiles, eq(storedFiles.id, paymentReceipts.fileId))
    .where(and(inArray(paymentReceipts.paymentId, paymentIds), eq(paymentReceipts.userId, actor.id)))
    .orderBy(asc(paymentReceipts.createdAt), asc(paymentReceipts.id));
}
