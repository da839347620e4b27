import type { NoticeText } from "#server/features/notifications/service.ts";
import { type NamedPaper, paperLines } from "#server/features/papers/notices.ts";
import { greeting, questionsNote } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { formatDateTime } from "#shared/dates.ts";
import { spacedCode } from "#shared/harvests/texts.ts";
import { formatNaira, formatNairaExact, type Kobo } from "#shared/money.ts";
import { moneyTabPath } from "#shared/payouts/payee-accounts-texts.ts";
import { formatQuantity, type Insurance, type Unit } from "#shared/projects/terms-texts.ts";
import type { Site } from "#shared/site/site.ts";

/** The mails to people with a share in a harvest. They can't be switched off. */

export type HarvestFacts = { site: Site; projectId: number; projectTitle: string; unit: Unit };

type Told = {
  facts: HarvestFacts;
  title: string;
  subject: string;
  paragraphs: string[];
  label: string;
  url?: string;
  /** Six digits, large in the mail. */
  code?: string;
  statement?: NamedPaper | undefined;
};

const yourCode = "Your code";

function noticeOf({ facts, title, subject, paragraphs, label, url, code, statement }: Told): NoticeText {
  return {
    title,
    content: [...paragraphs, ...(code ? [`${yourCode}: ${spacedCode(code)}`] : [])].join(" "),
    isAboutMoney: url === moneyTabPath,
    mail: ({ fullName, isClosed }) => ({
      subject,
      content: {
        title,
        paragraphs: [
          ...[greeting(fullName), ...paragraphs],
          ...paperLines({ site: facts.site, kind: "settlement", isClosed }, statement),
        ],
        ...(code && { figures: [{ label: yourCode, value: spacedCode(code), isCode: true }] }),
        action: { label, url: `${facts.site.publicUrl}${url ?? `/backed-project/${facts.projectId}?tab=harvest`}` },
        footnote: questionsNote(facts.site),
      },
    }),
  };
}

const farmOf = ({ projectTitle }: HarvestFacts): string => oneLine(projectTitle);

/** "of 577.743 kg" is the reader's own part. */
type Opened = { mine: bigint; until: Date };

export function openedNotice(facts: HarvestFacts, { mine, until }: Opened): NoticeText {
  return noticeOf({
    facts,
    title: "Choose what to do with your harvest",
    subject: `${farmOf(facts)} has harvested: choose by ${formatDateTime(until)}`,
    paragraphs: [
      `${farmOf(facts)} has harvested. Your share is ${formatQuantity(mine, facts.unit)}.`,
      `You can choose what to do with it until ${formatDateTime(until)}. What you don't choose is sold for you.`,
    ],
    label: "Choose now",
  });
}

/** Tells a backer who can't choose: the terms offer nothing but a sale, or the person can't sign in. */
export function countedNotice(
  facts: HarvestFacts,
  { mine, until, isLockedOut = false }: Opened & { isLockedOut?: boolean },
): NoticeText {
  const why = isLockedOut
    ? "Your account is blocked or closed, so you can't choose what to do with it: it is sold for you."
    : "Under your round's terms it is sold for you.";
  return noticeOf({
    facts,
    title: "Your farm has harvested",
    subject: `${farmOf(facts)} has harvested`,
    paragraphs: [
      `${farmOf(facts)} has harvested. Your share is ${formatQuantity(mine, facts.unit)}.`,
      `${why} The count is final after ${formatDateTime(until)}.`,
    ],
    label: "See your harvest",
  });
}

export function reminderNotice(facts: HarvestFacts, { days, until }: { days: number; until: Date }): NoticeText {
  const left = days > 1 ? `${days} days` : days === 1 ? "One day" : "Only today";
  return noticeOf({
    facts,
    title: `${left} left to choose`,
    subject: `Your harvest of ${farmOf(facts)}: ${left.toLowerCase()} left to choose`,
    paragraphs: [
      `You haven't chosen yet what to do with your share of the harvest of ${farmOf(facts)}.`,
      `You can until ${formatDateTime(until)}. After that it is sold for you.`,
    ],
    label: "Choose now",
  });
}

