import { sql } from "drizzle-orm";
import { readTrialBalance } from "#server/books/trial-balance.ts";
import { rows, type Tx } from "#server/db/open.ts";
import { ledgerAccountLabels } from "#shared/books/texts.ts";
import { dayInLagos, startOfDay } from "#shared/dates.ts";
import { dayExportFilter, daysExportFilter } from "#shared/exports/inputs.ts";
import { dayMs } from "#shared/lagos-time.ts";
import type { Kobo } from "#shared/money.ts";
import { moment, naira, text, whole, word } from "./columns.ts";
import { exportable, inPages } from "./write.ts";

/** The tables that accountants take out of the books: the trial balance of a day, and totals of VAT and fees. */

export const trialBalanceExport = exportable({
  permissions: ["payments:view", "books:close"],
  filter: dayExportFilter,
  columns: {
    account: word("Account", ledgerAccountLabels),
    broughtForward: naira("Brought forward"),
    in: naira("In"),
    out: naira("Out"),
    balance: naira("Balance"),
  },
  async *pages(tx, { on }, { ctx }) {
    yield await readTrialBalance(tx, on ?? dayInLagos(ctx.clock.now()));
  },
});

type Days = { from?: string | undefined; to?: string | undefined };
type Counted = {
  id: string;
  transactionId: string;
  at: Date | string;
  kind: string;
  title: string | null;
  harvestId: string | null;
  settlementId: string | null;
  amount: string;
  other: string;
  before: string;
};

/**
 * The entries of what the platform earned or owes the state, with the other one of the same settlement beside it. Both
 * are minus in the ledger, and plus here.
 */
const countedExport = (account: "vat_due" | "fee_income", titles: { amount: string; other: string; balance: string }) =>
  exportable({
    permissions: ["payments:view", "books:close"],
    filter: daysExportFilter,
    columns: {
      id: whole("Entry"),
      transactionId: whole("Transaction"),
      createdAt: moment("Date"),
      kind: text("Event"),
      projectTitle: text("Project"),
      harvestId: whole("Harvest"),
      settlementId: whole("Settlement"),
      otherKobo: naira(titles.other),
      amountKobo: naira(titles.amount),
      balanceKobo: naira(titles.balance),
    },
    async *pages(tx: Tx, days) {
      let balance: Kobo | null = null;
      for await (const found of inPages((page) => readCounted(tx, { account, ...days, ...page }))) {
        yield found.map(({ before, ...row }) => {
          balance = (balance ?? before) + row.amountKobo;
          return { ...row, balanceKobo: balance };
        });
      }
    },
  });

type Asked = Days & { account: "vat_due" | "fee_income"; after: number; limit: number };

async function readCounted(tx: Tx, { account, from, to, after, limit }: Asked) {
  const begin = (from === undefined ? new Date(0) : startOfDay(from)).toISOString();
  const end = to === undefined ? sql`'infinity'` : sql`${new Date(startOfDay(to).getTime() + dayMs).toISOString()}`;
  const other = account === "vat_due" ? "fee_income" : "vat_due";
  const found = await rows<Counted>(
    tx,
    sql`select e.id, e.transaction_id as "transactionId", t.created_at as at, t.kind, h.project_title as title,
        coalesce(e.harvest_id, t.harvest_id) as "harvestId", t.settlement_id as "settlementId", -e.amount_kobo as amount,
        (select coalesce(-sum(o.amount_kobo), 0) from ledger_entries o
          where o.transaction_id = e.transaction_id and o.account = ${other}) as other,
        (select coalesce(-sum(b.amount_kobo), 0) from ledger_entries b join ledger_transactions bt on bt.id = b.transaction_id
          where b.account = ${account} and bt.created_at < ${begin}::timestamptz) as before
      from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
        left join harvests h on h.id = coalesce(e.harvest_id, t.harvest_id)
      where e.account = ${account} and e.id > ${after} and t.created_at >= ${begin}::timestamptz and t.created_at < ${end}::timestamptz
      order by e.id limit ${limit}`,
  );
  return found.map(
    ({ id, transactionId, at, kind, title, harvestId, settlementId, amount, other: beside, before }) => ({
      id: Number(id),
      transactionId: Number(transactionId),
      createdAt: new Date(at),
      kind,
      projectTitle: title,
      harvestId: harvestId === null ? null : Number(harvestId),
      settlementId: settlementId === null ? null : Number(settlementId),
      otherKobo: BigInt(beside),
      amountKobo: BigInt(amount),
      before: BigInt(before),
    }),
  );
}

export const vatExport = countedExport("vat_due", { amount: "VAT", other: "Fee", balance: "VAT owed" });
export const feesExport = countedExport("fee_income", { amount: "Fee", other: "VAT", balance: "Fees in all" });
