import type { NoticeText } from "#server/features/notifications/service.ts";
import { greeting, questionsNote } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { formatDateTime } from "#shared/dates.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import {
  type HolderChangeCause,
  holderChangeCauseLabels,
  holderChangeLimits as limits,
} from "#shared/payments/holder-changes-texts.ts";
import { moneyTabPath } from "#shared/payouts/payee-accounts-texts.ts";
import type { Site } from "#shared/site/site.ts";

/** The facts of a change of holder in mails to both people and the owners. */

export type ChangeFacts = {
  site: Site;
  projectTitle: string;
  round: number;
  fromName: string;
  toName: string;
};

type Side = "from" | "to";

const what = ({ projectTitle, round }: ChangeFacts): string => `round ${round} of ${oneLine(projectTitle)}`;
const nameOf = (name: string): string => oneLine(name) || "a closed account";

function noticeOf(facts: ChangeFacts, told: { title: string; paragraphs: string[]; label: string }): NoticeText {
  const { title, paragraphs, label } = told;
  return {
    title,
    content: paragraphs.join(" "),
    isAboutMoney: true,
    mail: ({ fullName }) => ({
      subject: `${title}: ${oneLine(facts.projectTitle)}`,
      content: {
        title,
        paragraphs: [greeting(fullName), ...paragraphs],
        action: { label, url: `${facts.site.publicUrl}${moneyTabPath}` },
        footnote: questionsNote(facts.site),
      },
    }),
  };
}

/** Sent to both when two owners have confirmed it. */
export function begunNotice(
  facts: ChangeFacts,
  {
    side,
    cause,
    reason,
    until,
    amountKobo,
  }: { side: Side; cause: HolderChangeCause; reason: string; until: Date; amountKobo: Kobo },
): NoticeText {
  const happens =
    side === "from"
      ? `What you have in ${what(facts)}, ${formatNaira(amountKobo)} of lots, is to pass to ${nameOf(facts.toName)}.`
      : `What ${nameOf(facts.fromName)} has in ${what(facts)}, ${formatNaira(amountKobo)} of lots, is to pass to you.`;
  return noticeOf(facts, {
    title: side === "from" ? "Your lots are to pass to somebody else" : "Lots are to pass to you",
    paragraphs: [
      happens,
      `Two owners of ${facts.site.name} confirmed it. ${holderChangeCauseLabels[cause]}. Reason: ${oneLine(reason)}`,
      `If that isn't right, press Object in your account until ${formatDateTime(until)}: then nothing changes. Otherwise it is carried out after these ${limits.days} days.`,
    ],
    label: "Look at it, or object",
  });
}

/** Sent to both once it is carried out. `dueKobo` is what was due and goes along. */
export function carriedOutNotice(
  facts: ChangeFacts,
  {
    side,
    dueKobo,
    isAccountKnown,
    isChoosing,
  }: { side: Side; dueKobo: Kobo; isAccountKnown: boolean; isChoosing: boolean },
): NoticeText {
  const due = dueKobo > 0n ? [`${formatNaira(dueKobo)} that was due goes along.`] : [];
  if (side === "from") {
    return noticeOf(facts, {
      title: "Your lots have passed to somebody else",
      paragraphs: [
        `What you had in ${what(facts)} is ${nameOf(facts.toName)}'s now.`,
        ...due,
        "What was paid to you, or is on its way, stays yours, and so do your papers.",
      ],
      label: "See your money",
    });
  }
  return noticeOf(facts, {
    title: "Lots have passed to you",
    paragraphs: [
      `What ${nameOf(facts.fromName)} had in ${what(facts)} is yours now. You read the farm's news and messages, and what its harvests bring comes to you.`,
      ...due,
      ...(isChoosing ? ["A harvest waits for your choice. Open the farm's page to make it."] : []),
      ...(isAccountKnown ? [] : ["Tell us where to send money, so that nothing waits."]),
    ],
    label: isAccountKnown ? "See your money" : "Tell us where to",
  });
}

/** Sent to both when nothing changes after all. */
export function endedNotice(facts: ChangeFacts, { side, why }: { side: Side; why: string }): NoticeText {
  return noticeOf(facts, {
    title: "Nothing passes to another holder",
    paragraphs: [
      side === "from"
        ? `What you have in ${what(facts)} stays yours.`
        : `What ${nameOf(facts.fromName)} has in ${what(facts)} doesn't pass to you.`,
      why,
    ],
    label: "See your money",
  });
}

/** For owners: somebody objected, or it couldn't be carried out, or it was. */
export function ownersNotice(facts: ChangeFacts, { title, why }: { title: string; why: string }): NoticeText {
  const content = `${what(facts)}, from ${nameOf(facts.fromName)} to ${nameOf(facts.toName)}: ${why}`;
  return {
    title,
    content,
    mail: ({ fullName }) => ({
      subject: `${title}: ${oneLine(facts.projectTitle)}`,
      content: {
        title,
        paragraphs: [greeting(fullName), content],
        action: { label: "Open the payments", url: `${facts.site.publicUrl}/admin/payments` },
      },
    }),
  };
}
