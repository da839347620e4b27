import type { FaultRecord, OperationKind } from "./history.ts";
import type { RunReport } from "./run.ts";

/** The run as a table for people. */
export function formatReport(report: RunReport): string {
  const { entries, faults, skipped, checks, mails, seconds, logs } = report;
  const kinds = new Map<OperationKind | "all", { acknowledged: number; refused: number; unknown: number }>();
  for (const { operation, outcome } of entries) {
    for (const kind of [operation.kind, "all"] as const) {
      const counted = kinds.get(kind) ?? { acknowledged: 0, refused: 0, unknown: 0 };
      counted[outcome.is] += 1;
      kinds.set(kind, counted);
    }
  }
  const all = kinds.get("all");
  kinds.delete("all");
  const operationLines = [...kinds]
    .sort(([, one], [, other]) => other.acknowledged - one.acknowledged)
    .concat(all ? [["all", all]] : [])
    .map(([kind, { acknowledged, refused, unknown }]) => line([kind, acknowledged, refused, unknown]));
  const faultLines = [...Map.groupBy(faults, ({ kind }: FaultRecord) => kind)].map(([kind, all]) =>
    line([kind, all.length]),
  );
  const skippedLines = [...new Set(skipped)].map((kind) => `${kind}: SKIPPED, can't be done here`);
  const checkLines = checks.map(({ name, findings }) =>
    findings.length === 0
      ? `ok      ${name}`
      : `BROKEN  ${name}\n${findings
          .slice(0, 5)
          .map((it) => `          ${it}`)
          .join("\n")}`,
  );
  const reasons = entries.flatMap(({ outcome }) => (outcome.is === "unknown" ? [outcome.why] : []));
  const reasonLines = [...Map.groupBy(reasons, (why) => why.slice(0, 60))].map(([why, all]) => line([why, all.length]));
  return [
    line(["operation", "acknowledged", "refused", "unknown"]),
    ...operationLines,
    "",
    line(["fault", "times"]),
    ...faultLines,
    ...skippedLines,
    "",
    line(["why an outcome is unknown", "times"]),
    ...reasonLines,
    "",
    ...checkLines,
    "",
    `mails: ${mails.rows} to send, ${mails.arrived} arrived, ${mails.extra} of them once more after a fault`,
    `time: ${seconds.operations} s of operations, ${seconds.all} s in all`,
    ...(logs === null ? [] : [`the processes' logs: ${logs}`]),
  ].join("\n");
}

const line = ([first, ...counts]: (string | number)[]) =>
  [String(first).padEnd(62), ...counts.map((count) => String(count).padStart(13))].join("");
