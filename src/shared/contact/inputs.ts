import { z } from "zod";
import { emailFieldSaying, plainAddress } from "#shared/accounts/inputs.ts";
import { cleanLines } from "#shared/free-text.ts";
import { rowId } from "#shared/ids.ts";
import { cursor } from "#shared/pagination.ts";
import { countCharacters, isBlank } from "#shared/projects/messages-texts.ts";
import { shortText } from "#shared/short-text.ts";
import { contactLimits, contactTexts } from "./texts.ts";

const { name, emailMax, phone, message } = contactLimits;

/**
 * Letters of every script with their marks, and apostrophes and hyphens, including those that phones and word
 * processors type.
 */
const nameCharacters = /^(?:\p{L}\p{M}*|[ .'\u2018\u2019\u2010\u2011-])*$/u;

/** The fields that the visitor fills in; the page adds token, question and key. */
export const contactForm = z.object({
  name: shortText(contactTexts.nameTooShort)
    .normalize("NFC")
    .refine((text) => countCharacters(text) >= name.min, contactTexts.nameTooShort)
    .refine((text) => countCharacters(text) <= name.max, contactTexts.nameTooLong)
    .regex(nameCharacters, contactTexts.nameInvalid),
  email: plainAddress(contactTexts.emailInvalid)
    .max(emailMax, contactTexts.emailTooLong)
    .pipe(emailFieldSaying(contactTexts.emailInvalid)),
  phone: shortText(contactTexts.phoneTooShort)
    .min(phone.min, contactTexts.phoneTooShort)
    .max(phone.max, contactTexts.phoneTooLong)
    .regex(/^[\d ()+-]*$/, contactTexts.phoneInvalid),
  message: z
    .string(contactTexts.messageTooShort)
    .overwrite(cleanLines)
    .refine((text) => countCharacters(text) >= message.min && !isBlank(text), contactTexts.messageTooShort)
    .refine((text) => countCharacters(text) <= message.max, contactTexts.messageTooLong),
  botCheck: z.literal(true, contactTexts.confirmHuman),
  humanVerification: shortText(contactTexts.wrongAnswer)
    .min(1, contactTexts.wrongAnswer)
    .max(20, contactTexts.wrongAnswer),
});

export const sendMessageInput = contactForm.extend({
  challenge: z.string().max(200),
  formToken: z.string().max(200),
  /** Generated once per content of the form, and kept for a retry. */
  idempotencyKey: z.uuid(),
});
export type SendMessageInput = z.output<typeof sendMessageInput>;

/** Contact messages in the administrators' area: inputs of both sides. */

export const contactMessageIdInput = z.object({ messageId: rowId });
export const listContactMessagesInput = z.object({ isRead: z.boolean().nullish(), cursor });
export const setContactMessageReadInput = z.object({ messageId: rowId, isRead: z.boolean() });
