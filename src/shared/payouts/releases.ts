import { z } from "zod";
import { MAX_STATEMENT_KOBO } from "#shared/money.ts";
import { projectId } from "#shared/projects/inputs.ts";
import { reasonInput } from "#shared/second-person/reason.ts";

/** The inputs of releasing a round's money to its farm. */

/** All that the round has for the farm, as the owner saw it. */
export const releaseToFarmInput = z.object({
  projectId,
  round: z.number().int().min(1).max(1_000_000),
  seenKobo: z.bigint().min(1n).max(MAX_STATEMENT_KOBO),
});

export const takeReleaseBackInput = z.object({
  releaseId: z.number().int().positive().max(Number.MAX_SAFE_INTEGER),
  reason: reasonInput.shape.reason,
});
