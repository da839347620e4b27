import { inArray } from "drizzle-orm";
import { endOfAsking } from "#server/accounts/second-owner.ts";
import type { Tx } from "#server/db/open.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { secondPersonLimits } from "#shared/second-person-texts.ts";

/** The rows of requests for a second person. */

export type Request = typeof secondPersonRequests.$inferSelect;
export type Decision = NonNullable<Request["decision"]>;

const dayMs = 86_400_000;

export const endOf = ({ requestedAt }: Pick<Request, "requestedAt">): Date => endOfAsking(requestedAt);

/** Requests made until then have expired. */
export const expiredSince = (now: Date): Date => new Date(now.getTime() - secondPersonLimits.days * dayMs);

/** Whether nobody has decided on it, its time isn't over, and whoever asked is still an owner. */
export const isOpen = (request: Request, { owners, now }: { owners: readonly string[]; now: Date }): boolean =>
  request.decision === null && now < endOf(request) && owners.includes(request.requestedBy);

/** Marks requests that are not open any more, so that the next can be made. */
export async function lapse(tx: Tx, requests: readonly Request[], at: Date): Promise<void> {
  const ids = requests.map(({ id }) => id);
  if (ids.length === 0) return;
  await tx
    .update(secondPersonRequests)
    .set({ decision: "lapsed", decidedAt: at })
    .where(inArray(secondPersonRequests.id, ids));
}
