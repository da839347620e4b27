import { acceptInvite, acceptInviteSignedIn } from "#server/accounts/invites.ts";
import { adminProcedure, backerProcedure, publicProcedure, router } from "#server/platform/procedures.ts";
import {
  acceptInviteInput,
  acceptInviteSignedInInput,
  inviteIdInput,
  inviteInput,
  inviteTokenInput,
  resendInviteInput,
} from "#shared/people/team-inputs.ts";
import { inviteByToken, listInvites } from "./queries.ts";
import { invite, removeInvite, resendInvite } from "./service.ts";

export const teamRouter = router({
  listInvites: adminProcedure("users:manage").query(({ ctx }) => listInvites(ctx)),
  invite: adminProcedure("users:manage", { needsProof: true })
    .input(inviteInput)
    .mutation(({ ctx, input }) => invite(ctx, input)),
  resendInvite: adminProcedure("users:manage", { needsProof: true })
    .input(resendInviteInput)
    .mutation(({ ctx, input }) => resendInvite(ctx, input)),
  removeInvite: adminProcedure("users:manage")
    .input(inviteIdInput)
    .mutation(({ ctx, input }) => removeInvite(ctx, input)),
  // It changes nothing, but a query's input is in the URL, and URLs appear in logs.
  inviteByToken: publicProcedure.input(inviteTokenInput).mutation(({ ctx, input }) => inviteByToken(ctx, input)),
  acceptInvite: publicProcedure.input(acceptInviteInput).mutation(({ ctx, input }) => acceptInvite(ctx, input)),
  acceptInviteSignedIn: backerProcedure
    .input(acceptInviteSignedInInput)
    .mutation(({ ctx, input }) => acceptInviteSignedIn(ctx, input)),
});
