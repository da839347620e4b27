import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { projects } from "#server/db/schema/projects.ts";
import { releaseAsks, releaseProofs } from "#server/db/schema/release-parts.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { photoPrints } from "#server/db/schema/update-photos.ts";
import { users } from "#server/db/schema/users.ts";
import { backersOfRound } from "#server/features/projects/queries.ts";
import { reportingRound } from "#server/features/projects/reporting/queries.ts";
import type { RoundKey } from "#server/features/projects/rounds/service.ts";
import { readPhotoFindings } from "#server/files/photo-findings.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { requireFarmRight } from "#server/platform/farm-rights.ts";
import type { FarmContext } from "#server/platform/procedures.ts";
import { projectTexts } from "#shared/projects/texts.ts";
import { findCheckRefusal, isCheckable, isStopped, placesOf, type ReleasePartRow, readParts } from "./queries.ts";

/** The parts of a round's money as visitors, the farm and administrators read them. */

/** The proofs of asks, in their order. A document has no address of its own: its id is read at /files/release-proofs/{id}. */
async function listProofs(db: DbOrTx, askIds: number[]) {
  if (askIds.length === 0) return [];
  const { id, askId, url, width, height, fileId, position, createdAt } = releaseProofs;
  return db
    .select({ id, askId, url, width, height, fileId, at: createdAt, takenAt: photoPrints.takenAt })
    .from(releaseProofs)
    .leftJoin(photoPrints, eq(photoPrints.fileId, fileId))
    .where(inArray(askId, askIds))
    .orderBy(asc(askId), asc(position));
}

/**
 * A part as everybody reads it: without people's names and what was said between the farm and us, which is settled
 * between us.
 */
const publicPart = (one: ReleasePartRow, proofs: Awaited<ReturnType<typeof listProofs>>) => ({
  part: one.part,
  label: one.label,
  rate: one.rate,
  proof: one.proof,
  amountKobo: one.amountKobo,
  releasedKobo: one.releasedKobo,
  state: one.state === "refused" ? ("planned" as const) : one.state,
  askableFrom: one.askableFrom,
  askedAt: one.ask?.verdict === "refused" ? null : (one.ask?.createdAt ?? null),
  checkedAt: one.ask?.verdict === "checked" ? one.ask.decidedAt : null,
  releasedAt: one.releasedAt,
  paidAt: one.paidAt,
  publicReason: one.publicReason,
  skippedReason: one.skippedReason,
  // What nobody has checked yet may be another farm's photo.
  proofs:
    one.ask?.verdict === "checked"
      ? proofs
          .filter(({ askId }) => askId === one.ask?.id)
          .map(({ id, url, width, height }) => ({ id, url, width, height }))
      : [],
});

/** Shows where the money of a project's last funded round is, part by part; null before one was funded. */
export async function findWhereMoneyIs(
  { db, clock, actor }: Pick<Context, "db" | "clock" | "actor">,
  { projectId }: { projectId: number },
) {
  const [found] = await rows<{ round: number | null }>(db, sql`select ${reportingRound(sql`${projectId}`)} as round`);
  const round = found?.round ?? null;
  if (round === null) return null;
  const key = { projectId, round };
  const { parts, ...about } = await readParts(db, key);
  const proofs = await listProofs(
    db,
    parts.flatMap(({ ask }) => (ask?.verdict === "checked" ? ask.id : [])),
  );
  return {
    round,
    raisedKobo: about.raisedKobo,
    places: placesOf({ parts, ...about }),
    isStopped: await isStopped(db, key, { raisedKobo: about.raisedKobo, parts, now: clock.now() }),
    /** Papers are for the round's backers. */
    mayOpenPapers: actor !== null && (await isBackerOfRound(db, key, actor.id)),
    parts: parts.map((part) => publicPart(part, proofs)),
  };
}

async function isBackerOfRound(db: DbOrTx, key: RoundKey, userId: string): Promise<boolean> {
  const [found] = await rows<{ isOne: boolean }>(db, sql`select ${userId} in ${backersOfRound(key)} as "isOne"`);
  return found?.isOne ?? false;
}

const asker = alias(users, "asker");
const decider = alias(users, "decider");

