import {
  changeName,
  changePassword,
  confirmEmailChange,
  describeAccount,
  describeSessions,
  endOneSession,
  requestEmailChange,
  signOutEverywhere,
} from "#server/accounts/own-account.ts";
import { adminProcedure, backerProcedure, publicProcedure, router } from "#server/platform/procedures.ts";
import { confirmLinkInput } from "#shared/accounts/inputs.ts";
import {
  changeNameInput,
  changePasswordInput,
  closeAccountInput,
  endSessionInput,
  ownProofInput,
  requestEmailChangeInput,
} from "#shared/accounts/own-account.ts";
import { userIdInput } from "#shared/people/inputs.ts";
import { backedProjectsInput, listUsersInput, searchForPickerInput } from "#shared/people/users.ts";
import { describeClosing, describeUser, listBackedProjects, listUsers, searchForPicker } from "./queries.ts";
import { blockUser, closeAccount, endSessionsOfPerson, unblockUser } from "./service.ts";

export const usersRouter = router({
  account: backerProcedure.query(({ ctx }) => describeAccount(ctx)),
  changeName: backerProcedure.input(changeNameInput).mutation(({ ctx, input }) => changeName(ctx, input)),
  requestEmailChange: backerProcedure
    .input(requestEmailChangeInput)
    .mutation(({ ctx, input }) => requestEmailChange(ctx, input)),
  confirmEmailChange: publicProcedure
    .input(confirmLinkInput)
    .mutation(({ ctx, input }) => confirmEmailChange(ctx, input)),
  changePassword: backerProcedure.input(changePasswordInput).mutation(({ ctx, input }) => changePassword(ctx, input)),
  sessions: backerProcedure.query(({ ctx }) => describeSessions(ctx)),
  endSession: backerProcedure.input(endSessionInput).mutation(({ ctx, input }) => endOneSession(ctx, input)),
  signOutEverywhere: backerProcedure.input(ownProofInput).mutation(({ ctx, input }) => signOutEverywhere(ctx, input)),
  closing: backerProcedure.query(({ ctx }) => describeClosing(ctx)),
  searchForPicker: adminProcedure("projects:edit")
    .input(searchForPickerInput)
    .query(({ ctx, input }) => searchForPicker(ctx, input)),
  close: backerProcedure.input(closeAccountInput).mutation(({ ctx, input }) => closeAccount(ctx, input)),
  list: adminProcedure("users:manage")
    .input(listUsersInput)
    .query(({ ctx, input }) => listUsers(ctx, input)),
  byId: adminProcedure("users:manage")
    .input(userIdInput)
    .query(({ ctx, input }) => describeUser(ctx, input)),
  backedProjects: adminProcedure("users:manage")
    .input(backedProjectsInput)
    .query(({ ctx, input }) => listBackedProjects(ctx, input)),
  block: adminProcedure("users:manage")
    .input(userIdInput)
    .mutation(({ ctx, input }) => blockUser(ctx, input)),
  endSessions: adminProcedure("users:manage")
    .input(userIdInput)
    .mutation(({ ctx, input }) => endSessionsOfPerson(ctx, input)),
  unblock: adminProcedure("users:manage")
    .input(userIdInput)
    .mutation(({ ctx, input }) => unblockUser(ctx, input)),
});
