import type { NoticeText } from "#server/features/notifications/service.ts";
import { greeting, questionsNote, referenceNote } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { formatDay } from "#shared/dates.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { maskedAccount, moneyTabPath, ownMoneyTexts } from "#shared/payouts/payee-accounts-texts.ts";
import { type PayoutKind, payoutTexts } from "#shared/payouts/texts.ts";
import type { Site } from "#shared/site/site.ts";

/** The facts of a payout in notices. */
export type PayoutFacts = {
  site: Site;
  kind: PayoutKind;
  projectId: number | null;
  projectTitle: string;
  amountKobo: Kobo;
  reference: string;
  part: number;
  parts: number;
  /** The account it went to; null if that isn't known any more. */
  account: { bankName: string; accountNumber: string } | null;
};

const sources: Record<PayoutKind, string> = {
  refund: "of your payment for",
  surplus: "of your payment for",
  harvest: "of your harvest of",
  farm: "for the farm",
  returned: "of what you paid for",
  sender: "for the sender of the",
};

/**
 * "of your payment for Snail farm", "of your harvest of Snail farm", or "for the farm Snail farm" and "for the sender
 * of the transfer of 25 Nov 2026", of which the owners read.
 */
export const whatOf = ({ kind, projectTitle }: Pick<PayoutFacts, "kind" | "projectTitle">): string =>
  `${sources[kind]} ${oneLine(projectTitle)}`;

const referenceOf = ({ reference, part, parts }: PayoutFacts): string => payoutTexts.part(reference, part, parts);

function factsLine(payout: PayoutFacts): string {
  const account = payout.account ? `\nAccount: ${maskedAccount(payout.account)}` : "";
  return `Amount: ${formatNaira(payout.amountKobo)}\nReference: ${referenceOf(payout)}${account}`;
}

/** Returns the link: to a backer's tab Money, or for owners to the project or the payouts. */
function actionOf({ kind, projectId, site }: PayoutFacts, label: string) {
  if (kind === "sender") return { label: "Open the payouts", url: `${site.publicUrl}/admin/payouts?tab=waiting` };
  if (kind !== "farm") return { label, url: `${site.publicUrl}${moneyTabPath}` };
  return { label: "Open the project", url: `${site.publicUrl}/admin/project/${projectId}` };
}

/** True if the owners are told instead of the payee. */
const isForOwners = ({ kind }: Pick<PayoutFacts, "kind">): boolean => kind === "farm" || kind === "sender";

type Told = { title: string; subject: string; what: string; next: string[]; label: string };

function noticeOf(payout: PayoutFacts, { title, subject, what, next, label }: Told): NoticeText {
  return {
    title,
    content: [what, ...next].join(" "),
    isAboutMoney: !isForOwners(payout),
    mail: ({ fullName }) => ({
      subject,
      content: {
        title,
        paragraphs: [greeting(fullName), what, factsLine(payout), ...next],
        action: actionOf(payout, label),
        footnote: referenceNote(payout.site),
      },
    }),
  };
}

const sentSubjects = ({ kind }: PayoutFacts): string => {
  if (kind === "sender") return "Money that goes back";
  return kind === "farm" ? "Money for a farm" : "Your money";
};

/** Sent when the bank got the file that a payout is in. */
export function sentNotice(payout: PayoutFacts, at: Date): NoticeText {
  return noticeOf(payout, {
    title: "Money sent",
    subject: `${sentSubjects(payout)} is on its way: ${formatNaira(payout.amountKobo)}`,
    what: `${formatNaira(payout.amountKobo)} ${whatOf(payout)} is on its way. ${ownMoneyTexts.sent(at, referenceOf(payout))}`,
    next: ["Banks need up to a working day for it."],
    label: "See your money",
  });
}

/** Sent when our bank's statement shows that a payout left on a day, or an owner has seen it at the bank (null). */
export function paidNotice(payout: PayoutFacts, day: string | null): NoticeText {
  const left = day === null ? "It has left our account" : `It left our account on ${formatDay(day)}`;
  return noticeOf(payout, {
    title: "Money paid",
    subject: `Paid: ${formatNaira(payout.amountKobo)}`,
    what: `${formatNaira(payout.amountKobo)} ${whatOf(payout)} was paid. ${left}, reference ${referenceOf(payout)}.`,
    next: [],
    label: "See your money",
  });
}

/** A payout's failure: the bank's reason if it came back, and whether it is due again at once, or withheld then. */
type Failed = { reason: string | null; isDue: boolean; isWithheld?: boolean };

