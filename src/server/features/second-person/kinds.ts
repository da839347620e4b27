import { eq, inArray } from "drizzle-orm";
import type { z } from "zod";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { bookLossKind, matchLineKind, undoMatchKind, voidBankDataKind } from "#server/features/bank/second-person.ts";
import { harvestKinds } from "#server/features/harvests/second-person.ts";
import { changeHolderKind } from "#server/features/payments/holder-changes/second-person.ts";
import { approvePaymentKind, declareArrivedKind } from "#server/features/payments/review/second-person.ts";
import { strikePaymentKind } from "#server/features/payments/strikes/second-person.ts";
import { giveUnallocatedBackKind } from "#server/features/payments/unallocated/second-person.ts";
import { enterPayeeAccountKind } from "#server/features/payouts/payee-accounts/second-person.ts";
import { skipPartKind } from "#server/features/payouts/release-parts/second-person.ts";
import { releaseToFarmKind, setFarmAccountKind } from "#server/features/payouts/releases/second-person.ts";
import { returnToBackersKind, takeReturnBackKind } from "#server/features/payouts/returns/second-person.ts";
import { failPayoutKind, letPayoutGoKind, refusePayoutsKind } from "#server/features/payouts/second-person.ts";
import { setWeightKind } from "#server/features/projects/backings/second-person.ts";
import { writeOffKind } from "#server/features/projects/write-offs/service.ts";
import { changeBankDetailsKind, changeSettingKind } from "#server/features/settings/second-person.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { type KeptMatch, matchLineDetails, undoMatchDetails } from "#shared/bank/inputs.ts";
import { voidBankDataDetails } from "#shared/bank/voids.ts";
import { changeHolderDetails } from "#shared/payments/holder-changes.ts";
import { strikePaymentDetails } from "#shared/payments/strikes.ts";
import { letPayoutGoDetails, refusePayoutsDetails } from "#shared/payouts/inputs.ts";
import { skipPartDetails } from "#shared/payouts/release-parts.ts";
import { releaseToFarmDetails } from "#shared/payouts/releases.ts";
import { returnToBackersDetails, takeReturnBackDetails } from "#shared/payouts/returns.ts";
import { weightDetails } from "#shared/projects/backings.ts";
import {
  approvePaymentDetails,
  bookLossDetails,
  changeBankDetailsDetails,
  declareArrivedDetails,
  enterPayeeAccountDetails,
  failPayoutDetails,
  giveUnallocatedBackDetails,
  setFarmAccountDetails,
} from "#shared/second-person/inputs.ts";
import { type SecondPersonKind, secondPersonTexts as texts } from "#shared/second-person/texts.ts";
import { changeSettingDetails } from "#shared/settings/inputs.ts";

/** A request's meaning in words for whoever has to decide, with the files of papers that prove it. */
export type Meaning = {
  title: string;
  consequences: string[];
  isPossible: boolean;
  projectId: number | null;
  fileIds?: string[];
};

/**
 * An act that takes two people. The request and the confirmation both begin with `require`, because the world may have
 * changed in between; the confirmation goes on with `act`, in the same transaction.
 */
export type Kind<Details> = {
  schema: z.ZodType<Details>;
  /** True if asking for it and confirming it take the password (and code). */
  needsProof?: boolean;
  /** Names what the request is about: one is open at a time. */
  subjectOf: (details: Details) => string;
  /** Null if what it is about is gone. */
  describe: (db: DbOrTx, details: Details) => Promise<Meaning | null>;
  /** Locks what it is about. Throws "not_found" or "conflict" if it can't be done now. */
  require: (tx: Tx, ctx: ActorContext, details: Details) => Promise<void>;
  /** The people whose own money it is about: none of them confirms it, unless they are the only owner. */
  concerns?: (db: DbOrTx, details: Details) => Promise<string[]>;
  /** The refusal that people of `concerns` read; by default that it is their own payment. */
  concernedText?: string;
  /** Does it, with its audit entry and notices. */
  act: (tx: Tx, ctx: ActorContext, confirmed: { details: Details; requestId: number; reason: string }) => Promise<void>;
};

/** A kind whose details are still unread, as they come from a row or a form. */
export type AnyKind = Kind<unknown>;

/** Reads the details by the kind's schema before each use. */
function reading<Details>(kind: Kind<Details>): Required<AnyKind> {
  const { schema, needsProof = false, subjectOf, describe, require, concerns = async () => [], act } = kind;
  const { concernedText = texts.ownMoney } = kind;
  const read = (details: unknown) => schema.parse(details);
  return {
    schema,
    needsProof,
    subjectOf: (details) => subjectOf(read(details)),
    describe: (db, details) => describe(db, read(details)),
    require: (tx, ctx, details) => require(tx, ctx, read(details)),
    concerns: (db, details) => concerns(db, read(details)),
    concernedText,
    act: (tx, ctx, { details, ...confirmed }) => act(tx, ctx, { ...confirmed, details: read(details) }),
  };
}

/** Finds the payer of a payment. */
async function payerOf(db: DbOrTx, { paymentId }: { paymentId: number }): Promise<string[]> {
  const isIt = eq(projectPayments.id, paymentId);
  return (await db.select({ id: projectPayments.userId }).from(projectPayments).where(isIt)).map(({ id }) => id);
}

