import { adminProcedure, farmProcedure, publicProcedure, router } from "#server/platform/procedures.ts";
import {
  askForPartInput,
  decideProofFindingInput,
  refuseAskInput,
  releaseAskInput,
} from "#shared/payouts/release-parts.ts";
import { projectIdInput } from "#shared/projects/inputs.ts";
import { askAsKeeper, askForPart, checkAsk, decideProofFinding, refuseAsk } from "./service.ts";
import { findWhereMoneyIs, listKeptParts, listManagedParts } from "./shown.ts";

/** The parts in which a round's money goes to its farm. Releasing one is in `farmReleases`, as it moves money. */
export const releasePartsRouter = router({
  whereMoneyIs: publicProcedure.input(projectIdInput).query(({ ctx, input }) => findWhereMoneyIs(ctx, input)),
  ofProject: adminProcedure("harvests:view")
    .input(projectIdInput)
    .query(({ ctx, input }) => listManagedParts(ctx, input)),
  ask: adminProcedure("harvests:manage")
    .input(askForPartInput)
    .mutation(({ ctx, input }) => askForPart(ctx, input)),
  check: adminProcedure("harvests:manage")
    .input(releaseAskInput)
    .mutation(({ ctx, input }) => checkAsk(ctx, input)),
  refuse: adminProcedure("harvests:manage")
    .input(refuseAskInput)
    .mutation(({ ctx, input }) => refuseAsk(ctx, input)),
  decideFinding: adminProcedure("harvests:manage")
    .input(decideProofFindingInput)
    .mutation(({ ctx, input }) => decideProofFinding(ctx, input)),
});

/** For a farm's keepers. */
export const farmReleasePartsRouter = router({
  ofProject: farmProcedure("keep")
    .input(projectIdInput)
    .query(({ ctx, input }) => listKeptParts(ctx, input)),
  ask: farmProcedure("keep")
    .input(askForPartInput)
    .mutation(({ ctx, input }) => askAsKeeper(ctx, input)),
});
