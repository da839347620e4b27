import { eq } from "drizzle-orm";
import type { z } from "zod";
import { postRelease } from "#server/books/events/payouts.ts";
import { readRoundMoney } from "#server/books/rounds.ts";
import { type DbOrTx, inTransaction, type Tx } from "#server/db/open.ts";
import { farmReleases } from "#server/db/schema/payouts.ts";
import { listFarmPeople } from "#server/features/farms/queries.ts";
import { notifyOfRelease, notifyOfTakenBack } from "#server/features/payouts/release-parts/notices.ts";
import { findPart, hasMissedTwo, type PartKey } from "#server/features/payouts/release-parts/queries.ts";
import { requireChecked, requireCheckedOrAlone } from "#server/features/payouts/release-parts/service.ts";
import { cancelPayouts, makePayouts } from "#server/features/payouts/service.ts";
import { findRound, lockProject, lockProjectIfThere, lockRound } from "#server/features/projects/rounds/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { formatNaira } from "#shared/money.ts";
import { releasePartTexts } from "#shared/payouts/release-parts-texts.ts";
import type { releaseToFarmInput, takeReleaseBackInput } from "#shared/payouts/releases.ts";
import { farmReleaseTexts as texts } from "#shared/payouts/releases-texts.ts";
import { readPaidBack } from "./arrivals.ts";
import { listAlarmsOf } from "./queries.ts";

/**
 * A funded round's money goes on to its farm: at most what has arrived, as payouts that a run takes with the others.
 * Owners keep the farm's account. The order of locks is project, round, release, payouts, farm.
 */

type Asked = z.output<typeof releaseToFarmInput>;

/**
 * Releases money that a round has for its farm. Throws what {@link lockReleasable} does, and "conflict" with the need
 * of a second person where an open alarm is about this money, the farm is silent, or the caller asked for the part or
 * checked it.
 */
export async function releaseToFarm(ctx: ActorContext, asked: Asked): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const releasable = await lockReleasable(tx, asked);
    await requireCheckedOrAlone(tx, asked);
    const reasons = await listReleaseReasons(tx, { ...asked, now: ctx.clock.now(), actorId: ctx.actor.id });
    if (reasons.length > 0) {
      throw new AppError("conflict", reasons.join(" "), { details: { needs: "second_person" } });
    }
    await requireChecked(tx, asked);
    await release(tx, ctx, releasable, {});
  });
}

/**
 * Returns the reasons why one owner can't release a part alone; empty if they can. It doesn't check that the part was
 * asked for.
 */
async function listReleaseReasons(
  db: DbOrTx,
  { actorId, now, ...part }: PartKey & { actorId: string; now: Date },
): Promise<string[]> {
  const alarms = await listAlarmsOf(db, part);
  const { ask } = await findPart(db, part);
  const { farmId } = await findRound(db, part);
  return [
    ...(alarms.length > 0 ? [texts.alarm(alarms)] : []),
    ...((await hasMissedTwo(db, part, now)) ? [releasePartTexts.stopped] : []),
    ...((await listFarmPeople(db, farmId)).includes(actorId) ? [releasePartTexts.releaseOfFarm] : []),
    ...(ask?.askedBy === actorId || ask?.decidedBy === actorId ? [releasePartTexts.checkedByYou] : []),
  ];
}

/**
 * Locks the project and the round, and gives what is to be released: of what has arrived and wasn't released yet. Throws
 * "not_found", or "conflict" if the round isn't funded, has no farm, has nothing, or something else than the owner saw,
 * was asked for anew, or has less than is asked for. What no statement
 * shows yet is refused in words: nobody should pay a farm with money that didn't come.
 */
