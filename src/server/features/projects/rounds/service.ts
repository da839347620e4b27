import { createHash } from "node:crypto";
import { and, eq, gt, isNull, or, type SQLWrapper, sql } from "drizzle-orm";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { roundTerms } from "#server/db/schema/terms.ts";
import { AppError } from "#server/platform/errors.ts";
import type { Kobo } from "#shared/money.ts";
import { projectAdminTexts } from "#shared/projects/admin-texts.ts";
import { type Terms, termsText } from "#shared/projects/terms-texts.ts";

/**
 * The rounds that a project is sold in. The order of locks is always project, round, reference, payment: who changes a
 * round locks its project before. Holds have no place in it, because who counts them holds their round.
 */

export type Round = typeof projectRounds.$inferSelect;
export type Project = typeof projects.$inferSelect;
export type RoundKey = { projectId: number; round: number };

/** A round's offer, as entered in the project's form. */
export type RoundOffer = { lots: number; minimumLots: number; fundingGoalKobo: Kobo };

type Lock = "share" | "no key update" | "update";

/** `projectId` is an id, or a statement that finds it. */
export async function lockProjectIfThere(
  tx: Tx,
  projectId: number | SQLWrapper,
  lock: Lock,
): Promise<Project | undefined> {
  const [project] = await tx.select().from(projects).where(eq(projects.id, projectId)).for(lock);
  return project;
}

/** Throws "not_found" if the project doesn't exist. */
export async function lockProject(tx: Tx, projectId: number, lock: Lock = "no key update"): Promise<Project> {
  const project = await lockProjectIfThere(tx, projectId, lock);
  if (!project) throw new AppError("not_found", projectAdminTexts.notFound);
  return project;
}

const isRound = ({ projectId, round }: RoundKey) =>
  and(eq(projectRounds.projectId, projectId), eq(projectRounds.round, round));

/** The form requires that a goal of several lots divides into whole naira. */
const priced = ({ lots, minimumLots, fundingGoalKobo }: RoundOffer) => ({
  lots,
  minimumLots,
  lotPriceKobo: fundingGoalKobo / BigInt(lots),
});

/**
 * Writes the rows of a round that begins: its project's farm, what it is sold by, and its harvest terms. Versions go on
 * from round to round, so that one names the terms of a project.
 */
export async function beginRound(
  tx: Tx,
  key: RoundKey,
  {
    offer,
    terms,
    version = 1,
    by,
    at,
  }: { offer: RoundOffer; terms: Terms; version?: number; by: string | null; at: Date },
): Promise<void> {
  await insertTerms(tx, key, { terms, version, writtenBy: by, at });
  const farmId = sql`(select farm_id from projects where id = ${key.projectId})`;
  await tx
    .insert(projectRounds)
    .values({ ...key, farmId, ...priced(offer), termsVersion: version, openedAt: at, createdAt: at });
}

type NewTerms = { terms: Terms; version: number; writtenBy: string | null; at: Date };

/** Writes a version with the text that payers read, and its hash. */
export async function insertTerms(tx: Tx, key: RoundKey, { terms, version, writtenBy, at }: NewTerms): Promise<void> {
  const text = termsText(terms);
  const textSha256 = createHash("sha256").update(text).digest("hex");
  await tx.insert(roundTerms).values({ ...key, ...terms, version, text, textSha256, writtenBy, createdAt: at });
}

/** Makes another version of the harvest terms the round's. */
export async function setTermsVersion(tx: Tx, key: RoundKey, termsVersion: number): Promise<void> {
  await tx.update(projectRounds).set({ termsVersion }).where(isRound(key));
}

/** Notes that an undecided round is sold again after a closing. */
export async function setOpenedAt(tx: Tx, key: RoundKey, openedAt: Date): Promise<void> {
  await tx.update(projectRounds).set({ openedAt }).where(isRound(key));
}

/** Changes what a round is sold by. The caller makes sure that nothing of it is sold or on its way. */
export async function changeOffer(tx: Tx, key: RoundKey, offer: RoundOffer): Promise<void> {
  await tx.update(projectRounds).set(priced(offer)).where(isRound(key));
}

