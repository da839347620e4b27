import { and, asc, eq, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { z } from "zod";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { projects } from "#server/db/schema/projects.ts";
import { farmReports } from "#server/db/schema/reports.ts";
import { photoFindings, updatePhotos } from "#server/db/schema/update-photos.ts";
import type { NotifyDeps } from "#server/features/notifications/service.ts";
import { listSettledRounds } from "#server/features/projects/rounds/queries.ts";
import { lockProject } from "#server/features/projects/rounds/service.ts";
import { writeUpdate } from "#server/features/projects/updates/service.ts";
import { findAutoPublishHours } from "#server/features/settings/queries.ts";
import { forEachOnItsOwn } from "#server/platform/async.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { hourMs } from "#shared/lagos-time.ts";
import type { excuseReportInput, publishReportInput, reportIdInput, sendBackInput } from "#shared/reports/inputs.ts";
import { reportTexts as texts } from "#shared/reports/texts.ts";
import { countDays, readFiguresOf } from "./figures.ts";
import { readPlan } from "./plans.ts";
import { questionsOf } from "./plausible.ts";
import { mailFarm } from "./reminders.ts";
import { listEarlierFigures, lockReport, type Report, readMailFacts } from "./service.ts";

/** A report becomes an update of its project by a manager, or by the clock where nothing is found. */

type Publisher = NotifyDeps & { actor: ActorContext["actor"] | null; ipAddress: string | null };

/**
 * Publishes a report as its farm sent it, and notifies the project's backers. Published already, it stays as it is. Throws
 * "not_found"; "conflict" if it hasn't come, or a finding on its photos isn't decided.
 */
export async function publishReport(ctx: ActorContext, { reportId, isCodeSeen }: z.output<typeof publishReportInput>) {
  await inTransaction(ctx.db, async (tx) => {
    const report = await lockWithProject(tx, reportId);
    if (report.publishedAt) return;
    if (!report.sentAt) throw new AppError("conflict", texts.notSent);
    if (await hasOpenFinding(tx, reportId)) throw new AppError("conflict", texts.findingsOpen);
    await publish(tx, ctx, { ...report, isCodeSeen });
  });
}

/** A project is locked before its reports everywhere. */
async function lockWithProject(tx: Tx, reportId: number): Promise<Report> {
  const [found] = await tx
    .select({ projectId: farmReports.projectId })
    .from(farmReports)
    .where(eq(farmReports.id, reportId));
  if (!found) throw new AppError("not_found", texts.notFound);
  await lockProject(tx, found.projectId, "share");
  return lockReport(tx, eq(farmReports.id, reportId));
}

async function publish(tx: Tx, ctx: Publisher, report: Report): Promise<void> {
  const { id: reportId, projectId, number, content, isCodeSeen } = report;
  const now = ctx.clock.now();
  const project = await lockProject(tx, projectId, "share");
  const publishedBy = ctx.actor?.id ?? null;
  const written = { title: texts.title(number), content: content ?? "", byUserId: publishedBy };
  const updateId = await writeUpdate(tx, ctx, project, written);
  await tx.update(updatePhotos).set({ updateId }).where(eq(updatePhotos.reportId, reportId));
  await tx
    .update(farmReports)
    .set({ publishedAt: now, publishedBy, updateId, isCodeSeen })
    .where(eq(farmReports.id, reportId));
  await recordAudit(tx, ctx, "publish_report", { projectId, title: project.title, number, updateId });
}

const isOfReport = (reportId: number) =>
  sql`${photoFindings.fileId} in (select file_id from update_photos where report_id = ${reportId})`;

const hasOpenFinding = async (tx: Tx, reportId: number): Promise<boolean> =>
  (await tx.$count(photoFindings, and(isOfReport(reportId), isNull(photoFindings.verdict)))) > 0;

/**
 * Publishes the reports that wait longer than the setting says, so that our slowness isn't the farm's silence. One with a
 * finding on its photos that nobody dismissed, or with figures that look wrong, waits for a person.
 */
export async function publishWaitingReports(deps: Deps): Promise<void> {
  const hours = await findAutoPublishHours(deps.db);
  if (hours === 0) return;
  const before = new Date(deps.clock.now().getTime() - hours * hourMs);
  const waiting = await deps.db
    .select({ id: farmReports.id })
    .from(farmReports)
    // A report outlives its project.
    .innerJoin(projects, eq(projects.id, farmReports.projectId))
    .where(and(isNull(farmReports.publishedAt), lte(farmReports.sentAt, before)))
    .orderBy(asc(farmReports.sentAt));
  await forEachOnItsOwn(deps.log, waiting, ({ id }) => publishByClock(deps, id, before));
}

async function publishByClock(deps: Deps, reportId: number, before: Date): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const report = await lockWithProject(tx, reportId);
    if (report.publishedAt || !report.sentAt || report.sentAt > before) return;
    const isNotDismissed = or(isNull(photoFindings.verdict), ne(photoFindings.verdict, "dismissed"));
    if ((await tx.$count(photoFindings, and(isOfReport(reportId), isNotDismissed))) > 0) return;
    const { template, figures: planned } = await readPlan(tx, report);
    const figures = await readFiguresOf(tx, reportId);
    const earlier = await listEarlierFigures(tx, report);
    const days = await countDays(tx, report, report.sentAt);
    if (questionsOf({ template, planned, figures, earlier, days }).length > 0) return;
    await publish(tx, { ...deps, actor: null, ipAddress: null }, { ...report, isCodeSeen: false });
  });
}

