import fc from "fast-check";
import { ofBank } from "./commands/bank.ts";
import type { Weighted } from "./commands/drawn.ts";
import { ofFarms } from "./commands/farms.ts";
import { ofHarvests } from "./commands/harvests.ts";
import { ofHolds } from "./commands/holds.ts";
import { ofPayments } from "./commands/payments.ts";
import { ofPayouts } from "./commands/payouts.ts";
import { ofPeople } from "./commands/people.ts";
import { ofProjects } from "./commands/projects.ts";

/** Everything that people do in a run, and how often. */

const oneOf = (...groups: Weighted[]) =>
  fc.oneof(...groups.flat().map(([weight, arbitrary]) => ({ weight, arbitrary })));
/** A group that is drawn more often than its commands say. */
const times = (factor: number, group: Weighted): Weighted =>
  group.map(([weight, arbitrary]) => [weight * factor, arbitrary]);

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
  ofPayouts,
  times(2, ofFarms),
  times(2, ofHarvests),
);
/** Payments and the bank's statement, on farms that close, open again and are decided on; nothing is held. */
export const bankCommand = oneOf(ofPayments, ofBank, ofProjects.slice(0, 2));
/** Refunds that are due, their runs, and what the bank's statement shows of them. */
export const payoutCommand = oneOf(
  ofPayouts,
  ofBank.slice(0, 2).map(([, it]) => [3, it]),
  ofBank.slice(3),
);
/** A farm's harvests, among payments of its rounds, refunds, runs, the bank's statement, and people and projects that go. */
export const harvestCommand = oneOf(
  ofHarvests,
  times(2, ofFarms),
  ofProjects.slice(8, 10),
  ofPeople.slice(7),
  ofPayments.slice(1, 3).map(([, it]) => [1, it]),
  ofPayments.slice(4, 8).map(([, it]) => [1, it]),
  ofProjects.slice(0, 2).map(([, it]) => [1, it]),
  ofProjects.slice(6, 7),
  ofBank.slice(0, 1).map(([, it]) => [3, it]),
  ofBank.slice(3).map(([, it]) => [2, it]),
  ofPayouts.slice(0, 9).map(([, it]) => [3, it]),
);
