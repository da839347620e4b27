import { formatDate, formatDateTime, formatDay } from "#shared/dates.ts";
import { intervalLabels, type ReportPlan, weekdayLabels } from "./plans-texts.ts";
import type { ReportState } from "./schedule.ts";

/** Names, limits and texts of farms' reports. No schema is here. */

export const reportLimits = {
  content: 20_000,
  farmNote: 1000,
  excuse: { min: 20, max: 500 },
  sentBackNote: { min: 10, max: 500 },
  photos: 6,
  /** For a report that wasn't sent yet: the phone may have dropped some again. */
  unsentPhotos: 20,
  linkDays: 7,
  linkLabel: 80,
  links: 50,
  /** Wrong links from one network in an hour. */
  wrongLinks: 60,
  pageSize: 20,
} as const;

export const reportStateLabels: Record<ReportState, string> = {
  coming: "Coming",
  due: "Due",
  late: "Late",
  missed: "Missed",
  sent: "Waiting to be published",
  published: "Published",
  excused: "Excused",
};

/** "Every week on Friday at 18:00. Asked for: Birds alive, Died." */
export function planSentence({ everyDays, weekday, endsOn, figures }: Omit<ReportPlan, "template">): string {
  const until = endsOn === null ? "" : ` until ${formatDay(endsOn)}`;
  // A month has no weekday of its own: only the first report is on it.
  const day = everyDays === 30 ? "" : ` on ${weekdayLabels[weekday - 1]}`;
  const asked = figures.map(({ label }) => label).join(", ");
  return `${intervalLabels[everyDays]}${day} at 18:00${until}. Asked for: ${asked}.`;
}

type FindingText = { title: string; confirm: string; dismiss: string; confirmed: string; dismissed: string };
const pairTexts = {
  confirm: "The same",
  dismiss: "Not the same",
  confirmed: "Decided: the same photo.",
  dismissed: "Decided: not the same photo.",
};
const dateTexts = {
  confirm: "The date is right",
  dismiss: "The camera's date is wrong",
  confirmed: "Decided: it wasn't taken for this report.",
  dismissed: "Decided: the camera's date is wrong.",
};

/** Findings about a photo, for administrators. None of them says that anybody did wrong. */
export const findingTexts: Record<"same_bytes" | "alike" | "old" | "future", FindingText> = {
  same_bytes: { title: "this file was shown before", ...pairTexts },
  alike: { title: "it looks like a photo that was shown before", ...pairTexts },
  old: { title: "the camera says that it is over 10 days old", ...dateTexts },
  future: { title: "the camera's date is still to come", ...dateTexts },
};

export const reportTexts = {
  title: (number: number) => `Report ${number}`,
  contentMissing: "Write what happened on the farm since the last report",
  contentLong: "A report has at most 20,000 letters",
  farmNoteLong: "The note has at most 1,000 letters",
  figureMissing: (label: string) => `Give the figure “${label}”`,
  figureWrong: "A number like 480 or 12.5",
  figureUnknown: "This figure isn't asked for any more. Load the page again.",
  noteForStock: (expected: string) =>
    `From the last report it should be ${expected}. Correct a figure, or write below why it is another one.`,
  notFound: "This report doesn't exist.",
  linkGone: "This link doesn't exist.",
  labelMissing: "Say who the link is for",
  nothingAwaited: "No report is awaited now.",
  noteForPlan: (labels: string) => `For the second time this is far under the plan: ${labels}. Write below why.`,
  linkUnknown: "This link isn't valid. Ask whoever sent it for a new one.",
  linkExpired: "This link has ended. Ask whoever sent it for a new one.",
  farmClosed: "This farm is closed. It has nothing to report any more.",
  tooLate: "This report is missed. The next one can be sent once it is open.",
  tooEarly: "This report isn't open yet.",
  roundEnded: "This round is over. It needs no more reports.",
  roundEndedBack: "This round is over, so the farm can't send it again. Publish it as it is, or leave it.",
  sentAlready: (by: string, at: Date) =>
    `${by} sent this report on ${formatDateTime(at)}. Yours is kept on this phone.`,
  sentBack: (note: string) => `This report was sent back: ${note} Discard it here, and write it anew.`,
  photoMissing: "A photo hasn't arrived yet. It is sent again.",
  photoAfterSending: "This report was sent. It takes no more photos.",
  photosMany: "A report has at most 6 photos",
  notSent: "This report hasn't come yet.",
  publishedAlready: "This report is published.",
  otherGone: "The other photo isn't kept any more.",
  cameraDate: (takenAt: Date) => `Its camera says ${formatDate(takenAt)}.`,
  findingsOpen: "Decide about the photos first.",
  roundOver: "The round was over before this report came.",
  excuseShort: "Say why in at least 20 letters: everybody can read it",
  sentBackShort: "Say what is wrong in at least 10 letters: the farm reads it",
  cameAlready: "This report came. It needs no excuse.",
  notDueYet: "The next report isn't due yet.",
  tooEarlyToAsk: "The last report is less than 10 days old.",
  askedAlready: "You have asked for this report already.",
} as const;
