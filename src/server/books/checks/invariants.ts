import { sql } from "drizzle-orm";
import { type DbOrTx, rows } from "#server/db/open.ts";
import type { Check, Invariant, Violation } from "#server/platform/findings.ts";
import { fundingIsLedgerSum } from "./i01-funding-is-the-ledgers-sum.ts";
import { roundIsNotOversold } from "./i02-no-round-is-oversold.ts";
import { approvalsHaveBackings } from "./i03-approvals-have-backings.ts";
import { onePendingPayment } from "./i04-one-pending-payment.ts";
import { ledgerHoldsApprovals } from "./i05-ledger-holds-approved-payments.ts";
import { ledgerIsAppendOnly } from "./i06-ledger-is-append-only.ts";
import { acknowledgedIsThere } from "./i07-acknowledged-is-there.ts";
import { oneMailPerEvent } from "./i08-one-mail-per-event.ts";
import { paymentsHaveReceipts } from "./i09-payments-have-receipts.ts";
import { bankIsOpeningAndLines } from "./i10-bank-is-opening-and-lines.ts";
import { matchesFitTheirLine } from "./i11-matches-fit-their-line.ts";
import { paymentMoneyStandsRight } from "./i12-money-of-a-payment.ts";
import { owedIsOpenPayouts } from "./i13-owed-is-open-payouts.ts";
import { settlementIsItsParts } from "./i14-settlement-is-its-parts.ts";
import { payoutIsPaidOnce } from "./i15-payout-is-paid-once.ts";
import { heldLotsFitTheRound } from "./i16-held-lots-fit-the-round.ts";
import { termsAreThoseShown } from "./i17-terms-are-those-shown.ts";
import { owedIsCovered } from "./i18-owed-is-covered.ts";
import { secondPersonConfirmed } from "./i19-second-person-confirmed.ts";
import { shownBankDetailsAreOurs } from "./i20-shown-bank-details-are-ours.ts";
import { papersHaveNoGaps } from "./i21-papers-have-no-gaps.ts";
import { harvestActsConfirmed } from "./i22-harvest-acts-confirmed.ts";
import { ownersHaveTerms } from "./i23-owners-have-terms.ts";
import { roundMoneyWentWhereRowsSay } from "./i24-round-money-went-where-rows-say.ts";
import { partsWentInSteps } from "./i25-parts-of-rounds-went-in-steps.ts";
import { headsAndClosingsHold } from "./i26-heads-and-closings.ts";
import { recordsAreTheLedgers } from "./i27-records-are-the-ledgers.ts";

/**
 * The self-check of the books: the invariants in their order, one file each. Every query gives only the rows that
 * violate it. They run hourly, by `npm run check:money`, and after every test that moves money.
 */
export const invariants: readonly Invariant[] = [
  fundingIsLedgerSum,
  roundIsNotOversold,
  approvalsHaveBackings,
  onePendingPayment,
  ledgerHoldsApprovals,
  ledgerIsAppendOnly,
  acknowledgedIsThere,
  oneMailPerEvent,
  paymentsHaveReceipts,
  bankIsOpeningAndLines,
  matchesFitTheirLine,
  paymentMoneyStandsRight,
  owedIsOpenPayouts,
  settlementIsItsParts,
  payoutIsPaidOnce,
  heldLotsFitTheRound,
  termsAreThoseShown,
  secondPersonConfirmed,
  shownBankDetailsAreOurs,
  papersHaveNoGaps,
  harvestActsConfirmed,
  ownersHaveTerms,
  roundMoneyWentWhereRowsSay,
  partsWentInSteps,
  headsAndClosingsHold,
  recordsAreTheLedgers,
];

/** Runs every invariant, with `now` by the server's clock. Returns each with its violations. */
export async function runMoneyChecks(db: DbOrTx, now: Date): Promise<Check[]> {
  return db.transaction(async (tx) => {
    // Each query reads all rows, which takes longer than a request may.
    await tx.execute(sql`set local statement_timeout = '15min'`);
    const checks: Check[] = [];
    for (const invariant of invariants) checks.push(await runCheck(tx, invariant, now));
    return checks;
  });
}

/** The alarm of I18, which the hourly check raises besides. */
export const checkCoverage = (db: DbOrTx, now: Date): Promise<Check> => runCheck(db, owedIsCovered, now);

async function runCheck(db: DbOrTx, { name, query }: Invariant, now: Date): Promise<Check> {
  return { name, violations: await rows<Violation>(db, query(now)) };
}
