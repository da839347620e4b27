import { and, asc, desc, eq, inArray, isNotNull, lt, max, notInArray, type SQL } from "drizzle-orm";
import type { z } from "zod";
import { listActiveOwners } from "#server/accounts/users.ts";
import { type DbOrTx, inTransaction, type Tx } from "#server/db/open.ts";
import { projects } from "#server/db/schema/projects.ts";
import { farmReports, reportFigures, reportLinks } from "#server/db/schema/reports.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { updatePhotos } from "#server/db/schema/update-photos.ts";
import { users } from "#server/db/schema/users.ts";
import { administratorsWith } from "#server/features/notifications/queries.ts";
import { notify } from "#server/features/notifications/service.ts";
import { listAwaited } from "#server/features/projects/reporting/queries.ts";
import { listSettledRounds } from "#server/features/projects/rounds/queries.ts";
import { enqueueRemoval } from "#server/files/orphans.ts";
import { writePhotoFindings } from "#server/files/photo-findings.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { Context } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError, fieldRefusal } from "#server/platform/errors.ts";
import { quantityText } from "#shared/projects/terms-texts.ts";
import { countGone, underPlan, weekOf } from "#shared/reports/curves.ts";
import type { openReportInput, sendReportInput } from "#shared/reports/inputs.ts";
import type { PlannedFigure } from "#shared/reports/plans-texts.ts";
import { opensFrom, reportState } from "#shared/reports/schedule.ts";
import { reportTexts as texts } from "#shared/reports/texts.ts";
import { holdReportersRight, type Reporter, requireReporter } from "./access.ts";
import { reportCameNotice, underPlanNotice } from "./emails.ts";
import { countDays, expectedStock, type Figures, figureText, listGone, readFigures, readFiguresOf } from "./figures.ts";
import { readPlan } from "./plans.ts";
import { questionsOf } from "./plausible.ts";

/** The sending of a farm's report: once, by whichever of its people was first. */

export type Report = typeof farmReports.$inferSelect;
type RoundKey = Pick<Reporter, "projectId" | "round">;

const ofRound = ({ projectId, round }: RoundKey) =>
  and(eq(farmReports.projectId, projectId), eq(farmReports.round, round));

/** Finds the time of the farm's last report in a report's round, else that of the round's funding. */
export async function silentSince(db: DbOrTx, { projectId, round, createdAt }: Report): Promise<Date> {
  const [last] = await db
    .select({ at: max(farmReports.sentAt) })
    .from(farmReports)
    .where(ofRound({ projectId, round }));
  if (last?.at) return last.at;
  const [funded] = await db
    .select({ at: projectRounds.decidedAt })
    .from(projectRounds)
    .where(and(eq(projectRounds.projectId, projectId), eq(projectRounds.round, round)));
  return funded?.at ?? createdAt;
}

/** Reads the facts for mails about a report; null once its project is deleted. */
export async function readMailFacts(
  db: DbOrTx,
  deps: Pick<Deps, "site">,
  { projectId, number, dueAt, sentBackAt }: Report,
) {
  const [found] = await db
    .select({ projectTitle: projects.title, farmName: projects.creator })
    .from(projects)
    .where(eq(projects.id, projectId));
  return found ? { ...found, site: deps.site.current(), projectId, number, dueAt, sentBackAt } : null;
}

export type MailFacts = NonNullable<Awaited<ReturnType<typeof readMailFacts>>>;

/** Reads the page of a report. `report` is null while none is awaited; `opensAt` is when it can be sent. */
export async function openReport(ctx: Context, { by }: z.output<typeof openReportInput>) {
  const reporter = await requireReporter(ctx, by);
  const { projectId, projectTitle, farm } = reporter;
  const now = ctx.clock.now();
  const awaited = (await listAwaited(ctx.db, [projectId], now)).get(projectId);
  const last = await findLastSent(ctx.db, reporter);
  const plan = await readPlan(ctx.db, awaited?.report ?? reporter);
  const lastFigures: Figures = last ? await readFiguresOf(ctx.db, last.id) : new Map();
  return {
    projectId,
    projectTitle,
    farmName: farm?.name ?? null,
    lastSent: last?.sentAt ? { number: last.number, sentAt: last.sentAt, by: await nameOfSender(ctx.db, last) } : null,
    report: awaited
      ? {
          number: awaited.report.number,
          dueAt: awaited.report.dueAt,
          opensAt: awaited.opensAt,
          isOpen: awaited.isOpen,
          code: awaited.report.code,
          asks: awaited.asks,
          sentBackNote: awaited.report.sentBackNote,
          content: awaited.report.content ?? "",
          figures: plan.figures.map(({ key, label, unit, kind, isRequired }) => {
            const value = lastFigures.get(key);
            return { key, label, unit, kind, isRequired, last: value === undefined ? null : figureText(kind, value) };
          }),
        }
      : null,
  };
}

