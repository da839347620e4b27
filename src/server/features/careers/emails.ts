import type { MailContent } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { formatDateTime } from "#shared/dates.ts";
import type { Site } from "#shared/site/site.ts";

type Arrived = { site: Site; fullName: string; position: string; hasResume: boolean; at: Date };

/** Sent to us when an application arrives. The resume and the other details can be read only in the admin area. */
export function applicationMail({ site, fullName, position, hasResume, at }: Arrived): {
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
      action: { label: "See the applicants", url: `${site.publicUrl}/admin/applicants` },
    },
  };
}
