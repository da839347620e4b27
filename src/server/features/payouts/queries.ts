import { and, asc, desc, eq, gt, inArray, lt, not, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { z } from "zod";
import { endOfAsking } from "#server/accounts/owners/second-owner.ts";
import { findConfirmRefusal } from "#server/accounts/owners/who-may-confirm.ts";
import { listActiveOwners } from "#server/accounts/users.ts";
import type { DbOrTx } from "#server/db/open.ts";
import { ownAccounts, statementLines } from "#server/db/schema/bank.ts";
import { farms } from "#server/db/schema/farms.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { payeeAccounts, payoutFiles, payoutRunLines, payoutRuns, payouts } from "#server/db/schema/payouts.ts";
import { users } from "#server/db/schema/users.ts";
import { findPayoutColumns } from "#server/features/settings/queries.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { findHolidays } from "#server/platform/holidays.ts";
import { decodeCursor, encodeCursor, pageOf } from "#server/platform/keyset.ts";
import { personName } from "#server/platform/names.ts";
import { isNumberUnusual } from "#shared/bank/nigerian-banks.ts";
import { afterWorkingDays, type Holiday } from "#shared/lagos-time.ts";
import type { Kobo } from "#shared/money.ts";
import type { listPayoutsInput, listRunsInput, PayoutList, runIdInput } from "#shared/payouts/inputs.ts";
import { farmReleaseTexts } from "#shared/payouts/releases-texts.ts";
import { payoutRunTexts } from "#shared/payouts/runs-texts.ts";
import { openPayoutStates, payoutLimits } from "#shared/payouts/texts.ts";
import { isOverdue, isPaidUnseen, isUnseen, isWithheld } from "./service.ts";

/** Reads of payouts and their runs, for owners. */

/** The account that a run froze for a payout. */
const accountInRun = (runId: SQL): SQL => sql`(
  select line.payee_account_id from payout_run_lines line
  where line.payout_id = ${payouts.id} and line.run_id = ${runId})`;

/** The account that a payout goes to: that of the run it is in, else the payee's current one. */
const accountId: SQL = sql`case
  when ${payouts.runId} is not null then ${accountInRun(sql`${payouts.runId}`)}
  when ${payouts.userId} is not null then (
    select used.id from payee_accounts used where used.user_id = ${payouts.userId} and used.replaced_at is null)
  when ${payouts.lineId} is not null then (
    select used.id from payee_accounts used where used.line_id = ${payouts.lineId} and used.replaced_at is null)
  else (
    select used.id from payee_accounts used where used.farm_id = ${payouts.farmId} and used.replaced_at is null)
end`;

/** A name without accents. Trigrams heed neither case nor the order of words. */
const plain = (name: SQL): SQL => sql`regexp_replace(normalize(${name}, NFD), ${"[\u0300-\u036f]"}, '', 'g')`;

/** Names are alike from here on, of 1. A second given name on either side keeps them above it. */
const alikeFrom = 0.5;

/** Condition that the name of an account is unlike that of its person. */
export const isNameUnlike = (accountName: SQL, fullName: SQL): SQL<boolean> =>
  sql<boolean>`similarity(${plain(accountName)}, ${plain(fullName)}) < ${alikeFrom}`;

/** Condition that no payout has reached an account. */
const isNewAccount: SQL = sql`(${payeeAccounts.id} is not null and not exists (
  select from payout_run_lines paid_line join payouts reached on reached.id = paid_line.payout_id
  where paid_line.payee_account_id = ${payeeAccounts.id} and reached.state = 'paid'))`;

const hand = alias(users, "hand");

const shownColumns = {
  id: payouts.id,
  kind: payouts.kind,
  state: payouts.state,
  reference: payouts.reference,
  part: payouts.part,
  parts: payouts.parts,
  amountKobo: payouts.amountKobo,
  projectId: payouts.projectId,
  projectTitle: payouts.projectTitle,
  round: payouts.round,
  userId: payouts.userId,
  farmId: payouts.farmId,
  /** Null unless it is for a farm. */
  farmName: farms.name,
  /** The line whose money goes back to its sender, and the own account that it is of. */
  lineId: payouts.lineId,
  lineAccountId: statementLines.ownAccountId,
  /** Null where it is for a farm, and after the account was closed. */
  personName: personName(users),
  isBlocked: sql<boolean>`coalesce(${users.isBlocked}, false)`,
  isClosed: sql<boolean>`${users.closedAt} is not null`,
  paymentReference: projectPayments.reference,
  createdAt: payouts.createdAt,
  dueAt: payouts.dueAt,
  promisedBy: payouts.promisedBy,
  runId: payouts.runId,
  sentAt: payouts.sentAt,
  /** True if two owners may say that it failed: it was sent or marked as paid, and no line shows it. */
  mayFail: sql<boolean>`(${payouts.state} in ('sent', 'paid') and ${isUnseen})`,
  paidAt: payouts.paidAt,
  paidByName: hand.fullName,
  paidSessionId: payouts.paidSessionId,
  paidReason: payouts.paidReason,
  failedAt: payouts.failedAt,
  failedReason: payouts.failedReason,
  /** Two owners said that the bank refused it: nothing of it left. */
  isRefused: sql<boolean>`${payouts.refusalRequestId} is not null`,
  withheldReason: sql<string | null>`case when ${isWithheld} then ${payouts.withheldReason} end`,
  cancelledAt: payouts.cancelledAt,
  replaces: sql<string | null>`(select before.reference from payouts before where before.id = ${payouts.replacesId})`,
  replacesRefused: sql<boolean>`exists (
    select from payouts before where before.id = ${payouts.replacesId} and before.refusal_request_id is not null)`,
  account: {
    bankName: payeeAccounts.bankName,
    bankCode: payeeAccounts.bankCode,
    accountNumber: payeeAccounts.accountNumber,
    accountName: payeeAccounts.accountName,
    usableFrom: payeeAccounts.usableFrom,
    replacedAt: payeeAccounts.replacedAt,
    /** Two owners entered it, because the person can't. */
    isEntered: sql<boolean>`${payeeAccounts.requestId} is not null`,
    /** Nothing has reached it yet, and whether its owner had another one before. */
    isNew: sql<boolean>`${isNewAccount}`,
    isChanged: sql<boolean>`(${isNewAccount} and exists (
      select from payee_accounts before where before.id < ${payeeAccounts.id}
        and (before.user_id = ${payeeAccounts.userId} or before.farm_id = ${payeeAccounts.farmId}
          or before.line_id = ${payeeAccounts.lineId})))`,
    /** A farm's account has its owner's name, of which we know nothing. */
    isNameUnlike: sql<boolean>`coalesce(${users.closedAt} is null
      and ${isNameUnlike(sql`${payeeAccounts.accountName}`, sql`${users.fullName}`)}, false)`,
  },
};

const readPayouts = (db: DbOrTx, now: Date, paidTo = accountId) =>
  db
    .select({ ...shownColumns, isOverdue: isOverdue(now) })
    .from(payouts)
    .leftJoin(users, eq(users.id, payouts.userId))
    .leftJoin(farms, eq(farms.id, payouts.farmId))
    .leftJoin(statementLines, eq(statementLines.id, payouts.lineId))
    .leftJoin(hand, eq(hand.id, payouts.paidBy))
    .leftJoin(projectPayments, eq(projectPayments.id, payouts.paymentId))
    .leftJoin(payeeAccounts, eq(payeeAccounts.id, paidTo));

/** Adds up the payouts that meet a condition. */
export async function sumPayouts(db: DbOrTx, which: SQL | undefined): Promise<Kobo> {
  const kobo = sql`coalesce(sum(${payouts.amountKobo}), 0)::bigint`.mapWith(payouts.amountKobo);
  const [found] = await db.select({ kobo }).from(payouts).where(which);
  return found?.kobo ?? 0n;
}

/** All payouts with a larger id, oldest first, for a file of them. */
export const listPayoutsAfter = (db: DbOrTx, now: Date, { after, limit }: { after: number; limit: number }) =>
  readPayouts(db, now).where(gt(payouts.id, after)).orderBy(asc(payouts.id)).limit(limit);

/** The lines of a run in their order, with the accounts that it froze: those of a void run too. */
const readLines = (db: DbOrTx, now: Date, runId: number) =>
  readPayouts(db, now, accountInRun(sql`${runId}`))
    .innerJoin(payoutRunLines, and(eq(payoutRunLines.payoutId, payouts.id), eq(payoutRunLines.runId, runId)))
    .orderBy(asc(payoutRunLines.position));

type FoundPayout = Awaited<ReturnType<typeof readPayouts>>[number];

/** The present moment, and the days that are off. */
export type Moment = { now: Date; holidays: readonly Holiday[] };

export async function momentOf({ db, clock }: Pick<ActorContext, "db" | "clock">): Promise<Moment> {
  return { now: clock.now(), holidays: await findHolidays(db) };
}

/** True if a line should have shown by now a payout that was sent then. */
export const isUnseenSince = (sentAt: Date, { now, holidays }: Moment): boolean =>
  afterWorkingDays(sentAt, payoutLimits.unseenDays, holidays) <= now;

/** Adds what follows from the time and from the account's number. */
function shown({ account, ...payout }: FoundPayout, moment: Moment) {
  const { now } = moment;
  const isBlockedOwn = payout.isBlocked && account?.isEntered === false;
  return {
    ...payout,
    isUnseen: payout.mayFail && payout.sentAt !== null && isUnseenSince(payout.sentAt, moment),
    account: account && {
      ...account,
      isResting: account.usableFrom > now,
      isNumberUnusual: isNumberUnusual(account),
    },
    /** The reason why no run may pay it now; null if one may. */
    hindrance: payout.withheldReason
      ? ("withheld" as const)
      : isBlockedOwn
        ? ("blocked" as const)
        : account && account.usableFrom > now
          ? ("resting" as const)
          : account?.replacedAt
            ? ("replaced" as const)
            : null,
  };
}

/**
 * Lists payouts for a run, the earliest promise first: as many as a run may have, with the sum of all that is due. Those that
 * can't be paid yet are among them, with what hinders it.
 */
export async function listDue({ db, clock }: ActorContext) {
  const moment = await momentOf({ db, clock });
  const { now } = moment;
  const found = await readPayouts(db, now)
    .where(eq(payouts.state, "due"))
    .orderBy(asc(payouts.promisedBy), asc(payouts.id))
    .limit(payoutLimits.runSize);
  const accounts = await db
    .select({
      id: ownAccounts.id,
      bankName: ownAccounts.bankName,
      accountNumber: ownAccounts.accountNumber,
      isActive: ownAccounts.isActive,
    })
    .from(ownAccounts)
    .orderBy(desc(ownAccounts.isActive), asc(ownAccounts.id));
  return { payouts: found.map((payout) => shown(payout, moment)), ownAccounts: accounts };
}

/** A payout that an owner marked as paid is listed as sent until its line comes. */
const isListed: Record<PayoutList, SQL | undefined> = {
  waiting: eq(payouts.state, "waiting"),
  sent: or(eq(payouts.state, "sent"), isPaidUnseen),
  done: and(inArray(payouts.state, ["paid", "failed"]), not(isPaidUnseen)),
};

/**
 * Payouts that wait for an account, or weren't seen leaving, oldest first; or were paid or came back, the
 * latest first.
 */
export async function listPayouts({ db, clock }: ActorContext, { list, cursor }: z.output<typeof listPayoutsInput>) {
  const moment = await momentOf({ db, clock });
  const { now } = moment;
  const isLatestFirst = list === "done";
  const found = await readPayouts(db, now)
    .where(and(isListed[list], cursor ? beyond(cursor, isLatestFirst) : undefined))
    .orderBy(isLatestFirst ? desc(payouts.id) : asc(payouts.id))
    .limit(payoutLimits.pageSize + 1);
  const page = pageOf(found, payoutLimits.pageSize, ({ id }) => encodeCursor([id]));
  return { payouts: page.items.map((payout) => shown(payout, moment)), nextCursor: page.nextCursor };
}

function beyond(cursor: string, isLatestFirst: boolean): SQL {
  const [id] = decodeCursor(cursor, ["bigint"]);
  return isLatestFirst ? lt(payouts.id, id) : gt(payouts.id, id);
}

type Draft = Pick<typeof payoutRuns.$inferSelect, "state" | "createdAt" | "madeBy">;

/** Returns why nobody can approve a draft any more, as approveRun refuses it; null if somebody can, or nobody has to. */
function staleOf({ state, createdAt, madeBy }: Draft, owners: readonly { id: string }[], now: Date) {
  if (state !== "draft") return null;
  if (now >= endOfAsking(createdAt)) return "waitedTooLong" as const;
  return owners.some(({ id }) => id === madeBy) ? null : ("makerGone" as const);
}

const maker = alias(users, "maker");
const approver = alias(users, "approver");
const exporter = alias(users, "exporter");
const giver = alias(users, "giver");
const voider = alias(users, "voider");

const readRuns = (db: DbOrTx) =>
  db
    .select({
      id: payoutRuns.id,
      state: payoutRuns.state,
      payouts: payoutRuns.payouts,
      totalKobo: payoutRuns.totalKobo,
      linesSha256: payoutRuns.linesSha256,
      ownAccount: { bankName: ownAccounts.bankName, accountNumber: ownAccounts.accountNumber },
      madeBy: payoutRuns.madeBy,
      madeByName: maker.fullName,
      createdAt: payoutRuns.createdAt,
      approvedByName: approver.fullName,
      approvedAt: payoutRuns.approvedAt,
      aloneReason: payoutRuns.aloneReason,
      exportedByName: exporter.fullName,
      exportedAt: payoutRuns.exportedAt,
      givenByName: giver.fullName,
      givenAt: payoutRuns.givenAt,
      closedAt: payoutRuns.closedAt,
      voidedByName: voider.fullName,
      voidedAt: payoutRuns.voidedAt,
      voidReason: payoutRuns.voidReason,
    })
    .from(payoutRuns)
    .innerJoin(ownAccounts, eq(ownAccounts.id, payoutRuns.ownAccountId))
    .innerJoin(maker, eq(maker.id, payoutRuns.madeBy))
    .leftJoin(approver, eq(approver.id, payoutRuns.approvedBy))
    .leftJoin(exporter, eq(exporter.id, payoutRuns.exportedBy))
    .leftJoin(giver, eq(giver.id, payoutRuns.givenBy))
    .leftJoin(voider, eq(voider.id, payoutRuns.voidedBy));

/** The runs, the latest first. */
export async function listRuns({ db, clock }: ActorContext, { cursor }: z.output<typeof listRunsInput>) {
  const found = await readRuns(db)
    .where(cursor ? lt(payoutRuns.id, decodeCursor(cursor, ["bigint"])[0]) : undefined)
    .orderBy(desc(payoutRuns.id))
    .limit(payoutLimits.pageSize + 1);
  const page = pageOf(found, payoutLimits.pageSize, ({ id }) => encodeCursor([id]));
  const owners = await listActiveOwners(db);
  const runs = page.items.map((run) => ({ ...run, stale: staleOf(run, owners, clock.now()) }));
  return { runs, nextCursor: page.nextCursor };
}

/** A run with its lines and files, and what the caller may do with it. Throws "not_found". */
export async function findRun(ctx: ActorContext, { runId }: z.output<typeof runIdInput>) {
  const { db, clock, actor } = ctx;
  const [run] = await readRuns(db).where(eq(payoutRuns.id, runId));
  if (!run) throw new AppError("not_found", payoutRunTexts.gone);
  const moment = await momentOf({ db, clock });
  const { now } = moment;
  const files = await db
    .select({
      layout: payoutFiles.layout,
      format: payoutFiles.format,
      sha256: payoutFiles.sha256,
      columns: payoutFiles.columns,
    })
    .from(payoutFiles)
    .where(eq(payoutFiles.runId, runId))
    .orderBy(asc(payoutFiles.layout), asc(payoutFiles.format));
  const lines = await readLines(db, now, runId);
  const isMaker = run.madeBy === actor.id;
  const owners = await listActiveOwners(db);
  const stale = staleOf(run, owners, now);
  const mayProcess = actor.permissions.includes("payouts:process");
  const paysCaller = !isMaker && lines.some(({ userId }) => userId === actor.id);
  const approveRefusal = paysCaller
    ? payoutRunTexts.ownMoney
    : await findConfirmRefusal(db, { madeBy: run.madeBy, userId: actor.id, now });
  return {
    ...run,
    files,
    lines: lines.map((line) => shown(line, moment)),
    isMaker,
    stale,
    canApprove: mayProcess && run.state === "draft" && stale === null && approveRefusal === null,
    /** The reason why the caller can't approve a draft. Its maker may only where nobody else could. */
    approveRefusal,
    canVoid: mayProcess && (run.state === "draft" || run.state === "approved"),
    /** The columns of our own that the settings have; null where they have none. */
    ownColumns: await findPayoutColumns(db),
  };
}

/** Refuses to delete a project while money for its farm is due or on its way. */
export async function requireNothingForFarm(db: DbOrTx, projectId: number): Promise<void> {
  const isOpen = inArray(payouts.state, [...openPayoutStates, "sent"]);
  const open = await db.$count(payouts, and(eq(payouts.kind, "farm"), eq(payouts.projectId, projectId), isOpen));
  if (open > 0) throw new AppError("conflict", farmReleaseTexts.onItsWay);
}
