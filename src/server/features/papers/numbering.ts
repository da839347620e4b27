import { randomInt } from "node:crypto";
import { asc, inArray, sql } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { paperCounters, papers } from "#server/db/schema/papers.ts";
import { users } from "#server/db/schema/users.ts";
import { isoInLagos } from "#shared/dates.ts";
import type { Kobo } from "#shared/money.ts";
import type { PaperKind } from "#shared/paper-kinds.ts";
import { codeAlphabet, type PaperContent, paperNumber } from "#shared/papers-texts.ts";

/** Papers as rows: their numbers, their codes, and that they are replaced. What they say is frozen with them. */

/** What a paper is about. The kind says which of them it is. */
type About = {
  paymentId?: number;
  refundId?: number;
  settlementId?: number;
  runId?: number;
  firstDay?: string;
  lastDay?: string;
};

export type NewPaper = About & { userId: string | null; amountKobo: Kobo; content: PaperContent };

/** A paper as mails and answers name it. */
export type MadePaper = About & { id: number; number: string; userId: string | null };

/**
 * Writes papers of one kind with the next numbers, all of them by one update of the counter. It is the last lock of a
 * transaction: whoever makes papers has locked everything else, and after it only writes rows that nobody waits for.
 * So a transaction that fails gives its numbers back, and none is missing.
 */
export async function makePapers(
  tx: Tx,
  { kind, at }: { kind: PaperKind; at: Date },
  made: readonly NewPaper[],
): Promise<MadePaper[]> {
  if (made.length === 0) return [];
  await sharePeople(
    tx,
    made.flatMap(({ userId }) => userId ?? []),
  );
  const year = Number(isoInLagos(at).slice(0, 4));
  const [counter] = await tx
    .insert(paperCounters)
    .values({ kind, year, last: made.length })
    .onConflictDoUpdate({
      target: [paperCounters.kind, paperCounters.year],
      set: { last: sql`${paperCounters.last} + ${made.length}` },
    })
    .returning({ last: paperCounters.last });
  if (!counter) throw new Error("the counter of papers was not written");
  const first = counter.last - made.length + 1;
  const rows = made.map((paper, index) => ({
    ...{ ...paper, kind, year, sequence: first + index },
    ...{ code: newCode(), createdAt: at },
  }));
  const written: MadePaper[] = [];
  for (let from = 0; from < rows.length; from += batch) {
    const some = await tx
      .insert(papers)
      .values(rows.slice(from, from + batch))
      .returning({ id: papers.id, sequence: papers.sequence, userId: papers.userId, refundId: papers.refundId });
    for (const { id, sequence, userId, refundId } of some) {
      const number = paperNumber(kind, year, sequence);
      written.push({ id, number, userId, ...(refundId !== null && { refundId }) });
    }
  }
  return written;
}

/** PostgreSQL allows 65,534 parameters in a statement, and a row has fifteen. */
const batch = 1000;

/** A paper's key to its person waits for whoever has the person alone, so it comes before the counter. */
async function sharePeople(tx: Tx, userIds: string[]): Promise<void> {
  const ids = [...new Set(userIds)];
  if (ids.length === 0) return;
  await tx.select({ id: users.id }).from(users).where(inArray(users.id, ids)).orderBy(asc(users.id)).for("key share");
}

const newCode = (): string => Array.from({ length: 16 }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join("");
