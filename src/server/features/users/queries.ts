import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { ActorContext } from "#server/core/context.ts";
import { listSessionsOf, sessionName } from "#server/core/sessions.ts";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { emailTokens } from "#server/db/schema/sessions.ts";
import { users } from "#server/db/schema/users.ts";
import { nameDevice } from "#shared/device-name.ts";

export type User = typeof users.$inferSelect;

/** By the address as accounts keep it: trimmed and lower-cased. */
export async function findUserByEmail(db: DbOrTx, email: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.email, email));
  return user ?? null;
}

/** The caller's account. `pendingEmail` is the new address that waits for its link to be opened. */
export async function describeAccount({ db, clock, actor }: ActorContext) {
  const [user] = await db.select().from(users).where(eq(users.id, actor.id));
  if (!user) throw new Error("the account is gone");
  const [pending] = await db
    .select({ email: emailTokens.email })
    .from(emailTokens)
    .where(
      and(
        eq(emailTokens.userId, actor.id),
        eq(emailTokens.purpose, "change_email"),
        isNull(emailTokens.usedAt),
        gt(emailTokens.expiresAt, clock.now()),
      ),
    );
  return {
    fullName: user.fullName,
    email: user.email,
    hasPassword: user.passwordHash !== null,
    isAdmin: user.isAdmin,
    pendingEmail: pending?.email ?? null,
  };
}

/** Where the caller is signed in, this browser first, then by last activity. */
export async function describeSessions(ctx: ActorContext) {
  const found = await listSessionsOf(ctx, ctx.actor.id);
  return found
    .map(({ idHash, device, ipAddress, createdAt, lastActivityAt }) => ({
      id: sessionName(idHash),
      device: nameDevice(device),
      ipAddress,
      createdAt,
      lastActivityAt,
      isThisDevice: idHash === ctx.actor.session.idHash,
    }))
    .sort((a, b) => Number(b.isThisDevice) - Number(a.isThisDevice));
}

const namedPayments = 20;

/** What the caller should know before closing the account: what stays, and which payments are not decided yet. */
export async function describeClosing({ db, actor }: ActorContext) {
  const pendingPayments = await db
    .select({
      id: projectPayments.id,
      projectTitle: projectPayments.projectTitle,
      amountKobo: projectPayments.amountKobo,
      reference: projectPayments.reference,
    })
    .from(projectPayments)
    .where(and(eq(projectPayments.userId, actor.id), eq(projectPayments.status, "pending")))
    .orderBy(desc(projectPayments.id))
    .limit(namedPayments);
  const [counts] = await rows<{ backings: number; payments: number; pending: number }>(
    db,
    sql`select (select count(*)::int from project_backings where user_id = ${actor.id}) as backings,
      (select count(*)::int from project_payments where user_id = ${actor.id}) as payments,
      (select count(*)::int from project_payments where user_id = ${actor.id} and status = 'pending') as pending`,
  );
  const { backings = 0, payments = 0, pending = 0 } = counts ?? {};
  return { backings, payments, pendingPayments, furtherPending: pending - pendingPayments.length };
}
