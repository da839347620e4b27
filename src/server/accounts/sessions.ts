import { createHash } from "node:crypto";
import { and, desc, eq, inArray, isNull, lte, ne, sql } from "drizzle-orm";
import { type Adapter, type DatabaseSession, type DatabaseUser, Lucia, TimeSpan } from "lucia";
import type { Db, DbOrTx, Tx } from "#server/db/open.ts";
import { perDatabase } from "#server/db/prepared.ts";
import { sessions } from "#server/db/schema/sessions.ts";
import { settings } from "#server/db/schema/settings.ts";
import { twoFactors, userGrants, userRoles, users } from "#server/db/schema/users.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Actor, FindActor } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import {
  absoluteLimitMinutes,
  backerIdleMinutes,
  readSessionTimeout,
  type SessionKind,
  sessionTimeoutKey,
} from "#shared/accounts/sessions.ts";
import { errorTexts } from "#shared/errors.ts";
import { type Grant, permissionsOf, type Role } from "#shared/permissions.ts";
import { isSwitchedOn, requireTwoFactorKey } from "#shared/settings/texts.ts";

/** A setting's value or null, as a subquery. */
const settingValue = (key: string) =>
  sql<string | null>`(select ${settings.value} from ${settings} where ${settings.key} = ${key})`;

/** Runs with every call of a signed-in person. */
const sessionOf = perDatabase((db) =>
  db
    .select({
      session: sessions,
      user: {
        id: users.id,
        email: users.email,
        fullName: users.fullName,
        isAdmin: users.isAdmin,
        isBlocked: users.isBlocked,
      },
      roles: heldRoles,
      grants: heldGrants,
      timeout: settingValue(sessionTimeoutKey),
      twoFactorRule: settingValue(requireTwoFactorKey),
      hasTwoFactor: sql<boolean>`exists(select 1 from ${twoFactors} where ${twoFactors.userId} = ${users.id} and ${twoFactors.confirmedAt} is not null)`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.idHash, sql.placeholder("idHash")), isNull(users.closedAt)))
    .prepare("session"),
);

/**
 * The roles of each row of a statement on `users`. As JSON, which both drivers parse without looking up array types.
 */
export const heldRoles = sql<
  Role[]
>`to_json(array(select ${userRoles.role} from ${userRoles} where ${userRoles.userId} = ${users.id}))`;

/** The grants of each row of a statement on `users`, as {@link heldRoles}. */
export const heldGrants = sql<
  Grant[]
>`to_json(array(select ${userGrants.grant} from ${userGrants} where ${userGrants.userId} = ${users.id}))`;

/**
 * Sign-in sessions. Lucia creates and validates the tokens; the table holds only their SHA-256.
 * Expiry follows from the row (last activity + idle limit, creation + absolute limit), to the second, by the
 * application's clock. Only {@link touchSession} extends it; polling never does.
 */

export type SessionDeps = Parameters<FindActor>[0];

type SessionAttributes = {
  kind: SessionKind;
  device: string;
  ipAddress: string;
  lastActivityAt: Date;
  provedAt: Date | null;
  createdAt: Date;
  idleLimitMinutes: number;
};
type UserAttributes = {
  email: string;
  fullName: string;
  isAdmin: boolean;
  isBlocked: boolean;
  roles: Role[];
  grants: Grant[];
  mustSetUpTwoFactor: boolean;
};

declare module "lucia" {
  interface Register {
    Lucia: ReturnType<typeof luciaFor>;
    UserId: string;
    DatabaseSessionAttributes: SessionAttributes;
    DatabaseUserAttributes: UserAttributes;
  }
}

export const hashToken = (token: string): string => createHash("sha256").update(token).digest("base64url");

const minutes = (count: number) => count * 60_000;

const absoluteEndOf = (row: { kind: SessionKind; createdAt: Date }): Date =>
  new Date(row.createdAt.getTime() + minutes(absoluteLimitMinutes[row.kind]));

/** `timeout` is the setting for administrators; in minutes. */
const idleLimitOf = (kind: SessionKind, timeout: string | null | undefined): number =>
  kind === "admin" ? readSessionTimeout(timeout) : backerIdleMinutes;

const idleEndOf = (row: { lastActivityAt: Date; idleLimitMinutes: number }): Date =>
  new Date(row.lastActivityAt.getTime() + minutes(row.idleLimitMinutes));

/** When a session ends unless {@link touchSession} extends it. */
function expiryOf(row: { kind: SessionKind; lastActivityAt: Date; createdAt: Date; idleLimitMinutes: number }): Date {
  return new Date(Math.min(idleEndOf(row).getTime(), absoluteEndOf(row).getTime()));
}

