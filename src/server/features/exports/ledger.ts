import { and, asc, eq, gt, gte, lt, type SQL, sql } from "drizzle-orm";
import { type DbOrTx, rows, type Tx } from "#server/db/open.ts";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { harvests } from "#server/db/schema/harvests.ts";
import { ledgerEntries, ledgerTransactions } from "#server/db/schema/ledger.ts";
import { ledgerHeads } from "#server/db/schema/ledger-heads.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { users } from "#server/db/schema/users.ts";
import { startOfDay } from "#shared/dates.ts";
import { daysExportFilter } from "#shared/exports/inputs.ts";
import { dayMs } from "#shared/lagos-time.ts";
import type { Kobo } from "#shared/money.ts";
import { moment, naira, onlyJson, text, whole } from "./columns.ts";
import { exportable, inPages } from "./write.ts";

/** Days of the ledger, both included. */
type Days = { from?: string | undefined; to?: string | undefined };

const isWithin = ({ from, to }: Days): SQL | undefined =>
  and(
    from === undefined ? undefined : gte(ledgerTransactions.createdAt, startOfDay(from)),
    to === undefined ? undefined : lt(ledgerTransactions.createdAt, new Date(startOfDay(to).getTime() + dayMs)),
  );

const readEntries = (db: DbOrTx, days: Days, { after, limit }: { after: number; limit: number }) =>
  db
    .select({
      id: ledgerEntries.id,
      transactionId: ledgerEntries.transactionId,
      createdAt: ledgerTransactions.createdAt,
      kind: ledgerTransactions.kind,
      account: ledgerEntries.account,
      ownAccountId: ledgerEntries.ownAccountId,
      bankName: ownAccounts.bankName,
      accountNumber: ownAccounts.accountNumber,
      paymentId: sql<number | null>`coalesce(${ledgerEntries.paymentId}, ${ledgerTransactions.paymentId})`.mapWith(
        projectPayments.id,
      ),
      paymentReference: projectPayments.reference,
      projectId: sql<number | null>`coalesce(${ledgerEntries.projectId}, ${ledgerTransactions.projectId})`,
      projectTitle: sql<
        string | null
      >`coalesce(${ledgerTransactions.projectTitle}, ${harvests.projectTitle}, ${payouts.projectTitle})`,
      round: sql<number | null>`coalesce(${ledgerEntries.round}, ${ledgerTransactions.round})`,
      personName: sql<string | null>`case when ${users.closedAt} is null then nullif(btrim(${users.fullName}), '') end`,
      lineId: ledgerEntries.lineId,
      matchId: ledgerTransactions.matchId,
      payoutId: sql<number | null>`coalesce(${ledgerEntries.payoutId}, ${ledgerTransactions.payoutId})`.mapWith(
        payouts.id,
      ),
      payoutReference: payouts.reference,
      harvestId: sql<number | null>`coalesce(${ledgerEntries.harvestId}, ${ledgerTransactions.harvestId})`.mapWith(
        harvests.id,
      ),
      settlementId: ledgerTransactions.settlementId,
      saleId: sql<number | null>`coalesce(${ledgerEntries.saleId}, ${ledgerTransactions.saleId})`.mapWith(harvests.id),
      releaseId: ledgerTransactions.releaseId,
      returnId: ledgerTransactions.returnId,
      holderChangeId: ledgerTransactions.holderChangeId,
      reversesId: ledgerTransactions.reversesId,
      userId: sql<string | null>`coalesce(${ledgerEntries.userId}, ${ledgerTransactions.userId})`,
      actorId: ledgerTransactions.actorId,
      headN: ledgerHeads.n,
      headHash: ledgerHeads.hash,
      amountKobo: ledgerEntries.amountKobo,
    })
    .from(ledgerEntries)
    .innerJoin(ledgerTransactions, eq(ledgerTransactions.id, ledgerEntries.transactionId))
    .leftJoin(ownAccounts, eq(ownAccounts.id, ledgerEntries.ownAccountId))
    .leftJoin(
      projectPayments,
      sql`${projectPayments.id} = coalesce(${ledgerEntries.paymentId}, ${ledgerTransactions.paymentId})`,
    )
    .leftJoin(payouts, sql`${payouts.id} = coalesce(${ledgerEntries.payoutId}, ${ledgerTransactions.payoutId})`)
    .leftJoin(harvests, sql`${harvests.id} = coalesce(${ledgerEntries.harvestId}, ${ledgerTransactions.harvestId})`)
    .leftJoin(users, sql`${users.id} = coalesce(${ledgerEntries.userId}, ${ledgerTransactions.userId})`)
    .leftJoin(ledgerHeads, eq(ledgerHeads.lastEntryId, ledgerEntries.id))
    .where(and(gt(ledgerEntries.id, after), isWithin(days)))
    .orderBy(asc(ledgerEntries.id))
    .limit(limit);

