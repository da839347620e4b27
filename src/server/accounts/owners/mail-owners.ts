import { listActiveOwners } from "#server/accounts/users.ts";
import type { Tx } from "#server/db/open.ts";
import type { Mail } from "#server/mail/layout.ts";
import { queueMails } from "#server/mail/outbox.ts";
import type { Deps } from "#server/platform/deps.ts";

type Writing = {
  /** The event's name: an owner gets one mail of it. */
  eventKey: string;
  isUrgent: boolean;
  write: (owner: { fullName: string }) => Mail;
};

/** Queues a mail to every active owner, in the transaction of what it is about. */
export async function mailOwners(
  tx: Tx,
  deps: Pick<Deps, "clock" | "env" | "jobs" | "site">,
  { eventKey, isUrgent, write }: Writing,
): Promise<void> {
  const owners = await listActiveOwners(tx);
  const mails = owners.map(({ email, fullName }) => ({ eventKey, to: email, ...write({ fullName }) }));
  await queueMails(tx, deps, mails, { isUrgent });
}
