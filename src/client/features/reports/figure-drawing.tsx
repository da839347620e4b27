import { useElementSize } from "@mantine/hooks";
import { scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import { type PointerEvent, useState } from "react";
import { formatDate } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import classes from "./figure-plot.module.css";
import { type Figure, type Point, type planOf, pointText } from "./plot-points.ts";
import { ReportMark } from "./report-mark.tsx";

const height = 200;
/** Room for the last mark, the largest tick above, and the days below. */
const margin = { right: 8, top: 12, bottom: 24 };
/** Room for the longest tick beside the plot. */
const tickWidth = (texts: readonly string[]): number => 7 * Math.max(...texts.map(({ length }) => length)) + 14;

type DrawingProps = { figure: Figure; points: Point[]; plan: ReturnType<typeof planOf> };

/** The plot, and the point that is pointed at in words. One tab stop: the arrow keys go from report to report. */
export function FigureDrawing({ figure, points, plan }: DrawingProps) {
  const { ref, width: measured } = useElementSize();
  const [shown, setShown] = useState<number | null>(null);
  const width = measured || 320;
  const [first, last] = [points[0]?.week ?? 0, points.at(-1)?.week ?? 1];
  const most = Math.max(...points.map(({ value }) => value ?? 0), ...plan.map(({ high }) => high)) || 1;
  const y = scaleLinear([0, most], [height - margin.bottom, margin.top]).nice(3);
  const ticks = ticksOf(figure, y.ticks(3)).map((value) => ({ value, text: tickText(figure, value) }));
  const left = tickWidth(ticks.map(({ text }) => text));
  const x = scaleLinear([first, Math.max(last, first + 1)], [left, width - margin.right]);
  const current = points[shown ?? -1];
  const pointAt = ({ clientX, currentTarget }: PointerEvent) => {
    const week = x.invert(clientX - currentTarget.getBoundingClientRect().left);
    const distances = points.map((point) => Math.abs(point.week - week));
    setShown(distances.indexOf(Math.min(...distances)));
  };
  return (
    <>
      <div ref={ref} className={classes.stage} onPointerMove={pointAt} onPointerDown={pointAt}>
        <svg className={classes.drawing} width={width} height={height} aria-hidden="true">
          {ticks.map(({ value, text }) => (
            <g key={value} transform={`translate(0,${y(value)})`}>
              <line className={classes.grid} x1={left - 8} x2={width} />
              <text y={4}>{text}</text>
            </g>
          ))}
          <Plan plan={plan} x={x} y={y} />
          <path
            className={classes.line}
            d={
              line<Point>(
                ({ week }) => x(week),
                ({ value }) => y(value ?? 0),
              ).defined(({ value }) => value !== null)(points) ?? ""
            }
          />
          {current && <line className={classes.cursor} x1={x(current.week)} x2={x(current.week)} y1={0} y2={y(0)} />}
          {points.map(({ number, week, value, state }) => (
            <g key={number} transform={`translate(${x(week)},${y(value ?? 0)})`}>
              <ReportMark state={state} />
              {state === "came late" && (
                <text y={-10} textAnchor="middle">
                  late
                </text>
              )}
            </g>
          ))}
          {[points[0], points.length > 1 ? points.at(-1) : undefined].map(
            (point, place) =>
              point && (
                <text
                  key={point.number}
                  x={place === 0 ? left - 8 : width}
                  y={height - 4}
                  textAnchor={place === 0 ? "start" : "end"}
                >
                  {formatDate(point.dueAt)}
                </text>
              ),
          )}
        </svg>
        <input
          className={classes.reader}
          type="range"
          min={0}
          max={points.length - 1}
          value={shown ?? points.length - 1}
          aria-label={`${figure.label}, report by report`}
          aria-valuetext={pointTextAt(points, shown)}
          onFocus={() => setShown((before) => before ?? points.length - 1)}
          onChange={({ currentTarget }) => setShown(currentTarget.valueAsNumber)}
        />
      </div>
      <p className={classes.shown}>{current ? pointText(current) : lastText(figure, points)}</p>
    </>
  );
}

type Scale = (value: number) => number;

/** The plan as a band of a fifth more and less, and a dashed line. */
function Plan({ plan, x, y }: Pick<DrawingProps, "plan"> & { x: Scale; y: Scale }) {
  type Planned = DrawingProps["plan"][number];
  const bandPath = area<Planned>(
    ({ week }) => x(week),
    ({ low }) => y(low),
    ({ high }) => y(high),
  )(plan);
  const planPath = line<Planned>(
    ({ week }) => x(week),
    ({ planned }) => y(planned),
  )(plan);
  return (
    <>
      {bandPath && <path className={classes.band} d={bandPath} />}
      {planPath && <path className={classes.planned} d={planPath} />}
    </>
  );
}

function pointTextAt(points: readonly Point[], shown: number | null): string {
  const point = points[shown ?? points.length - 1];
  return point ? pointText(point) : "";
}

function lastText({ kind, curve, label }: Figure, points: readonly Point[]): string {
  const last = points.findLast(({ text }) => text !== null);
  if (!last) return `No ${label.toLowerCase()} yet.`;
  const sold = kind === "stock" && curve && last.gone > 0n ? " The plan is without those that were sold." : "";
  return `Last: ${last.text} on ${formatDate(last.dueAt)}.${sold}`;
}

/** No half animal or egg. */
const ticksOf = ({ kind }: Figure, ticks: number[]): number[] =>
  kind === "mass" || kind === "money" ? ticks : ticks.filter(Number.isInteger);

const tickText = ({ kind }: Figure, value: number): string =>
  kind === "money" ? formatNaira(BigInt(Math.round(value)) * 100n) : value.toLocaleString("en-NG");