function sessionAdapter({ db, clock }: SessionDeps): Adapter {
  return {
    async getSessionAndUser(token): Promise<[DatabaseSession | null, DatabaseUser | null]> {
      const [row] = await sessionOf(db).execute({ idHash: hashToken(token) });
      if (!row) return [null, null];
      const idleLimitMinutes = idleLimitOf(row.session.kind, row.timeout);
      const { idHash: _, userId, ...stored } = row.session;
      const { id, email, fullName, isAdmin, isBlocked } = row.user;
      const mustSetUpTwoFactor = isAdmin && isSwitchedOn(row.twoFactorRule) && !row.hasTwoFactor;
      // Lucia compares with the system's clock, so it gets the time left by the application's clock.
      const left = expiryOf({ ...stored, idleLimitMinutes }).getTime() - clock.now().getTime();
      return [
        { id: token, userId, expiresAt: new Date(Date.now() + left), attributes: { ...stored, idleLimitMinutes } },
        {
          id,
          attributes: { email, fullName, isAdmin, isBlocked, roles: row.roles, grants: row.grants, mustSetUpTwoFactor },
        },
      ];
    },
    async setSession(session) {
      const { kind, device, ipAddress, lastActivityAt, provedAt, createdAt } = session.attributes;
      await db.insert(sessions).values({
        idHash: hashToken(session.id),
        userId: session.userId,
        kind,
        device,
        ipAddress,
        lastActivityAt,
        provedAt,
        createdAt,
      });
    },
    async deleteSession(token) {
      await db.delete(sessions).where(eq(sessions.idHash, hashToken(token)));
    },
    async deleteUserSessions(userId) {
      await db.delete(sessions).where(eq(sessions.userId, userId));
    },
    async deleteExpiredSessions() {
      const longest = Math.max(...Object.values(absoluteLimitMinutes));
      await db.delete(sessions).where(lte(sessions.createdAt, new Date(clock.now().getTime() - minutes(longest))));
    },
    // Lucia lists by token, which the table doesn't hold, and renews sessions half-way, which our limits forbid.
    getUserSessions: () => Promise.reject(new Error("sessions are listed from the table")),
    updateSessionExpiration: () => Promise.reject(new Error("sessions slide by touchSession only")),
  };
}

function luciaFor(deps: SessionDeps) {
  return new Lucia(sessionAdapter(deps), {
    sessionExpiresIn: new TimeSpan(0, "ms"), // never renewed by Lucia itself
    getSessionAttributes: ({ kind, idleLimitMinutes, lastActivityAt, provedAt, createdAt }) => ({
      kind,
      idleLimitMinutes,
      lastActivityAt,
      provedAt,
      createdAt,
    }),
    getUserAttributes: ({ email, fullName, isAdmin, isBlocked, roles, grants, mustSetUpTwoFactor }) => ({
      email,
      fullName,
      isAdmin,
      isBlocked,
      roles,
      grants,
      mustSetUpTwoFactor,
    }),
  });
}

/**
 * Finds the person of a session token. Null if the token is unknown or expired, or the account is blocked or closed.
 */
export async function findActor(deps: SessionDeps, token: string | undefined): Promise<Actor | null> {
  if (!token || token.length > 100) return null;
  const { session, user } = await luciaFor(deps).validateSession(token);
  if (!session || user.isBlocked) return null;
  const { id, email, fullName, isAdmin, roles, grants, mustSetUpTwoFactor } = user;
  return {
    id,
    email,
    fullName,
    isAdmin,
    roles: isAdmin ? roles : [],
    permissions: mustSetUpTwoFactor ? [] : permissionsOf({ isAdmin, roles, grants }),
    mustSetUpTwoFactor,
    session: {
      idHash: hashToken(token),
      kind: session.kind,
      idleLimitMinutes: session.idleLimitMinutes,
      idleEndsAt: idleEndOf(session),
      expiresAt: expiryOf(session),
      endsAt: absoluteEndOf(session),
      provedAt: session.provedAt,
    },
  };
}

/**
 * Starts a session and returns its token, which belongs only into the cookie. If the session replaces another one
 * without a sign-in, `createdAt` is the other one's, so that its absolute limit continues.
 */
