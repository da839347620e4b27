import { eq, sql } from "drizzle-orm";
import { postStrike } from "#server/books/events/strikes.ts";
import { placesOf, readMoney } from "#server/books/places.ts";
import { requireNotReleased } from "#server/books/rounds.ts";
import { readStruckShares } from "#server/books/struck.ts";
import { type DbOrTx, rows, type Tx } from "#server/db/open.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { paymentStrikes } from "#server/db/schema/strikes.ts";
import {
  lockHarvestsOf,
  lockOwedFor,
  type Struck,
  takeOutOfHarvests,
} from "#server/features/harvests/strikes/service.ts";
import { notify } from "#server/features/notifications/service.ts";
import { replacePapers, replaceStatements } from "#server/features/papers/service.ts";
import { factsOf, lockPayment } from "#server/features/payments/service.ts";
import { readReturnsDue } from "#server/features/payouts/returns/queries.ts";
import { withholdReturned } from "#server/features/payouts/returns/service.ts";
import { takeOutOfFormerHolders } from "#server/features/payouts/strikes.ts";
import { withdrawPaymentSupport } from "#server/features/projects/backings/service.ts";
import { findHarvestRefusal, isWrittenOff } from "#server/features/projects/rounds/queries.ts";
import { lockProjectIfThere, lockRound } from "#server/features/projects/rounds/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError, refusalOf } from "#server/platform/errors.ts";
import { atLeastNothing, type Kobo } from "#shared/money.ts";
import { strikeTexts as texts } from "#shared/payments/strikes-texts.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { struckNotice } from "./emails.ts";
import { isStruck } from "./queries.ts";

/**
 * An approved payment never came, or the bank took it back, and its approval can't be taken back any more: its round's
 * money went on, or a harvest began. Two owners strike it. It stays approved and its lots stay sold; what is missing of
 * it is lost.
 *
 * Locks: project, round, the round's harvests, the payment, settlements, payouts, taxes.
 */

type StruckPayment = Struck & {
  paymentId: number;
  lostKobo: Kobo;
  /** The arrived part of its amount. */
  arrivedKobo: Kobo;
};

/** The round that a payment's standing approval was posted to, which outlives its project; undefined if it isn't approved. */
async function findApproval(db: DbOrTx, paymentId: number) {
  const [found] = await rows<{
    projectId: number;
    round: number;
    userId: string;
    amountKobo: string;
    backingId: string | null;
  }>(
    db,
    sql`select t.project_id as "projectId", t.round, p.user_id as "userId", p.amount_kobo::text as "amountKobo", (
        select w.backing_id::text from round_weights w
        where w.project_id = t.project_id and w.round = t.round and w.user_id = p.user_id
      ) as "backingId"
      from ledger_transactions t join project_payments p on p.id = t.payment_id
      where t.payment_id = ${paymentId} and t.kind = 'approval'
        and not exists (select from ledger_transactions r where r.reverses_id = t.id)`,
  );
  if (!found) return undefined;
  const { amountKobo, backingId } = found;
  return { ...found, amountKobo: BigInt(amountKobo), backingId: backingId === null ? null : Number(backingId) };
}

/**
 * Reads the effect of a strike on a payment. Throws "not_found", or "conflict" if it isn't approved, the bank shows all
 * of it, it was struck already, or its approval can still be taken back.
 */
export async function readStruck(db: DbOrTx, paymentId: number): Promise<StruckPayment> {
  if ((await db.$count(projectPayments, eq(projectPayments.id, paymentId))) === 0) {
    throw new AppError("not_found", paymentTexts.gone);
  }
  const approval = await findApproval(db, paymentId);
  if (!approval) throw new AppError("conflict", texts.notApproved);
  if (await isStruck(db, paymentId)) throw new AppError("conflict", texts.struckAlready);
  const { inTransitKobo, receivableKobo } = placesOf(await readMoney(db, { id: paymentId }));
  const lostKobo = inTransitKobo + receivableKobo;
  if (lostKobo === 0n) throw new AppError("conflict", texts.allSeen);
  if (await canLeaveApproved(db, paymentId, { ...approval, unseenKobo: lostKobo })) {
    throw new AppError("conflict", texts.takeBackInstead);
  }
  const restKobo = approval.amountKobo - lostKobo;
  return { ...approval, paymentId, lostKobo, arrivedKobo: atLeastNothing(restKobo) };
}