export function loweredNotice(
  facts: HarvestFacts,
  { quantity, reason }: { quantity: bigint; reason: string },
): NoticeText {
  return noticeOf({
    facts,
    title: "The harvest is smaller than counted",
    subject: `The harvest of ${farmOf(facts)} is smaller than counted`,
    paragraphs: [
      `The harvest of ${farmOf(facts)} is ${formatQuantity(quantity, facts.unit)}, less than was counted first. What you have chosen is cut in proportion.`,
      `Reason: ${reason}`,
    ],
    label: "See your share",
  });
}

export function withdrawnNotice(facts: HarvestFacts, { reason }: { reason: string }): NoticeText {
  return noticeOf({
    facts,
    title: "This harvest was entered by mistake",
    subject: `The harvest of ${farmOf(facts)} was withdrawn`,
    paragraphs: [
      `The harvest of ${farmOf(facts)} that we told you of was withdrawn. There is nothing to choose.`,
      `Reason: ${reason}`,
    ],
    label: "Open the project",
  });
}

type Ready = { taken: bigint; code: string; until: Date; place: string };

export function readyNotice(facts: HarvestFacts, { taken, code, until, place }: Ready): NoticeText {
  return noticeOf({
    facts,
    title: "Your produce is ready",
    subject: `Collect your produce of ${farmOf(facts)} by ${formatDateTime(until)}`,
    paragraphs: [
      `${formatQuantity(taken, facts.unit)} of ${farmOf(facts)} are ready for you${place ? ` at ${oneLine(place)}` : ""}.`,
      "Show your code when you collect, and to nobody before: whoever has it can take your produce.",
      `You can collect until ${formatDateTime(until)}. What isn't collected then is sold for you.`,
    ],
    label: "Show your code",
    code,
  });
}

export function uncollectedNotice(facts: HarvestFacts, { taken }: { taken: bigint }): NoticeText {
  return noticeOf({
    facts,
    title: "Your produce is sold for you",
    subject: `Your produce of ${farmOf(facts)} was not collected`,
    paragraphs: [
      `${formatQuantity(taken, facts.unit)} of ${farmOf(facts)} were not collected in time. They are sold for you, and you get the money.`,
    ],
    label: "See your harvest",
  });
}

type Settled = {
  proceedsKobo: Kobo;
  costsKobo: Kobo;
  shareKobo: Kobo;
  feeKobo: Kobo;
  vatKobo: Kobo;
  whtKobo: Kobo;
  netKobo: Kobo;
};

/** An insurer's sum has no sales and no fee. */
export function settledNotice(
  facts: HarvestFacts,
  {
    isInsurance = false,
    statement,
    ...settled
  }: Settled & { isInsurance?: boolean; statement?: NamedPaper | undefined },
): NoticeText {
  const { proceedsKobo, costsKobo, shareKobo, feeKobo, vatKobo, whtKobo, netKobo } = settled;
  const farm = farmOf(facts);
  const isNothing = netKobo === 0n;
  const lines = [
    `${isInsurance ? "Paid by the insurer" : "Proceeds of the sales"}: ${formatNairaExact(proceedsKobo)}`,
    ...(costsKobo > 0n ? [`Costs under the terms: ${formatNairaExact(costsKobo)}`] : []),
    `Your share of ${costsKobo > 0n ? "what is left" : isInsurance ? "the insurer's sum" : "the sales"}: ${formatNairaExact(shareKobo)}`,
    ...(isInsurance ? [] : [`Our fee: ${formatNairaExact(feeKobo)}`]),
    ...(vatKobo > 0n ? [`VAT on it: ${formatNairaExact(vatKobo)}`] : []),
    ...(whtKobo > 0n ? [`Tax withheld: ${formatNairaExact(whtKobo)}`] : []),
    `You get: ${formatNairaExact(netKobo)}`,
  ];
  const outcome = isNothing ? "nothing is left for you" : `you get ${formatNaira(netKobo)}`;
  return noticeOf({
    facts,
    title: isInsurance ? "The insurer has paid" : "Your harvest was sold",
    subject: isInsurance
      ? `The insurer has paid for ${farm}: ${outcome}`
      : `Your harvest of ${farm} was sold: ${outcome}`,
    paragraphs: [
      isInsurance
        ? `An insurer has paid for your round of ${farm}. It is shared by what each backer paid.`
        : `Your share of the harvest of ${farm} was sold.`,
      lines.join("\n"),
      isNothing
        ? "This is how it was divided. If more money comes of it, we share it in the same way and write to you."
        : "If we don't know your account yet, please tell us where to send the money.",
    ],
    ...(isNothing ? { label: "See the calculation" } : { label: "See your money", url: moneyTabPath }),
    statement,
  });
}

