import { and, asc, eq, gt, inArray, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { z } from "zod";
import { areTwoOwners } from "#server/accounts/owner-terms.ts";
import { type PaymentMoney, placesOf, readMoneyOf } from "#server/books/places.ts";
import type { DbOrTx } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { bareReference, paymentReceipts, projectPayments } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import {
  currentReceipt,
  isProjectTaken,
  order,
  projectOfPayment,
  refundKobo,
  refundReason,
  roundOfPayment,
  sold,
  withRefundDue,
} from "#server/features/payments/queries.ts";
import type { RoundKey } from "#server/features/projects/rounds/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { pageOf } from "#server/platform/keyset.ts";
import { shownName } from "#server/platform/names.ts";
import { readReferencePart } from "#server/platform/references.ts";
import { contains } from "#server/platform/search.ts";
import type { Kobo } from "#shared/money.ts";
import type { countPaymentsInput, listPaymentProjectsInput, listPaymentsInput } from "#shared/payments/inputs.ts";
import type { PaymentStatus } from "#shared/payments/statuses.ts";
import { paymentLimits, restDeadline } from "#shared/payments/texts.ts";
import { asksUnseenReason, findUnseenLimit, type UnseenLimit } from "./approval.ts";
import { isInBankState, listRefunds, readSeen } from "./bank-state.ts";

/** By payment: until when its rest should come, after a line of the bank brought a part. */
async function findRestDeadlines(db: DbOrTx, paymentIds: number[]): Promise<Map<number, Date>> {
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
function areChosen(db: DbOrTx, { status, projectId, sameReceiptAs, bank, search }: PaymentsFilter): SQL | undefined {
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
      unallocatedKobo: unallocatedOf(money.get(row.id)),
      /** Until when the rest of a part should come; null where none is waited for. */
      restBy: restDeadlines.get(row.id) ?? null,
      refunds: refundsOfPage.filter(({ paymentId }) => paymentId === row.id),
    };
  });
}

const unallocatedOf = (money: PaymentMoney | undefined): Kobo => (money ? placesOf(money).unallocatedKobo : 0n);

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

/** How many payments of each status the other filters of /admin/payments leave. */
export async function countPaymentsByStatus(
  { db }: ActorContext,
  input: z.output<typeof countPaymentsInput>,
): Promise<Record<PaymentStatus, number>> {
  const found = await db
    .select({ status: projectPayments.status, payments: sql<number>`count(*)::int` })
    .from(projectPayments)
    .where(areChosen(db, input))
    .groupBy(projectPayments.status);
  const counts: Record<PaymentStatus, number> = { pending: 0, approved: 0, rejected: 0 };
  for (const { status, payments } of found) counts[status] = payments;
  return counts;
}
