import { z } from "zod";
import { ownProof } from "#shared/accounts/own-account.ts";
import { matchLineDetails, undoMatchDetails } from "#shared/bank/inputs.ts";
import { voidBankDataDetails } from "#shared/bank/voids.ts";
import {
  changeSaleDetails,
  costDetails,
  declareSaleDetails,
  loseDetails,
  lowerHarvestDetails,
  openHarvestDetails,
  settleHarvestDetails,
} from "#shared/harvests/inputs.ts";
import { positiveInt, rowId } from "#shared/ids.ts";
import { changeHolderDetails } from "#shared/payments/holder-changes.ts";
import { paymentIdInput, seenPayment } from "#shared/payments/inputs.ts";
import { strikePaymentDetails } from "#shared/payments/strikes.ts";
import { letPayoutGoDetails, refusePayoutsDetails } from "#shared/payouts/inputs.ts";
import { payeeAccountFields } from "#shared/payouts/payee-accounts.ts";
import { skipPartDetails } from "#shared/payouts/release-parts.ts";
import { releaseToFarmDetails } from "#shared/payouts/releases.ts";
import { returnToBackersDetails, takeReturnBackDetails } from "#shared/payouts/returns.ts";
import { weightDetails } from "#shared/projects/backings.ts";
import { projectId } from "#shared/projects/inputs.ts";
import { bankDetailFields, changeSettingDetails } from "#shared/settings/inputs.ts";
import { reason } from "./reason.ts";
import { secondPersonTexts as texts } from "./texts.ts";

/** The inputs of acts that take two people. */

/** The details of requests, kind by kind. */
export const writeOffDetails = z.object({ projectId, round: positiveInt });

/** Kobo as digits: details are kept as JSON, which has no bigint. */
const koboText = z.string().regex(/^\d{1,16}$/);
/** `writtenOffKobo` is the missing rest that is given up; "0" leaves it in transit. */
export const approvePaymentDetails = paymentIdInput.extend({
  writtenOffKobo: koboText,
  /** The missing amount that the asking owner saw: a payment that has changed since isn't approved. */
  missingKobo: koboText,
  ...seenPayment,
});
export const declareArrivedDetails = paymentIdInput.extend({ amountKobo: koboText.regex(/[1-9]/) });
export const giveUnallocatedBackDetails = paymentIdInput.extend({ seenUnallocatedKobo: koboText.regex(/[1-9]/) });
const lostOfLine = { lineId: rowId, amountKobo: koboText.regex(/[1-9]/) };
export const bookPaymentLossDetails = paymentIdInput.extend(lostOfLine);
export const bookPayoutLossDetails = z.object({ payoutId: rowId, ...lostOfLine });
/** For a payment that the bank took back after it was given back, or for a payout that had been declared failed. */
export const bookLossDetails = z.union([bookPaymentLossDetails, bookPayoutLossDetails]);

export const failPayoutDetails = z.object({ payoutId: rowId });
/** The account of a person who can't enter it, or of whoever sent us the money of a line. */
export const enterPayeeAccountDetails = z.union([
  z.object({ userId: z.uuid(), ...payeeAccountFields }),
  z.object({ lineId: rowId, ...payeeAccountFields }),
]);
/** A farm's account, which one owner enters and another confirms. */
export const setFarmAccountDetails = z.object({ farmId: positiveInt, ...payeeAccountFields });
/** The account that backers transfer to from now on; `seen` is the one that they did until now. */
export const changeBankDetailsDetails = z.object({
  ...bankDetailFields,
  /** The bank of the own account that the details name; absent where it isn't to change. */
  bankCode: z
    .string()
    .regex(/^(?:\d{3}|\d{6})$/)
    .nullable()
    .optional(),
  seen: z.object(bankDetailFields),
});

export const askSecondPersonInput = z.discriminatedUnion(
  "kind",
  [
    z.object({ kind: z.literal("write_off"), details: writeOffDetails, reason }),
    z.object({ kind: z.literal("approve_payment"), details: approvePaymentDetails, reason }),
    z.object({ kind: z.literal("declare_arrived"), details: declareArrivedDetails, reason }),
    z.object({ kind: z.literal("give_unallocated_back"), details: giveUnallocatedBackDetails, reason }),
    z.object({ kind: z.literal("book_loss"), details: bookLossDetails, reason }),
    z.object({ kind: z.literal("fail_payout"), details: failPayoutDetails, reason }),
    z.object({ kind: z.literal("enter_payee_account"), details: enterPayeeAccountDetails, reason }),
    z.object({ kind: z.literal("declare_sale"), details: declareSaleDetails, reason }),
    z.object({ kind: z.literal("lose"), details: loseDetails, reason }),
    z.object({ kind: z.literal("match_line"), details: matchLineDetails, reason }),
    z.object({ kind: z.literal("void_bank_data"), details: voidBankDataDetails, reason }),
    z.object({ kind: z.literal("undo_match"), details: undoMatchDetails, reason }),
    z.object({ kind: z.literal("take_back_sale"), details: declareSaleDetails, reason }),
    z.object({ kind: z.literal("change_setting"), details: changeSettingDetails, reason }),
    z.object({ kind: z.literal("set_weight"), details: weightDetails, reason }),
    z.object({ kind: z.literal("count_cost"), details: costDetails, reason }),
    z.object({ kind: z.literal("remove_sale"), details: declareSaleDetails, reason }),
    z.object({ kind: z.literal("change_sale"), details: changeSaleDetails, reason }),
    z.object({ kind: z.literal("lose_sale"), details: declareSaleDetails, reason }),
    z.object({ kind: z.literal("lower_harvest"), details: lowerHarvestDetails, reason }),
    z.object({ kind: z.literal("settle_harvest"), details: settleHarvestDetails, reason }),
    z.object({ kind: z.literal("set_farm_account"), details: setFarmAccountDetails, reason }),
    z.object({ kind: z.literal("release_to_farm"), details: releaseToFarmDetails, reason }),
    z.object({ kind: z.literal("skip_part"), details: skipPartDetails, reason }),
    z.object({ kind: z.literal("return_to_backers"), details: returnToBackersDetails, reason }),
    z.object({ kind: z.literal("take_return_back"), details: takeReturnBackDetails, reason }),
    z.object({ kind: z.literal("strike_payment"), details: strikePaymentDetails, reason }),
    z.object({ kind: z.literal("change_holder"), details: changeHolderDetails, reason }),
    z.object({ kind: z.literal("open_harvest"), details: openHarvestDetails, reason }),
    z.object({ kind: z.literal("change_bank_details"), details: changeBankDetailsDetails, reason }),
    z.object({ kind: z.literal("refuse_payouts"), details: refusePayoutsDetails, reason }),
    z.object({ kind: z.literal("let_payout_go"), details: letPayoutGoDetails, reason }),
  ],
  texts.kindUnknown,
);

const requestId = rowId;
export const secondPersonRequestInput = z.object({ requestId });
/** The proof is only for an owner who is alone. */
export const confirmRequestInput = z.object({ requestId, ...ownProof });
