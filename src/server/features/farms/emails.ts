import { greeting, type MailContent } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { farmRoleInWords } from "#shared/farms/people-texts.ts";
import type { FarmRole } from "#shared/farms/texts.ts";
import type { Site } from "#shared/site/site.ts";

type Invited = {
  site: Site;
  fullName: string;
  invitedBy: string;
  farmName: string;
  role: FarmRole;
  hours: number;
  url: string;
};

/** Sent to whoever is invited to work for a farm. */
export function farmInvitationMail({ site, fullName, invitedBy, farmName, role, hours, url }: Invited): {
  subject: string;
  content: MailContent;
} {
  const farm = oneLine(farmName);
  return {
    subject: `You are invited to report for ${farm}`,
    content: {
      title: `Report for ${farm}`,
      paragraphs: [
        greeting(fullName),
        `${oneLine(invitedBy)} invited you to ${site.name} as ${farmRoleInWords[role]} of ${farm}. ${tasksOf[role]}`,
        "You need an account with this address: sign in to yours, or make one. Then accept.",
      ],
      action: { label: "Open the invitation", url },
      footnote: `The link works within ${hours} hours, and only for this address. If you don't know what this is about, you can ignore this mail.`,
    },
  };
}

const tasksOf: Record<FarmRole, string> = {
  reporter: "You tell its backers how it goes: a few figures, a few words and photos, from your phone.",
  keeper:
    "You tell its backers how it goes, from your phone. You also prepare its harvests, write down what they cost, and hand the produce over.",
};
