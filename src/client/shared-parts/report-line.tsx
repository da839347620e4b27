import { type ReportSummary, reportLine } from "#shared/reports/summary-texts.ts";
import classes from "./report-line.module.css";

/** How a farm reports, in one line; nothing before its round is funded. */
export function ReportLine({ reports }: { reports: ReportSummary | null }) {
  const line = reports && reportLine(reports);
  if (!line) return null;
  return (
    <p className={classes.line} data-late={reports.isLate || undefined}>
      {line}
    </p>
  );
}
