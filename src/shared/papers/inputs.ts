import { z } from "zod";
import { rowId } from "#shared/ids.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { cursor } from "#shared/pagination.ts";
import { searchText } from "#shared/projects/inputs.ts";
import { shortText } from "#shared/short-text.ts";
import { paperKinds } from "./kinds.ts";
import { paperCodePattern, paperLimits, paperTexts, readPaperCode } from "./texts.ts";

/** The inputs of papers. */

/** A paper's id as an address has it. */
export const paperIdText = z
  .string()
  .regex(/^\d{1,16}$/)
  .transform(Number)
  .pipe(rowId);

const day = z.iso.date(paperTexts.dayMissing).refine((text) => text >= "2020-01-01" && text <= "9998-12-31", {
  message: paperTexts.dayMissing,
});

/** Days from the first to the last, both included. Tells what is wrong with them at the last one. */
const rangeFields = { firstDay: day, lastDay: day };
type Range = { firstDay: string; lastDay: string };
function checkRange({ firstDay, lastDay }: Range, ctx: z.RefinementCtx): void {
  const days = (Date.parse(lastDay) - Date.parse(firstDay)) / dayMs + 1;
  const fault = days < 1 ? paperTexts.daysTurned : days > paperLimits.rangeDays ? paperTexts.daysTooMany : null;
  if (fault) ctx.addIssue({ code: "custom", path: ["lastDay"], message: fault });
}

export const paperRangeInput = z.object(rangeFields).superRefine(checkRange);
export const statementOfInput = z.object({ userId: z.uuid(), ...rangeFields }).superRefine(checkRange);

export const listPapersInput = z.object({
  kind: z.enum(paperKinds).nullable().default(null),
  userId: z.uuid().nullable().default(null),
  /** A part of a number, or of a person's name or address. */
  search: searchText,
  cursor,
});

/** The valid paper of a payment, a refund, a settlement (the caller's, or the named person's) or a run. */
export const findPaperInput = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("receipt"), id: rowId }),
  z.object({ kind: z.literal("refund_note"), id: rowId }),
  z.object({ kind: z.literal("settlement"), id: rowId, userId: z.uuid().optional() }),
  z.object({ kind: z.literal("run_sheet"), id: rowId }),
]);

export const verifyPaperInput = z.object({
  code: shortText(paperTexts.codeInvalid)
    .max(60, paperTexts.codeInvalid)
    .transform(readPaperCode)
    .pipe(z.string().regex(paperCodePattern, paperTexts.codeInvalid)),
});
