import { and, eq, ne, sql } from "drizzle-orm";
import type { z } from "zod";
import { inTransaction, rows, type Tx } from "#server/db/open.ts";
import { farmReports } from "#server/db/schema/reports.ts";
import { photoFindings, updatePhotos } from "#server/db/schema/update-photos.ts";
import { isOver } from "#server/features/projects/rounds/queries.ts";
import { deleteStoredFile, enqueueRemoval } from "#server/files/orphans.ts";
import { storePhoto } from "#server/files/photos.ts";
import { discardUpload } from "#server/files/uploads.ts";
import { forEachOnItsOwn } from "#server/platform/async.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { dayMs } from "#shared/lagos-time.ts";
import type { decideFindingInput, reportPhotoFields } from "#shared/reports/inputs.ts";
import { reportLimits, reportTexts as texts } from "#shared/reports/texts.ts";
import { holdReportersRight, type Reporter } from "./access.ts";
import { lockReport, type Report, requireSendable } from "./service.ts";

/** Photos of a report, kept as they come, and what people decide about what was noticed. */

/** As `receiveUpload` returns it. */
type Upload = { key: string; sha256: string; originalName: string };
type NewPhoto = Pick<z.output<typeof reportPhotoFields>, "number" | "photoKey"> & { upload: Upload };
type Kept = { photoKey: string; url: string };

/**
 * Keeps a photo of a report that can be sent now, once for its key. Throws "not_found"; "conflict" if the report was sent or
 * can't be sent; "invalid" if the photo can't be read or there are too many. The upload is then removed.
 */
export async function keepReportPhoto(ctx: Context, reporter: Reporter, photo: NewPhoto): Promise<Kept> {
  const { photoKey, upload } = photo;
  const earlier = await inTransaction(ctx.db, (tx) => findEarlier(tx, ctx, reporter, photo)).catch(async (error) => {
    await discardUpload(ctx, upload.key);
    throw error;
  });
  if (earlier.kept) {
    await discardUpload(ctx, upload.key);
    return earlier.kept;
  }
  const { fileId, url, width, height } = await storePhoto(ctx, upload);
  try {
    const kept = await inTransaction(ctx.db, async (tx) => {
      // Another upload with this key may have come meanwhile.
      const { report, kept: other } = await findEarlier(tx, ctx, reporter, photo);
      if (other) return other;
      const position = (await tx.$count(updatePhotos, eq(updatePhotos.reportId, report.id))) + 1;
      if (position > reportLimits.unsentPhotos) throw new AppError("invalid", texts.photosMany);
      const row = { reportId: report.id, photoKey, position, fileId, url, width, height, createdAt: ctx.clock.now() };
      await tx.insert(updatePhotos).values(row);
      return { photoKey, url };
    });
    if (kept.url !== url) await deleteStoredFile(ctx, fileId);
    return kept;
  } catch (error) {
    await deleteStoredFile(ctx, fileId);
    throw error;
  }
}

/** The report, locked, and the photo with this key if it came before. Throws as {@link keepReportPhoto} does. */
async function findEarlier(
  tx: Tx,
  { clock }: Context,
  reporter: Reporter,
  { number, photoKey }: NewPhoto,
): Promise<{ report: Report; kept: Kept | undefined }> {
  const { projectId, round } = reporter;
  const isOne = and(eq(farmReports.projectId, projectId), eq(farmReports.round, round), eq(farmReports.number, number));
  const report = await lockReport(tx, isOne);
  await holdReportersRight(tx, reporter);
  const [kept] = await tx
    .select({ photoKey: updatePhotos.photoKey, url: updatePhotos.url })
    .from(updatePhotos)
    .where(and(eq(updatePhotos.reportId, report.id), eq(updatePhotos.photoKey, photoKey)));
  if (kept) return { report, kept };
  if (report.sentAt) throw new AppError("conflict", texts.photoAfterSending);
  await requireSendable(tx, report, clock.now());
  return { report, kept };
}

/** Photos wait this long for their report, or until the round is over. */
const unsentDays = 30;

/** Removes the photos that came for a report that was never sent, or not again. */
export async function sweepUnsentPhotos(deps: Deps): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - unsentDays * dayMs).toISOString();
  const isLeft = sql`u.update_id is null and f.sent_at is null and (f.sent_back_at is null or u.created_at > f.sent_back_at)
    and (u.created_at <= ${before}::timestamptz or exists (
      select from project_rounds r where r.project_id = f.project_id and r.round = f.round and ${isOver}))`;
  const found = await rows<{ reportId: string | number }>(
    deps.db,
    sql`select distinct f.id as "reportId" from update_photos u join farm_reports f on f.id = u.report_id where ${isLeft}`,
  );
  await forEachOnItsOwn(deps.log, found, ({ reportId }) =>
    inTransaction(deps.db, async (tx) => {
      // Locked: it may be sent in this moment.
      const report = await lockReport(tx, eq(farmReports.id, Number(reportId)));
      const removed = await rows<{ fileId: string }>(
        tx,
        sql`delete from update_photos u using farm_reports f where f.id = u.report_id and f.id = ${report.id} and ${isLeft}
          returning u.file_id as "fileId"`,
      );
      await enqueueRemoval(
        tx,
        deps,
        removed.map(({ fileId }) => fileId),
      );
    }),
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
