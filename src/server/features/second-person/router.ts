import { adminProcedure, router } from "#server/platform/procedures.ts";
import { askSecondPersonInput, confirmRequestInput, secondPersonRequestInput } from "#shared/second-person/inputs.ts";
import { listOpenRequests } from "./queries.ts";
import { askSecondPerson, confirmRequest, declineRequest, withdrawRequest } from "./service.ts";

const ownerProcedure = adminProcedure("payments:process");

export const secondPersonRouter = router({
  list: ownerProcedure.query(({ ctx }) => listOpenRequests(ctx)),
  ask: ownerProcedure.input(askSecondPersonInput).mutation(({ ctx, input }) => askSecondPerson(ctx, input)),
  confirm: ownerProcedure.input(confirmRequestInput).mutation(({ ctx, input }) => confirmRequest(ctx, input)),
  decline: ownerProcedure.input(secondPersonRequestInput).mutation(({ ctx, input }) => declineRequest(ctx, input)),
  withdraw: ownerProcedure.input(secondPersonRequestInput).mutation(({ ctx, input }) => withdrawRequest(ctx, input)),
});
