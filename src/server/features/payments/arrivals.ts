import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { requireOpenAccount } from "#server/accounts/sessions.ts";
import { listActiveOwners } from "#server/accounts/users.ts";
import { missingOfApproved, moneySums, type PaymentMoney, placesOf, readMoney } from "#server/books/places.ts";
import { readRoundMoney } from "#server/books/rounds.ts";
import { type DbOrTx, inTransaction, rows, type Tx } from "#server/db/open.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { users } from "#server/db/schema/users.ts";
import { type NotifyDeps, notify } from "#server/features/notifications/service.ts";
import { reduceHold } from "#server/features/projects/holds/service.ts";
import { lockProjectIfThere, lockRound } from "#server/features/projects/rounds/service.ts";
import { queueMails } from "#server/mail/outbox.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { bankTexts, wallTexts } from "#shared/bank/texts.ts";
import type { Kobo } from "#shared/money.ts";
import type { reduceToArrivedInput } from "#shared/payments/inputs.ts";
import { arrivalOf, arrivalTexts, paymentTexts, restDeadline } from "#shared/payments/texts.ts";
import { approvalNeed, findUnseenLimit, lockUnseen } from "./approval.ts";
import { anothersNotice, arrivedNotice, goneNotice, goneOwnersMail } from "./emails.ts";

/** What becomes of a payment when the bank's statement shows its transfer, with a receipt or without. */

type Payment = typeof projectPayments.$inferSelect;

type NewPayment = Pick<Payment, "userId" | "round" | "lots" | "termsVersion" | "agreedAt" | "reference"> & {
  project: { id: number; title: string };
  lotPriceKobo: Kobo;
  receiptId: string | null;
  at: Date;
};

/** Writes the row of a pending payment. */
export async function writePayment(
  tx: Tx,
  { project, lotPriceKobo, receiptId, at, ...purchase }: NewPayment,
): Promise<Payment> {
  const [row] = await tx
    .insert(projectPayments)
    .values({
      ...purchase,
      projectId: project.id,
      projectTitle: project.title,
      amountKobo: lotPriceKobo * BigInt(purchase.lots),
      currentReceiptId: receiptId,
      createdAt: at,
      updatedAt: at,
    })
    .returning();
  if (!row) throw new Error("the payment was not written");
  return row;
}

/**
 * Makes the payment of a purchase that somebody agreed to under a reference, because their transfer was seen before a
 * receipt came. The caller locks the project. Throws "conflict" if nothing was agreed to, the account of whoever agreed is
 * closed, a payment of it is there, or the person has another pending payment for the project.
 */
export async function makePaymentOfReference(
  tx: Tx,
  { project, reference, at }: { project: { id: number; title: string }; reference: string; at: Date },
): Promise<Payment> {
  const ofReference = eq(paymentReferences.reference, reference);
  // The person before the reference, as when they buy themselves. Whose reference it is never changes.
  const whose = tx.select({ userId: paymentReferences.userId }).from(paymentReferences).where(ofReference);
  const [payer] = await tx
    .select({ closedAt: users.closedAt })
    .from(users)
    .where(inArray(users.id, whose))
    .for("share");
  if (payer?.closedAt) throw new AppError("conflict", bankTexts.payerClosed);
  const [agreed] = await tx
    .select()
    .from(paymentReferences)
    .where(and(ofReference, isNull(paymentReferences.retiredAt), isNotNull(paymentReferences.agreedAt)))
    .for("update");
  const { userId, round, lots, lotPriceKobo, termsVersion, agreedAt } = agreed ?? {};
  if (!userId || !round || !lots || !lotPriceKobo || !termsVersion || !agreedAt) {
    throw new AppError("conflict", bankTexts.notAgreed);
  }
  const isOfPurchase = and(eq(projectPayments.reference, reference), eq(projectPayments.agreedAt, agreedAt));
  const isPending = and(
    eq(projectPayments.projectId, project.id),
    eq(projectPayments.userId, userId),
    eq(projectPayments.status, "pending"),
  );
  const [other] = await tx
    .select({ reference: projectPayments.reference })
    .from(projectPayments)
    .where(or(isOfPurchase, isPending))
    .limit(1);
  if (other) {
    throw new AppError("conflict", other.reference === reference ? bankTexts.lineChanged : bankTexts.otherPending);
  }
  return writePayment(tx, {
    project,
    userId,
    round,
    lots,
    lotPriceKobo,
    termsVersion,
    agreedAt,
    reference,
    receiptId: null,
    at,
  });
}

