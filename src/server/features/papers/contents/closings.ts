import type { FrozenBalance, ledgerClosings } from "#server/db/schema/ledger-heads.ts";
import { type BooksAccount, inBooksOrder, ledgerAccountLabels, monthOf, monthText } from "#shared/books/texts.ts";
import { formatDateTime } from "#shared/dates.ts";
import { sumOf } from "#shared/money.ts";
import type { PaperContent } from "#shared/papers/texts.ts";
import type { SiteProfile } from "#shared/site/site.ts";
import { issuedBy, left, right, signedText } from "./words.ts";

const figures = ["broughtForward", "in", "out", "balance"] as const;

/** The frozen figures of a closed month. The whole hash is printed: whoever has the entries can compute it. */
export function closingContent(closing: typeof ledgerClosings.$inferSelect, site: SiteProfile): PaperContent {
  const { month, entries, lastEntryId, hash, balances, createdAt } = closing;
  const total = (figure: (typeof figures)[number]) => sumOf(balances.map((each) => BigInt(each[figure])));
  return {
    title: `Books of ${monthText(monthOf(month))}`,
    facts: [
      { label: "Closed on", value: formatDateTime(createdAt) },
      {
        label: "Entries",
        value: `${entries.toLocaleString("en-NG")}, the last is no. ${lastEntryId.toLocaleString("en-NG")}`,
      },
      { label: "Hash", value: hash.replace(/(.{8})(?=.)/g, "$1 ") },
      issuedBy(site),
    ],
    tables: [
      {
        heading: "Trial balance",
        columns: [left("Account"), right("Brought forward"), right("In"), right("Out"), right("Balance")],
        rows: inBooksOrder(balances).map((each: FrozenBalance) => [
          ledgerAccountLabels[each.account as BooksAccount],
          ...figures.map((figure) => signedText(BigInt(each[figure]))),
        ]),
        sums: [["All accounts", ...figures.map((figure) => signedText(total(figure)))]],
      },
    ],
    notes: [
      "Plus is what the platform has, minus what it owes. The balances of all accounts sum to zero.",
      "A closed month is not opened again, because nothing in the books can be changed. Whatever comes later is dated later.",
    ],
  };
}
