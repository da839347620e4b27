import type { RouterInputs } from "#client/lib/trpc.ts";
import type { PlannedFigure, PlanTemplate, ReportPlan } from "#shared/reports/plans-texts.ts";
import { planOfTemplate } from "#shared/reports/templates.ts";

type Plan = RouterInputs["reports"]["savePlan"]["plan"];

/** A figure as it is typed: `curveText` has a line for each week that is planned, "8 930". */
export type FigureValues = Omit<PlannedFigure, "curve"> & { curveText: string };

/** A plan of reports as it is typed. `endsOn` is empty where the round's end counts. */
export type PlanValues = Omit<ReportPlan, "endsOn" | "figures"> & { endsOn: string; figures: FigureValues[] };

const curveTextOf = (curve: PlannedFigure["curve"]) =>
  curve?.map(([week, value]) => `${week} ${value}`).join("\n") ?? "";
const valuesOfFigures = (figures: readonly PlannedFigure[]): FigureValues[] =>
  figures.map(({ curve, ...figure }) => ({ ...figure, curveText: curveTextOf(curve) }));

export const valuesOfPlan = ({ template, everyDays, weekday, endsOn, figures }: ReportPlan): PlanValues => ({
  template,
  everyDays,
  weekday,
  endsOn: endsOn ?? "",
  figures: valuesOfFigures(figures),
});

/** The same days with the figures that farms of another kind report. */
export const withTemplate = (values: PlanValues, template: PlanTemplate): PlanValues => ({
  ...values,
  template,
  figures: valuesOfFigures(planOfTemplate(template).figures),
});

/** "0 1000" a line: week and value, the weeks going up. Null for nothing, undefined for what can't be read. */
function readCurve(text: string): PlannedFigure["curve"] | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) return null;
  const points = lines.map((line) =>
    line
      .trim()
      .split(/[\s:]+/)
      .map(Number),
  );
  const isRising = points.every(([week], index) => index === 0 || (week ?? 0) > (points[index - 1]?.[0] ?? 0));
  const isRead = points.every((point) => point.length === 2 && point.every((value) => value >= 0));
  return isRead && isRising && points.length > 1 ? points.map(([week = 0, value = 0]) => [week, value]) : undefined;
}

/** Reads the values, or says what is wrong with them. */
export function readPlanValues({ endsOn, figures, ...days }: PlanValues): { plan: Plan } | { fault: string } {
  const read = figures.map(({ curveText, ...figure }) => ({ ...figure, curve: readCurve(curveText) }));
  const nameless = read.find(({ label }) => label.trim() === "");
  if (nameless) return { fault: "Give every figure a name." };
  const unread = read.find(({ curve }) => curve === undefined);
  if (unread) {
    return { fault: `The plan of “${unread.label}” needs two lines at least, each a week and a value, like “8 930”.` };
  }
  const whole = read.map((figure) => ({ ...figure, curve: figure.curve ?? null }));
  return { plan: { ...days, endsOn: endsOn || null, figures: whole } };
}

/** A figure with a key that no other has: letters only, because reports keep it for ever. */
export function newFigure(figures: readonly FigureValues[]): FigureValues {
  const key = [..."abcdefgh"]
    .map((letter) => `own_${letter}`)
    .find((free) => !figures.some((figure) => figure.key === free));
  return { key: key ?? "own", label: "", unit: "", kind: "count", isRequired: false, curveText: "" };
}
