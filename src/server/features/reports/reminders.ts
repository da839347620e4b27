import { and, asc, eq, isNull, lte } from "drizzle-orm";
import { listActiveOwners } from "#server/accounts/users.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { farmPeople, farms } from "#server/db/schema/farms.ts";
import { projects } from "#server/db/schema/projects.ts";
import { farmReports } from "#server/db/schema/reports.ts";
import { users } from "#server/db/schema/users.ts";
import { administratorsWith } from "#server/features/notifications/queries.ts";
import { notify } from "#server/features/notifications/service.ts";
import { listBackersOf } from "#server/features/projects/queries.ts";
import { wasAskedWithin } from "#server/features/projects/reporting/queries.ts";
import { queueMails } from "#server/mail/outbox.ts";
import { forEachOnItsOwn } from "#server/platform/async.ts";
import type { Deps } from "#server/platform/deps.ts";
import { dayMs, daysBetween } from "#shared/lagos-time.ts";
import { lateAt, missedAt, reportState } from "#shared/reports/schedule.ts";
import { missedReportNotice, type Reminder, reminderMail, silentFarmNotice } from "./emails.ts";
import { type MailFacts, type Report, readMailFacts, silentSince } from "./service.ts";

/**
 * Mails about reports, each once: the day before and at the time to the farm's people; two days later to them and managers; a
 * week later to owners and backers. If the job was down, only the latest mail that is due is sent.
 */
export async function remindOfReports(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const owed = await deps.db
    .select({ id: farmReports.id })
    .from(farmReports)
    .where(
      and(
        isNull(farmReports.sentAt),
        isNull(farmReports.excusedAt),
        lte(farmReports.dueAt, new Date(now.getTime() + dayMs)),
        wasAskedWithin(toldForDays, now),
      ),
    )
    .orderBy(asc(farmReports.id));
  await forEachOnItsOwn(deps.log, owed, ({ id }) => inTransaction(deps.db, (tx) => remind(tx, deps, id)));
}

/** The days after it was due or sent back in which people are told of a report. Later only the next ones are. */
const toldForDays = 14;

async function remind(tx: Tx, deps: Deps, reportId: number): Promise<void> {
  const now = deps.clock.now();
  const [report] = await tx.select().from(farmReports).where(eq(farmReports.id, reportId)).for("share");
  if (!report || report.sentAt || report.excusedAt) return;
  const owed = await readMailFacts(tx, deps, report);
  if (!owed) return;
  // One that was sent back has its time anew, and its mails.
  const event = `report:${report.id}${report.sentBackAt ? `:${report.sentBackAt.getTime()}` : ""}`;
  if (now >= missedAt(report)) {
    const owners = (await listActiveOwners(tx)).map(({ id }) => id);
    const about = { projectId: report.projectId, eventKey: `${event}:missed` };
    await notify(tx, deps, { ...silentFarmNotice(owed), ...about, kind: "farm_report", userIds: owners });
    const silentDays = daysBetween(await silentSince(tx, report), now);
    const userIds = (await listBackersOf(tx, report.projectId)).filter((id) => !owners.includes(id));
    await notify(tx, deps, {
      ...missedReportNotice({ ...owed, silentDays }),
      ...about,
      kind: "project_update",
      userIds,
    });
    return;
  }
  if (now > lateAt(report)) {
    await mailFarm(tx, deps, { report, owed, reminder: "late", eventKey: `${event}:late` });
    const about = { projectId: report.projectId, eventKey: `${event}:late` };
    const userIds = await administratorsWith(tx, "projects:edit");
    await notify(tx, deps, { ...silentFarmNotice(owed), ...about, kind: "farm_report", userIds });
    return;
  }
  // Sending it back told the farm already.
  if (report.sentBackAt || reportState(report, now) === "coming") return;
  const reminder = now >= report.dueAt ? "due" : "tomorrow";
  await mailFarm(tx, deps, { report, owed, reminder, eventKey: `${event}:${reminder}` });
}

/** Mails everybody who reports for the farm of a report. An event reaches an address once. */
export async function mailFarm(
  tx: Tx,
  deps: Deps,
  { report, owed, reminder, eventKey }: { report: Report; owed: MailFacts; reminder: Reminder; eventKey: string },
): Promise<void> {
  const people = await tx
    .select({ email: users.email, fullName: users.fullName })
    .from(farmPeople)
    .innerJoin(users, eq(users.id, farmPeople.userId))
    .innerJoin(farms, eq(farms.id, farmPeople.farmId))
    .innerJoin(projects, eq(projects.farmId, farms.id))
    .where(
      and(
        eq(projects.id, report.projectId),
        isNull(farmPeople.endedAt),
        isNull(farms.closedAt),
        eq(users.isBlocked, false),
        isNull(users.closedAt),
      ),
    );
  const mails = people.map(({ email, fullName }) => ({
    eventKey,
    to: email,
    ...reminderMail(owed, { reminder, code: report.code, fullName }),
  }));
  await queueMails(tx, deps, mails, { isUrgent: false });
}
