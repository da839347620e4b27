import {
  IconCircle,
  IconCircleCheck,
  IconCircleMinus,
  IconCircleX,
  IconClock,
  IconClockExclamation,
} from "@tabler/icons-react";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { ReportLine } from "#client/shared-parts/report-line.tsx";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { formatDate } from "#shared/dates.ts";
import { farmAnswer, type WeekState, weekState } from "#shared/reports/record-texts.ts";
import { AskForReport } from "./ask-for-report.tsx";
import classes from "./farm-record.module.css";
import { FigurePlot } from "./figure-plot.tsx";
import { FarmRecordSkeleton } from "./record-skeleton.tsx";

type FarmRecordData = RouterOutputs["reports"]["record"];

/** How a farm does: the answer in words, its weeks, and a plot for each figure. Backers may ask for a report. */
export default function FarmRecord({ projectId, canAsk = false }: { projectId: number; canAsk?: boolean }) {
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
  const record = query.data;
  if (record.reports.length === 0) return null;
  const answer = farmAnswer(record);
  const planned = record.plan.figures.filter(({ key }) => record.reports.some(({ figures }) => key in figures));
  return (
    <section className={classes.record} aria-labelledby="farm-record">
      <h2 id="farm-record" className={classes.title}>
        How the farm does
      </h2>
      <Notice tone={answer.tone} title={answer.text}>
        {!record.summary?.isLate && <ReportLine reports={record.summary} />}
      </Notice>
      {canAsk && <AskForReport projectId={projectId} />}
      <Weeks reports={record.reports} />
      <div className={classes.plots}>
        {planned.map((figure) => (
          <FigurePlot key={figure.key} figure={figure} fundedAt={record.fundedAt} reports={record.reports} />
        ))}
      </div>
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

/** Each report that the farm owes, as a mark; how many there are of each kind, in words; and the reasons of the excused. */
function Weeks({ reports }: Pick<FarmRecordData, "reports">) {
  const weeks = reports.map((report) => ({ ...report, became: weekState(report) }));
  const counts = new Map<WeekState, number>();
  for (const { became } of weeks) counts.set(became, (counts.get(became) ?? 0) + 1);
  return (
    <div>
      <ol className={classes.weeks} aria-label="Reports, week by week">
        {weeks.map(({ number, dueAt, became }) => {
          const Icon = icons[became];
          const text = `Report ${number}, ${formatDate(dueAt)}: ${became}`;
          return (
            <li key={number} data-state={became} title={text}>
              <Icon size={22} stroke={2} aria-hidden="true" />
              <span className="visually-hidden">{text}</span>
            </li>
          );
        })}
      </ol>
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
