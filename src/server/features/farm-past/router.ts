import { adminProcedure, farmProcedure, router } from "#server/platform/procedures.ts";
import { confirmPastInput, enterPastInput, pastIdInput, refusePastInput } from "#shared/farm-past/inputs.ts";
import { farmIdInput } from "#shared/farms/inputs.ts";
import { listKeptPast, listPastOfFarm } from "./queries.ts";
import {
  confirmPast,
  enterPast,
  enterPastAsKeeper,
  refusePast,
  withdrawPast,
  withdrawPastAsKeeper,
} from "./service.ts";

const office = adminProcedure("projects:edit");
/** Owners, who are the second persons elsewhere too. */
const ownerProcedure = adminProcedure("payments:process");
const keeperProcedure = farmProcedure("keep");

/** Procedures for a farm's past, for the office and for keepers. Its public part is on the farm's page. */
export const farmPastRouter = router({
  ofFarm: office.input(farmIdInput).query(({ ctx, input }) => listPastOfFarm(ctx, input)),
  enter: office.input(enterPastInput).mutation(({ ctx, input }) => enterPast(ctx, input)),
  confirm: ownerProcedure.input(confirmPastInput).mutation(({ ctx, input }) => confirmPast(ctx, input)),
  refuse: ownerProcedure.input(refusePastInput).mutation(({ ctx, input }) => refusePast(ctx, input)),
  withdraw: office.input(pastIdInput).mutation(({ ctx, input }) => withdrawPast(ctx, input)),
  kept: keeperProcedure.input(farmIdInput).query(({ ctx, input }) => listKeptPast(ctx, input)),
  enterAsKeeper: keeperProcedure.input(enterPastInput).mutation(({ ctx, input }) => enterPastAsKeeper(ctx, input)),
  withdrawAsKeeper: keeperProcedure.input(pastIdInput).mutation(({ ctx, input }) => withdrawPastAsKeeper(ctx, input)),
});