/**
 * Makes sure that money which was taken for a payment's can leave it again, so that this is left. Throws "conflict" if it was given
 * back, or if one owner alone would leave more approved without money than one approves.
 */
export async function requireMayLeave(
  tx: Tx,
  ctx: Pick<ActorContext, "actor" | "clock">,
  payment: Payment,
  { before, after, isConfirmed }: { before: PaymentMoney; after: PaymentMoney; isConfirmed: boolean },
): Promise<void> {
  if (after.arrivedKobo < 0n) throw new AppError("conflict", bankTexts.givenBack);
  const isLess = placesOf(after).missingKobo > placesOf(before).missingKobo;
  if (isConfirmed || payment.status !== "approved" || !isLess) return;
  await lockUnseen(tx, ctx);
  if (approvalNeed(after, await findUnseenLimit(tx, ctx, { except: payment.id })) === "second_person") {
    throw new AppError("conflict", bankTexts.approvedByIt);
  }
}

/**
 * Why it takes two people that a payment has less money than before: it is approved, and its round's money went to the farm, or a
 * harvest opened with it. Nothing for what is beyond its amount. Throws "conflict" once it was settled.
 */
export async function whyLeavingTakesTwo(
  tx: Tx,
  payment: Payment,
  { before, after }: { before: PaymentMoney; after: PaymentMoney },
): Promise<string[]> {
  if (payment.status !== "approved" || placesOf(after).missingKobo <= placesOf(before).missingKobo) return [];
  const [round] = await rows<{ projectId: number; round: number; isSettled: boolean; hasOpened: boolean }>(
    tx,
    sql`select t.project_id as "projectId", t.round, exists (
        select from settlements s join harvests h on h.id = s.harvest_id
        where h.project_id = t.project_id and h.round = t.round and s.reversed_at is null
      ) as "isSettled", exists (
        select from round_weights w where w.project_id = t.project_id and w.round = t.round
      ) as "hasOpened"
      from ledger_transactions t
      where t.payment_id = ${payment.id} and t.kind = 'approval'
        and not exists (select from ledger_transactions r where r.reverses_id = t.id)`,
  );
  if (!round) throw new Error(`payment ${payment.id} is approved but has no standing posting`);
  if (round.isSettled) throw new AppError("conflict", wallTexts.roundSettled);
  const { releasedKobo } = await readRoundMoney(tx, round);
  return [
    ...(releasedKobo > 0n ? [wallTexts.released(payment.projectTitle)] : []),
    ...(round.hasOpened ? [wallTexts.harvestOpened(payment.projectTitle)] : []),
  ];
}

type Gone = {
  payment: Payment;
  match: { id: number; amountKobo: Kobo };
  gone: "taken_back" | "undone";
  reason: string | null;
};

/** Tells the backer of an approved payment, and all owners, that money of it isn't there any more. */
export async function tellGone(
  tx: Tx,
  deps: NotifyDeps,
  { payment, match: { id, amountKobo }, gone, reason }: Gone,
): Promise<void> {
  const facts = { publicUrl: deps.env.publicUrl, ...payment };
  const eventKey = `match:${id}:${gone}`;
  await notify(tx, deps, {
    ...goneNotice(facts, { goneKobo: amountKobo, gone }),
    userIds: [payment.userId],
    kind: "payment_status",
    projectId: payment.projectId,
    eventKey,
  });
  const mails = (await listActiveOwners(tx)).map(({ email, fullName }) => ({
    eventKey: `${eventKey}:owners`,
    to: email,
    ...goneOwnersMail(facts, { fullName, goneKobo: amountKobo, gone, reason }),
  }));
  await queueMails(tx, deps, mails, { isUrgent: false });
}