/** A round's asks as administrators and the farm read them, with who asked and decided, the newest first. */
async function listAsks(db: DbOrTx, key: RoundKey) {
  const found = await db
    .select({ ask: releaseAsks, askedByName: asker.fullName, decidedByName: decider.fullName })
    .from(releaseAsks)
    .leftJoin(asker, eq(asker.id, releaseAsks.askedBy))
    .leftJoin(decider, eq(decider.id, releaseAsks.decidedBy))
    .where(and(eq(releaseAsks.projectId, key.projectId), eq(releaseAsks.round, key.round)))
    .orderBy(sql`${releaseAsks.id} desc`);
  const proofs = await listProofs(
    db,
    found.map(({ ask }) => ask.id),
  );
  return found.map(({ ask, askedByName, decidedByName }) => ({
    id: ask.id,
    part: ask.part,
    note: ask.note,
    askedAt: ask.createdAt,
    askedBy: ask.askedBy,
    askedByName,
    verdict: ask.verdict,
    decidedBy: ask.decidedBy,
    decidedByName,
    decidedAt: ask.decidedAt,
    refusal: ask.refusal,
    proofs: proofs.filter(({ askId }) => askId === ask.id),
  }));
}

/** Describes the state of a round's money, for administrators and the farm. */
async function describeRound(db: DbOrTx, key: RoundKey, now: Date) {
  const { parts, ...about } = await readParts(db, key);
  return {
    round: key.round,
    hasSteps: about.hasSteps,
    raisedKobo: about.raisedKobo,
    places: placesOf({ parts, ...about }),
    isStopped: await isStopped(db, key, { raisedKobo: about.raisedKobo, parts, now }),
    parts: parts.map((part) => describePart(part, parts, now)),
  };
}

function describePart(
  { ask, dueKobo: _due, isBehind: _behind, ...part }: ReleasePartRow,
  parts: ReleasePartRow[],
  now: Date,
) {
  const isNext = parts.every((one) => one.part >= part.part || one.isBehind);
  const isOpen = part.state === "planned" || part.state === "refused";
  return {
    ...part,
    askId: ask?.id ?? null,
    /** All before it is released or left out. */
    isNext,
    canBeAskedFor: isOpen && isNext && part.releasableKobo > 0n && part.askableFrom !== null && part.askableFrom <= now,
  };
}

const listRounds = async (db: DbOrTx, projectId: number, farmIds?: number[]): Promise<number[]> => {
  const { round, outcome, farmId } = projectRounds;
  const ofProject = and(eq(projectRounds.projectId, projectId), eq(outcome, "funded"));
  const found = await db
    .select({ round })
    .from(projectRounds)
    .where(and(ofProject, farmIds ? inArray(farmId, farmIds) : undefined))
    .orderBy(desc(round));
  return found.map((one) => one.round);
};

/** The funded rounds of a project with their parts, and what was asked for, the last first. */
export async function listManagedParts({ db, clock, actor }: ActorContext, { projectId }: { projectId: number }) {
  const rounds = [];
  for (const round of await listRounds(db, projectId)) {
    const key = { projectId, round };
    const asks = await listAsks(db, key);
    const findings = await readPhotoFindings(
      db,
      asks.flatMap(({ proofs }) => proofs.map(({ fileId }) => fileId)),
    );
    const { farmId } = await readParts(db, key);
    const described = [];
    for (const { proofs, ...ask } of asks) {
      const isOpen = ask.verdict === null;
      described.push({
        ...ask,
        /** True if anybody else may check it. */
        isCheckable: isOpen && (await isCheckable(db, { ...ask, farmId })),
        /** The reason why the caller may not check it. */
        checkRefusal: isOpen ? await findCheckRefusal(db, { ...ask, farmId }, actor.id) : null,
        proofs: proofs.map(({ fileId, ...proof }) => ({ ...proof, findings: findings.get(fileId) ?? [] })),
      });
    }
    rounds.push({ ...(await describeRound(db, key, clock.now())), asks: described });
  }
  return rounds;
}

/** The same for the keepers of the farm that ran them: what was noticed about photos isn't in it. Throws "forbidden". */
export async function listKeptParts(ctx: FarmContext, { projectId }: { projectId: number }) {
  const { db, clock, farms } = ctx;
  const own = await listRounds(
    db,
    projectId,
    farms.map(({ farmId }) => farmId),
  );
  if (own.length === 0) await requireFarmRight(ctx, projectId, "keep");
  const [project] = await db.select({ title: projects.title }).from(projects).where(eq(projects.id, projectId));
  if (!project) throw new AppError("not_found", projectTexts.notFound);
  const rounds = [];
  for (const round of own) {
    const key = { projectId, round };
    const asks = await listAsks(db, key);
    rounds.push({
      ...(await describeRound(db, key, clock.now())),
      asks: asks.map(({ id, part, note, askedAt, askedByName, verdict, decidedAt, refusal, proofs }) => ({
        id,
        part,
        note,
        askedAt,
        askedByName,
        verdict,
        decidedAt,
        refusal,
        proofs: proofs.map(({ id, url, width, height }) => ({ id, url, width, height })),
      })),
    });
  }
  return { title: project.title, rounds };
}