export async function lockReleasable(tx: Tx, { projectId, round: number, part, askId, seenKobo, amountKobo }: Asked) {
  const project = await lockProject(tx, projectId);
  if (number > project.round) throw new AppError("not_found", texts.nothingOwed);
  const round = await lockRound(tx, { projectId, round: number });
  if (round.outcome !== "funded") throw new AppError("conflict", texts.notFunded);
  if (round.farmId === null) throw new AppError("conflict", texts.noFarm);
  const { owedKobo, releasableKobo } = await readRoundMoney(tx, round);
  if (owedKobo <= 0n) throw new AppError("conflict", texts.nothingOwed);
  if (seenKobo > releasableKobo && seenKobo <= owedKobo) {
    throw new AppError("conflict", texts.notArrived(releasableKobo, owedKobo));
  }
  if (releasableKobo !== seenKobo) throw new AppError("conflict", texts.changed);
  if (amountKobo > releasableKobo) throw new AppError("conflict", texts.moreThanThere(releasableKobo));
  const { ask, releasableKobo: leftKobo } = await findPart(tx, { projectId, round: number, part });
  if ((ask?.id ?? null) !== askId) throw new AppError("conflict", releasePartTexts.askChanged);
  if (amountKobo > leftKobo) throw new AppError("conflict", releasePartTexts.moreThanPart(formatNaira(leftKobo)));
  const { farmId } = round;
  return { projectId, projectTitle: project.title, round: number, part, askId, farmId, amountKobo };
}

type Releasable = Awaited<ReturnType<typeof lockReleasable>>;

/** Owes the farm what was locked, and makes the payouts of it. `confirmed` is the request of two owners, if they did it. */
export async function release(
  tx: Tx,
  ctx: ActorContext,
  { farmId, part, askId, ...about }: Releasable,
  confirmed: { requestId?: number; reason?: string },
): Promise<void> {
  const at = ctx.clock.now();
  const { requestId, reason } = confirmed;
  const isSilent = await hasMissedTwo(tx, about, at);
  const [made] = await tx
    .insert(farmReleases)
    .values({
      ...about,
      part,
      askId,
      madeBy: ctx.actor.id,
      requestId,
      publicReason: isSilent ? reason : null,
      createdAt: at,
    })
    .returning();
  if (!made) throw new Error("the release was not written");
  await postRelease(tx, "farm_release", { release: made, actorId: ctx.actor.id, at });
  await makePayouts(tx, [{ ...about, kind: "farm", farmId, releaseId: made.id, at }]);
  await recordAudit(tx, ctx, "release_to_farm", { ...factsOf(made), farmId, ...confirmed });
  await notifyOfRelease(tx, ctx, { ...made, farmId });
}

/**
 * Takes a release back: the round has its money again. Throws "not_found", or "conflict" if it was taken back already, or
 * something of it is in a run or was sent.
 */
export async function takeReleaseBack(ctx: ActorContext, input: z.output<typeof takeReleaseBackInput>): Promise<void> {
  const { releaseId, reason } = input;
  const isIt = eq(farmReleases.id, releaseId);
  await inTransaction(ctx.db, async (tx) => {
    const ofRelease = tx.select({ id: farmReleases.projectId }).from(farmReleases).where(isIt);
    await lockProjectIfThere(tx, ofRelease, "no key update");
    const [release] = await tx.select().from(farmReleases).where(isIt).for("update");
    if (!release) throw new AppError("not_found", texts.gone);
    if (release.takenBackAt !== null) throw new AppError("conflict", texts.takenBackAlready);
    if ((await readPaidBack(tx, releaseId)) > 0n) throw new AppError("conflict", texts.someReturned);
    const at = ctx.clock.now();
    await cancelPayouts(tx, { releaseId, at });
    const takenBack = { takenBackAt: at, takenBackBy: ctx.actor.id, takenBackReason: reason };
    await tx.update(farmReleases).set(takenBack).where(isIt);
    await postRelease(tx, "farm_release_taken_back", { release, actorId: ctx.actor.id, at });
    await recordAudit(tx, ctx, "take_release_back", { ...factsOf(release), reason });
    const { farmId } = await findRound(tx, release);
    await notifyOfTakenBack(tx, ctx, { ...release, farmId });
  });
}

const factsOf = ({ id, projectId, projectTitle, round, part, amountKobo }: typeof farmReleases.$inferSelect) => ({
  releaseId: id,
  projectId,
  title: projectTitle,
  round,
  part,
  amountKobo: amountKobo.toString(),
});