async function canLeaveApproved(
  db: DbOrTx,
  paymentId: number,
  money: Parameters<typeof requireNotReleased>[1],
): Promise<boolean> {
  if (await isWrittenOff(db, paymentId)) return false;
  if ((await findHarvestRefusal(db, { approvedPaymentId: paymentId })) !== null) return false;
  try {
    await requireNotReleased(db, money);
    return true;
  } catch (error) {
    if (!refusalOf(error)) throw error;
    return false;
  }
}

/**
 * Returns what a return to the round's backers still owes for the payment. Throws "conflict" while that can be taken
 * back, or is in a run before its export. The strike withholds what stays due because others were paid.
 */
export async function requireNoReturn(db: DbOrTx, paymentId: number): Promise<Kobo> {
  const { openKobo, inRunKobo, stayingKobo } = await readReturnsDue(db, paymentId);
  if (openKobo > 0n) throw new AppError("conflict", texts.returnFirst(openKobo));
  if (inRunKobo > 0n) throw new AppError("conflict", texts.returnInRun(inRunKobo));
  return stayingKobo;
}

/** Returns the reason why a payment can't be struck, or null. Throws "not_found". */
export async function findStrikeRefusal(db: DbOrTx, paymentId: number): Promise<string | null> {
  try {
    await readStruck(db, paymentId);
    await requireNoReturn(db, paymentId);
    return null;
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal?.reason !== "conflict") throw error;
    return refusal.message;
  }
}

/**
 * Locks a payment that may be struck, with all that its strike changes. Throws what {@link readStruck} and {@link
 * requireNoReturn} do.
 */
export async function lockStruck(tx: Tx, paymentId: number) {
  const approval = await findApproval(tx, paymentId);
  if (approval) {
    const isIt = tx.select({ id: projects.id }).from(projects).where(eq(projects.id, approval.projectId));
    const project = await lockProjectIfThere(tx, isIt, "no key update");
    if (project) await lockRound(tx, approval);
    await lockHarvestsOf(tx, approval);
  }
  const locked = await lockPayment(tx, paymentId);
  const struck = await readStruck(tx, paymentId);
  await lockOwedFor(tx, struck);
  await requireNoReturn(tx, paymentId);
  return { ...locked, struck };
}

type Confirmed = { paymentId: number; lostKobo: Kobo; fileIds: readonly string[]; requestId: number; reason: string };

/** Strikes a payment of which exactly so much is missing, as two owners say, and tells its backer why. */
export async function strikePayment(
  tx: Tx,
  ctx: ActorContext,
  { paymentId, lostKobo, fileIds, requestId, reason }: Confirmed,
): Promise<void> {
  const { payment, project, struck } = await lockStruck(tx, paymentId);
  if (struck.lostKobo !== lostKobo) throw new AppError("conflict", texts.changed);
  const { projectId, round, userId, backingId } = struck;
  const at = ctx.clock.now();
  const actorId = ctx.actor.id;
  const takenOut = await readStruckShares(tx, struck, struck);
  const [strike] = await tx
    .insert(paymentStrikes)
    .values({
      paymentId,
      userId,
      projectId,
      round,
      backingId,
      lostKobo,
      reason,
      requestId,
      struckBy: actorId,
      createdAt: at,
    })
    .returning({ id: paymentStrikes.id });
  if (!strike) throw new Error("the strike was not written");
  const { projectTitle } = payment;
  await takeOutOfHarvests(tx, struck, { strikeId: strike.id, projectTitle, takenOut, actorId, at });
  await withholdReturned(tx, { paymentId, reason, actorId, at });
  await postStrike(tx, { payment: { ...payment, projectId }, takenOut, actorId, at });
  if (project) await withdrawPaymentSupport(tx, { projectId, userId });
  const takenKobo = takenOut.reduce((sum, { netKobo }) => sum + netKobo, 0n);
  await recordAudit(tx, ctx, "strike_payment", {
    paymentId,
    projectId,
    projectTitle,
    round,
    backerId: userId,
    amountKobo: payment.amountKobo.toString(),
    lostKobo: lostKobo.toString(),
    takenOutKobo: takenKobo.toString(),
    evidence: fileIds.length,
    requestId,
    reason,
  });
  await takeOutOfFormerHolders(tx, ctx, struck);
  await replacePapers(tx, { paymentId }, at);
  await replaceStatements(tx, takenOut, at);
  await notify(tx, ctx, {
    ...struckNotice(factsOf(ctx, payment, project), { reason, takenKobo }),
    userIds: [userId],
    kind: "payment_status",
    projectId: payment.projectId,
    eventKey: `payment:${paymentId}:struck`,
  });
}
