import { randomInt } from "node:crypto";
import { asc, inArray, sql } from "drizzle-orm";
import { rows, type Tx } from "#server/db/open.ts";
import { paperCounters } from "#server/db/schema/papers.ts";
import { users } from "#server/db/schema/users.ts";
import { isoInLagos } from "#shared/dates.ts";
import type { Kobo } from "#shared/money.ts";
import type { PaperKind } from "#shared/papers/kinds.ts";
import { codeAlphabet, type PaperContent, paperNumber } from "#shared/papers/texts.ts";
import type { SiteProfile } from "#shared/site/site.ts";

/** Papers as rows: their numbers, their codes, and that they are replaced. What they say is frozen with them. */

/** The row that a paper is about; its kind says which of these ids is set. */
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
  { kind, at, site }: { kind: PaperKind; at: Date; site: SiteProfile },
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
  return insertPapers(tx, { kind, year, at, site, first: counter.last - made.length + 1 }, made);
}

type Numbering = { kind: PaperKind; year: number; at: Date; site: SiteProfile; first: number };

/** One parameter holds all rows: a value each would be fifteen thousand of them for a settlement of a thousand people. */
async function insertPapers(
  tx: Tx,
  { kind, year, at, site, first }: Numbering,
  made: readonly NewPaper[],
): Promise<MadePaper[]> {
  const listed = JSON.stringify(
    made.map(({ amountKobo, ...paper }, index) => ({
      ...paper,
      amountKobo: String(amountKobo),
      sequence: first + index,
      code: newCode(),
    })),
  );
  const written = await rows<{ id: string; sequence: number; userId: string | null; refundId: string | null }>(
    tx,
    sql`insert into papers (kind, year, sequence, code, user_id, payment_id, refund_id, settlement_id, run_id, first_day, last_day,
        amount_kobo, content, head_n, head_hash, created_at)
      select ${kind}, ${year}::int, made.sequence, made.code, made."userId", made."paymentId", made."refundId",
        made."settlementId", made."runId", made."firstDay", made."lastDay", made."amountKobo", made.content,
        head.n, head.hash, ${at.toISOString()}::timestamptz
      from json_to_recordset(${listed}::text::json) as made (sequence int, code text, "userId" uuid, "paymentId" bigint,
        "refundId" bigint, "settlementId" bigint, "runId" bigint, "firstDay" date, "lastDay" date, "amountKobo" bigint,
        content jsonb)
        left join (select n, hash from ledger_heads order by n desc limit 1) head on true
      returning id, sequence, user_id as "userId", refund_id as "refundId"`,
  );
  return written.map(({ id, sequence, userId, refundId }) => ({
    id: Number(id),
    number: paperNumber(site, { kind, year, sequence }),
    userId,
    ...(refundId !== null && { refundId: Number(refundId) }),
  }));
}

/** A paper's key to its person waits for whoever has the person alone, so it comes before the counter. */
async function sharePeople(tx: Tx, userIds: string[]): Promise<void> {
  const ids = [...new Set(userIds)];
  if (ids.length === 0) return;
  await tx.select({ id: users.id }).from(users).where(inArray(users.id, ids)).orderBy(asc(users.id)).for("key share");
}

const newCode = (): string => Array.from({ length: 16 }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join("");
