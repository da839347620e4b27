import type { NoticeText } from "#server/features/notifications/service.ts";
import { greeting, type Mail } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import type { Site } from "#shared/site/site.ts";

type Part = {
  site: Site;
  projectId: number;
  projectTitle: string;
  part: number;
  parts: number;
  label: string;
  amountKobo: Kobo;
};

/** "part 2 of 3, “Feed to week 5”" */
const named = ({ part, parts, label }: Part) => `part ${part} of ${parts}, “${oneLine(label)}”`;

/** Sent to whoever may check a part, but whoever asked for it. */
export function partAskedNotice(about: Part & { askedByName: string }): NoticeText {
  const { site, projectId, projectTitle, amountKobo, askedByName } = about;
  const project = oneLine(projectTitle);
  const text = `${oneLine(askedByName)} asks for ${named(about)} of ${project}: ${formatNaira(amountKobo)}.`;
  return {
    title: "A farm asks for money",
    content: text,
    mail: ({ fullName }) => ({
      subject: `${project}: part ${about.part} is asked for`,
      content: {
        title: "A farm asks for money",
        paragraphs: [
          greeting(fullName),
          text,
          "Look at its proof, then check or refuse it. An owner releases it after.",
        ],
        action: { label: "See the proof", url: `${site.publicUrl}/admin/project/${projectId}?tab=money` },
      },
    }),
  };
}

/** Sent to owners once a part is checked. */
export function partCheckedNotice(about: Part & { checkedByName: string }): NoticeText {
  const { site, projectId, projectTitle, amountKobo, checkedByName } = about;
  const project = oneLine(projectTitle);
  const text = `${oneLine(checkedByName)} checked ${named(about)} of ${project}: ${formatNaira(amountKobo)}. An owner can release it.`;
  return {
    title: "Money can be released",
    content: text,
    mail: ({ fullName }) => ({
      subject: `${project}: part ${about.part} is checked`,
      content: {
        title: "Money can be released",
        paragraphs: [greeting(fullName), text],
        action: { label: "Release it", url: `${site.publicUrl}/admin/project/${projectId}?tab=money` },
      },
    }),
  };
}

/** Sent to a farm's keepers: a part was refused, with why; checked; or released. */
export function partDecidedMail(
  about: Part & { fullName: string; decided: "checked" | "released" | "taken_back" | { refused: string } },
): Mail {
  const { site, projectId, projectTitle, part, amountKobo, fullName, decided } = about;
  const project = oneLine(projectTitle);
  const said =
    decided === "checked"
      ? { subject: `part ${part} is checked`, text: `We have checked ${named(about)}. An owner releases it next.` }
      : decided === "released"
        ? {
            subject: `${formatNaira(amountKobo)} is on its way`,
            text: `${formatNaira(amountKobo)} is paid to the farm's account with the next payment run${about.parts === 1 ? "" : `: ${named(about)}`}.`,
          }
        : decided === "taken_back"
          ? {
              subject: `${formatNaira(amountKobo)} isn't on its way any more`,
              text: `We took back the release of ${formatNaira(amountKobo)}${about.parts === 1 ? "" : `, ${named(about)}`}. Nothing of it was paid. We tell you once it is released again.`,
            }
          : {
              subject: `part ${part} needs another look`,
              text: `We couldn't accept ${named(about)}: ${oneLine(decided.refused)} You can ask for it again.`,
            };
  return {
    subject: `${project}: ${said.subject}`,
    content: {
      title: `${project}: ${said.subject}`,
      paragraphs: [greeting(fullName), said.text],
      action: { label: "See the farm's money", url: `${site.publicUrl}/farm/${projectId}/money` },
    },
  };
}

/** Tells backers that money of their round goes to the farm. */
export function moneyReleasedNotice(about: Part & { publicReason: string | null }): NoticeText {
  const { site, projectId, projectTitle, parts, amountKobo, publicReason } = about;
  const project = oneLine(projectTitle);
  const what = parts === 1 ? "what was raised" : named(about);
  const text = `${formatNaira(amountKobo)} of ${project} goes to the farm: ${what}.`;
  const why =
    publicReason === null
      ? []
      : [`The farm had missed two reports in a row. Why it gets it all the same: ${publicReason}`];
  return {
    title: "Money goes to the farm",
    content: [text, ...why.map(oneLine)].join(" "),
    mail: ({ fullName }) => ({
      subject: `${project}: ${formatNaira(amountKobo)} goes to the farm`,
      content: {
        title: "Money goes to the farm",
        paragraphs: [greeting(fullName), text, ...why],
        action: { label: "See where the money is", url: `${site.publicUrl}/backed-project/${projectId}` },
      },
    }),
  };
}

/** Sent to a round's backers: what they were told goes to the farm stays where it is. */
export function moneyHeldBackNotice(about: Part): NoticeText {
  const { site, projectId, projectTitle, parts, amountKobo } = about;
  const project = oneLine(projectTitle);
  const what = parts === 1 ? "what was raised" : named(about);
  const text = `${formatNaira(amountKobo)} of ${project} doesn't go to the farm for now: ${what}. Nothing of it was paid, and it stays with us.`;
  return {
    title: "Money stays with us for now",
    content: text,
    mail: ({ fullName }) => ({
      subject: `${project}: ${formatNaira(amountKobo)} stays with us for now`,
      content: {
        title: "Money stays with us for now",
        paragraphs: [greeting(fullName), text],
        action: { label: "See where the money is", url: `${site.publicUrl}/backed-project/${projectId}` },
      },
    }),
  };
}
