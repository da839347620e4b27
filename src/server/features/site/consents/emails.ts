import { greeting, type Mail, questionsNote } from "#server/mail/layout.ts";
import { formatDate } from "#shared/dates.ts";
import { consentTexts } from "#shared/site/consent-texts.ts";
import type { Site } from "#shared/site/site.ts";
import type { TermsChange } from "#shared/site/terms-change.ts";

type Told = {
  fullName: string;
  site: Site;
  change: Pick<TermsChange, "version" | "inForceFrom" | "isInForce" | "changes">;
};

/** Tells somebody that terms which they agreed to change. It can't be switched off. */
export function termsChangeMail({ fullName, site, change }: Told): Mail {
  const { inForceFrom, isInForce, changes, version } = change;
  const title = consentTexts.changed(inForceFrom, isInForce);
  return {
    subject: title,
    content: {
      title,
      paragraphs: [
        greeting(fullName),
        `${consentTexts.whatChanges}:`,
        ...changes.map(({ note }) => note),
        isInForce
          ? "When you next open the site we ask you to agree. Until you do, you can't buy lots."
          : `When you next open the site we ask you to agree. From ${formatDate(inForceFrom)} on you can't buy lots until you do.`,
        `${consentTexts.running} You can go on reading, choosing, sending receipts and being paid, whatever you answer.`,
      ],
      action: { label: "Read the terms", url: `${site.publicUrl}/terms?version=${version}` },
      footnote: questionsNote(site),
    },
  };
}
