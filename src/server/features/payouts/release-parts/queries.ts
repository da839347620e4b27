import { and, asc, eq, inArray, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { listActiveOwners } from "#server/accounts/users.ts";
import { readRoundMoney } from "#server/books/rounds.ts";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { farmPeople } from "#server/db/schema/farms.ts";
import { releaseAsks, releaseSkips } from "#server/db/schema/release-parts.ts";
import type { projectRounds } from "#server/db/schema/rounds.ts";
import { photoFindings } from "#server/db/schema/update-photos.ts";
import { users } from "#server/db/schema/users.ts";
import { listFarmPeople } from "#server/features/farms/queries.ts";
import { administratorsWith } from "#server/features/notifications/queries.ts";
import { findTerms } from "#server/features/projects/rounds/queries.ts";
import { findRound, type RoundKey } from "#server/features/projects/rounds/service.ts";
import { AppError } from "#server/platform/errors.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { type Kobo, sumOf } from "#shared/money.ts";
import { type ReleasePartState, releasePartTexts as texts } from "#shared/payouts/release-parts-texts.ts";
import {
  divideIntoParts,
  duesOfParts,
  partsOf,
  placesOfMoney,
  releasableOfParts,
} from "#shared/projects/release-parts.ts";
import { reportTiming } from "#shared/reports/schedule.ts";

/** The parts in which a round's money goes to its farm, and where that money is. */

type Ask = typeof releaseAsks.$inferSelect;

/** The money released as one part, less what lines show the farm paid back. */
type Released = {
  part: number;
  releasedKobo: string;
  /** The part of it that was sent. */
  atFarmKobo: string;
  paidBackKobo: string;
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
  /** The farm's due of it, after what went back to backers. */
  dueKobo: Kobo;
  /** The amount that may still be released of it, if the money is there. */
  releasableKobo: Kobo;
  /**
   * True if the next one may be asked for and released: it is left out, or only what the farm paid back is left of it.
   */
  isBehind: boolean;
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
  /** True if the terms name parts, which are asked for and checked. */
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
  const dues = duesOfParts(
    amounts.map((amountKobo, at) => ({
      amountKobo,
      goneKobo: sums[at] ?? 0n,
      isBegun: released.has(at + 1),
      isSkipped: skips.some((skip) => skip.part === at + 1),
    })),
    returnedKobo,
  );
  const releasable = releasableOfParts(dues, sums);
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
        dueKobo: dues[at] ?? 0n,
        releasableKobo: releasable[at] ?? 0n,
        isBehind: skippedReason !== null || (releasable[at] ?? 0n) <= BigInt(gone?.paidBackKobo ?? 0),
        state: stateOf({
          ask,
          isSkipped: skippedReason !== null,
          isReleased: sumKobo > 0n,
          isPaid: gone?.isPaid ?? false,
        }),
        askableFrom: round.decidedAt && new Date(round.decidedAt.getTime() + afterDays * dayMs),
        ask,
        releasedAt: gone && sumKobo > 0n ? new Date(gone.releasedAt) : null,
        paidAt: gone?.isPaid && gone.paidAt && sumKobo > 0n ? new Date(gone.paidAt) : null,
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
        (sum(sent.kobo) - sum(back.kobo))::text as "atFarmKobo", sum(back.kobo)::text as "paidBackKobo", bool_and(sent.is_paid) as "isPaid",
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

/**
 * Returns true if the farm missed the last two reports that were due. A report excused before it was missed doesn't
 * count; a later excuse gives the reason, but releases nothing. One that was sent late and sent back is still missed.
 */
export async function hasMissedTwo(db: DbOrTx, { projectId, round }: RoundKey, now: Date): Promise<boolean> {
  const after = sql`make_interval(days => ${reportTiming.missedDays})`;
  const missedAt = sql`(case when f.first_sent_at <= f.due_at + ${after} then greatest(f.due_at, f.sent_back_at) else f.due_at end + ${after})`;
  const last = await rows<{ isMissed: boolean }>(
    db,
    sql`select f.sent_at is null as "isMissed" from farm_reports f
      where f.project_id = ${projectId} and f.round = ${round}
        and (f.sent_at is not null or (${missedAt} <= ${now.toISOString()}::timestamptz
          and (f.excused_at is null or f.excused_at >= ${missedAt})))
      order by f.number desc limit 2`,
  );
  return last.length === 2 && last.every(({ isMissed }) => isMissed);
}

/** Returns true if the farm's silence stops further releases: two people may go on, with a public reason. */
export async function isStopped(
  db: DbOrTx,
  key: RoundKey,
  { raisedKobo, parts, now }: Pick<RoundParts, "raisedKobo" | "parts"> & { now: Date },
): Promise<boolean> {
  const isLeft = raisedKobo > 0n && parts.some(({ releasableKobo }) => releasableKobo > 0n);
  return isLeft && (await hasMissedTwo(db, key, now));
}

type AskOfFarm = Pick<Ask, "askedBy"> & { farmId: number | null };

/**
 * Reads who may check an ask: administrators who didn't ask, didn't invite the asker to the farm and don't work for it,
 * with an owner left to release the part. If there are none, the last condition is given up first.
 */
async function readCheckers(db: DbOrTx, { askedBy, farmId }: AskOfFarm) {
  const ofFarm = await listFarmPeople(db, farmId);
  const inviters = await listInviters(db, { askedBy, farmId });
  const others = (await administratorsWith(db, "harvests:manage")).filter((id) => id !== askedBy);
  const apart = others.filter((id) => !ofFarm.includes(id) && !inviters.includes(id));
  const releasers = await listReleasers(db, farmId, [askedBy]);
  const leavingOne = apart.filter((id) => releasers.some((releaser) => releaser !== id));
  return { ofFarm, inviters, checkers: [leavingOne, apart, others].find((ids) => ids.length > 0) ?? [] };
}

async function listInviters(db: DbOrTx, { askedBy, farmId }: AskOfFarm): Promise<string[]> {
  if (farmId === null) return [];
  const isTheirs = and(eq(farmPeople.farmId, farmId), eq(farmPeople.userId, askedBy));
  const found = await db.select({ id: farmPeople.invitedBy }).from(farmPeople).where(isTheirs);
  return found.flatMap(({ id }) => id ?? []);
}

/** Owners who don't work for the farm and aren't among these people. */
async function listReleasers(db: DbOrTx, farmId: number | null, but: readonly (string | null)[]): Promise<string[]> {
  const ofFarm = await listFarmPeople(db, farmId);
  const owners = (await listActiveOwners(db)).map(({ id }) => id);
  return owners.filter((id) => !ofFarm.includes(id) && !but.includes(id));
}

/** Returns true if anybody but the asker may check it. */
export const isCheckable = async (db: DbOrTx, ask: AskOfFarm): Promise<boolean> =>
  (await readCheckers(db, ask)).checkers.length > 0;

/** Returns the reason why a person may not check what was asked for, or null. */
export async function findCheckRefusal(db: DbOrTx, ask: AskOfFarm, userId: string): Promise<string | null> {
  if (ask.askedBy === userId) return texts.ownAsk;
  const { ofFarm, inviters, checkers } = await readCheckers(db, ask);
  if (checkers.includes(userId)) return null;
  if (ofFarm.includes(userId)) return texts.ofFarm;
  return inviters.includes(userId) ? texts.invitedAsker : texts.releasesIt;
}

type Releasing = { farmId: number | null; ask: Ask | null; releasers: readonly string[] };

/**
 * Returns the reason why these people may not release a part (each of them asked for it or checked it, and somebody
 * else could have), or null.
 */
export async function findReleaseRefusal(db: DbOrTx, { farmId, ask, releasers }: Releasing): Promise<string | null> {
  if (ask === null) return null;
  const done = [ask.askedBy, ask.decidedBy];
  if (releasers.some((id) => !done.includes(id))) return null;
  if ((await listReleasers(db, farmId, done)).length > 0) return texts.thirdConfirms;
  const ofFarm = await listFarmPeople(db, farmId);
  const others = (await administratorsWith(db, "harvests:manage")).filter((id) => !ofFarm.includes(id));
  return others.some((id) => !done.includes(id)) ? texts.thirdChecks : null;
}

/** Condition on findings of the photos of an ask that nobody has dismissed. */
export const isOpenFindingOf = (askId: number): SQL | undefined =>
  and(
    inArray(photoFindings.fileId, sql`(select p.file_id from release_proofs p where p.ask_id = ${askId})`),
    or(isNull(photoFindings.verdict), ne(photoFindings.verdict, "dismissed")),
  );

/** Where the money of a round is. Amounts of parts that nobody has checked wait for the farm. */
export function placesOf({ raisedKobo, returnedKobo, hasSteps, parts }: RoundParts) {
  const unproven = parts.filter(({ state }) => state === "planned" || state === "asked" || state === "refused");
  return placesOfMoney({
    raisedKobo,
    returnedKobo,
    atFarmKobo: sumOf(parts.map(({ atFarmKobo }) => atFarmKobo)),
    unprovenKobo: hasSteps ? sumOf(unproven.map(({ dueKobo }) => dueKobo)) : 0n,
  });
}

/**
 * Lists the facts that whoever confirms the release of a part needs: its purpose, and who asked for it and checked it.
 */
export async function listPartFacts(db: DbOrTx, key: PartKey): Promise<string[]> {
  const { parts, hasSteps } = await readParts(db, key);
  const part = parts.find((one) => one.part === key.part);
  if (!hasSteps || !part) return [];
  const { ask, label } = part;
  const ids = [ask?.askedBy, ask?.decidedBy].flatMap((id) => id ?? []);
  const named = ids.length === 0 ? [] : await db.select().from(users).where(inArray(users.id, ids));
  const nameOf = (id: string | null | undefined) => named.find((person) => person.id === id)?.fullName ?? "nobody";
  return [
    texts.facts(key.part, label, nameOf(ask?.askedBy), ask?.verdict === "checked" ? nameOf(ask.decidedBy) : null),
  ];
}
