import { and, desc, eq, ne } from "drizzle-orm";
import { expiryOf, hashToken, idleLimitOf, type SessionDeps } from "#server/core/sessions.ts";
import type { DbOrTx } from "#server/db/open.ts";
import { sessions } from "#server/db/schema/sessions.ts";
import { settings } from "#server/db/schema/settings.ts";
import { sessionTimeoutKey } from "#shared/sessions.ts";

/** A name for a session that opens nothing, for lists of sessions. */
export const sessionName = (idHash: string): string => hashToken(`name of a session: ${idHash}`);

/** A person's sessions that still work, latest activity first. */
export async function listSessionsOf({ db, clock }: SessionDeps, userId: string) {
  const found = await db
    .select()
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.lastActivityAt));
  const [setting] = await db.select().from(settings).where(eq(settings.key, sessionTimeoutKey));
  return found
    .map((session) => ({
      ...session,
      expiresAt: expiryOf({ ...session, idleLimitMinutes: idleLimitOf(session.kind, setting?.value) }),
    }))
    .filter(({ expiresAt }) => expiresAt > clock.now());
}

/** Ends one session of a person by its {@link sessionName}. Gives its hash, or null where there is none any more. */
export async function endSessionNamed(db: DbOrTx, userId: string, name: string): Promise<string | null> {
  const found = await db.select({ idHash: sessions.idHash }).from(sessions).where(eq(sessions.userId, userId));
  const named = found.find(({ idHash }) => sessionName(idHash) === name);
  if (!named) return null;
  await db.delete(sessions).where(and(eq(sessions.idHash, named.idHash), eq(sessions.userId, userId)));
  return named.idHash;
}

/** Ends all of a person's sessions, or all but one. Called in the transaction that changes rights or password. */
export async function endSessionsOf(db: DbOrTx, userId: string, keepIdHash?: string): Promise<void> {
  const ofUser = eq(sessions.userId, userId);
  await db.delete(sessions).where(keepIdHash ? and(ofUser, ne(sessions.idHash, keepIdHash)) : ofUser);
}
