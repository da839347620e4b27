import { z } from "zod";
import { rowId } from "#shared/ids.ts";
import { projectId } from "./inputs.ts";
import { countCharacters, isBlank, messageLimits, messageTexts } from "./messages-texts.ts";

const content = z
  .string()
  .transform((text) => text.replaceAll("\r\n", "\n").trim())
  .refine((text) => !isBlank(text), messageTexts.blank)
  .refine((text) => countCharacters(text) <= messageLimits.length, messageTexts.tooLong);

/** The key is generated once per text, and kept for a retry after a lost response. */
export const sendMessageInput = z.object({
  projectId,
  content,
  idempotencyKey: z.uuid(),
  /** A backer's message that only the team reads. */
  isPrivate: z.boolean().default(false),
  /** The backer's message that an administrator answers, to its writer only. */
  answersId: rowId.optional(),
});

export const messageIdInput = z.object({ messageId: rowId });
