/** Texts and limits of projects on every page. No schema is here, to keep zod out of the first load. */

import { formatNaira, type Kobo } from "#shared/money.ts";
import type { Unit } from "./terms-texts.ts";

/** A reward for an amount in kobo (as digits, because JSON has no bigint); quantity null is unlimited. */
export type Reward = { title: string; amountKobo: string; description: string; quantity: number | null };

export const projectLimits = {
  featured: 6,
  pageSize: 12,
  /** So far are projects counted that filters leave. */
  counted: 1000,
  contentPageSize: 5,
  defaultDaysLeft: 30,
} as const;

/** The creator of administrators' projects. It names nobody who runs a farm. */
export const administratorsName = "Admin";

export const projectTexts = {
  notFoundTitle: "Project Not Found",
  notFound: "The project you're looking for doesn't exist or has been removed.",
  backedNotFound: "Project not found",
  signInTitle: "Authentication Required",
  signInToView: "Please log in to view this project's details",
  loadFailed: "Failed to load projects. Please try again later.",
  noneOpen: "No farm is open right now. New ones open through the year.",
  noneInCategory: "No projects found in this category.",
  invalidId: "Error: Invalid project ID",
  invalidManagedId: "Invalid project ID",
  notFunded: "It was not funded. Everything that was paid goes back to its backers.",
  underReview: "A receipt for this project is under review",
} as const;

/** The decision on a round; null before it. */
export type RoundOutcome = "funded" | "not_funded" | "written_off" | null;

/** Where a funded round stands. Quantities are thousandths of the unit. */
export type RoundProgress = {
  /** The week since the round was funded, from 1 on. */
  week: number;
  /** Harvests that the terms plan, those that opened or were lost, and of these the lost ones. */
  planned: number;
  counted: number;
  lost: number;
  unit: Unit;
  /** The harvest money that reached backers' banks, and the produce that they collected. */
  paidKobo: Kobo;
  collected: bigint;
};

type Lots = { lots: number; approvedLots: number; outcome: RoundOutcome };

/** "12 of 40 lots taken", or "One lot" for a project that is sold whole. */
export const lotsTaken = ({ lots, approvedLots, outcome }: Lots): string => {
  if (outcome === "not_funded") return "Not funded";
  return lots === 1 ? "One lot" : `${approvedLots} of ${lots} lots taken`;
};

/** "₦50,000 a lot"; nothing for a project of one lot, whose price is its goal. */
export const priceOfLot = ({ lots, lotPriceKobo }: { lots: number; lotPriceKobo: Kobo }): string | null =>
  lots === 1 ? null : `${formatNaira(lotPriceKobo)} a lot`;

/** "3 lots", "1 lot". */
export const countLots = (lots: number): string => (lots === 1 ? "1 lot" : `${lots} lots`);

/** "Snail farm in Epe", followed by "(CLOSED)" if it is closed. */
export function projectHeading({ title, isClosed }: { title: string; isClosed: boolean }): string {
  return isClosed ? `${title} (CLOSED)` : title;
}

export const favoriteTexts = {
  already: "Already favorited",
  failed: "Failed to favorite project",
  added: "Project added to favorites",
  signIn: "Please log in to favorite this project",
} as const;

export const projectSorts = ["popular", "funded", "newest", "ending"] as const;
export type ProjectSort = (typeof projectSorts)[number];
export const projectSortLabels: Record<ProjectSort, string> = {
  popular: "Most Popular",
  funded: "Most Funded",
  newest: "Newest",
  ending: "Ending Soon",
};

/** The filters of the list of /discover. */
export const discoverFilters = [
  "search",
  "category",
  "state",
  "maxLotPrice",
  "firstHarvestUntil",
  "hasRecord",
  "isInsured",
  "hasFreeLots",
] as const;
export type DiscoverFilter = (typeof discoverFilters)[number];
/** Prices of a lot that one can choose as the most, in naira. */
export const discoverPrices = [25_000, 50_000, 100_000, 250_000, 1_000_000] as const;

export const dashboardSorts = ["title", "status", "backer"] as const;
export type DashboardSort = (typeof dashboardSorts)[number];
export const dashboardSortLabels: Record<DashboardSort, string> = {
  title: "Sort by Title",
  status: "Status",
  backer: "Backer",
};
