import type { ReadyKind } from "#server/accounts/owners/second-person-kind.ts";
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
import type { SecondPersonKind } from "#shared/second-person/texts.ts";

/**
 * Every kind of request. Runs of payouts and farms' pasts wait for a second owner in their own tables, by
 * `accounts/owners/second-owner.ts`.
 */
export const kinds: Record<SecondPersonKind, ReadyKind> = {
  write_off: writeOffKind,
  approve_payment: approvePaymentKind,
  declare_arrived: declareArrivedKind,
  give_unallocated_back: giveUnallocatedBackKind,
  book_loss: bookLossKind,
  fail_payout: failPayoutKind,
  enter_payee_account: enterPayeeAccountKind,
  match_line: matchLineKind,
  void_bank_data: voidBankDataKind,
  undo_match: undoMatchKind,
  change_setting: changeSettingKind,
  set_weight: setWeightKind,
  set_farm_account: setFarmAccountKind,
  release_to_farm: releaseToFarmKind,
  skip_part: skipPartKind,
  return_to_backers: returnToBackersKind,
  take_return_back: takeReturnBackKind,
  strike_payment: strikePaymentKind,
  change_holder: changeHolderKind,
  change_bank_details: changeBankDetailsKind,
  refuse_payouts: refusePayoutsKind,
  let_payout_go: letPayoutGoKind,
  ...harvestKinds,
};