type Entry = Awaited<ReturnType<typeof readEntries>>[number];

/**
 * Adds the balance of the entry's account after it, and that of the own account for money at a bank. There are few
 * accounts, so the sums that are kept don't grow with the entries.
 */
function withBalances(
  balances: Map<string, Kobo>,
): (entry: Entry) => Entry & { balanceKobo: Kobo; ownBalanceKobo: Kobo | null } {
  const add = (account: string, amountKobo: Kobo): Kobo => {
    const balance = (balances.get(account) ?? 0n) + amountKobo;
    balances.set(account, balance);
    return balance;
  };
  return (entry) => ({
    ...entry,
    balanceKobo: add(entry.account, entry.amountKobo),
    ownBalanceKobo:
      entry.account === "bank" && entry.ownAccountId !== null
        ? add(`bank ${entry.ownAccountId}`, entry.amountKobo)
        : null,
  });
}

/** Reads the balances of accounts, and of own accounts at banks, before a day. */
async function readBalances(tx: Tx, { from }: Days): Promise<Map<string, Kobo>> {
  if (from === undefined) return new Map();
  const found = await rows<{ name: string; kobo: string }>(
    tx,
    sql`with earlier as (
        select e.account, e.own_account_id, e.amount_kobo
        from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
        where t.created_at < ${startOfDay(from).toISOString()}::timestamptz)
      select account as name, sum(amount_kobo)::text as kobo from earlier group by account
      union all
      select 'bank ' || own_account_id, sum(amount_kobo)::text from earlier where account = 'bank' group by own_account_id`,
  );
  return new Map(found.map(({ name, kobo }) => [name, BigInt(kobo)]));
}

async function* pages(tx: Tx, days: Days) {
  const balanced = withBalances(await readBalances(tx, days));
  for await (const entries of inPages((page) => readEntries(tx, days, page))) yield entries.map(balanced);
}

/**
 * The ledger in the order of its entries, each with the balance that it leaves. The JSON has all that heads are
 * computed from, so that scripts/verify-ledger.mjs needs nothing else.
 */
export const ledgerExport = exportable({
  permissions: ["payments:view", "bank:view"],
  filter: daysExportFilter,
  columns: {
    id: whole("Entry"),
    transactionId: whole("Transaction"),
    createdAt: moment("Date"),
    kind: text("Event"),
    account: text("Account"),
    amountKobo: naira("Amount"),
    balanceKobo: naira("Balance of the account"),
    ownBalanceKobo: naira("Balance of our bank account"),
    ownAccountId: whole("Own account ID"),
    bankName: text("Bank"),
    accountNumber: text("Account number"),
    paymentId: whole("Payment"),
    paymentReference: text("Payment reference"),
    projectId: whole("Project ID"),
    projectTitle: text("Project"),
    round: whole("Round"),
    personName: text("Person"),
    lineId: whole("Line"),
    matchId: whole("Match"),
    payoutId: whole("Payout"),
    payoutReference: text("Payout reference"),
    harvestId: whole("Harvest"),
    settlementId: whole("Settlement"),
    saleId: whole("Sale"),
    releaseId: onlyJson(),
    returnId: onlyJson(),
    holderChangeId: onlyJson(),
    reversesId: onlyJson(),
    userId: onlyJson(),
    actorId: onlyJson(),
    headN: onlyJson(),
    headHash: onlyJson(),
  },
  pages,
});
