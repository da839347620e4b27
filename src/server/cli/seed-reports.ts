import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { farmReports } from "#server/db/schema/reports.ts";
import { acceptFarmInvite, inviteToFarm } from "#server/features/farms/people.ts";
import { requireReporter } from "#server/features/reports/access.ts";
import { askForReport } from "#server/features/reports/asks.ts";
import { sweepReports } from "#server/features/reports/jobs.ts";
import { keepReportPhoto } from "#server/features/reports/photos.ts";
import { savePlan } from "#server/features/reports/plans.ts";
import { excuseReport, publishReport } from "#server/features/reports/publishing.ts";
import { type Report, sendReport } from "#server/features/reports/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { dayInLagos, startOfDay } from "#shared/dates.ts";
import { dayMs, hourMs } from "#shared/lagos-time.ts";
import { saveReportPlanInput, sendReportInput } from "#shared/reports/inputs.ts";
import { reportTiming } from "#shared/reports/schedule.ts";
import { planOfTemplate } from "#shared/reports/templates.ts";
import { type DemoReport, type DemoReports, planOf, type ReportingFarm } from "./demo-reports.ts";
import { findBacker } from "./seed-farms.ts";
import { findMailedToken, type Office, type Person, type Step } from "./seed-office.ts";
import { drawReportPhoto } from "./seed-photos.ts";

/** The demo's farms report, week after week. */

const round = 1;
const dueHour = 18;

/**
 * The steps of all reports: farms promise them and their people join, the job writes what is owed and reminds of it, reports
 * come, and managers publish them.
 */
export const planReports = (office: Office, { farms, promised }: DemoReports): Step[] => [
  ...promised.map(({ farm, template }) => promise(office, farm, planOfTemplate(template))),
  ...farms.flatMap((farm) => planFarm(office, farm)),
  ...planSweeps(office, farms),
];

/** The job runs where it has something to do: before the first report, after each, and where one is late or missed. */
function planSweeps(office: Office, farms: ReportingFarm[]): Step[] {
  const moments = farms.flatMap((farm) =>
    farm.reports.flatMap((report, index) => {
      const due = dueOf(office, farm, index + 1).getTime();
      const isOnTime = report !== null && !("lateDays" in report && report.lateDays);
      const waited = isOnTime ? [] : [due + reportTiming.lateHours * hourMs, due + reportTiming.missedDays * dayMs];
      return [...(index === 0 ? [due - dayMs] : []), due, ...waited];
    }),
  );
  return [...new Set(moments)].flatMap((moment): Step[] => {
    const at = new Date(moment + 1000);
    return at > office.now ? [] : [{ at, run: () => sweepReports(office.as("owner", at)) }];
  });
}

/** When a farm's report is due. */
function dueOf({ ago }: Office, { reports, plan, lastDueDaysAgo }: ReportingFarm, number: number): Date {
  const last = startOfDay(dayInLagos(ago(lastDueDaysAgo))).getTime() + dueHour * hourMs;
  return new Date(last - (reports.length - number) * plan.everyDays * dayMs);
}

/** An owner writes a project's report plan on its first day. */
const promise = (office: Office, slug: string, plan: unknown): Step =>
  planToSave(office, slug, plan, office.ago(office.farmOf(slug).startedDaysAgo));

const planToSave = (office: Office, slug: string, plan: unknown, at: Date): Step => ({
  at,
  run: () => {
    const { projectId } = office.farmOf(slug);
    return savePlan(office.as("owner", at), saveReportPlanInput.parse({ projectId, plan }));
  },
});

function planFarm(office: Office, farm: ReportingFarm): Step[] {
  const { ago, as } = office;
  const person = office.personOf(farm.farm);
  const { startedDaysAgo } = office.farmOf(farm.farm);
  const lastDue = dueOf(office, farm, farm.reports.length);
  // Sunday is 0 to JavaScript and 7 to people.
  const plan = planOf(farm, lastDue.getUTCDay() || 7);
  const ended = ago(farm.lastDueDaysAgo + 0.4);
  return [
    promise(office, farm.farm, plan),
    ...planJoining(office, { farm, person, at: ago(startedDaysAgo - 1) }),
    ...farm.reports.flatMap((report, index): Step[] => {
      const number = index + 1;
      if (report === null) return [];
      if ("content" in report) return planReport(office, { farm, person, number, report });
      const excuse = async () => {
        const { id: reportId } = await findReport(office, farm, number);
        await excuseReport(as("second", ended), { reportId, reason: report.excuse });
      };
      return [{ at: ended, run: excuse }];
    }),
    ...(farm.endsOnLast ? [planToSave(office, farm.farm, { ...plan, endsOn: dayInLagos(lastDue) }, ended)] : []),
    ...farm.askedDaysAgo.map((daysAgo, index): Step => {
      const at = ago(daysAgo);
      const ask = async () => {
        const { projectId } = office.farmOf(farm.farm);
        const backer = await findBacker(office, projectId, index);
        await askForReport(office.asPerson(backer, at), { projectId });
      };
      return { at, run: ask };
    }),
  ];
}

