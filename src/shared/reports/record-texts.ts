import { formatNaira } from "#shared/money.ts";
import { quantityText } from "#shared/projects/terms-texts.ts";
import { figureNumber, plannedValue, underShare, weekOf } from "./curves.ts";
import type { PlannedFigure } from "./plans-texts.ts";
import type { ReportState } from "./schedule.ts";
import { type ReportSummary, reportLine } from "./summary-texts.ts";

/** How a farm does, in words: what a backer reads before any plot. */

type Reported = { dueAt: Date; state: ReportState; isOnTime: boolean; figures: Record<string, bigint> };
type FarmRecord = {
  plan: { figures: readonly PlannedFigure[] };
  fundedAt: Date | null;
  summary: ReportSummary | null;
  reports: readonly Reported[];
};

export type FarmAnswer = { tone: "positive" | "caution" | "neutral"; text: string };

/** "On plan", "Under plan: 78 % of the planned birds alive" or "No report for 16 days." */
export function farmAnswer({ plan, fundedAt, summary, reports }: FarmRecord): FarmAnswer {
  if (summary?.isLate) return { tone: "caution", text: reportLine(summary) ?? "" };
  const last = reports.findLast(({ state }) => state === "published");
  if (!last || !fundedAt) return { tone: "neutral", text: "Nothing is reported yet" };
  const week = weekOf(fundedAt, last.dueAt);
  // Money that is spent is no figure that has to be reached.
  const shares = plan.figures.flatMap(({ key, label, kind, curve }) => {
    const value = last.figures[key];
    const planned = plannedValue(curve, week);
    if (kind === "money" || value === undefined || !planned) return [];
    return [{ label, share: figureNumber(kind, value) / planned }];
  });
  const [least] = shares.sort((one, other) => one.share - other.share);
  if (!least) return { tone: "neutral", text: "The farm reports. No plan says what its figures should be." };
  if (least.share >= underShare) return { tone: "positive", text: "On plan" };
  const percent = Math.floor(least.share * 100);
  return { tone: "caution", text: `Under plan: ${percent} % of the planned ${least.label.toLowerCase()}` };
}

export type WeekState = "on time" | "came late" | "late" | "missed" | "excused" | "due" | "coming";

/** What became of a report, as the strip of weeks says it. */
export function weekState({ state, isOnTime }: Pick<Reported, "state" | "isOnTime">): WeekState {
  if (state === "sent" || state === "published") return isOnTime ? "on time" : "came late";
  return state;
}

/** "₦1,250,000", "12.5 kg" or "480". */
export const figureWithUnit = ({ kind, unit }: Pick<PlannedFigure, "kind" | "unit">, value: bigint): string =>
  kind === "money" ? formatNaira(value) : `${quantityText(value)} ${unit}`.trimEnd();
