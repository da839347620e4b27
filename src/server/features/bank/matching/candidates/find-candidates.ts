import type { DbOrTx } from "#server/db/open.ts";
import { bankLimits, matchRules, restOf } from "#shared/bank/texts.ts";
import type { Candidate, Found, SuggestedLine } from "./candidate.ts";
import { findCharges } from "./charges.ts";
import { findOwnTransfers } from "./own-transfers.ts";
import { findByAmount, findByReference } from "./payments.ts";
import { findPayoutCandidates } from "./payouts.ts";
import { findReferencesIn } from "./references.ts";
import { findSaleCandidates } from "./sales.ts";
import { findTakenBack } from "./taken-back.ts";

/**
 * Finds the five likeliest explanations of each line, the best first, each with its reason. An explained line has none.
 * They are suggestions for a person; the first may be sure. The drawer asks for them; the list's stored rule and the
 * job that matches sure lines follow from them too.
 */
export async function findCandidates(db: DbOrTx, lines: readonly SuggestedLine[]): Promise<Found<Candidate>> {
  const open = lines.filter((line) => restOf(line) > 0n);
  if (open.length === 0) return new Map();
  const credits = open.filter(({ amountKobo }) => amountKobo > 0n);
  const debits = open.filter(({ amountKobo }) => amountKobo < 0n);
  const references = await findReferencesIn(db, open);
  const byReference = await findByReference(db, credits, references);
  const takenBack = await findTakenBack(db, debits);
  const ofPayouts = await findPayoutCandidates(db, open, references);
  const ownTransfers = await findOwnTransfers(db, open);
  const charges = await findCharges(db, debits);
  const byAmount = await findByAmount(db, credits);
  const sales = await findSaleCandidates(db, credits);
  return new Map(
    open.map(({ id }) => {
      const named = byReference.get(id) ?? [];
      const known = named.flatMap((one) => (one.kind === "payment" ? one.payment.id : []));
      const found: Candidate[] = [
        ...named,
        ...(takenBack.get(id) ?? []),
        ...(ofPayouts.get(id) ?? []),
        // The bank names in a charge what it was taken for.
        ...(ofPayouts.get(id)?.some(({ isSure }) => isSure) ? [] : (charges.get(id) ?? [])),
        ...(ownTransfers.get(id) ?? []),
        ...(byAmount.get(id) ?? []).filter(({ payment }) => !known.includes(payment.id)),
        ...(sales.get(id) ?? []),
      ];
      found.sort((one, other) => matchRules.indexOf(one.rule) - matchRules.indexOf(other.rule));
      return [id, found.slice(0, bankLimits.candidates)];
    }),
  );
}
