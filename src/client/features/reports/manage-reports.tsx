import { useState } from "react";
import { trpc } from "#client/lib/trpc.ts";
import { ChangePlan } from "#client/shared-parts/report-plan/change-plan.tsx";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { Pagination } from "#client/ui/lists/pagination.tsx";
import { planSentence, reportLimits } from "#shared/reports/texts.ts";
import { ReportLinks } from "./report-links.tsx";
import { OwedReport, WaitingReport } from "./report-rows.tsx";
import classes from "./reports.module.css";

/** The reports of a project for its administrators: those that wait to be published first, then all others. */
export default function ManageReports({ projectId, mayEdit }: { projectId: number; mayEdit: boolean }) {
  const [page, setPage] = useState(1);
  const list = trpc.reports.list.useQuery({ projectId, page });
  const record = trpc.reports.record.useQuery({ projectId });
  if (list.isPending || record.isPending) {
    return (
      <Loading label="Loading reports">
        <Skeleton height="9rem" />
      </Loading>
    );
  }
  if (!list.data || !record.data) {
    return (
      <ErrorState
        title="The farm's reports could not be loaded."
        onRetry={() => void Promise.all([list.refetch(), record.refetch()])}
        isRetrying={list.isRefetching || record.isRefetching}
      />
    );
  }
  const { items, total } = list.data;
  const waiting = items.filter(({ state }) => state === "sent");
  const others = items.filter(({ state }) => state !== "sent");
  const { plan, fundedAt } = record.data;
  return (
    <SectionCard
      title="Farm's reports"
      text={planSentence(plan)}
      aside={mayEdit && <ChangePlan projectId={projectId} plan={plan} />}
    >
      {total === 0 && (
        <p className={classes.fine}>
          {fundedAt === null
            ? "The first report is asked for once the round is funded."
            : "The first report and its day stand here within ten minutes."}
        </p>
      )}
      {waiting.map((report) => (
        <WaitingReport key={report.id} report={report} mayEdit={mayEdit} />
      ))}
      {others.length > 0 && (
        <ul className={classes.owed} aria-label="All reports">
          {others.map((report) => (
            <OwedReport key={report.id} report={report} mayEdit={mayEdit} />
          ))}
        </ul>
      )}
      <Pagination
        label="Farm's reports"
        page={page}
        pageCount={Math.ceil(total / reportLimits.pageSize)}
        onChange={setPage}
      />
      {mayEdit && total > 0 && <ReportLinks projectId={projectId} />}
    </SectionCard>
  );
}
