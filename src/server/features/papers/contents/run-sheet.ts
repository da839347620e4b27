import { oneLine } from "#server/platform/text.ts";
import { formatDate } from "#shared/dates.ts";
import { formatNairaExact, type Kobo } from "#shared/money.ts";
import type { PaperContent, PaperTable } from "#shared/papers/texts.ts";
import type { SiteProfile } from "#shared/site/site.ts";
import { issuedBy, left, nameOf, right } from "./words.ts";

export type RunRow = {
  id: number;
  totalKobo: Kobo;
  fromAccount: string;
  madeBy: string;
  approvedBy: string;
  exportedBy: string;
  exportedAt: Date;
  lines: readonly { reference: string; accountName: string; account: string; amountKobo: Kobo }[];
};

/** Accounts are named by their last digits: the whole ones are in the bank's file. */
export function runSheetContent(run: RunRow, site: SiteProfile): PaperContent {
  const table: PaperTable = {
    heading: "Payouts",
    columns: [right("No."), left("Reference"), left("Name of the account"), left("Account"), right("Amount")],
    rows: run.lines.map(({ reference, accountName, account, amountKobo }, index) => [
      String(index + 1),
      reference,
      oneLine(accountName),
      account,
      formatNairaExact(amountKobo),
    ]),
    sums: [["", `${run.lines.length} in all`, "", "", formatNairaExact(run.totalKobo)]],
  };
  return {
    title: "Payout run sheet",
    facts: [
      { label: "Run", value: `No. ${run.id}` },
      { label: "Paid from", value: run.fromAccount },
      { label: "Made by", value: nameOf(run.madeBy) },
      { label: "Approved by", value: nameOf(run.approvedBy) },
      { label: "Sent to the bank by", value: `${nameOf(run.exportedBy)}, ${formatDate(run.exportedAt)}` },
      issuedBy(site),
    ],
    tables: [table],
    notes: ["The bank's statement shows whether a transfer left the account."],
  };
}
