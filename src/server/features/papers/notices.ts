import type { MailContent } from "#server/mail/layout.ts";
import type { PaperKind } from "#shared/papers/kinds.ts";
import { paperNouns, paperTexts } from "#shared/papers/texts.ts";
import { moneyTabPath } from "#shared/payouts/payee-accounts-texts.ts";
import type { Site } from "#shared/site/site.ts";

/** The lines about a paper in the mail of its event. No mail is sent for a paper alone. */

/** A paper that a mail names. */
export type NamedPaper = { number: string };

type Told = { site: Site; kind: PaperKind; isClosed?: boolean | undefined };

/** Returns a paragraph on where a paper is; none without one. A closed account can't sign in to download it. */
export function paperLines(
  { site, kind, isClosed = false }: Told,
  paper: NamedPaper | undefined,
): MailContent["paragraphs"] {
  if (!paper) return [];
  const noun = paperNouns[kind];
  if (isClosed) return [`${paperTexts.yours(noun)} ${paper.number}. ${paperTexts.writeToUs}`];
  const link = { text: paper.number, href: `${site.publicUrl}${moneyTabPath}` };
  return [[`${paperTexts.yours(noun)} `, link, `. ${paperTexts.whereItIs}`]];
}
