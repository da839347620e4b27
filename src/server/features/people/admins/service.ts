import { and, eq } from "drizzle-orm";
import { mailOwnerNews, type OwnerChange } from "#server/accounts/owners/owner-news.ts";
import { keepOwnerTerms } from "#server/accounts/owners/owner-terms.ts";
import { mailResetLink } from "#server/accounts/send-links.ts";
import { endSessionsOf, requireSession } from "#server/accounts/sessions.ts";
import type { User } from "#server/accounts/users.ts";
import { lockPerson, requireOtherOwner } from "#server/accounts/users.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { userGrants, userRoles, users } from "#server/db/schema/users.ts";
import { endRequestsOf } from "#server/features/second-person/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { reportSecurityEvent } from "#server/platform/security-events.ts";
import type { AuditAction } from "#shared/audit-log/sentences.ts";
import { adminTexts as texts } from "#shared/people/texts.ts";
import { roles as allRoles, type Grant, grants as possibleGrants, type Role } from "#shared/permissions.ts";

type Target = { userId: string };
type Admin = { user: User; roles: Role[] };

/** The reset link is mailed to another person, so the limit is that of their own requests. */
const resetLimit = { hits: 3, windowSeconds: 3600 };

/**
 * Gives an active administrator another role, and ends their sessions. A role that they already have changes nothing.
 * Throws "You can't give yourself a role." and "This person is not an administrator any more. …".
 */
export async function addRole(
  ctx: ActorContext,
  { userId, role }: Target & { role: Role },
): Promise<{ wasChanged: boolean }> {
  if (userId === ctx.actor.id) throw new AppError("forbidden", texts.ownRole);
  return inTransaction(ctx.db, async (tx) => {
    const { user, roles } = await lockActiveAdmin(tx, ctx, userId);
    if (roles.includes(role)) return { wasChanged: false };
    await tx.insert(userRoles).values({ userId, role, createdAt: ctx.clock.now() });
    await finish(tx, ctx, "add_role", user, { role, before: roles, after: sorted([...roles, role]) });
    if (role === "owner") await mailOwnerNews(tx, ctx, { change: "role_given", person: user, by: ctx.actor });
    return { wasChanged: true };
  });
}

/**
 * Removes a role from an active administrator, possibly the caller, and ends their sessions. The last owner keeps that
 * role.
 */
export async function removeRole(
  ctx: ActorContext,
  { userId, role }: Target & { role: Role },
): Promise<{ wasChanged: boolean }> {
  return inTransaction(ctx.db, async (tx) => {
    if (role === "owner") await requireOtherOwner(tx, userId);
    const { user, roles } = await lockActiveAdmin(tx, ctx, userId);
    if (!roles.includes(role)) return { wasChanged: false };
    await tx.delete(userRoles).where(and(eq(userRoles.userId, userId), eq(userRoles.role, role)));
    if (role === "owner") await endRequestsOf(tx, userId, ctx.clock.now());
    await finish(tx, ctx, "remove_role", user, { role, before: roles, after: roles.filter((one) => one !== role) });
    if (role === "owner") await mailOwnerNews(tx, ctx, { change: "role_taken", person: user, by: ctx.actor });
    return { wasChanged: true };
  });
}

/**
 * Gives an active administrator a grant beside the roles, ends their sessions, and mails every owner. A grant that they
 * already have changes nothing. Throws "forbidden" for the caller's own account, and "conflict" if the person is no
 * administrator.
 */
export async function addGrant(
  ctx: ActorContext,
  { userId, grant }: Target & { grant: Grant },
): Promise<{ wasChanged: boolean }> {
  if (userId === ctx.actor.id) throw new AppError("forbidden", texts.ownGrant);
  return inTransaction(ctx.db, async (tx) => {
    const { user } = await lockActiveAdmin(tx, ctx, userId);
    const before = await grantsOf(tx, userId);
    if (before.includes(grant)) return { wasChanged: false };
    await tx.insert(userGrants).values({ userId, grant, givenBy: ctx.actor.id, createdAt: ctx.clock.now() });
    await finish(tx, ctx, "add_grant", user, { grant, before, after: await grantsOf(tx, userId) });
    await mailOwnerNews(tx, ctx, { change: `${grant}_given`, person: user, by: ctx.actor });
    return { wasChanged: true };
  });
}

/** Takes a grant from an active administrator, possibly the caller, ends their sessions, and mails every owner. */
export async function removeGrant(
  ctx: ActorContext,
  { userId, grant }: Target & { grant: Grant },
): Promise<{ wasChanged: boolean }> {
  return inTransaction(ctx.db, async (tx) => {
    const { user } = await lockActiveAdmin(tx, ctx, userId);
    const before = await grantsOf(tx, userId);
    if (!before.includes(grant)) return { wasChanged: false };
    await tx.delete(userGrants).where(and(eq(userGrants.userId, userId), eq(userGrants.grant, grant)));
    await finish(tx, ctx, "remove_grant", user, { grant, before, after: await grantsOf(tx, userId) });
    await mailOwnerNews(tx, ctx, { change: `${grant}_taken`, person: user, by: ctx.actor });
    return { wasChanged: true };
  });
}

async function grantsOf(tx: Tx, userId: string): Promise<Grant[]> {
  const held = await tx.select({ grant: userGrants.grant }).from(userGrants).where(eq(userGrants.userId, userId));
  return possibleGrants.filter((grant) => held.some((row) => row.grant === grant));
}

