import { dayMs } from "#shared/lagos-time.ts";
import type { FigureKind, PlannedFigure } from "./plans-texts.ts";

/** A figure's expected value, and whether a report is far under it. */

export const underShare = 0.8;
const overShare = 1.2;

/** A stored figure as a plain number: naira of money, the unit of everything else. */
export const figureNumber = (kind: FigureKind, value: bigint): number =>
  Number(value) / (kind === "money" ? 100 : 1000);

/** The planned value in a week, linear between the points; null outside them, and where nothing is planned. */
function plannedValue(curve: PlannedFigure["curve"], week: number): number | null {
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

/** The keys of figures that say how many animals left a farm alive. */
export const leavingKeys = ["sold", "taken"];

/** How many animals left the farm alive since the report before, in thousandths. */
export const countGone = (values: ReadonlyMap<string, bigint>): bigint =>
  leavingKeys.reduce((sum, key) => sum + (values.get(key) ?? 0n), 0n);

type Planned = Pick<PlannedFigure, "kind" | "curve">;
/** The week of a report, and how many animals left the farm in the round's reports up to it, in thousandths. */
type At = { week: number; gone: bigint };

/** No curve knows of sales: what left the farm alive counts as living. */
const countedAsLiving = (kind: FigureKind, gone: bigint): number => (kind === "stock" ? figureNumber(kind, gone) : 0);

/** Returns a figure's expected value, with a fifth less and more; null where nothing is planned. */
export function planAt({ kind, curve }: Planned, { week, gone }: At) {
  const value = plannedValue(curve, week);
  if (value === null) return null;
  const left = (share: number) => Math.max(0, share * value - countedAsLiving(kind, gone));
  return { low: left(underShare), planned: left(1), high: left(overShare) };
}

/** A figure as a share of its plan. Null where nothing is planned, and for money: less spent is no fault. */
export function shareOfPlan({ kind, curve }: Planned, value: bigint, { week, gone }: At): number | null {
  const planned = plannedValue(curve, week);
  if (kind === "money" || !planned) return null;
  return (figureNumber(kind, value) + countedAsLiving(kind, gone)) / planned;
}

type Compared = At & { figures: readonly PlannedFigure[]; values: ReadonlyMap<string, bigint> };

/** The figures that are under four fifths of their plan. */
export function underPlan({ figures, values, ...at }: Compared): PlannedFigure[] {
  return figures.filter((figure) => {
    const value = values.get(figure.key);
    const share = value === undefined ? null : shareOfPlan(figure, value, at);
    return share !== null && share < underShare;
  });
}
