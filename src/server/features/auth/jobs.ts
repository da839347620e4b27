import { mailConfirmationLink, mailResetLink } from "#server/core/account-links.ts";
import type { Deps } from "#server/core/deps.ts";
import type { JobPayloads } from "#server/core/jobs.ts";
import { reportSecurityEvent } from "#server/core/security-events.ts";
import { inTransaction } from "#server/db/open.ts";
import { findUserByEmail } from "#server/features/users/queries.ts";

/**
 * The "account-link" job: mails the link that somebody asked for, if there is an account to send it to. That this is
 * decided here, after the answer, keeps the answer the same for every address.
 */
export async function mailAccountLink(
  deps: Pick<Deps, "clock" | "db" | "env" | "jobs" | "log">,
  { purpose, email }: JobPayloads["account-link"],
): Promise<void> {
  const userId = await inTransaction(deps.db, async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (!user || user.isBlocked || user.closedAt !== null) return null;
    if (purpose === "reset_password") await mailResetLink(tx, deps, user);
    else if (user.emailVerifiedAt === null) await mailConfirmationLink(tx, deps, user);
    return user.id;
  });
  if (purpose !== "reset_password") return;
  reportSecurityEvent(deps, "reset_requested", { userId, reason: userId === null ? "no_account" : "link_mailed" });
}
