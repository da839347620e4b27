import type { NoticeText } from "#server/features/notifications/service.ts";
import { greeting, questionsNote } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import type { Site } from "#shared/site/site.ts";

type Farm = { site: Site; projectId: number; projectTitle: string };

/** Sent to the backers of a round that two owners have written off, with their words. */
export function writtenOffNotice({ reason, ...project }: Farm & { reason: string }): NoticeText {
  const title = oneLine(project.projectTitle);
  const content = `The round of ${title} that you paid for has ended: nothing more will come of it. Reason: ${oneLine(reason)}`;
  return {
    title: "Round ended",
    content,
    mail: ({ fullName }) => ({
      subject: `Your round of ${title} has ended: nothing more will come`,
      content: {
        title: "Your round has ended: nothing more will come",
        paragraphs: [
          greeting(fullName),
          `The round of ${title} that you paid for has ended: nothing more will come of it, and nothing can be given back.`,
          `Reason: ${reason}`,
        ],
        action: { label: "Open the project", url: `${project.site.publicUrl}/backed-project/${project.projectId}` },
        footnote: questionsNote(project.site),
      },
    }),
  };
}
