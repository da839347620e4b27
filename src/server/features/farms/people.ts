import { randomBytes } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import { inviteEndsAt, inviteTokenOf } from "#server/accounts/invite-rules.ts";
import { limitInviteAttempts } from "#server/accounts/invites.ts";
import { hashToken } from "#server/accounts/sessions.ts";
import { findUserByEmail, lockUser } from "#server/accounts/users.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { farmInvites, farmPeople, farms } from "#server/db/schema/farms.ts";
import { users } from "#server/db/schema/users.ts";
import { queueMail } from "#server/mail/outbox.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { InviteToFarmInput } from "#shared/farms/inputs.ts";
import { farmPeopleTexts as texts } from "#shared/farms/people-texts.ts";
import type { FarmRole } from "#shared/farms/texts.ts";
import { inviteHours, inviteTexts } from "#shared/people/team-texts.ts";
import { farmInvitationMail } from "./emails.ts";
import { farmInviteLink, findFarmInvite, refusalOf } from "./invites.ts";
import { lockFarm } from "./service.ts";

/** The people who work for a farm. An administrator invites them and ends their work; they accept. */

type ByInvite = { inviteId: number };
type ByPerson = { personId: number };

/**
 * Invites a person to a farm and mails the link. It replaces an open invitation of that address to the farm, with the given
 * name and role. Throws "not_found", or "conflict" if the farm is closed, or the address is a blocked person's or works
 * for the farm already.
 */
export async function inviteToFarm(ctx: ActorContext, input: InviteToFarmInput): Promise<void> {
  await inTransaction(ctx.db, (tx) => issueInvite(tx, ctx, input, "invite_farm_person"));
}

/** Mails a new link for an open invitation, valid for 72 hours. The previous link becomes invalid. */
export async function resendFarmInvite(ctx: ActorContext, { inviteId }: ByInvite): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const [open] = await tx.select().from(farmInvites).where(isOpen(inviteId));
    if (!open) throw new AppError("not_found", inviteTexts.notFound);
    await issueInvite(tx, ctx, open, "resend_farm_invite");
  });
}

/** Takes an open invitation back, so that its link is invalid at once. */
export async function revokeFarmInvite(ctx: ActorContext, { inviteId }: ByInvite): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const [revoked] = await tx
      .update(farmInvites)
      .set({ revokedAt: ctx.clock.now() })
      .where(isOpen(inviteId))
      .returning();
    if (!revoked) throw new AppError("not_found", inviteTexts.notFound);
    const { farmId, email, fullName, role } = revoked;
    const farm = await nameOf(tx, farmId);
    await recordAudit(tx, ctx, "revoke_farm_invite", { inviteId, farmId, farm, email, fullName, role });
  });
}

const isOpen = (inviteId: number) =>
  and(eq(farmInvites.id, inviteId), isNull(farmInvites.consumedAt), isNull(farmInvites.revokedAt));

async function issueInvite(
  tx: Tx,
  ctx: ActorContext,
  { farmId, email, fullName, role }: InviteToFarmInput,
  action: "invite_farm_person" | "resend_farm_invite",
): Promise<void> {
  const farm = await lockFarm(tx, farmId);
  if (farm.closedAt !== null) throw new AppError("conflict", texts.farmClosed);
  const invitee = await findUserByEmail(tx, email);
  if (invitee?.isBlocked) throw new AppError("conflict", inviteTexts.blockedAccount);
  if (invitee && (await worksFor(tx, farmId, invitee.id))) throw new AppError("conflict", texts.worksAlready);
  const now = ctx.clock.now();
  const secret = randomBytes(32).toString("hex");
  const tokenHash = hashToken(secret);
  const values = { fullName, role, tokenHash, expiresAt: inviteEndsAt(now), invitedBy: ctx.actor.id };
  const [row] = await tx
    .insert(farmInvites)
    .values({ ...values, farmId, email, createdAt: now })
    .onConflictDoUpdate({
      target: [farmInvites.farmId, farmInvites.email],
      targetWhere: sql`consumed_at is null and revoked_at is null`,
      set: values,
    })
    .returning({ id: farmInvites.id });
  if (!row) throw new Error("the invitation was not written");
  const site = ctx.site.current();
  const mail = farmInvitationMail({
    site,
    fullName,
    invitedBy: ctx.actor.fullName,
    farmName: farm.name,
    role,
    hours: inviteHours,
    url: farmInviteLink(site, inviteTokenOf({ id: row.id, secret })),
  });
  await queueMail(tx, ctx, {
    eventKey: `farm_invite:${tokenHash}`,
    to: email,
    isUrgent: true,
    holdsToken: true,
    ...mail,
  });
  await recordAudit(tx, ctx, action, { inviteId: row.id, farmId, farm: farm.name, email, fullName, role });
}

