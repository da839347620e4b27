import { eq, type SQL, sql } from "drizzle-orm";
import type { DbOrTx } from "#server/db/open.ts";
import { ledgerEntries } from "#server/db/schema/ledger.ts";
import type { Kobo } from "#shared/money.ts";

/** Sums of the whole ledger. */

/** A sum of entries, in kobo. */
export const sumOfEntries = (where?: SQL) =>
  where
    ? sql`coalesce(sum(${ledgerEntries.amountKobo}) filter (where ${where}), 0)::bigint`.mapWith(
        ledgerEntries.amountKobo,
      )
    : sql`coalesce(sum(${ledgerEntries.amountKobo}), 0)::bigint`.mapWith(ledgerEntries.amountKobo);

/** Gives what settlements owe of a tax to the state, in kobo. */
export async function readTaxOwed(tx: DbOrTx, tax: "vat" | "wht"): Promise<Kobo> {
  const isOf = eq(ledgerEntries.account, `${tax}_due`);
  const [due] = await tx.select({ kobo: sumOfEntries() }).from(ledgerEntries).where(isOf);
  return -(due?.kobo ?? 0n);
}
