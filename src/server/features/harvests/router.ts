import { choose } from "#server/features/harvests/choosing/choose.ts";
import { collectProduce, describeCollection, findProduce } from "#server/features/harvests/choosing/collection.ts";
import { lowerQuantity } from "#server/features/harvests/choosing/lower.ts";
import { openHarvest } from "#server/features/harvests/choosing/open.ts";
import { listParts } from "#server/features/harvests/choosing/parts.ts";
import { addCost, removeCost } from "#server/features/harvests/selling/costs.ts";
import { addSale, setSaleQuantity } from "#server/features/harvests/selling/sales.ts";
import { previewSettlement } from "#server/features/harvests/settling/divide.ts";
import { finishHarvest } from "#server/features/harvests/settling/finish.ts";
import { reverseSettlement } from "#server/features/harvests/settling/reverse.ts";
import { settleHarvest } from "#server/features/harvests/settling/settle.ts";
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
  saleQuantityInput,
  seenDraftInput,
  settleInput,
  updateHarvestInput,
  withdrawHarvestInput,
} from "#shared/harvests/inputs.ts";
import { projectIdInput } from "#shared/projects/inputs.ts";
import { addHarvestFile } from "./harvest-files.ts";
import { describeHarvest, listHarvests, listMyHarvests } from "./queries.ts";
import { createHarvest, createInsurance, updateHarvest, withdrawHarvest } from "./service.ts";

const viewed = adminProcedure("harvests:view");
const managed = adminProcedure("harvests:manage");
const settling = adminProcedure("harvests:settle");

/**
 * A harvest of unseen payments is opened, a sale is declared, taken back or removed, a cost of the farm counted, and a
 * harvest or its rest lost, by `secondPerson.ask` and `secondPerson.confirm`.
 */
export const harvestsRouter = router({
  ofProject: viewed.input(projectIdInput).query(({ ctx, input }) => listHarvests(ctx, input)),
  one: viewed.input(harvestIdInput).query(({ ctx, input }) => describeHarvest(ctx, input)),
  parts: viewed.input(listPartsInput).query(({ ctx, input }) => listParts(ctx, input)),
  create: managed.input(createHarvestInput).mutation(({ ctx, input }) => createHarvest(ctx, input)),
  createInsurance: managed.input(createInsuranceInput).mutation(({ ctx, input }) => createInsurance(ctx, input)),
  update: managed.input(updateHarvestInput).mutation(({ ctx, input }) => updateHarvest(ctx, input)),
  open: managed.input(seenDraftInput).mutation(({ ctx, input }) => openHarvest(ctx, input)),
  lower: managed.input(lowerQuantityInput).mutation(({ ctx, input }) => lowerQuantity(ctx, input)),
  withdraw: managed.input(withdrawHarvestInput).mutation(({ ctx, input }) => withdrawHarvest(ctx, input)),
  addFile: managed.input(addHarvestFileInput).mutation(({ ctx, input }) => addHarvestFile(ctx, input)),
  addCost: managed.input(addCostInput).mutation(({ ctx, input }) => addCost(ctx, input)),
  removeCost: managed.input(costIdInput).mutation(({ ctx, input }) => removeCost(ctx, input)),
  addSale: managed.input(addSaleInput).mutation(({ ctx, input }) => addSale(ctx, input)),
  setSaleQuantity: managed.input(saleQuantityInput).mutation(({ ctx, input }) => setSaleQuantity(ctx, input)),
  collection: viewed.input(harvestIdInput).query(({ ctx, input }) => describeCollection(ctx, input)),
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
