import { z } from "zod";
import { rowId } from "#shared/ids.ts";
import { releaseAskLimits as limits, releasePartTexts as texts } from "./release-parts-texts.ts";
import { ofPart } from "./releases.ts";

/** The inputs of asking for a part of a round's money, and of deciding about it. */

/** `fileIds` are uploads of the caller, which the ask keeps. */
export const askForPartInput = z.object({
  ...ofPart,
  note: z.string().trim().max(limits.note),
  fileIds: z.array(z.uuid()).max(limits.proofs, texts.proofsMany),
});

export const releaseAskInput = z.object({ askId: rowId });

const refusalText = `Please say in at least ${limits.refusal.min} characters what is missing`;
const refusal = z.string().trim().min(limits.refusal.min, refusalText).max(limits.refusal.max);
/** The farm reads the refusal. */
export const refuseAskInput = releaseAskInput.extend({ refusal });
/** The same as the form has it, whose field is called a reason. */
export const refusalForm = z.object({ reason: refusal });

export const decideProofFindingInput = z.object({ findingId: rowId, verdict: z.enum(["confirmed", "dismissed"]) });

/** Two owners leave a part out, or take that back. */
export const skipPartDetails = z.object({ ...ofPart, isSkipped: z.boolean() });
