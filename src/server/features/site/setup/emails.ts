import { greeting, type MailContent } from "#server/mail/layout.ts";
import { setupLimits } from "#shared/site/setup-texts.ts";
import type { Site } from "#shared/site/site.ts";

/** The code that an owner enters at the set-up, to show that mails leave the server. */
export function mailCodeMail(input: { fullName: string; site: Site; code: string }): {
  subject: string;
  content: MailContent;
} {
  const { fullName, site, code } = input;
  return {
    subject: `Your code for ${site.name}`,
    content: {
      title: "Mails leave your server",
      paragraphs: [
        greeting(fullName),
        `This mail has reached you, so ${site.name} can write to its backers. Enter the code on the set-up page, under Mail, to have that kept.`,
      ],
      figures: [{ label: "Your code", value: code, isCode: true }],
      action: { label: "Go on with the set-up", url: `${site.publicUrl}/admin/set-up?step=mail` },
      footnote: `The code works once, within ${setupLimits.mailCodeHours} hours, for whoever asked for it.`,
    },
  };
}
