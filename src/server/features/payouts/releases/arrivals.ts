import { and, asc, desc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { readRoundMoney } from "#server/books/rounds.ts";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { farmReleases } from "#server/db/schema/payouts.ts";
import { AppError } from "#server/platform/errors.ts";
import { contains } from "#server/platform/search.ts";
import type { Kobo } from "#shared/money.ts";
import { farmReleaseTexts as texts } from "#shared/payouts/releases-texts.ts";

/** Lines that show that a farm paid money of a release back: whether it may have, and whether that may be undone. */

export type Release = typeof farmReleases.$inferSelect;

/** Locks releases by their ids. The caller has locked their projects. */
export async function lockReleases(tx: Tx, ids: number[]): Promise<ReadonlyMap<number, Release>> {
  if (ids.length === 0) return new Map();
  const isOne = inArray(farmReleases.id, ids);
  const locked = await tx.select().from(farmReleases).where(isOne).orderBy(asc(farmReleases.id)).for("update");
  return new Map(locked.map((release) => [release.id, release]));
}

/** The sum that standing lines show the farm paid back of a release. */
export const paidBackOf: SQL = sql`coalesce((select sum(m.amount_kobo) from line_matches m
  where m.release_id = ${farmReleases.id} and m.undone_at is null), 0)`;

/**
 * The sum of a release that was sent, didn't fail and wasn't paid back. Nest it in another `sql`, which names the
 * columns' table.
 */
const atFarmOf: SQL = sql`(coalesce((select sum(p.amount_kobo) from payouts p
  where p.release_id = ${farmReleases.id} and p.state in ('sent', 'paid')), 0) - ${paidBackOf})::bigint`;

const readOf = (db: DbOrTx, id: number, sum: SQL) =>
  db
    .select({ kobo: sql`${sum}::bigint`.mapWith(farmReleases.amountKobo) })
    .from(farmReleases)
    .where(eq(farmReleases.id, id));

/** Reads the sum that standing lines show the farm paid back of a release, in kobo. */
export async function readPaidBack(db: DbOrTx, releaseId: number): Promise<Kobo> {
  return (await readOf(db, releaseId, paidBackOf))[0]?.kobo ?? 0n;
}

/** The release, if so much of it is at the farm. Throws "conflict" otherwise. */
export async function requireAtFarm(
  tx: Tx,
  locked: ReadonlyMap<number, Release>,
  { releaseId, amountKobo }: { releaseId: number; amountKobo: Kobo },
): Promise<Release> {
  const release = locked.get(releaseId);
  if (!release || release.takenBackAt !== null) throw new AppError("conflict", texts.gone);
  const atFarmKobo = (await readOf(tx, releaseId, atFarmOf))[0]?.kobo ?? 0n;
  if (amountKobo > atFarmKobo) throw new AppError("conflict", texts.moreThanAtFarm(atFarmKobo));
  return release;
}

/**
 * The release that a match brought money back of. Throws "conflict" if without that money less would be there for the
 * round than was released and returned since.
 */
export async function requireStillThere(
  tx: Tx,
  locked: ReadonlyMap<number, Release>,
  { releaseId, amountKobo }: { releaseId: number; amountKobo: Kobo },
): Promise<Release> {
  const release = locked.get(releaseId);
  if (!release) throw new Error(`release ${releaseId} is not locked`);
  const { releasableKobo } = await readRoundMoney(tx, release);
  if (releasableKobo < amountKobo) throw new AppError("conflict", texts.paidBackGone);
  return release;
}

/** Releases that a farm may have paid back, the newest first. `search` is a part of the project's title. */
export const listPayableBack = (db: DbOrTx, { search, limit }: { search: string | undefined; limit: number }) =>
  db
    .select({
      id: farmReleases.id,
      projectTitle: farmReleases.projectTitle,
      round: farmReleases.round,
      amountKobo: farmReleases.amountKobo,
      createdAt: farmReleases.createdAt,
      atFarmKobo: sql`${atFarmOf}`.mapWith(farmReleases.amountKobo),
    })
    .from(farmReleases)
    .where(
      and(
        isNull(farmReleases.takenBackAt),
        sql`${atFarmOf} > 0`,
        search ? contains(farmReleases.projectTitle, search) : undefined,
      ),
    )
    .orderBy(desc(farmReleases.id))
    .limit(limit);
