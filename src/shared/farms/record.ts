import { daysBetween } from "#shared/lagos-time.ts";
import type { Kobo } from "#shared/money.ts";
import type { RoundOutcome } from "#shared/projects/texts.ts";

/** A farm's record: how each of its rounds went, from what the bank saw. No schema is here. */

/** Where a figure comes from. Reports are counted by the clock of this site. */
export const recordSources = ["bank", "owners", "farm", "site"] as const;
export type RecordSource = (typeof recordSources)[number];
export const recordSourceLabels: Record<RecordSource, string> = {
  bank: "seen at the bank",
  owners: "said by two owners with evidence",
  farm: "told by the farm",
  site: "counted by this site",
};

/** How a round ended, or where it stands. */
export const recordStages = ["running", "finished", "lost", "not_funded", "written_off"] as const;
export type RecordStage = (typeof recordStages)[number];
export const recordStageLabels: Record<RecordStage, string> = {
  running: "Running",
  finished: "Finished",
  lost: "Harvest lost",
  not_funded: "Not funded",
  written_off: "Written off",
};

/**
 * A sum as a part of what was paid: rounded down for each ₦100,000, or in percent where so few paid that a sum would
 * tell of a person.
 */
export type RecordShare = { kobo: Kobo } | { percent: number };

/** With fewer backers no sum is shown. */
export const fewestBackers = 3;
const perKobo = 10_000_000n;
const roundedToKobo = 10_000n;
const roundedToPercent = 5;

/** `baseKobo` is what was paid. Null where nothing was. */
export function recordShare(
  kobo: Kobo,
  { baseKobo, backers }: { baseKobo: Kobo; backers: number },
): RecordShare | null {
  if (baseKobo <= 0n) return null;
  const per = (kobo * perKobo) / baseKobo;
  if (backers >= fewestBackers) return { kobo: per - (per % roundedToKobo) };
  const percent = (Number(kobo) * 100) / Number(baseKobo);
  return { percent: Math.round(percent / roundedToPercent) * roundedToPercent };
}

/** A figure said wholly by lines of a statement is seen at the bank. */
export const seenOrSaid = (kobo: Kobo, seenKobo: Kobo): RecordSource => (seenKobo >= kobo ? "bank" : "owners");

/**
 * How a round ended. `isOver`: all planned harvests are done or lost. It is lost once all of them are, whatever an
 * insurer still pays.
 */
export function recordStage(round: {
  outcome: Exclude<RoundOutcome, null>;
  isOver: boolean;
  plannedHarvests: number | null;
  harvests: { state: string; isInsurance: boolean }[];
}): RecordStage {
  if (round.outcome !== "funded") return round.outcome;
  const real = round.harvests.filter(({ isInsurance }) => !isInsurance);
  if (real.length >= (round.plannedHarvests ?? 1) && real.every(({ state }) => state === "lost")) return "lost";
  return round.isOver ? "finished" : "running";
}

/** "12 days late", "2 days early", "on the day". Days count in Lagos. */
export function againstPlan(planned: Date, real: Date): string {
  const days = planned <= real ? daysBetween(planned, real) : -daysBetween(real, planned);
  if (days === 0) return "on the day";
  const count = Math.abs(days) === 1 ? "1 day" : `${Math.abs(days)} days`;
  return `${count} ${days > 0 ? "late" : "early"}`;
}

export const recordTexts = {
  nothingSure: "What one round brought says nothing sure about the next.",
  newest: (shown: number, decided: number) => `These are the newest ${shown} of ${decided} rounds.`,
  none: "No round of this farm is decided yet, so there is nothing to tell.",
  loadFailed: "The farm's record could not be loaded.",
  perHundred: "Of each ₦100,000 paid",
  ofPaid: "Of what was paid",
  few: "Fewer than three people paid, so no sums are shown, only percentages rounded to 5.",
  price: "Produce is valued at the price for estimates. Sums are rounded down to ₦100.",
  givenBack: "Everything that was paid goes back to its backers.",
  notFound: "This farm doesn't exist, or hasn't run a project yet.",
  notFoundTitle: "Farm Not Found",
} as const;
