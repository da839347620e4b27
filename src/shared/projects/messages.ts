import { z } from "zod";
import { projectId } from "./inputs.ts";
import { countCharacters, isBlank, messageLimits, messageTexts } from "./messages-texts.ts";

const content = z
  .string()
  .transform((text) => text.replaceAll("\r\n", "\n").trim())
  .refine((text) => !isBlank(text), messageTexts.blank)
  .refine((text) => countCharacters(text) <= messageLimits.length, messageTexts.tooLong);

/** The key is generated once per text, and kept for a retry after a lost response. */
export const sendMessageInput = z.object({ projectId, content, idempotencyKey: z.uuid() });
