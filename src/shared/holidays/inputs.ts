import { z } from "zod";
import { rowId } from "#shared/ids.ts";
import { shortText } from "#shared/short-text.ts";
import { holidayTexts as texts } from "./texts.ts";

export const addHolidayInput = z.object({
  /** A day like "2026-12-25", in Lagos. */
  day: z.iso.date(texts.dayMissing),
  name: shortText(texts.nameInvalid)
    .min(2, texts.nameInvalid)
    .max(100, texts.nameInvalid)
    .regex(/^\P{C}*$/u, texts.nameInvalid),
});

export const holidayIdInput = z.object({ holidayId: rowId });
