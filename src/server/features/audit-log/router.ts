import { adminProcedure, router } from "#server/platform/procedures.ts";
import { listAuditLogsInput } from "#shared/audit-log/inputs.ts";
import { listAuditFilters, listAuditLogs } from "./queries.ts";

export const auditLogRouter = router({
  list: adminProcedure("audit:view")
    .input(listAuditLogsInput)
    .query(({ ctx, input }) => listAuditLogs(ctx, input)),
  filters: adminProcedure("audit:view").query(({ ctx }) => listAuditFilters(ctx)),
});