export function lostNotice(
  facts: HarvestFacts,
  { reason, insurance }: { reason: string; insurance: Insurance | null },
): NoticeText {
  return noticeOf({
    facts,
    title: "This harvest is lost",
    subject: `The harvest of ${farmOf(facts)} is lost`,
    paragraphs: [
      `The harvest of ${farmOf(facts)} is lost: there is nothing to divide. The evidence is on the farm's page.`,
      `What happened: ${reason}`,
      insurance === null
        ? "The harvest was not insured."
        : `It was insured with ${oneLine(insurance.insurer)}, policy ${oneLine(insurance.policy)}. ${insurance.covers}`,
    ],
    label: "See the evidence",
  });
}

export function restLostNotice(facts: HarvestFacts, { reason }: { reason: string }): NoticeText {
  const farm = farmOf(facts);
  return noticeOf({
    facts,
    title: "The rest of this harvest is lost",
    subject: `The rest of your harvest of ${farm} is lost`,
    paragraphs: [
      `Part of your share of the harvest of ${farm} was still to be sold, and will bring in nothing. What was settled with you stays yours; nothing more is expected. The evidence is on the farm's page.`,
      `What happened: ${reason}`,
    ],
    label: "See your harvest",
  });
}

type Entered = HarvestFacts & { number: number; farm: string };

/** Tells managers that a keeper of the farm entered a harvest. */
export const harvestEnteredNotice = (facts: Entered): NoticeText =>
  enteredNotice(facts, {
    title: "A farm entered a harvest",
    what: `entered harvest ${facts.number} of ${farmOf(facts)}. Look at it and open it for choosing.`,
  });

/** Tells managers that a keeper of the farm entered a cost. */
export const costEnteredNotice = (facts: Entered, { label, amountKobo }: { label: string; amountKobo: Kobo }) =>
  enteredNotice(facts, {
    title: "A farm entered a cost",
    what: `entered a cost of harvest ${facts.number} of ${farmOf(facts)}: ${formatNaira(amountKobo)} for ${oneLine(label)}. Look at its evidence and have it counted.`,
  });

function enteredNotice(facts: Entered, { title, what }: { title: string; what: string }): NoticeText {
  return noticeOf({
    facts,
    title,
    subject: `${farmOf(facts)}: ${title.toLowerCase()}`,
    paragraphs: [`${oneLine(facts.farm)} ${what}`],
    label: "Look at it",
    url: `/project-updates/${facts.projectId}?tab=harvests`,
  });
}

/** For owners: somebody tries codes, who may not have been given one. */
export function codesLockedNotice(
  facts: HarvestFacts,
  { number, wrongCodes, isOfDay, by }: { number: number; wrongCodes: number; isOfDay: boolean; by: string },
): NoticeText {
  const lock = isOfDay ? "No codes are accepted for the rest of the day." : "No codes are accepted for ten minutes.";
  return noticeOf({
    facts,
    title: "Wrong codes at the collection",
    subject: `${farmOf(facts)}: ${wrongCodes} wrong codes at the collection of harvest ${number}`,
    paragraphs: [
      `${wrongCodes} wrong codes were entered in the collection list of harvest ${number} of ${farmOf(facts)}${isOfDay ? " today" : ""}, the last one by ${oneLine(by)}. ${lock}`,
      "Ask whoever hands out the produce what happened. Whoever guesses a code takes somebody's harvest.",
    ],
    label: "Open the project",
    url: `/admin/project/${facts.projectId}`,
  });
}
