import { type SQL, sql } from "drizzle-orm";
import { type DbOrTx, rows, type Tx } from "#server/db/open.ts";
import { roundWeights } from "#server/db/schema/harvests.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { backingWeights, projectBackings } from "#server/db/schema/projects.ts";
import { isUnstruck } from "#server/db/schema/strikes.ts";
import { findRound, type RoundKey } from "#server/features/projects/rounds/service.ts";
import { AppError } from "#server/platform/errors.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";
import type { Kobo } from "#shared/money.ts";

export type RoundWeight = { backingId: number; userId: string; weightKobo: Kobo };

/**
 * The weights of a round's backings: the frozen ones, or those that a freeze would write now. What was struck doesn't
 * count.
 */
export async function readWeights(db: DbOrTx, key: RoundKey): Promise<RoundWeight[]> {
  const { backingId, userId } = roundWeights;
  const weightKobo = sql`${roundWeights.weightKobo} - ${roundWeights.struckKobo}`.mapWith(roundWeights.weightKobo);
  const frozen = await db
    .select({ backingId, userId, weightKobo })
    .from(roundWeights)
    .where(isOf(key))
    .orderBy(backingId);
  if (frozen.length === 0) return readLiveWeights(db, key);
  return frozen.filter((weight) => weight.weightKobo > 0n);
}

const isOf = ({ projectId, round }: RoundKey) =>
  sql`${roundWeights.projectId} = ${projectId} and ${roundWeights.round} = ${round}`;

async function readLiveWeights(db: DbOrTx, { projectId, round }: RoundKey): Promise<RoundWeight[]> {
  const paid = sql`coalesce((
    select sum(${projectPayments.amountKobo}) from ${projectPayments}
    where ${projectPayments.projectId} = ${projectId} and ${projectPayments.round} = ${round}
      and ${projectPayments.userId} = ${projectBackings.userId} and ${projectPayments.status} = 'approved'
      and ${isUnstruck}), 0)`;
  const given = sql`coalesce((
    select ${backingWeights.weightKobo} from ${backingWeights}
    where ${backingWeights.backingId} = ${projectBackings.id} and ${backingWeights.round} = ${round}), 0)`;
  const weightKobo = sql`(${paid} + ${given})::bigint`;
  return db
    .select({
      backingId: projectBackings.id,
      userId: projectBackings.userId,
      weightKobo: weightKobo.mapWith(projectPayments.amountKobo),
    })
    .from(projectBackings)
    .where(sql`${projectBackings.projectId} = ${projectId} and ${weightKobo} > 0`)
    .orderBy(projectBackings.id);
}

/** The weights of a round's backings. Throws "conflict" where they aren't frozen and can't be: see freezeWeights. */
export async function requireWeights(db: DbOrTx, key: RoundKey): Promise<RoundWeight[]> {
  if (await isBegun(db, key)) {
    const kept = await readWeights(db, key);
    if (kept.length === 0) throw new AppError("conflict", texts.nobody);
    return kept;
  }
  // An approval that was taken back since the draft opened the round again.
  if ((await findRound(db, key)).outcome !== "funded") throw new AppError("conflict", texts.notFunded);
  const weights = await readLiveWeights(db, key);
  if (weights.length === 0) throw new AppError("conflict", texts.nobody);
  if (await isBeyondWorth(db, key)) throw new AppError("conflict", texts.partsBeyond);
  return weights;
}

/**
 * Freezes what the backings of a round count, unless it is frozen already. From then on no payment of the round is
 * approved or taken back. The caller has locked the project. Throws "conflict" if nobody has a part, or the round isn't
 * funded any more.
 */
export async function freezeWeights(tx: Tx, key: RoundKey): Promise<RoundWeight[]> {
  const weights = await requireWeights(tx, key);
  if (await isBegun(tx, key)) return weights;
  const { projectId, round } = key;
  await tx.insert(roundWeights).values(weights.map((weight) => ({ projectId, round, ...weight })));
  return weights;
}

/** True if weights without payment exceed what the round's lots are worth: the lots may have become fewer since. */
async function isBeyondWorth(db: DbOrTx, { projectId, round }: RoundKey): Promise<boolean> {
  const [found] = await rows<{ isBeyond: boolean }>(
    db,
    sql`select coalesce((select sum(w.weight_kobo) from backing_weights w join project_backings b on b.id = w.backing_id
        where b.project_id = r.project_id and w.round = r.round), 0) > r.lots * r.lot_price_kobo as "isBeyond"
      from project_rounds r where r.project_id = ${projectId} and r.round = ${round}`,
  );
  return found?.isBeyond ?? false;
}

/** True once the weights are frozen: the round's first harvest opened, was lost, or was insured. */
async function isBegun(db: DbOrTx, key: RoundKey): Promise<boolean> {
  return (await db.$count(roundWeights, isOf(key))) > 0;
}

/**
 * Condition of a harvest `h` that keeps what its round's backings count: it opened, was lost, or an insurer's sum was
 * settled.
 */
const keepsWeights: SQL = sql`(
  (h.state <> 'withdrawn' and (h.opened_at is not null or h.state in ('lost', 'settled', 'done')))
  or exists (select from settlements s where s.harvest_id = h.id))`;

/**
 * Forgets what the backings of a round count, unless a harvest keeps it, so that payments of the round can be approved
 * or taken back again. The caller has locked the project and withdrawn a harvest. Returns whether it was forgotten.
 */
export async function unfreezeWeights(tx: Tx, { projectId, round }: RoundKey): Promise<boolean> {
  const isKept = sql`exists (select from harvests h
    where h.project_id = ${projectId} and h.round = ${round} and ${keepsWeights})`;
  const forgotten = await tx
    .delete(roundWeights)
    .where(sql`${isOf({ projectId, round })} and not ${isKept}`)
    .returning();
  return forgotten.length > 0;
}