/**
 * Names the farm that runs a project's current round, and earlier ones that no farm ran. The caller makes sure that the round
 * isn't sold, or has no farm.
 */
export async function setFarmOfRounds(tx: Tx, { projectId, round }: RoundKey, farmId: number | null): Promise<void> {
  const isOwn = and(
    eq(projectRounds.projectId, projectId),
    or(eq(projectRounds.round, round), isNull(projectRounds.farmId)),
  );
  await tx.update(projectRounds).set({ farmId }).where(isOwn);
}

export async function findRound(db: DbOrTx, key: RoundKey): Promise<Round> {
  const [round] = await db.select().from(projectRounds).where(isRound(key));
  if (!round) throw new Error(`project ${key.projectId} has no round ${key.round}`);
  return round;
}

/** Locks a round until the commit. The caller holds its project's lock. */
export async function lockRound(tx: Tx, key: RoundKey): Promise<Round> {
  const [round] = await tx.select().from(projectRounds).where(isRound(key)).for("no key update");
  if (!round) throw new Error(`project ${key.projectId} has no round ${key.round}`);
  return round;
}

type Counts = Pick<Round, "lots" | "approvedLots" | "heldLots">;

/** The lots of a round that are neither approved nor held. */
export const freeLots = ({ lots, approvedLots, heldLots }: Counts): number => lots - approvedLots - heldLots;

/**
 * True if a payment of so many lots can be approved in its round: they are free, and the round wasn't given back or
 * written off.
 */
export const hasRoomFor = (round: Counts & Pick<Round, "outcome">, lots: number): boolean =>
  round.outcome !== "not_funded" && round.outcome !== "written_off" && lots <= freeLots(round);

/** Writes what a person decided of an ended round. */
export async function decideRound(
  tx: Tx,
  key: RoundKey,
  { outcome, decidedBy, at }: { outcome: NonNullable<Round["outcome"]>; decidedBy: string; at: Date },
): Promise<void> {
  await tx.update(projectRounds).set({ outcome, decidedBy, decidedAt: at }).where(isRound(key));
}

/** Counts held lots in, or out again with a negative number. Returns the round as it is then. */
export async function countHeldLots(tx: Tx, round: Round, change: number): Promise<Round> {
  await tx
    .update(projectRounds)
    .set({ heldLots: sql`${projectRounds.heldLots} + ${change}` })
    .where(isRound(round));
  return { ...round, heldLots: round.heldLots + change };
}

/** Counts the held lots of all of a project's rounds out: their holds end together with it. */
export async function clearHeldLots(tx: Tx, projectId: number): Promise<void> {
  await tx
    .update(projectRounds)
    .set({ heldLots: 0 })
    .where(and(eq(projectRounds.projectId, projectId), gt(projectRounds.heldLots, 0)));
}

/**
 * Counts approved lots in, or out again with a negative number. The last lot funds the round by itself. Taking one back
 * undoes that in the project's current round: an earlier one stays funded, because nobody could decide it any more. What
 * a person decided stays. Returns whether the round is sold out now.
 */
export async function countApprovedLots(tx: Tx, round: Round, change: number, at: Date): Promise<boolean> {
  const isSoldOut = round.approvedLots + change === round.lots;
  const approvedLots = sql`${projectRounds.approvedLots} + ${change}`;
  const decision = round.decidedBy === null ? await decisionByCount(tx, round, isSoldOut, at) : {};
  await tx
    .update(projectRounds)
    .set({ approvedLots, ...decision })
    .where(isRound(round));
  return isSoldOut;
}

async function decisionByCount(tx: Tx, round: Round, isSoldOut: boolean, at: Date) {
  if (isSoldOut) return { outcome: "funded" as const, decidedAt: at };
  const isCurrent = await tx.$count(projects, and(eq(projects.id, round.projectId), eq(projects.round, round.round)));
  return isCurrent ? { outcome: null, decidedAt: null } : {};
}
