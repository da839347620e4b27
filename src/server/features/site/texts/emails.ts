import { greeting, type Mail } from "#server/mail/layout.ts";
import { formatDateTime } from "#shared/dates.ts";
import { type OwnPage, pageTitles } from "#shared/site/pages.ts";
import type { Site } from "#shared/site/site.ts";
import { changedLines } from "./changed-lines.ts";

/** More of a long text isn't mailed. */
const MAX_LETTERS = 4000;

/** Sent to every owner when one of the operator's texts has got another version. */
export function pageTextMail(input: {
  fullName: string;
  site: Site;
  changedBy: { fullName: string; email: string };
  before: string;
  after: {
    page: OwnPage;
    version: number;
    html: string;
    isMaterial: boolean;
    changeNote: string | null;
    inForceFrom: Date;
  };
  at: Date;
}): Mail {
  const { fullName, site, changedBy, before, after, at } = input;
  const { page, version, isMaterial, changeNote, inForceFrom } = after;
  const title = pageTitles[page];
  const { removed, added } = changedLines(before, after.html);
  const force =
    inForceFrom <= at ? "It is in force from now on." : `It is in force from ${formatDateTime(inForceFrom)} on.`;
  const asked = isMaterial ? " Everybody is asked to agree to it." : "";
  return {
    subject: `${site.name}: ${title}, version ${version}`,
    content: {
      title: `${title}: version ${version}`,
      paragraphs: [
        greeting(fullName),
        `${changedBy.fullName} (${changedBy.email}) wrote version ${version} of this text on ${formatDateTime(at)}. ${force}${asked}`,
        ...(changeNote === null ? [] : [`What changes: ${changeNote}`]),
        ...(removed.length === 0 ? [] : [`Before:\n${shorten(removed)}`]),
        ...(added.length === 0 ? [] : [`After:\n${shorten(added)}`]),
        ...(removed.length + added.length === 0 ? ["Its words are the same as before."] : []),
        "If you know about this change, there is nothing more to do. If not, save the text as it was once more and block the account that changed it.",
      ],
      action: { label: "Look at the text", url: `${site.publicUrl}/${page}?version=${version}` },
      footnote: "All owners get this mail whenever one of the site's texts changes.",
    },
  };
}

function shorten(lines: readonly string[]): string {
  const text = lines.join("\n");
  return text.length <= MAX_LETTERS ? text : `${text.slice(0, MAX_LETTERS)}…`;
}
