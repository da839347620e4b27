import { z } from "zod";
import { categoryIds } from "#shared/categories.ts";

/** What a backer is promised for an amount; quantity null is unlimited. */
export type Reward = { title: string; amountKobo: string; description: string; quantity: number | null };

export const projectLimits = {
  featured: 6,
  pageSize: 12,
  contentPageSize: 5,
  defaultDaysLeft: 30,
} as const;

export const projectSorts = ["popular", "funded", "newest", "ending"] as const;
export type ProjectSort = (typeof projectSorts)[number];
export const projectSortLabels: Record<ProjectSort, string> = {
  popular: "Most Popular",
  funded: "Most Funded",
  newest: "Newest",
  ending: "Ending Soon",
};

export const projectIdInput = z.object({ projectId: z.number().int().positive().max(2_147_483_647) });

export const listProjectsInput = z.object({
  search: z.string().trim().max(100).default(""),
  sort: z.enum(projectSorts).default("popular"),
  category: z.enum(categoryIds).nullable().default(null),
  showClosed: z.boolean().default(false),
  /** Opaque: where the next page begins. */
  cursor: z.string().max(100).nullish(),
});
