import { adminProcedure, router } from "#server/platform/procedures.ts";
import { listAuditLogsInput } from "#shared/audit-log/inputs.ts";
import { listAuditFilters, listAuditLogs } from "./queries.ts";

export const auditLogRouter = router({
  list: adminProcedure("settings:manage")
    .input(listAuditLogsInput)
    .query(({ ctx, input }) => listAuditLogs(ctx, input)),
  filters: adminProcedure("settings:manage").query(({ ctx }) => listAuditFilters(ctx)),
});
