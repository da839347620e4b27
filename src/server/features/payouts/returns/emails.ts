import type { NoticeText } from "#server/features/notifications/service.ts";
import { greeting, questionsNote } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { moneyTabPath } from "#shared/payouts/payee-accounts-texts.ts";
import type { Site } from "#shared/site/site.ts";

/** A person's part of a return. */
export type OwnPart = { site: Site; projectTitle: string; amountKobo: Kobo; reason: string };

function noticeOf({ site, reason }: OwnPart, { title, what, next }: Record<"title" | "what" | "next", string>) {
  return {
    title,
    content: `${what} Reason: ${oneLine(reason)}`,
    isAboutMoney: true,
    mail: ({ fullName }) => ({
      subject: title,
      content: {
        title,
        paragraphs: [greeting(fullName), what, `Reason: ${reason}`, next],
        action: { label: "See your money", url: `${site.publicUrl}${moneyTabPath}` },
        footnote: questionsNote(site),
      },
    }),
  } satisfies NoticeText;
}

/** Sent to each backer of a round whose money goes back to them in part, with the owners' reason. */
export function returnedNotice(part: OwnPart): NoticeText {
  const amount = formatNaira(part.amountKobo);
  return noticeOf(part, {
    title: `Money comes back to you: ${amount} of ${oneLine(part.projectTitle)}`,
    what: `${amount} of what you paid for ${oneLine(part.projectTitle)} will be returned to you: the farm didn't use it.`,
    next: "It is paid to the account that you gave us. If you gave none yet, tell us where to.",
  });
}

/** Sent to each of them when the return is taken back before it was paid. */
export function returnTakenBackNotice(part: OwnPart): NoticeText {
  const amount = formatNaira(part.amountKobo);
  return noticeOf(part, {
    title: `Money will not be returned: ${amount} of ${oneLine(part.projectTitle)}`,
    what: `We told you that ${amount} of what you paid for ${oneLine(part.projectTitle)} comes back to you. It doesn't: it stays with your round.`,
    next: "If you think this is a mistake, write to us.",
  });
}
