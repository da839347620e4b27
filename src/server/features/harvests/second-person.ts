import { lowerHarvestKind } from "#server/features/harvests/choosing/lower.ts";
import { openHarvestKind } from "#server/features/harvests/choosing/open.ts";
import { countCostKind } from "#server/features/harvests/selling/count-cost.ts";
import {
  declareSaleKind,
  removeSaleKind,
  takeBackSaleKind,
} from "#server/features/harvests/selling/sale-agreements.ts";
import { changeSaleKind, loseSaleKind } from "#server/features/harvests/selling/sale-corrections.ts";
import { loseKind } from "#server/features/harvests/settling/lose.ts";
import { settleHarvestKind } from "#server/features/harvests/settling/settle-with-second-owner.ts";

/** The acts on a harvest that take two owners, by kind. */
export const harvestKinds = {
  declare_sale: declareSaleKind,
  take_back_sale: takeBackSaleKind,
  remove_sale: removeSaleKind,
  change_sale: changeSaleKind,
  lose_sale: loseSaleKind,
  count_cost: countCostKind,
  open_harvest: openHarvestKind,
  lower_harvest: lowerHarvestKind,
  settle_harvest: settleHarvestKind,
  lose: loseKind,
};
