import { and, asc, eq, sql } from "drizzle-orm";
import type { DbOrTx } from "#server/db/open.ts";
import { harvests } from "#server/db/schema/harvests.ts";
import { projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { findWaiting } from "#server/features/payments/queries.ts";
import { awaitsHarvest, findHarvestRefusal } from "#server/features/projects/rounds/queries.ts";
import type { Round } from "#server/features/projects/rounds/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { harvestTexts } from "#shared/harvests/texts.ts";

/**
 * Returns the reason why a sold and ended round can't be written off now (its harvest goes on, or something of it
 * waits), or null.
 */
export async function findWriteOffRefusal(db: DbOrTx, round: Round): Promise<string | null> {
  const refusal = await findHarvestRefusal(db, round);
  if (refusal !== null && !(await awaitsHarvest(db, round))) return refusal;
  const isOfRound = and(eq(harvests.projectId, round.projectId), eq(harvests.round, round.round));
  const drafts = await db.$count(harvests, and(isOfRound, eq(harvests.state, "draft")));
  return drafts > 0 ? harvestTexts.isDrafted : findWaiting(db, round);
}

/** The rounds of a project with approved payments that have ended and aren't written off, each with why it can't be now. */
export async function listRoundsToWriteOff({ db }: ActorContext, { projectId }: { projectId: number }) {
  const found = await db
    .select({ round: projectRounds })
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
  return Promise.all(
    found.map(async ({ round: sold }) => {
      const { round, lots, approvedLots } = sold;
      return { round, lots, approvedLots, refusal: await findWriteOffRefusal(db, sold) };
    }),
  );
}
