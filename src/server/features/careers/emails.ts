import type { MailContent } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { formatDateTime } from "#shared/dates.ts";

type Arrived = { publicUrl: string; fullName: string; position: string; hasResume: boolean; at: Date };

/** To us: an application has arrived. Its resume and the rest of it are read in the admin area only. */
export function applicationMail({ publicUrl, fullName, position, hasResume, at }: Arrived): {
  subject: string;
  content: MailContent;
} {
  return {
    subject: `New application: ${position}`,
    content: {
      title: "A job application has arrived",
      paragraphs: [
        `Name: ${oneLine(fullName)}\nPosition: ${position}\nResume: ${hasResume ? "yes" : "no"}\nSent: ${formatDateTime(at)}`,
      ],
      action: { label: "See the applicants", url: `${publicUrl}/admin/applicants` },
    },
  };
}
