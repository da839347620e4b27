import { placesOf, readMoney } from "#server/books/places.ts";
import { type LedgerEntry, post } from "#server/books/post.ts";
import type { Tx } from "#server/db/open.ts";
import type { Kobo } from "#shared/money.ts";
import type { PostedPayment } from "./payments.ts";

/**
 * The postings of a strike: money of a payment in transit or receivable is lost, and what settlements still owed its
 * backer goes back to the harvests' proceeds. The payment stays approved. The caller has locked its project, harvests
 * and settlements, and the payment. Amounts in a run at the strike follow once they would be due again.
 */

/** The amounts that go back to the proceeds of a harvest: share = net + fee + VAT + WHT. */
export type StruckShare = {
  harvestId: number;
  settlementId: number;
  backingId: number;
  /** To whom it is owed now, and to whom the settlement gave it. */
  userId: string;
  settledFor: string;
  shareKobo: Kobo;
  feeKobo: Kobo;
  vatKobo: Kobo;
  whtKobo: Kobo;
  netKobo: Kobo;
};

type Strike = {
  /** With the project and the round that its approval was posted to, also where the project was deleted since. */
  payment: PostedPayment & { projectId: number };
  takenOut: readonly StruckShare[];
  actorId: string;
  at: Date;
};

/** Posts a strike. Throws if nothing of the payment is missing; the caller refuses that before. */
export async function postStrike(tx: Tx, { payment, takenOut, actorId, at }: Strike): Promise<void> {
  const { id: paymentId, projectId, projectTitle, round, userId } = payment;
  const before = placesOf(await readMoney(tx, payment));
  const lostKobo = before.inTransitKobo + before.receivableKobo;
  if (lostKobo === 0n) throw new Error(`nothing of payment ${paymentId} is missing`);
  await post(tx, { kind: "strike", paymentId, projectId, projectTitle, round, userId, actorId, createdAt: at }, [
    { account: "in_transit", paymentId, amountKobo: -before.inTransitKobo },
    { account: "receivable", paymentId, amountKobo: -before.receivableKobo },
    { account: "losses", amountKobo: lostKobo },
    ...entriesOf(takenOut),
  ]);
}

type StruckPayout = { payoutId: number; taken: StruckShare; actorId: string; at: Date };

/**
 * Posts that a payout, which was in a run when its payment was struck, is not due again. The caller has locked it, and
 * the taxes.
 */
export async function postStruckPayout(tx: Tx, { payoutId, taken, actorId, at }: StruckPayout): Promise<void> {
  await post(tx, { kind: "payout_struck", payoutId, actorId, createdAt: at }, entriesOf([taken]));
}

/** Returns the entries by which settlements' debts, with fees and taxes, go back to their harvests' proceeds. */
function entriesOf(takenOut: readonly StruckShare[]): LedgerEntry[] {
  const sum = (of: (one: StruckShare) => Kobo) => takenOut.reduce((total, one) => total + of(one), 0n);
  return [
    ...byHarvest(takenOut, ({ harvestId, shareKobo }) => ({
      account: "harvest_proceeds",
      harvestId,
      amountKobo: -shareKobo,
    })),
    ...byHarvest(takenOut, ({ harvestId, userId, netKobo }) => ({
      account: "backer_due",
      harvestId,
      userId,
      amountKobo: netKobo,
    })),
    { account: "fee_income", amountKobo: sum(({ feeKobo }) => feeKobo) },
    { account: "vat_due", amountKobo: sum(({ vatKobo }) => vatKobo) },
    { account: "wht_due", amountKobo: sum(({ whtKobo }) => whtKobo) },
  ];
}

/** One entry for each harvest, of the sums of its settlements. */
function byHarvest(takenOut: readonly StruckShare[], entryOf: (one: StruckShare) => LedgerEntry): LedgerEntry[] {
  const entries = new Map<number, LedgerEntry>();
  for (const one of takenOut) {
    const entry = entryOf(one);
    const before = entries.get(one.harvestId)?.amountKobo ?? 0n;
    entries.set(one.harvestId, { ...entry, amountKobo: before + entry.amountKobo });
  }
  return [...entries.values()];
}
