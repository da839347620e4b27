import { and, asc, eq, gt, type SQL, sql } from "drizzle-orm";
import { rows, type Tx } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import type { farmReports } from "#server/db/schema/reports.ts";
import { photoFindings, photoPrints, updatePhotos } from "#server/db/schema/update-photos.ts";
import { dayMs } from "#shared/lagos-time.ts";

/** What is noticed about a report's photos. It says nothing about anybody: administrators see it, and a person decides. */

const oldDays = 10;
/** For phones' clocks, and cameras in another zone. */
const slackDays = 1;
/** Bits of 128. */
const alikeBits = 8;
/** More of the same photo teach nothing. */
const mostAlike = 3;

type Report = typeof farmReports.$inferSelect;

/**
 * Writes down what is noticed about the photos of a report that is being sent: the same bytes as another photo that is in use;
 * else one that looks the same, or its mirror; a date of the camera that is old or still to come when the photo came. Photos of
 * an earlier sending were looked at then.
 */
export async function lookAtPhotos(tx: Tx, { id: reportId, sentBackAt }: Report, now: Date): Promise<void> {
  const photos = await tx
    .select({
      fileId: updatePhotos.fileId,
      cameAt: updatePhotos.createdAt,
      sha256: storedFiles.sha256,
      takenAt: photoPrints.takenAt,
    })
    .from(updatePhotos)
    .innerJoin(storedFiles, eq(storedFiles.id, updatePhotos.fileId))
    .innerJoin(photoPrints, eq(photoPrints.fileId, updatePhotos.fileId))
    .where(and(eq(updatePhotos.reportId, reportId), sentBackAt ? gt(updatePhotos.createdAt, sentBackAt) : undefined))
    .orderBy(asc(updatePhotos.position));
  if (photos.length === 0) return;
  // One report at a time: two that are sent at once would not see each other's photos.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('photo_findings', 0))`);
  for (const { fileId, cameAt, sha256, takenAt } of photos) {
    const same = await findSame(tx, { sha256, reportId });
    const alike = same.length > 0 ? [] : await findAlike(tx, { fileId, reportId });
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
 * Condition on a stored file: it shows a picture of a project, an update, or a report that was sent, and isn't the report's
 * own. Photos of drafts don't count.
 */
const isShownElsewhere = (fileId: SQL, reportId: number): SQL => sql`(
  exists (select from update_photos u left join farm_reports r on r.id = u.report_id
    where u.file_id = ${fileId} and u.report_id is distinct from ${reportId}
      and (u.update_id is not null or r.sent_at is not null or u.created_at <= r.sent_back_at))
  or exists (select from project_media m where m.file_id = ${fileId})
  or exists (select from projects j where j.image_file_id = ${fileId}))`;

/** The other photos with the same bytes, as they were uploaded. */
const findSame = (tx: Tx, { sha256, reportId }: { sha256: string; reportId: number }): Promise<Other[]> =>
  rows<Other>(
    tx,
    sql`select f.id as "otherFileId", 0 as distance from stored_files f
      where f.sha256 = ${sha256} and f.kind = 'photo' and ${isShownElsewhere(sql`f.id`, reportId)}
      order by f.created_at, f.id limit ${mostAlike}`,
  );

/** More matches than these occur only for a picture that is used on very many pages. */
const mostNear = 1000;

/**
 * The photos whose whole looks like this one, its inner part or their mirrors, or whose inner part looks like this one: the
 * nearest first. Only near matches are checked for where they are shown.
 */
async function findAlike(tx: Tx, { fileId, reportId }: { fileId: string; reportId: number }): Promise<Other[]> {
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
    sql`select f.id from stored_files f where f.id in ${ids} and ${isShownElsewhere(sql`f.id`, reportId)}`,
  );
  const shownIds = new Set(shown.map(({ id }) => id));
  return near.filter(({ otherFileId }) => shownIds.has(otherFileId)).slice(0, mostAlike);
}
