import { z } from "zod";
import { rowId } from "#shared/ids.ts";
import { shortText } from "#shared/short-text.ts";
import { holdLimits, holdTexts } from "./holds-texts.ts";
import { projectId } from "./inputs.ts";

/** The inputs of holding lots and of waiting for them. */

const reason = shortText(holdTexts.reasonMissing)
  .min(1, holdTexts.reasonMissing)
  .max(holdLimits.reasonLength, holdTexts.reasonTooLong);

export const joinWaitingListInput = z.object({ projectId, lots: z.int().min(1).max(1000) });
export const endHoldInput = z.object({ holdId: rowId, reason });
export const extendHoldInput = z.object({ holdId: rowId, hours: z.int().min(1).max(168) });
