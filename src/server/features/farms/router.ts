import {
  adminProcedure,
  backerProcedure,
  farmProcedure,
  publicProcedure,
  router,
} from "#server/platform/procedures.ts";
import {
  farmForm,
  farmIdInput,
  farmInviteInput,
  farmInviteTokenInput,
  farmPersonInput,
  farmPersonRoleInput,
  inviteToFarmInput,
  listFarmsInput,
  pickFarmInput,
  updateFarmInput,
} from "#shared/farms/inputs.ts";
import { farmInviteByToken } from "./invites.ts";
import { listOwnFarmMoney, listOwnFarms } from "./own-farms.ts";
import {
  acceptFarmInvite,
  changeFarmRole,
  endFarmPerson,
  inviteToFarm,
  resendFarmInvite,
  revokeFarmInvite,
} from "./people.ts";
import { getFarm, listFarms, searchFarms } from "./queries.ts";
import { closeFarm, createFarm, reopenFarm, updateFarm } from "./service.ts";

/** Whoever edits projects looks after their farms. What gives somebody rights takes the password. */
const office = adminProcedure("projects:edit");
const officeWithProof = adminProcedure("projects:edit", { needsProof: true });

export const farmsRouter = router({
  list: office.input(listFarmsInput).query(({ ctx, input }) => listFarms(ctx, input)),
  search: office.input(pickFarmInput).query(({ ctx, input }) => searchFarms(ctx, input)),
  one: office.input(farmIdInput).query(({ ctx, input }) => getFarm(ctx, input)),
  create: office.input(farmForm).mutation(({ ctx, input }) => createFarm(ctx, input)),
  update: office.input(updateFarmInput).mutation(({ ctx, input }) => updateFarm(ctx, input)),
  close: office.input(farmIdInput).mutation(({ ctx, input }) => closeFarm(ctx, input)),
  reopen: office.input(farmIdInput).mutation(({ ctx, input }) => reopenFarm(ctx, input)),
  invite: officeWithProof.input(inviteToFarmInput).mutation(({ ctx, input }) => inviteToFarm(ctx, input)),
  resendInvite: officeWithProof.input(farmInviteInput).mutation(({ ctx, input }) => resendFarmInvite(ctx, input)),
  revokeInvite: office.input(farmInviteInput).mutation(({ ctx, input }) => revokeFarmInvite(ctx, input)),
  changeRole: officeWithProof.input(farmPersonRoleInput).mutation(({ ctx, input }) => changeFarmRole(ctx, input)),
  endPerson: office.input(farmPersonInput).mutation(({ ctx, input }) => endFarmPerson(ctx, input)),
  // It changes nothing, but a query's input is in the URL, and URLs appear in logs.
  inviteByToken: publicProcedure
    .input(farmInviteTokenInput)
    .mutation(({ ctx, input }) => farmInviteByToken(ctx, input)),
  acceptInvite: backerProcedure.input(farmInviteTokenInput).mutation(({ ctx, input }) => acceptFarmInvite(ctx, input)),
  mine: farmProcedure("report").query(({ ctx }) => listOwnFarms(ctx)),
  money: farmProcedure("keep").query(({ ctx }) => listOwnFarmMoney(ctx)),
});
