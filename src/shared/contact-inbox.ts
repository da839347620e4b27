import { z } from "zod";
import { cursor } from "#shared/pagination.ts";

/** Contact messages in the administrators' area: inputs of both sides. */

const messageId = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);
export const contactMessageIdInput = z.object({ messageId });
export const listContactMessagesInput = z.object({ isRead: z.boolean().nullish(), cursor });
export const setContactMessageReadInput = z.object({ messageId, isRead: z.boolean() });
