import { z } from "zod";
import { rowId } from "#shared/ids.ts";
import { MAX_STATEMENT_KOBO } from "#shared/money.ts";
import { projectId } from "#shared/projects/inputs.ts";
import { reasonInput } from "#shared/second-person/reason.ts";

/** The inputs of releasing a round's money to its farm. */

const ofRound = { projectId, round: z.number().int().min(1).max(1_000_000) };

const koboText = z.string().regex(/^[1-9]\d{0,15}$/);

/** The same for two owners: kobo as digits, because a request is kept as JSON. */
export const releaseToFarmDetails = z.object({ ...ofRound, seenKobo: koboText, amountKobo: koboText });

const kobo = z.bigint().min(1n).max(MAX_STATEMENT_KOBO);

/** All that the round has for the farm, as the owner saw it, and what of it is released. */
export const releaseToFarmInput = z.object({ ...ofRound, seenKobo: kobo, amountKobo: kobo });

export const takeReleaseBackInput = z.object({
  releaseId: rowId,
  reason: reasonInput.shape.reason,
});
