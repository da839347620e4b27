import { z } from "zod";
import { rowId } from "#shared/ids.ts";
import { MAX_STATEMENT_KOBO } from "#shared/money.ts";
import { projectId } from "#shared/projects/inputs.ts";
import { releasePartLimits } from "#shared/projects/release-parts.ts";
import { reason } from "#shared/second-person/reason.ts";

/** The inputs of releasing a round's money to its farm. */

/** The part of the round's terms is counted from 1; terms that name none have one. */
export const ofPart = {
  projectId,
  round: z.number().int().min(1).max(1_000_000),
  part: z.number().int().min(1).max(releasePartLimits.parts),
};

/** The ask for the part, as the owner saw it. Null where the terms name no parts. */
const askId = rowId.nullable();
const koboText = z.string().regex(/^[1-9]\d{0,15}$/);

/** The same for two owners: kobo as digits, because a request is kept as JSON. */
export const releaseToFarmDetails = z.object({ ...ofPart, askId, seenKobo: koboText, amountKobo: koboText });

const kobo = z.bigint().min(1n).max(MAX_STATEMENT_KOBO);

/** All that the round has for the farm, as the owner saw it, and what of it is released as this part. */
export const releaseToFarmInput = z.object({ ...ofPart, askId, seenKobo: kobo, amountKobo: kobo });

export const takeReleaseBackInput = z.object({
  releaseId: rowId,
  reason,
});
