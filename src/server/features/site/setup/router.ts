import { adminProcedure, publicProcedure, router } from "#server/platform/procedures.ts";
import { beginSiteInput, proveMailInput, setupCodeInput } from "#shared/site/setup.ts";
import { findSetup, listSetupSteps } from "./queries.ts";
import { beginSite, checkSetupCode, proveMail, sendMailCode } from "./service.ts";

export const setupRouter = router({
  /** This and the next two are for /setup, which is there until the site has its first owner. */
  open: publicProcedure.query(({ ctx }) => findSetup(ctx)),
  checkCode: publicProcedure.input(setupCodeInput).mutation(async ({ ctx, input }) => {
    await checkSetupCode(ctx, input);
  }),
  begin: publicProcedure.input(beginSiteInput).mutation(({ ctx, input }) => beginSite(ctx, input)),
  steps: adminProcedure("settings:manage").query(({ ctx }) => listSetupSteps(ctx)),
  sendMailCode: adminProcedure("settings:manage").mutation(({ ctx }) => sendMailCode(ctx)),
  proveMail: adminProcedure("settings:manage")
    .input(proveMailInput)
    .mutation(({ ctx, input }) => proveMail(ctx, input)),
});
