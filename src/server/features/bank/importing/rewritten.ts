import { sql } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { findReferences, type OpenReferences, withoutSpaces } from "#server/features/bank/statements/narrations.ts";
import { type RewrittenLine, shownRewritten } from "#shared/bank/statement-import-texts.ts";
import type { Rewritten } from "./known-lines.ts";
import type { FileLine, KeptLine } from "./merge.ts";

/** Known lines whose text the bank has written anew: asked about in words, and then kept with the fuller text. */

export function viewOfRewritten(rewritten: readonly Rewritten[]): { count: number; lines: RewrittenLine[] } | null {
  if (rewritten.length === 0) return null;
  const lines = rewritten.slice(0, shownRewritten).map(({ line, kept }): RewrittenLine => {
    const isSameText = line.narration === kept.narration;
    const shown = ({ narration, bankReference }: FileLine | KeptLine) =>
      isSameText
        ? [narration, bankReference ?? "no reference"].filter((text) => text !== "").join(", ")
        : narration || "–";
    return { date: line.date, amountKobo: line.amountKobo.toString(), before: shown(kept), now: shown(line) };
  });
  return { count: rewritten.length, lines };
}

/**
 * Keeps both texts of each line, the fuller one in the line itself. Our reference in one of them is worth more than length.
 * `nextRepetition` counts the lines with a fingerprint.
 */
export async function keepOtherTexts(
  tx: Tx,
  rewritten: readonly Rewritten[],
  given: { references: OpenReferences; nextRepetition: (fingerprint: string) => number; at: Date },
): Promise<void> {
  if (rewritten.length === 0) return;
  const rows = rewritten.map(({ line, kept }) => {
    const reference = findReferences([line.narration, line.bankReference ?? ""].join(" / "), given.references)[0]
      ?.reference;
    const isFuller = isFullerThan(kept, line, reference ?? null);
    const other = isFuller ? kept : line;
    return {
      lineId: kept.id,
      isFuller,
      otherNarration: other.narration,
      otherReference: other.bankReference,
      otherPrint: other.fingerprint,
      narration: line.narration,
      bankReference: line.bankReference ?? kept.bankReference,
      counterparty: line.counterparty,
      sessionId: line.sessionId,
      reference: reference ?? kept.reference,
      fingerprint: line.fingerprint,
      repetition: isFuller ? given.nextRepetition(line.fingerprint) : 0,
    };
  });
  const listed = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as told ("lineId" bigint, "isFuller" boolean,
    "otherNarration" text, "otherReference" text, "otherPrint" text, narration text, "bankReference" text, counterparty text,
    "sessionId" text, reference text, fingerprint text, repetition int)`;
  await tx.execute(sql`
    insert into statement_line_texts (line_id, narration, bank_reference, fingerprint, created_at)
    select "lineId", "otherNarration", "otherReference", "otherPrint", ${given.at.toISOString()}::timestamptz from ${listed}
    on conflict (line_id, fingerprint) do nothing`);
  await tx.execute(sql`
    update statement_lines line set narration = told.narration, bank_reference = told."bankReference",
      counterparty = coalesce(line.counterparty, told.counterparty), session_id = coalesce(told."sessionId", line.session_id),
      reference = told.reference, fingerprint = told.fingerprint, repetition = told.repetition
    from ${listed} where line.id = told."lineId" and told."isFuller"`);
}

function isFullerThan(kept: KeptLine, line: FileLine, reference: string | null): boolean {
  if ((reference === null) !== (kept.reference === null)) return reference !== null;
  return withoutSpaces(line.narration).length > withoutSpaces(kept.narration).length;
}
