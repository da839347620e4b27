import { figureNumber } from "#shared/reports/curves.ts";
import type { PlannedFigure, PlanTemplate } from "#shared/reports/plans-texts.ts";
import type { Figures } from "./figures.ts";

/**
 * The biological bounds of animals, by which a figure with a digit too many is questioned. Each bound is far wider than
 * the figures of good farms; its source stands beside it.
 */

type Bounds = { least: number; most: number; text: string };

/** Grams of feed that one animal eats a day. */
const feedADay: Partial<Record<PlanTemplate, Bounds>> = {
  // Ross 308 performance objectives (Aviagen, 2022): 13 g on the first day to 235 g on day 56.
  broiler: { least: 8, most: 300, text: "A broiler eats 15 to 240 g a day." },
  // Hy-Line Brown management guide (2022): pullets from 13 g, hens in lay 105 to 118 g.
  layer: { least: 8, most: 170, text: "A hen eats 15 to 120 g a day." },
};

/** Eggs of a hen a day. Hy-Line Brown management guide (2022): at most 96 % of the hens lay on a day. */
const mostEggsADay = 1;

/** Feed eaten for each kg gained. */
const feedForGain: Partial<Record<PlanTemplate, Bounds>> = {
  // Ross 308 performance objectives (Aviagen, 2022): 1.0 in the first week to 2.2 a week at eight weeks.
  broiler: { least: 0.8, most: 4, text: "A broiler gains a kilogram from 1 to 2.5 kg of feed." },
  // FAO, Clarias gariepinus farming manual (1996), and WorldFish Nigeria surveys: 0.9 to 2.0 on pellets.
  catfish: { least: 0.6, most: 4, text: "Catfish gain a kilogram from 0.9 to 2 kg of feed." },
};

const numberOf = (value: bigint | undefined): number | null =>
  value === undefined ? null : figureNumber("count", value);

/** A figure's name as the form shows it, in quotation marks. */
export const nameOf = (planned: readonly PlannedFigure[], key: string): string =>
  `“${planned.find((figure) => figure.key === key)?.label ?? key}”`;

type Reported = {
  template: PlanTemplate;
  planned: readonly PlannedFigure[];
  figures: Figures;
  /** The figures of the report before. */
  last: Figures | undefined;
  /** Since the report before, or the funding. */
  days: number;
};

/** Returns questions about figures that no animal of the kind reaches. */
export function speciesOf({ template, planned, figures, last, days }: Reported): string[] {
  const alive = numberOf(figures.get("alive"));
  if (!alive) return [];
  const feed = numberOf(figures.get("feed"));
  const questions: string[] = [];
  const eaten = feedADay[template];
  if (eaten && feed) {
    const grams = (feed * 1000) / alive / days;
    if (isOutside(grams, eaten))
      questions.push(`${nameOf(planned, "feed")}: ${eaten.text} Here it is ${Math.round(grams)} g. Is that right?`);
  }
  const eggs = numberOf(figures.get("eggs"));
  if (template === "layer" && eggs && eggs / alive / days > mostEggsADay)
    questions.push(`${nameOf(planned, "eggs")}: that is more than one egg a day for each hen. Is that right?`);
  const ratio = gainRatio({ alive, feed, weight: numberOf(figures.get("weight")), before: last });
  const usual = feedForGain[template];
  if (usual && ratio !== null && isOutside(ratio, usual)) {
    const names = `${nameOf(planned, "feed")} and ${nameOf(planned, "weight")}`;
    questions.push(`${names}: ${usual.text} Here it is ${ratio.toFixed(1)} kg. Is that right?`);
  }
  return questions;
}

const isOutside = (value: number, { least, most }: Bounds): boolean => value < least || value > most;

type Gain = { alive: number; feed: number | null; weight: number | null; before: Figures | undefined };

/** Feed ÷ gain since the report before; null where either isn't known, or nothing was gained. */
function gainRatio({ alive, feed, weight, before }: Gain): number | null {
  const earlier = numberOf(before?.get("weight"));
  if (!feed || !weight || !earlier || weight <= earlier) return null;
  return feed / ((weight - earlier) * alive);
}
