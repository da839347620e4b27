import { type LedgerEntry, post } from "#server/books/post.ts";
import type { Tx } from "#server/db/open.ts";
import type { Kobo } from "#shared/money.ts";

/**
 * The postings of a change of holder: money that is due to one person, or produce that lies ready for them, becomes
 * another's. The caller has locked the round's harvests and the payouts.
 */

/** A sum that is due for a payment or a harvest, or the worth of produce that lies ready. */
export type PassedOn = { amountKobo: Kobo } & (
  | { account: "backer_due"; paymentId: number }
  | { account: "backer_due" | "produce"; harvestId: number }
);

type Change = { id: number; fromUserId: string; toUserId: string };

/** Posts that sums are another person's. Nothing is posted where nothing is due. */
export async function postHolderChange(
  tx: Tx,
  { change, passedOn, at }: { change: Change; passedOn: readonly PassedOn[]; at: Date },
): Promise<void> {
  const { id: holderChangeId, fromUserId, toUserId } = change;
  const entries = passedOn.flatMap((one): LedgerEntry[] => {
    const { account, amountKobo, ...of } = one;
    const pass = (to: "backer_due" | "produce_due" | "produce_stock", kobo: Kobo) => [
      { account: to, ...of, userId: fromUserId, amountKobo: kobo },
      { account: to, ...of, userId: toUserId, amountKobo: -kobo },
    ];
    if (account === "backer_due") return pass("backer_due", amountKobo);
    return [...pass("produce_due", amountKobo), ...pass("produce_stock", -amountKobo)];
  });
  await post(tx, { kind: "holder_change", holderChangeId, actorId: null, createdAt: at }, entries);
}
