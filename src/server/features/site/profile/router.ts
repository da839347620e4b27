import { adminProcedure, router } from "#server/platform/procedures.ts";
import { saveCompanyInput, saveLookInput, tryColorInput } from "#shared/site/inputs.ts";
import { tryColor } from "./look.ts";
import { findProfile } from "./queries.ts";
import { saveCompany, saveLook } from "./service.ts";

export const profileRouter = router({
  profile: adminProcedure("settings:manage").query(({ ctx }) => findProfile(ctx)),
  saveCompany: adminProcedure("settings:manage", { needsProof: true })
    .input(saveCompanyInput)
    .mutation(({ ctx, input }) => saveCompany(ctx, input)),
  tryColor: adminProcedure("settings:manage")
    .input(tryColorInput)
    .query(({ input }) => tryColor(input.color)),
  saveLook: adminProcedure("settings:manage")
    .input(saveLookInput)
    .mutation(({ ctx, input }) => saveLook(ctx, input)),
});