async function findLastSent(db: DbOrTx, key: RoundKey): Promise<Report | null> {
  const [last] = await db
    .select()
    .from(farmReports)
    .where(and(ofRound(key), isNotNull(farmReports.sentAt)))
    .orderBy(desc(farmReports.number))
    .limit(1);
  return last ?? null;
}

/** The name of whoever sent a report: a person's, or what their link was called. */
async function nameOfSender(db: DbOrTx, { sentBy, sentLinkId }: Report): Promise<string> {
  const [person] = sentBy ? await db.select({ name: users.fullName }).from(users).where(eq(users.id, sentBy)) : [];
  if (person?.name) return person.name;
  const [link] = sentLinkId
    ? await db.select({ name: reportLinks.label }).from(reportLinks).where(eq(reportLinks.id, sentLinkId))
    : [];
  return link?.name ?? "Somebody";
}

type Sending = z.output<typeof sendReportInput>;
type Sent = { number: number; sentAt: Date } | { questions: string[] };

/**
 * Keeps a report as sent, with the photos that arrived before it. Figures that look wrong come back as questions, unless
 * the sender confirmed them. The same key has the same answer. Throws "not_found"; "conflict" if somebody sent it before,
 * it isn't open yet, is missed or its round is over; "invalid" at a figure, or at the note if the stock doesn't add up and
 * none says why.
 */
export async function sendReport(ctx: Context, input: Sending): Promise<Sent> {
  const reporter = await requireReporter(ctx, input.by);
  return inTransaction(ctx.db, (tx) => keepReport(tx, ctx, reporter, input));
}

async function keepReport(tx: Tx, ctx: Context, reporter: Reporter, input: Sending): Promise<Sent> {
  const { number, idempotencyKey, content } = input;
  const now = ctx.clock.now();
  const report = await lockReport(tx, and(ofRound(reporter), eq(farmReports.number, number)));
  await holdReportersRight(tx, reporter);
  if (report.sentAt) {
    if (report.idempotencyKey === idempotencyKey) return { number, sentAt: report.sentAt };
    throw new AppError("conflict", texts.sentAlready(await nameOfSender(tx, report), report.sentAt));
  }
  if (report.sentBackNote !== null && report.idempotencyKey === idempotencyKey)
    throw new AppError("conflict", texts.sentBack(report.sentBackNote));
  await requireSendable(tx, report, now);
  const { figures: planned, template } = await readPlan(tx, report);
  const figures = readFigures(planned, input.figures);
  const earlier = await listEarlierFigures(tx, report);
  const farmNote = input.farmNote.trim() || null;
  const expected = expectedStock(planned, earlier[0] ?? new Map(), figures);
  if (expected !== null && farmNote === null)
    throw fieldRefusal("farmNote", texts.noteForStock(quantityText(expected < 0n ? 0n : expected)));
  const under = await underPlanAgain(tx, reporter, { report, planned, figures, last: earlier[0] });
  if (under.length > 0 && farmNote === null)
    throw fieldRefusal("farmNote", texts.noteForPlan(under.map(({ label }) => label).join(", ")));
  const days = await countDays(tx, report, now);
  const questions = questionsOf({ template, planned, figures, earlier, days });
  if (questions.length > 0 && !input.isConfirmed) return { questions };
  await keepPhotos(tx, ctx, report, input.photoKeys);
  await comparePhotos(tx, report, now);
  await tx.delete(reportFigures).where(eq(reportFigures.reportId, report.id));
  const rows = [...figures].map(([key, value]) => ({ reportId: report.id, key, value }));
  if (rows.length > 0) await tx.insert(reportFigures).values(rows);
  const { userId: sentBy, linkId: sentLinkId } = reporter;
  await tx
    .update(farmReports)
    .set({ content, farmNote, idempotencyKey, firstSentAt: report.firstSentAt ?? now, sentAt: now, sentBy, sentLinkId })
    .where(eq(farmReports.id, report.id));
  const { projectId, projectTitle: title, round } = reporter;
  await recordAudit(tx, ctx, "send_report", { projectId, title, round, number, linkId: sentLinkId });
  const facts = await readMailFacts(tx, ctx, report);
  if (!facts) return { number, sentAt: now };
  // A report that was sent back comes again, and is told of again.
  const about = { kind: "farm_report" as const, projectId, eventKey: `report:${report.id}:came:${now.getTime()}` };
  const managers = await administratorsWith(tx, "projects:edit");
  await notify(tx, ctx, { ...reportCameNotice(facts), ...about, userIds: managers.filter((id) => id !== sentBy) });
  if (under.length > 0) {
    const userIds = (await listActiveOwners(tx)).map(({ id }) => id);
    await notify(tx, ctx, { ...underPlanNotice(facts), ...about, eventKey: `report:${report.id}:under_plan`, userIds });
  }
  return { number, sentAt: now };
}