/**
 * Asks the farm to send a report again. Throws "not_found", or "conflict" if it hasn't come, is published, or its round
 * is over.
 */
export async function sendBack(
  ctx: ActorContext,
  { reportId, reason: note }: z.output<typeof sendBackInput>,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const report = await lockWithProject(tx, reportId);
    if (report.publishedAt) throw new AppError("conflict", texts.publishedAlready);
    if (!report.sentAt) throw new AppError("conflict", texts.notSent);
    const over = await listSettledRounds(tx, report.projectId);
    if (over.has(report.round)) throw new AppError("conflict", texts.roundEndedBack);
    // Its key stays: a phone that never had the answer may send the same report once more.
    const sentBack = { sentAt: null, sentBy: null, sentLinkId: null };
    await tx
      .update(farmReports)
      .set({ ...sentBack, sentBackAt: ctx.clock.now(), sentBackNote: note })
      .where(eq(farmReports.id, reportId));
    const { projectId, number } = report;
    await recordAudit(tx, ctx, "send_report_back", { projectId, number, note });
    const owed = await readMailFacts(tx, ctx, report);
    const eventKey = `report:${reportId}:sent_back:${ctx.clock.now().getTime()}`;
    if (owed) await mailFarm(tx, ctx, { report, owed, reminder: { sentBack: note }, eventKey });
  });
}

/** Says publicly why a report doesn't come. Throws "not_found", or "conflict" if it came. */
export async function excuseReport(ctx: ActorContext, { reportId, reason }: z.output<typeof excuseReportInput>) {
  await setExcuse(ctx, reportId, reason);
}

/** Takes an excuse back: the report is late or missed again. Throws as {@link excuseReport} does. */
export async function withdrawExcuse(ctx: ActorContext, { reportId }: z.output<typeof reportIdInput>) {
  await setExcuse(ctx, reportId, null);
}

async function setExcuse(ctx: ActorContext, reportId: number, excuse: string | null): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const { sentAt, projectId, number } = await lockWithProject(tx, reportId);
    if (sentAt) throw new AppError("conflict", texts.cameAlready);
    const excused =
      excuse === null ? { excusedAt: null, excusedBy: null } : { excusedAt: ctx.clock.now(), excusedBy: ctx.actor.id };
    await tx
      .update(farmReports)
      .set({ ...excused, excuse })
      .where(eq(farmReports.id, reportId));
    await recordAudit(tx, ctx, "excuse_report", { projectId, number, excuse });
  });
}
