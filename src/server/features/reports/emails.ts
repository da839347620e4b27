import type { NoticeText } from "#server/features/notifications/service.ts";
import { greeting, type Mail } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { formatDateTime, formatWeekdayTime } from "#shared/dates.ts";
import type { Site } from "#shared/site/site.ts";

type Owed = {
  site: Site;
  projectId: number;
  projectTitle: string;
  farmName: string;
  number: number;
  dueAt: Date;
  sentBackAt: Date | null;
};

/**
 * The occasion of a reminder to a farm's people: the day before, the due day, 48 hours later, or a report sent back.
 */
export type Reminder = "tomorrow" | "due" | "late" | { sentBack: string };

/** Sent to a farm's people, with the code that a photo has to show. */
export function reminderMail(
  { site, projectId, projectTitle, number, dueAt, sentBackAt }: Owed,
  { reminder, code, fullName }: { reminder: Reminder; code: string; fullName: string },
): Mail {
  const project = oneLine(projectTitle);
  const when = formatWeekdayTime(dueAt);
  const said =
    reminder === "tomorrow"
      ? { subject: `${project}: report ${number} is due tomorrow`, text: `Report ${number} is due on ${when}.` }
      : reminder === "due"
        ? { subject: `${project}: report ${number} is due`, text: `Report ${number} is due today, ${when}.` }
        : reminder === "late"
          ? {
              subject: `${project}: report ${number} is late`,
              text: `Report ${number} was ${sentBackAt ? "sent back" : "due"} on ${formatDateTime(sentBackAt ?? dueAt)}. Its backers see that it hasn't come.`,
            }
          : {
              subject: `${project}: please send report ${number} again`,
              text: `We couldn't publish report ${number}: ${oneLine(reminder.sentBack)}`,
            };
  return {
    subject: said.subject,
    content: {
      title: said.subject,
      paragraphs: [
        greeting(fullName),
        said.text,
        `Write ${code} on a slate, and have it in one photo. A few figures and a few words are enough.`,
      ],
      action: { label: "Write the report", url: `${site.publicUrl}/farm/${projectId}/report` },
    },
  };
}

/** Tells managers that a report is late, and owners that one is missed. */
export function silentFarmNotice({
  site,
  projectId,
  projectTitle,
  farmName,
  number,
  dueAt,
  sentBackAt,
}: Owed): NoticeText {
  const project = oneLine(projectTitle);
  const since = sentBackAt ? `was sent back on ${formatDateTime(sentBackAt)}` : `was due on ${formatDateTime(dueAt)}`;
  const text = `${oneLine(farmName)} hasn't sent report ${number} of ${project}, which ${since}.`;
  return {
    title: "A farm is silent",
    content: text,
    mail: ({ fullName }) => ({
      subject: `${project}: report ${number} hasn't come`,
      content: {
        title: `Report ${number} hasn't come`,
        paragraphs: [
          greeting(fullName),
          text,
          "Call the farm. If there is a good reason, excuse the report: backers read why.",
        ],
        action: { label: "See its reports", url: `${site.publicUrl}/project-updates/${projectId}` },
      },
    }),
  };
}

/** Tells backers that a report is missed. `silentDays` counts from the last report, or from the funding. */
export function missedReportNotice({
  site,
  projectId,
  projectTitle,
  farmName,
  silentDays,
}: Owed & { silentDays: number }): NoticeText {
  const project = oneLine(projectTitle);
  const farm = oneLine(farmName);
  const text = `${farm} has not reported for ${silentDays} days. We have asked the farm, and tell you what we hear.`;
  return {
    title: "No report from the farm",
    content: `${project}: ${text}`,
    mail: ({ fullName }) => ({
      subject: `${project}: no report for ${silentDays} days`,
      content: {
        title: `No report for ${silentDays} days`,
        paragraphs: [greeting(fullName), text],
        action: { label: "See your project", url: `${site.publicUrl}/backed-project/${projectId}` },
      },
    }),
  };
}

/** Tells managers that a report came. */
export function reportCameNotice({ site, projectId, projectTitle, farmName, number }: Owed): NoticeText {
  const project = oneLine(projectTitle);
  const text = `${oneLine(farmName)} sent report ${number} of ${project}. Look at it and publish it.`;
  return {
    title: "A farm reports",
    content: text,
    mail: ({ fullName }) => ({
      subject: `${project}: report ${number} came`,
      content: {
        title: `Report ${number} came`,
        paragraphs: [greeting(fullName), text],
        action: { label: "Look at it", url: `${site.publicUrl}/project-updates/${projectId}` },
      },
    }),
  };
}

/** Tells owners that two reports in a row were under four fifths of the plan. */
export function underPlanNotice({ site, projectId, projectTitle, number }: Owed): NoticeText {
  const project = oneLine(projectTitle);
  const text = `The last two reports of ${project} are under four fifths of its plan.`;
  return {
    title: "A farm is under its plan",
    content: text,
    mail: ({ fullName }) => ({
      subject: `${project}: under its plan`,
      content: {
        title: "Under its plan",
        paragraphs: [greeting(fullName), `${text} Report ${number} has the farm's note.`],
        action: { label: "See its reports", url: `${site.publicUrl}/project-updates/${projectId}` },
      },
    }),
  };
}
