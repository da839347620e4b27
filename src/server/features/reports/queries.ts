import { and, asc, desc, eq, isNotNull } from "drizzle-orm";
import type { z } from "zod";
import type { DbOrTx } from "#server/db/open.ts";
import { projects } from "#server/db/schema/projects.ts";
import { farmReports, reportAsks, reportFigures } from "#server/db/schema/reports.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { photoPrints, updatePhotos } from "#server/db/schema/update-photos.ts";
import { requireProjectAccess } from "#server/features/projects/queries.ts";
import { readReportSummaries, reportingRound } from "#server/features/projects/reporting/queries.ts";
import { readPhotoFindings } from "#server/files/photo-findings.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { projectTexts } from "#shared/projects/texts.ts";
import type { listReportsInput, reportRecordInput } from "#shared/reports/inputs.ts";
import { isOnTime, reportState } from "#shared/reports/schedule.ts";
import { reportLimits } from "#shared/reports/texts.ts";
import { countDays, listGone, readFiguresOf } from "./figures.ts";
import { readPlan } from "./plans.ts";
import { questionsOf } from "./plausible.ts";
import { listEarlierFigures } from "./service.ts";

/** The most that a page shows of a round: eight years of weeks. */
const longestRecord = 420;

/**
 * Reads the reports on a project's last funded round: the plan, each report with its state, and the figures of
 * published ones, with the number of animals that had left the farm alive (`gone`). The content of others isn't in it.
 */
export async function findRecord(ctx: Context, { projectId }: z.output<typeof reportRecordInput>) {
  await requireProjectAccess(ctx);
  const now = ctx.clock.now();
  const [project] = await ctx.db
    .select({ currentRound: projects.round, round: projectRounds.round, fundedAt: projectRounds.decidedAt })
    .from(projects)
    .leftJoin(
      projectRounds,
      and(eq(projectRounds.projectId, projects.id), eq(projectRounds.round, reportingRound(projects.id))),
    )
    .where(eq(projects.id, projectId));
  if (!project) throw new AppError("not_found", projectTexts.notFound);
  const key = { projectId, round: project.round ?? project.currentRound };
  const plan = await readPlan(ctx.db, key);
  const found = await ctx.db
    .select()
    .from(farmReports)
    .where(and(eq(farmReports.projectId, projectId), eq(farmReports.round, key.round)))
    .orderBy(asc(farmReports.number))
    .limit(longestRecord);
  const figures = await figuresOfPublished(ctx.db, key);
  const gone = await listGone(ctx.db, key);
  return {
    ...key,
    plan,
    fundedAt: project.fundedAt,
    summary: (await readReportSummaries(ctx.db, [projectId], now)).get(projectId) ?? null,
    reports: found.map((report) => {
      const { id, number, dueAt, sentAt, publishedAt, excuse, isCodeSeen, updateId } = report;
      const farmNote = publishedAt ? report.farmNote : null;
      const state = reportState(report, now);
      return {
        number,
        dueAt,
        state,
        isOnTime: isOnTime(report),
        sentAt,
        publishedAt,
        excuse,
        farmNote,
        isCodeSeen,
        updateId,
        figures: figures.get(id) ?? {},
        gone: publishedAt ? (gone.get(number) ?? 0n) : 0n,
      };
    }),
  };
}

async function figuresOfPublished(db: DbOrTx, { projectId, round }: { projectId: number; round: number }) {
  const found = await db
    .select({ id: farmReports.id, key: reportFigures.key, value: reportFigures.value })
    .from(reportFigures)
    .innerJoin(farmReports, eq(farmReports.id, reportFigures.reportId))
    .where(and(eq(farmReports.projectId, projectId), eq(farmReports.round, round), isNotNull(farmReports.publishedAt)));
  const byReport = new Map<number, Record<string, bigint>>();
  for (const { id, key, value } of found) byReport.set(id, { ...byReport.get(id), [key]: value });
  return byReport;
}

/** A page of a project's reports for administrators, the newest first, each with its figures, photos and what was found. */
export async function listReports(ctx: ActorContext, { projectId, page }: z.output<typeof listReportsInput>) {
  const { db, clock } = ctx;
  const now = clock.now();
  const ofProject = eq(farmReports.projectId, projectId);
  const found = await db
    .select()
    .from(farmReports)
    .where(ofProject)
    .orderBy(desc(farmReports.round), desc(farmReports.number))
    .limit(reportLimits.pageSize)
    .offset((page - 1) * reportLimits.pageSize);
  const items = [];
  for (const report of found) {
    const { figures: planned, template } = await readPlan(db, report);
    const figures = await readFiguresOf(db, report.id);
    const isWaiting = report.sentAt !== null && report.publishedAt === null;
    const { id, round, number } = report;
    const { dueAt, code, content, farmNote, sentAt, publishedAt, isCodeSeen, excuse, sentBackAt, sentBackNote } =
      report;
    items.push({
      id,
      round,
      number,
      dueAt,
      code,
      content,
      farmNote,
      sentAt,
      publishedAt,
      isCodeSeen,
      excuse,
      sentBackAt,
      sentBackNote,
      state: reportState(report, now),
      figures: planned.flatMap(({ key, label, unit, kind }) => {
        const value = figures.get(key);
        return value === undefined ? [] : [{ key, label, unit, kind, value }];
      }),
      questions: isWaiting
        ? questionsOf({
            template,
            planned,
            figures,
            earlier: await listEarlierFigures(db, report),
            days: await countDays(db, report, now),
          })
        : [],
      photos: await photosOf(db, id),
      asks: await db.$count(
        reportAsks,
        and(eq(reportAsks.projectId, projectId), eq(reportAsks.round, round), eq(reportAsks.number, number)),
      ),
    });
  }
  return { items, total: await db.$count(farmReports, ofProject) };
}

/** A report's photos with what was noticed about them, and the photo that each resembles. */
async function photosOf(db: DbOrTx, reportId: number) {
  const photos = await db
    .select({
      photoKey: updatePhotos.photoKey,
      fileId: updatePhotos.fileId,
      url: updatePhotos.url,
      altText: updatePhotos.altText,
      width: updatePhotos.width,
      height: updatePhotos.height,
      at: updatePhotos.createdAt,
      takenAt: photoPrints.takenAt,
    })
    .from(updatePhotos)
    .leftJoin(photoPrints, eq(photoPrints.fileId, updatePhotos.fileId))
    .where(eq(updatePhotos.reportId, reportId))
    .orderBy(asc(updatePhotos.position), asc(updatePhotos.id));
  if (photos.length === 0) return [];
  const findings = await readPhotoFindings(
    db,
    photos.map(({ fileId }) => fileId),
  );
  return photos.map(({ fileId, ...photo }) => ({ ...photo, findings: findings.get(fileId) ?? [] }));
}
