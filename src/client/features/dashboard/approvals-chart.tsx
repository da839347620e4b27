import type { RouterOutputs } from "#client/lib/trpc.ts";
import { formatDate } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import classes from "./glance.module.css";

type Week = RouterOutputs["dashboard"]["money"]["weeks"][number];

const WIDTH = 240;
const HEIGHT = 64;
const GAP = 4;

/** The money approved in each of the last weeks as bars, and the same as a table. */
export function ApprovalsChart({ weeks }: { weeks: readonly Week[] }) {
  const most = Math.max(1, ...weeks.map(({ kobo }) => Number(kobo)));
  const total = weeks.reduce((sum, { kobo }) => sum + kobo, 0n);
  const slot = WIDTH / weeks.length;
  const [first, last] = [weeks[0], weeks.at(-1)];
  return (
    <figure className={classes.approvals}>
      <figcaption className={classes.label}>Approved by week</figcaption>
      <svg
        className={classes.bars}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${formatNaira(total)} approved in the last ${weeks.length} weeks. The table below has each week.`}
      >
        {weeks.map(({ startsAt, kobo }, index) => {
          // A week without money still has a mark, so that its place is seen.
          const height = Math.max(2, (Number(kobo) / most) * HEIGHT);
          return (
            <rect
              key={startsAt.getTime()}
              className={kobo === 0n ? classes.none : classes.bar}
              x={index * slot + GAP / 2}
              y={HEIGHT - height}
              width={slot - GAP}
              height={height}
            />
          );
        })}
      </svg>
      {first && last && (
        <p className={classes.axis} aria-hidden="true">
          <span>{formatDate(first.startsAt)}</span>
          <span>This week</span>
        </p>
      )}
      <details className={classes.details}>
        <summary>As a table</summary>
        <table className={classes.table}>
          <caption className="visually-hidden">Money approved by week</caption>
          <thead>
            <tr>
              <th scope="col">Week of</th>
              <th scope="col">Payments</th>
              <th scope="col">Approved</th>
            </tr>
          </thead>
          <tbody>
            {weeks.map(({ startsAt, count, kobo }) => (
              <tr key={startsAt.getTime()}>
                <th scope="row">{formatDate(startsAt)}</th>
                <td>{count}</td>
                <td className="money">{formatNaira(kobo)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
