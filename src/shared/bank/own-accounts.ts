import { z } from "zod";
import { rowId } from "#shared/ids.ts";
import { bankDetailFields } from "#shared/settings/inputs.ts";
import { shortText } from "#shared/short-text.ts";
import { ownAccountTexts as texts } from "./own-accounts-texts.ts";

/** The inputs of the platform's own bank accounts. */

const details = {
  ...bankDetailFields,
  /** The bank's code at the central bank; empty if it isn't known. */
  bankCode: shortText(texts.bankCodeInvalid)
    .regex(/^(?:\d{3}|\d{6})?$/, texts.bankCodeInvalid)
    .transform((code) => code || null),
};
/** The version that the owner saw: an account that another person has changed since isn't changed. */
const seenUpdatedAt = z.date();

export const addOwnAccountInput = z.object(details);
export const closeOwnAccountInput = z.object({ accountId: rowId, seenUpdatedAt });
export const changeOwnAccountInput = z.object({ accountId: rowId, seenUpdatedAt, ...details });
