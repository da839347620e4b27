import { desc, eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { statementLines, statements, voids } from "#server/db/schema/bank.ts";
import { users } from "#server/db/schema/users.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { bankLimits } from "#shared/bank/texts.ts";
import type { listVoidsInput } from "#shared/bank/voids.ts";
import { linkToStatement } from "./statement-file.ts";

/** The latest voids of an account, each with what it was: a file with its days, or a line. */
export async function listVoids(ctx: ActorContext, { accountId }: z.output<typeof listVoidsInput>) {
  const found = await ctx.db
    .select({
      id: voids.id,
      what: voids.what,
      reason: voids.reason,
      madeByName: users.fullName,
      createdAt: voids.createdAt,
      fileId: statements.fileId,
      fileName: statements.fileName,
      firstDay: statements.firstDay,
      lastDay: statements.lastDay,
      lines: sql<number>`(select count(*)::int from ${statementLines} where ${statementLines.voidId} = ${voids.id})`,
      line: {
        date: statementLines.date,
        amountKobo: statementLines.amountKobo,
        narration: statementLines.narration,
      },
    })
    .from(voids)
    .innerJoin(users, eq(users.id, voids.madeBy))
    .leftJoin(statements, eq(statements.voidId, voids.id))
    .leftJoin(statementLines, sql`${voids.what} = 'line' and ${statementLines.voidId} = ${voids.id}`)
    .where(eq(voids.ownAccountId, accountId))
    .orderBy(desc(voids.id))
    .limit(bankLimits.pageSize);
  const canImport = ctx.actor.permissions.includes("bank:import");
  return found.map(({ fileId, ...one }) => ({
    ...one,
    /** The bytes of a file are for those who may import. */
    fileUrl: canImport && fileId ? linkToStatement(ctx, fileId) : null,
  }));
}
