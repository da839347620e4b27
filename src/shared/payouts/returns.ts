import { z } from "zod";
import { rowId } from "#shared/ids.ts";
import { projectId } from "#shared/projects/inputs.ts";

/** The inputs of returning a round's money to its backers. */

const ofRound = { projectId, round: z.number().int().min(1).max(1_000_000) };

/**
 * How much of the round's money goes back: kobo as digits, because a request is kept as JSON, and a query's key is. The
 * request's reason is what backers read.
 */
export const returnToBackersDetails = z.object({ ...ofRound, amountKobo: z.string().regex(/^[1-9]\d{0,15}$/) });

export const takeReturnBackDetails = z.object({ returnId: rowId });