/** Tells the backer what has arrived of a pending payment, when a line of the bank was matched with it. */
export async function tellArrival(
  tx: Tx,
  deps: NotifyDeps,
  { payment, matchId, at }: { payment: Payment; matchId: number; at: Date },
): Promise<void> {
  const { arrivedKobo } = await readMoney(tx, payment);
  const arrival = { arrivedKobo, hasReceipt: payment.currentReceiptId !== null, at };
  const notice = arrivedNotice({ publicUrl: deps.env.publicUrl, ...payment }, arrival);
  if (!notice) return;
  await notify(tx, deps, {
    ...notice,
    userIds: [payment.userId],
    kind: "payment_status",
    projectId: payment.projectId,
    eventKey: `match:${matchId}:arrived`,
  });
}

/** Tells a backer who was told to need no receipt that the transfer was another's. */
export async function tellAnothers(
  tx: Tx,
  deps: NotifyDeps,
  { payment, matchId }: { payment: Payment; matchId: number },
): Promise<void> {
  if (payment.currentReceiptId !== null) return;
  await notify(tx, deps, {
    ...anothersNotice({ publicUrl: deps.env.publicUrl, ...payment }),
    userIds: [payment.userId],
    kind: "payment_status",
    projectId: payment.projectId,
    eventKey: `match:${matchId}:undone`,
  });
}

/**
 * Reduces the caller's pending payment to the whole lots that what has arrived pays for. The other lots of its hold are
 * offered to those who wait. Throws "not_found", or "conflict" if it was decided, or other money has arrived than they saw.
 */
export async function reduceToArrived(
  ctx: ActorContext,
  { paymentId, lots }: z.output<typeof reduceToArrivedInput>,
): Promise<void> {
  const isOwn = and(eq(projectPayments.id, paymentId), eq(projectPayments.userId, ctx.actor.id));
  await inTransaction(ctx.db, async (tx) => {
    const [found] = await tx.select().from(projectPayments).where(isOwn);
    if (!found) throw new AppError("not_found", paymentTexts.gone);
    const project =
      found.projectId === null ? undefined : await lockProjectIfThere(tx, found.projectId, "no key update");
    if (!project) throw new AppError("conflict", arrivalTexts.notReducible);
    const round = await lockRound(tx, { projectId: project.id, round: found.round });
    await requireOpenAccount(tx, ctx.actor);
    const ofReference = eq(paymentReferences.reference, found.reference);
    await tx.select({ id: paymentReferences.id }).from(paymentReferences).where(ofReference).for("update");
    const [payment] = await tx.select().from(projectPayments).where(isOwn).for("update");
    if (payment?.status !== "pending") throw new AppError("conflict", arrivalTexts.notReducible);
    const { arrivedKobo } = await readMoney(tx, payment);
    const arrival = arrivalOf({ ...payment, arrivedKobo });
    if (arrival.kind !== "part" || arrival.wholeLots !== lots || lots >= payment.lots) {
      throw new AppError("conflict", arrivalTexts.notReducible);
    }
    const amountKobo = (payment.amountKobo / BigInt(payment.lots)) * BigInt(lots);
    await tx.update(projectPayments).set({ lots, amountKobo, updatedAt: ctx.clock.now() }).where(isOwn);
    await tx.update(paymentReferences).set({ lots }).where(ofReference);
    await recordAudit(tx, ctx, "reduce_payment", {
      paymentId,
      projectId: project.id,
      projectTitle: project.title,
      before: { lots: payment.lots, amountKobo: payment.amountKobo.toString() },
      after: { lots, amountKobo: amountKobo.toString() },
      arrivedKobo: arrivedKobo.toString(),
    });
    await reduceHold(tx, ctx, { project, round, reference: payment.reference, lots });
  });
}

/** What is unallocated of a payment, in kobo. */
const unallocatedKobo = sql<bigint>`(
  select coalesce(-sum(e.amount_kobo), 0)::bigint from ledger_entries e
  where e.account = 'unallocated' and e.payment_id = ${projectPayments.id}
)`.mapWith(projectPayments.amountKobo);

