import { and, asc, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import type { Line } from "#server/features/bank/matching/candidates/candidate.ts";
import type { NotifyDeps } from "#server/features/notifications/service.ts";
import type { recordAudit } from "#server/platform/audit.ts";
import { restOf } from "#shared/bank/texts.ts";
import type { Kobo } from "#shared/money.ts";

/** The rows of matches, counted on their lines. What a match posts, and what it means elsewhere, is its kind's. */

/** The person who matches: an owner or a cashier; for the system's matches, whoever imported the line. */
export type Matcher = NotifyDeps & Parameters<typeof recordAudit>[1] & { actor: { id: string } };

export type Match = typeof lineMatches.$inferSelect;
type NewMatch = typeof lineMatches.$inferInsert;

/** Condition of a line of which something isn't explained. One that is void needs no explanation. */
export const isUnexplained: SQL = sql`(${statementLines.matchedKobo} <> abs(${statementLines.amountKobo})
  and ${statementLines.ownAccountId} is not null)`;

/** Locks lines by their ids, in that order. Those that are void are left out, as if they weren't there. */
export async function lockLines(tx: Tx, ids: number[]): Promise<Map<number, Line>> {
  const locked = await tx
    .select()
    .from(statementLines)
    .where(and(inArray(statementLines.id, ids), isNotNull(statementLines.ownAccountId)))
    .orderBy(asc(statementLines.id))
    .for("update");
  return new Map(locked.map((line) => [line.id, line]));
}

/** Writes a match, and counts it on its lines. */
export async function insertMatch(tx: Tx, lines: Line[], values: NewMatch): Promise<Match> {
  const [match] = await insertMatches(tx, lines, [values]);
  if (!match) throw new Error("the match was not written");
  return match;
}

/** Writes matches that are all of the same lines, in their order. */
export async function insertMatches(tx: Tx, lines: Line[], values: NewMatch[]): Promise<Match[]> {
  const made = await tx.insert(lineMatches).values(values).returning();
  const sum = made.reduce((kobo, { amountKobo }) => kobo + amountKobo, 0n);
  for (const line of lines) await countMatched(tx, line, sum);
  return made;
}

/** An explained line needs no suggestion any more. */
export async function countMatched(tx: Tx, line: Line, byKobo: Kobo): Promise<void> {
  line.matchedKobo += byKobo;
  const isExplained = restOf(line) === 0n;
  await tx
    .update(statementLines)
    .set({ matchedKobo: line.matchedKobo, ...(isExplained && { suggestedRule: null }) })
    .where(eq(statementLines.id, line.id));
}
