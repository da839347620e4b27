import { eq } from "drizzle-orm";
import type { z } from "zod";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { users } from "#server/db/schema/users.ts";
import { hasStatements } from "#server/features/ledger/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { paymentTexts } from "#shared/payments-texts.ts";
import type { approvePaymentDetails, declareArrivedDetails } from "#shared/second-person.ts";
import { approvePaymentTexts, declareArrivedTexts } from "#shared/second-person-texts.ts";
import { requireRest, smallRestOf } from "./approval.ts";
import { placesOf, postDeclaredArrival, readMoney, readMoneyOf } from "./ledger.ts";
import { hasRefundDue } from "./refunds.ts";
import { changeStatus, lockPayment, requireRoom } from "./service.ts";

/** What takes two people about a payment: approving what the bank doesn't show, and money from before its statements. */

type Confirmed<Details> = { details: Details; requestId: number; reason: string };

const subjectOf = ({ paymentId }: { paymentId: number }): string => String(paymentId);

/** A payment in words, with where its money stands; undefined if it is gone. */
async function findInWords(db: DbOrTx, paymentId: number) {
  const [payment] = await db
    .select({
      projectTitle: projectPayments.projectTitle,
      projectId: projectPayments.projectId,
      amountKobo: projectPayments.amountKobo,
      reference: projectPayments.reference,
      status: projectPayments.status,
      backerName: users.fullName,
    })
    .from(projectPayments)
    .innerJoin(users, eq(users.id, projectPayments.userId))
    .where(eq(projectPayments.id, paymentId));
  const money = (await readMoneyOf(db, [paymentId])).get(paymentId);
  return payment && money && { ...payment, money, ...placesOf(money) };
}

/** "₦5,000,000 of ₦11,200,000 are in the bank." */
const arrivedLine = (arrivedKobo: Kobo, amountKobo: Kobo): string =>
  arrivedKobo === 0n
    ? "The bank's statements show nothing of it."
    : `The bank's statements show ${formatNaira(arrivedKobo)} of ${formatNaira(amountKobo)}.`;

const whose = ({ backerName, reference }: { backerName: string; reference: string }): string =>
  `The payment is ${backerName || "a backer"}'s, with the reference ${reference}.`;

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
  if (!(await hasStatements(tx))) throw new AppError("conflict", approvePaymentTexts.noStatements);
  const locked = await lockPayment(tx, paymentId);
  if (locked.payment.status === "approved") throw new AppError("conflict", approvePaymentTexts.approved);
  if (locked.payment.status !== seenStatus || (locked.receipt?.sha256 ?? null) !== seenReceiptSha256) {
    throw new AppError("conflict", paymentTexts.changed);
  }
  await requireRoom(tx, ctx, locked);
  const money = await readMoney(tx, locked.payment);
  requireRest(money, BigInt(writtenOffKobo));
  if (placesOf(money).missingKobo !== BigInt(missingKobo)) {
    throw new AppError("conflict", approvePaymentTexts.restChanged);
  }
}

/** Approves a payment of which the bank doesn't show all. */
export const approvePaymentKind = {
  subjectOf,
  describe: describeApproval,
  require: requireApproval,
  act: async (tx: Tx, ctx: ActorContext, { details, requestId, reason }: Confirmed<Approve>): Promise<void> => {
    const { paymentId, writtenOffKobo, seenStatus, seenReceiptSha256 } = details;
    const confirmed = { requestId, writtenOffKobo: BigInt(writtenOffKobo), unseenReason: reason };
    const seen = { seenStatus, seenReceiptSha256 };
    await changeStatus(tx, ctx, { paymentId, status: "approved", ...seen }, confirmed);
  },
};

type Declare = z.output<typeof declareArrivedDetails>;

async function describeDeclaration(db: DbOrTx, { paymentId, amountKobo: digits }: Declare) {
  const payment = await findInWords(db, paymentId);
  if (!payment) return null;
  const { money, missingKobo, projectId, status } = payment;
  const amount = formatNaira(BigInt(digits));
  return {
    title: declareArrivedTexts.title(amount, payment.projectTitle),
    consequences: [
      whose(payment),
      arrivedLine(money.arrivedKobo, payment.amountKobo),
      `${amount} count as having arrived before the first statement, which no line will show.`,
      status === "approved"
        ? "They are due to the backer if the approval is taken back or the round is given back."
        : "They are held for the backer until the payment is decided.",
    ],
    isPossible: BigInt(digits) <= missingKobo,
    projectId,
  };
}

async function lockDeclared(tx: Tx, { paymentId, amountKobo }: Declare) {
  if (!(await hasStatements(tx))) throw new AppError("conflict", declareArrivedTexts.noStatements);
  const { payment } = await lockPayment(tx, paymentId);
  const money = (await readMoneyOf(tx, [paymentId])).get(paymentId);
  const missingKobo = money ? placesOf(money).missingKobo : 0n;
  // What was given back is missing again by the ledger, but it came.
  if (payment.status !== "approved" && (await hasRefundDue(tx, paymentId))) {
    throw new AppError("conflict", declareArrivedTexts.refundStands);
  }
  if (missingKobo === 0n) throw new AppError("conflict", declareArrivedTexts.nothingMissing);
  if (BigInt(amountKobo) > missingKobo) {
    throw new AppError("conflict", declareArrivedTexts.tooMuch(formatNaira(missingKobo)));
  }
  return payment;
}

/** Declares that money of a payment had arrived before the first statement. */
export const declareArrivedKind = {
  subjectOf,
  describe: describeDeclaration,
  require: async (tx: Tx, _ctx: ActorContext, details: Declare) => void (await lockDeclared(tx, details)),
  act: async (tx: Tx, ctx: ActorContext, { details, requestId, reason }: Confirmed<Declare>): Promise<void> => {
    const payment = await lockDeclared(tx, details);
    const at = ctx.clock.now();
    await postDeclaredArrival(tx, { payment, byKobo: BigInt(details.amountKobo), actorId: ctx.actor.id, at });
    await recordAudit(tx, ctx, "declare_arrived", {
      paymentId: payment.id,
      amountKobo: details.amountKobo,
      projectId: payment.projectId,
      backerId: payment.userId,
      requestId,
      reason,
    });
  },
};
