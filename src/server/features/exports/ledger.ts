import { asc, eq, gt, sql } from "drizzle-orm";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { harvests } from "#server/db/schema/harvests.ts";
import { ledgerEntries, ledgerTransactions } from "#server/db/schema/ledger.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { users } from "#server/db/schema/users.ts";
import { noExportFilter } from "#shared/exports/inputs.ts";
import type { Kobo } from "#shared/money.ts";
import { moment, naira, text, whole } from "./columns.ts";
import { exportable, inPages } from "./write.ts";

const readEntries = (db: DbOrTx, { after, limit }: { after: number; limit: number }) =>
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
    .where(gt(ledgerEntries.id, after))
    .orderBy(asc(ledgerEntries.id))
    .limit(limit);

type Entry = Awaited<ReturnType<typeof readEntries>>[number];

/**
 * Adds the balance of the entry's account after it, and that of the own account for money at a bank. There are few accounts, so
 * the sums that are kept don't grow with the entries.
 */
function withBalances(): (entry: Entry) => Entry & { balanceKobo: Kobo; ownBalanceKobo: Kobo | null } {
  const balances = new Map<string, Kobo>();
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

async function* pages(tx: Tx) {
  const balanced = withBalances();
  for await (const entries of inPages((page) => readEntries(tx, page))) yield entries.map(balanced);
}

/** The whole ledger in the order of its entries, each with the balance that it leaves. */
export const ledgerExport = exportable({
  permissions: ["payments:view", "bank:view"],
  filter: noExportFilter,
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
  },
  pages,
});
