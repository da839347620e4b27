import type { NoticeText } from "#server/features/notifications/service.ts";
import { greeting } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import type { Site } from "#shared/site/site.ts";

/** Mails to owners about what takes two people. */

type Asked = { site: Site; by: string; title: string };

const action = ({ site }: Asked) => ({ label: "Open the dashboard", url: `${site.publicUrl}/admin/dashboard` });

export function askedNotice({ reason, ...asked }: Asked & { reason: string }): NoticeText {
  const what = oneLine(asked.title);
  const content = `${oneLine(asked.by)} asks for a second person: ${what}. Reason: ${oneLine(reason)}`;
  return {
    title: "A second person is needed",
    content,
    mail: ({ fullName }) => ({
      subject: `A second person is needed: ${what}`,
      content: {
        title: "A second person is needed",
        paragraphs: [
          greeting(fullName),
          content,
          `Nothing happens before another owner confirms it. The request ends by itself after ${secondPersonLimits.days} days.`,
        ],
        action: action(asked),
      },
    }),
  };
}

export function decidedNotice({ decision, ...asked }: Asked & { decision: "confirmed" | "declined" }): NoticeText {
  const what = oneLine(asked.title);
  const title = decision === "confirmed" ? "Your request was confirmed" : "Your request was declined";
  const done = decision === "confirmed" ? "It is done." : "Nothing was changed.";
  const content = `${oneLine(asked.by)} ${decision} what you asked for: ${what}. ${done}`;
  return {
    title,
    content,
    mail: ({ fullName }) => ({
      subject: `${title}: ${what}`,
      content: { title, paragraphs: [greeting(fullName), content], action: action(asked) },
    }),
  };
}

/** For every owner: what takes two people is done, or one did it who is alone. */
export function doneNotice({ isAlone, reason, ...asked }: Asked & { isAlone: boolean; reason: string }): NoticeText {
  const what = oneLine(asked.title);
  const title = isAlone ? "An owner confirmed their own request" : "Two owners did this";
  const content = `${oneLine(asked.by)} confirmed: ${what}. Reason: ${oneLine(reason)}`;
  return {
    title,
    content,
    mail: ({ fullName }) => ({
      subject: `${title}: ${what}`,
      content: {
        title,
        paragraphs: [
          greeting(fullName),
          content,
          "All owners are told of everything that takes two of them. If it surprises you, talk to them today.",
        ],
        action: action(asked),
      },
    }),
  };
}
