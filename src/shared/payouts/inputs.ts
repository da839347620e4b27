import { z } from "zod";
import { ownProof } from "#shared/accounts/own-account.ts";
import { rowId } from "#shared/ids.ts";
import { cursor } from "#shared/pagination.ts";
import { reason } from "#shared/second-person/reason.ts";
import { shortText } from "#shared/short-text.ts";
import { payoutProfiles } from "./columns.ts";
import { payoutRunTexts as texts } from "./runs-texts.ts";
import { payoutLimits as limits } from "./texts.ts";

/** The inputs of payouts and their runs. */

/** The lists of payouts beside those that are due. */
export const payoutLists = ["waiting", "sent", "done"] as const;
export type PayoutList = (typeof payoutLists)[number];

export const listPayoutsInput = z.object({ list: z.enum(payoutLists), cursor });
export const listRunsInput = z.object({ cursor });

const chosenPayouts = z
  .array(rowId)
  .min(1, texts.noneChosen)
  .max(limits.runSize, texts.tooMany)
  .refine((ids) => new Set(ids).size === ids.length, texts.notDue);
export const makeRunInput = z.object({ payoutIds: chosenPayouts, ownAccountId: rowId });

const idInAddress = z
  .string()
  .regex(/^\d{1,16}$/)
  .transform(Number)
  .pipe(rowId);
/** A file of a run, as its address names it. */
export const payoutFileInput = z.object({ runId: idInAddress, layout: idInAddress });

export const runIdInput = z.object({ runId: rowId });
/** The reason and the proof are only for an owner who is alone. */
export const approveRunInput = z.object({ runId: rowId, reason: reason.optional(), ...ownProof });
export const voidRunInput = z.object({ runId: rowId, reason });
export const exportRunInput = z.object({ runId: rowId, profile: z.enum(payoutProfiles) });

/** The payouts of an exported run that the bank didn't take, which may be all of them. */
export const refusePayoutsDetails = z.object({ runId: rowId, payoutIds: chosenPayouts });

export const withholdPayoutInput = z.object({ payoutId: rowId, reason });
export const letPayoutGoDetails = z.object({ payoutId: rowId });

/** The transfer's session id, as an owner saw it at the bank. */
export const paidByHandFields = {
  sessionId: shortText(texts.sessionIdInvalid)
    .transform((text) => text.replace(/[\s-]/g, ""))
    .pipe(z.string().regex(/^\d{30}$/, texts.sessionIdInvalid)),
  reason,
};
export const markPaidInput = z.object({ payoutId: rowId, ...paidByHandFields });
