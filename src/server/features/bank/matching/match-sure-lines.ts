import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { type DbOrTx, inTransaction } from "#server/db/open.ts";
import { statementLines, statements } from "#server/db/schema/bank.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { users } from "#server/db/schema/users.ts";
import { hasId } from "#server/features/bank/matching/candidates/candidate.ts";
import { findCandidates } from "#server/features/bank/matching/candidates/find-candidates.ts";
import { forEachOnItsOwn } from "#server/platform/async.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { restOf, sureRules } from "#shared/bank/texts.ts";
import { matchParts } from "./match-line.ts";
import { refreshAround, refreshSuggestions, type SureLine } from "./suggestions.ts";

/** Lines with our reference and the missing amount, or a payout's and its sum, or a run's total: the system matches them. */

/**
 * Matches every line that is sure, each in its own transaction, in the name of whoever imported it. Runs after an
 * import, and each minute for what a kill left undone; several processes may run it at once. What is imported meanwhile
 * is looked at too.
 */
export async function matchSureLines(deps: Deps): Promise<void> {
  do {
    await matchOnce(deps);
  } while ((await deps.db.$count(statements, isNull(statements.matchedAt))) > 0);
}

/** Afterwards all lines of the statements that were there before have been looked at. */
async function matchOnce(deps: Deps): Promise<void> {
  const imported = await deps.db.select({ id: statements.id }).from(statements).where(isNull(statements.matchedAt));
  const sure = await withoutUndone(deps.db, await refreshSuggestions(deps.db));
  // What a reference says goes before what only the total of a run does.
  const isRun = ({ rule }: SureLine) => Number(rule === "run_total");
  sure.sort((one, other) => isRun(one) - isRun(other) || one.date.localeCompare(other.date) || one.id - other.id);
  const ids = sure.map(({ id }) => id);
  await forEachOnItsOwn(deps.log, ids, (id) => matchSureLine(deps, id));
  await refreshAround(deps.db, ids);
  if (imported.length === 0) return;
  const wereThere = and(
    hasId(
      statements.id,
      imported.map(({ id }) => id),
    ),
    isNull(statements.matchedAt),
  );
  await deps.db.update(statements).set({ matchedAt: deps.clock.now() }).where(wereThere);
}

/** Leaves out lines of which a person undid a match: a person decides on those. */
async function withoutUndone(db: DbOrTx, lines: readonly SureLine[]): Promise<SureLine[]> {
  if (lines.length === 0) return [];
  const ids = lines.map(({ id }) => id);
  const undone = await db
    .selectDistinct({ id: lineMatches.lineId })
    .from(lineMatches)
    .where(and(hasId(lineMatches.lineId, ids), isNotNull(lineMatches.undoneAt)));
  const those = new Set(undone.map(({ id }) => id));
  return lines.filter(({ id }) => !those.has(id));
}

async function matchSureLine(deps: Deps, lineId: number): Promise<void> {
  try {
    await inTransaction(deps.db, async (tx) => {
      const [found] = await tx
        .select({ line: statementLines, importer: { id: users.id, email: users.email } })
        .from(statementLines)
        .innerJoin(statements, eq(statements.id, statementLines.statementId))
        .innerJoin(users, eq(users.id, statements.importedBy))
        .where(eq(statementLines.id, lineId));
      if (!found || restOf(found.line) === 0n) return;
      const [candidate] = (await findCandidates(tx, [found.line])).get(lineId) ?? [];
      if (!candidate?.isSure || !candidate.part) return;
      const by = { ...deps, actor: found.importer, ipAddress: null };
      const seenMatchedKobo = found.line.matchedKobo;
      const rule = sureRules.find((one) => one === candidate.rule);
      if (!rule) throw new Error(`rule ${candidate.rule} is never sure`);
      await matchParts(tx, by, { lineId, seenMatchedKobo, parts: [candidate.part], rule });
    });
  } catch (error) {
    // Another process or a person was faster, or the line's payment can't be made.
    if (!(error instanceof AppError)) throw error;
    deps.log.info({ lineId, reason: error.message }, "a sure line was left to a person");
  }
}
