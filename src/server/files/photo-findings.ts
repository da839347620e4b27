import { asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type DbOrTx, rows, type Tx } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { photoFindings, photoPrints } from "#server/db/schema/update-photos.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { photoPathOfKey } from "./photo-files.ts";

/**
 * Findings about the photos of a report, or the photos and documents of a proof. They accuse nobody: administrators see
 * them, and a person decides.
 */

const oldDays = 10;
/** For phones' clocks, and cameras in another zone. */
const slackDays = 1;
/** Bits of 128. */
const alikeBits = 8;
/** More of the same photo teach nothing. */
const mostAlike = 3;

type Sent = { fileId: string; cameAt: Date };
/** `ownFileIds` aren't compared with: they are of the same report, or of the same part of a round's money. */
type Own = { ownFileIds: string[] };

/**
 * Writes down what is noticed about files that are being sent: the same bytes as another one that is in use; else a
 * photo that looks the same, or its mirror; a date of the camera that is old or still to come when the photo came.
 */
export async function writePhotoFindings(
  tx: Tx,
  { sent, ownFileIds, now }: Own & { sent: Sent[]; now: Date },
): Promise<void> {
  if (sent.length === 0) return;
  // One report or proof at a time: two that are sent at once would not see each other's photos.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('photo_findings', 0))`);
  const found = await tx
    .select({ fileId: storedFiles.id, sha256: storedFiles.sha256, takenAt: photoPrints.takenAt })
    .from(storedFiles)
    .leftJoin(photoPrints, eq(photoPrints.fileId, storedFiles.id))
    .where(
      inArray(
        storedFiles.id,
        sent.map(({ fileId }) => fileId),
      ),
    );
  const readOf = new Map(found.map((photo) => [photo.fileId, photo]));
  for (const { fileId, cameAt } of sent) {
    const photo = readOf.get(fileId);
    if (!photo) continue;
    const { sha256, takenAt } = photo;
    const same = await findSame(tx, { fileId, sha256, ownFileIds });
    const alike = same.length > 0 ? [] : await findAlike(tx, { fileId, ownFileIds });
    const found: (typeof photoFindings.$inferInsert)[] = [
      ...same.map((other) => ({ ...other, fileId, kind: "same_bytes" as const, createdAt: now })),
      ...alike.map((other) => ({ ...other, fileId, kind: "alike" as const, createdAt: now })),
    ];
    const age = takenAt === null ? 0 : cameAt.getTime() - takenAt.getTime();
    if (age > oldDays * dayMs) found.push({ fileId, kind: "old", createdAt: now });
    if (age < -slackDays * dayMs) found.push({ fileId, kind: "future", createdAt: now });
    if (found.length > 0) await tx.insert(photoFindings).values(found);
  }
}

type Other = { otherFileId: string; distance: number };

/**
 * Condition on a stored file: it is a picture of a project, an update or a report that was sent, a proof, or evidence of a
 * harvest, and isn't one of the sender's own. Photos of drafts don't count.
 */
const isShownElsewhere = (fileId: SQL, ownFileIds: string[]): SQL => sql`(
  ${fileId} not in ${ownFileIds} and (
    exists (select from update_photos u left join farm_reports r on r.id = u.report_id
      where u.file_id = ${fileId}
        and (u.update_id is not null or r.sent_at is not null or u.created_at <= r.sent_back_at))
    or exists (select from release_proofs p where p.file_id = ${fileId})
    or exists (select from harvest_files h where h.file_id = ${fileId})
    or exists (select from project_media m where m.file_id = ${fileId})
    or exists (select from projects j where j.image_file_id = ${fileId})))`;

/** The other files with the same bytes, as they were uploaded. */
const findSame = (tx: Tx, { fileId, sha256, ownFileIds }: Own & { fileId: string; sha256: string }): Promise<Other[]> =>
  rows<Other>(
    tx,
    sql`select f.id as "otherFileId", 0 as distance from stored_files f
      where f.sha256 = ${sha256} and f.id <> ${fileId} and f.kind in ('photo', 'evidence') and ${isShownElsewhere(sql`f.id`, ownFileIds)}
      order by f.created_at, f.id limit ${mostAlike}`,
  );

/** More matches than these occur only for a picture that is used on very many pages. */
const mostNear = 1000;

