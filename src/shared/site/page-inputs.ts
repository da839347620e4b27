import { z } from "zod";
import { cleanLines } from "#shared/free-text.ts";
import { pageTextLimits as limits, pageTextTexts as texts } from "./page-texts.ts";
import { ownPages } from "./pages.ts";

const page = z.enum(ownPages);
const version = z.number().int().min(1).max(1_000_000);
/** The number of the newest version that the caller saw; 0 for none. */
const seenVersion = z.number().int().min(0).max(1_000_000);
const html = z.string(texts.missing).min(1, texts.missing).max(limits.html, texts.tooLong);

export const pageInput = z.object({ page });
export const pageVersionInput = z.object({ page, version });
export const previewPageInput = z.object({ page, html });
export const adoptPageInput = z.object({ page, seenVersion });

export const savePageInput = z
  .object({
    page,
    seenVersion,
    html,
    isMaterial: z.boolean(),
    changeNote: z.string().overwrite(cleanLines).max(limits.changeNote, texts.noteTooLong),
    /** From the beginning of this day in Lagos; null for now. */
    inForceOn: z.iso.date(texts.dayMissing).nullable(),
  })
  .refine(({ isMaterial, page }) => !isMaterial || page === "terms", {
    error: texts.asksForTermsOnly,
    path: ["isMaterial"],
  })
  .refine(({ isMaterial, changeNote }) => !isMaterial || changeNote !== "", {
    error: texts.noteMissing,
    path: ["changeNote"],
  });
