import { confirmationMail, passwordResetMail } from "#server/core/account-mails.ts";
import type { Deps } from "#server/core/deps.ts";
import { issueEmailToken } from "#server/core/email-tokens.ts";
import { queueMail } from "#server/core/outbox.ts";
import { hashToken } from "#server/core/sessions.ts";
import type { Tx } from "#server/db/open.ts";
import { confirmLinkHours, resetLinkMinutes } from "#shared/auth.ts";

type Account = { id: string; email: string; fullName: string; isAdmin: boolean };
type LinkDeps = Pick<Deps, "clock" | "env" | "jobs">;

/** Mails a fresh link that proves the account's address, in the caller's transaction; older ones stop working. */
export async function mailConfirmationLink(tx: Tx, deps: LinkDeps, account: Account): Promise<void> {
  const token = await issueEmailToken(tx, deps, {
    userId: account.id,
    email: account.email,
    purpose: "confirm_email",
    lifetimeMinutes: confirmLinkHours * 60,
  });
  const mail = confirmationMail({ ...account, publicUrl: deps.env.publicUrl, token });
  await queueLink(tx, deps, { account, eventKey: `confirm_email:${hashToken(token)}`, mail });
}

/** Mails a fresh link for a new password, in the caller's transaction; older ones stop working. */
export async function mailResetLink(tx: Tx, deps: LinkDeps, account: Account): Promise<void> {
  const token = await issueEmailToken(tx, deps, {
    userId: account.id,
    email: account.email,
    purpose: "reset_password",
    lifetimeMinutes: resetLinkMinutes,
  });
  const mail = passwordResetMail({ ...account, publicUrl: deps.env.publicUrl, token });
  await queueLink(tx, deps, { account, eventKey: `reset_password:${hashToken(token)}`, mail });
}

type Link = { account: Account; eventKey: string; mail: ReturnType<typeof confirmationMail> };

function queueLink(tx: Tx, deps: LinkDeps, { account, eventKey, mail }: Link): Promise<void> {
  return queueMail(tx, deps, { eventKey, to: account.email, isUrgent: true, holdsToken: true, ...mail });
}
