import { and, eq, ne, sql } from "drizzle-orm";
import type { z } from "zod";
import { inTransaction, rows, type Tx } from "#server/db/open.ts";
import { farmReports } from "#server/db/schema/reports.ts";
import { photoFindings, photoPrints, updatePhotos } from "#server/db/schema/update-photos.ts";
import { deleteStoredFile } from "#server/files/orphans.ts";
import { mirroredPrint } from "#server/files/photo-prints.ts";
import { storePhoto } from "#server/files/photos.ts";
import { discardUpload } from "#server/files/uploads.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { dayMs } from "#shared/lagos-time.ts";
import type { decideFindingInput, reportPhotoFields } from "#shared/reports/inputs.ts";
import { reportLimits, reportTexts as texts } from "#shared/reports/texts.ts";
import type { Reporter } from "./access.ts";
import { lockReport } from "./service.ts";

/** Photos of a report, kept as they come, and what is noticed about them. A person decides: only administrators see it. */

/** As `receiveUpload` returns it. */
type Upload = { key: string; sha256: string; originalName: string };
type NewPhoto = Pick<z.output<typeof reportPhotoFields>, "number" | "photoKey"> & { upload: Upload };
type Kept = { photoKey: string; url: string };

/**
 * Keeps a photo of a report that wasn't sent yet, once for its key. Throws "not_found"; "conflict" if the report was sent;
 * "invalid" if the photo can't be read or there are too many. The upload is then removed.
 */
export async function keepReportPhoto(ctx: Context, reporter: Reporter, photo: NewPhoto): Promise<Kept> {
  const { number, photoKey, upload } = photo;
  const { projectId, round } = reporter;
  const isOne = and(eq(farmReports.projectId, projectId), eq(farmReports.round, round), eq(farmReports.number, number));
  const earlier = await findEarlier(ctx, isOne, photoKey).catch(async (error) => {
    await discardUpload(ctx, upload.key);
    throw error;
  });
  if (earlier) {
    await discardUpload(ctx, upload.key);
    return earlier;
  }
  const { fileId, url, width, height } = await storePhoto(ctx, upload);
  try {
    const isKept = await inTransaction(ctx.db, async (tx) => {
      const report = await lockReport(tx, isOne);
      if (report.sentAt) throw new AppError("conflict", texts.photoAfterSending);
      const position = (await tx.$count(updatePhotos, eq(updatePhotos.reportId, report.id))) + 1;
      if (position > reportLimits.unsentPhotos) throw new AppError("invalid", texts.photosMany);
      const row = { reportId: report.id, photoKey, position, fileId, url, width, height, createdAt: ctx.clock.now() };
      const [made] = await tx.insert(updatePhotos).values(row).onConflictDoNothing().returning({ id: updatePhotos.id });
      if (made) await lookAt(tx, ctx, { fileId, reportId: report.id, sha256: upload.sha256 });
      return made !== undefined;
    });
    if (!isKept) await deleteStoredFile(ctx, fileId);
    return { photoKey, url };
  } catch (error) {
    await deleteStoredFile(ctx, fileId);
    throw error;
  }
}

/** The photo with this key, if it came before. Throws "not_found" without a report, and "conflict" if it was sent. */
async function findEarlier({ db }: Context, isOne: ReturnType<typeof and>, photoKey: string): Promise<Kept | null> {
  const [report] = await db.select().from(farmReports).where(isOne);
  if (!report) throw new AppError("not_found", texts.notFound);
  const [photo] = await db
    .select({ photoKey: updatePhotos.photoKey, url: updatePhotos.url })
    .from(updatePhotos)
    .where(and(eq(updatePhotos.reportId, report.id), eq(updatePhotos.photoKey, photoKey)));
  if (photo) return photo;
  if (report.sentAt) throw new AppError("conflict", texts.photoAfterSending);
  return null;
}

const oldDays = 10;
/** Bits of 128. */
const alikeBits = 8;
const mostAlike = 3;

type Looked = { fileId: string; reportId: number; sha256: string };

