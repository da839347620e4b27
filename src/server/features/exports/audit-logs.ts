import type { Tx } from "#server/db/open.ts";
import { type ExportedEntry, readAuditEntries } from "#server/features/audit-log/queries.ts";
import type { AuditFilter } from "#shared/audit-log/inputs.ts";
import { auditExportFilter } from "#shared/exports/inputs.ts";
import { details, moment, onlyJson, text } from "./columns.ts";
import { type Asked, exportable } from "./write.ts";

const limit = 1000;

/** Newest first, as the screen has them. The entry of the export itself and those after it aren't in it. */
async function* pages(tx: Tx, filter: AuditFilter, { before }: Asked): AsyncGenerator<ExportedEntry[]> {
  for (let last: ExportedEntry | undefined; ; ) {
    const entries: ExportedEntry[] = await readAuditEntries(tx, { filter, before, last, limit });
    yield entries;
    last = entries.at(-1);
    if (entries.length < limit) return;
  }
}

export const auditLogsExport = exportable({
  permissions: ["audit:view"],
  filter: auditExportFilter,
  columns: {
    createdAt: moment("Date"),
    actionType: text("Action"),
    userEmail: { ...text("User"), csv: (value: string | null) => value ?? "System" },
    details: details("Details"),
    ipAddress: text("IP Address"),
    id: onlyJson<number>(),
    userId: onlyJson<string | null>(),
  },
  pages,
});
