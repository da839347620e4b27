import {
  IconCircle,
  IconCircleCheck,
  IconCircleMinus,
  IconCircleX,
  IconClock,
  IconClockExclamation,
} from "@tabler/icons-react";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { formatDate } from "#shared/dates.ts";
import { type WeekState, weekState } from "#shared/reports/record-texts.ts";
import { dayAndMonth } from "#shared/reports/summary-texts.ts";
import { FarmAnswer } from "./farm-answer.tsx";
import classes from "./farm-record.module.css";
import { FigurePlot } from "./figure-plot.tsx";
import { pointsOf } from "./plot-points.ts";
import { FarmRecordSkeleton } from "./record-skeleton.tsx";
import { PlotLegend } from "./report-mark.tsx";

type FarmRecordData = RouterOutputs["reports"]["record"];
type FarmRecordProps = {
  projectId: number;
  /** Where the page says elsewhere how the farm does, the answer isn't said again. */
  hasAnswer?: boolean;
};

/** How a farm does: the answer in words, its weeks, and a plot for each figure. Those with a plan stand in sight. */
export default function FarmRecord({ projectId, hasAnswer = true }: FarmRecordProps) {
  const query = trpc.reports.record.useQuery({ projectId });
  if (query.isPending) return <FarmRecordSkeleton />;
  if (!query.data) {
    return (
      <ErrorState
        title="The farm's figures could not be loaded."
        onRetry={() => void query.refetch()}
        isRetrying={query.isRefetching}
      />
    );
  }
  const { plan, fundedAt, reports } = query.data;
  if (reports.length === 0) return null;
  const figures = plan.figures.filter(({ key }) => reports.some((report) => key in report.figures));
  const [planned, others] = [figures.filter(({ curve }) => curve), figures.filter(({ curve }) => !curve)];
  const states = figures.flatMap((figure) => pointsOf({ figure, fundedAt, reports }).map(({ state }) => state));
  const plotsOf = (shown: typeof figures) => (
    <div className={classes.plots}>
      {shown.map((figure) => (
        <FigurePlot key={figure.key} figure={figure} fundedAt={fundedAt} reports={reports} />
      ))}
    </div>
  );
  return (
    <section className={classes.record} aria-labelledby="farm-record">
      <h2 id="farm-record" className={classes.title}>
        How the farm does
      </h2>
      {hasAnswer && <FarmAnswer record={query.data} />}
      <Weeks reports={reports} />
      <PlotLegend states={new Set(states)} hasPlan={planned.length > 0} />
      {plotsOf(planned.length > 0 ? planned : others)}
      {planned.length > 0 && others.length > 0 && (
        <details className={classes.more}>
          <summary>More figures: {others.map(({ label }) => label.toLowerCase()).join(", ")}</summary>
          {plotsOf(others)}
        </details>
      )}
    </section>
  );
}

const icons: Record<WeekState, typeof IconCircle> = {
  "on time": IconCircleCheck,
  "came late": IconClock,
  late: IconClockExclamation,
  missed: IconCircleX,
  excused: IconCircleMinus,
  due: IconCircle,
  coming: IconCircle,
};

/** So many of the newest reports stand in sight. */
const weeksInSight = 12;

/** Each report that the farm owes, as a mark and its day; how many there are of each kind; and the reasons of the excused. */
function Weeks({ reports }: Pick<FarmRecordData, "reports">) {
  const weeks = reports.map((report) => ({ ...report, became: weekState(report) }));
  const [earlier, newest] = [weeks.slice(0, -weeksInSight), weeks.slice(-weeksInSight)];
  const counts = new Map<WeekState, number>();
  for (const { became } of weeks) counts.set(became, (counts.get(became) ?? 0) + 1);
  return (
    <div>
      <WeekMarks weeks={newest} label="Reports, week by week" />
      <p className={classes.counts}>
        {[...counts].map(([state, count]) => {
          const Icon = icons[state];
          return (
            <span key={state} data-state={state}>
              <Icon size={16} stroke={2} aria-hidden="true" />
              {count} {state}
            </span>
          );
        })}
      </p>
      {earlier.length > 0 && (
        <details className={classes.more}>
          <summary>Earlier reports ({earlier.length})</summary>
          <WeekMarks weeks={earlier} label="Earlier reports" />
        </details>
      )}
      {weeks.map(
        ({ number, became, dueAt, excuse }) =>
          became === "excused" && (
            <p key={number} className={classes.excuse}>
              Report of {formatDate(dueAt)} excused: {excuse}
            </p>
          ),
      )}
    </div>
  );
}

type Week = Pick<FarmRecordData["reports"][number], "number" | "dueAt"> & { became: WeekState };

function WeekMarks({ weeks, label }: { weeks: Week[]; label: string }) {
  return (
    <ol className={classes.weeks} aria-label={label}>
      {weeks.map(({ number, dueAt, became }) => {
        const Icon = icons[became];
        return (
          <li key={number} data-state={became}>
            <Icon size={22} stroke={2} aria-hidden="true" />
            <span aria-hidden="true">{dayAndMonth(dueAt)}</span>
            <span className="visually-hidden">{`Report ${number}, ${formatDate(dueAt)}: ${became}`}</span>
          </li>
        );
      })}
    </ol>
  );
}
