import { and, asc, desc, eq, inArray, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { readRoundMoney } from "#server/books/rounds.ts";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { projects } from "#server/db/schema/projects.ts";
import { releaseAsks, releaseProofs, releaseSkips } from "#server/db/schema/release-parts.ts";
import { farmReports } from "#server/db/schema/reports.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { photoFindings } from "#server/db/schema/update-photos.ts";
import { users } from "#server/db/schema/users.ts";
import { reportingRound } from "#server/features/projects/reporting/queries.ts";
import { findTerms } from "#server/features/projects/rounds/queries.ts";
import { findRound, type RoundKey } from "#server/features/projects/rounds/service.ts";
import { readPhotoFindings } from "#server/files/photo-findings.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { requireFarmRight } from "#server/platform/farm-rights.ts";
import type { FarmContext } from "#server/platform/procedures.ts";
import { dayMs } from "#shared/lagos-time.ts";
import type { Kobo } from "#shared/money.ts";
import { type ReleasePartState, releasePartTexts as texts } from "#shared/payouts/release-parts-texts.ts";
import { divideIntoParts, partsOf, placesOfMoney, releasableOfParts } from "#shared/projects/release-parts.ts";
import { projectTexts } from "#shared/projects/texts.ts";
import { missedSince } from "#shared/reports/schedule.ts";

/** The parts in which a round's money goes to its farm, and where that money is. */

type Ask = typeof releaseAsks.$inferSelect;

/** What was released as one part, less what lines show the farm paid back. */
type Released = {
  part: number;
  releasedKobo: string;
  /** What was sent of it. */
  atFarmKobo: string;
  isPaid: boolean;
  releasedAt: string;
  paidAt: string | null;
  publicReason: string | null;
};

/** A part as it stands. Amounts follow from what the round has raised now. */
export type ReleasePartRow = {
  part: number;
  label: string;
  rate: number;
  proof: string;
  amountKobo: Kobo;
  releasedKobo: Kobo;
  atFarmKobo: Kobo;
  /** What may still be released of it, if that is there. */
  releasableKobo: Kobo;
  state: ReleasePartState;
  /** Null while the round isn't funded. */
  askableFrom: Date | null;
  ask: Ask | null;
  releasedAt: Date | null;
  paidAt: Date | null;
  publicReason: string | null;
  skippedReason: string | null;
};

export type RoundParts = {
  outcome: (typeof projectRounds.$inferSelect)["outcome"];
  farmId: number | null;
  raisedKobo: Kobo;
  returnedKobo: Kobo;
  /** Whether the terms name parts, which are asked for and checked. */
  hasSteps: boolean;
  parts: ReleasePartRow[];
};

/** Reads the parts of a round. For a decision the caller has locked the project. Throws if there is no such round. */
export async function readParts(db: DbOrTx, key: RoundKey): Promise<RoundParts> {
  const round = await findRound(db, key);
  const { releaseParts: agreed } = await findTerms(db, key, round.termsVersion);
  const { owedKobo, releasedKobo, returnedKobo } = await readRoundMoney(db, key);
  const raisedKobo = owedKobo + releasedKobo + returnedKobo;
  const released = new Map((await listReleased(db, key)).map((one) => [one.part, one]));
  const asks = await listLatestAsks(db, key);
  const skips = await db
    .select({ part: releaseSkips.part, reason: releaseSkips.reason })
    .from(releaseSkips)
    .where(and(isOfRound(releaseSkips, key), isNull(releaseSkips.takenBackAt)));
  const parts = partsOf(agreed);
  const amounts = divideIntoParts(raisedKobo, parts);
  const sums = parts.map((_, at) => BigInt(released.get(at + 1)?.releasedKobo ?? 0));
  const releasable = releasableOfParts(amounts, sums);
  return {
    outcome: round.outcome,
    farmId: round.farmId,
    raisedKobo,
    returnedKobo,
    hasSteps: agreed.length > 0,
    parts: parts.map(({ label, rate, proof, afterDays }, at) => {
      const part = at + 1;
      const gone = released.get(part);
      const ask = asks.get(part) ?? null;
      const skippedReason = skips.find((skip) => skip.part === part)?.reason ?? null;
      const sumKobo = sums[at] ?? 0n;
      return {
        part,
        label,
        rate,
        proof,
        amountKobo: amounts[at] ?? 0n,
        releasedKobo: sumKobo,
        atFarmKobo: BigInt(gone?.atFarmKobo ?? 0),
        releasableKobo: releasable[at] ?? 0n,
        state: stateOf({
          ask,
          isSkipped: skippedReason !== null,
          isReleased: sumKobo > 0n,
          isPaid: gone?.isPaid ?? false,
        }),
        askableFrom: round.decidedAt && new Date(round.decidedAt.getTime() + afterDays * dayMs),
        ask,
        releasedAt: gone ? new Date(gone.releasedAt) : null,
        paidAt: gone?.isPaid && gone.paidAt ? new Date(gone.paidAt) : null,
        publicReason: gone?.publicReason ?? null,
        skippedReason,
      };
    }),
  };
}

export type PartKey = RoundKey & { part: number };

/** One part of a round. Throws "not_found" if its terms don't have it. */
export async function findPart(db: DbOrTx, { part, ...key }: PartKey): Promise<ReleasePartRow> {
  const { parts } = await readParts(db, key);
  const found = parts.find((one) => one.part === part);
  if (!found) throw new AppError("not_found", texts.gone);
  return found;
}

function stateOf(part: {
  ask: Ask | null;
  isSkipped: boolean;
  isReleased: boolean;
  isPaid: boolean;
}): ReleasePartState {
  if (part.isReleased) return part.isPaid ? "paid" : "released";
  if (part.isSkipped) return "skipped";
  if (part.ask === null) return "planned";
  return part.ask.verdict ?? "asked";
}

type OfRound = Pick<typeof releaseAsks | typeof releaseSkips, "projectId" | "round">;
const isOfRound = (table: OfRound, { projectId, round }: RoundKey): SQL | undefined =>
  and(eq(table.projectId, projectId), eq(table.round, round));

const listReleased = (db: DbOrTx, { projectId, round }: RoundKey) =>
  rows<Released>(
    db,
    sql`select f.part, (sum(f.amount_kobo) - sum(back.kobo))::text as "releasedKobo",
        (sum(sent.kobo) - sum(back.kobo))::text as "atFarmKobo", bool_and(sent.is_paid) as "isPaid",
        min(f.created_at)::text as "releasedAt", max(sent.paid_at)::text as "paidAt",
        string_agg(f.public_reason, ' ' order by f.id) as "publicReason"
      from farm_releases f
        cross join lateral (
          select coalesce(sum(m.amount_kobo), 0) as kobo from line_matches m
          where m.release_id = f.id and m.undone_at is null
        ) back
        cross join lateral (
          select coalesce(sum(p.amount_kobo) filter (where p.state in ('sent', 'paid')), 0) as kobo,
            coalesce(bool_and(p.state = 'paid') filter (where p.state not in ('failed', 'cancelled')), false) as is_paid,
            max(p.paid_at) as paid_at
          from payouts p where p.release_id = f.id
        ) sent
      where f.project_id = ${projectId} and f.round = ${round} and f.taken_back_at is null
      group by f.part`,
  );

/** By part, what was asked for last. */
async function listLatestAsks(db: DbOrTx, key: RoundKey): Promise<Map<number, Ask>> {
  const found = await db
    .selectDistinctOn([releaseAsks.part])
    .from(releaseAsks)
    .where(isOfRound(releaseAsks, key))
    .orderBy(asc(releaseAsks.part), sql`${releaseAsks.id} desc`);
  return new Map(found.map((ask) => [ask.part, ask]));
}

/** Whether the farm missed the last two reports that were due, but for excused ones. */
export async function hasMissedTwo(db: DbOrTx, { projectId, round }: RoundKey, now: Date): Promise<boolean> {
  const isDue = sql`greatest(${farmReports.dueAt}, ${farmReports.sentBackAt}) <= ${missedSince(now).toISOString()}::timestamptz`;
  const last = await db
    .select({ sentAt: farmReports.sentAt })
    .from(farmReports)
    .where(
      and(
        eq(farmReports.projectId, projectId),
        eq(farmReports.round, round),
        // One that was sent counts from its sending on, however early.
        or(isDue, sql`${farmReports.sentAt} is not null`),
        or(isNull(farmReports.excusedAt), sql`${farmReports.sentAt} is not null`),
      ),
    )
    .orderBy(sql`${farmReports.number} desc`)
    .limit(2);
  return last.length === 2 && last.every(({ sentAt }) => sentAt === null);
}

/** Condition on findings of the photos of an ask that nobody has dismissed. */
export const isOpenFindingOf = (askId: number): SQL | undefined =>
  and(
    inArray(photoFindings.fileId, sql`(select p.file_id from release_proofs p where p.ask_id = ${askId})`),
    or(isNull(photoFindings.verdict), ne(photoFindings.verdict, "dismissed")),
  );

/** Where the money of a round is. Amounts of parts that nobody has checked wait for the farm. */
export function placesOf({ raisedKobo, returnedKobo, hasSteps, parts }: RoundParts) {
  const sumOf = (amounts: Kobo[]): Kobo => amounts.reduce((sum, kobo) => sum + kobo, 0n);
  const unproven = parts.filter(({ state }) => state === "planned" || state === "asked" || state === "refused");
  return placesOfMoney({
    raisedKobo,
    returnedKobo,
    atFarmKobo: sumOf(parts.map(({ atFarmKobo }) => atFarmKobo)),
    unprovenKobo: hasSteps ? sumOf(unproven.map(({ amountKobo }) => amountKobo)) : 0n,
  });
}

/** The proofs of asks, in their order. A document has no address of its own: its id is read at /files/release-proofs/{id}. */
export async function listProofs(db: DbOrTx, askIds: number[]) {
  if (askIds.length === 0) return [];
  const { id, askId, url, width, height, fileId, position } = releaseProofs;
  return db
    .select({ id, askId, url, width, height, fileId })
    .from(releaseProofs)
    .where(inArray(askId, askIds))
    .orderBy(asc(askId), asc(position));
}

/** A part as everybody reads it: without people's names and what was said between the farm and us. */
const publicPart = (one: ReleasePartRow, proofs: Awaited<ReturnType<typeof listProofs>>) => ({
  part: one.part,
  label: one.label,
  rate: one.rate,
  proof: one.proof,
  amountKobo: one.amountKobo,
  releasedKobo: one.releasedKobo,
  state: one.state,
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

/** Where the money of a project's last funded round is, part by part; null before one was funded. */
export async function findWhereMoneyIs(
  { db, clock }: Pick<Context, "db" | "clock">,
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
    /** The farm missed two reports in a row: what is left is released only by two people, with a public reason. */
    isStopped: await hasMissedTwo(db, key, clock.now()),
    parts: parts.map((part) => publicPart(part, proofs)),
  };
}

/** A round's asks as administrators and the farm read them, with who asked and decided, the newest first. */
export async function listAsks(db: DbOrTx, key: RoundKey) {
  const found = await db
    .select({ ask: releaseAsks, askedByName: users.fullName })
    .from(releaseAsks)
    .leftJoin(users, eq(users.id, releaseAsks.askedBy))
    .where(isOfRound(releaseAsks, key))
    .orderBy(sql`${releaseAsks.id} desc`);
  const proofs = await listProofs(
    db,
    found.map(({ ask }) => ask.id),
  );
  return found.map(({ ask, askedByName }) => ({
    id: ask.id,
    part: ask.part,
    note: ask.note,
    askedAt: ask.createdAt,
    askedBy: ask.askedBy,
    askedByName,
    verdict: ask.verdict,
    decidedBy: ask.decidedBy,
    decidedAt: ask.decidedAt,
    refusal: ask.refusal,
    proofs: proofs.filter(({ askId }) => askId === ask.id),
  }));
}

/** How a round's money stands, for administrators and the farm. */
async function describeRound(db: DbOrTx, key: RoundKey, now: Date) {
  const { parts, ...about } = await readParts(db, key);
  return {
    round: key.round,
    hasSteps: about.hasSteps,
    raisedKobo: about.raisedKobo,
    places: placesOf({ parts, ...about }),
    isStopped: await hasMissedTwo(db, key, now),
    parts: parts.map((part) => describePart(part, parts, now)),
  };
}

function describePart({ ask, ...part }: ReleasePartRow, parts: ReleasePartRow[], now: Date) {
  const isBehind = ({ state }: ReleasePartRow) => state === "released" || state === "paid" || state === "skipped";
  const isNext = parts.every((one) => one.part >= part.part || isBehind(one));
  const isOpen = part.state === "planned" || part.state === "refused";
  return {
    ...part,
    askId: ask?.id ?? null,
    /** All before it is released or left out. */
    isNext,
    canBeAskedFor: isOpen && isNext && part.askableFrom !== null && part.askableFrom <= now,
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
export async function listManagedParts({ db, clock }: ActorContext, { projectId }: { projectId: number }) {
  const rounds = [];
  for (const round of await listRounds(db, projectId)) {
    const key = { projectId, round };
    const asks = await listAsks(db, key);
    const findings = await readPhotoFindings(
      db,
      asks.flatMap(({ proofs }) => proofs.map(({ fileId }) => fileId)),
    );
    rounds.push({
      ...(await describeRound(db, key, clock.now())),
      asks: asks.map(({ proofs, ...ask }) => ({
        ...ask,
        proofs: proofs.map(({ fileId, ...proof }) => ({ ...proof, findings: findings.get(fileId) ?? [] })),
      })),
    });
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
        proofs: proofs.map(({ fileId: _, ...proof }) => proof),
      })),
    });
  }
  return { title: project.title, rounds };
}
