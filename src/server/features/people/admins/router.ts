import { adminProcedure, router } from "#server/platform/procedures.ts";
import { grantInput, roleInput, userIdInput } from "#shared/people/inputs.ts";
import { listAdmins } from "./queries.ts";
import {
  addGrant,
  addRole,
  deactivateAdmin,
  reactivateAdmin,
  removeAdmin,
  removeGrant,
  removeRole,
  sendPasswordReset,
} from "./service.ts";

export const adminsRouter = router({
  list: adminProcedure("users:manage").query(({ ctx }) => listAdmins(ctx)),
  roles: adminProcedure("roles:manage").query(({ ctx }) => listAdmins(ctx)),
  addRole: adminProcedure("roles:manage", { needsProof: true })
    .input(roleInput)
    .mutation(({ ctx, input }) => addRole(ctx, input)),
  removeRole: adminProcedure("roles:manage", { needsProof: true })
    .input(roleInput)
    .mutation(({ ctx, input }) => removeRole(ctx, input)),
  addGrant: adminProcedure("roles:manage", { needsProof: true })
    .input(grantInput)
    .mutation(({ ctx, input }) => addGrant(ctx, input)),
  removeGrant: adminProcedure("roles:manage", { needsProof: true })
    .input(grantInput)
    .mutation(({ ctx, input }) => removeGrant(ctx, input)),
  deactivate: adminProcedure("users:manage", { needsProof: true })
    .input(userIdInput)
    .mutation(({ ctx, input }) => deactivateAdmin(ctx, input)),
  reactivate: adminProcedure("users:manage", { needsProof: true })
    .input(userIdInput)
    .mutation(({ ctx, input }) => reactivateAdmin(ctx, input)),
  remove: adminProcedure("users:manage", { needsProof: true })
    .input(userIdInput)
    .mutation(({ ctx, input }) => removeAdmin(ctx, input)),
  sendPasswordReset: adminProcedure("users:manage", { needsProof: true })
    .input(userIdInput)
    .mutation(({ ctx, input }) => sendPasswordReset(ctx, input)),
});
