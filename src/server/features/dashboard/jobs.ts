import { listActiveOwners } from "#server/accounts/users.ts";
import { inTransaction } from "#server/db/open.ts";
import { type NotifyDeps, notify } from "#server/features/notifications/service.ts";
import type { Deps } from "#server/platform/deps.ts";
import { isNight } from "#shared/lagos-time.ts";
import { moneyWaitsNotice } from "./emails.ts";
import { findWaitingMoney, type WaitingSince } from "./waiting-money.ts";

/**
 * Tells every owner once of each round to decide on, of sales to settle and of money to release. By day, as of what can
 * wait.
 */
export async function notifyOfWaitingMoney(deps: Pick<Deps, "db"> & NotifyDeps): Promise<void> {
  if (isNight(deps.clock.now())) return;
  const waiting = await findWaitingMoney(deps.db);
  if (waiting.length === 0) return;
  const site = deps.site.current();
  await inTransaction(deps.db, async (tx) => {
    const userIds = (await listActiveOwners(tx)).map(({ id }) => id);
    for (const one of waiting) {
      const event = { kind: "second_person" as const, projectId: one.projectId, eventKey: eventOf(one) };
      await notify(tx, deps, { ...moneyWaitsNotice({ site, ...one }), ...event, userIds });
    }
  });
}

/** The event of one that waits. What comes after it was done once is another event. */
function eventOf(one: WaitingSince): string {
  const subject = one.kind === "settle_sales" ? `harvest:${one.harvestId}` : `round:${one.projectId}:${one.round}`;
  return `${subject}:${one.kind}:${one.done}`;
}
