import { and, eq, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import { accountClosedMail } from "#server/accounts/emails.ts";
import { leaveBrowser } from "#server/accounts/own-account.ts";
import { changeAsProved, type OwnProof, proveOwnAccount } from "#server/accounts/own-proof.ts";
import { mailOwnerNews } from "#server/accounts/owners/owner-news.ts";
import { keepOwnerTerms } from "#server/accounts/owners/owner-terms.ts";
import { endSessionsOf, requireSession } from "#server/accounts/sessions.ts";
import { holdsOwnerRole, lockPerson, requireOtherOwner, type User } from "#server/accounts/users.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { farmInvites, farmPeople } from "#server/db/schema/farms.ts";
import { notificationOptOuts, notifications, outgoingMails } from "#server/db/schema/notifications.ts";
import { projectFavorites } from "#server/db/schema/projects.ts";
import { savedSearches } from "#server/db/schema/saved-searches.ts";
import { emailTokens, knownDevices, sessions } from "#server/db/schema/sessions.ts";
import { adminInvites } from "#server/db/schema/team.ts";
import { identities, recoveryCodes, twoFactors, userGrants, userRoles, users } from "#server/db/schema/users.ts";
import { forgetAccounts } from "#server/features/payouts/payee-accounts/service.ts";
import { endPlacesOf, leaveWaitingLists, lockPlacesOf } from "#server/features/projects/holds/service.ts";
import { endRequestsAbout, endRequestsOf } from "#server/features/second-person/service.ts";
import { queueMail } from "#server/mail/outbox.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { requireProof } from "#server/platform/procedures.ts";
import { closedName } from "#shared/accounts/texts.ts";
import { adminTexts } from "#shared/people/texts.ts";
import { findEndOfReturns, findOpenAffair, hasMoneyToCome, mayComeBack, moneyMayCome } from "./queries.ts";

/**
 * Closes the caller's account: personal data is deleted, backings, payments and messages stay without the name, and an
 * administrator loses all rights. The last active owner can't. Needs the same proof as a change of password. Whoever
 * has a part in a running farm keeps an address and the bank account until all is paid, and whoever was paid an address
 * for the month in which money may come back. Throws "conflict" while money of theirs is due, under review, unallocated
 * or in a round that isn't decided, or they hold lots.
 */
export async function closeAccount(ctx: ActorContext, proof: OwnProof): Promise<void> {
  const proved = await proveOwnAccount(ctx, proof);
  const at = ctx.clock.now();
  const close = async (tx: Tx, user: User) => {
    if (user.isAdmin) {
      const roles = await tx.select({ role: userRoles.role }).from(userRoles).where(eq(userRoles.userId, user.id));
      await recordAudit(tx, ctx, "close_account", { roles: roles.map(({ role }) => role) });
    }
    await leaveWaitingLists(tx, ctx, user.id);
    const openAffair = await findOpenAffair(tx, user.id, at);
    if (openAffair) throw new AppError("conflict", openAffair);
    const keepsAccount = await hasMoneyToCome(tx, user.id);
    const keepsAddress = keepsAccount || (await findEndOfReturns(tx, user.id, at)) !== null;
    await removePerson(tx, ctx, user);
    if (!keepsAccount) await forgetBankAccounts(tx, [user.id], at);
    await tx
      .update(users)
      .set({
        email: `closed-${user.id}@closed.invalid`,
        contactEmail: keepsAddress ? user.email : null,
        fullName: closedName,
        passwordHash: null,
        emailVerifiedAt: null,
        isAdmin: false,
        lastActivityAt: null,
        closedAt: at,
        updatedAt: at,
      })
      .where(eq(users.id, user.id));
    await keepOwnerTerms(tx, at);
    const mail = accountClosedMail({ site: ctx.site.current(), fullName: user.fullName, at });
    await queueMail(tx, ctx, { eventKey: `account_closed:${user.id}`, to: user.email, isUrgent: true, ...mail });
  };
  await changeAsProved(ctx, proved, close, (tx) => requireOtherOwner(tx, proved.user.id));
  leaveBrowser(ctx);
}

/** Forgets people's bank accounts, also one that an owner asked another to confirm. */
async function forgetBankAccounts(tx: Tx, userIds: string[], at: Date): Promise<void> {
  await forgetAccounts(tx, userIds, at);
  await endRequestsAbout(tx, userIds, at);
}

const forgottenAtOnce = 500;

/**
 * Part of the hourly cleaning: takes the address and the bank account from closed accounts to which no money comes any
 * more, and of which none can come back. The lock keeps refunds of these people out until it is done.
 */
export async function forgetContacts({ clock, db }: Pick<Deps, "clock" | "db">): Promise<void> {
  await inTransaction(db, async (tx) => {
    const isOpen = sql`(${moneyMayCome(sql`users.id`)} or ${mayComeBack(sql`users.id`, clock.now())})`;
    const isDone = sql`${users.contactEmail} is not null and not ${isOpen}`;
    const found = await tx
      .select({ id: users.id })
      .from(users)
      .where(isDone)
      .orderBy(users.id)
      .limit(forgottenAtOnce)
      .for("update");
    const ids = found.map(({ id }) => id);
    if (ids.length === 0) return;
    // Asked again under the lock: a refund may have come just before it.
    const gone = await tx
      .update(users)
      .set({ contactEmail: null })
      .where(and(inArray(users.id, ids), isDone))
      .returning({ id: users.id });
    const forgotten = gone.map(({ id }) => id);
    await forgetBankAccounts(tx, forgotten, clock.now());
  });
}

/**
 * Blocks a person, and ends their sessions and what they hold. Callers can't block themselves, and the last owner can't
 * be blocked.
 */
export async function blockUser(ctx: ActorContext, { userId }: { userId: string }): Promise<void> {
  if (userId === ctx.actor.id) throw new AppError("forbidden", adminTexts.ownAccount);
  const block = async (tx: Tx) => {
    const places = await lockPlacesOf(tx, userId);
    await requireOtherOwner(tx, userId);
    const user = await lockPerson(tx, userId);
    if (!(await endPlacesOf(tx, ctx, userId, places))) return false;
    await setBlocked(tx, ctx, user, true);
    return true;
  };
  while (!(await inTransaction(ctx.db, block)));
}

export async function unblockUser(ctx: ActorContext, { userId }: { userId: string }): Promise<void> {
  await inTransaction(ctx.db, async (tx) => setBlocked(tx, ctx, await lockPerson(tx, userId), false));
}

/**
 * Ends all sessions of a person, and leaves the account unchanged. Not for the caller: the account page ends one's own
 * sessions, after asking for the password.
 */
export async function endSessionsOfPerson(ctx: ActorContext, { userId }: { userId: string }): Promise<void> {
  if (userId === ctx.actor.id) throw new AppError("forbidden", adminTexts.ownAccount);
  await inTransaction(ctx.db, async (tx) => {
    const { email } = await lockPerson(tx, userId);
    await requireSession(tx, ctx.actor);
    const count = await tx.$count(sessions, eq(sessions.userId, userId));
    await endSessionsOf(tx, userId);
    await recordAudit(tx, ctx, "end_sessions", { userId, email, sessions: count });
  });
}

/** Repeating it changes nothing. An owner is blocked and let back in with the password (and code) only. */
async function setBlocked(tx: Tx, ctx: ActorContext, user: User, isBlocked: boolean): Promise<void> {
  const userId = user.id;
  await requireSession(tx, ctx.actor);
  if (user.isBlocked === isBlocked) return;
  const isOwner = await holdsOwnerRole(tx, userId);
  if (isOwner) requireProof(ctx);
  await tx.update(users).set({ isBlocked, updatedAt: ctx.clock.now() }).where(eq(users.id, userId));
  await keepOwnerTerms(tx, ctx.clock.now());
  await endSessionsOf(tx, userId);
  if (isBlocked) await endRequestsOf(tx, userId, ctx.clock.now());
  const statusOf = (blocked: boolean) => (blocked ? "blocked" : "active");
  const change = { before: statusOf(user.isBlocked), after: statusOf(isBlocked) };
  await recordAudit(tx, ctx, isBlocked ? "block_user" : "unblock_user", { userId, email: user.email, ...change });
  if (!isOwner) return;
  await mailOwnerNews(tx, ctx, { change: isBlocked ? "blocked" : "unblocked", person: user, by: ctx.actor });
}

/**
 * Deletes the personal data that isn't a record of the farms or the books. tests/integration/personal-data.test.ts
 * lists the fate of each column.
 */
async function removePerson(tx: Tx, ctx: ActorContext, { id, email }: User): Promise<void> {
  await endSessionsOf(tx, id);
  await endRequestsOf(tx, id, ctx.clock.now());
  const tables = [
    identities,
    knownDevices,
    emailTokens,
    twoFactors,
    recoveryCodes,
    userRoles,
    userGrants,
    projectFavorites,
    savedSearches,
    notificationOptOuts,
  ] as const;
  // Notifications to the person, and notifications to administrators about the person.
  const isNamed = or(eq(notifications.userId, id), eq(notifications.aboutUserId, id));
  // Finished mails are deleted. Waiting ones are still sent, and deleted with other old mails.
  const named = tx.select({ id: notifications.id }).from(notifications).where(isNamed);
  const isMailed = or(eq(outgoingMails.recipient, email), inArray(outgoingMails.notificationId, named));
  const isDone = or(isNotNull(outgoingMails.sentAt), isNotNull(outgoingMails.refusal));
  await tx.delete(outgoingMails).where(and(isMailed, isDone));
  const deleted = await tx.delete(notifications).where(isNamed).returning({ userId: notifications.userId });
  const others = new Set(deleted.map(({ userId }) => userId).filter((userId) => userId !== id));
  if (others.size > 0) await ctx.events.publish(tx, { type: "notifications", userIds: [...others] });
  for (const table of tables) await tx.delete(table).where(eq(table.userId, id));
  await tx.delete(adminInvites).where(and(eq(adminInvites.email, email), isNotNull(adminInvites.consumedAt)));
  const isOverInvite = or(isNotNull(farmInvites.consumedAt), isNotNull(farmInvites.revokedAt));
  await tx.delete(farmInvites).where(and(eq(farmInvites.email, email), isOverInvite));
  const worksForFarm = and(eq(farmPeople.userId, id), isNull(farmPeople.endedAt));
  await tx.update(farmPeople).set({ endedAt: ctx.clock.now() }).where(worksForFarm);
}
