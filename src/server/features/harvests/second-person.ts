import { lowerHarvestKind } from "#server/features/harvests/choosing/lower.ts";
import { countCostKind } from "#server/features/harvests/selling/count-cost.ts";
import {
  declareSaleKind,
  removeSaleKind,
  takeBackSaleKind,
} from "#server/features/harvests/selling/sale-agreements.ts";
import { loseKind } from "#server/features/harvests/settling/lose.ts";
import { settleHarvestKind } from "#server/features/harvests/settling/settle-with-second-owner.ts";

/** What takes two owners to do to a harvest, by the name of its kind. */
export const harvestKinds = {
  declare_sale: declareSaleKind,
  take_back_sale: takeBackSaleKind,
  remove_sale: removeSaleKind,
  count_cost: countCostKind,
  lower_harvest: lowerHarvestKind,
  settle_harvest: settleHarvestKind,
  lose: loseKind,
};
