import { createHash } from "node:crypto";
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { findActor, startSession } from "#server/accounts/sessions.ts";
import type { Db, Tx } from "#server/db/open.ts";
import { notifications, outgoingMails } from "#server/db/schema/notifications.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { knownDevices, sessions } from "#server/db/schema/sessions.ts";
import { askSecondPerson, confirmRequest } from "#server/features/second-person/service.ts";
import { newFileKey } from "#server/files/storage.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { openSite } from "#server/platform/site.ts";
import { dayMs } from "#shared/lagos-time.ts";
import type { askSecondPersonInput } from "#shared/second-person/inputs.ts";
import type { DemoFarm } from "./demo-data.ts";

/**
 * Who acts in the demo's past, and when. What people did is done by the product itself, with a clock of that day, inside the
 * seed's transaction: all of the demo is there or nothing. No job is made, no browser is told, and no mail goes out.
 */

/** Somebody's sign-in. */
export type SignIn = { email: string; password: string };
export type Person = SignIn & { id: string; fullName: string };
/** The ids are 0 until the day on which the farm began. */
export type SeededFarm = DemoFarm & { projectId: number; farmId: number };

/** Something that happened on a day of the past. */
export type Step = { at: Date; run(): Promise<unknown> };

/** The means of acting before anybody has joined. */
export type Desk = {
  tx: Tx;
  now: Date;
  ago: (days: number) => Date;
  asVisitor: (at: Date) => Context;
  /** Signs an administrator in, for the time of the seed. Gives the context of their acts. */
  signIn: (person: { id: string }) => Promise<(at: Date) => ActorContext>;
  /** A file without a row is swept later, as other orphans are. */
  storeFile: (bytes: Uint8Array, kind: "receipt" | "evidence" | "photo") => Promise<{ key: string; sha256: string }>;
};

export type Office = Omit<Desk, "signIn"> & {
  as: (who: "owner" | "second", at: Date) => ActorContext;
  /** As any other person, for acts that ask for no session. */
  asPerson: (person: Person, at: Date) => ActorContext;
  ownAccountId: number;
  backer: Person;
  people: Person[];
  /** Who reports for a farm. Throws if nobody does. */
  personOf: (slug: string) => Person;
  farms: SeededFarm[];
  /** Throws if the demo has no farm with the slug. */
  farmOf: (slug: string) => SeededFarm;
};

export async function openDesk(tx: Tx, deps: Deps): Promise<Desk> {
  const now = deps.clock.now();
  // A transaction within one is a savepoint.
  const db: Db = tx;
  const quiet = {
    ...deps,
    db,
    // Addresses are confirmed by the mailed links, as on a site that sends mails.
    env: { ...deps.env, requireEmailConfirmation: true },
    log: deps.log.child({}, { level: "error" }),
    ipAddress: "127.0.0.1",
    userAgent: "",
    jobs: { ...deps.jobs, enqueue: async () => {} },
    events: { ...deps.events, publish: async () => {}, subscribe: () => () => {} },
  };
  const site = await openSite(quiet);
  const asVisitor = (at: Date): Context => {
    const jar = new Map<string, string>();
    const cookies = {
      get: (name: string) => jar.get(name),
      set: (name: string, value: string) => void jar.set(name, value),
      clear: (name: string) => void jar.delete(name),
      clearStorage: () => {},
    };
    return { ...quiet, site, cookies, actor: null, clock: { now: () => at } };
  };
  const signIn = async ({ id: userId }: { id: string }) => {
    const ctx = asVisitor(now);
    const token = await startSession(ctx, { userId, kind: "admin", device: "", ipAddress: "127.0.0.1" });
    const actor = await findActor(ctx, token);
    if (!actor) throw new Error("a demo owner can't sign in");
    return (at: Date): ActorContext => ({
      ...asVisitor(at),
      actor: { ...actor, session: { ...actor.session, provedAt: at } },
    });
  };
  return {
    tx,
    now,
    ago: (days) => new Date(now.getTime() - days * dayMs),
    asVisitor,
    signIn,
    async storeFile(bytes, kind) {
      const key = newFileKey(kind);
      await deps.storage.write(key, bytes);
      return { key, sha256: createHash("sha256").update(bytes).digest("hex") };
    },
  };
}

/** As somebody who is no administrator, in the session of one. */
export const asOther = (ctx: ActorContext, { id, email, fullName }: Person): ActorContext => ({
  ...ctx,
  actor: { ...ctx.actor, id, email, fullName, isAdmin: false, roles: [], permissions: [] },
});

/** The token of the link in the newest mail to somebody. */
export async function findMailedToken({ tx }: Pick<Desk, "tx">, email: string): Promise<string> {
  const isTo = eq(outgoingMails.recipient, email);
  const [mail] = await tx.select().from(outgoingMails).where(isTo).orderBy(desc(outgoingMails.id)).limit(1);
  const [, token = ""] = /access_token=([^\s&]+)/.exec(mail?.text ?? "") ?? [];
  return decodeURIComponent(token);
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

/** Signs everybody out, takes back the mails of the past, and has older notifications read. */
export async function closeOffice({ tx, now }: Office): Promise<void> {
  await tx.delete(sessions);
  await tx.delete(knownDevices);
  await tx.delete(outgoingMails);
  const readUntil = new Date(now.getTime() - readAfterDays * dayMs).toISOString();
  await tx.update(notifications).set({
    emailSent: true,
    isRead: sql`${notifications.isRead} or ${notifications.createdAt} < ${readUntil}::timestamptz`,
  });
}
