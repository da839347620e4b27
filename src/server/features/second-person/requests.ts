import { and, isNull, type SQL, sql } from "drizzle-orm";
import { endOfAsking } from "#server/accounts/owners/second-owner.ts";
import type { DbOrTx } from "#server/db/open.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";

/** The rows of requests for a second person. */

export type Request = typeof secondPersonRequests.$inferSelect;
export type Decision = NonNullable<Request["decision"]>;

export const endOf = ({ requestedAt }: Pick<Request, "requestedAt">): Date => endOfAsking(requestedAt);

/** Requests made until then have expired. */
export const expiredSince = (now: Date): Date => new Date(now.getTime() - secondPersonLimits.days * dayMs);

/** True while a request is open: undecided, not expired, and its asker still an owner. */
export const isOpen = (request: Request, { owners, now }: { owners: readonly string[]; now: Date }): boolean =>
  request.decision === null && now < endOf(request) && owners.includes(request.requestedBy);

/** The last digits of an account's number, as people know their own by. */
const lastDigits = 4;

/**
 * Returns the details for the audit log. Of an account it keeps only the last digits, because no entry can ever be
 * removed.
 */
export function loggedDetails(details: Request["details"]): Request["details"] {
  const { accountNumber, accountName: _, ...logged } = details;
  return typeof accountNumber === "string"
    ? { ...logged, accountNumber: `••• ${accountNumber.slice(-lastDigits)}` }
    : details;
}

/** The same in SQL for the row's own details, once nobody can confirm the request any more. */
export const endedDetails: SQL = sql`case when ${secondPersonRequests.details} ? 'accountName'
  then ${secondPersonRequests.details} - 'accountName'
    || jsonb_build_object('accountNumber', '••• ' || right(${secondPersonRequests.details}->>'accountNumber', ${lastDigits}::int))
  else ${secondPersonRequests.details} end`;

/** Ends open requests that nobody can confirm any more, so that the next can be made. */
export async function lapse(db: DbOrTx, which: SQL | undefined, at: Date): Promise<void> {
  await db
    .update(secondPersonRequests)
    .set({ decision: "lapsed", decidedAt: at, details: endedDetails })
    .where(and(which, isNull(secondPersonRequests.decision)));
}
