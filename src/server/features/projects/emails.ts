import type { NoticeText } from "#server/features/notifications/service.ts";
import { greeting } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import type { Site } from "#shared/site/site.ts";

/** Sent to the backers of a closed project: it expired, a payment took it, or an administrator closed it. */
export function projectClosedNotice(project: {
  site: Site;
  projectId: number;
  projectTitle: string;
  hasExpired: boolean;
}): NoticeText {
  const title = oneLine(project.projectTitle);
  const content = project.hasExpired
    ? `${title} has closed: its time has run out.`
    : `${title} is now closed to new backers.`;
  return {
    title: "Project closed",
    content,
    mail: ({ fullName }) => ({
      subject: `${title} is now closed`,
      content: {
        title: "Project closed",
        paragraphs: [
          greeting(fullName),
          content,
          "The updates go on. If too few lots were sold for the farm to start, what you paid is due back to you, and we write to you.",
        ],
        action: { label: "See your project", url: `${project.site.publicUrl}/backed-project/${project.projectId}` },
      },
    }),
  };
}

/** Sent to the backers of a project that is open again. */
export function projectReopenedNotice(project: { site: Site; projectId: number; projectTitle: string }): NoticeText {
  const title = oneLine(project.projectTitle);
  const content = `${title} is open to backers again.`;
  return {
    title: "Project reopened",
    content,
    mail: ({ fullName }) => ({
      subject: `${title} is open again`,
      content: {
        title: "Project reopened",
        paragraphs: [
          greeting(fullName),
          content,
          "Nothing changes for you: you stay its backer, and the updates go on.",
        ],
        action: { label: "See your project", url: `${project.site.publicUrl}/backed-project/${project.projectId}` },
      },
    }),
  };
}
