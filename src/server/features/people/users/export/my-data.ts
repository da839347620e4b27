import { and, eq, isNotNull } from "drizzle-orm";
import { findIdentityOf } from "#server/accounts/google/identities.ts";
import { notificationOptOuts } from "#server/db/schema/notifications.ts";
import { twoFactors, userGrants, userRoles, users } from "#server/db/schema/users.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { alwaysMailedKinds } from "#shared/notifications/inputs.ts";
import { accountLists } from "./account-lists.ts";
import type { Read } from "./batches.ts";
import { harvestLists } from "./harvest-lists.ts";
import { messageLists } from "./message-lists.ts";
import { paymentLists } from "./payment-lists.ts";

const lists: Record<string, Read> = { ...accountLists, ...paymentLists, ...harvestLists, ...messageLists };

/**
 * All data about the caller as one JSON object, in pieces, so that memory use is constant. It contains no secrets
 * (tokens, hashes, keys), and nothing about other people. Times are ISO 8601 in UTC.
 */
export async function* writeMyData(ctx: ActorContext): AsyncGenerator<string> {
  const mine = ctx.actor.id;
  yield `{\n"madeAt": ${JSON.stringify(ctx.clock.now())},\n"account": ${JSON.stringify(await findAccount(ctx))}`;
  for (const [name, read] of Object.entries(lists)) {
    yield `,\n${JSON.stringify(name)}: [`;
    let separator = "\n";
    for (let after = 0; ; ) {
      const { items, next } = await read(ctx, mine, after);
      for (const item of items) {
        yield separator + JSON.stringify(item);
        separator = ",\n";
      }
      if (next === null) break;
      after = next;
    }
    yield "]";
  }
  yield "\n}\n";
}

async function findAccount(ctx: ActorContext): Promise<Record<string, unknown>> {
  const { db, actor } = ctx;
  const [user] = await db.select().from(users).where(eq(users.id, actor.id));
  if (!user) throw new Error("the account is gone");
  const { id, email, fullName, emailVerifiedAt, isAdmin, createdAt, updatedAt, lastActivityAt } = user;
  const grants = await db.select({ grant: userGrants.grant }).from(userGrants).where(eq(userGrants.userId, id));
  const roles = await db.select({ role: userRoles.role }).from(userRoles).where(eq(userRoles.userId, id));
  const [factor] = await db
    .select({ since: twoFactors.createdAt })
    .from(twoFactors)
    .where(and(eq(twoFactors.userId, id), isNotNull(twoFactors.confirmedAt)));
  const optOuts = await db
    .select({ kind: notificationOptOuts.kind, since: notificationOptOuts.createdAt })
    .from(notificationOptOuts)
    .where(eq(notificationOptOuts.userId, id));
  return {
    id,
    email,
    fullName,
    emailVerifiedAt,
    createdAt,
    updatedAt,
    lastActivityAt,
    hasPassword: user.passwordHash !== null,
    secondFactor: factor ?? null,
    google: await findIdentityOf(db, id),
    isAdmin,
    roles: roles.map(({ role }) => role),
    grants: grants.map(({ grant }) => grant),
    consents: { mailsSwitchedOff: optOuts, mailsThatAlwaysCome: alwaysMailedKinds },
  };
}
