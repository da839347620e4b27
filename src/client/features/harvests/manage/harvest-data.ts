import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { formatDateTime, formatWeekday } from "#shared/dates.ts";
import { isShort } from "#shared/harvests/plan.ts";
import type { HarvestLoss } from "#shared/harvests/texts.ts";

export type HarvestList = RouterOutputs["harvests"]["ofProject"];
/** An entry in the list of a project's harvests. */
export type HarvestHead = HarvestList["harvests"][number];
export type Harvest = RouterOutputs["harvests"]["one"];
export type Part = RouterOutputs["harvests"]["parts"]["items"][number];
export type HarvestRound = HarvestList["rounds"][number];
/** The part of a round that a new harvest is entered by. */
export type PlannedRound = Pick<HarvestRound, "round" | "unit" | "nextPlanned" | "plannedPriceKobo">;
/** The entered facts of a harvest. */
export type HarvestFacts = Pick<
  Harvest,
  | "id"
  | "projectId"
  | "isInsurance"
  | "number"
  | "updatedAt"
  | "quantity"
  | "planned"
  | "lostQuantity"
  | "referencePriceKobo"
  | "note"
>;
/** The props of every part of a harvest's card. */
export type HarvestProps = { harvest: Harvest; round: HarvestRound };

export const nameOf = ({ isInsurance, number }: Pick<Harvest, "isInsurance" | "number">): string =>
  isInsurance ? `Insurance sum ${number}` : `Harvest ${number}`;

/** Returns a call that refetches harvests, and the payouts, releases and requests that change with them. */
export function useRefetchHarvests() {
  const utils = trpc.useUtils();
  return () =>
    Promise.all([
      utils.harvests.invalidate(),
      utils.farmHarvests.invalidate(),
      utils.payouts.invalidate(),
      utils.farmReleases.invalidate(),
      utils.secondPerson.list.invalidate(),
    ]);
}

type Requests = RouterOutputs["secondPerson"]["list"]["requests"];

/** True if another owner is already asked to confirm this loss. */
export const isLossAsked = (
  requests: Requests | undefined,
  { harvestId, what }: { harvestId: number; what: HarvestLoss },
): boolean => requests?.some(({ kind, subject }) => kind === "lose" && subject === `${harvestId}/${what}`) ?? false;

/** True if another owner is already asked to confirm that a harvest of unseen payments opens. */
export const isOpeningAsked = (requests: Requests | undefined, harvestId: number): boolean =>
  requests?.some(({ kind, subject }) => kind === "open_harvest" && subject === String(harvestId)) ?? false;

/** True if the harvest is so far below its plan that it needs a reason and a photo. */
export const isShortHarvest = ({ quantity, planned }: Pick<Harvest, "quantity" | "planned">): boolean =>
  quantity !== null && isShort(quantity, planned);

/** "Sunday 6 Dec 2026, 23:59 WAT". */
export const fullMoment = (at: Date): string => `${formatWeekday(at)} ${formatDateTime(at)}`;

/** From then on what is to be sold is known, as of an insurer's sum from its beginning. */
export const isAllotted = ({ state, isInsurance }: Harvest): boolean =>
  state === "allotted" || state === "settled" || state === "done" || (isInsurance && state === "draft");

/** A buyer may pay in advance until it is shared out. */
export const takesAdvances = ({ state, isInsurance }: Harvest): boolean =>
  !isInsurance && (state === "draft" || state === "choosing");

/** Nothing of it is sold, so only what the platform paid for it counts. */
export const isWithoutSales = ({ state }: Harvest): boolean => state === "lost" || state === "withdrawn";

export const photosOf = ({ files }: Pick<Harvest, "files">) => files.filter(({ purpose }) => purpose === "harvest");

/** The quantity of a harvest sold for its backers: at the allotment, and because nobody collected it. */
export const soldForBackers = ({ parts }: Harvest): bigint => parts.sold + parts.uncollectedQuantity;

export type CollectionFacts = RouterOutputs["harvests"]["collection"];

/**
 * Returns "open" while a harvest's produce is handed out, "over" afterwards, and "none" for a harvest that is lost or
 * not allotted, or of which nobody takes any.
 */
export function collectionState({
  state,
  collectsUntil,
  now,
}: Pick<CollectionFacts, "state" | "collectsUntil" | "now">): "open" | "over" | "none" {
  if (collectsUntil === null || state === "lost") return "none";
  return state === "done" || collectsUntil < now ? "over" : "open";
}

/** "1 of 2 has collected." */
export function collectedWords({ takers, collected }: Pick<CollectionFacts, "takers" | "collected">): string {
  if (takers === collected) return "Everything was collected.";
  return `${collected} of ${takers} ${collected === 1 ? "has" : "have"} collected.`;
}
