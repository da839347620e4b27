import { symbol, symbolCircle, symbolDiamond } from "d3-shape";
import classes from "./figure-plot.module.css";
import type { Point } from "./plot-points.ts";

/** A report's mark in a plot. Filled where there is a figure; of the others no two have the same shape. */
export function ReportMark({ state }: Pick<Point, "state">) {
  switch (state) {
    case "on time":
      return <path className={classes.mark} d={symbol(symbolCircle, 50)() ?? ""} />;
    case "came late":
      return <path className={classes.mark} d={symbol(symbolDiamond, 90)() ?? ""} />;
    case "waiting to be published":
      return <circle className={classes.neutral} r={4.5} strokeDasharray="2.5 2.2" />;
    case "without this figure":
      return <circle className={classes.neutral} r={4.5} />;
    case "excused":
      return <path className={classes.neutral} d="M-6 0H6" />;
    case "late":
      return <path className={classes.late} d={symbol(symbolDiamond, 90)() ?? ""} />;
    case "missed":
      return <path className={classes.missing} d="M-4-4 4 4M4-4-4 4" />;
  }
}

type LegendProps = { states: ReadonlySet<Point["state"]>; hasPlan: boolean };

/** A legend of the plots, except for plain marks that need no word. */
export function PlotLegend({ states, hasPlan }: LegendProps) {
  const shown = [...states].filter((state) => state !== "on time");
  if (shown.length === 0 && !hasPlan) return null;
  return (
    <p className={classes.legend}>
      {hasPlan && (
        <span>
          <svg width={24} height={16} viewBox="-12 -8 24 16" aria-hidden="true">
            <path className={classes.band} d="M-12-7H12V7H-12Z" />
            <path className={classes.planned} d="M-12 0H12" />
          </svg>
          the plan, a fifth more or less
        </span>
      )}
      {shown.map((state) => (
        <span key={state}>
          <svg width={16} height={16} viewBox="-8 -8 16 16" aria-hidden="true">
            <ReportMark state={state} />
          </svg>
          {state}
        </span>
      ))}
    </p>
  );
}
