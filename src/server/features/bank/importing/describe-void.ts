import { eq, sql } from "drizzle-orm";
import type { DbOrTx } from "#server/db/open.ts";
import { ownAccounts, statementLines, statements } from "#server/db/schema/bank.ts";
import { voidTexts as texts } from "#shared/bank/void-texts.ts";
import type { VoidBankDataDetails } from "#shared/bank/voids.ts";
import { formatDay } from "#shared/dates.ts";
import { formatNairaExact } from "#shared/money.ts";

/** Describes a void in words, for the owner who decides on it. */

async function describeStatement(db: DbOrTx, statementId: number) {
  const [found] = await db
    .select({
      fileName: statements.fileName,
      firstDay: statements.firstDay,
      lastDay: statements.lastDay,
      ownAccountId: statements.ownAccountId,
      lines: sql<number>`count(${statementLines.id})::int`,
      matched: sql<number>`(count(*) filter (where ${statementLines.matchedKobo} <> 0))::int`,
      kobo: sql`coalesce(sum(${statementLines.amountKobo}), 0)::bigint`.mapWith(statementLines.amountKobo),
    })
    .from(statements)
    .leftJoin(
      statementLines,
      sql`${statementLines.statementId} = ${statements.id} and ${statementLines.voidId} is null`,
    )
    .where(eq(statements.id, statementId))
    .groupBy(statements.id);
  if (!found) return null;
  const { fileName, firstDay, lastDay, ownAccountId, lines, matched, kobo } = found;
  const days = firstDay === lastDay ? formatDay(firstDay) : `${formatDay(firstDay)} to ${formatDay(lastDay)}`;
  return {
    title: texts.statementTitle(fileName, days),
    consequences: [
      ...(matched > 0 ? [texts.matched(matched)] : []),
      texts.linesGo(lines, formatNairaExact(-kobo)),
      texts.fromOthers,
      texts.importAfter,
    ],
    isPossible: ownAccountId !== null && matched === 0,
  };
}

async function describeLine(db: DbOrTx, lineId: number) {
  const [line] = await db.select().from(statementLines).where(eq(statementLines.id, lineId));
  if (!line) return null;
  const { amountKobo, date, narration, matchedKobo, ownAccountId } = line;
  return {
    title: texts.lineTitle(formatNairaExact(amountKobo), formatDay(date)),
    consequences: [
      `The bank wrote: ${narration || "nothing"}`,
      ...(matchedKobo !== 0n ? [texts.matched(1)] : []),
      texts.linesGo(1, formatNairaExact(-amountKobo)),
    ],
    isPossible: ownAccountId !== null && matchedKobo === 0n,
  };
}

async function describeOpening(db: DbOrTx, accountId: number) {
  const [account] = await db.select().from(ownAccounts).where(eq(ownAccounts.id, accountId));
  if (!account) return null;
  const lines = await db.$count(statementLines, eq(statementLines.ownAccountId, accountId));
  const { bankName, accountNumber, openingKobo } = account;
  return {
    title: texts.openingTitle(formatNairaExact(openingKobo ?? 0n), `${bankName} ${accountNumber}`),
    consequences: [lines > 0 ? texts.hasLines(lines) : texts.openingGoes],
    isPossible: openingKobo !== null && lines === 0,
  };
}

/** A void in words, with what follows from it; null if what it is about is gone. */
export async function describeVoid(db: DbOrTx, details: VoidBankDataDetails) {
  const found =
    details.what === "statement"
      ? await describeStatement(db, details.statementId)
      : details.what === "line"
        ? await describeLine(db, details.lineId)
        : await describeOpening(db, details.accountId);
  return found && { ...found, projectId: null };
}
