import { and, desc, eq, isNull } from "drizzle-orm";
import { post } from "#server/books/post.ts";
import { type Db, type DbOrTx, inTransaction, type Tx } from "#server/db/open.ts";
import { ownAccounts, statementLines, statements } from "#server/db/schema/bank.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { newFileKey } from "#server/files/storage.ts";

/** Own accounts and lines as an import leaves them, for tests of what comes after it. */

const day = "2026-11-05";
export type OwnAccount = { id: number; statementId: number };
type GivenAccount = { importedBy: string; openingKobo?: bigint; accountNumber?: string };

/** An own account with its first statement. The first of a database is the active one. */
export async function openOwnAccount(
  { db }: { db: Db },
  { importedBy, openingKobo = 0n, accountNumber = "0123456789" }: GivenAccount,
): Promise<OwnAccount> {
  return inTransaction(db, async (tx) => {
    const isFirst = (await tx.select({ id: ownAccounts.id }).from(ownAccounts).limit(1)).length === 0;
    const named = { bankName: "Test Bank", accountName: "Gona Farms Limited", accountNumber };
    const [account] = await tx
      .insert(ownAccounts)
      .values({ ...named, isActive: isFirst, openedOn: day, openingKobo })
      .returning();
    const ownAccountId = account?.id ?? 0;
    const fileId = await keepNoFile(tx);
    const file = { fileId, fileName: "statement.csv", sha256: "0".repeat(64), bytes: 1, format: "csv" as const };
    const counted = { lines: 1, newLines: 1, pendingEntries: 0, firstDay: day, lastDay: day };
    const [statement] = await tx
      .insert(statements)
      .values({ ...file, ...counted, ownAccountId, importedBy, matchedAt: new Date() })
      .returning();
    await post(tx, { kind: "opening", ownAccountId }, [
      { account: "bank", ownAccountId, amountKobo: openingKobo },
      { account: "opening", ownAccountId, amountKobo: -openingKobo },
    ]);
    return { id: ownAccountId, statementId: statement?.id ?? 0 };
  });
}

/** The row of a statement's file; nobody reads its bytes. */
export async function keepNoFile(db: Db | Tx): Promise<string> {
  const about = { kind: "statement" as const, contentType: "application/octet-stream", originalName: "statement.csv" };
  const [file] = await db
    .insert(storedFiles)
    .values({ ...about, storageKey: newFileKey("statement"), sha256: "0".repeat(64), bytes: 1 })
    .returning({ id: storedFiles.id });
  if (!file) throw new Error("the file was not written");
  return file.id;
}

type Line = Partial<typeof statementLines.$inferInsert> & { amountKobo: bigint };
let kept = 0;

/** A line of the account's statement, not posted yet. Money in is positive. */
export async function insertLine(tx: Tx, account: OwnAccount, line: Line) {
  kept += 1;
  const known = { row: kept, position: kept, fingerprint: `line ${kept}`, repetition: 0, isReversal: false };
  const [row] = await tx
    .insert(statementLines)
    .values({
      ...known,
      date: day,
      narration: `NIP TRANSFER ${kept}`,
      ownAccountId: account.id,
      statementId: account.statementId,
      ...line,
    })
    .returning();
  if (!row) throw new Error("the line was not kept");
  return row;
}

/** The same, posted. */
export async function keepLine({ db }: { db: Db }, account: OwnAccount, line: Line) {
  return inTransaction(db, async (tx) => {
    const row = await insertLine(tx, account, line);
    const { id: lineId, amountKobo } = row;
    await post(tx, { kind: "line", lineId }, [
      { account: "bank", ownAccountId: account.id, amountKobo },
      { account: amountKobo > 0n ? "unmatched_in" : "unmatched_out", lineId, amountKobo: -amountKobo },
    ]);
    return row;
  });
}

/** Returns the part that a debit took back of a payment, with the credit that brought it: the last that stands. */
export async function takenBackPart(db: DbOrTx, { paymentId, amountKobo }: { paymentId: number; amountKobo: bigint }) {
  const [credit] = await db
    .select({ id: lineMatches.id })
    .from(lineMatches)
    .where(and(eq(lineMatches.paymentId, paymentId), eq(lineMatches.kind, "payment"), isNull(lineMatches.undoneAt)))
    .orderBy(desc(lineMatches.id))
    .limit(1);
  return { kind: "taken_back" as const, amountKobo, paymentId, creditMatchId: credit?.id ?? 0 };
}
