import { z } from "zod";
import { ownProof } from "#shared/accounts/own-account.ts";
import { cleanLines } from "#shared/free-text.ts";
import { positiveInt, rowId } from "#shared/ids.ts";
import { optionalQuantity } from "#shared/projects/terms.ts";
import { units } from "#shared/projects/terms-texts.ts";
import { reason } from "#shared/second-person/reason.ts";
import { shortText } from "#shared/short-text.ts";
import { farmPastLimits as limits, farmPastTexts as texts } from "./texts.ts";

const year = z
  .number(texts.fromYear)
  .int(texts.fromYear)
  .min(limits.firstYear, texts.fromYear)
  .max(2100, texts.fromYear);
const words = ({ min, max }: { min: number; max: number }, message: string) =>
  shortText(message).min(min, message).max(max, message);

const fields = z.object({
  fromYear: year,
  toYear: year,
  farmed: words(limits.farmed, texts.farmed),
  outcome: z
    .string(texts.outcome)
    .overwrite(cleanLines)
    .min(limits.outcome.min, texts.outcome)
    .max(limits.outcome.max, texts.outcome),
  /** Null without figures. */
  unit: z.enum(units, texts.unit).nullable(),
  planned: optionalQuantity(texts.quantity, 1n),
  harvested: optionalQuantity(texts.quantity),
  paidBy: words(limits.paidBy, texts.paidBy),
  /** A description of the files for everybody. */
  evidence: words(limits.evidence, texts.evidence),
});

type Fields = Pick<z.output<typeof fields>, "fromYear" | "toYear" | "unit" | "planned" | "harvested">;

/** Refuses years in the wrong order, a figure without its unit, and a unit without a figure. */
function checkTogether({ fromYear, toYear, unit, planned, harvested }: Fields, ctx: z.RefinementCtx): void {
  const fault = (path: string, message: string) => ctx.addIssue({ code: "custom", path: [path], message });
  const hasFigure = planned !== null || harvested !== null;
  if (toYear < fromYear) fault("toYear", texts.toYear);
  if (hasFigure && unit === null) fault("unit", texts.unit);
  if (!hasFigure && unit !== null) fault("harvested", texts.figuresMissing);
}

export const pastForm = fields.superRefine(checkTogether);

/** `fileIds` are uploads of the caller, which the entry keeps. */
export const enterPastInput = fields
  .extend({
    farmId: positiveInt,
    fileIds: z.array(z.uuid()).min(1, texts.filesMissing).max(limits.files, texts.filesMany),
  })
  .superRefine(checkTogether);
export type EnterPastInput = z.input<typeof enterPastInput>;

const pastId = rowId;
/** The proof and the reason are only for an owner who is alone, and entered it. */
export const confirmPastInput = z.object({ pastId, reason: reason.optional(), ...ownProof });
export const pastIdInput = z.object({ pastId });
export const refusePastInput = z.object({ pastId, reason });
