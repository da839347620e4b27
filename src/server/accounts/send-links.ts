import { inTransaction, type Tx } from "#server/db/open.ts";
import { queueMail } from "#server/mail/outbox.ts";
import type { Context } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import type { JobPayloads } from "#server/platform/jobs.ts";
import { networkOf } from "#server/platform/network.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { reportSecurityEvent } from "#server/platform/security-events.ts";
import { confirmLinkHours, resetLinkMinutes } from "#shared/accounts/inputs.ts";
import { issueEmailToken } from "./email-tokens.ts";
import { confirmationMail, passwordResetMail } from "./emails.ts";
import { hashToken } from "./sessions.ts";
import { findUserByEmail } from "./users.ts";

type Account = { id: string; email: string; fullName: string; isAdmin: boolean };

type LinkDeps = Pick<Deps, "clock" | "env" | "jobs" | "site">;

/**
 * Mails a new link that confirms the account's address, in the caller's transaction, and leads on to the path that the
 * person came for. Older links become invalid.
 */
export async function mailConfirmationLink(tx: Tx, deps: LinkDeps, account: Account, next?: string): Promise<void> {
  const token = await issueEmailToken(tx, deps, {
    userId: account.id,
    email: account.email,
    purpose: "confirm_email",
    lifetimeMinutes: confirmLinkHours * 60,
  });
  const mail = confirmationMail({ ...account, site: deps.site.current(), token, next });
  await queueLink(tx, deps, { account, eventKey: `confirm_email:${hashToken(token)}`, mail });
}

/** Mails a new link for resetting the password, in the caller's transaction. Older links become invalid. */
export async function mailResetLink(tx: Tx, deps: LinkDeps, account: Account): Promise<void> {
  const token = await issueEmailToken(tx, deps, {
    userId: account.id,
    email: account.email,
    purpose: "reset_password",
    lifetimeMinutes: resetLinkMinutes,
  });
  const mail = passwordResetMail({ ...account, site: deps.site.current(), token });
  await queueLink(tx, deps, { account, eventKey: `reset_password:${hashToken(token)}`, mail });
}

type Link = { account: Account; eventKey: string; mail: ReturnType<typeof confirmationMail> };

function queueLink(tx: Tx, deps: LinkDeps, { account, eventKey, mail }: Link): Promise<void> {
  return queueMail(tx, deps, { eventKey, to: account.email, isSecurity: true, holdsToken: true, ...mail });
}

/**
 * The "account-link" job: mails the requested link if the account exists. The check happens in the job, after the
 * response, so that the response is the same for every address.
 */
export async function mailAccountLink(
  deps: Pick<Deps, "clock" | "db" | "env" | "jobs" | "log" | "site">,
  { purpose, email, next }: JobPayloads["account-link"],
): Promise<void> {
  const userId = await inTransaction(deps.db, async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (!user || user.isBlocked || user.closedAt !== null) return null;
    if (purpose === "reset_password") await mailResetLink(tx, deps, user);
    else if (user.emailVerifiedAt === null) await mailConfirmationLink(tx, deps, user, next);
    return user.id;
  });
  if (purpose !== "reset_password") return;
  reportSecurityEvent(deps, "reset_requested", { userId, reason: userId === null ? "no_account" : "link_mailed" });
}

const linkLimit = { hits: 20, windowSeconds: 3600 };

export const linkLimitPerAccount = { hits: 3, windowSeconds: 3600 };

/**
 * Only counts and enqueues, so that the response takes equally long for every address. The job looks for the account.
 */
export async function requestLink(
  ctx: Context,
  purpose: "confirm_email" | "reset_password",
  email: string,
  next?: string,
): Promise<void> {
  await limitRate(ctx, `${purpose}:${networkOf(ctx.ipAddress)}`, linkLimit);
  await limitRate(ctx, `${purpose}-to:${hashToken(email)}`, linkLimitPerAccount);
  await ctx.jobs.enqueue(ctx.db, "account-link", { purpose, email, ...(next && { next }) }, { priority: 10 });
}
