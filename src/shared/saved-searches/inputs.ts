import { z } from "zod";
import { rowId } from "#shared/ids.ts";
import { hasFilters } from "#shared/projects/filters-texts.ts";
import { countProjectsInput } from "#shared/projects/inputs.ts";
import { shortText } from "#shared/short-text.ts";
import { savedSearchLimits as limits, savedSearchTexts as texts } from "./texts.ts";

const name = shortText().min(1, texts.noName).max(limits.name);

export const saveSearchInput = z.object({
  name,
  filters: countProjectsInput.omit({ showClosed: true }).refine(hasFilters, texts.noFilter),
});
export const searchIdInput = z.object({ searchId: rowId });
export const renameSearchInput = searchIdInput.extend({ name });
/** The token of a link in a mail. */
export const searchLinkInput = z.object({ token: z.string().max(200) });
