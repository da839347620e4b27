import { eq } from "drizzle-orm";
import { moneyAfter, postPaymentMatch } from "#server/books/events/matches.ts";
import { expectedKobo, type PaymentMoney, readMoney } from "#server/books/places.ts";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { users } from "#server/db/schema/users.ts";
import { readWaiting } from "#server/features/bank/matching/candidates/payments.ts";
import { requireNotTakenBack } from "#server/features/bank/matching/credits.ts";
import type { Match, Matcher } from "#server/features/bank/matching/match-rows.ts";
import {
  listTwoPersonReasons,
  notifyArrival,
  notifyKept,
  notifyMoneyGone,
  notifyOfAnothersTransfer,
  requireMoneyMayLeave,
} from "#server/features/payments/review/arrivals.ts";
import type { Payment } from "#server/features/payments/service.ts";
import { claimHold } from "#server/features/projects/holds/arrivals.ts";
import { AppError } from "#server/platform/errors.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import { bankTexts } from "#shared/bank/texts.ts";
import type { Kobo } from "#shared/money.ts";
import { paymentStatusLabels } from "#shared/payments/statuses.ts";
import { type Given, partKind, requireSecondPersonIf, type Undoing, type Undone } from "./kind.ts";
import { unclaimIfNoneLeft } from "./unclaim-hold.ts";

type ForPayment = Extract<LinePart, { kind: "payment" | "purchase" }>;

/** Money that came for a payment, or for a purchase of which it makes the payment. */
const ofPayment = {
  makes: "payment" as const,
  explains: "money_in" as const,
  isForPayment: true,
  matches: ({ isNamed }: Given<ForPayment>, { payment }: Target) => [
    { kind: "payment" as const, isNamed, paymentId: payment.id },
  ],
  post: async (tx: Tx, by: Matcher, { target: { payment, before }, made }: Done) => {
    for (const match of made) await postPaymentMatch(tx, by, { match, payment, before, isUndone: false });
  },
  /**
   * Keeps a live hold of a pending payment until the payment is decided, and sends its backer the notice of what has arrived.
   * Tells the backer of an approved one if a small surplus stays with us.
   */
  followUp: async (
    tx: Tx,
    by: Matcher,
    { given: { line, part, isMoved }, target: { payment, before }, made }: Done,
  ) => {
    if (payment.status === "approved") {
      for (const { id: matchId } of made) await notifyKept(tx, by, { payment, before, matchId });
    }
    if (payment.status !== "pending") return;
    await claimHold(tx, payment.reference, by.clock.now());
    const isFound = !isMoved && part.kind === "purchase" && line.reference !== payment.reference;
    for (const { id: matchId, createdAt: at } of made) await notifyArrival(tx, by, { payment, matchId, at, isFound });
  },
};
type Done = { given: Given<ForPayment>; target: Target; made: readonly Match[] };
type Target = Awaited<ReturnType<typeof requireArrival>>;

export const paymentPart = partKind<Extract<LinePart, { kind: "payment" }>, Target>({
  ...ofPayment,
  names: ({ paymentId }) => ({ paymentIds: [paymentId] }),
  require: (tx, given) => requireArrival(tx, given, given.locked.payments.get(given.part.paymentId)),
  whose: ({ paymentId }, { locked }) => whoseIs(locked.payments.get(paymentId)),
  describe: (db, { paymentId }) => describePayment(db, paymentId),
});

export const purchasePart = partKind<Extract<LinePart, { kind: "purchase" }>, Target>({
  ...ofPayment,
  names: ({ reference }) => ({ references: [reference] }),
  require: (tx, given) => requireArrival(tx, given, given.purchases.get(given.part.reference)),
  whose: ({ reference }, { locked }) => ({
    references: [reference],
    userId: locked.references.get(reference)?.userId ?? null,
  }),
  describe: async (_db, { reference }) => reference,
});

export const whoseIs = (payment: Payment | undefined) => ({
  references: payment ? [payment.reference] : [],
  userId: payment?.userId ?? null,
});

async function requireArrival(tx: Tx, { part, rule }: Given<ForPayment>, payment: Payment | undefined) {
  if (!payment) throw new AppError("conflict", bankTexts.paymentGone);
  const before = await readMoney(tx, payment);
  // What was sure when nothing was locked must still be: another line may have brought the money meanwhile.
  if (rule && !(await isStillSure(tx, { payment, before, amountKobo: part.amountKobo })))
    throw new AppError("conflict", bankTexts.lineChanged);
  return { payment, before };
}

/** True if a line brings all that a payment misses, alone or with the other lines under its reference. */
async function isStillSure(
  tx: Tx,
  { payment, before, amountKobo }: { payment: Payment; before: PaymentMoney; amountKobo: Kobo },
): Promise<boolean> {
  if (payment.status === "rejected") return false;
  const expected = expectedKobo(before);
  if (expected === amountKobo) return true;
  const { reference } = payment;
  return amountKobo < expected && (await readWaiting(tx, [reference])).get(reference) === expected;
}

/** A payment in words. */
export async function describePayment(db: DbOrTx, paymentId: number): Promise<string> {
  const [payment] = await db
    .select({
      reference: projectPayments.reference,
      title: projectPayments.projectTitle,
      status: projectPayments.status,
      backerName: users.fullName,
    })
    .from(projectPayments)
    .innerJoin(users, eq(users.id, projectPayments.userId))
    .where(eq(projectPayments.id, paymentId));
  if (!payment) return "a payment that is gone";
  const { backerName, reference, title, status } = payment;
  return `${backerName || "a backer"}, ${reference}, ${paymentStatusLabels[status].toLowerCase()}, for ${title}`;
}

/** The payment of a match that is undone, and its money before. */
export function paymentOf({ match, payment, before }: Undone) {
  if (!payment || !before) throw new Error(`match ${match.id} has no payment`);
  return { payment, before };
}

export const paymentUndoing: Undoing = {
  requireUndoing: async (tx, ctx, undone) => {
    const { payment, before } = paymentOf(undone);
    await requireNotTakenBack(tx, undone.match);
    const after = await moneyAfter(tx, payment, undone.match, { before, isUndone: true });
    const why = await listTwoPersonReasons(tx, payment, { before, after });
    if (!undone.isConfirmed) requireSecondPersonIf(why);
    await requireMoneyMayLeave(tx, ctx, payment, { before, after, isConfirmed: undone.isConfirmed });
  },
  undo: (tx, ctx, undone) => postPaymentMatch(tx, ctx, { match: undone.match, ...paymentOf(undone), isUndone: true }),
  followUpUndoing: async (tx, ctx, undone) => {
    const { match, reason } = undone;
    const { payment } = paymentOf(undone);
    if (await unclaimIfNoneLeft(tx, payment, ctx.clock.now()))
      await notifyOfAnothersTransfer(tx, ctx, { payment, matchId: match.id });
    if (payment.status === "approved") await notifyMoneyGone(tx, ctx, { payment, match, gone: "undone", reason });
  },
};