/** Removes the rights but keeps roles and grants for {@link reactivateAdmin}, and ends the sessions. */
export async function deactivateAdmin(ctx: ActorContext, { userId }: Target): Promise<void> {
  refuseOwnAccount(ctx, userId);
  await inTransaction(ctx.db, async (tx) => {
    await requireOtherOwner(tx, userId);
    const { user, roles } = await lockActiveAdmin(tx, ctx, userId);
    // Kept roles distinguish a deactivated administrator from a backer. An administrator without a role has a viewer's
    // rights.
    if (roles.length === 0) await tx.insert(userRoles).values({ userId, role: "viewer", createdAt: ctx.clock.now() });
    await setAdmin(tx, ctx, userId, false);
    await endRequestsOf(tx, userId, ctx.clock.now());
    await finish(tx, ctx, "deactivate_admin", user, { roles, before: "active", after: "deactivated" });
    await notifyIfOwner(tx, ctx, { user, roles }, "deactivated");
  });
}

/** Returns a deactivated administrator's rights, with their previous roles and grants. */
export async function reactivateAdmin(ctx: ActorContext, { userId }: Target): Promise<void> {
  refuseOwnAccount(ctx, userId);
  await inTransaction(ctx.db, async (tx) => {
    const { user, roles } = await lockAdmin(tx, ctx, userId);
    if (user.isAdmin || roles.length === 0) throw new AppError("conflict", texts.notDeactivated);
    if (user.isBlocked) throw new AppError("conflict", texts.isBlocked);
    await setAdmin(tx, ctx, userId, true);
    await finish(tx, ctx, "reactivate_admin", user, { roles, before: "deactivated", after: "active" });
    await notifyIfOwner(tx, ctx, { user, roles }, "reactivated");
  });
}

/** Removes rights, roles and grants permanently; the account stays as a backer's. Only a new invitation restores them. */
export async function removeAdmin(ctx: ActorContext, { userId }: Target): Promise<void> {
  refuseOwnAccount(ctx, userId);
  await inTransaction(ctx.db, async (tx) => {
    await requireOtherOwner(tx, userId);
    const { user, roles } = await lockAdmin(tx, ctx, userId);
    if (!user.isAdmin && roles.length === 0) throw new AppError("conflict", texts.notAdmin);
    await tx.delete(userRoles).where(eq(userRoles.userId, userId));
    const grants = await grantsOf(tx, userId);
    await tx.delete(userGrants).where(eq(userGrants.userId, userId));
    await setAdmin(tx, ctx, userId, false);
    await endRequestsOf(tx, userId, ctx.clock.now());
    const before = { isAdmin: user.isAdmin, roles, ...(grants.length > 0 && { grants }) };
    await finish(tx, ctx, "remove_admin", user, { before, after: { isAdmin: false, roles: [] } });
    await notifyIfOwner(tx, ctx, { user, roles }, "removed");
  });
}

/** Mails an administrator a link for a new password, as if they had requested it. */
export async function sendPasswordReset(ctx: ActorContext, { userId }: Target): Promise<void> {
  await limitRate(ctx, `send-password-reset:${userId}`, resetLimit);
  await inTransaction(ctx.db, async (tx) => {
    const { user, roles } = await lockActiveAdmin(tx, ctx, userId);
    if (user.isBlocked) throw new AppError("conflict", texts.isBlocked);
    await mailResetLink(tx, ctx, user);
    await recordAudit(tx, ctx, "send_password_reset", { userId, email: user.email });
    await notifyIfOwner(tx, ctx, { user, roles }, "password_reset");
  });
  reportSecurityEvent(ctx, "reset_requested", { userId, reason: "by_administrator", by: ctx.actor.id });
}

async function notifyIfOwner(tx: Tx, ctx: ActorContext, { user, roles }: Admin, change: OwnerChange): Promise<void> {
  if (roles.includes("owner")) await mailOwnerNews(tx, ctx, { change, person: user, by: ctx.actor });
}

function refuseOwnAccount({ actor }: ActorContext, userId: string): void {
  if (actor.id === userId) throw new AppError("forbidden", texts.ownAccount);
}

/** Locks another person's account. The caller must still have the rights: losing them ends the session. */
async function lockAdmin(tx: Tx, ctx: ActorContext, userId: string): Promise<Admin> {
  const user = await lockPerson(tx, userId);
  await requireSession(tx, ctx.actor);
  const held = await tx.select({ role: userRoles.role }).from(userRoles).where(eq(userRoles.userId, userId));
  return { user, roles: sorted(held.map(({ role }) => role)) };
}

async function lockActiveAdmin(tx: Tx, ctx: ActorContext, userId: string): Promise<Admin> {
  const admin = await lockAdmin(tx, ctx, userId);
  if (!admin.user.isAdmin) throw new AppError("conflict", texts.notAdmin);
  return admin;
}

const sorted = (held: Role[]): Role[] => allRoles.filter((role) => held.includes(role));

async function setAdmin(tx: Tx, { clock }: ActorContext, userId: string, isAdmin: boolean): Promise<void> {
  await tx.update(users).set({ isAdmin, updatedAt: clock.now() }).where(eq(users.id, userId));
}

/** Ends the sessions of a person whose rights changed. */
async function finish(
  tx: Tx,
  ctx: ActorContext,
  action: AuditAction,
  { id, email }: User,
  details: Record<string, unknown>,
): Promise<void> {
  await keepOwnerTerms(tx, ctx.clock.now());
  await endSessionsOf(tx, id);
  await recordAudit(tx, ctx, action, { userId: id, email, ...details });
}
