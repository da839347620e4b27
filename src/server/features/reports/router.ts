import { adminProcedure, publicProcedure, router } from "#server/platform/procedures.ts";
import {
  excuseReportInput,
  listReportsInput,
  openReportInput,
  publishReportInput,
  reportIdInput,
  reportRecordInput,
  saveReportPlanInput,
  sendBackInput,
  sendReportInput,
} from "#shared/reports/inputs.ts";
import { savePlan } from "./plans.ts";
import { excuseReport, publishReport, sendBack, withdrawExcuse } from "./publishing.ts";
import { findRecord, listReports } from "./queries.ts";
import { openReport, sendReport } from "./service.ts";

// Room for 20,000 characters of up to four bytes.
const longTexts = { maxBodyBytes: 128 * 1024 };

export const reportsRouter = router({
  record: publicProcedure.input(reportRecordInput).query(({ ctx, input }) => findRecord(ctx, input)),
  // A link's holder has no account: the service asks who reports.
  open: publicProcedure.input(openReportInput).query(({ ctx, input }) => openReport(ctx, input)),
  send: publicProcedure
    .meta({ access: "public", ...longTexts })
    .input(sendReportInput)
    .mutation(({ ctx, input }) => sendReport(ctx, input)),
  list: adminProcedure("projects:view")
    .input(listReportsInput)
    .query(({ ctx, input }) => listReports(ctx, input)),
  savePlan: adminProcedure("projects:edit")
    .input(saveReportPlanInput)
    .mutation(({ ctx, input }) => savePlan(ctx, input)),
  publish: adminProcedure("projects:edit")
    .input(publishReportInput)
    .mutation(({ ctx, input }) => publishReport(ctx, input)),
  sendBack: adminProcedure("projects:edit")
    .input(sendBackInput)
    .mutation(({ ctx, input }) => sendBack(ctx, input)),
  excuse: adminProcedure("projects:edit")
    .input(excuseReportInput)
    .mutation(({ ctx, input }) => excuseReport(ctx, input)),
  withdrawExcuse: adminProcedure("projects:edit")
    .input(reportIdInput)
    .mutation(({ ctx, input }) => withdrawExcuse(ctx, input)),
});
