import type { NoticeText } from "#server/features/notifications/service.ts";
import { greeting, type MailContent } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { formatDateTime } from "#shared/dates.ts";
import { holdTexts } from "#shared/projects/holds-texts.ts";
import { countLots } from "#shared/projects/texts.ts";
import type { Site } from "#shared/site/site.ts";

/** Mails about held lots. They belong to payments, so they can't be switched off. */

type Held = { site: Site; projectId: number; projectTitle: string; lots: number };

const action = ({ site, projectId }: Held) => ({
  label: "Open the payment page",
  url: `${site.publicUrl}/back-project/${projectId}`,
});

const contact = ({ site }: Held) => ({ label: "Contact us", url: `${site.publicUrl}/contact` });

/** "3 lots of Snail farm". */
const whatOf = ({ lots, projectTitle }: Held) => `${countLots(lots)} of ${oneLine(projectTitle)}`;

type Texts = { title: string; content: string; next: string; action?: MailContent["action"] };

function notice(held: Held, texts: Texts): NoticeText {
  return {
    title: texts.title,
    content: texts.content,
    mail: ({ fullName }) => ({
      subject: `${texts.title}: ${oneLine(held.projectTitle)}`,
      content: {
        title: texts.title,
        paragraphs: [greeting(fullName), texts.content, texts.next],
        action: texts.action ?? action(held),
      },
    }),
  };
}

export const heldNotice = (held: Held & { until: Date }): NoticeText =>
  notice(held, {
    title: "Lots held for you",
    content: `${whatOf(held)} ${held.lots === 1 ? "is" : "are"} held for you until ${formatDateTime(held.until)}.`,
    next: "Transfer the amount with your reference and upload the receipt before then. Afterwards the lots are open to others.",
  });

export const endingNotice = (held: Held & { until: Date }): NoticeText =>
  notice(held, {
    title: "Your hold ends soon",
    content: `${whatOf(held)} ${held.lots === 1 ? "is" : "are"} held for you until ${formatDateTime(held.until)}.`,
    next: "If you have paid, upload your receipt now: then the lots stay held while we review it.",
  });

export const yourTurnNotice = (held: Held & { until: Date }): NoticeText =>
  notice(held, {
    title: "It is your turn",
    content: `${whatOf(held)} came free, and ${held.lots === 1 ? "is" : "are"} offered to you until ${formatDateTime(held.until)}.`,
    next: "Read the terms and hold them on the payment page. Afterwards they are offered to the next on the waiting list.",
  });

type Ended = Held & {
  reason: string | null;
  /** It was offered, and not taken. */
  isOffer: boolean;
  hasReceipt: boolean;
  /** The account was blocked, so that its owner can send nothing more. */
  isBlocked?: boolean;
};

function afterEnd(held: Ended): Pick<Texts, "next" | "action"> {
  if (held.isOffer) return { next: "You may join the waiting list again." };
  if (held.hasReceipt) return { next: "We have your receipt, and still review it. You need not pay again." };
  if (held.isBlocked) return { next: "If you have already paid, please contact us.", action: contact(held) };
  return { next: "If you have already paid, you may still send your receipt on the payment page." };
}

export const holdEndedNotice = (held: Ended): NoticeText =>
  notice(held, {
    title: held.isOffer ? "Your turn has passed" : "Your hold has ended",
    content: [
      `${whatOf(held)} ${held.lots === 1 ? "is" : "are"} no longer ${held.isOffer ? "offered to" : "held for"} you.`,
      ...(held.reason === null ? [] : [`Reason: ${held.reason}`]),
    ].join(" "),
    ...afterEnd(held),
  });

/** Sent to who held lots of a project that is deleted, or waited for some (`heldLots` is null then). */
export function projectRemovedNotice(project: {
  site: Site;
  projectTitle: string;
  heldLots: number | null;
}): NoticeText {
  const { site, heldLots } = project;
  const title = oneLine(project.projectTitle);
  const isWaiting = heldLots === null;
  const heading = isWaiting ? "The waiting list has ended" : "Your hold has ended";
  const content = isWaiting
    ? `You no longer wait for lots of ${title}. ${holdTexts.projectRemoved}`
    : `${countLots(heldLots)} of ${title} ${heldLots === 1 ? "is" : "are"} no longer held for you. Reason: ${holdTexts.projectRemoved}`;
  return {
    title: heading,
    content,
    mail: ({ fullName }) => ({
      subject: `${heading}: ${title}`,
      content: {
        title: heading,
        paragraphs: [
          greeting(fullName),
          content,
          isWaiting ? "Other farms are open to backers." : "If you have already paid, please contact us.",
        ],
        action: isWaiting
          ? { label: "See other farms", url: `${site.publicUrl}/discover` }
          : { label: "Contact us", url: `${site.publicUrl}/contact` },
      },
    }),
  };
}
