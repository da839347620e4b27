import { formatNairaExact, type Kobo } from "#shared/money.ts";

/** Texts for backers about a struck payment of theirs. */
export const ownStrikeTexts = {
  label: "No longer counts",
  counts:
    "This payment isn't with us, so it no longer counts. You don't back the farm by it any more, and have no part in its harvests.",
  backsNoMore:
    "You don't back this project any more: your payment isn't with us, so it no longer counts. Your money in your profile says why.",
  reason: (reason: string) => `Reason: ${reason}`,
  stays: "What we paid to you before stays yours. If your money reaches us after all, we give it back to you.",
  /** For a payout that came back, or that our bank didn't send. */
  notDue: "It isn't paid again, because your payment no longer counts.",
  notPaid: "Not paid, because your payment no longer counts",
  ofPart:
    "One of your payments no longer counts, so the part of this share that is sold or not collected earns you nothing.",
  ofPartLeft: (keptKobo: Kobo, wholeKobo: Kobo) =>
    `${formatNairaExact(keptKobo)} of the ${formatNairaExact(wholeKobo)} behind your share still earns you money: one of your payments no longer counts.`,
} as const;
