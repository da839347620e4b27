import type { z } from "zod";
import { secondPersonKind } from "#server/accounts/owners/second-person-kind.ts";
import { postDeclaredArrival } from "#server/books/events/payments.ts";
import { placesOf, readMoney, readMoneyOf } from "#server/books/places.ts";
import { hasStatements } from "#server/books/statements.ts";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { findInWords, payerIdOf, subjectOf, whose } from "#server/features/payments/second-person.ts";
import { lockPayment } from "#server/features/payments/service.ts";
import { hasRefundDue } from "#server/features/payments/unallocated/queries.ts";
import { oweUnallocated } from "#server/features/payments/unallocated/service.ts";
import { findRound, hasRoomFor, type Round } from "#server/features/projects/rounds/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import type { PaymentStatus } from "#shared/payments/statuses.ts";
import { approvePaymentDetails, declareArrivedDetails } from "#shared/second-person/inputs.ts";
import { approvePaymentTexts, declareArrivedTexts } from "#shared/second-person/texts.ts";
import { requireRest, smallRestOf } from "./approval.ts";
import { requireRoom } from "./room.ts";
import { approvePayment, rejectPayment, requireAsSeen } from "./service.ts";

/**
 * Acts of a review that take two people: approving what the bank doesn't show, and declaring that money came which no
 * line shows.
 */

/** "₦5,000,000 of ₦11,200,000 are in the bank." */
const arrivedLine = (arrivedKobo: Kobo, amountKobo: Kobo): string =>
  arrivedKobo === 0n
    ? "The bank's statements show nothing of it."
    : `The bank's statements show ${formatNaira(arrivedKobo)} of ${formatNaira(amountKobo)}.`;

type Approve = z.output<typeof approvePaymentDetails>;

async function describeApproval(db: DbOrTx, { paymentId, writtenOffKobo: digits, ...seen }: Approve) {
  const payment = await findInWords(db, paymentId);
  if (!payment) return null;
  const { money, missingKobo, amountKobo, projectId, status } = payment;
  const writtenOffKobo = BigInt(digits) || smallRestOf(money);
  return {
    title: approvePaymentTexts.title(formatNaira(amountKobo), payment.projectTitle),
    consequences: [
      whose(payment),
      arrivedLine(money.arrivedKobo, amountKobo),
      writtenOffKobo > 0n
        ? `The missing ${formatNaira(writtenOffKobo)} are written off as bank charges: nobody waits for them any more.`
        : `${formatNaira(missingKobo)} stay in transit until the bank shows them.`,
      "The backer becomes one of the project's, and is emailed.",
    ],
    isPossible: status === seen.seenStatus && projectId !== null && BigInt(seen.missingKobo) === missingKobo,
    projectId,
  };
}

async function requireApproval(tx: Tx, ctx: ActorContext, details: Approve): Promise<void> {
  const { paymentId, writtenOffKobo, missingKobo, seenStatus, seenReceiptSha256 } = details;
  const locked = await lockPayment(tx, paymentId);
  // A lone owner's own payment takes the second factor whatever the bank shows.
  if (locked.payment.userId !== ctx.actor.id && !(await hasStatements(tx))) {
    throw new AppError("conflict", approvePaymentTexts.noStatements);
  }
  if (locked.payment.status === "approved") throw new AppError("conflict", approvePaymentTexts.approved);
  requireAsSeen(locked, { seenStatus, seenReceiptSha256 });
  await requireRoom(tx, ctx, locked);
  const money = await readMoney(tx, locked.payment);
  requireRest(money, BigInt(writtenOffKobo));
  if (placesOf(money).missingKobo !== BigInt(missingKobo)) {
    throw new AppError("conflict", approvePaymentTexts.restChanged);
  }
}

/** Approves a payment of which the bank doesn't show all. */
export const approvePaymentKind = secondPersonKind({
  schema: approvePaymentDetails,
  concerns: payerIdOf,
  subjectOf,
  describe: describeApproval,
  require: requireApproval,
  act: async (tx, ctx, { details, requestId, reason }) => {
    const { paymentId, writtenOffKobo, seenStatus, seenReceiptSha256 } = details;
    const locked = await lockPayment(tx, paymentId);
    requireAsSeen(locked, { seenStatus, seenReceiptSha256 });
    const confirmed = { requestId, writtenOffKobo: BigInt(writtenOffKobo), unseenReason: reason };
    await approvePayment(tx, ctx, locked, { confirmed });
  },
});

