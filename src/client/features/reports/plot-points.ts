import type { RouterOutputs } from "#client/lib/trpc.ts";
import { formatDate } from "#shared/dates.ts";
import { figureNumber, planAt, weekOf } from "#shared/reports/curves.ts";
import { figureWithUnit, type WeekState, weekState } from "#shared/reports/record-texts.ts";

type FarmRecordData = RouterOutputs["reports"]["record"];
export type Figure = FarmRecordData["plan"]["figures"][number];
export type PlotProps = { figure: Figure; fundedAt: Date | null; reports: FarmRecordData["reports"] };

/** The state of a report in a plot: how it came, or why there is no figure. */
type PointState = Exclude<WeekState, "due" | "coming"> | "waiting to be published" | "without this figure";

export type Point = {
  number: number;
  dueAt: Date;
  state: PointState;
  week: number;
  /** How many animals left the farm alive until then, in thousandths. */
  gone: bigint;
  plan: PlanPoint | null;
  value: number | null;
  text: string | null;
};
type PlanPoint = NonNullable<ReturnType<typeof planAt>>;

/** The reports whose time has come, each with one figure and its plan. */
export function pointsOf({ figure, fundedAt, reports }: PlotProps): Point[] {
  const from = fundedAt ?? reports[0]?.dueAt ?? new Date(0);
  const points: Point[] = [];
  for (const report of reports) {
    const became = weekState(report);
    if (became === "due" || became === "coming") continue;
    const stored = report.figures[figure.key];
    const week = weekOf(from, report.dueAt);
    // Where nothing is published, as many are gone as the report before said.
    const gone = report.state === "published" ? report.gone : (points.at(-1)?.gone ?? 0n);
    points.push({
      number: report.number,
      dueAt: report.dueAt,
      state: stored === undefined ? whyNone(report.state, became) : became,
      week,
      gone,
      plan: planAt(figure, { week, gone }),
      value: stored === undefined ? null : figureNumber(figure.kind, stored),
      text: stored === undefined ? null : figureWithUnit(figure, stored),
    });
  }
  return points;
}

function whyNone(state: FarmRecordData["reports"][number]["state"], became: PointState): PointState {
  if (state === "sent") return "waiting to be published";
  return state === "published" ? "without this figure" : became;
}

/** The plan from the first report to the last, with its bends. Between two reports what left the farm is taken as even. */
export function planOf(figure: Figure, points: readonly Point[]): (PlanPoint & { week: number })[] {
  const [first, last] = [points[0]?.week ?? 0, points.at(-1)?.week ?? 0];
  const bends = (figure.curve ?? []).map(([week]) => week).filter((week) => week > first && week < last);
  const weeks = [...new Set([...points.map(({ week }) => week), ...bends])].sort((one, other) => one - other);
  return weeks.flatMap((week) => {
    const plan = planAt(figure, { week, gone: goneIn(week, points) });
    return plan ? [{ week, ...plan }] : [];
  });
}

function goneIn(week: number, points: readonly Point[]): bigint {
  const after = points.find((point) => point.week >= week);
  const before = points.findLast((point) => point.week <= week);
  if (!after || !before || after.week === before.week) return before?.gone ?? 0n;
  const part = (week - before.week) / (after.week - before.week);
  return before.gone + BigInt(Math.round(Number(after.gone - before.gone) * part));
}

/** "27 Nov 2026: 480, on time". */
export const pointText = ({ dueAt, text, state }: Point): string =>
  `${formatDate(dueAt)}: ${text === null ? state : `${text}, ${state}`}`;
