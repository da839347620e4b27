import { eq } from "drizzle-orm";
import { hashPassword } from "#server/accounts/passwords.ts";
import { findActor, startSession } from "#server/accounts/sessions.ts";
import type { Db } from "#server/db/open.ts";
import { ownerTerms, userGrants, userRoles, users } from "#server/db/schema/users.ts";
import type { Context, Cookies } from "#server/platform/context.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { createCallerFactory } from "#server/platform/procedures.ts";
import { appRouter } from "#server/router.ts";
import { type Grant, grants, type Role } from "#shared/permissions.ts";

export type TestUser = typeof users.$inferSelect & { password: string };

export const testPassword = "Catfish-Pond-42";
const createCaller = createCallerFactory(appRouter);
let created = 0;
let testPasswordHash: Promise<string> | undefined;

/** A person with an account, verified and not blocked unless said otherwise. Gives the row with the plain password. */
export async function createUser(
  db: Db,
  values: Partial<Omit<typeof users.$inferInsert, "passwordHash">> & { password?: string } = {},
): Promise<TestUser> {
  const { password = testPassword, ...columns } = values;
  testPasswordHash ??= hashPassword(testPassword);
  const passwordHash = password === testPassword ? await testPasswordHash : await hashPassword(password);
  created += 1;
  const defaults = {
    email: `person-${created}-${crypto.randomUUID().slice(0, 8)}@example.com`,
    fullName: `Person ${created}`,
    emailVerifiedAt: new Date("2026-01-01T00:00:00Z"),
  };
  const [row] = await db
    .insert(users)
    .values({ ...defaults, ...columns, passwordHash })
    .returning();
  if (!row) throw new Error("the person was not inserted");
  return { ...row, password };
}

/** An administrator with one role; without a role only `projects:view` is theirs. */
export async function createAdmin(
  db: Db,
  role: Role | null,
  values: Parameters<typeof createUser>[1] = {},
): Promise<TestUser> {
  const user = await createUser(db, { ...values, isAdmin: true });
  if (role) await giveRole(db, user.id, role);
  return user;
}

/** Owners of tests have been owners for long, unless it is said since when. */
export async function giveRole(db: Db, userId: string, role: Role, since = longAgo): Promise<void> {
  await db.insert(userRoles).values({ userId, role });
  if (role === "owner") await db.insert(ownerTerms).values({ userId, since });
}

/** An administrator without a role, with a grant that an owner gave. */
export async function createGranted(
  db: Db,
  grant: Grant,
  values: Parameters<typeof createUser>[1] = {},
): Promise<TestUser> {
  const user = await createAdmin(db, null, values);
  const { id: givenBy } = await createUser(db);
  await db.insert(userGrants).values({ userId: user.id, grant, givenBy });
  return user;
}

const longAgo = new Date("2025-01-01T00:00:00Z");

/** Takes every administrator's rights, or one's, as if they had never had any. */
export async function dismissAdmins(db: Db, userId?: string): Promise<void> {
  await db.delete(ownerTerms).where(userId ? eq(ownerTerms.userId, userId) : undefined);
  await db
    .update(users)
    .set({ isAdmin: false })
    .where(userId ? eq(users.id, userId) : undefined);
}

export async function blockUser(db: Db, userId: string): Promise<void> {
  await db.delete(ownerTerms).where(eq(ownerTerms.userId, userId));
  await db.update(users).set({ isBlocked: true }).where(eq(users.id, userId));
}

/** One browser's cookies, with the options they were set with. */
export interface CookieJar extends Cookies {
  values: Map<string, string>;
  options: Map<string, Parameters<Cookies["set"]>[2]>;
}

export function cookieJar(initial: Record<string, string> = {}): CookieJar {
  const values = new Map(Object.entries(initial));
  const options: CookieJar["options"] = new Map();
  return {
    values,
    options,
    get: (name) => values.get(name),
    set: (name, value, how) => {
      values.set(name, value);
      options.set(name, how);
    },
    clear: (name) => {
      values.delete(name);
      options.delete(name);
    },
    clearStorage: () => undefined,
  };
}

export type Who = "anonymous" | "backer" | Role | Grant | Pick<TestUser, "id" | "isAdmin">;

export type CallOptions = {
  jar?: CookieJar;
  ipAddress?: string;
  userAgent?: string;
  /** False for a session whose person hasn't just given the password: what needs that is refused. */
  isProved?: boolean;
};

const isGrant = (who: string): who is Grant => grants.some((grant) => grant === who);

async function findOrCreatePerson(
  deps: Deps,
  who: Exclude<Who, "anonymous">,
): Promise<Pick<TestUser, "id" | "isAdmin">> {
  if (typeof who !== "string") return who;
  if (isGrant(who)) return createGranted(deps.db, who);
  return who === "backer" ? createUser(deps.db) : createAdmin(deps.db, who);
}

/**
 * Calls the procedures as somebody, with a real session row behind a cookie: a new backer or administrator of the named
 * role, or the given person. Each call reads cookie and rights anew, as a request does, and cookies that a call sets
 * stay for the next one.
 */
export async function callAs(deps: Deps, who: Who, options: CallOptions = {}) {
  const { jar = cookieJar(), ipAddress = "203.0.113.7", userAgent = "Test browser", isProved = true } = options;
  const cookieName = sessionCookieName(deps.env);
  if (who !== "anonymous") {
    const person = await findOrCreatePerson(deps, who);
    const kind = person.isAdmin ? "admin" : "backer";
    jar.set(cookieName, await startSession(deps, { userId: person.id, kind, device: userAgent, ipAddress }), {
      sameSite: "lax",
      httpOnly: true,
    });
  }
  const findCaller = async () => {
    const actor = await findActor(deps, jar.get(cookieName));
    return actor && isProved ? { ...actor, session: { ...actor.session, provedAt: deps.clock.now() } } : actor;
  };
  const context = async (): Promise<Context> => ({
    ...deps,
    actor: await findCaller(),
    ipAddress,
    userAgent,
    cookies: jar,
  });
  return createCaller(context);
}

export type Caller = Awaited<ReturnType<typeof callAs>>;