type Declare = z.output<typeof declareArrivedDetails>;

/** Declared money stays unallocated until the payment is decided, or is due to the backer at once. */
type Destiny = "unallocated" | "returned";

const destinyOf = (
  { status, projectId, lots }: { status: PaymentStatus; projectId: number | null; lots: number },
  round: Round | undefined,
): Destiny => {
  if (status !== "pending") return "returned";
  return projectId !== null && round && hasRoomFor({ ...round, heldLots: 0 }, lots) ? "unallocated" : "returned";
};

async function describeDeclaration(db: DbOrTx, { paymentId, amountKobo: digits }: Declare) {
  const payment = await findInWords(db, paymentId);
  if (!payment) return null;
  const { money, missingKobo, projectId, status } = payment;
  const amount = formatNaira(BigInt(digits));
  const round = projectId === null ? undefined : await findRound(db, { projectId, round: payment.round });
  const becomes = {
    unallocated: "It is kept for the backer until the payment is decided.",
    returned:
      status === "pending"
        ? "The payment can't be approved any more: it is rejected, and they are due to the backer, who is emailed."
        : "They are due to the backer, who is emailed.",
  };
  return {
    title: declareArrivedTexts.title(amount, payment.projectTitle),
    consequences: [
      whose(payment),
      arrivedLine(money.arrivedKobo - money.saidKobo, payment.amountKobo),
      `${amount} count as having arrived, and are in transit until a line of a statement takes their place.`,
      becomes[destinyOf(payment, round)],
    ],
    isPossible: BigInt(digits) <= missingKobo && status !== "approved",
    projectId,
  };
}

async function lockDeclared(tx: Tx, { paymentId, amountKobo }: Declare) {
  const locked = await lockPayment(tx, paymentId);
  const { payment } = locked;
  // What is missing of an approved payment is in transit already.
  if (payment.status === "approved") throw new AppError("conflict", declareArrivedTexts.approved);
  const money = (await readMoneyOf(tx, [paymentId])).get(paymentId);
  const missingKobo = money ? placesOf(money).missingKobo : 0n;
  // What was given back is missing again by the ledger, but it came.
  if (await hasRefundDue(tx, paymentId)) {
    throw new AppError("conflict", declareArrivedTexts.refundStands);
  }
  if (missingKobo === 0n) throw new AppError("conflict", declareArrivedTexts.nothingMissing);
  if (BigInt(amountKobo) > missingKobo) {
    throw new AppError("conflict", declareArrivedTexts.tooMuch(formatNaira(missingKobo)));
  }
  return locked;
}

/**
 * Declares that money of a payment has arrived, though no line shows it. Of one that is rejected, or can't be approved
 * any more, a refund is due then.
 */
export const declareArrivedKind = secondPersonKind({
  schema: declareArrivedDetails,
  concerns: payerIdOf,
  subjectOf,
  describe: describeDeclaration,
  require: async (tx, _ctx, details) => void (await lockDeclared(tx, details)),
  act: async (tx, ctx, { details, requestId, reason }) => {
    const locked = await lockDeclared(tx, details);
    const { payment, project, round } = locked;
    const at = ctx.clock.now();
    const byKobo = BigInt(details.amountKobo);
    await postDeclaredArrival(tx, "declared_arrival", { payment, byKobo, actorId: ctx.actor.id, at });
    await recordAudit(tx, ctx, "declare_arrived", {
      paymentId: payment.id,
      amountKobo: details.amountKobo,
      projectId: payment.projectId,
      backerId: payment.userId,
      requestId,
      reason,
    });
    if (destinyOf(payment, round) !== "returned") return;
    if (payment.status === "pending") {
      await rejectPayment(tx, ctx, locked, { isGivenBack: true, requestId });
      return;
    }
    const { unallocatedKobo: amountKobo } = placesOf(await readMoney(tx, payment));
    const refundReason = round?.outcome === "not_funded" ? ("not_funded" as const) : ("not_approved" as const);
    await oweUnallocated(tx, ctx, { payment, project, amountKobo, reason: refundReason, requestId });
  },
});
