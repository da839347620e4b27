import {
  addDraftFile,
  addFarmCost,
  changeDraft,
  describeKeptCollection,
  draftHarvest,
  findKeptProduce,
  handProduceOver,
  removeFarmCost,
} from "#server/features/harvests/keeping/acts.ts";
import { describeKeptHarvest, listKeptHarvests } from "#server/features/harvests/keeping/farm-harvests.ts";
import { farmProcedure, router } from "#server/platform/procedures.ts";
import {
  addDraftFileInput,
  addFarmCostInput,
  collectInput,
  costIdInput,
  createHarvestInput,
  harvestIdInput,
  updateHarvestInput,
} from "#shared/harvests/inputs.ts";
import { projectIdInput } from "#shared/projects/inputs.ts";

const keeping = farmProcedure("keep");

/** For a farm's keepers. Opening, choosing and settling stay with administrators. */
export const farmHarvestsRouter = router({
  ofProject: keeping.input(projectIdInput).query(({ ctx, input }) => listKeptHarvests(ctx, input)),
  one: keeping.input(harvestIdInput).query(({ ctx, input }) => describeKeptHarvest(ctx, input)),
  draft: keeping.input(createHarvestInput).mutation(({ ctx, input }) => draftHarvest(ctx, input)),
  change: keeping.input(updateHarvestInput).mutation(({ ctx, input }) => changeDraft(ctx, input)),
  addFile: keeping.input(addDraftFileInput).mutation(({ ctx, input }) => addDraftFile(ctx, input)),
  addCost: keeping.input(addFarmCostInput).mutation(({ ctx, input }) => addFarmCost(ctx, input)),
  removeCost: keeping.input(costIdInput).mutation(({ ctx, input }) => removeFarmCost(ctx, input)),
  collection: keeping.input(harvestIdInput).query(({ ctx, input }) => describeKeptCollection(ctx, input)),
  // A mutation: a wrong code is counted.
  findProduce: keeping.input(collectInput).mutation(({ ctx, input }) => findKeptProduce(ctx, input)),
  collect: keeping.input(collectInput).mutation(({ ctx, input }) => handProduceOver(ctx, input)),
});
