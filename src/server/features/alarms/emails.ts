import { greeting, type MailContent } from "#server/mail/layout.ts";
import type { Violation } from "#server/platform/findings.ts";
import { formatDateTime } from "#shared/dates.ts";
import type { Site } from "#shared/site/site.ts";

const shown = 10;

/** Sent to every owner when the hourly self-check has new findings. */
export function alarmMail(input: { fullName: string; site: Site; findings: readonly Violation[]; at: Date }): {
  subject: string;
  content: MailContent;
} {
  const { fullName, site, findings, at } = input;
  const count = findings.length === 1 ? "a problem" : `${findings.length} problems`;
  const more = findings.length > shown ? [`And ${findings.length - shown} more.`] : [];
  return {
    subject: `${site.name}: the self-check found ${count}`,
    content: {
      title: `The self-check found ${count}`,
      paragraphs: [
        greeting(fullName),
        `Every hour ${site.name} checks its books, its stored files and its mails. On ${formatDateTime(at)} it found what must not be:`,
        ...findings.slice(0, shown).map(({ violation, row }) => `${violation}: ${JSON.stringify(row)}`),
        ...more,
        "Please have it looked at by whoever runs the server before further payments are decided. The command npm run check:money shows the state of books and files; the server's log has the details.",
      ],
      action: { label: "Open the dashboard", url: `${site.publicUrl}/admin/dashboard` },
      footnote: "All owners get this mail once for each finding, however long it lasts.",
    },
  };
}