export async function startSession(
  deps: SessionDeps,
  input: {
    userId: string;
    kind: SessionKind;
    device: string;
    ipAddress: string;
    createdAt?: Date;
    /** Where the sign-in itself was a proof by password (and code). */
    isProved?: boolean;
  },
): Promise<string> {
  const now = deps.clock.now();
  const { userId, kind, device, ipAddress } = input;
  const attributes = {
    kind,
    device: device.slice(0, 300),
    ipAddress,
    lastActivityAt: now,
    provedAt: input.isProved ? now : null,
    createdAt: input.createdAt ?? now,
    idleLimitMinutes: 0,
  };
  const session = await luciaFor(deps).createSession(userId, attributes);
  return session.id;
}

/** Ends the session of a token. No error if it has ended already. */
export async function endSession(deps: SessionDeps, token: string): Promise<void> {
  await luciaFor(deps).invalidateSession(token);
}

/**
 * Part of a transaction with the account locked: the caller's session as it is now. Throws "Authentication required" if
 * it has ended: no request may go on after a reset, a block or lost rights.
 */
export async function requireSession(tx: Tx, actor: Actor | null): Promise<{ createdAt: Date }> {
  const [session] = await tx
    .select({ createdAt: sessions.createdAt })
    .from(sessions)
    .where(eq(sessions.idHash, actor?.session.idHash ?? ""));
  if (!session) throw new AppError("unauthenticated", errorTexts.signInRequired);
  return session;
}

/**
 * Locks the caller's account until the commit, so that blocking and closing it see what is written here: in share mode, or
 * alone where what else the person does counts.
 * Throws as {@link requireSession} does.
 */
export async function requireOpenAccount(
  tx: Tx,
  actor: Actor,
  lock: "share" | "no key update" = "share",
): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, actor.id)).for(lock);
  await requireSession(tx, actor);
}

/** Part of a transaction: the caller has just given the password, and the code where there is one, in this session. */
export async function markProved(tx: Tx, { clock, actor }: { clock: Clock; actor: Actor }): Promise<void> {
  await tx.update(sessions).set({ provedAt: clock.now() }).where(eq(sessions.idHash, actor.session.idHash));
}

/** Returns which of the given sessions are still valid, without extending them. */
export async function findStandingSessions({ db, clock }: SessionDeps, idHashes: string[]): Promise<Set<string>> {
  const found = await db
    .select({ session: sessions, timeout: settingValue(sessionTimeoutKey) })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(inArray(sessions.idHash, idHashes), eq(users.isBlocked, false), isNull(users.closedAt)));
  const standing = found.filter(
    ({ session, timeout }) =>
      expiryOf({ ...session, idleLimitMinutes: idleLimitOf(session.kind, timeout) }) > clock.now(),
  );
  return new Set(standing.map(({ session }) => session.idHash));
}

/**
 * Extends the idle limit after a real action of the person. Call it only with a session that findActor just accepted.
 */
export async function touchSession({ db, clock }: { db: Db; clock: Clock }, actor: Actor): Promise<Date> {
  const now = clock.now();
  const [row] = await db
    .update(sessions)
    .set({ lastActivityAt: sql`greatest(${sessions.lastActivityAt}, ${now.toISOString()}::timestamptz)` })
    .where(eq(sessions.idHash, actor.session.idHash))
    .returning();
  await db.update(users).set({ lastActivityAt: now }).where(eq(users.id, actor.id));
  return row ? expiryOf({ ...row, idleLimitMinutes: actor.session.idleLimitMinutes }) : now;
}

/** Deletes sessions past the absolute limit; called by a scheduled job. */
export async function deleteExpiredSessions(deps: SessionDeps): Promise<void> {
  await luciaFor(deps).deleteExpiredSessions();
}

/** A session's public name for lists. It can't be used to sign in. */
export const sessionName = (idHash: string): string => hashToken(`name of a session: ${idHash}`);

/** A person's valid sessions, latest activity first. */
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

/** Ends one session of a person by its {@link sessionName}. Returns its hash, or null if it doesn't exist any more. */
export async function endSessionNamed(db: DbOrTx, userId: string, name: string): Promise<string | null> {
  const found = await db.select({ idHash: sessions.idHash }).from(sessions).where(eq(sessions.userId, userId));
  const named = found.find(({ idHash }) => sessionName(idHash) === name);
  if (!named) return null;
  await db.delete(sessions).where(and(eq(sessions.idHash, named.idHash), eq(sessions.userId, userId)));
  return named.idHash;
}

/** Ends all of a person's sessions, or all but one. Call it in the transaction that changes rights or password. */
export async function endSessionsOf(db: DbOrTx, userId: string, keepIdHash?: string): Promise<void> {
  const ofUser = eq(sessions.userId, userId);
  await db.delete(sessions).where(keepIdHash ? and(ofUser, ne(sessions.idHash, keepIdHash)) : ofUser);
}
