import { formatNaira } from "#shared/money.ts";
import { quantityText } from "#shared/projects/terms-texts.ts";
import { shareOfPlan, underShare, weekOf } from "./curves.ts";
import type { PlannedFigure } from "./plans-texts.ts";
import type { ReportState } from "./schedule.ts";
import { type ReportSummary, reportLine } from "./summary-texts.ts";

/** How a farm does, in words: what a backer reads before any plot. */

/** `gone` is how many animals left the farm alive until then, in thousandths. */
type Reported = {
  dueAt: Date;
  state: ReportState;
  isOnTime: boolean;
  figures: Record<string, bigint>;
  gone: bigint;
};
type FarmRecord = {
  plan: { figures: readonly PlannedFigure[] };
  fundedAt: Date | null;
  summary: ReportSummary | null;
  reports: readonly Reported[];
};

export type FarmAnswer = { tone: "positive" | "caution" | "neutral"; text: string };

/**
 * "On plan", "Under plan: 78 % of the planned birds alive" or "No report for 16 days."; a farm that has ended isn't on
 * plan.
 */
export function farmAnswer({ plan, fundedAt, summary, reports }: FarmRecord): FarmAnswer {
  if (summary?.isLate) return { tone: "caution", text: reportLine(summary) ?? "" };
  if (summary && !summary.nextDueAt) return { tone: "neutral", text: "No report is awaited now" };
  const last = reports.findLast(({ state }) => state === "published");
  if (!last || !fundedAt) return { tone: "neutral", text: "Nothing is reported yet" };
  const at = { week: weekOf(fundedAt, last.dueAt), gone: last.gone };
  const shares = plan.figures.flatMap((figure) => {
    const value = last.figures[figure.key];
    const share = value === undefined ? null : shareOfPlan(figure, value, at);
    return share === null ? [] : [{ ...figure, share }];
  });
  const [least] = shares.sort((one, other) => one.share - other.share);
  if (!least) return { tone: "neutral", text: "The farm reports. No plan says what its figures should be." };
  if (least.share >= underShare) return { tone: "positive", text: "On plan" };
  const percent = Math.floor(least.share * 100);
  const counting = least.kind === "stock" && last.gone > 0n ? ", counting those that were sold" : "";
  return { tone: "caution", text: `Under plan: ${percent} % of the planned ${least.label.toLowerCase()}${counting}` };
}

export type WeekState = "on time" | "came late" | "late" | "missed" | "excused" | "due" | "coming";

/** Returns a report's state as the strip of weeks says it. */
export function weekState({ state, isOnTime }: Pick<Reported, "state" | "isOnTime">): WeekState {
  if (state === "sent" || state === "published") return isOnTime ? "on time" : "came late";
  return state;
}

/** "₦1,250,000", "12.5 kg" or "480". */
export const figureWithUnit = ({ kind, unit }: Pick<PlannedFigure, "kind" | "unit">, value: bigint): string =>
  kind === "money" ? formatNaira(value) : `${quantityText(value)} ${unit}`.trimEnd();

/** A planned value beside reported ones: "₦125,000", "0.45 kg" or "958". The smaller, the more decimal places. */
export function plannedText({ kind, unit }: Pick<PlannedFigure, "kind" | "unit">, value: number): string {
  if (kind === "money") return formatNaira(BigInt(Math.round(value)) * 100n);
  const places = (value < 10 ? 1 : 0) + (kind === "mass" ? 1 : 0);
  return `${value.toLocaleString("en-NG", { maximumFractionDigits: places })} ${unit}`.trimEnd();
}