const nextStepFor = ({ kind }: PayoutFacts): string => {
  if (kind === "sender") return "Enter the sender's account again, and it is due again.";
  return kind === "farm"
    ? "Give the farm's account again, and it is due again."
    : "Give it again, and we pay once more.";
};

/**
 * Sent when a payout came back, with the bank's reason, or never left (reason null). Unless it is due at once, its
 * account isn't used any more until its owner gives one again. Whoever closed their account can't, and writes to us.
 */
export function failedNotice(payout: PayoutFacts, { reason, isDue, isWithheld = false }: Failed): NoticeText {
  const why = reason === null ? ownMoneyTexts.notSent : ownMoneyTexts.cameBack(oneLine(reason));
  const failed = `${formatNaira(payout.amountKobo)} ${whatOf(payout)} could not be paid. ${why}`;
  if (isDue) {
    return noticeOf(payout, {
      title: reason === null ? "Money not sent" : "Money came back",
      subject: `${reason === null ? "Not sent" : "Money came back"}: ${formatNaira(payout.amountKobo)}${isWithheld ? "" : ", we send it again"}`,
      what: failed,
      next: [isForOwners(payout) ? "It is due again, to the same account." : ownMoneyTexts.again(isWithheld)],
      label: "See your money",
    });
  }
  const what = `${failed} ${ownMoneyTexts.checkAccount}`;
  const notice = noticeOf(payout, {
    title: "Money came back",
    subject: `Money came back: ${formatNaira(payout.amountKobo)}, please check the account`,
    what,
    next: [nextStepFor(payout)],
    label: "Check the account",
  });
  return {
    ...notice,
    mail: (reader) => {
      if (!reader.isClosed) return notice.mail(reader);
      const written = notice.mail(reader);
      const paragraphs = [greeting(reader.fullName), what, factsLine(payout), ownMoneyTexts.writeToUs(payout.site)];
      return { ...written, content: { ...written.content, paragraphs } };
    },
  };
}

/** Sent when two people say that it wasn't this payout that came back, as its payee had read. */
export function notFailedNotice(payout: PayoutFacts): NoticeText {
  return noticeOf(payout, {
    title: "Money didn't come back",
    subject: `It didn't come back after all: ${formatNaira(payout.amountKobo)}`,
    what: `${formatNaira(payout.amountKobo)} ${whatOf(payout)} stays sent, reference ${referenceOf(payout)}.`,
    next: [payout.kind === "farm" ? "It isn't owed to the farm again." : ownMoneyTexts.notBack],
    label: "See your money",
  });
}

type Withheld = {
  site: Site;
  by: string;
  amountKobo: Kobo;
  projectTitle: string;
  reference: string;
  reason: string;
};

/** To the other owners, when one withheld a payout. */
export function withheldNotice({ site, by, amountKobo, projectTitle, reference, reason }: Withheld): NoticeText {
  const title = "A payout is withheld";
  const amount = formatNaira(amountKobo);
  const content = `${oneLine(by)} withheld ${amount} for ${oneLine(projectTitle)}, ${reference}. Reason: ${oneLine(reason)}`;
  return {
    title,
    content,
    mail: ({ fullName }) => ({
      subject: `${title}: ${amount}`,
      content: {
        title,
        paragraphs: [
          greeting(fullName),
          content,
          "It is still owed, and its promise stands. It can be put into a run once two owners let it go.",
        ],
        action: { label: "Open the payouts", url: `${site.publicUrl}/admin/payouts` },
      },
    }),
  };
}

type StruckFacts = { site: Site; projectTitle: string; amountKobo: Kobo };

/** Sent to the backer of a struck payment when a share that was on its way didn't reach them, and isn't paid again. */
export function struckPayoutNotice({ site, projectTitle, amountKobo }: StruckFacts): NoticeText {
  const amount = formatNaira(amountKobo);
  const title = `Your share isn't paid: ${oneLine(projectTitle)}`;
  const what = `${amount} of your harvest of ${oneLine(projectTitle)} was in a payment run and hasn't reached you. The payment that it was for no longer counts, so it isn't paid again. It goes to those who share the harvest.`;
  return {
    title,
    content: what,
    isAboutMoney: true,
    mail: ({ fullName }) => ({
      subject: title,
      content: {
        title,
        paragraphs: [greeting(fullName), what, "What we paid to you before stays yours."],
        action: { label: "See your money", url: `${site.publicUrl}${moneyTabPath}` },
        footnote: questionsNote(site),
      },
    }),
  };
}
