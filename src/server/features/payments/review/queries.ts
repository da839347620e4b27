import { and, asc, eq, gt, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { z } from "zod";
import { moneyFrom, placesOf } from "#server/books/places.ts";
import { hasStatements } from "#server/books/statements.ts";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { perPool } from "#server/db/prepared.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { paymentReceipts, projectPayments } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { users } from "#server/db/schema/users.ts";
import {
  arrivalColumns,
  currentReceipt,
  isProjectTaken,
  order,
  projectOfPayment,
  refundKobo,
  refundReason,
  refundsOfPayment,
  roundOfPayment,
  sold,
  withRefundDue,
} from "#server/features/payments/queries.ts";
import type { RoundKey } from "#server/features/projects/rounds/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { pageOf } from "#server/platform/keyset.ts";
import { shownName } from "#server/platform/names.ts";
import { contains } from "#server/platform/search.ts";
import type { UnseenPayment } from "#shared/harvests/unseen-texts.ts";
import type { Kobo } from "#shared/money.ts";
import type { countPaymentsInput, listPaymentProjectsInput, listPaymentsInput } from "#shared/payments/inputs.ts";
import type { PaymentStatus } from "#shared/payments/statuses.ts";
import { paymentLimits, type RefundReason } from "#shared/payments/texts.ts";
import { findUnseenLimit, type UnseenLimit } from "./approval.ts";
import { seenFrom, seenRow } from "./bank-state.ts";
import { lateness, longestLateFirst } from "./late.ts";
import { areChosen, type PaymentsFilter } from "./payments-filter.ts";

/**
 * The table of /admin/payments, newest first. A deleted person or project is "Unknown"; titles are kept.
 * `refundContact` is the address kept for a refund of an account that was closed while its payment was pending, before
 * closing was refused. Throws as {@link order}'s `after` does.
 */
export async function listPayments(ctx: ActorContext, input: z.output<typeof listPaymentsInput>) {
  const { cursor, ...filter } = input;
  const now = ctx.clock.now();
  const sorted = filter.late ? longestLateFirst : newestFirst;
  const [chosen, isBankKnown, unseenLimit] = await Promise.all([
    ctx.db
      .select({ id: projectPayments.id, at: sorted.moment, late: lateness(now) })
      .from(projectPayments)
      .where(and(areChosen({ db: ctx.db, now }, filter), sorted.after(cursor)))
      .orderBy(...sorted.by)
      .limit(paymentLimits.pageSize + 1),
    hasStatements(ctx.db),
    findUnseenLimit(ctx.db, ctx),
  ]);
  const { items, nextCursor } = pageOf(chosen, paymentLimits.pageSize, (last) => sorted.cursorOf(last.at, last.id));
  const found = await readPayments(tableOf(ctx.db), items);
  const lateOf = new Map(items.map(({ id, late }) => [id, late]));
  const ownDecider = unseenLimit ? ("another" as const) : ("alone" as const);
  return {
    items: found.map(({ backerId, refundEmail, receipt, restBy, refunds: standing, ...row }) => {
      const payment = shownPayment(row, { isBankKnown, unseenLimit });
      return {
        ...payment,
        /** "review" if our answer is late, "unseen" if the bank's line is; null otherwise. */
        late: lateOf.get(row.id) ?? null,
        refundContact: refundEmail,
        receipt: receiptFrom(receipt),
        /** The date by which the rest of a part should come; null if none is awaited. */
        restBy: payment.status === "pending" && payment.bank?.state === "part" ? restBy : null,
        refunds: standing.map(refundFrom),
        /** The decider on the caller's own payment: another owner, or they alone, with a reason and the second factor. */
        ownDecider: backerId === ctx.actor.id ? ownDecider : null,
      };
    }),
    nextCursor,
    /** True if the bank's statements say what has arrived. */
    isBankKnown,
    /** How much of what one owner may approve unseen the caller has used; null for a single owner. */
    unseenLimit,
    /** True if the caller may set statuses. */
    canProcess: ctx.actor.permissions.includes("payments:process"),
  };
}

/** The payments of a filter for a file of them: those with a larger id, oldest first. */
export async function listPaymentsAfter(
  asked: { db: DbOrTx; now: Date },
  filter: PaymentsFilter,
  { after, limit }: { after: number; limit: number },
) {
  const { db } = asked;
  const chosen = await db
    .select({ id: projectPayments.id })
    .from(projectPayments)
    .where(and(areChosen(asked, filter), gt(projectPayments.id, after)))
    .orderBy(asc(projectPayments.id))
    .limit(limit);
  const [found, isBankKnown] = [await readPayments(fileOf(db), chosen), await hasStatements(db)];
  // Nobody approves from a table that was exported.
  return found.map((row) => shownPayment(row, { isBankKnown, unseenLimit: null }));
}

/**
 * The rows of a page's payments, in its order. A page is chosen by one statement and read by another: PostgreSQL keeps
 * the plan of a prepared statement that takes ids, and would work out one with a limit anew at each call, which takes
 * longer than reading.
 */
async function readPayments<Row extends { id: number }>(
  statement: { execute: (values: { ids: string }) => Promise<Row[]> },
  chosen: { id: number }[],
): Promise<Row[]> {
  const found = await statement.execute({ ids: `{${chosen.map(({ id }) => id).join(",")}}` });
  const rowOf = new Map(found.map((row) => [row.id, row]));
  return chosen.flatMap(({ id }) => rowOf.get(id) ?? []);
}

const newestFirst = { ...order, moment: projectPayments.createdAt };

const isOfPage = sql`${projectPayments.id} = any(${sql.placeholder("ids")}::bigint[])`;

type FileRow = Awaited<ReturnType<ReturnType<typeof fileOf>["execute"]>>[number];
type TableRow = Awaited<ReturnType<ReturnType<typeof tableOf>["execute"]>>[number];

type Standing = { isBankKnown: boolean; unseenLimit: UnseenLimit | null };

/** Shapes a row for the table and its export. */
function shownPayment<Row extends FileRow>(row: Row, { isBankKnown, unseenLimit }: Standing) {
  const { money: read, ...payment } = withRefundDue(row);
  const money = moneyFrom(read);
  const seen = isBankKnown ? seenFrom(read, money, unseenLimit) : null;
  // Without statements only what people said of rejected ones is unallocated.
  const isMoved = seen !== null || row.status === "rejected";
  return {
    ...payment,
    /** Null without statements. */
    bank: seen,
    /** The arrived money that neither pays the project nor is given back. */
    unallocatedKobo: isMoved ? placesOf(money).unallocatedKobo : 0n,
  };
}

/** Null for a payment that came without one. */
function receiptFrom({ id, sha256, contentType, originalName, submittedAt, isUsedBefore }: TableRow["receipt"]) {
  if (id === null || sha256 === null || contentType === null || originalName === null || submittedAt === null)
    return null;
  return { id, sha256, contentType, originalName, submittedAt, isUsedBefore };
}

type Shown = { id: number; paymentId: number; amountKobo: Kobo; reason: RefundReason; createdAt: Date };
type RefundRow = Omit<Shown, "amountKobo" | "createdAt"> & { amountKobo: string; createdAt: string };

const refundFrom = ({ amountKobo, createdAt, ...refund }: RefundRow): Shown => ({
  ...refund,
  amountKobo: BigInt(amountKobo),
  createdAt: new Date(createdAt),
});

/** The refunds of the payment that stand, oldest first. */
const standingRefunds = sql<RefundRow[]>`(
  select coalesce(json_agg(json_build_object('id', ${refunds.id}, 'paymentId', ${refunds.paymentId},
    'amountKobo', ${refunds.amountKobo}::text, 'reason', ${refunds.reason}, 'createdAt', ${refunds.createdAt})
    order by ${refunds.id}), '[]')
  from ${refunds} where ${refundsOfPayment}
)`;

const decider = alias(users, "decider");
const otherReceipt = alias(paymentReceipts, "other_receipt");
const isOpen = sql`(${users.closedAt} is null)`;

const fileColumns = {
  id: projectPayments.id,
  submittedAt: projectPayments.createdAt,
  reviewBy: projectPayments.reviewBy,
  backerName: shownName(users),
  backerEmail: sql<string>`coalesce(case when ${isOpen} then ${users.email} end, 'Unknown')`,
  projectId: projectPayments.projectId,
  projectTitle: sql<string>`coalesce(${projects.title}, ${projectPayments.projectTitle}, 'Unknown')`,
  round: projectPayments.round,
  amountKobo: projectPayments.amountKobo,
  lots: projectPayments.lots,
  reference: projectPayments.reference,
  status: projectPayments.status,
  rejectionReason: projectPayments.rejectionReason,
  decidedByName: decider.fullName,
  decidedAt: projectPayments.decidedAt,
  isProjectTaken,
  roundOutcome: sold.outcome,
  refundReason,
  refundKobo,
  money: seenRow(sql`${projectPayments.id}`),
};

const tableColumns = {
  ...fileColumns,
  backerId: projectPayments.userId,
  /** The backer closed the account, so nobody is notified of a decision. */
  isAccountClosed: sql<boolean>`not ${isOpen}`,
  refundEmail: projectPayments.refundEmail,
  /** The number of lots of its round; null if the project was deleted. */
  roundLots: sold.lots,
  refunds: standingRefunds,
  restBy: arrivalColumns.restBy,
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
};

const fileOf = perPool((db) =>
  db
    .select(fileColumns)
    .from(projectPayments)
    .leftJoin(users, eq(users.id, projectPayments.userId))
    .leftJoin(decider, eq(decider.id, projectPayments.decidedBy))
    .leftJoin(projects, projectOfPayment)
    .leftJoin(sold, roundOfPayment)
    .where(isOfPage)
    .prepare("payments_file"),
);

const tableOf = perPool((db) =>
  db
    .select(tableColumns)
    .from(projectPayments)
    .leftJoin(paymentReceipts, currentReceipt)
    .leftJoin(storedFiles, eq(storedFiles.id, paymentReceipts.fileId))
    .leftJoin(users, eq(users.id, projectPayments.userId))
    .leftJoin(decider, eq(decider.id, projectPayments.decidedBy))
    .leftJoin(projects, projectOfPayment)
    .leftJoin(sold, roundOfPayment)
    .where(isOfPage)
    .prepare("payments_table"),
);

/** Counts the payments of each status that the other filters of /admin/payments leave, and those that are late. */
export async function countPaymentsByStatus(
  { db, clock }: ActorContext,
  input: z.output<typeof countPaymentsInput>,
): Promise<Record<PaymentStatus | "late", number>> {
  const asked = { db, now: clock.now() };
  const found = await db
    .select({ status: projectPayments.status, payments: sql<number>`count(*)::int` })
    .from(projectPayments)
    .where(areChosen(asked, input))
    .groupBy(projectPayments.status);
  const late = await db.$count(projectPayments, areChosen(asked, { ...input, late: true }));
  const counts = { pending: 0, approved: 0, rejected: 0, late };
  for (const { status, payments } of found) counts[status] = payments;
  return counts;
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

/**
 * The approved payments of a round that the bank's statements don't wholly show, the largest missing sum first. A site
 * that never imported a statement knows of none, as with approvals.
 */
export async function listUnseenOfRound(
  db: DbOrTx,
  { projectId, round }: RoundKey,
): Promise<(UnseenPayment & { userId: string })[]> {
  if (!(await hasStatements(db))) return [];
  const found = await rows<{ reference: string; backer: string; userId: string; missing: string }>(
    db,
    sql`select p.reference, u.full_name as backer, p.user_id as "userId", sum(e.amount_kobo)::text as missing
      from project_payments p join users u on u.id = p.user_id
        join ledger_entries e on e.payment_id = p.id and e.account in ('in_transit', 'receivable')
      where p.project_id = ${projectId} and p.round = ${round} and p.status = 'approved'
      group by p.id, u.id having sum(e.amount_kobo) > 0 order by sum(e.amount_kobo) desc, p.id`,
  );
  return found.map(({ missing, ...payment }) => ({ ...payment, missingKobo: BigInt(missing) }));
}
