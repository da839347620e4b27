import { useElementSize } from "@mantine/hooks";
import { scaleLinear } from "d3-scale";
import { area, line, symbol, symbolCircle, symbolDiamond } from "d3-shape";
import { useState } from "react";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { formatDate } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { figureNumber, plannedValue, weekOf } from "#shared/reports/curves.ts";
import { figureWithUnit, weekState } from "#shared/reports/record-texts.ts";
import classes from "./figure-plot.module.css";

type FarmRecordData = RouterOutputs["reports"]["record"];
type Figure = FarmRecordData["plan"]["figures"][number];
type PlotProps = { figure: Figure; fundedAt: Date | null; reports: FarmRecordData["reports"] };

const height = 200;
/** Room for the marks at the sides, the largest tick above, and the days below. */
const margin = { side: 12, top: 20, bottom: 24 };
/** The plan is shown with a fifth more and less. */
const band = { low: 0.8, high: 1.2 };

/** One figure over the weeks, beside its plan; a week without the figure is a gap. Its table says the same. */
export function FigurePlot({ figure, fundedAt, reports }: PlotProps) {
  const past = reports.filter(({ state }) => state !== "coming" && state !== "due");
  const from = fundedAt ?? past[0]?.dueAt ?? new Date(0);
  const points = past.map((report) => {
    const stored = report.figures[figure.key];
    const week = weekOf(from, report.dueAt);
    return {
      number: report.number,
      dueAt: report.dueAt,
      became: weekState(report),
      week,
      planned: plannedValue(figure.curve, week),
      value: stored === undefined ? null : figureNumber(figure.kind, stored),
      text: stored === undefined ? null : figureWithUnit(figure, stored),
    };
  });
  return (
    <figure className={classes.plot}>
      <figcaption className={classes.label}>{figure.label}</figcaption>
      <Drawing figure={figure} points={points} />
      <details>
        <summary>{figure.label} as a table</summary>
        <div className={classes.scroll}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">Due</th>
                <th scope="col">{figure.label}</th>
                <th scope="col">Planned</th>
                <th scope="col">Report</th>
              </tr>
            </thead>
            <tbody>
              {points.map(({ number, dueAt, text, planned, became }) => (
                <tr key={number}>
                  <th scope="row">{formatDate(dueAt)}</th>
                  <td>{text ?? "–"}</td>
                  <td>{planned === null ? "–" : tickText(figure, Math.round(planned))}</td>
                  <td>{became}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

type Point = {
  number: number;
  dueAt: Date;
  became: string;
  week: number;
  planned: number | null;
  value: number | null;
  text: string | null;
};

function Drawing({ figure, points }: { figure: Figure; points: Point[] }) {
  const { ref, width: measured } = useElementSize();
  const [shown, setShown] = useState<Point | null>(null);
  const width = measured || 320;
  const [first, last] = [points[0]?.week ?? 0, points.at(-1)?.week ?? 1];
  const curve = (figure.curve ?? []).filter(([week]) => week > first && week < last);
  const ends = [first, last].flatMap((week) => {
    const planned = plannedValue(figure.curve, week);
    return planned === null ? [] : [[week, planned] as [number, number]];
  });
  const plan = [...curve, ...ends].sort(([one], [other]) => one - other);
  const most = Math.max(1, ...points.map(({ value }) => value ?? 0), ...plan.map(([, value]) => value * band.high));
  const x = scaleLinear([first, Math.max(last, first + 1)], [margin.side, width - margin.side]);
  const y = scaleLinear([0, most], [height - margin.bottom, margin.top]).nice(3);
  const bandPath = area<[number, number]>(
    ([week]) => x(week),
    ([, value]) => y(value * band.low),
    ([, value]) => y(value * band.high),
  )(plan);
  const planPath = line<[number, number]>(
    ([week]) => x(week),
    ([, value]) => y(value),
  )(plan);
  const valuePath = line<Point>(
    ({ week }) => x(week),
    ({ value }) => y(value ?? 0),
  ).defined(({ value }) => value !== null)(points);
  return (
    <>
      <div ref={ref} className={classes.stage}>
        <svg className={classes.drawing} width={width} height={height} aria-hidden="true">
          {y.ticks(3).map((tick) => (
            <g key={tick}>
              <line className={classes.grid} x1={0} x2={width} y1={y(tick)} y2={y(tick)} />
              <text x={0} y={y(tick) - 4}>
                {tickText(figure, tick)}
              </text>
            </g>
          ))}
          {bandPath && <path className={classes.band} d={bandPath} />}
          {planPath && <path className={classes.planned} d={planPath} />}
          {valuePath && <path className={classes.line} d={valuePath} />}
          {points.map((point) => (
            <Mark key={point.number} point={point} x={x(point.week)} y={y(point.value ?? 0)} />
          ))}
          {[points[0], points.length > 1 ? points.at(-1) : undefined].map(
            (point, place) =>
              point && (
                <text
                  key={point.number}
                  x={place === 0 ? 0 : width}
                  y={height - 6}
                  textAnchor={place === 0 ? "start" : "end"}
                >
                  {formatDate(point.dueAt)}
                </text>
              ),
          )}
        </svg>
        {points.map((point) => (
          <button
            key={point.number}
            type="button"
            className={classes.target}
            style={{ left: x(point.week), top: y(point.value ?? 0) }}
            onFocus={() => setShown(point)}
            onPointerEnter={() => setShown(point)}
            onClick={() => setShown(point)}
          >
            <span className="visually-hidden">{pointText(point)}</span>
          </button>
        ))}
      </div>
      <p className={classes.shown}>{shown ? pointText(shown) : lastText(figure, points, plan.length > 0)}</p>
    </>
  );
}

/** A round mark for what came on time, a diamond with its word for what came late, a cross for what is missing. */
function Mark({ point, x, y }: { point: Point; x: number; y: number }) {
  const isLate = point.became === "came late";
  return (
    <g className={classes.mark} transform={`translate(${x},${y})`}>
      {point.value === null ? (
        <path className={classes.missing} d="M-4-4 4 4M4-4-4 4" />
      ) : (
        <path d={symbol(isLate ? symbolDiamond : symbolCircle, isLate ? 90 : 50)() ?? ""} />
      )}
      {isLate && point.value !== null && (
        <text y={-10} textAnchor="middle">
          late
        </text>
      )}
    </g>
  );
}

const pointText = ({ dueAt, text, became }: Point): string => `${formatDate(dueAt)}: ${text ?? "no figure"}, ${became}`;

function lastText(figure: Figure, points: Point[], hasPlan: boolean): string {
  const last = points.findLast(({ text }) => text !== null);
  const plan = hasPlan ? " The band is the plan, a fifth more or less." : "";
  return last ? `Last: ${last.text} on ${formatDate(last.dueAt)}.${plan}` : `No ${figure.label.toLowerCase()} yet.`;
}

const tickText = ({ kind }: Figure, value: number): string =>
  kind === "money" ? formatNaira(BigInt(Math.round(value)) * 100n) : value.toLocaleString("en-NG");
