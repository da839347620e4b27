import { randomBytes } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import { invitationMail } from "#server/accounts/emails.ts";
import { inviteEndsAt, inviteLink, inviteTokenOf } from "#server/accounts/invite-rules.ts";
import { type Invite, lockOpenInvite } from "#server/accounts/invites.ts";
import { mailOwnerNews } from "#server/accounts/owners/owner-news.ts";
import { hashToken } from "#server/accounts/sessions.ts";
import { findUserByEmail } from "#server/accounts/users.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { adminInvites } from "#server/db/schema/team.ts";
import { queueMail } from "#server/mail/outbox.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { type InviteInput, inviteInput } from "#shared/people/team-inputs.ts";
import { inviteHours, inviteTexts } from "#shared/people/team-texts.ts";

/** The inviter: a signed-in owner, or null on the command line. */
type Inviting = Pick<Deps, "clock" | "env" | "jobs" | "site"> & {
  actor: { id: string; email: string; fullName: string } | null;
  ipAddress: string | null;
};

/**
 * Invites a person as administrator and mails the link. It replaces an open invitation of that address, with the given
 * name and role. Throws AppError "conflict" or "invalid" if the address is the owner's own, an administrator's or a
 * blocked person's.
 */
export async function invite(ctx: ActorContext, input: InviteInput): Promise<{ status: Invite["status"] }> {
  const { status } = await inTransaction(ctx.db, (tx) => issueInvite(tx, ctx, input));
  return { status };
}

/** The same on the command line. Returns the link, which is mailed too. Throws AppError "invalid" with every fault. */
export async function inviteFromCommandLine(
  deps: Deps,
  input: { email: string; fullName: string; role: string },
): Promise<{ link: string }> {
  const parsed = inviteInput.safeParse(input);
  if (!parsed.success) throw new AppError("invalid", parsed.error.issues.map(({ message }) => message).join("\n"));
  const by = { ...deps, actor: null, ipAddress: null };
  const { link } = await inTransaction(deps.db, (tx) => issueInvite(tx, by, parsed.data));
  return { link };
}

/** Mails a new link for an open invitation, valid for 72 hours. The previous link becomes invalid. */
export async function resendInvite(ctx: ActorContext, input: { email: string; fullName: string }): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const open = await lockOpenInvite(tx, input.email);
    if (!open) throw new AppError("not_found", inviteTexts.notFound);
    await issueInvite(tx, ctx, { ...input, role: open.role }, "resend_admin_invite");
  });
}

/** Deletes an open invitation, so that its link is invalid at once. */
export async function removeInvite(ctx: ActorContext, { inviteId }: { inviteId: number }): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const isOpen = and(eq(adminInvites.id, inviteId), isNull(adminInvites.consumedAt));
    const [removed] = await tx.delete(adminInvites).where(isOpen).returning();
    if (!removed) throw new AppError("not_found", inviteTexts.notFound);
    const { email, role } = removed;
    await recordAudit(tx, ctx, "remove_admin_invite", { inviteId, email, role });
  });
}

async function issueInvite(
  tx: Tx,
  by: Inviting,
  { email, fullName, role }: InviteInput,
  action: "invite_admin" | "resend_admin_invite" = "invite_admin",
): Promise<{ status: Invite["status"]; link: string }> {
  if (by.actor?.email === email) throw new AppError("invalid", inviteTexts.ownInvite);
  const invitee = await findUserByEmail(tx, email);
  if (invitee?.isAdmin) throw new AppError("conflict", inviteTexts.alreadyAdmin);
  if (invitee?.isBlocked) throw new AppError("conflict", inviteTexts.blockedAccount);
  const now = by.clock.now();
  const secret = randomBytes(32).toString("hex");
  const tokenHash = hashToken(secret);
  const values = { fullName, role, tokenHash, expiresAt: inviteEndsAt(now), invitedBy: by.actor?.id ?? null };
  const [row] = await tx
    .insert(adminInvites)
    .values({ ...values, email, createdAt: now })
    .onConflictDoUpdate({
      target: adminInvites.email,
      targetWhere: sql`consumed_at is null`,
      set: { ...values, status: "re-invited" },
    })
    .returning({ id: adminInvites.id, status: adminInvites.status });
  if (!row) throw new Error("the invitation was not written");
  const site = by.site.current();
  const token = inviteTokenOf({ id: row.id, secret });
  const link = inviteLink(site, { email, fullName, role, token });
  const invitedBy = by.actor?.fullName ?? `The ${site.name} team`;
  const mail = invitationMail({ site, fullName, invitedBy, role, hours: inviteHours, url: link });
  const eventKey = `admin_invite:${tokenHash}`;
  await queueMail(tx, by, { eventKey, to: email, isUrgent: true, holdsToken: true, ...mail });
  const via = by.actor ? {} : { via: "command line" };
  await recordAudit(tx, by, action, { inviteId: row.id, email, fullName, role, status: row.status, ...via });
  if (role === "owner") await mailOwnerNews(tx, by, { change: "invited", person: { email, fullName }, by: by.actor });
  return { status: row.status, link };
}
