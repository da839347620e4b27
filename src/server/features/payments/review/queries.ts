import { and, asc, desc, eq, gt, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { z } from "zod";
import { moneyFrom, placesOf } from "#server/books/places.ts";
import { statementsExist } from "#server/books/sums.ts";
import type { DbOrTx } from "#server/db/open.ts";
import { perPool, perVariant } from "#server/db/prepared.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { paymentReceipts, projectPayments } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { users } from "#server/db/schema/users.ts";
import {
  arrivalColumns,
  currentReceipt,
  isProjectTaken,
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
import { decodeCursor, encodeCursor, pageOf } from "#server/platform/keyset.ts";
import { shownName } from "#server/platform/names.ts";
import { contains } from "#server/platform/search.ts";
import type { Kobo } from "#shared/money.ts";
import type { countPaymentsInput, listPaymentProjectsInput, listPaymentsInput } from "#shared/payments/inputs.ts";
import type { BankState, PaymentStatus } from "#shared/payments/statuses.ts";
import { paymentLimits, type RefundReason } from "#shared/payments/texts.ts";
import { type UnseenLimit, unseenColumns, unseenLimitFrom } from "./approval.ts";
import { seenFrom, seenRow } from "./bank-state.ts";
import { areChosen, type ParameterName, type PaymentsFilter, valuesOf } from "./payments-filter.ts";

/**
 * The table of /admin/payments, newest first. A deleted person or project is "Unknown"; titles are kept.
 * `refundContact` is the address kept for a refund of an account that was closed while its payment was pending, before
 * closing was refused.
 */
export async function listPayments(ctx: ActorContext, input: z.output<typeof listPaymentsInput>) {
  const { cursor, ...filter } = input;
  const [found, standing] = await Promise.all([
    readTable(ctx.db, filter, { order: "newest", cursor }),
    readStanding(ctx),
  ]);
  const { items, nextCursor } = pageOf(found, paymentLimits.pageSize, ({ submittedAt, id }) =>
    encodeCursor([submittedAt.getTime(), id]),
  );
  const { isBankKnown } = standing;
  const bank = isBankKnown && { limit: unseenLimitFrom(standing) };
  const ownDecider = standing.areTwoOwners ? ("another" as const) : ("alone" as const);
  return {
    items: items.map((row) => ({
      ...shownPayment(row, bank),
      /** Who decides on the caller's own payment: another owner, or they alone, with a reason and the second factor. */
      ownDecider: row.backerId === ctx.actor.id ? ownDecider : null,
    })),
    nextCursor,
    /** Whether the bank's statements say what has arrived. */
    isBankKnown,
    /** Whether the caller may set statuses. */
    canProcess: ctx.actor.permissions.includes("payments:process"),
  };
}

/** Reads {@link unseenColumns} of the caller, and whether statements are imported. */
async function readStanding({ db, actor, clock }: ActorContext) {
  const [found] = await standingOf(db).execute({ userId: actor.id, now: clock.now().toISOString() });
  if (!found) throw new Error("a statement without a table gives one row");
  return found;
}

const standingOf = perPool((db) =>
  db
    .select({
      isBankKnown: statementsExist,
      ...unseenColumns({
        userId: sql`${sql.placeholder("userId")}::uuid`,
        now: sql`${sql.placeholder("now")}::timestamptz`,
        except: sql`0`,
      }),
    })
    .from(sql`(values (1)) as one (row)`)
    .prepare("approval_standing"),
);

/** The same rows for a file of them: those with a larger id, oldest first. */
export async function listPaymentsAfter(
  db: DbOrTx,
  filter: PaymentsFilter,
  { after, limit }: { after: number; limit: number },
) {
  const found = await readTable(db, filter, { order: "oldest", after, limit });
  const [bank] = await db.select({ isKnown: statementsExist }).from(sql`(values (1)) as one (row)`);
  // Nobody approves from a table that was exported.
  return found.map((row) => shownPayment(row, bank?.isKnown ? { limit: null } : false));
}

type PaymentRow = Awaited<ReturnType<typeof readTable>>[number];

/** A row as the table shows it. `bank` is false without statements. */
function shownPayment(row: PaymentRow, bank: { limit: UnseenLimit | null } | false) {
  const { refundEmail, receipt, money: read, restBy, refunds: standing, ...payment } = withRefundDue(row);
  const money = moneyFrom(read);
  const seen = bank ? seenFrom(read, money, bank.limit) : null;
  const isPart = row.status === "pending" && seen?.state === "part";
  // Without statements only what people said of rejected ones is unallocated.
  const isMoved = seen !== null || row.status === "rejected";
  return {
    ...payment,
    refundContact: refundEmail,
    receipt: receiptFrom(receipt),
    /** Null without statements. */
    bank: seen,
    /** What has arrived, and neither pays the project nor is given back. */
    unallocatedKobo: isMoved ? placesOf(money).unallocatedKobo : 0n,
    /** Until when the rest of a part should come; null where none is waited for. */
    restBy: isPart ? restBy : null,
    refunds: standing.map(refundFrom),
  };
}

/** Null for a payment that came without one. */
function receiptFrom({ id, sha256, contentType, originalName, submittedAt, isUsedBefore }: PaymentRow["receipt"]) {
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

type Page = { order: "newest"; cursor?: string | null | undefined } | { order: "oldest"; after: number; limit: number };

/** A page of the table. The newest-first page has one row more than is shown. Throws as {@link decodeCursor} does. */
function readTable(db: DbOrTx, filter: PaymentsFilter, page: Page) {
  const values = valuesOf(filter);
  const { bank, ...parameters } = values;
  const has = (name: ParameterName): boolean => name in parameters;
  const [lastMoment, lastId] =
    page.order === "newest" && page.cursor ? decodeCursor(page.cursor, ["moment", "bigint"]) : [null, null];
  const statement = tableOf(db, {
    status: has("status"),
    projectId: has("projectId"),
    sameReceiptAs: has("sameReceiptAs"),
    bank: bank ?? "any",
    pattern: has("pattern"),
    part: has("part"),
    order: page.order,
    hasCursor: lastMoment !== null,
  });
  return statement.execute({
    ...parameters,
    lastMoment: lastMoment?.toISOString(),
    lastId: page.order === "oldest" ? page.after : lastId,
    limit: page.order === "oldest" ? page.limit : paymentLimits.pageSize + 1,
  });
}

type TableVariant = Record<ParameterName, boolean> & {
  bank: BankState | "any";
  order: Page["order"];
  hasCursor: boolean;
};

const lastId = sql`${sql.placeholder("lastId")}::bigint`;
const isAfterLast = {
  newest: sql`(${projectPayments.createdAt}, ${projectPayments.id}) < (${sql.placeholder("lastMoment")}::timestamptz, ${lastId})`,
  oldest: sql`${projectPayments.id} > ${lastId}`,
};

/** Prepared, because administrators read the same few lists all day. */
const tableOf = perVariant((db, { order, hasCursor, bank, ...has }: TableVariant) => {
  const decider = alias(users, "decider");
  const otherReceipt = alias(paymentReceipts, "other_receipt");
  const isOpen = sql`(${users.closedAt} is null)`;
  const given = (name: ParameterName) => (has[name] ? sql.placeholder(name) : undefined);
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
      refunds: standingRefunds,
      money: seenRow(sql`${projectPayments.id}`),
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
    })
    .from(projectPayments)
    .leftJoin(paymentReceipts, currentReceipt)
    .leftJoin(storedFiles, eq(storedFiles.id, paymentReceipts.fileId))
    .leftJoin(users, eq(users.id, projectPayments.userId))
    .leftJoin(decider, eq(decider.id, projectPayments.decidedBy))
    .leftJoin(projects, projectOfPayment)
    .leftJoin(sold, roundOfPayment)
    .where(
      and(
        areChosen(db, {
          status: given("status"),
          projectId: given("projectId"),
          sameReceiptAs: given("sameReceiptAs"),
          bank: bank === "any" ? undefined : bank,
          pattern: given("pattern"),
          part: given("part"),
        }),
        hasCursor || order === "oldest" ? isAfterLast[order] : undefined,
      ),
    )
    .orderBy(...(order === "newest" ? newestFirst : [asc(projectPayments.id)]))
    .limit(sql.placeholder("limit"))
    .prepare("payments_table");
}, perPool);

const newestFirst = [desc(projectPayments.createdAt), desc(projectPayments.id)];

/** Counts the payments of each status that the other filters of /admin/payments leave. */
export async function countPaymentsByStatus(
  { db }: ActorContext,
  input: z.output<typeof countPaymentsInput>,
): Promise<Record<PaymentStatus, number>> {
  const found = await db
    .select({ status: projectPayments.status, payments: sql<number>`count(*)::int` })
    .from(projectPayments)
    .where(areChosen(db, valuesOf(input)))
    .groupBy(projectPayments.status);
  const counts: Record<PaymentStatus, number> = { pending: 0, approved: 0, rejected: 0 };
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