const missing = sql`case when is_approved then ${missingOfApproved} else greatest(amount_kobo - unallocated, 0) end`;

/** What is missing of a payment, in kobo. For queries with a join, because drizzle names the table only there. */
export const missingKobo = sql<bigint>`(
  select ${missing} from (${moneySums(sql`p.id = ${projectPayments.id}`)}) sums
)`.mapWith(projectPayments.amountKobo);

/** What people said had arrived of a payment, and no line has shown yet. */
export const saidKobo = sql<bigint>`(
  select said from (${moneySums(sql`p.id = ${projectPayments.id}`)}) sums
)`.mapWith(projectPayments.amountKobo);

/** What a line would show if it was all that is expected of a payment: of a rejected one only what people said. */
export const expectedKobo = sql<bigint>`(
  select case when ${projectPayments.status} = 'rejected' then 0 else ${missing} end + said
  from (${moneySums(sql`p.id = ${projectPayments.id}`)}) sums
)`.mapWith(projectPayments.amountKobo);

/**
 * Payments of which just one of these amounts is expected: a table of SQL with some of their columns, and `expected`, the same
 * sum as {@link expectedKobo}. A payment that the books know no money of waits for its amount, which an index finds.
 */
export const expectedPayments = (amounts: readonly Kobo[]): SQL => sql`
  select p.id, p.current_receipt_id, p.created_at, p.amount_kobo as expected from project_payments p
  where p.status = 'pending' and p.amount_kobo = any(${listed(amounts)}) and not exists (
    select from ledger_entries e where e.payment_id = p.id and e.account in ${moneyAccounts})
  union all
  select id, current_receipt_id, created_at, expected from (
    select p.id, p.current_receipt_id, p.created_at,
      case p.status when 'pending' then greatest(p.amount_kobo + unallocated, 0) else 0 end + open as expected
    from (
      select e.payment_id, coalesce(sum(e.amount_kobo) filter (where e.account = 'unallocated'), 0)::bigint as unallocated,
        coalesce(sum(e.amount_kobo) filter (where e.account <> 'unallocated'), 0)::bigint as open
      from ledger_entries e where e.payment_id is not null and e.account in ${moneyAccounts} group by e.payment_id
    ) money join project_payments p on p.id = money.payment_id
    where p.status = 'pending' or open > 0
  ) known where expected = any(${listed(amounts)})`;

/** Amounts as one array: PostgreSQL counts them when it chooses how to find them. */
const listed = (amounts: readonly Kobo[]): SQL => sql`${`{${amounts.join(",")}}`}::bigint[]`;

/** The accounts of a payment's money. */
const moneyAccounts = sql`('unallocated', 'in_transit', 'receivable')`;

/** What has arrived of a payment under review, and until when its rest should come, if a line of the bank brought some. */
export const arrivalColumns = {
  arrivedKobo: unallocatedKobo,
  restBy: sql`(
    select max(m.created_at) from line_matches m
    where m.payment_id = ${projectPayments.id} and m.kind = 'payment' and m.undone_at is null
  )`.mapWith((at: string) => restDeadline(readMoment(at))) as SQL<Date | null>,
};

const readMoment = (at: string): Date => projectPayments.createdAt.mapFromDriverValue(at) as Date;

/** By payment: until when its rest should come, after a line of the bank brought a part. */
export async function findRestDeadlines(db: DbOrTx, paymentIds: number[]): Promise<Map<number, Date>> {
  if (paymentIds.length === 0) return new Map();
  const found = await db
    .select({ id: lineMatches.paymentId, at: sql`max(${lineMatches.createdAt})`.mapWith(lineMatches.createdAt) })
    .from(lineMatches)
    .where(
      and(inArray(lineMatches.paymentId, paymentIds), eq(lineMatches.kind, "payment"), isNull(lineMatches.undoneAt)),
    )
    .groupBy(lineMatches.paymentId);
  return new Map(found.flatMap(({ id, at }) => (id === null ? [] : [[id, restDeadline(at)]])));
}
