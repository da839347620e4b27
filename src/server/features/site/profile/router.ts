import { adminProcedure, router } from "#server/platform/procedures.ts";
import { saveCompanyInput } from "#shared/site/inputs.ts";
import { findProfile } from "./queries.ts";
import { saveCompany } from "./service.ts";

export const profileRouter = router({
  profile: adminProcedure("settings:manage").query(({ ctx }) => findProfile(ctx)),
  saveCompany: adminProcedure("settings:manage", { needsProof: true })
    .input(saveCompanyInput)
    .mutation(({ ctx, input }) => saveCompany(ctx, input)),
});
