import { z } from "zod";
import { shortText } from "#shared/short-text.ts";
import { holdLimits, holdTexts } from "./holds-texts.ts";
import { projectId } from "./inputs.ts";

/** The inputs of holding lots and of waiting for them. */

const holdId = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);
const reason = shortText(holdTexts.reasonMissing)
  .min(1, holdTexts.reasonMissing)
  .max(holdLimits.reasonLength, holdTexts.reasonTooLong);

export const joinWaitingListInput = z.object({ projectId, lots: z.int().min(1).max(1000) });
export const endHoldInput = z.object({ holdId, reason });
export const extendHoldInput = z.object({ holdId, hours: z.int().min(1).max(168) });
