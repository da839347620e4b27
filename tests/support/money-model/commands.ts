import { ofBank } from "./commands/bank.ts";
import { each, oneOf, only, times, without } from "./commands/drawn.ts";
import { ofFarms } from "./commands/farms.ts";
import { ofHarvests } from "./commands/harvests.ts";
import { ofHolderChanges } from "./commands/holder-changes.ts";
import { ofHolds } from "./commands/holds.ts";
import { ofPayments } from "./commands/payments.ts";
import { ofPayouts } from "./commands/payouts.ts";
import { ofPeople } from "./commands/people.ts";
import { ofProjects } from "./commands/projects.ts";
import { ofReleaseParts } from "./commands/release-parts.ts";
import { ofVoids } from "./commands/voids.ts";

/** Everything that people do in a run, and how often. */

/**
 * The whole river: who buys, what the bank shows, what goes to the farm, what it grows, who is paid, and all of it back. What
 * needs something that isn't there yet is left out, so that a run begins with purchases.
 */
export const anyCommand = oneOf(
  times(2, ofPayments),
  ofHolds,
  ofProjects,
  ofPeople,
  ofBank,
  ofVoids,
  ofPayouts,
  ofHolderChanges,
  times(2, ofFarms),
  times(2, ofReleaseParts),
  times(2, ofHarvests),
);
/** Payments and the bank's statement, on farms that close, open again and are decided on. */
export const bankCommand = oneOf(ofPayments, ofBank, ofVoids, only(ofProjects, "close", "reopen"));
/** Refunds, releases and returns that are due, their runs, and what the bank's statement shows of them. */
export const payoutCommand = oneOf(
  ofPayouts,
  each(1, ofVoids),
  each(1, ofHolderChanges),
  without(ofFarms, "say what a grant counts"),
  ofReleaseParts,
  each(2, only(ofPayments, "take an approval back", "strike a payment")),
  each(3, only(ofBank, "two say that the bank took money back")),
  each(3, only(ofBank, "import a statement", "match money in")),
  each(3, only(ofBank, "send money back to its sender", "two enter a sender's account")),
  only(ofBank, "undo a match", "give back what is held", "take a refund back", "declare money as arrived"),
);
/** The parts in which a funded round's money goes to its farm, among what changes how much there is of it and where it is. */
export const stepsCommand = oneOf(
  times(4, ofReleaseParts),
  times(2, without(ofFarms, "say what a grant counts")),
  each(4, only(ofPayouts, "make a run", "approve a run", "export a run", "the bank shows payouts", "let days pass")),
  each(3, only(ofPayouts, "match a payout that left", "match a payout that came back", "mark a payout as paid")),
  each(2, only(ofPayments, "begin a purchase", "send a receipt", "approve", "strike a payment")),
  each(3, only(ofPayments, "take an approval back")),
  each(2, only(ofBank, "import a statement", "match money in", "undo a match")),
  each(1, only(ofProjects, "reopen", "delete", "edit the terms")),
  each(1, only(ofPeople, "block", "unblock", "sign in")),
);
/** A farm's harvests, among payments of its rounds, refunds, runs, the bank's statement, and people and projects that go. */
export const harvestCommand = oneOf(
  ofHarvests,
  ofHolderChanges,
  times(2, ofFarms),
  ofReleaseParts,
  only(ofProjects, "add a backer", "remove a backer"),
  only(ofPeople, "close the own account"),
  each(1, only(ofPayments, "begin a purchase", "send a receipt")),
  each(1, only(ofPayments, "approve", "reject", "take an approval back", "decide on a round")),
  each(9, only(ofPayments, "strike a payment")),
  each(3, only(ofBank, "two say that the bank took money back")),
  each(1, only(ofProjects, "close", "reopen")),
  only(ofProjects, "delete"),
  each(3, only(ofBank, "import a statement")),
  each(6, only(ofBank, "pass a tax on")),
  each(2, only(ofBank, "undo a match", "give back what is held", "take a refund back")),
  each(
    3,
    without(
      ofPayouts,
      "declare a payout failed",
      "the bank shows little for a week",
      "book a late debit as a loss",
      "let days pass",
    ),
  ),
);
