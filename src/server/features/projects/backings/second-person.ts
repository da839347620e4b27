import { and, eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { secondPersonKind } from "#server/accounts/owners/second-person-kind.ts";
import { type DbOrTx, rows, type Tx } from "#server/db/open.ts";
import { backingWeights, projectBackings, projects } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import { findHarvestRefusal, listRoundsToWeigh } from "#server/features/projects/rounds/queries.ts";
import { lockProject } from "#server/features/projects/rounds/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import { AppError } from "#server/platform/errors.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { weightDetails } from "#shared/projects/backings.ts";
import { backingTexts as texts } from "#shared/projects/backings-texts.ts";
import { secondPersonTexts } from "#shared/second-person/texts.ts";

/** Acts about backings that take two people: a part in a round's harvests that nobody paid for. */

type Weight = z.output<typeof weightDetails>;

/** The worth of a round's lots, what was paid for them, and the weight of parts without payment. */
type RoundWorth = { worthKobo: Kobo; paidKobo: Kobo; givenKobo: Kobo };

async function readWorth(db: DbOrTx, { projectId, round }: Pick<Weight, "projectId" | "round">): Promise<RoundWorth> {
  const [found] = await rows<{ worth: string; paid: string; given: string }>(
    db,
    sql`select (r.lots * r.lot_price_kobo)::text as worth,
        (select coalesce(sum(p.amount_kobo), 0) from project_payments p
          where p.project_id = r.project_id and p.round = r.round and p.status = 'approved')::text as paid,
        (select coalesce(sum(w.weight_kobo), 0) from backing_weights w join project_backings b on b.id = w.backing_id
          where b.project_id = r.project_id and w.round = r.round)::text as given
      from project_rounds r where r.project_id = ${projectId} and r.round = ${round}`,
  );
  return {
    worthKobo: BigInt(found?.worth ?? 0),
    paidKobo: BigInt(found?.paid ?? 0),
    givenKobo: BigInt(found?.given ?? 0),
  };
}

async function findBacking(db: DbOrTx, { projectId, userId, round }: Weight) {
  const [found] = await db
    .select({
      backingId: projectBackings.id,
      grantedAt: projectBackings.grantedAt,
      name: users.fullName,
      closedAt: users.closedAt,
      title: projects.title,
      weightKobo: backingWeights.weightKobo,
    })
    .from(projectBackings)
    .innerJoin(users, eq(users.id, projectBackings.userId))
    .innerJoin(projects, eq(projects.id, projectBackings.projectId))
    .leftJoin(backingWeights, and(eq(backingWeights.backingId, projectBackings.id), eq(backingWeights.round, round)))
    .where(and(eq(projectBackings.projectId, projectId), eq(projectBackings.userId, userId)));
  return found;
}

/**
 * Throws "not_found"; or "conflict" if only a payment supports the backing, because its part is that of its lots, if
 * the round's harvest has begun or it will have none, if the part has changed, if parts without payment would count
 * more than the round's lots are worth, or if the account of whoever would get more has ended.
 */
async function requireWeight(tx: Tx, weight: Weight) {
  const { projectId, round, weightKobo, seenKobo } = weight;
  await lockProject(tx, projectId);
  const backing = await findBacking(tx, weight);
  if (!backing) throw new AppError("not_found", texts.notListed);
  if (backing.grantedAt === null) throw new AppError("conflict", texts.notGranted);
  const refusal = await findHarvestRefusal(tx, { projectId, round });
  if (refusal !== null) throw new AppError("conflict", refusal);
  if (!(await listRoundsToWeigh(tx, projectId)).includes(round)) throw new AppError("conflict", texts.noSuchRound);
  const beforeKobo = backing.weightKobo ?? 0n;
  if (beforeKobo !== BigInt(seenKobo)) throw new AppError("conflict", texts.weightChanged);
  const { worthKobo, givenKobo } = await readWorth(tx, weight);
  const isRaised = BigInt(weightKobo) > beforeKobo;
  if (isRaised && backing.closedAt !== null) throw new AppError("conflict", secondPersonTexts.accountEnded);
  if (isRaised && givenKobo - beforeKobo + BigInt(weightKobo) > worthKobo) {
    throw new AppError("conflict", texts.weightBeyond(formatNaira(worthKobo)));
  }
  return backing;
}

const percentText = (part: Kobo, whole: Kobo): string =>
  `${(Number((part * 1000n) / (whole === 0n ? 1n : whole)) / 10).toLocaleString("en-NG")}%`;

export const setWeightKind = secondPersonKind({
  schema: weightDetails,
  concerns: async (_db, { userId }) => [userId],
  subjectOf: ({ projectId, userId, round }) => `${projectId}/${userId}/${round}`,
  describe: async (db, weight) => {
    const { projectId, round, weightKobo: digits, seenKobo } = weight;
    const backing = await findBacking(db, weight);
    if (!backing) return null;
    const { name, title } = backing;
    const whose = name || "a backer";
    const [beforeKobo, weightKobo] = [backing.weightKobo ?? 0n, BigInt(digits)];
    const { worthKobo, paidKobo, givenKobo } = await readWorth(db, weight);
    const afterKobo = givenKobo - beforeKobo + weightKobo;
    return {
      title:
        weightKobo === 0n
          ? `Take ${whose}'s part in round ${round} of ${title} away`
          : `Give ${whose} a part of ${formatNaira(weightKobo)} in round ${round} of ${title}`,
      consequences: [
        beforeKobo === 0n ? "They have no part in it without payment now." : `It is ${formatNaira(beforeKobo)} now.`,
        `Nobody paid for it. It counts in the round's harvests beside the ${formatNaira(paidKobo)} that backers paid.`,
        `Of what its harvests bring to backers, parts without payment get ${percentText(afterKobo, afterKobo + paidKobo)}: they count ${formatNaira(afterKobo)} together. The round's lots are worth ${formatNaira(worthKobo)}.`,
      ],
      isPossible: beforeKobo === BigInt(seenKobo) && (await findHarvestRefusal(db, { projectId, round })) === null,
      projectId,
    };
  },
  require: async (tx, _ctx, details) => void (await requireWeight(tx, details)),
  act: async (tx, ctx, { details, requestId, reason }) => {
    const { backingId, title, weightKobo: before } = await requireWeight(tx, details);
    const { projectId, userId, round, weightKobo } = details;
    const isOfRound = and(eq(backingWeights.backingId, backingId), eq(backingWeights.round, round));
    await tx.delete(backingWeights).where(isOfRound);
    if (BigInt(weightKobo) > 0n) {
      await tx.insert(backingWeights).values({ backingId, round, weightKobo: BigInt(weightKobo), reason });
    }
    await recordAudit(tx, ctx, "set_backing_weight", {
      projectId,
      title,
      userId,
      round,
      reason,
      requestId,
      before: before?.toString() ?? null,
      after: BigInt(weightKobo) > 0n ? weightKobo : null,
    });
  },
});
