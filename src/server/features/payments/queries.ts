import { and, asc, eq, gt, inArray, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { z } from "zod";
import { areTwoOwners } from "#server/accounts/owner-terms.ts";
import { type PaymentMoney, placesOf, readMoneyOf } from "#server/books/places.ts";
import type { DbOrTx } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { bareReference, paymentReceipts, projectPayments } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { roundTerms } from "#server/db/schema/terms.ts";
import { users } from "#server/db/schema/users.ts";
import { currentRound, lotColumns, projectCardColumns, toCard } from "#server/features/projects/queries.ts";
import { readable, shownTermsColumns } from "#server/features/projects/rounds/queries.ts";
import type { Round, RoundKey } from "#server/features/projects/rounds/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { latestFirst, pageOf } from "#server/platform/keyset.ts";
import { shownName } from "#server/platform/names.ts";
import { contains } from "#server/platform/search.ts";
import { dayMs } from "#shared/lagos-time.ts";
import type { Kobo } from "#shared/money.ts";
import type { listPaymentProjectsInput, listPaymentsInput } from "#shared/payments/inputs.ts";
import { paymentLimits, paymentTexts, type RefundReason } from "#shared/payments/texts.ts";
import { asksUnseenReason, findUnseenLimit, type UnseenLimit } from "./approval.ts";
import { arrivalColumns, findRestDeadlines } from "./arrivals.ts";
import { isInBankState, listRefunds, readSeen } from "./bank-state.ts";
import { isStandingRefund } from "./refunds.ts";
import { readReferencePart, refundDueOf } from "./rules.ts";

/** The round that the payment is for; a detached payment has none. */
const sold = alias(projectRounds, "sold");
const roundOfPayment = and(eq(sold.projectId, projectPayments.projectId), eq(sold.round, projectPayments.round));

/** Whether the payment needs more lots than its round has left. */
const isProjectTaken = sql<boolean>`coalesce(${sold.lots} - ${sold.approvedLots} < ${projectPayments.lots}, false)`;

const refundsOfPayment = sql`${refunds.paymentId} = ${projectPayments.id} and ${isStandingRefund}`;

/** The reason of the latest refund that stands of the payment; null without one. A surplus comes last, as a part only. */
const refundReason = sql<RefundReason | null>`(
  select ${refunds.reason} from ${refunds} where ${refundsOfPayment}
  order by ${refunds.reason} = 'surplus', ${refunds.id} desc limit 1
)`;
/** What stands of refunds of the payment, together; null without any. */
const refundKobo = sql`(select sum(${refunds.amountKobo})::bigint from ${refunds} where ${refundsOfPayment})`.mapWith(
  refunds.amountKobo,
) as SQL<Kobo | null>;

/** A payment that the bank's statement showed has none. */
const currentReceipt = eq(paymentReceipts.id, projectPayments.currentReceiptId);
const projectOfPayment = eq(projects.id, projectPayments.projectId);

const order = latestFirst(projectPayments.createdAt, projectPayments.id, "bigint");

/**
 * The table of /admin/payments, newest first. A deleted person or project is "Unknown"; titles are kept.
 * `refundContact` is the address kept for a refund of an account that was closed while its payment was pending, before
 * closing was refused.
 */
export async function listPayments(ctx: ActorContext, input: z.output<typeof listPaymentsInput>) {
  const found = await readTable(ctx.db, and(areChosen(ctx.db, input), order.after(input.cursor)));
  const page = pageOf(found, paymentLimits.pageSize, (last) => order.cursorOf(last.submittedAt, last.id));
  const isBankKnown = await asksUnseenReason(ctx.db);
  const items = await withMoney(ctx.db, page.items, isBankKnown && { limit: await findUnseenLimit(ctx.db, ctx) });
  const isOwn = ({ backerId }: { backerId: string }) => backerId === ctx.actor.id;
  const isShared = items.some(isOwn) && (await areTwoOwners(ctx.db, ctx.clock.now()));
  return {
    items: items.map((item) => ({
      ...item,
      /** Who decides on the caller's own payment: another owner, or they alone, with a reason and the second factor. */
      ownDecider: !isOwn(item) ? null : isShared ? ("another" as const) : ("alone" as const),
    })),
    nextCursor: page.nextCursor,
    /** Whether the bank's statements say what has arrived. */
    isBankKnown,
    /** Whether the caller may set statuses. */
    canProcess: ctx.actor.permissions.includes("payments:process"),
  };
}

type PaymentsFilter = Partial<Omit<z.output<typeof listPaymentsInput>, "cursor">>;

/** The same rows for a file of them: those with a larger id, oldest first. */
export async function listPaymentsAfter(
  db: DbOrTx,
  filter: PaymentsFilter,
  { after, limit }: { after: number; limit: number },
) {
  const where = and(areChosen(db, filter), gt(projectPayments.id, after));
  const found = await readTable(db, where, { by: [asc(projectPayments.id)], limit });
  // Nobody approves from a table that was exported.
  return withMoney(db, found, (await asksUnseenReason(db)) && { limit: null });
}

/** The condition of the payments that the filters leave. */
export function areChosen(
  db: DbOrTx,
  { status, projectId, sameReceiptAs, bank, search }: PaymentsFilter,
): SQL | undefined {
  return and(
    status ? eq(projectPayments.status, status) : undefined,
    projectId ? eq(projectPayments.projectId, projectId) : undefined,
    sameReceiptAs ? sharesReceipt(sameReceiptAs) : undefined,
    bank ? isInBankState(sql`${projectPayments.id}`, bank) : undefined,
    search ? matches(db, search) : undefined,
  );
}

type PaymentRow = Awaited<ReturnType<typeof readTable>>[number];

/** Adds what the bank shows of payments, what is unallocated of them, and their refunds. `bank` is false without statements. */
async function withMoney(db: DbOrTx, found: readonly PaymentRow[], bank: { limit: UnseenLimit | null } | false) {
  // Without statements only what people said of rejected ones is unallocated.
  const moved = found.filter(({ status }) => bank || status === "rejected");
  const money = await readMoneyOf(
    db,
    moved.map(({ id }) => id),
  );
  const seen = bank ? await readSeen(db, money, bank.limit) : null;
  const parts = found.filter(({ id, status }) => status === "pending" && seen?.get(id)?.state === "part");
  const restDeadlines = await findRestDeadlines(
    db,
    parts.map(({ id }) => id),
  );
  const refundsOfPage = await listRefunds(
    db,
    found.filter(({ refundReason }) => refundReason !== null).map(({ id }) => id),
  );
  return found.map((row) => {
    const { refundEmail, receipt, ...payment } = withRefundDue(row);
    return {
      ...payment,
      refundContact: refundEmail,
      receipt: receiptFrom(receipt),
      /** Null without statements. */
      bank: seen?.get(row.id) ?? null,
      /** What has arrived, and neither pays the project nor is given back. */
      heldKobo: heldOf(money.get(row.id)),
      /** Until when the rest of a part should come; null where none is waited for. */
      restBy: restDeadlines.get(row.id) ?? null,
      refunds: refundsOfPage.filter(({ paymentId }) => paymentId === row.id),
    };
  });
}

const heldOf = (money: PaymentMoney | undefined): Kobo => (money ? placesOf(money).unallocatedKobo : 0n);

/** Null for a payment that came without one. */
function receiptFrom({ id, sha256, contentType, originalName, submittedAt, isUsedBefore }: PaymentRow["receipt"]) {
  if (id === null || sha256 === null || contentType === null || originalName === null || submittedAt === null)
    return null;
  return { id, sha256, contentType, originalName, submittedAt, isUsedBefore };
}

/** Matches the backer's name or address, the reference, or an address kept for a refund. */
function matches(db: DbOrTx, search: string): SQL | undefined {
  const isNamed = or(contains(users.fullName, search), contains(users.email, search));
  const named = db
    .select({ id: users.id })
    .from(users)
    .where(and(isNull(users.closedAt), isNamed));
  const part = readReferencePart(search);
  return or(
    inArray(projectPayments.userId, named),
    contains(projectPayments.refundEmail, search),
    part === null ? undefined : contains(bareReference(projectPayments), part),
  );
}

/**
 * A page of the table. Prepared, because administrators read the same few lists all day. The driver keeps prepared
 * statements by their text, so each combination of filters has its own.
 */
function readTable(
  db: DbOrTx,
  where: SQL | undefined,
  { by, limit } = { by: order.by, limit: paymentLimits.pageSize + 1 },
) {
  const decider = alias(users, "decider");
  const otherReceipt = alias(paymentReceipts, "other_receipt");
  const isOpen = sql`(${users.closedAt} is null)`;
  return db
    .select({
      id: projectPayments.id,
      submittedAt: projectPayments.createdAt,
      backerId: projectPayments.userId,
      backerName: shownName(users),
      backerEmail: sql<string>`coalesce(case when ${isOpen} then ${users.email} end, 'Unknown')`,
      /** The backer closed the account, so nobody is notified of a decision. */
      isAccountClosed: sql<boolean>`not ${isOpen}`,
      refundEmail: projectPayments.refundEmail,
      projectId: projectPayments.projectId,
      projectTitle: sql<string>`coalesce(${projects.title}, ${projectPayments.projectTitle}, 'Unknown')`,
      round: projectPayments.round,
      amountKobo: projectPayments.amountKobo,
      lots: projectPayments.lots,
      /** Of how many lots its round is; null if the project was deleted. */
      roundLots: sold.lots,
      reference: projectPayments.reference,
      status: projectPayments.status,
      rejectionReason: projectPayments.rejectionReason,
      decidedByName: decider.fullName,
      decidedAt: projectPayments.decidedAt,
      isProjectTaken,
      roundOutcome: sold.outcome,
      refundReason,
      refundKobo,
      receipt: {
        id: paymentReceipts.id,
        sha256: paymentReceipts.sha256,
        contentType: storedFiles.contentType,
        originalName: storedFiles.originalName,
        submittedAt: paymentReceipts.createdAt,
        /** The same file was sent for another payment, which is a reason to check it. */
        isUsedBefore: sql<boolean>`exists (
          select from ${paymentReceipts} ${otherReceipt}
          where ${otherReceipt.sha256} = ${paymentReceipts.sha256} and ${otherReceipt.paymentId} <> ${projectPayments.id}
        )`,
      },
    })
    .from(projectPayments)
    .leftJoin(paymentReceipts, currentReceipt)
    .leftJoin(storedFiles, eq(storedFiles.id, paymentReceipts.fileId))
    .leftJoin(users, eq(users.id, projectPayments.userId))
    .leftJoin(decider, eq(decider.id, projectPayments.decidedBy))
    .leftJoin(projects, projectOfPayment)
    .leftJoin(sold, roundOfPayment)
    .where(where)
    .orderBy(...by)
    .limit(limit)
    .prepare("payments_table")
    .execute();
}

/** Payments for which the given payment's current receipt file was sent, now or earlier. */
function sharesReceipt(paymentId: number): SQL {
  const sent = alias(paymentReceipts, "sent");
  const looked = alias(paymentReceipts, "looked");
  const lookedAt = alias(projectPayments, "looked_at");
  // An array is computed first; with a subquery every payment would be compared.
  return sql`${projectPayments.id} = any(array(
    select ${sent.paymentId} from ${paymentReceipts} ${sent}, ${projectPayments} ${lookedAt}, ${paymentReceipts} ${looked}
    where ${lookedAt.id} = ${paymentId}::bigint and ${looked.id} = ${lookedAt.currentReceiptId} and ${sent.sha256} = ${looked.sha256}
  ))`;
}

const projectChoices = 20;

/** Projects with a payment, by title: those whose title matches, with the selected one first. */
export async function listPaymentProjects(
  { db }: ActorContext,
  { search, selectedId }: z.output<typeof listPaymentProjectsInput>,
) {
  const columns = { id: projects.id, title: projects.title };
  const [selected] = selectedId ? await db.select(columns).from(projects).where(eq(projects.id, selectedId)) : [];
  const found = await db
    .select(columns)
    .from(projects)
    .where(
      and(
        sql`exists (select from ${projectPayments} where ${projectOfPayment})`,
        selected && ne(projects.id, selected.id),
        search ? contains(projects.title, search) : undefined,
      ),
    )
    .orderBy(sql`lower(${projects.title})`, projects.id)
    .limit(projectChoices - (selected ? 1 : 0));
  return { items: selected ? [selected, ...found] : found };
}

const ownPaymentColumns = {
  id: projectPayments.id,
  projectId: projectPayments.projectId,
  status: projectPayments.status,
  amountKobo: projectPayments.amountKobo,
  lots: projectPayments.lots,
  reference: projectPayments.reference,
  rejectionReason: projectPayments.rejectionReason,
  submittedAt: paymentReceipts.createdAt,
  /** Of how many lots its round is; null if the project was deleted. */
  roundLots: sold.lots,
  isProjectTaken,
  roundOutcome: sold.outcome,
  refundReason,
  refundKobo,
  ...arrivalColumns,
};

/** The person's relevant payment for a project: the pending one, else the latest. Null without any. */
export async function findOwnPayment(db: DbOrTx, projectId: number, userId: string) {
  const [found] = await db
    .select(ownPaymentColumns)
    .from(projectPayments)
    .leftJoin(paymentReceipts, currentReceipt)
    .leftJoin(projects, projectOfPayment)
    .leftJoin(sold, roundOfPayment)
    .where(and(eq(projectPayments.projectId, projectId), eq(projectPayments.userId, userId)))
    .orderBy(sql`${projectPayments.status} <> 'pending'`, ...order.by)
    .limit(1);
  return found ? withRefundDue(found) : null;
}

/**
 * What the caller bought of a project, or is about to: their approved and pending payments, oldest first, each with the
 * terms they agreed to.
 */
export async function listMyPurchases(ctx: ActorContext, { projectId }: { projectId: number }) {
  const found = await ctx.db
    .select({
      id: projectPayments.id,
      status: projectPayments.status,
      lots: projectPayments.lots,
      amountKobo: projectPayments.amountKobo,
      reference: projectPayments.reference,
      submittedAt: projectPayments.createdAt,
      agreedAt: projectPayments.agreedAt,
      ...arrivalColumns,
      terms: shownTermsColumns,
    })
    .from(projectPayments)
    .innerJoin(
      roundTerms,
      and(
        eq(roundTerms.projectId, projectPayments.projectId),
        eq(roundTerms.round, projectPayments.round),
        eq(roundTerms.version, projectPayments.termsVersion),
      ),
    )
    .where(
      and(
        eq(projectPayments.projectId, projectId),
        eq(projectPayments.userId, ctx.actor.id),
        ne(projectPayments.status, "rejected"),
      ),
    )
    .orderBy(asc(projectPayments.id))
    .limit(paymentLimits.purchases);
  return found.map(({ terms, ...purchase }) => ({ ...purchase, terms: readable(terms) }));
}

function withRefundDue<Row extends Parameters<typeof refundDueOf>[0]>(row: Row) {
  const { isProjectTaken, roundOutcome, refundReason, ...shown } = row;
  return { ...shown, refundDue: refundDueOf(row) };
}

/** Other people's payments for the project: whether one is under review, or one was approved in this round. */
export async function findReviewState(db: DbOrTx, project: { id: number; round: number }, userId: string) {
  const [state] = await db
    .select({
      isOtherUnderReview: sql<boolean>`coalesce(bool_or(${projectPayments.status} = 'pending'), false)`,
      isSoldToOther: sql<boolean>`coalesce(bool_or(${projectPayments.status} = 'approved' and ${projectPayments.round} = ${project.round}), false)`,
    })
    .from(projectPayments)
    .where(and(eq(projectPayments.projectId, project.id), ne(projectPayments.userId, userId)));
  return state ?? { isOtherUnderReview: false, isSoldToOther: false };
}

/** The name of the administrator who approved the only lot of the round. */
export async function findApproverInRound(db: DbOrTx, { projectId, round }: RoundKey): Promise<string | null> {
  const [found] = await db
    .select({ name: users.fullName })
    .from(projectPayments)
    .leftJoin(users, eq(users.id, projectPayments.decidedBy))
    .where(
      and(
        eq(projectPayments.projectId, projectId),
        eq(projectPayments.round, round),
        eq(projectPayments.status, "approved"),
      ),
    );
  return found?.name ?? null;
}

/** The ids of the other people whose pending payment of the same round needs more lots than are free. */
export async function listOthersLeftOut(
  db: DbOrTx,
  { projectId, round, userId }: { projectId: number | null; round: number; userId: string },
  free: number,
): Promise<string[]> {
  if (projectId === null) return [];
  const found = await db
    .select({ userId: projectPayments.userId })
    .from(projectPayments)
    .where(
      and(
        eq(projectPayments.projectId, projectId),
        eq(projectPayments.round, round),
        eq(projectPayments.status, "pending"),
        ne(projectPayments.userId, userId),
        gt(projectPayments.lots, free),
      ),
    );
  return found.map((payment) => payment.userId);
}

const recentMs = 30 * dayMs;

/**
 * The Pending tab: the caller's pending payments, those rejected in the last 30 days without a later payment, and all of
 * which money is due back. Each has its project's card, or null if the project was deleted. Latest first, at most 100.
 */
export async function listMyPending(ctx: ActorContext) {
  const later = alias(projectPayments, "later");
  const isReplaced = sql`exists (
    select from ${projectPayments} ${later}
    where ${later.projectId} = ${projectPayments.projectId} and ${later.userId} = ${projectPayments.userId}
      and ${later.id} > ${projectPayments.id}
  )`;
  const hasStandingRefund = sql`exists (select from ${refunds} where ${refundsOfPayment})`;
  const isRecentlyRejected = and(
    eq(projectPayments.status, "rejected"),
    or(
      and(gt(projectPayments.decidedAt, new Date(ctx.clock.now().getTime() - recentMs)), sql`not ${isReplaced}`),
      // Money that is due is shown as long as it is.
      hasStandingRefund,
    ),
  );
  const isSurplusDue = and(eq(projectPayments.status, "approved"), hasStandingRefund);
  const found = await ctx.db
    .select({
      payment: { ...ownPaymentColumns, projectTitle: projectPayments.projectTitle },
      project: { ...projectCardColumns, shortDescription: projects.shortDescription },
      round: lotColumns,
    })
    .from(projectPayments)
    .leftJoin(paymentReceipts, currentReceipt)
    .leftJoin(projects, projectOfPayment)
    .leftJoin(sold, roundOfPayment)
    .leftJoin(projectRounds, currentRound)
    .where(
      and(
        eq(projectPayments.userId, ctx.actor.id),
        or(eq(projectPayments.status, "pending"), isRecentlyRejected, isSurplusDue),
      ),
    )
    .orderBy(...order.by)
    .limit(paymentLimits.backingsPage);
  const items = found.map(({ payment, project, round }) => ({
    payment: withRefundDue(payment),
    project: project && round && toCard(ctx, { ...project, ...round }),
  }));
  return {
    pending: items.filter(({ payment }) => payment.status === "pending"),
    rejected: items.filter(({ payment }) => payment.status === "rejected"),
    /** Approved, with a surplus that is due. */
    approved: items.filter(({ payment }) => payment.status === "approved"),
  };
}

/** The approved payments of a round. */
export const isApprovedIn = ({ projectId, round }: Pick<Round, "projectId" | "round">) =>
  and(
    eq(projectPayments.projectId, projectId),
    eq(projectPayments.round, round),
    eq(projectPayments.status, "approved"),
  );

/** How many pending payments of the round could still be approved. */
export async function countWaiting(db: DbOrTx, round: Round): Promise<number> {
  const [found] = await db
    .select({ waiting: sql<number>`count(*)::int` })
    .from(projectPayments)
    .where(
      and(
        eq(projectPayments.projectId, round.projectId),
        eq(projectPayments.round, round.round),
        eq(projectPayments.status, "pending"),
        sql`${projectPayments.lots} <= ${round.lots - round.approvedLots}`,
      ),
    );
  return found?.waiting ?? 0;
}

/** What of the round waits: lots that are held, or payments that could still be approved. Null where nothing does. */
export async function findWaiting(db: DbOrTx, round: Round): Promise<string | null> {
  if (round.heldLots > 0) return paymentTexts.lotsHeld;
  const waiting = await countWaiting(db, round);
  return waiting > 0 ? paymentTexts.paymentsWait(waiting) : null;
}

/** Throws "conflict" while something of the round waits. */
export async function requireNothingWaits(db: DbOrTx, round: Round): Promise<void> {
  const waiting = await findWaiting(db, round);
  if (waiting !== null) throw new AppError("conflict", waiting);
}
