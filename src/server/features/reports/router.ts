import { adminProcedure, backerProcedure, publicProcedure, router } from "#server/platform/procedures.ts";
import {
  decideFindingInput,
  excuseReportInput,
  listReportsInput,
  makeReportLinkInput,
  openReportInput,
  publishReportInput,
  reportIdInput,
  reportLinkInput,
  reportRecordInput,
  saveReportPlanInput,
  sendBackInput,
  sendReportInput,
} from "#shared/reports/inputs.ts";
import { askForReport, findAsk } from "./asks.ts";
import { listReportLinks, makeReportLink, revokeReportLink } from "./links.ts";
import { decideFinding } from "./photos.ts";
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
  ask: backerProcedure.input(reportRecordInput).mutation(({ ctx, input }) => askForReport(ctx, input)),
  canAsk: backerProcedure.input(reportRecordInput).query(({ ctx, input }) => findAsk(ctx, input)),
  // Keepers and managers: the service asks for the right.
  links: backerProcedure.input(reportRecordInput).query(({ ctx, input }) => listReportLinks(ctx, input)),
  makeLink: backerProcedure.input(makeReportLinkInput).mutation(({ ctx, input }) => makeReportLink(ctx, input)),
  revokeLink: backerProcedure.input(reportLinkInput).mutation(({ ctx, input }) => revokeReportLink(ctx, input)),
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
  decideFinding: adminProcedure("projects:edit")
    .input(decideFindingInput)
    .mutation(({ ctx, input }) => decideFinding(ctx, input)),
  excuse: adminProcedure("projects:edit")
    .input(excuseReportInput)
    .mutation(({ ctx, input }) => excuseReport(ctx, input)),
  withdrawExcuse: adminProcedure("projects:edit")
    .input(reportIdInput)
    .mutation(({ ctx, input }) => withdrawExcuse(ctx, input)),
});
