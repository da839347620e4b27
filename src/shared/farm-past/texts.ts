import { formatQuantity, type Unit } from "#shared/projects/terms-texts.ts";

/** A farm's years before this site: labels, limits and texts. No schema is here. */

export const farmPastStates = ["waiting", "confirmed", "refused", "taken_down"] as const;
export type FarmPastState = (typeof farmPastStates)[number];

export const farmPastStateLabels: Record<FarmPastState, string> = {
  waiting: "Waits for an owner",
  confirmed: "Public",
  refused: "Refused",
  taken_down: "Taken down",
};

export const farmPastLimits = {
  firstYear: 1900,
  farmed: { min: 3, max: 80 },
  outcome: { min: 20, max: 600 },
  paidBy: { min: 2, max: 120 },
  evidence: { min: 5, max: 200 },
  files: 6,
  /** Per farm, waiting or public. */
  entries: 50,
} as const;

const limits = farmPastLimits;

export const farmPastTexts = {
  title: "Told by the farm, before this site",
  /** The same in the office and at the farm. */
  before: "Before this site",
  /** Above what is told, on the farm's page. */
  notOurs: "Nothing of this went through this site's bank account, and none of it is part of the record above.",
  none: "Nothing is told of the years before this site.",
  loadFailed: "What the farm tells of earlier years could not be loaded.",
  fromYear: `A year like 2019`,
  toYear: "The last year can't be before the first",
  yearAhead: "This year is still to come",
  farmed: `Say in ${limits.farmed.min} to ${limits.farmed.max} letters what was farmed`,
  outcome: `Say in ${limits.outcome.min} to ${limits.outcome.max} letters what came of it`,
  quantity: "Please enter a quantity like 2,500 or 12.5",
  unit: "Choose what the figures count",
  figuresMissing: "Give at least one of the two figures, or no unit",
  paidBy: `Say in ${limits.paidBy.min} to ${limits.paidBy.max} letters who paid for it`,
  evidence: `Say in ${limits.evidence.min} to ${limits.evidence.max} letters what the files are`,
  filesMissing: "Add at least one photo or document that shows it.",
  filesMany: `At most ${limits.files} photos and documents.`,
  filesPrivate: "Only the farm's keepers and this site's office open them.",
  uploadAgain: "Please upload the photos and documents again.",
  tooMany: `At most ${limits.entries} entries of one farm.`,
  gone: "This entry no longer exists.",
  decidedAlready: "This was decided already. Please look at it again.",
  ofFarm: "You work or worked for this farm. Another owner has to confirm what it tells.",
  notOwn: "You didn't enter this. Its farm can withdraw it, or an owner refuses it.",
  withdrawn: "Withdrawn. It is gone with its files.",
  withdrawFailed: "This was not withdrawn",
  needsReason: "You are the only owner: say why you confirm what you entered yourself.",
  entered: "Entered. It is public once an owner has confirmed it.",
  confirmed: "Confirmed. It is on the farm's page.",
  confirmFailed: "This was not confirmed",
  refused: "Refused. The farm reads why.",
  takenDown: "Taken down. It isn't on the farm's page any more.",
} as const;

type Years = { fromYear: number; toYear: number };

/** "2019", or "2019 to 2021". */
export const pastYears = ({ fromYear, toYear }: Years): string =>
  fromYear === toYear ? String(fromYear) : `${fromYear} to ${toYear}`;

type Figures = { unit: Unit | null; planned: bigint | null; harvested: bigint | null };

/** "5,200 crates harvested, 6,000 crates planned"; null without a figure. */
export function pastFigures({ unit, planned, harvested }: Figures): string | null {
  if (unit === null) return null;
  const parts = [
    harvested !== null && `${formatQuantity(harvested, unit)} harvested`,
    planned !== null && `${formatQuantity(planned, unit)} planned`,
  ];
  return parts.filter(Boolean).join(", ");
}