/** Finds the person that a payout is for; nobody if it is for a farm or a sender. */
async function payeeOf(db: DbOrTx, { payoutId }: { payoutId: number }): Promise<string[]> {
  const found = await db.select({ id: payouts.userId }).from(payouts).where(eq(payouts.id, payoutId));
  return found.flatMap(({ id }) => id ?? []);
}

/** Finds the people that these payouts are for, leaving out farms and senders. */
async function payeesOf(db: DbOrTx, { payoutIds }: { payoutIds: number[] }): Promise<string[]> {
  const found = await db.selectDistinct({ id: payouts.userId }).from(payouts).where(inArray(payouts.id, payoutIds));
  return found.flatMap(({ id }) => id ?? []);
}

/** Lists the people whose money the parts of a line would be. */
async function payeesOfParts(db: DbOrTx, { parts }: KeptMatch): Promise<string[]> {
  const found: string[] = [];
  for (const part of parts) {
    if ("paymentId" in part) found.push(...(await payerOf(db, part)));
    if ("payoutId" in part) found.push(...(await payeeOf(db, part)));
    if (part.kind !== "purchase") continue;
    const isIt = eq(paymentReferences.reference, part.reference);
    const agreed = await db.select({ id: paymentReferences.userId }).from(paymentReferences).where(isIt);
    found.push(...agreed.flatMap(({ id }) => id ?? []));
  }
  return found;
}

/** Finds the payer of the payment that a match is for. */
async function payerOfMatch(db: DbOrTx, { matchId }: { matchId: number }): Promise<string[]> {
  const found = await db
    .select({ id: projectPayments.userId })
    .from(lineMatches)
    .innerJoin(projectPayments, eq(projectPayments.id, lineMatches.paymentId))
    .where(eq(lineMatches.id, matchId));
  return found.map(({ id }) => id);
}

/**
 * Every kind of request. Runs of payouts and farms' pasts wait for a second owner in their own tables, by
 * `accounts/owners/second-owner.ts`.
 */
export const kinds: Record<SecondPersonKind, Required<AnyKind>> = {
  write_off: reading(writeOffKind),
  approve_payment: reading({ schema: approvePaymentDetails, concerns: payerOf, ...approvePaymentKind }),
  declare_arrived: reading({ schema: declareArrivedDetails, concerns: payerOf, ...declareArrivedKind }),
  give_unallocated_back: reading({ schema: giveUnallocatedBackDetails, concerns: payerOf, ...giveUnallocatedBackKind }),
  book_loss: reading({
    concerns: (db, details) => ("payoutId" in details ? payeeOf(db, details) : payerOf(db, details)),
    schema: bookLossDetails,
    ...bookLossKind,
  }),
  fail_payout: reading({ schema: failPayoutDetails, concerns: payeeOf, ...failPayoutKind }),
  enter_payee_account: reading({
    concerns: async (_db, details) => ("userId" in details ? [details.userId] : []),
    schema: enterPayeeAccountDetails,
    needsProof: true,
    ...enterPayeeAccountKind,
  }),
  declare_sale: reading(harvestKinds.declare_sale),
  lose: reading(harvestKinds.lose),
  match_line: reading({ schema: matchLineDetails, concerns: payeesOfParts, ...matchLineKind }),
  void_bank_data: reading({ schema: voidBankDataDetails, ...voidBankDataKind }),
  undo_match: reading({ schema: undoMatchDetails, concerns: payerOfMatch, ...undoMatchKind }),
  take_back_sale: reading(harvestKinds.take_back_sale),
  change_setting: reading({ schema: changeSettingDetails, needsProof: true, ...changeSettingKind }),
  set_weight: reading({
    concerns: async (_db, { userId }) => [userId],
    schema: weightDetails,
    ...setWeightKind,
  }),
  count_cost: reading(harvestKinds.count_cost),
  remove_sale: reading(harvestKinds.remove_sale),
  change_sale: reading(harvestKinds.change_sale),
  lose_sale: reading(harvestKinds.lose_sale),
  open_harvest: reading(harvestKinds.open_harvest),
  lower_harvest: reading(harvestKinds.lower_harvest),
  settle_harvest: reading(harvestKinds.settle_harvest),
  set_farm_account: reading({ schema: setFarmAccountDetails, needsProof: true, ...setFarmAccountKind }),
  release_to_farm: reading({ schema: releaseToFarmDetails, ...releaseToFarmKind }),
  skip_part: reading({ schema: skipPartDetails, ...skipPartKind }),
  return_to_backers: reading({ schema: returnToBackersDetails, ...returnToBackersKind }),
  take_return_back: reading({ schema: takeReturnBackDetails, ...takeReturnBackKind }),
  strike_payment: reading({ schema: strikePaymentDetails, concerns: payerOf, ...strikePaymentKind }),
  change_holder: reading({ schema: changeHolderDetails, needsProof: true, ...changeHolderKind }),
  change_bank_details: reading({ schema: changeBankDetailsDetails, needsProof: true, ...changeBankDetailsKind }),
  refuse_payouts: reading({ schema: refusePayoutsDetails, concerns: payeesOf, ...refusePayoutsKind }),
  let_payout_go: reading({ schema: letPayoutGoDetails, concerns: payeeOf, ...letPayoutGoKind }),
};
