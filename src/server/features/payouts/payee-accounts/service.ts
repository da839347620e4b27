import { and, eq, inArray, isNull, not, sql } from "drizzle-orm";
import type { z } from "zod";
import { changeAsProved, proveOwnAccount } from "#server/accounts/own-proof.ts";
import type { Tx } from "#server/db/open.ts";
import { payeeAccounts } from "#server/db/schema/payouts.ts";
import { isCurrentOf, lockPayee, type Payee } from "#server/features/payouts/payees/service.ts";
import { followAccount, lockOpenPayouts } from "#server/features/payouts/service.ts";
import { queueMail } from "#server/mail/outbox.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { findBank } from "#shared/bank/nigerian-banks.ts";
import { hourMs } from "#shared/lagos-time.ts";
import type { setPayeeAccountInput } from "#shared/payouts/payee-accounts.ts";
import { maskedAccount, payeeAccountLimits, payeeAccountTexts as texts } from "#shared/payouts/payee-accounts-texts.ts";
import { payeeAccountMail } from "./emails.ts";

/** The accounts that money is paid to. A change is a new row that rests for two days; payouts in a run keep theirs. */

export type PayeeAccount = typeof payeeAccounts.$inferSelect;

type NewAccount = {
  bankCode: string;
  accountNumber: string;
  accountName: string;
  addedBy: string;
  requestId?: number;
  at: Date;
};

/**
 * Uses another account for somebody from now on, and promises what is due to them anew. Throws "conflict" if it is the one
 * that is used already.
 */
export async function useAccount(
  tx: Tx,
  payee: Payee,
  { at, requestId, ...account }: NewAccount,
): Promise<{ before: PayeeAccount | null; account: PayeeAccount }> {
  await lockOpenPayouts(tx, payee);
  await lockPayee(tx, payee, "no key update");
  const [before] = await tx.select().from(payeeAccounts).where(isCurrentOf(payee)).for("update");
  const { bankCode, accountNumber, accountName } = account;
  const isSame =
    before?.bankCode === bankCode && before.accountNumber === accountNumber && before.accountName === accountName;
  // What a blocked person gave themselves is used again only once two owners have looked at it.
  const isConfirmedNow = requestId !== undefined && before?.requestId === null;
  if (isSame && !isConfirmedNow) throw new AppError("conflict", texts.unchanged);
  if (before) await tx.update(payeeAccounts).set({ replacedAt: at }).where(eq(payeeAccounts.id, before.id));
  const bank = findBank(bankCode);
  if (!bank) throw new AppError("invalid", texts.bankMissing);
  const [written] = await tx
    .insert(payeeAccounts)
    .values({
      ...payee,
      ...account,
      bankName: bank.name,
      usableFrom: new Date(at.getTime() + payeeAccountLimits.restHours * hourMs),
      requestId: requestId ?? null,
      createdAt: at,
    })
    .returning();
  if (!written) throw new Error("the payee account was not written");
  await followAccount(tx, payee, at);
  return { before: before ?? null, account: written };
}

/**
 * Pays the caller's money to this account from now on; it rests for two days first. Needs the same proof as a change of
 * password, and is mailed, so that nobody else turns the money away unseen.
 */
export async function setMyAccount(
  ctx: ActorContext,
  { currentPassword, code, ...given }: z.output<typeof setPayeeAccountInput>,
): Promise<void> {
  const proved = await proveOwnAccount(ctx, { currentPassword, code });
  const payee = { userId: ctx.actor.id };
  await changeAsProved(
    ctx,
    proved,
    async (tx, { id, email, fullName }) => {
      const at = ctx.clock.now();
      const { before, account } = await useAccount(tx, payee, { ...given, addedBy: id, at });
      await recordAudit(tx, ctx, "set_payee_account", {
        payeeAccountId: account.id,
        before: before && maskedAccount(before),
        after: maskedAccount(account),
      });
      const mail = payeeAccountMail({ fullName, site: ctx.site.current(), account, isByOwners: false, at });
      await queueMail(tx, ctx, { eventKey: `payee_account:${account.id}`, to: email, isUrgent: true, ...mail });
    },
    async (tx) => void (await lockOpenPayouts(tx, payee)),
  );
}

/** Forgets the accounts of people to whom nothing is paid any more. One that a run has paid to stays with it, unused. */
export async function forgetAccounts(tx: Tx, userIds: string[], at: Date): Promise<void> {
  if (userIds.length === 0) return;
  const isTheirs = inArray(payeeAccounts.userId, userIds);
  const isInRun = sql`exists (select from payout_run_lines l where l.payee_account_id = payee_accounts.id)`;
  await tx.delete(payeeAccounts).where(and(isTheirs, not(isInRun)));
  await tx
    .update(payeeAccounts)
    .set({ replacedAt: at })
    .where(and(isTheirs, isNull(payeeAccounts.replacedAt)));
}
