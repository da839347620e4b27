import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { payeeAccounts, payoutRunLines, payouts } from "#server/db/schema/payouts.ts";
import { users } from "#server/db/schema/users.ts";
import { keyOf, ownerOf, payeeOf } from "#server/features/payouts/payees/service.ts";
import type { Payout } from "#server/features/payouts/service.ts";
import { AppError } from "#server/platform/errors.ts";
import { formatDateTime } from "#shared/dates.ts";
import { payoutRunTexts as texts } from "#shared/payouts/runs-texts.ts";

/** The lines of a run: which payout goes to which account. They are frozen with the run, and looked at anew at each step. */

export type PayeeAccount = typeof payeeAccounts.$inferSelect;

/** A payout with the account that it goes to. */
export type RunLine = { payout: Payout; account: PayeeAccount };

/** The accounts that are used now for whom these payouts are, locked so that nobody replaces one before the commit. */
export async function lockCurrentAccounts(tx: Tx, chosen: readonly Payout[]): Promise<RunLine[]> {
  const current = await tx
    .select()
    .from(payeeAccounts)
    .where(
      and(
        isNull(payeeAccounts.replacedAt),
        sql`(${payeeAccounts.userId} in (select user_id from payouts where ${idIn(chosen)})
          or ${payeeAccounts.farmId} in (select farm_id from payouts where ${idIn(chosen)})
          or ${payeeAccounts.lineId} in (select line_id from payouts where ${idIn(chosen)}))`,
      ),
    )
    .orderBy(asc(payeeAccounts.id))
    .for("share");
  const byPayee = new Map(current.map((account) => [keyOf(ownerOf(account)), account]));
  return chosen.map((payout) => {
    const account = byPayee.get(keyOf(payeeOf(payout)));
    if (!account) throw new AppError("conflict", texts.notDue);
    return { payout, account };
  });
}

const idIn = (chosen: readonly Payout[]) =>
  inArray(
    sql`id`,
    chosen.map(({ id }) => id),
  );

/** A run's lines in their order, with payouts and accounts locked in the order of all locks. */
export async function lockRunLines(tx: Tx, runId: number): Promise<RunLine[]> {
  const lines = await tx
    .select({ payoutId: payoutRunLines.payoutId, accountId: payoutRunLines.payeeAccountId })
    .from(payoutRunLines)
    .where(eq(payoutRunLines.runId, runId))
    .orderBy(asc(payoutRunLines.position));
  if (lines.length === 0) throw new AppError("not_found", texts.gone);
  const locked = await tx
    .select()
    .from(payouts)
    .where(sql`id in (select payout_id from payout_run_lines where run_id = ${runId})`)
    .orderBy(asc(payouts.id))
    .for("update");
  const accounts = await tx
    .select()
    .from(payeeAccounts)
    .where(sql`id in (select payee_account_id from payout_run_lines where run_id = ${runId})`)
    .orderBy(asc(payeeAccounts.id))
    .for("share");
  const payoutOf = new Map(locked.map((payout) => [payout.id, payout]));
  const accountOf = new Map(accounts.map((account) => [account.id, account]));
  return lines.map(({ payoutId, accountId }) => {
    const payout = payoutOf.get(payoutId);
    const account = accountOf.get(accountId);
    if (!payout || !account) throw new Error("a line of a run without its payout or account");
    return { payout, account };
  });
}

/**
 * Refuses lines that money mustn't go to now: an account that was replaced or still rests, and that of a blocked
 * person, unless two owners entered it. Throws "conflict", with the first of them.
 */
export async function refuseUnpayable(tx: DbOrTx, lines: readonly RunLine[], now: Date): Promise<void> {
  for (const { payout, account } of lines) {
    if (account.replacedAt !== null) throw new AppError("conflict", texts.accountChanged(payout.reference));
    if (account.usableFrom > now) {
      throw new AppError("conflict", texts.rests(payout.reference, formatDateTime(account.usableFrom)));
    }
  }
  const ownAccounts = new Map(
    lines.flatMap(({ payout, account }) =>
      account.userId !== null && account.requestId === null ? [[account.userId, payout.reference] as const] : [],
    ),
  );
  if (ownAccounts.size === 0) return;
  const [blocked] = await tx
    .select({ id: users.id, fullName: users.fullName })
    .from(users)
    .where(and(inArray(users.id, [...ownAccounts.keys()]), eq(users.isBlocked, true)))
    .limit(1);
  if (blocked) throw new AppError("conflict", texts.blocked(ownAccounts.get(blocked.id) ?? "", blocked.fullName));
}
