import type { PlannedFigure, PlanTemplate } from "#shared/reports/plans-texts.ts";
import type { Figures } from "./figures.ts";
import { nameOf, speciesOf } from "./species.ts";

/**
 * Questions about a report's improbable figures. They go to whoever sends it and whoever publishes it. They never
 * refuse a report, and nobody else reads them.
 */

type Compared = {
  template: PlanTemplate;
  planned: readonly PlannedFigure[];
  figures: Figures;
  /** The figures of the reports before it, the last first. */
  earlier: readonly Figures[];
  /** Since the report before it, or the funding. */
  days: number;
};

const many = 300_000n;
const silentReports = 6;
const few = 10_000n;

export function questionsOf(compared: Compared): string[] {
  return [...sameAsBefore(compared), ...noneDied(compared), ...speciesOf({ ...compared, last: compared.earlier[0] })];
}

/** Six reports in a row without one death among over 300 animals. */
function noneDied({ planned, figures, earlier }: Compared): string[] {
  const last = [figures, ...earlier].slice(0, silentReports);
  const isSilent = ({ died, alive }: { died: bigint | undefined; alive: bigint | undefined }) =>
    died === 0n && alive !== undefined && alive > many;
  const all = last.every((report) => isSilent({ died: report.get("died"), alive: report.get("alive") }));
  if (last.length < silentReports || !all) return [];
  return [`${nameOf(planned, "died")}: none of over 300 animals died in six reports in a row. Is that right?`];
}

/** The same figure for the third time. Nothing and a few are often right. */
function sameAsBefore({ planned, figures, earlier: [last, beforeLast] }: Compared): string[] {
  if (!last || !beforeLast) return [];
  const same = [...figures].filter(
    ([key, value]) => key !== "alive" && value >= few && last.get(key) === value && beforeLast.get(key) === value,
  );
  return same.map(([key]) => `${nameOf(planned, key)} is the same as in the two reports before. Is that right?`);
}
