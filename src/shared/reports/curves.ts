import { dayMs } from "#shared/lagos-time.ts";
import type { FigureKind, PlannedFigure } from "./plans-texts.ts";

/** What a figure should be, and whether a report is far under it. */

export const underShare = 0.8;

/** A stored figure as a plain number: naira of money, the unit of everything else. */
export const figureNumber = (kind: FigureKind, value: bigint): number =>
  Number(value) / (kind === "money" ? 100 : 1000);

/** The planned value in a week, linear between the points; null outside them, and where nothing is planned. */
export function plannedValue(curve: PlannedFigure["curve"], week: number): number | null {
  if (!curve) return null;
  for (const [index, [to, value]] of curve.entries()) {
    const [from, before] = curve[index - 1] ?? [to, value];
    if (week < from) return null;
    if (week <= to) return to === from ? value : before + ((value - before) * (week - from)) / (to - from);
  }
  return null;
}

/** Weeks from the funding of the round to a report's day, with their part of a week. */
export const weekOf = (fundedAt: Date, dueAt: Date): number => (dueAt.getTime() - fundedAt.getTime()) / (7 * dayMs);

type Compared = { figures: readonly PlannedFigure[]; values: ReadonlyMap<string, bigint>; week: number };

/** The figures that are under four fifths of their plan. Money that is spent is no such figure. */
export function underPlan({ figures, values, week }: Compared): PlannedFigure[] {
  return figures.filter(({ key, kind, curve }) => {
    const value = values.get(key);
    const planned = plannedValue(curve, week);
    return (
      kind !== "money" && value !== undefined && planned !== null && figureNumber(kind, value) < underShare * planned
    );
  });
}