type Joining = { farm: ReportingFarm; person: Person; at: Date };

/** An owner invites the person, who accepts by the link of the mail a few hours later. */
function planJoining(office: Office, { farm, person, at }: Joining): Step[] {
  const { email, fullName } = person;
  const { role } = farm.person;
  const later = new Date(at.getTime() + 5 * hourMs);
  const invite = () => {
    const { farmId } = office.farmOf(farm.farm);
    return inviteToFarm(office.as("owner", at), { farmId, email, fullName, role });
  };
  const accept = async () =>
    acceptFarmInvite(office.asPerson(person, later), { token: await findMailedToken(office, email) });
  return [
    { at, run: invite },
    { at: later, run: accept },
  ];
}

type Sending = { farm: ReportingFarm; person: Person; number: number; report: DemoReport };

/** The farm's person sends a report, and a manager publishes it the next morning unless a photo is to be decided about. */
function planReport(office: Office, sending: Sending): Step[] {
  const { farm, person, number, report } = sending;
  const { content, figures, farmNote, lateDays, photos } = report;
  const beforeMs = (2 + ((number * 5) % 7)) * hourMs;
  const afterDueMs = lateDays === undefined ? -beforeMs : lateDays * dayMs;
  const sentAt = new Date(dueOf(office, farm, number).getTime() + afterDueMs);
  const send = async () => {
    const ctx = office.asPerson(person, sentAt);
    const { projectId } = office.farmOf(farm.farm);
    const photoKeys = await sendPhotos(office, ctx, sending);
    const typed = { by: { projectId }, number, idempotencyKey: randomUUID(), content, figures, farmNote, photoKeys };
    const sent = await sendReport(ctx, sendReportInput.parse(typed));
    if ("questions" in sent) throw new Error(`report ${number} of ${farm.farm}: ${sent.questions.join(" ")}`);
  };
  if (photos.some(({ isMirrored }) => isMirrored)) return [{ at: sentAt, run: send }];
  const publishedAt = new Date(sentAt.getTime() + 18 * hourMs);
  const publish = async () => {
    const { id: reportId } = await findReport(office, farm, number);
    const isCodeSeen = photos.some(({ slate }) => slate !== undefined);
    await publishReport(office.as("second", publishedAt), { reportId, isCodeSeen });
  };
  return [
    { at: sentAt, run: send },
    { at: publishedAt, run: publish },
  ];
}

/** Sends the photos of a report, before the report itself. Returns their keys. */
async function sendPhotos(office: Office, ctx: ActorContext, { farm, number, report }: Sending): Promise<string[]> {
  const { id, code, projectId } = await findReport(office, farm, number);
  const reporter = await requireReporter(ctx, { projectId });
  const keys: string[] = [];
  for (const [index, photo] of report.photos.entries()) {
    const photoKey = randomUUID();
    const file = await office.storeFile(await drawReportPhoto({ slug: farm.farm, photo, code }), "photo");
    const upload = { ...file, originalName: `report-${id}-${index + 1}.jpg` };
    await keepReportPhoto(ctx, reporter, { number, photoKey, upload });
    keys.push(photoKey);
  }
  return keys;
}

/** A report's row, which the job has written. Throws if it is due at another time than the demo's file says. */
async function findReport(office: Office, farm: ReportingFarm, number: number): Promise<Report> {
  const { projectId } = office.farmOf(farm.farm);
  const isOne = and(eq(farmReports.projectId, projectId), eq(farmReports.round, round), eq(farmReports.number, number));
  const [report] = await office.tx.select().from(farmReports).where(isOne);
  const dueAt = dueOf(office, farm, number).toISOString();
  if (report?.dueAt.toISOString() !== dueAt)
    throw new Error(`report ${number} of ${farm.farm} is due ${report?.dueAt.toISOString()}, not ${dueAt}`);
  return report;
}
