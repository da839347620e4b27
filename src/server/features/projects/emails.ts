import type { NoticeText } from "#server/features/notifications/service.ts";
import { greeting } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { holdTexts } from "#shared/holds-texts.ts";
import { countLots } from "#shared/projects-texts.ts";

/** Sent to the backers of a closed project: it expired, a payment took it, or an administrator closed it. */
export function projectClosedNotice(project: {
  publicUrl: string;
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
        paragraphs: [greeting(fullName), content, "Nothing changes for you: the updates go on."],
        action: { label: "See your project", url: `${project.publicUrl}/backed-project/${project.projectId}` },
      },
    }),
  };
}

/** Sent to the backers of a project that is open again. */
export function projectReopenedNotice(project: {
  publicUrl: string;
  projectId: number;
  projectTitle: string;
}): NoticeText {
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
        action: { label: "See your project", url: `${project.publicUrl}/backed-project/${project.projectId}` },
      },
    }),
  };
}

/** Sent to who held lots of a project that is deleted, or waited for some (`heldLots` is null then). */
export function projectRemovedNotice(project: {
  publicUrl: string;
  projectTitle: string;
  heldLots: number | null;
}): NoticeText {
  const { publicUrl, heldLots } = project;
  const title = oneLine(project.projectTitle);
  const isWaiting = heldLots === null;
  const heading = isWaiting ? "The waiting list has ended" : "Your hold has ended";
  const content = isWaiting
    ? `You no longer wait for lots of ${title}. ${holdTexts.projectRemoved}`
    : `${countLots(heldLots)} of ${title} ${heldLots === 1 ? "is" : "are"} no longer held for you. Reason: ${holdTexts.projectRemoved}`;
  return {
    title: heading,
    content,
    mail: ({ fullName }) => ({
      subject: `${heading}: ${title}`,
      content: {
        title: heading,
        paragraphs: [
          greeting(fullName),
          content,
          isWaiting ? "Other farms are open to backers." : "If you have already paid, please contact us.",
        ],
        action: isWaiting
          ? { label: "See other farms", url: `${publicUrl}/discover` }
          : { label: "Contact us", url: `${publicUrl}/contact` },
      },
    }),
  };
}
