import { formatDate } from "#shared/dates.ts";
import { plannedText } from "#shared/reports/record-texts.ts";
import { FigureDrawing } from "./figure-drawing.tsx";
import classes from "./figure-plot.module.css";
import { type PlotProps, planOf, pointsOf } from "./plot-points.ts";

/** One figure over the weeks, beside its plan; a week without the figure is a gap. Its table says the same. */
export function FigurePlot(props: PlotProps) {
  const { figure } = props;
  const points = pointsOf(props);
  return (
    <figure className={classes.plot}>
      <figcaption className={classes.label}>{figure.label}</figcaption>
      <FigureDrawing figure={figure} points={points} plan={planOf(figure, points)} />
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
              {points.map(({ number, dueAt, text, plan, state }) => (
                <tr key={number}>
                  <th scope="row">{formatDate(dueAt)}</th>
                  <td>{text ?? "–"}</td>
                  <td>{plan ? plannedText(figure, plan.planned) : "–"}</td>
                  <td>{state}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
