import { eq, inArray, sql } from "drizzle-orm";
import { findActor, startSession } from "#server/accounts/sessions.ts";
import type { Db, Tx } from "#server/db/open.ts";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { notifications, outgoingMails } from "#server/db/schema/notifications.ts";
import { sessions } from "#server/db/schema/sessions.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { dayMs } from "#shared/lagos-time.ts";
import type { DemoFarm } from "./demo-data.ts";

/**
 * Who acts in the demo's past, and when. What people did is done by the product itself, with a clock of that day, inside the
 * seed's transaction: all of the demo is there or nothing. No job is made, no browser is told, and no mail goes out.
 */

export type Person = { id: string; email: string; fullName: string };
export type SeededFarm = DemoFarm & { projectId: number };
export type StoreFile = (bytes: Uint8Array, kind: "receipt" | "evidence") => Promise<{ key: string; sha256: string }>;

/** Something that happened on a day of the past. */
export type Step = { at: Date; run(): Promise<void> };

export type Office = {
  tx: Tx;
  now: Date;
  ago: (days: number) => Date;
  as: (who: "owner" | "second", at: Date) => ActorContext;
  /** As any other person, for acts that ask for no session. */
  asPerson: (person: Person, at: Date) => ActorContext;
  ownAccountId: number;
  backer: Person;
  people: Person[];
  farmOf: (slug: string) => SeededFarm;
  storeFile: StoreFile;
};

type OfficeInput = {
  deps: Deps;
  now: Date;
  owner: Person;
  second: Person;
  backer: Person;
  people: Person[];
  farmOf: (slug: string) => SeededFarm;
  storeFile: StoreFile;
};

/** Signs the two owners in, for the time of the seed. */
export async function openOffice(tx: Tx, { deps, owner, second, ...demo }: OfficeInput): Promise<Office> {
  const { now } = demo;
  // A transaction within one is a savepoint.
  const db: Db = tx;
  const quiet = {
    ...deps,
    db,
    ipAddress: "127.0.0.1",
    userAgent: "",
    jobs: { ...deps.jobs, enqueue: async () => {} },
    events: { ...deps.events, publish: async () => {} },
    cookies: { get: () => undefined, set: () => {}, clear: () => {}, clearStorage: () => {} },
  };
  const actors = { owner: await signIn(owner), second: await signIn(second) };
  async function signIn({ id: userId }: Person) {
    const at = { ...quiet, clock: { now: () => now } };
    const token = await startSession(at, { userId, kind: "admin", device: "", ipAddress: "127.0.0.1" });
    const actor = await findActor(at, token);
    if (!actor) throw new Error("a demo owner can't sign in");
    return actor;
  }
  const [account] = await tx.select({ id: ownAccounts.id }).from(ownAccounts).where(eq(ownAccounts.isActive, true));
  if (!account) throw new Error("the demo has no account to pay into");
  const as = (who: keyof typeof actors, at: Date): ActorContext => ({
    ...quiet,
    actor: { ...actors[who], session: { ...actors[who].session, provedAt: at } },
    clock: { now: () => at },
  });
  return {
    ...demo,
    tx,
    ownAccountId: account.id,
    as,
    ago: (days) => new Date(now.getTime() - days * dayMs),
    asPerson: (person, at) => ({
      ...as("owner", at),
      actor: { ...actors.owner, ...person, isAdmin: false, roles: [], permissions: [] },
    }),
  };
}

const readAfterDays = 2;

/** Signs the owners out, takes back the mails of the past, and has older notifications read. */
export async function closeOffice(
  tx: Tx,
  { now, ...people }: { now: Date; owner: Person; second: Person },
): Promise<void> {
  await tx.delete(sessions).where(inArray(sessions.userId, [people.owner.id, people.second.id]));
  await tx.delete(outgoingMails);
  const readUntil = new Date(now.getTime() - readAfterDays * dayMs).toISOString();
  await tx.update(notifications).set({
    emailSent: true,
    isRead: sql`${notifications.isRead} or ${notifications.createdAt} < ${readUntil}::timestamptz`,
  });
}
