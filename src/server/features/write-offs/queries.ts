import { and, asc, eq, sql } from "drizzle-orm";
import { projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import type { ActorContext } from "#server/platform/context.ts";

/** The rounds of a project that an owner may ask to write off: with approved payments, ended, and not written off. */
export async function listRoundsToWriteOff(ctx: ActorContext, { projectId }: { projectId: number }) {
  return ctx.db
    .select({ round: projectRounds.round, lots: projectRounds.lots, approvedLots: projectRounds.approvedLots })
    .from(projectRounds)
    .innerJoin(projects, eq(projects.id, projectRounds.projectId))
    .where(
      and(
        eq(projectRounds.projectId, projectId),
        sql`${projectRounds.approvedLots} > 0 and ${projectRounds.outcome} is distinct from 'written_off'
          and (${projects.isClosed} or ${projectRounds.round} < ${projects.round})`,
      ),
    )
    .orderBy(asc(projectRounds.round));
}
