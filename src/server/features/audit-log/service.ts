import { inTransaction } from "#server/db/open.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { AuditFilter } from "#shared/audit-log.ts";
import type { AuditExportFormat } from "#shared/audit-log-texts.ts";
import { writeAuditExport } from "./queries.ts";

/** Audits the export itself. The export contains the entries before that one. */
export async function startAuditExport(
  ctx: ActorContext,
  { filter, format }: { filter: AuditFilter; format: AuditExportFormat },
): Promise<AsyncGenerator<string>> {
  const before = await inTransaction(ctx.db, (tx) =>
    recordAudit(tx, ctx, "export_audit_logs", { format, filters: filter }),
  );
  return writeAuditExport(ctx.db, { filter, format, before });
}
