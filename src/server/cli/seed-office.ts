import { createHash } from "node:crypto";
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { findActor, startSession } from "#server/accounts/sessions.ts";
import type { Db, Tx } from "#server/db/open.ts";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { notifications, outgoingMails } from "#server/db/schema/notifications.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { sessions } from "#server/db/schema/sessions.ts";
import { askSecondPerson, confirmRequest } from "#server/features/second-person/service.ts";
import { newFileKey } from "#server/files/storage.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { dayMs } from "#shared/lagos-time.ts";
import type { askSecondPersonInput } from "#shared/second-person/inputs.ts";
import type { DemoFarm } from "./demo-data.ts";

/**
 * Who acts in the demo's past, and when. What people did is done by the product itself, with a clock of that day, inside the
 * seed's transaction: all of the demo is there or nothing. No job is made, no browser is told, and no mail goes out.
 */

export type Person = { id: string; email: string; fullName: string };
export type SeededFarm = DemoFarm & { projectId: number; farmId: number };

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
  farms: SeededFarm[];
  /** Throws if the demo has no farm with the slug. */
  farmOf: (slug: string) => SeededFarm;
  /** A file without a row is swept later, as other orphans are. */
  storeFile: (bytes: Uint8Array, kind: "receipt" | "evidence" | "photo") => Promise<{ key: string; sha256: string }>;
};

export type DemoPeople = { owner: Person; second: Person; backer: Person; people: Person[] };
type OfficeInput = DemoPeople & { deps: Deps; farms: SeededFarm[] };

/** Signs the two owners in, for the time of the seed. */
export async function openOffice(tx: Tx, { deps, owner, second, backer, people, farms }: OfficeInput): Promise<Office> {
  const now = deps.clock.now();
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
    tx,
    now,
    backer,
    people,
    farms,
    farmOf(slug) {
      const farm = farms.find((one) => one.slug === slug);
      if (!farm) throw new Error(`the demo has no farm ${slug}`);
      return farm;
    },
    async storeFile(bytes, kind) {
      const key = newFileKey(kind);
      await deps.storage.write(key, bytes);
      return { key, sha256: createHash("sha256").update(bytes).digest("hex") };
    },
    ownAccountId: account.id,
    as,
    ago: (days) => new Date(now.getTime() - days * dayMs),
    asPerson: (person, at) => ({
      ...as("owner", at),
      actor: { ...actors.owner, ...person, isAdmin: false, roles: [], permissions: [] },
    }),
  };
}

/** The newest open request of a kind is confirmed by the second owner. */
export async function confirmAsSecond(office: Office, at: Date, kind: Asked["kind"]): Promise<void> {
  const isOpen = and(eq(secondPersonRequests.kind, kind), isNull(secondPersonRequests.decision));
  const requests = await office.tx.select({ id: secondPersonRequests.id }).from(secondPersonRequests).where(isOpen);
  await confirmRequest(office.as("second", at), { requestId: requests.at(-1)?.id ?? 0 });
}

type Asked = z.output<typeof askSecondPersonInput>;

/** One owner asks, and the other confirms at once. */
export async function byTwoOwners(office: Office, at: Date, asked: Asked): Promise<void> {
  await askSecondPerson(office.as("owner", at), asked);
  await confirmAsSecond(office, at, asked.kind);
}

const readAfterDays = 2;

/** Signs the owners out, takes back the mails of the past, and has older notifications read. */
export async function closeOffice(
  { tx, now }: Office,
  { owner, second }: Pick<DemoPeople, "owner" | "second">,
): Promise<void> {
  await tx.delete(sessions).where(inArray(sessions.userId, [owner.id, second.id]));
  await tx.delete(outgoingMails);
  const readUntil = new Date(now.getTime() - readAfterDays * dayMs).toISOString();
  await tx.update(notifications).set({
    emailSent: true,
    isRead: sql`${notifications.isRead} or ${notifications.createdAt} < ${readUntil}::timestamptz`,
  });
}
