import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { paymentReferences } from "#server/db/schema/payments.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { codeBeginnings, findReferences, indexReferences } from "#server/features/bank/statements/narrations.ts";
import type { Found, SuggestedLine } from "./candidate.ts";

type Texts = Pick<SuggestedLine, "narration" | "customerReference" | "bankReference">;

const textOf = ({ narration, customerReference, bankReference }: Texts): string =>
  [narration, customerReference ?? "", bankReference ?? ""].join(" / ");

/** Finds all our references in each line's texts, of any age. The one that the import found comes first. */
export async function findReferencesIn(db: DbOrTx, lines: readonly SuggestedLine[]): Promise<Found<string>> {
  const beginnings = new Set(lines.flatMap((line) => codeBeginnings(textOf(line))));
  const given = indexReferences(await listReferences(db, [...beginnings]));
  return new Map(
    lines.map((line) => {
      const found = findReferences(textOf(line), given).map(({ reference }) => reference);
      return [line.id, [...new Set([...(line.reference === null ? [] : [line.reference]), ...found])]];
    }),
  );
}

/** References that were given for purchases, and those of payouts that were sent, whose codes begin so. */
async function listReferences(db: DbOrTx, beginnings: readonly string[]): Promise<string[]> {
  if (beginnings.length === 0) return [];
  const listed = JSON.stringify(beginnings);
  const found = await rows<{ reference: string }>(
    db,
    sql`with beginning as materialized (select jsonb_array_elements_text(${listed}::text::jsonb) as code)
      select ${paymentReferences.reference} as reference from payment_references
      where ${beginningOf(paymentReferences.reference)} in (select code from beginning)
      union all
      select ${payouts.reference} from payouts
      where ${payouts.sentAt} is not null and ${beginningOf(payouts.reference)} in (select code from beginning)`,
  );
  return found.map(({ reference }) => reference);
}

const beginningOf = (reference: AnyPgColumn): SQL =>
  sql`left(split_part(${reference}, '-', 2) || split_part(${reference}, '-', 3), 6)`;
