import { and, asc, eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { type Confirmed, secondPersonKind } from "#server/accounts/owners/second-person-kind.ts";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { notify } from "#server/features/notifications/service.ts";
import { isApprovedIn } from "#server/features/payments/queries.ts";
import { endLapsedHolds } from "#server/features/projects/holds/service.ts";
import { awaitsHarvest } from "#server/features/projects/rounds/queries.ts";
import { decideRound, lockProject, lockRound, type RoundKey } from "#server/features/projects/rounds/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { formatNaira } from "#shared/money.ts";
import { writeOffDetails } from "#shared/second-person/inputs.ts";
import { writeOffTexts } from "#shared/second-person/texts.ts";
import { writtenOffNotice } from "./emails.ts";
import { findWriteOffRefusal } from "./queries.ts";

/**
 * Writing a round off: two owners say in words that nothing will come of it, or nothing more where some of the harvests that
 * its terms plan are over. Its approvals stay as they are in the ledger, none of them can be taken back any more, and the
 * project may be deleted.
 */

type Details = z.output<typeof writeOffDetails>;

const subjectOfRound = ({ projectId, round }: RoundKey): string => `${projectId}/${round}`;

/** The project's title, and the number of payers and the sum of the round; undefined if the project is deleted. */
async function findSold(db: DbOrTx, { projectId, round }: Details) {
  const [found] = await db
    .select({
      title: projects.title,
      payers: sql<number>`count(distinct ${projectPayments.userId})::int`,
      kobo: sql`coalesce(sum(${projectPayments.amountKobo}), 0)::bigint`.mapWith(projectPayments.amountKobo),
    })
    .from(projects)
    .innerJoin(projectRounds, and(eq(projectRounds.projectId, projects.id), eq(projectRounds.round, round)))
    .leftJoin(projectPayments, isApprovedIn({ projectId, round }))
    .where(eq(projects.id, projectId))
    .groupBy(projects.id, projectRounds.projectId, projectRounds.round);
  return found;
}

async function describe(db: DbOrTx, details: Details) {
  const sold = await findSold(db, details);
  if (!sold) return null;
  const { payers, kobo } = sold;
  const isAwaited = await awaitsHarvest(db, details);
  const told = payers === 1 ? "The one backer of the round reads" : `All ${payers} backers of the round read`;
  return {
    title: writeOffTexts.title(details.round, sold.title),
    consequences:
      payers === 0
        ? [writeOffTexts.nothingSold]
        : [
            `${formatNaira(kobo)} of approved payments can't be taken back or given back any more.`,
            `${told} the reason on the project's page and in an email.`,
            ...(isAwaited ? [writeOffTexts.harvestsStay] : []),
            "The project can be deleted then. This can't be undone.",
          ],
    isPossible: payers > 0,
    projectId: details.projectId,
  };
}

async function lockForWriteOff(tx: Tx, ctx: ActorContext, { projectId, round: number }: Details) {
  const project = await lockProject(tx, projectId);
  if (number > project.round) throw new AppError("not_found", writeOffTexts.nothingSold);
  const locked = await lockRound(tx, { projectId, round: number });
  const round = await endLapsedHolds(tx, ctx, { project, round: locked });
  if (round.outcome === "written_off") throw new AppError("conflict", writeOffTexts.writtenOff);
  if (round.approvedLots === 0) throw new AppError("conflict", writeOffTexts.nothingSold);
  if (round.round === project.round && !project.isClosed) throw new AppError("conflict", writeOffTexts.roundOpen);
  const refusal = await findWriteOffRefusal(tx, round);
  if (refusal !== null) throw new AppError("conflict", refusal);
  return { project, round };
}

async function writeOff(tx: Tx, ctx: ActorContext, { details, requestId, reason }: Confirmed<Details>): Promise<void> {
  const { project, round } = await lockForWriteOff(tx, ctx, details);
  const { id: projectId, title } = project;
  await decideRound(tx, round, { outcome: "written_off", decidedBy: ctx.actor.id, at: ctx.clock.now() });
  await recordAudit(tx, ctx, "write_off_round", {
    projectId,
    title,
    round: round.round,
    before: round.outcome,
    approvedLots: round.approvedLots,
    requestId,
    reason,
  });
  const payers = await tx
    .selectDistinct({ userId: projectPayments.userId })
    .from(projectPayments)
    .where(isApprovedIn(round))
    .orderBy(asc(projectPayments.userId));
  await notify(tx, ctx, {
    ...writtenOffNotice({ site: ctx.site.current(), projectId, projectTitle: title, reason }),
    userIds: payers.map(({ userId }) => userId),
    kind: "payment_status",
    projectId,
    eventKey: `round:${subjectOfRound(round)}:written_off`,
  });
}

/** The kind of request by which two owners write a round off. */
export const writeOffKind = secondPersonKind({
  schema: writeOffDetails,
  subjectOf: subjectOfRound,
  describe,
  require: async (tx, ctx, details) => void (await lockForWriteOff(tx, ctx, details)),
  act: writeOff,
});