/**
 * The photos whose whole looks like this one, its inner part or their mirrors, or whose inner part looks like this one: the
 * nearest first. Only near matches are checked for where they are shown.
 */
async function findAlike(tx: Tx, { fileId, ownFileIds }: Own & { fileId: string }): Promise<Other[]> {
  const [ours] = await tx.select().from(photoPrints).where(eq(photoPrints.fileId, fileId));
  if (!ours?.print || !ours.inner || !ours.mirror || !ours.innerMirror) return [];
  const { print, inner, mirror, innerMirror } = ours;
  // Given as values: joined with their own row, all prints would be compared by one process of the database.
  const differs = (column: SQL, bits: string) => sql`bit_count(${column} # ${bits}::bit(128))`;
  const compared = [
    ...[print, mirror, inner, innerMirror].map((bits) => differs(sql`print`, bits)),
    ...[print, mirror].map((bits) => differs(sql`inner_print`, bits)),
  ];
  const near = await rows<Other>(
    tx,
    sql`select file_id as "otherFileId", distance from (
        select file_id, created_at, least(${sql.join(compared, sql`, `)})::int as distance from photo_prints) compared
      where distance <= ${alikeBits} order by distance, created_at, file_id limit ${mostNear}`,
  );
  const ids = near.map(({ otherFileId }) => otherFileId);
  const shown = await rows<{ id: string }>(
    tx,
    sql`select f.id from stored_files f where f.id in ${ids} and ${isShownElsewhere(sql`f.id`, ownFileIds)}`,
  );
  const shownIds = new Set(shown.map(({ id }) => id));
  return near.filter(({ otherFileId }) => shownIds.has(otherFileId)).slice(0, mostAlike);
}

/** By photo, what was noticed about it, with the photo that it resembles and what a person decided. */
export async function readPhotoFindings(db: DbOrTx, fileIds: string[]): Promise<ReadonlyMap<string, PhotoFinding[]>> {
  const findings = new Map<string, PhotoFinding[]>();
  if (fileIds.length === 0) return findings;
  const found = await db
    .select()
    .from(photoFindings)
    .where(inArray(photoFindings.fileId, fileIds))
    .orderBy(asc(photoFindings.id));
  const others = await describeOthers(
    db,
    found.flatMap(({ otherFileId }) => otherFileId ?? []),
  );
  for (const { id, fileId, kind, otherFileId, verdict } of found) {
    const other = others.get(otherFileId ?? "") ?? null;
    findings.set(fileId, [...(findings.get(fileId) ?? []), { id, kind, verdict, other }]);
  }
  return findings;
}

export type PhotoFinding = Pick<typeof photoFindings.$inferSelect, "id" | "kind" | "verdict"> & {
  other: OtherPhoto | null;
};

/** A document has no address. */
type OtherPhoto = { url: string | null; projectTitle: string | null; at: Date; takenAt: Date | null };

/** Where the files that others resemble were shown, when they came, and when their cameras say that they were taken. */
async function describeOthers(db: DbOrTx, fileIds: string[]): Promise<Map<string, OtherPhoto>> {
  if (fileIds.length === 0) return new Map();
  type Row = { fileId: string; key: string; at: string; takenAt: string | null; projectTitle: string | null };
  const found = await rows<Row>(
    db,
    sql`select f.id as "fileId", f.storage_key as key, f.created_at::text as at,
        (select taken_at::text from photo_prints where file_id = f.id) as "takenAt", (select title from projects where id = coalesce(
        (select r.project_id from update_photos u join farm_reports r on r.id = u.report_id where u.file_id = f.id),
        (select n.project_id from update_photos u join project_updates n on n.id = u.update_id where u.file_id = f.id),
        (select a.project_id from release_proofs p join release_asks a on a.id = p.ask_id where p.file_id = f.id),
        (select g.project_id from harvest_files h join harvests g on g.id = h.harvest_id where h.file_id = f.id),
        (select m.project_id from project_media m where m.file_id = f.id),
        (select min(p.id) from projects p where p.image_file_id = f.id))) as "projectTitle"
      from stored_files f where f.id in ${fileIds}`,
  );
  return new Map(
    found.map(({ fileId, key, at, takenAt, projectTitle }) => {
      const dates = { at: new Date(at), takenAt: takenAt === null ? null : new Date(takenAt) };
      return [fileId, { url: photoPathOfKey(key), ...dates, projectTitle }] as const;
    }),
  );
}
