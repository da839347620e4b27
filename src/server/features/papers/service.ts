import { and, eq, isNull, type SQL } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import type { ledgerClosings } from "#server/db/schema/ledger-heads.ts";
import { papers } from "#server/db/schema/papers.ts";
import { closingContent } from "#server/features/papers/contents/closings.ts";
import {
  readReceiptRows,
  readRefundRows,
  readRunRow,
  readSettled,
} from "#server/features/papers/contents/paper-rows.ts";
import { receiptContent, refundContent } from "#server/features/papers/contents/receipts.ts";
import { runSheetContent } from "#server/features/papers/contents/run-sheet.ts";
import { settlementContent } from "#server/features/papers/contents/settlements.ts";
import { readProfile } from "#server/platform/site.ts";
import { lastDayOf, monthOf } from "#shared/books/texts.ts";
import { sumOf } from "#shared/money.ts";
import { type MadePaper, makePapers } from "./numbering.ts";

/**
 * The papers that are made in the transaction of what they tell of. Their counter is the last lock: the caller has locked and
 * written everything else, and only tells people of it afterwards.
 */

/** Receipts of payments that were just approved. */
export async function makeReceipts(tx: Tx, paymentIds: readonly number[], at: Date): Promise<MadePaper[]> {
  if (paymentIds.length === 0) return [];
  const site = await readProfile(tx);
  const found = await readReceiptRows(tx, paymentIds);
  return makePapers(
    tx,
    { kind: "receipt", at, site },
    found.map((row) => {
      const { paymentId, userId, amountKobo } = row;
      return { paymentId, userId, amountKobo, content: receiptContent(row, site) };
    }),
  );
}

/** Notes of refunds that were just made due. */
export async function makeRefundNotes(tx: Tx, refundIds: readonly number[], at: Date): Promise<MadePaper[]> {
  if (refundIds.length === 0) return [];
  const site = await readProfile(tx);
  const found = await readRefundRows(tx, refundIds);
  return makePapers(
    tx,
    { kind: "refund_note", at, site },
    found.map((row) => {
      const { refundId, userId, amountKobo } = row;
      return { refundId, userId, amountKobo, content: refundContent(row, site) };
    }),
  );
}

/**
 * A statement for each person of a settlement, who may be a thousand, also for those who get nothing of it; or for one
 * of them.
 */
export async function makeSettlementStatements(
  tx: Tx,
  settlementId: number,
  at: Date,
  only?: string,
): Promise<MadePaper[]> {
  const site = await readProfile(tx);
  const found = await readSettled(tx, settlementId);
  if (!found) return [];
  const { settled, parts } = found;
  return makePapers(
    tx,
    { kind: "settlement", at, site },
    parts.flatMap((part) => {
      const { userId } = part;
      if (only !== undefined && userId !== only) return [];
      return {
        settlementId,
        userId,
        amountKobo: part.netKobo - part.struckKobo,
        content: settlementContent(settled, part, site),
      };
    }),
  );
}

/** The sheet of a run that was just sent to the bank. */
export async function makeRunSheet(tx: Tx, runId: number, at: Date): Promise<MadePaper[]> {
  const run = await readRunRow(tx, runId);
  if (!run) return [];
  const site = await readProfile(tx);
  const content = runSheetContent(run, site);
  return makePapers(tx, { kind: "run_sheet", at, site }, [{ runId, userId: null, amountKobo: run.totalKobo, content }]);
}

/** The paper of a month that was just closed. Its amount is what all accounts with a plus have. */
export async function makeClosingPaper(
  tx: Tx,
  closing: typeof ledgerClosings.$inferSelect,
  at: Date,
): Promise<MadePaper> {
  const site = await readProfile(tx);
  const { month: firstDay, balances } = closing;
  const amountKobo = sumOf(balances.map(({ balance }) => BigInt(balance)).filter((kobo) => kobo > 0n));
  const content = closingContent(closing, site);
  const lastDay = lastDayOf(monthOf(firstDay));
  const made = { userId: null, firstDay, lastDay, amountKobo, content };
  const [paper] = await makePapers(tx, { kind: "closing", at, site }, [made]);
  if (!paper) throw new Error("the paper was not written");
  return paper;
}

/** The event whose papers lose their validity, or those of one person. */
type Source = { paymentId: number } | { refundId: number } | { settlementId: number; userId?: string };

/** Marks the papers of an event that was taken back as no longer valid. */
export async function replacePapers(tx: Tx, source: Source, at: Date): Promise<void> {
  await tx
    .update(papers)
    .set({ replacedAt: at })
    .where(and(isNull(papers.replacedAt), isOf(source)));
}

/** Replaces people's statements of settlements, of which something was taken out since. */
export async function replaceStatements(
  tx: Tx,
  changed: readonly { settlementId: number; settledFor: string }[],
  at: Date,
): Promise<void> {
  for (const { settlementId, settledFor } of changed) {
    await replacePapers(tx, { settlementId, userId: settledFor }, at);
    await makeSettlementStatements(tx, settlementId, at, settledFor);
  }
}

function isOf(source: Source): SQL | undefined {
  if ("paymentId" in source) return eq(papers.paymentId, source.paymentId);
  if ("refundId" in source) return eq(papers.refundId, source.refundId);
  const { settlementId, userId } = source;
  return and(eq(papers.settlementId, settlementId), userId === undefined ? undefined : eq(papers.userId, userId));
}
