import { z } from "zod";
import { ownProof } from "#shared/accounts/own-account.ts";
import { codeOf, findBank } from "#shared/bank/nigerian-banks.ts";
import { shortText } from "#shared/short-text.ts";
import { payeeAccountLimits, payeeAccountTexts as texts } from "./payee-accounts-texts.ts";

/** The inputs of accounts that money is paid out to. */

/** The fields of an account. The bank is named by either of its codes, and kept by the one of {@link codeOf}. */
export const payeeAccountFields = {
  bankCode: z
    .string(texts.bankMissing)
    .refine((code) => findBank(code) !== undefined, texts.bankMissing)
    .transform((code) => {
      const bank = findBank(code);
      return bank ? codeOf(bank) : code;
    }),
  accountNumber: shortText(texts.numberInvalid)
    .transform((text) => text.replace(/[\s-]/g, ""))
    .pipe(z.string().regex(/^\d{10}$/, texts.numberInvalid)),
  accountName: shortText(texts.nameInvalid)
    .min(2, texts.nameInvalid)
    .max(payeeAccountLimits.nameLength, texts.nameInvalid)
    .regex(/^\P{C}*$/u, texts.nameInvalid),
};

/** An account before it is used: whether something about it is unusual. */
export const checkPayeeAccountInput = z.object(payeeAccountFields);

/** The caller's own account. */
export const setPayeeAccountInput = z.object({ ...payeeAccountFields, ...ownProof });
