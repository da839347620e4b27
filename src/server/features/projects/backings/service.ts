import { and, eq, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { isUniqueViolation } from "#server/db/errors.ts";
import { type DbOrTx, inTransaction, type Tx } from "#server/db/open.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { backingWeights, projectBackings, projects } from "#server/db/schema/projects.ts";
import { isUnstruck } from "#server/db/schema/strikes.ts";
import { users } from "#server/db/schema/users.ts";
import { lockProject } from "#server/features/projects/rounds/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { grantBackingInput, revokeGrantInput } from "#shared/projects/backings.ts";
import { backingTexts } from "#shared/projects/backings-texts.ts";
import { hasBacking } from "./queries.ts";

/**
 * A backing is valid while an administrator's grant or an approved payment supports it.
 * The caller locks the project, so that the cached number of backers stays exact.
 */
type Backing = { projectId: number; userId: string };

/** Creates the backing of an approved payment, unless it exists. */
export async function supportByPayment(tx: Tx, { projectId, userId, at }: Backing & { at: Date }): Promise<void> {
  const made = await tx
    .insert(projectBackings)
    .values({ projectId, userId, createdAt: at })
    .onConflictDoNothing({ target: [projectBackings.projectId, projectBackings.userId] })
    .returning({ id: projectBackings.id });
  await countBackers(tx, projectId, made.length);
}

/**
 * Ends the backing of a payment that is no longer approved, or was struck, unless a grant or another approved payment
 * supports it.
 */
export async function withdrawPaymentSupport(tx: Tx, { projectId, userId }: Backing): Promise<void> {
  const ended = await tx
    .delete(projectBackings)
    .where(
      and(
        eq(projectBackings.projectId, projectId),
        eq(projectBackings.userId, userId),
        isNull(projectBackings.grantedAt),
        sql`not exists ${approvedPayments(tx, { projectId, userId })}`,
      ),
    )
    .returning({ id: projectBackings.id });
  await countBackers(tx, projectId, -ended.length);
}

/**
 * Gives what a person backs a project by in a round to another, whose payments the caller has made theirs: the part
 * that owners granted in the round's harvests goes along. What supports the first in other rounds stays.
 */
export async function passBacking(
  tx: Tx,
  {
    projectId,
    round,
    fromUserId,
    toUserId,
    at,
  }: { projectId: number; round: number; fromUserId: string; toUserId: string; at: Date },
): Promise<void> {
  await supportByPayment(tx, { projectId, userId: toUserId, at });
  const isOf = (userId: string) => and(eq(projectBackings.projectId, projectId), eq(projectBackings.userId, userId));
  const [from] = await tx.select().from(projectBackings).where(isOf(fromUserId));
  const [to] = await tx.select().from(projectBackings).where(isOf(toUserId));
  if (from && to) await passWeight(tx, { from, to, round });
  await withdrawPaymentSupport(tx, { projectId, userId: fromUserId });
}

type BackingRow = typeof projectBackings.$inferSelect;

async function passWeight(
  tx: Tx,
  { from, to, round }: { from: BackingRow; to: BackingRow; round: number },
): Promise<void> {
  const isOfRound = and(eq(backingWeights.backingId, from.id), eq(backingWeights.round, round));
  const [weight] = await tx.delete(backingWeights).where(isOfRound).returning();
  if (!weight) return;
  const { grantedAt, grantedBy } = from;
  const isIt = eq(projectBackings.id, to.id);
  if (to.grantedAt === null) await tx.update(projectBackings).set({ grantedAt, grantedBy }).where(isIt);
  await tx
    .insert(backingWeights)
    .values({ ...weight, backingId: to.id })
    .onConflictDoUpdate({
      target: [backingWeights.backingId, backingWeights.round],
      set: { weightKobo: sql`${backingWeights.weightKobo} + excluded.weight_kobo` },
    });
  const isLeft = sql`exists (select from ${backingWeights} where ${backingWeights.backingId} = ${from.id})`;
  const ended = { grantedAt: null, grantedBy: null };
  await tx
    .update(projectBackings)
    .set(ended)
    .where(and(eq(projectBackings.id, from.id), sql`not ${isLeft}`));
}

function approvedPayments(tx: Tx, { projectId, userId }: Backing) {
  return tx
    .select({ one: sql`1` })
    .from(projectPayments)
    .where(
      and(
        eq(projectPayments.projectId, projectId),
        eq(projectPayments.userId, userId),
        eq(projectPayments.status, "approved"),
        isUnstruck,
      ),
    );
}

async function countBackers(tx: Tx, projectId: number, change: number): Promise<void> {
  if (change === 0) return;
  await tx
    .update(projects)
    .set({ backersCount: sql`${projects.backersCount} + ${change}` })
    .where(eq(projects.id, projectId));
}

/**
 * Makes a person a backer, picked or by email. Throws "not_found" (project, person), "forbidden" if the person is
 * blocked, and "conflict" if they already back the project, even since a moment ago.
 */
export async function grantBacking(
  ctx: ActorContext,
  { projectId, ...who }: z.output<typeof grantBackingInput>,
): Promise<{ fullName: string }> {
  const { id } = await findPerson(ctx.db, who);
  if (await hasBacking(ctx.db, projectId, id)) throw new AppError("conflict", backingTexts.alreadyListed);
  return inTransaction(ctx.db, async (tx) => {
    const project = await lockProject(tx, projectId);
    const person = await findPerson(tx, { userId: id }, { lock: true });
    if (person.isBlocked) throw new AppError("forbidden", backingTexts.userBlocked);
    await insertGrant(tx, ctx, { projectId, userId: id });
    await countBackers(tx, projectId, 1);
    const { email, fullName } = person;
    await recordAudit(tx, ctx, "add_backer", { projectId, title: project.title, userId: id, email });
    return { fullName };
  });
}

/**
 * Throws "User not found", also for closed accounts. With `lock` the account can't be blocked or closed before the
 * commit.
 */
async function findPerson(
  db: DbOrTx,
  { userId, email }: { userId?: string | undefined; email?: string | undefined },
  { lock = false }: { lock?: boolean } = {},
) {
  const isWanted = userId === undefined ? eq(users.email, email ?? "") : eq(users.id, userId);
  const find = db
    .select({ id: users.id, email: users.email, fullName: users.fullName, isBlocked: users.isBlocked })
    .from(users)
    .where(and(isWanted, isNull(users.closedAt)));
  const [person] = await (lock ? find.for("share") : find);
  if (!person) throw new AppError("not_found", backingTexts.userNotFound);
  return person;
}

async function insertGrant(tx: Tx, ctx: ActorContext, backing: Backing): Promise<void> {
  const at = ctx.clock.now();
  try {
    await tx.insert(projectBackings).values({ ...backing, grantedAt: at, grantedBy: ctx.actor.id, createdAt: at });
  } catch (error) {
    if (!isUniqueViolation(error, "project_backings_project_user_key")) throw error;
    throw new AppError("conflict", backingTexts.alreadyBacking, { cause: error });
  }
}

/**
 * Takes back a mistaken {@link grantBacking}. Throws "not_found", or "conflict" if an approved payment supports the
 * backing: received money can't be undone here. A part of a harvest that has begun stays the person's; one of a harvest
 * to come is taken away by two owners first.
 */
export async function revokeGrant(ctx: ActorContext, backing: z.output<typeof revokeGrantInput>): Promise<void> {
  const { projectId, userId } = backing;
  await inTransaction(ctx.db, async (tx) => {
    const project = await lockProject(tx, projectId);
    const isIt = and(eq(projectBackings.projectId, projectId), eq(projectBackings.userId, userId));
    const supports = await approvedPayments(tx, backing);
    if (supports.length > 0) throw new AppError("conflict", backingTexts.supportedByPayment);
    if (await hasPartToCome(tx, backing)) throw new AppError("conflict", backingTexts.weightFirst);
    const ended = await tx.delete(projectBackings).where(isIt).returning({ id: projectBackings.id });
    if (ended.length === 0) throw new AppError("not_found", backingTexts.notListed);
    await countBackers(tx, projectId, -1);
    const [person] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
    const details = { projectId, title: project.title, userId, email: person?.email };
    await recordAudit(tx, ctx, "remove_backer", details);
  });
}

/** Returns true if two owners gave the backing a part that no harvest has frozen. */
async function hasPartToCome(tx: Tx, { projectId, userId }: Backing): Promise<boolean> {
  const found = await tx
    .select({ round: backingWeights.round })
    .from(backingWeights)
    .innerJoin(projectBackings, eq(projectBackings.id, backingWeights.backingId))
    .where(
      and(
        eq(projectBackings.projectId, projectId),
        eq(projectBackings.userId, userId),
        sql`not exists (select from round_weights w where w.project_id = ${projectId} and w.round = ${backingWeights.round})`,
      ),
    );
  return found.length > 0;
}
