import { and, eq, inArray } from "drizzle-orm";
import { listActiveOwners } from "#server/accounts/users.ts";
import type { Tx } from "#server/db/open.ts";
import { ledgerTransactions } from "#server/db/schema/ledger.ts";
import { payeeAccounts, payoutRunLines, payouts } from "#server/db/schema/payouts.ts";
import { projects } from "#server/db/schema/projects.ts";
import { type NoticeText, type NotifyDeps, notifyEach } from "#server/features/notifications/service.ts";
import { failedNotice, notFailedNotice, type PayoutFacts, paidNotice, sentNotice } from "./emails.ts";
import type { Payout } from "./service.ts";

/**
 * Notices about a payout's course, to the person that it is for, or to all owners if it is for a farm or a sender. They
 * come with a mail that can't be switched off, in the transaction of the event.
 */

/** The payouts of an exported run are on their way. They may be a thousand. */
export async function notifySent(tx: Tx, deps: NotifyDeps, sent: Payout[]): Promise<void> {
  await tell(tx, deps, sent, { event: "sent", noticeOf: (facts) => sentNotice(facts, deps.clock.now()) });
}

/**
 * Payouts were seen leaving our account, on a day that a line has; null if an owner says so. A debit of a whole run
 * shows up to a thousand.
 */
export async function notifyPaid(tx: Tx, deps: NotifyDeps, paid: Payout[], day: string | null): Promise<void> {
  await tell(tx, deps, paid, { event: "paid", noticeOf: (facts) => paidNotice(facts, day) });
}

/**
 * A payout came back, with what the bank says, and whether the sum is due again at once, or withheld. `reason` is null
 * if it never left.
 */
export async function notifyFailed(
  tx: Tx,
  deps: NotifyDeps,
  payout: Payout,
  failed: { reason: string | null; isDue: boolean; isWithheld?: boolean },
): Promise<void> {
  const event = await timed(tx, payout, "failed");
  await tell(tx, deps, [payout], { event, noticeOf: (facts) => failedNotice(facts, failed) });
}

/** It wasn't this payout that came back. */
export async function notifyNotFailed(tx: Tx, deps: NotifyDeps, payout: Payout): Promise<void> {
  await tell(tx, deps, [payout], { event: await timed(tx, payout, "not_failed"), noticeOf: notFailedNotice });
}

/** The name of what may happen to a payout again, each time another one. */
async function timed(tx: Tx, { id }: Payout, event: "failed" | "not_failed"): Promise<string> {
  const { kind, payoutId } = ledgerTransactions;
  const times = await tx.$count(ledgerTransactions, and(eq(kind, "payout_failed"), eq(payoutId, id)));
  return times > 1 ? `${event}:${times}` : event;
}

type Telling = { event: string; noticeOf: (facts: PayoutFacts) => NoticeText };

async function tell(tx: Tx, deps: NotifyDeps, told: Payout[], { event, noticeOf }: Telling): Promise<void> {
  const accounts = await findAccounts(tx, told);
  const isFarm = ({ userId }: Payout) => userId === null;
  const owners = told.some(isFarm) ? await listActiveOwners(tx) : [];
  const farms = await findExisting(tx, told.filter(isFarm));
  const notices = told.flatMap((payout) => {
    const { id, kind, projectId, projectTitle, amountKobo, reference, part, parts } = payout;
    const facts = { kind, projectId, projectTitle, amountKobo, reference, part, parts };
    const site = deps.site.current();
    const notice = noticeOf({ ...facts, site, account: accounts.get(id) ?? null });
    const readers = payout.userId === null ? owners.map((owner) => owner.id) : [payout.userId];
    const about = isFarm(payout) && projectId !== null && farms.has(projectId) ? projectId : null;
    return readers.map((userId) => ({ ...notice, userId, projectId: about, eventKey: `payout:${id}:${event}` }));
  });
  await notifyEach(tx, deps, "payment_status", notices);
}

/** The projects of payouts that still exist, to which a notification may lead. */
async function findExisting(tx: Tx, told: Payout[]): Promise<Set<number>> {
  const ids = told.flatMap(({ projectId }) => projectId ?? []);
  if (ids.length === 0) return new Set();
  const found = await tx.select({ id: projects.id }).from(projects).where(inArray(projects.id, ids));
  return new Set(found.map(({ id }) => id));
}

/** Finds the account that each payout goes to by its run. */
async function findAccounts(tx: Tx, told: Payout[]) {
  const ids = told.map(({ id }) => id);
  if (ids.length === 0) return new Map<number, never>();
  const { bankName, accountNumber } = payeeAccounts;
  const found = await tx
    .select({ payoutId: payouts.id, bankName, accountNumber })
    .from(payouts)
    .innerJoin(payoutRunLines, and(eq(payoutRunLines.payoutId, payouts.id), eq(payoutRunLines.runId, payouts.runId)))
    .innerJoin(payeeAccounts, eq(payeeAccounts.id, payoutRunLines.payeeAccountId))
    .where(inArray(payouts.id, ids));
  return new Map(found.map(({ payoutId, ...account }) => [payoutId, account]));
}