/**
 * Accepts an invitation for the signed-in account, whose confirmed address it has to be for. It gives the role on the farm
 * and nothing else. Throws "conflict" with the state of an invitation that isn't valid any more or while the address isn't
 * confirmed, and "forbidden" for another person's invitation.
 */
export async function acceptFarmInvite(
  ctx: ActorContext,
  { token }: { token: string },
): Promise<{ farmName: string; role: FarmRole }> {
  await limitInviteAttempts(ctx);
  return inTransaction(ctx.db, async (tx) => {
    // Every act on an account locks it first; then its invitation.
    const user = await lockUser(tx, ctx.actor.id);
    const found = await findFarmInvite(tx, { token, now: ctx.clock.now(), lock: true });
    if (found.fault) throw refusalOf(found.fault);
    const { id: inviteId, farmId, farmName, email, role, invitedBy } = found.invite;
    if (email !== user.email) throw new AppError("forbidden", inviteTexts.otherAccount);
    if (user.emailVerifiedAt === null) throw new AppError("conflict", texts.confirmFirst);
    const now = ctx.clock.now();
    await tx.update(farmInvites).set({ consumedAt: now }).where(eq(farmInvites.id, inviteId));
    if (await worksFor(tx, farmId, user.id)) throw new AppError("conflict", texts.worksAlready);
    await tx.insert(farmPeople).values({ farmId, userId: user.id, role, invitedBy, createdAt: now });
    await recordAudit(tx, ctx, "accept_farm_invite", { inviteId, farmId, farm: farmName, email, role, invitedBy });
    return { farmName, role };
  });
}

/**
 * Changes what a person does for a farm: the row ends and another begins, so that it stays known who could do what when.
 * Throws "not_found" if they don't work for it any more.
 */
export async function changeFarmRole(
  ctx: ActorContext,
  { personId, role }: ByPerson & { role: FarmRole },
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const { farmId, userId, ...ended } = await endRow(tx, ctx, personId);
    if (ended.role === role) throw new AppError("conflict", texts.sameRole);
    const now = ctx.clock.now();
    await tx.insert(farmPeople).values({ farmId, userId, role, invitedBy: ctx.actor.id, createdAt: now });
    const { farm, email } = ended;
    await recordAudit(tx, ctx, "change_farm_role", { farmId, farm, userId, email, before: ended.role, role });
  });
}

/** Ends a person's work for a farm, and with it all their rights on it. Throws "not_found" if it has ended. */
export async function endFarmPerson(ctx: ActorContext, { personId }: ByPerson): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const { farmId, farm, userId, email, role } = await endRow(tx, ctx, personId);
    await recordAudit(tx, ctx, "end_farm_person", { farmId, farm, userId, email, role });
  });
}

async function endRow(tx: Tx, { clock, actor }: ActorContext, personId: number) {
  const [ended] = await tx
    .update(farmPeople)
    .set({ endedAt: clock.now(), endedBy: actor.id })
    .where(and(eq(farmPeople.id, personId), isNull(farmPeople.endedAt)))
    .returning();
  if (!ended) throw new AppError("not_found", texts.personGone);
  const [person] = await tx.select({ email: users.email }).from(users).where(eq(users.id, ended.userId));
  return { ...ended, farm: await nameOf(tx, ended.farmId), email: person?.email ?? "" };
}

async function nameOf(tx: Tx, farmId: number): Promise<string> {
  const [farm] = await tx.select({ name: farms.name }).from(farms).where(eq(farms.id, farmId));
  return farm?.name ?? "";
}

async function worksFor(tx: Tx, farmId: number, userId: string): Promise<boolean> {
  const isTheirs = and(eq(farmPeople.farmId, farmId), eq(farmPeople.userId, userId), isNull(farmPeople.endedAt));
  return (await tx.$count(farmPeople, isTheirs)) > 0;
}
