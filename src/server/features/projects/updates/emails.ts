import type { NoticeText } from "#server/features/notifications/service.ts";
import { greeting } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import type { Site } from "#shared/site/site.ts";

/** The mail contains the beginning of a long report; the page has the rest. */
const mailedCharacters = 1500;

/** Sent to a project's backers when a report is published. */
export function projectUpdateNotice(update: {
  site: Site;
  projectId: number;
  projectTitle: string;
  title: string;
  content: string;
}): NoticeText {
  const project = oneLine(update.projectTitle);
  const title = oneLine(update.title);
  const letters = [...update.content];
  const isCut = letters.length > mailedCharacters;
  const beginning = isCut ? `${letters.slice(0, mailedCharacters).join("").trimEnd()}…` : update.content;
  return {
    title: "New project update",
    content: `${project}: ${title}`,
    mail: ({ fullName }) => ({
      subject: `${project}: ${title}`,
      content: {
        title,
        paragraphs: [greeting(fullName), `There is a new report on ${project}:`, beginning],
        action: {
          label: isCut ? "Read the whole report" : "See your project",
          url: `${update.site.publicUrl}/backed-project/${update.projectId}`,
        },
      },
    }),
  };
}
