import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { ReportLine } from "#client/shared-parts/report-line.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { farmAnswer } from "#shared/reports/record-texts.ts";
import { type ReportSummary, reportLine } from "#shared/reports/summary-texts.ts";
import { AskForReport } from "./ask-for-report.tsx";

type FarmAnswerProps = { record: RouterOutputs["reports"]["record"]; isBacked?: boolean };

/** Says in one line whether the farm does well, and how it reports. Its backers may ask for a report. */
export function FarmAnswer({ record, isBacked = false }: FarmAnswerProps) {
  const { tone, text } = farmAnswer(record);
  return (
    <Notice tone={tone} title={text}>
      {record.summary && !record.summary.isLate && <p>{reportLine(record.summary)}</p>}
      {isBacked && <AskForReport projectId={record.projectId} />}
    </Notice>
  );
}

/** The same where the rest of the record isn't shown; the line on its reports if the figures can't be read. */
export function BackedFarmAnswer({ projectId, reports }: { projectId: number; reports: ReportSummary }) {
  const query = trpc.reports.record.useQuery({ projectId });
  if (query.data) return <FarmAnswer record={query.data} isBacked />;
  return query.isPending ? (
    <Skeleton height="5rem" radius="var(--mantine-radius-md)" />
  ) : (
    <ReportLine reports={reports} />
  );
}
