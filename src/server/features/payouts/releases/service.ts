import { eq } from "drizzle-orm";
import type { z } from "zod";
import { postRelease } from "#server/books/events/payouts.ts";
import { readRoundMoney } from "#server/books/rounds.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { farmReleases } from "#server/db/schema/payouts.ts";
import { cancelPayouts, makePayouts } from "#server/features/payouts/service.ts";
import { lockProject, lockProjectIfThere, lockRound } from "#server/features/projects/rounds/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { releaseToFarmInput, takeReleaseBackInput } from "#shared/payouts/releases.ts";
import { farmReleaseTexts as texts } from "#shared/payouts/releases-texts.ts";
import { readPaidBack } from "./arrivals.ts";
import { listAlarmsOf } from "./queries.ts";

/**
 * A funded round's money goes on to its farm: at most what has arrived, as payouts that a run takes with the others. Owners keep
 * the farm's account. The order of locks is project, round, release, payouts, farm.
 */

type Asked = z.output<typeof releaseToFarmInput>;

/**
 * Releases money that a round has for its farm. Throws what {@link lockReleasable} does, and "conflict" with the need of a second
 * person where an open alarm is about this money.
 */
export async function releaseToFarm(ctx: ActorContext, asked: Asked): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const releasable = await lockReleasable(tx, asked);
    const alarms = await listAlarmsOf(tx, asked);
    if (alarms.length > 0) {
      throw new AppError("conflict", texts.alarm(alarms), { details: { needs: "second_person" } });
    }
    await release(tx, ctx, releasable, {});
  });
}

/**
 * Locks the project and the round, and gives what is to be released: of what has arrived and wasn't released yet. Throws
 * "not_found", or "conflict" if the round isn't funded, has no farm, has nothing, or something else than the owner saw, or less than is asked for. What no statement
 * shows yet is refused in words: nobody should pay a farm with money that didn't come.
 */
export async function lockReleasable(tx: Tx, { projectId, round: number, seenKobo, amountKobo }: Asked) {
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
  return { projectId, projectTitle: project.title, round: number, farmId: round.farmId, amountKobo };
}

type Releasable = Awaited<ReturnType<typeof lockReleasable>>;

/** Owes the farm what was locked, and makes the payouts of it. `confirmed` is the request of two owners, if they did it. */
export async function release(
  tx: Tx,
  ctx: ActorContext,
  { farmId, ...about }: Releasable,
  confirmed: { requestId?: number; reason?: string },
): Promise<void> {
  const at = ctx.clock.now();
  const [made] = await tx
    .insert(farmReleases)
    .values({ ...about, madeBy: ctx.actor.id, createdAt: at })
    .returning();
  if (!made) throw new Error("the release was not written");
  await postRelease(tx, "farm_release", { release: made, actorId: ctx.actor.id, at });
  await makePayouts(tx, [{ ...about, kind: "farm", farmId, releaseId: made.id, at }]);
  await recordAudit(tx, ctx, "release_to_farm", { ...factsOf(made), farmId, ...confirmed });
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
  });
}

const factsOf = ({ id, projectId, projectTitle, round, amountKobo }: typeof farmReleases.$inferSelect) => ({
  releaseId: id,
  projectId,
  title: projectTitle,
  round,
  amountKobo: amountKobo.toString(),
});
