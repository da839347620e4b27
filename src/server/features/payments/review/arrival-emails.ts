import type { NoticeText } from "#server/features/notifications/service.ts";
import { factsLine, type PaymentFacts, whatOf } from "#server/features/payments/notices.ts";
import { greeting, referenceNote } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { arrivalOf, arrivalTexts, missingMoneyTexts } from "#shared/payments/texts.ts";

/**
 * Sent to the backer when the bank shows money of a pending payment: all of it without a receipt, a part, or too much.
 * Null if there is nothing to tell. `isFound`: it came without their reference, and an owner found whose it is.
 */
export function arrivedNotice(
  payment: PaymentFacts,
  {
    arrivedKobo,
    hasReceipt,
    isFound,
    restBy,
  }: { arrivedKobo: Kobo; hasReceipt: boolean; isFound: boolean; restBy: Date },
): NoticeText | null {
  const arrival = arrivalOf({ ...payment, arrivedKobo });
  const title = oneLine(payment.projectTitle);
  const all = hasReceipt ? [] : [isFound ? arrivalTexts.foundAll : arrivalTexts.all];
  const told = [
    ...(isFound ? [arrivalTexts.found] : []),
    ...{
      none: [],
      part: [arrivalTexts.part(arrivedKobo, payment.amountKobo), arrivalTexts.rest(restBy)],
      all,
      surplus: arrival.kind === "surplus" ? [...all, arrivalTexts.surplus(arrival.surplusKobo)] : [],
    }[arrival.kind],
  ];
  if (told.length === 0) return null;
  const heading = isFound
    ? "We found your transfer"
    : {
        none: "",
        part: "A part of your payment has arrived",
        all: "Your transfer has arrived",
        surplus: "More than your payment has arrived",
      }[arrival.kind];
  return {
    title: heading,
    content: `${told.join(" ")} It is for ${whatOf(payment)}.`,
    mail: ({ fullName }) => ({
      subject: `${heading}: ${title}`,
      content: {
        title: heading,
        paragraphs: [
          greeting(fullName),
          told.join(" "),
          factsLine(payment),
          ...(arrival.kind === "part" ? [] : [`We look at it within ${payment.site.reviewTime}, and email you.`]),
        ],
        action: { label: "See your payments", url: `${payment.site.publicUrl}/profile?tab=pending` },
        footnote: referenceNote(payment.site),
      },
    }),
  };
}

/** Sent to the backer of an approved payment when so little came beyond it that it is kept. */
export function keptNotice(payment: PaymentFacts, keptKobo: Kobo): NoticeText {
  const heading = "A little more than your payment has arrived";
  return {
    title: heading,
    content: `${arrivalTexts.surplus(keptKobo)} It is for ${whatOf(payment)}.`,
    mail: ({ fullName }) => ({
      subject: `${heading}: ${oneLine(payment.projectTitle)}`,
      content: {
        title: heading,
        paragraphs: [greeting(fullName), arrivalTexts.surplus(keptKobo), factsLine(payment)],
        footnote: referenceNote(payment.site),
      },
    }),
  };
}

/** Sent to a backer who needn't send a receipt, when the transfer turns out to be another's. */
export function anothersTransferNotice(payment: PaymentFacts): NoticeText {
  const title = oneLine(payment.projectTitle);
  const heading = "Your transfer has not arrived yet";
  const action = { label: "Open the payment page", url: `${payment.site.publicUrl}/back-project/${payment.projectId}` };
  return {
    title: heading,
    content: `${arrivalTexts.anothers} It is for ${whatOf(payment)}.`,
    mail: ({ fullName }) => ({
      subject: `${heading}: ${title}`,
      content: {
        title: heading,
        paragraphs: [greeting(fullName), arrivalTexts.anothers, factsLine(payment)],
        ...(payment.projectId !== null && { action }),
        footnote: referenceNote(payment.site),
      },
    }),
  };
}

type GoneFacts = { goneKobo: Kobo; gone: "taken_back" | "undone" };

/** Sent to the backer of an approved payment when the bank took its money back, or it was taken for theirs by mistake. */
export function goneNotice(payment: PaymentFacts, { goneKobo, gone }: GoneFacts): NoticeText {
  const heading = gone === "taken_back" ? "The bank took your transfer back" : "We can't see your transfer any more";
  const content = `${missingMoneyTexts[gone](formatNaira(goneKobo))} ${missingMoneyTexts.stays} It is for ${whatOf(payment)}.`;
  return {
    title: heading,
    content,
    mail: ({ fullName }) => ({
      subject: `${heading}: ${oneLine(payment.projectTitle)}`,
      content: {
        title: heading,
        paragraphs: [
          greeting(fullName),
          missingMoneyTexts[gone](formatNaira(goneKobo)),
          `${missingMoneyTexts.stays} ${missingMoneyTexts.write}`,
          factsLine(payment),
        ],
        footnote: referenceNote(payment.site),
      },
    }),
  };
}

const goneOwnersTexts = {
  taken_back: {
    title: "Money of an approved payment was taken back",
    what: (amount: string) =>
      `A line of the bank's statement shows that ${amount} of this approved payment was taken back.`,
    rest: "is missing until another line brings it",
  },
  undone: {
    title: "An approved payment lost its transfer",
    what: (amount: string) =>
      `${amount} that a line of the bank's statement had shown for this approved payment count for it no longer.`,
    rest: "is in transit until another line shows it",
  },
} as const;

/** Sent to every owner when an approved payment has lost money: taken back by the bank, or explained by another match. */
export function goneOwnersMail(
  payment: PaymentFacts,
  { fullName, goneKobo, gone, reason }: GoneFacts & { fullName: string; reason: string | null },
) {
  const { title, what, rest } = goneOwnersTexts[gone];
  return {
    subject: `${title}: ${oneLine(payment.projectTitle)}`,
    content: {
      title,
      paragraphs: [
        greeting(fullName),
        `${what(formatNaira(goneKobo))} It stays approved, and the money ${rest}.`,
        factsLine(payment),
        ...(reason ? [`Reason: ${oneLine(reason)}`] : []),
      ],
      action: { label: "Open the bank", url: `${payment.site.publicUrl}/admin/bank` },
      footnote: "All owners get this mail.",
    },
  };
}
