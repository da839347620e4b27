import { adminProcedure, backerProcedure, router } from "#server/platform/procedures.ts";
import { userIdInput } from "#shared/people/inputs.ts";
import { agreedTextInput, agreeToChangeInput } from "#shared/site/consents.ts";
import { listAgreements, listOwnAgreements, readAgreedText, readOpenChange } from "./queries.ts";
import { agreeToChange } from "./service.ts";

export const consentsRouter = router({
  openChange: backerProcedure.query(({ ctx }) => readOpenChange(ctx)),
  agree: backerProcedure.input(agreeToChangeInput).mutation(({ ctx, input }) => agreeToChange(ctx, input)),
  ownAgreements: backerProcedure.query(({ ctx }) => listOwnAgreements(ctx)),
  agreements: adminProcedure("users:manage")
    .input(userIdInput)
    .query(({ ctx, input }) => listAgreements(ctx, input)),
  agreedText: backerProcedure.input(agreedTextInput).query(({ ctx, input }) => readAgreedText(ctx, input)),
});
