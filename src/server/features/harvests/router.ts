import { adminProcedure, backerProcedure, router } from "#server/platform/procedures.ts";
import {
  addCostInput,
  addHarvestFileInput,
  addSaleInput,
  chooseInput,
  collectInput,
  costIdInput,
  createHarvestInput,
  createInsuranceInput,
  harvestIdInput,
  listPartsInput,
  lowerQuantityInput,
  previewSettlementInput,
  reverseSettlementInput,
  settleInput,
  updateHarvestInput,
  withdrawHarvestInput,
} from "#shared/harvests/inputs.ts";
import { projectIdInput } from "#shared/projects/inputs.ts";
import { collectProduce, describeCollection, findProduce } from "./collection.ts";
import { addCost, addHarvestFile, addSale, removeCost } from "./costs-and-sales.ts";
import { finishHarvest } from "./ending.ts";
import { listParts } from "./parts.ts";
import { describeHarvest, listHarvests, listMyHarvests } from "./queries.ts";
import {
  choose,
  createHarvest,
  createInsurance,
  lowerQuantity,
  openHarvest,
  updateHarvest,
  withdrawHarvest,
} from "./service.ts";
import { previewSettlement, reverseSettlement, settleHarvest } from "./settlement.ts";

const managed = adminProcedure("harvests:manage");
const settling = adminProcedure("harvests:settle");

/**
 * A sale is declared, taken back or removed, a cost of the farm counted, and a harvest or its rest lost, by `secondPerson.ask` and
 * `secondPerson.confirm`.
 */
export const harvestsRouter = router({
  ofProject: managed.input(projectIdInput).query(({ ctx, input }) => listHarvests(ctx, input)),
  one: managed.input(harvestIdInput).query(({ ctx, input }) => describeHarvest(ctx, input)),
  parts: managed.input(listPartsInput).query(({ ctx, input }) => listParts(ctx, input)),
  create: managed.input(createHarvestInput).mutation(({ ctx, input }) => createHarvest(ctx, input)),
  createInsurance: managed.input(createInsuranceInput).mutation(({ ctx, input }) => createInsurance(ctx, input)),
  update: managed.input(updateHarvestInput).mutation(({ ctx, input }) => updateHarvest(ctx, input)),
  open: managed.input(harvestIdInput).mutation(({ ctx, input }) => openHarvest(ctx, input)),
  lower: managed.input(lowerQuantityInput).mutation(({ ctx, input }) => lowerQuantity(ctx, input)),
  withdraw: managed.input(withdrawHarvestInput).mutation(({ ctx, input }) => withdrawHarvest(ctx, input)),
  addFile: managed.input(addHarvestFileInput).mutation(({ ctx, input }) => addHarvestFile(ctx, input)),
  addCost: managed.input(addCostInput).mutation(({ ctx, input }) => addCost(ctx, input)),
  removeCost: managed.input(costIdInput).mutation(({ ctx, input }) => removeCost(ctx, input)),
  addSale: managed.input(addSaleInput).mutation(({ ctx, input }) => addSale(ctx, input)),
  collection: managed.input(harvestIdInput).query(({ ctx, input }) => describeCollection(ctx, input)),
  // A mutation: a wrong code is counted.
  findProduce: managed.input(collectInput).mutation(({ ctx, input }) => findProduce(ctx, input)),
  collect: managed.input(collectInput).mutation(({ ctx, input }) => collectProduce(ctx, input)),
  preview: settling.input(previewSettlementInput).query(({ ctx, input }) => previewSettlement(ctx, input)),
  settle: settling.input(settleInput).mutation(({ ctx, input }) => settleHarvest(ctx, input)),
  reverse: settling.input(reverseSettlementInput).mutation(({ ctx, input }) => reverseSettlement(ctx, input)),
  finish: settling.input(harvestIdInput).mutation(({ ctx, input }) => finishHarvest(ctx, input)),
  mine: backerProcedure.input(projectIdInput).query(({ ctx, input }) => listMyHarvests(ctx, input)),
  choose: backerProcedure.input(chooseInput).mutation(({ ctx, input }) => choose(ctx, input)),
});
