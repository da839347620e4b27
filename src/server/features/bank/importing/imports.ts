import { and, desc, eq, not, sql } from "drizzle-orm";
import type { z } from "zod";
import { statementLines, statements } from "#server/db/schema/bank.ts";
import { users } from "#server/db/schema/users.ts";
import { isUnexplained } from "#server/features/bank/matching/match-rows.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { decodeCursor, encodeCursor, pageOf } from "#server/platform/keyset.ts";
import { bankImportTexts } from "#shared/bank/import-texts.ts";
import type { listImportsInput, statementIdInput } from "#shared/bank/inputs.ts";
import { bankLimits } from "#shared/bank/texts.ts";
import { linkToStatement } from "./statement-file.ts";

/** A page of the files that were imported for an account, the latest first, each with what it brought and left out. */
export async function listImports(ctx: ActorContext, { accountId, cursor }: z.output<typeof listImportsInput>) {
  const found = await ctx.db
    .select({
      id: statements.id,
      fileId: statements.fileId,
      fileName: statements.fileName,
      format: statements.format,
      firstDay: statements.firstDay,
      lastDay: statements.lastDay,
      lines: statements.lines,
      newLines: statements.newLines,
      leftOut: {
        failed: statements.failedEntries,
        pending: statements.pendingEntries,
        reversed: statements.reversedEntries,
        zero: statements.zeroEntries,
        other: statements.otherRows,
      },
      gapReason: statements.gapReason,
      importedByName: users.fullName,
      importedAt: statements.createdAt,
    })
    .from(statements)
    .innerJoin(users, eq(users.id, statements.importedBy))
    .where(and(eq(statements.ownAccountId, accountId), cursor ? before(cursor) : undefined))
    .orderBy(desc(statements.id))
    .limit(bankLimits.pageSize + 1);
  const canImport = ctx.actor.permissions.includes("bank:import");
  const { items, nextCursor } = pageOf(found, bankLimits.pageSize, ({ id }) => encodeCursor([id]));
  return {
    items: items.map(({ fileId, ...one }) => ({
      ...one,
      /** The bytes of the file are for those who may import. */
      fileUrl: canImport ? linkToStatement(ctx, fileId) : null,
    })),
    nextCursor,
    /** True if the caller may ask another owner to void one. */
    canVoid: ctx.actor.permissions.includes("payments:process"),
  };
}

function before(cursor: string) {
  const [id] = decodeCursor(cursor, ["bigint"]);
  return sql`${statements.id} < ${id}`;
}

/** Reads the system's progress with an imported file: its new lines, the explained ones, and whether it is done. */
export async function findImportProgress({ db }: ActorContext, { statementId }: z.output<typeof statementIdInput>) {
  const ofIt = eq(statementLines.statementId, statementId);
  const [found] = await db
    .select({ newLines: statements.newLines, isDone: sql<boolean>`${statements.matchedAt} is not null` })
    .from(statements)
    .where(eq(statements.id, statementId));
  if (!found) throw new AppError("not_found", bankImportTexts.fileGone);
  return { ...found, matchedLines: await db.$count(statementLines, and(ofIt, not(isUnexplained))) };
}
