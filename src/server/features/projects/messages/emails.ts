import type { NoticeText } from "#server/features/notifications/service.ts";
import { greeting } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import type { Site } from "#shared/site/site.ts";
import { excerptOf } from "./rules.ts";

type Facts = { site: Site; projectId: number; projectTitle: string; content: string };

/** Sent to the administrators of projects. */
export function backerMessageNotice(message: Facts & { senderName: string; isPrivate: boolean }): NoticeText {
  const title = oneLine(message.projectTitle);
  const name = oneLine(message.senderName) || "A backer";
  return {
    title: "New message from a backer",
    content: `${name} wrote about ${title}: ${excerptOf(message.content)}`,
    mail: () => ({
      subject: `New message from a backer: ${title}`,
      content: {
        title: "New message from a backer",
        paragraphs: [
          `${name} wrote about ${title}:`,
          message.content,
          ...(message.isPrivate ? ["It was written to the team only: no other backer can read it."] : []),
        ],
        action: { label: "Read and answer", url: `${message.site.publicUrl}/project-updates/${message.projectId}` },
      },
    }),
  };
}

/** Sent to the project's backers, or to one. It doesn't name the administrator. */
export function adminMessageNotice(message: Facts & { isPrivate: boolean }): NoticeText {
  const title = oneLine(message.projectTitle);
  return {
    title: "New message about your project",
    content: `${title}: ${excerptOf(message.content)}`,
    mail: ({ fullName }) => ({
      subject: `New message about ${title}`,
      content: {
        title: "New message about your project",
        paragraphs: [
          greeting(fullName),
          `The team that looks after ${title} wrote${message.isPrivate ? " to you" : ""}:`,
          message.content,
          ...(message.isPrivate ? ["Only you and the team can read it."] : []),
        ],
        action: {
          label: "Read and answer",
          url: `${message.site.publicUrl}/backed-project/${message.projectId}?tab=messages`,
        },
      },
    }),
  };
}
