import { eq, sql } from "drizzle-orm";
import { type Db, rows } from "#server/db/open.ts";
import { farmReports } from "#server/db/schema/reports.ts";
import { writePhotoFindings } from "#server/files/photo-findings.ts";
import { createReportScene } from "#tests/support/report-scene.ts";
import type { Measurement } from "./lib/measurement.ts";
import { onDatabase } from "./lib/scene.ts";

/** A report's photo is compared with all prints of a large site when it is sent. */
const PRINTS = 200_000;
const ROUNDS = 15;

export async function measure(): Promise<Measurement[]> {
  return onDatabase(0, async ({ db }) => {
    const now = new Date();
    const { project } = await createReportScene(db, now);
    const [report] = await db.select().from(farmReports).where(eq(farmReports.projectId, project.id));
    if (!report) throw new Error("no report is owed");
    await addPhotos(db, project.id);
    const fileId = await addMirrored(db, report.id);
    const values: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await db.execute(sql`delete from photo_findings`);
      const begun = performance.now();
      const sent = [{ fileId, cameAt: now }];
      await db.transaction((tx) => writePhotoFindings(tx, { sent, ownFileIds: [fileId], now }));
      values.push(performance.now() - begun);
      const found = await rows<{ kind: string }>(db, sql`select kind from photo_findings where file_id = ${fileId}`);
      if (found.length !== 1) throw new Error(`found ${found.length} photos instead of the mirrored one`);
    }
    const what = `a report's photo compared with ${PRINTS.toLocaleString("en")} prints`;
    const details = "in one transaction, with what is written down; one of the prints is of the mirrored photo";
    return [{ what, values, unit: "ms", target: { atMost: 100 }, details }];
  });
}

/** 128 bits, another print for each row. */
const print = sql.raw("(('x' || md5(random()::text))::bit(128))");

/** Photos of a project, each of its own. */
async function addPhotos(db: Db, projectId: number): Promise<void> {
  await db.execute(sql`insert into stored_files (kind, storage_key, sha256, bytes, content_type, original_name)
    select 'photo', 'photo/' || md5(n::text) || '/640.webp', repeat(md5(n::text), 2), 1000, 'image/webp', 'pen.jpg'
    from generate_series(1, ${PRINTS}::int) n`);
  await db.execute(sql`insert into photo_prints (file_id, print, inner_print, mirror_print, inner_mirror_print)
    select id, ${print}, ${print}, ${print}, ${print} from stored_files`);
  await db.execute(sql`insert into project_media (project_id, type, url, file_id)
    select ${projectId}, 'photo', '/files/' || storage_key, id from stored_files`);
  await db.execute(sql`analyze stored_files, photo_prints, project_media`);
}

/** Adds a photo of the report that mirrors an earlier one. Returns its file's id. */
async function addMirrored(db: Db, reportId: number): Promise<string> {
  const [file] = await rows<{ id: string }>(
    db,
    sql`insert into stored_files (kind, storage_key, sha256, bytes, content_type, original_name)
      values ('photo', ${`photo/${"a".repeat(32)}/640.webp`}, ${"a".repeat(64)}, 1000, 'image/webp', 'pen.jpg') returning id`,
  );
  const fileId = file?.id ?? "";
  await db.execute(sql`insert into photo_prints (file_id, print, inner_print, mirror_print, inner_mirror_print)
    select ${fileId}, mirror_print, inner_mirror_print, print, inner_print from photo_prints limit 1`);
  await db.execute(sql`insert into update_photos (report_id, photo_key, position, file_id, url, width, height)
    values (${reportId}, gen_random_uuid(), 1, ${fileId}, '/photos/x', 640, 480)`);
  return fileId;
}
