import { randomUUID } from "node:crypto";
import { and, asc, desc, eq, max, sql } from "drizzle-orm";
import type { z } from "zod";
import { mailOwners } from "#server/accounts/owners/mail-owners.ts";
import { requireOpenAccount } from "#server/accounts/sessions.ts";
import { sumOfEntries } from "#server/books/sums.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { ownAccounts, statementLines, statements } from "#server/db/schema/bank.ts";
import { ledgerEntries } from "#server/db/schema/ledger.ts";
import { ownAccountMail } from "#server/features/bank/emails.ts";
import { isUnexplained } from "#server/features/bank/matching/match-rows.ts";
import {
  changeOwnAccountRow,
  insertOwnAccount,
  lockOwnAccounts,
  refuseTakenAccount,
  showBankDetails,
} from "#server/features/settings/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { addOwnAccountInput, changeOwnAccountInput, closeOwnAccountInput } from "#shared/bank/own-accounts.ts";
import { ownAccountTexts as texts } from "#shared/bank/own-accounts-texts.ts";
import { settingTexts } from "#shared/settings/texts.ts";

/**
 * The platform's own bank accounts. Backers transfer to the active one; the bank details of the settings show it, and with
 * them another becomes active. A change needs the owner's password, is audited, and every owner is told.
 */

type Account = Awaited<ReturnType<typeof lockOwnAccounts>>[number];

/** The accounts, the active one first, with the last day that statements of it cover. */
export async function listOwnAccounts({ db }: Context) {
  const { id, bankName, accountName, accountNumber, bankCode, isActive, openedOn, openingKobo, updatedAt } =
    ownAccounts;
  return db
    .select({
      id,
      bankName,
      accountName,
      accountNumber,
      bankCode,
      isActive,
      openedOn,
      openingKobo,
      updatedAt,
      isClosed: sql<boolean>`${ownAccounts.closedAt} is not null`,
      lastDay: max(statements.lastDay),
      lastImportedAt: max(statements.createdAt),
    })
    .from(ownAccounts)
    .leftJoin(statements, eq(statements.ownAccountId, ownAccounts.id))
    .groupBy(ownAccounts.id)
    .orderBy(desc(isActive), sql`${ownAccounts.closedAt} is not null`, asc(id));
}

/** Keeps another account. Backers transfer to it if it is the first. Throws "This account is kept already." */
export async function addOwnAccount(
  ctx: ActorContext,
  values: z.output<typeof addOwnAccountInput>,
): Promise<{ accountId: number }> {
  return changeAccounts(ctx, async (tx, accounts) => {
    const added = await insertOwnAccount(tx, ctx, { accounts, ...values });
    if (added.isActive) await showBankDetails(tx, ctx, added);
    else await mailOwnersOfAccount(tx, ctx, { account: added, isNew: true });
    return { accountId: added.id };
  });
}

/**
 * Changes what an account is called. Its bank and its number stay once statements of it were imported. What backers read of
 * the active one takes a second person. Throws "not_found", and "conflict" if another person has changed it since.
 */
export async function changeOwnAccount(
  ctx: ActorContext,
  { accountId, seenUpdatedAt, ...values }: z.output<typeof changeOwnAccountInput>,
): Promise<void> {
  await changeAccounts(ctx, async (tx, accounts) => {
    const account = findSeen(accounts, { accountId, seenUpdatedAt });
    if (!(await changeOwnAccountRow(tx, ctx, account, values))) return;
    const changed = { ...account, ...values };
    const parts = ["bankName", "accountName", "accountNumber"] as const;
    if (account.isActive && parts.some((part) => account[part] !== changed[part])) {
      throw new AppError("forbidden", settingTexts.bankNeedsAnother);
    }
    await mailOwnersOfAccount(tx, ctx, { account: changed, isNew: false });
  });
}

type Closing = z.output<typeof closeOwnAccountInput>;

/**
 * Closes an account that the bank has closed, or that was a mistake. Throws "not_found", and "conflict" if backers
 * transfer to it, something on it isn't matched, or the books have money there.
 */
export async function closeOwnAccount(ctx: ActorContext, seen: Closing): Promise<void> {
  await changeAccounts(ctx, async (tx, accounts) => {
    const account = findSeen(accounts, seen);
    if (account.closedAt !== null) throw new AppError("conflict", texts.closedAlready);
    if (account.isActive) throw new AppError("conflict", texts.stillActive);
    const lines = await tx.$count(statementLines, and(eq(statementLines.ownAccountId, account.id), isUnexplained));
    if (lines > 0) throw new AppError("conflict", texts.unmatched(lines));
    const isThere = and(eq(ledgerEntries.account, "bank"), eq(ledgerEntries.ownAccountId, account.id));
    const [balance] = await tx.select({ kobo: sumOfEntries() }).from(ledgerEntries).where(isThere);
    if (balance && balance.kobo !== 0n) throw new AppError("conflict", texts.notEmpty(balance.kobo));
    await writeClosed(tx, ctx, account, ctx.clock.now());
  });
}

/** Opens a closed account again. Throws "not_found", and "conflict" if it isn't closed. */
export async function reopenOwnAccount(ctx: ActorContext, seen: Closing): Promise<void> {
  await changeAccounts(ctx, async (tx, accounts) => {
    const account = findSeen(accounts, seen);
    if (account.closedAt === null) throw new AppError("conflict", texts.notClosed);
    await writeClosed(tx, ctx, account, null);
  });
}

async function writeClosed(tx: Tx, ctx: ActorContext, { id, bankName, accountNumber }: Account, at: Date | null) {
  const change = { closedAt: at, updatedAt: ctx.clock.now() };
  await tx.update(ownAccounts).set(change).where(eq(ownAccounts.id, id));
  const action = at === null ? "reopen_own_account" : "close_own_account";
  await recordAudit(tx, ctx, action, { accountId: id, bankName, accountNumber });
}

/** Changes accounts in one transaction, with all of them locked. */
async function changeAccounts<Result>(
  ctx: ActorContext,
  change: (tx: Tx, accounts: Account[]) => Promise<Result>,
): Promise<Result> {
  const run = async (tx: Tx) => {
    const accounts = await lockOwnAccounts(tx);
    await requireOpenAccount(tx, ctx.actor);
    return change(tx, accounts);
  };
  return inTransaction(ctx.db, run).catch(refuseTakenAccount);
}

function findSeen(accounts: Account[], seen: { accountId: number; seenUpdatedAt: Date }): Account {
  const account = accounts.find(({ id }) => id === seen.accountId);
  if (!account) throw new AppError("not_found", texts.notFound);
  if (account.updatedAt.getTime() !== seen.seenUpdatedAt.getTime()) {
    throw new AppError("conflict", texts.changedMeanwhile);
  }
  return account;
}

async function mailOwnersOfAccount(
  tx: Tx,
  ctx: ActorContext,
  { account, isNew }: { account: Parameters<typeof ownAccountMail>[0]["account"]; isNew: boolean },
): Promise<void> {
  const eventKey = `own_account:${randomUUID()}`;
  const site = ctx.site.current();
  await mailOwners(tx, ctx, {
    eventKey,
    isUrgent: true,
    write: ({ fullName }) =>
      ownAccountMail({ fullName, site, changedBy: ctx.actor, account, isNew, at: ctx.clock.now() }),
  });
}
