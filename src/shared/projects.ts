import { z } from "zod";
import { categoryIds } from "#shared/categories.ts";
import { cursor } from "#shared/pagination.ts";
import { dashboardSorts, projectSorts } from "#shared/project-texts.ts";

export const projectId = z.number().int().positive().max(2_147_483_647);
export const projectIdInput = z.object({ projectId });

const search = z.string().trim().max(100).default("");

export const listProjectsInput = z.object({
  search,
  sort: z.enum(projectSorts).default("popular"),
  category: z.enum(categoryIds).nullable().default(null),
  showClosed: z.boolean().default(false),
  cursor,
});

/** Updates and messages of one project: searched, five a page. */
export const listContentInput = z.object({ projectId, search, page: z.number().int().min(1).max(10_000).default(1) });

export const listDashboardProjectsInput = z.object({ search, sort: z.enum(dashboardSorts).default("title"), cursor });
