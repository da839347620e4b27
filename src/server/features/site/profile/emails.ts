import { greeting, type Mail } from "#server/mail/layout.ts";
import { formatDateTime } from "#shared/dates.ts";
import type { Site } from "#shared/site/site.ts";

/** One field that was changed, as people read it. */
export type ChangedField = { label: string; before: string | null; after: string | null };

/** Sent to every owner when the company has changed. */
export function companyChangedMail(input: {
  fullName: string;
  /** As it is now. */
  site: Site;
  changedBy: { fullName: string; email: string };
  changes: readonly ChangedField[];
  at: Date;
}): Mail {
  const { fullName, site, changedBy, changes, at } = input;
  const lines = changes.map(({ label, before, after }) =>
    [label, `Before: ${before ?? "none"}`, `Now: ${after ?? "none"}`].join("\n"),
  );
  return {
    subject: `${site.name}: the company was changed`,
    content: {
      title: "The company was changed",
      paragraphs: [
        greeting(fullName),
        `${changedBy.fullName} (${changedBy.email}) changed what the site says of its company on ${formatDateTime(at)}. Every page, mail and paper shows it from now on.`,
        ...lines,
        "If you know about this change, there is nothing more to do. If not, put it back at once and block the account that changed it.",
      ],
      action: { label: "Look at the settings", url: `${site.publicUrl}/admin/settings?tab=site` },
      footnote: "All owners get this mail whenever the company changes.",
    },
  };
}