/**
 * Writes down what is noticed about a new photo: the same bytes anywhere on the site; else one that looks the same, or its
 * mirror; a date of the camera that is old or still to come. Photos of the same report aren't compared.
 */
async function lookAt(tx: Tx, { clock }: Context, { fileId, reportId, sha256 }: Looked): Promise<void> {
  const now = clock.now();
  const [print] = await tx.select().from(photoPrints).where(eq(photoPrints.fileId, fileId));
  const isOther = sql`not exists (select from update_photos u where u.file_id = p.file_id and u.report_id = ${reportId})`;
  const same = await rows<{ fileId: string }>(
    tx,
    sql`select p.file_id as "fileId" from photo_prints p join stored_files f on f.id = p.file_id
      where f.sha256 = ${sha256} and p.file_id <> ${fileId} and ${isOther} order by p.created_at limit ${mostAlike}`,
  );
  const found: (typeof photoFindings.$inferInsert)[] = same.map((other) => ({
    fileId,
    kind: "same_bytes",
    otherFileId: other.fileId,
    distance: 0,
    createdAt: now,
  }));
  if (print?.print && print.inner && same.length === 0) {
    const compared = { fileId, print: print.print, inner: print.inner };
    for (const { fileId: otherFileId, distance } of await findAlike(tx, compared, isOther))
      found.push({ fileId, kind: "alike", otherFileId, distance, createdAt: now });
  }
  if (print?.takenAt && print.takenAt.getTime() < now.getTime() - oldDays * dayMs)
    found.push({ fileId, kind: "old", createdAt: now });
  if (print?.takenAt && print.takenAt > now) found.push({ fileId, kind: "future", createdAt: now });
  if (found.length > 0) await tx.insert(photoFindings).values(found);
}

type Print = { fileId: string; print: string; inner: string };

/** The photos whose whole looks like this one, its inner part or their mirrors, or whose inner part looks like this one. */
async function findAlike(tx: Tx, { fileId, print, inner }: Print, isOther: ReturnType<typeof sql>) {
  const differs = (column: "print" | "inner_print", bits: string) =>
    sql`bit_count(p.${sql.raw(column)} # ${bits}::bit(128))`;
  const wholes = [print, mirroredPrint(print)];
  const compared = [
    ...[...wholes, inner, mirroredPrint(inner)].map((bits) => differs("print", bits)),
    ...wholes.map((bits) => differs("inner_print", bits)),
  ];
  return rows<{ fileId: string; distance: number }>(
    tx,
    sql`select * from (select p.file_id as "fileId", least(${sql.join(compared, sql`, `)})::int as distance
        from photo_prints p where p.file_id <> ${fileId} and ${isOther}) compared
      where distance <= ${alikeBits} order by distance limit ${mostAlike}`,
  );
}

/**
 * Decides about a finding: confirmed, or dismissed. It may be decided anew until the report is published. Throws
 * "not_found", or "conflict" then.
 */
export async function decideFinding(ctx: ActorContext, { findingId, verdict }: z.output<typeof decideFindingInput>) {
  await inTransaction(ctx.db, async (tx) => {
    const [found] = await tx
      .select({ reportId: updatePhotos.reportId, kind: photoFindings.kind })
      .from(photoFindings)
      .innerJoin(updatePhotos, eq(updatePhotos.fileId, photoFindings.fileId))
      .where(eq(photoFindings.id, findingId));
    if (!found?.reportId) throw new AppError("not_found", texts.notFound);
    const report = await lockReport(tx, eq(farmReports.id, found.reportId));
    if (report.publishedAt) throw new AppError("conflict", texts.publishedAlready);
    const decided = { verdict, decidedBy: ctx.actor.id, decidedAt: ctx.clock.now() };
    const isOther = ne(sql`coalesce(${photoFindings.verdict}, '')`, verdict);
    const [changed] = await tx
      .update(photoFindings)
      .set(decided)
      .where(and(eq(photoFindings.id, findingId), isOther))
      .returning({ id: photoFindings.id });
    const { projectId, number } = report;
    if (changed) await recordAudit(tx, ctx, "decide_photo_finding", { projectId, number, kind: found.kind, verdict });
  });
}
