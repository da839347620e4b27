import { z } from "zod";
import { cursor } from "#shared/pagination.ts";
import { booksAccounts, booksTexts } from "./texts.ts";

/** The inputs of the books. */

/** A day in Lagos of which there can be books. */
export const booksDay = z.iso
  .date(booksTexts.dayMissing)
  .refine((text) => text >= "2020-01-01" && text <= "9998-12-31", { message: booksTexts.dayMissing });

export const trialBalanceInput = z.object({ on: booksDay });
export const accountEntriesInput = z.object({
  account: z.enum(booksAccounts, booksTexts.accountMissing),
  on: booksDay,
  cursor,
});
export const closeMonthInput = z.object({
  month: z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, booksTexts.monthMissing),
});
