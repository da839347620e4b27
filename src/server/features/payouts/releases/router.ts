import { adminProcedure, router } from "#server/platform/procedures.ts";
import { farmIdInput } from "#shared/farms/inputs.ts";
import { releaseToFarmInput, takeReleaseBackInput } from "#shared/payouts/releases.ts";
import { projectIdInput } from "#shared/projects/inputs.ts";
import { findFarmAccount, findFarmMoney } from "./queries.ts";
import { releaseToFarm, takeReleaseBack } from "./service.ts";

export const farmReleasesRouter = router({
  ofProject: adminProcedure("payouts:view")
    .input(projectIdInput)
    .query(({ ctx, input }) => findFarmMoney(ctx, input)),
  account: adminProcedure("payouts:view")
    .input(farmIdInput)
    .query(({ ctx, input }) => findFarmAccount(ctx, input)),
  release: adminProcedure("payouts:process")
    .input(releaseToFarmInput)
    .mutation(({ ctx, input }) => releaseToFarm(ctx, input)),
  takeBack: adminProcedure("payouts:process")
    .input(takeReleaseBackInput)
    .mutation(({ ctx, input }) => takeReleaseBack(ctx, input)),
});