/** Writes down what is noticed about a report's photos. Those of an earlier sending were looked at then. */
async function comparePhotos(tx: Tx, { id, sentBackAt }: Report, now: Date): Promise<void> {
  const { fileId, createdAt, position, reportId } = updatePhotos;
  const own = await tx
    .select({ fileId, cameAt: createdAt })
    .from(updatePhotos)
    .where(eq(reportId, id))
    .orderBy(asc(position));
  const sent = sentBackAt ? own.filter(({ cameAt }) => cameAt > sentBackAt) : own;
  await writePhotoFindings(tx, { sent, ownFileIds: own.map((photo) => photo.fileId), now });
}

/**
 * Throws "conflict" if a report that wasn't sent is missed, isn't open yet, or its round is over. Its photos come until
 * then.
 */
export async function requireSendable(db: DbOrTx, report: Report, now: Date): Promise<void> {
  if (reportState(report, now) === "missed") throw new AppError("conflict", texts.tooLate);
  if (opensFrom(report.dueAt) > now) throw new AppError("conflict", texts.tooEarly);
  const over = await listSettledRounds(db, report.projectId);
  if (over.has(report.round)) throw new AppError("conflict", texts.roundEnded);
}

type Compared = { report: Report; planned: PlannedFigure[]; figures: Figures; last: Figures | undefined };

/** The figures that are far under the plan, as one of the report before was. */
async function underPlanAgain(db: DbOrTx, key: RoundKey, { report, planned, figures, last }: Compared) {
  const [funded] = await db
    .select({ at: projectRounds.decidedAt })
    .from(projectRounds)
    .where(and(eq(projectRounds.projectId, key.projectId), eq(projectRounds.round, key.round)));
  const [before] = await db
    .select()
    .from(farmReports)
    .where(and(ofRound(key), isNotNull(farmReports.sentAt), lt(farmReports.number, report.number)))
    .orderBy(desc(farmReports.number))
    .limit(1);
  if (!funded?.at || !last || !before) return [];
  const gone = (await listGone(db, key)).get(before.number) ?? 0n;
  const { figures: plannedBefore } = await readPlan(db, before);
  const earlier = underPlan({ figures: plannedBefore, values: last, week: weekOf(funded.at, before.dueAt), gone });
  if (earlier.length === 0) return [];
  const week = weekOf(funded.at, report.dueAt);
  return underPlan({ figures: planned, values: figures, week, gone: gone + countGone(figures) });
}

/** Part of a transaction: one report, locked. Throws "not_found". */
export async function lockReport(tx: Tx, which: SQL | undefined): Promise<Report> {
  const [report] = await tx.select().from(farmReports).where(which).for("no key update");
  if (!report) throw new AppError("not_found", texts.notFound);
  return report;
}

const compared = 6;

/** The figures of the reports that came before, the last first. */
export async function listEarlierFigures(db: DbOrTx, { projectId, round, number }: Report): Promise<Figures[]> {
  const earlier = await db
    .select({ id: farmReports.id, number: farmReports.number })
    .from(farmReports)
    .where(and(ofRound({ projectId, round }), isNotNull(farmReports.sentAt)))
    .orderBy(desc(farmReports.number));
  const ids = earlier.filter((report) => report.number < number).slice(0, compared);
  return Promise.all(ids.map(({ id }) => readFiguresOf(db, id)));
}

/** Keeps the photos with these keys in their order, and lets the others go. Throws "conflict" if one hasn't arrived. */
async function keepPhotos(tx: Tx, ctx: Context, report: Report, photoKeys: readonly string[]): Promise<void> {
  const isOther = photoKeys.length > 0 ? notInArray(updatePhotos.photoKey, [...photoKeys]) : undefined;
  const dropped = await tx
    .delete(updatePhotos)
    .where(and(eq(updatePhotos.reportId, report.id), isOther))
    .returning({ fileId: updatePhotos.fileId });
  await enqueueRemoval(
    tx,
    ctx,
    dropped.map(({ fileId }) => fileId),
  );
  if (photoKeys.length === 0) return;
  const ofReport = and(eq(updatePhotos.reportId, report.id), inArray(updatePhotos.photoKey, [...photoKeys]));
  const kept = await tx.$count(updatePhotos, ofReport);
  if (kept !== new Set(photoKeys).size) throw new AppError("conflict", texts.photoMissing);
  for (const [index, photoKey] of photoKeys.entries()) {
    const isOne = and(eq(updatePhotos.reportId, report.id), eq(updatePhotos.photoKey, photoKey));
    await tx
      .update(updatePhotos)
      .set({ position: index + 1 })
      .where(isOne);
  }
}
