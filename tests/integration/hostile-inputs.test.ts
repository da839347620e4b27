import { getTRPCErrorFromUnknown, getTRPCErrorShape } from "@trpc/server";
import { eq, sql } from "drizzle-orm";
import superjson from "superjson";
import { beforeAll, expect, test } from "vitest";
import type { z } from "zod";
import { findActor } from "#server/accounts/sessions.ts";
import { rows } from "#server/db/open.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { projectBackings, projectFavorites, projectMedia, projectMessages } from "#server/db/schema/projects.ts";
import { sessions } from "#server/db/schema/sessions.ts";
import { contactMessages, jobApplications } from "#server/db/schema/team.ts";
import { signMailLink } from "#server/features/notifications/rules.ts";
import type { Context } from "#server/platform/context.ts";
import { cookieName, sessionCookieName } from "#server/platform/context.ts";
import { createCallerFactory } from "#server/platform/procedures.ts";
import { appRouter } from "#server/router.ts";
import { errorReasons } from "#shared/errors.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { type HostileInput, hostileInputsFor, hostileStrings } from "#tests/support/hostile-values.ts";
import { isLong } from "#tests/support/length.ts";
import { createPayment, expectMoneyHolds, findProject, seen } from "#tests/support/money.ts";
import { tell } from "#tests/support/notices.ts";
import { blockUser, type CookieJar, callAs, cookieJar, createAdmin, createUser } from "#tests/support/people.ts";
import { projectFormOf } from "#tests/support/project-form.ts";
import { createProject } from "#tests/support/projects.ts";

/**
 * Every input to a procedure, whoever sends it, is answered or refused with a reason and a sentence. A refusal leaves
 * the database as it was, and nobody reads what belongs to another person.
 */
const actors = ["anonymous", "backer", "viewer", "manager", "owner", "blocked"] as const;
type ActorName = (typeof actors)[number];
/** The usual account, and the one that may do everything. */
const triesMany: ActorName[] = ["backer", "owner"];

type Procedure = { _def: { type: string; inputs: z.ZodType[] } };
// At run time this is flat, a path to each procedure; its type is nested.
const flat: object = appRouter._def.procedures;
const procedures: Record<string, Procedure> = Object.fromEntries(Object.entries(flat));
const createCaller = createCallerFactory(appRouter);

const deps = await openTestDeps({ env: { REQUIRE_EMAIL_CONFIRMATION: "false" } });
const contexts = new Map<ActorName, Context>();
/** Sound values by field name; ids are another person's. */
let known: Record<string, unknown>;
let theirProjectId: number;
/** A project that calls may delete: later calls need the others. */
let doomedProjectId: number;

/** Texts that are nobody else's business: of the other person, of their payment and its receipt. */
let secrets: string[];
const canary = "zebra-canary";
const isTold = (text: string) => secrets.some((secret) => text.includes(secret));

beforeAll(async () => {
  const formToken = "ab".repeat(32);
  for (const name of actors) {
    const jar = cookieJar({ [cookieName(deps.env, "form-token")]: formToken });
    contexts.set(name, await contextFor(name, jar));
  }
  const victim = await createUser(deps.db, { fullName: `Other ${canary}`, email: `${canary}@example.com` });
  const { payment, owner } = await createPayment(deps, { backer: victim });
  const { seenReceiptSha256 } = await seen(deps.db, payment.id);
  secrets = [canary, victim.id, payment.reference, payment.currentReceiptId ?? canary, seenReceiptSha256 ?? canary];
  // A project of theirs alone: it shows in nobody else's lists.
  const theirs = await createPayment(deps, { backer: victim, owner, status: "approved" });
  theirProjectId = theirs.project.id;
  await deps.db.insert(projectFavorites).values({ projectId: theirProjectId, userId: victim.id });
  for (const projectId of [theirProjectId, payment.projectId ?? 0])
    await deps.db
      .insert(projectMessages)
      .values({ projectId, userId: victim.id, content: `About ${canary}`, isAdminReply: false });
  doomedProjectId = (await createProject(deps.db)).id;
  await tell(deps, [victim.id], { title: `For ${canary}` });
  const who = { email: victim.email, phone: "+234 803 000 0000" };
  const [application] = await deps.db
    .insert(jobApplications)
    .values({ ...who, fullName: victim.fullName, position: "Farm Hand", coverLetter: `About ${canary}` })
    .returning({ id: jobApplications.id });
  const [message] = await deps.db
    .insert(contactMessages)
    .values({ ...who, name: victim.fullName, message: `A message about ${canary}` })
    .returning({ id: contactMessages.id });
  const [theirNotification] = await deps.db.select().from(notifications).where(eq(notifications.userId, victim.id));
  const [theirMedia] = await deps.db
    .insert(projectMedia)
    .values({ projectId: payment.projectId ?? 0, type: "photo", url: "/scenes/goat-herd.svg" })
    .returning({ id: projectMedia.id });
  known = {
    ...projectFormOf(),
    projectId: payment.projectId,
    paymentId: payment.id,
    mediaId: theirMedia?.id,
    type: "photo",
    url: "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    altText: "The pond",
    selectedId: payment.projectId,
    sameReceiptAs: payment.id,
    applicationId: application?.id,
    messageId: message?.id,
    isRead: true,
    notificationId: theirNotification?.id,
    upToId: theirNotification?.id,
    kind: "project_update",
    token: signMailLink(deps.appSecret, { userId: victim.id, kind: "project_media" }),
    cursor: null,
    status: "approved",
    seenStatus: "approved",
    seenReceiptSha256: "0".repeat(64),
    email: victim.email,
    password: "Wrong-Password-1",
    acceptTerms: true,
    fullName: "Hostile Person",
    formToken,
    search: "",
    page: 1,
    pageSize: 10,
    from: "2026-11-01",
    to: "2026-11-30",
    userId: victim.id,
    role: "manager",
    values: { supportemail: "support@example.com" },
    value: "A value",
    seenValue: "A value",
    content: "How are the fish?",
    name: "Hostile Person",
    phone: "+234 803 000 0000",
    message: "A message that is long enough.",
    idempotencyKey: crypto.randomUUID(),
    seenUpdatedAt: (await findProject(deps.db, payment.projectId ?? 0)).updatedAt,
  };
});

async function contextFor(name: ActorName, jar: CookieJar): Promise<Context> {
  const person =
    name === "anonymous" ? name : await (name === "backer" ? createUser(deps.db) : createAdmin(deps.db, roleOf(name)));
  await callAs(deps, person, { jar });
  // Blocking ends sessions too; here the session is left, so that the guard itself is tested.
  if (name === "blocked" && person !== "anonymous") await blockUser(deps.db, person.id);
  const actor = await findActor(deps, jar.get(sessionCookieName(deps.env)));
  // One address for all: the limit of attempts keeps the number of password hashes, and with it the time, small.
  return { ...deps, actor, ipAddress: "203.0.113.7", userAgent: "Hostile", cookies: jar };
}

const roleOf = (name: ActorName) => (name === "viewer" || name === "manager" ? name : "owner");

/** Tables that count attempts, or that any call may write to. */
const unwatchedTables = ["sessions", "rate_limits", "sign_in_counters", "used_challenges", "known_devices"];

beforeAll(async () => {
  await deps.db.execute(sql`create table writes (name text not null)`);
  await deps.db.execute(sql`create function note_write() returns trigger language plpgsql as
    $$ begin insert into public.writes values (tg_table_name); return null; end $$`);
  const tables = await rows<{ name: string }>(
    deps.db,
    sql`select tablename as name from pg_tables
      where schemaname = 'public' and tablename <> 'writes' and tablename not in ${unwatchedTables}`,
  );
  for (const { name } of tables)
    await deps.db.execute(sql`create trigger note_write after insert or update or delete
      on ${sql.identifier(name)} for each row execute function note_write()`);
});

/** Returns the tables written to since the last call, without writes that were rolled back. */
async function drainWrites(): Promise<string[]> {
  const found = await rows<{ name: string }>(deps.db, sql`delete from writes returning name`);
  return [...new Set(found.map(({ name }) => name))];
}

/** Returns the time of each session's last activity. */
async function activity(): Promise<Map<string, string>> {
  const found = await deps.db.select({ id: sessions.idHash, at: sessions.lastActivityAt }).from(sessions);
  return new Map(found.map(({ id, at }) => [id, at.toISOString()]));
}

type Answer = { ok: true; value: unknown } | { ok: false; error: unknown };

async function call(actor: ActorName, path: string, input: unknown): Promise<Answer> {
  const ctx = contexts.get(actor);
  if (!ctx) throw new Error(`no context for ${actor}`);
  const [area, name] = path.split(".") as [string, string];
  const caller = createCaller(ctx) as unknown as Record<string, Record<string, (input: unknown) => Promise<unknown>>>;
  try {
    return { ok: true, value: await caller[area]?.[name]?.(input) };
  } catch (error) {
    return { ok: false, error };
  }
}

/** Returns what is wrong with a refusal as it leaves the server, or null. */
function faultOf(path: string, thrown: unknown): string | null {
  const error = getTRPCErrorFromUnknown(thrown);
  const shape = getTRPCErrorShape({
    config: appRouter._def._config,
    error,
    type: "unknown",
    path,
    input: undefined,
    ctx: undefined,
  });
  const { message, data } = shape as { message: unknown; data: { code: string; reason: unknown } };
  if (data.code === "INTERNAL_SERVER_ERROR" || data.reason === "internal")
    return `${data.code}: ${[error.message, (error.cause?.cause ?? error.cause) as unknown].map(String).join(" / ")}`.slice(
      0,
      300,
    );
  if (!errorReasons.some((reason) => reason === data.reason)) return `reason ${String(data.reason)}`;
  if (typeof message !== "string" || !/^\p{Lu}.{5,200}$/u.test(message))
    return `message ${JSON.stringify(message)}`.slice(0, 300);
  return isTold(JSON.stringify(shape)) ? `told of another person: ${JSON.stringify(shape)}` : null;
}

/** Restores the actors' sessions, which some calls end, so that the next call is signed in too. */
async function keepSignedIn(): Promise<void> {
  const at = deps.clock.now();
  const device = { device: "Hostile", ipAddress: "203.0.113.7", lastActivityAt: at, createdAt: at };
  const all = signedIn().map(({ id, session: { idHash, kind } }) => ({ idHash, kind, userId: id, ...device }));
  await deps.db.insert(sessions).values(all).onConflictDoNothing();
}

const signedIn = () => [...contexts.values()].flatMap(({ actor }) => actor ?? []);

/** True if the actor may view payments or, on the dashboard and beside messages, the names of backers. */
const maySeeBackers = (actor: ActorName, path: string) =>
  actor === "manager" ||
  actor === "owner" ||
  (actor === "viewer" && ["dashboard.projects", "messages.list"].includes(path));

test("a write is noticed", async () => {
  await drainWrites();
  await tell(deps, [(await createUser(deps.db)).id], { title: "A title" });
  expect(await drainWrites()).toEqual(expect.arrayContaining(["users", "notifications"]));
});

test.each(actors)("the lists of %s hold nothing of another person", async (actor) => {
  for (const path of ["favorites.ids", "favorites.mine", "backings.mine", "payments.listMyPending"]) {
    const answer = await call(actor, path, path.endsWith(".mine") ? {} : undefined);
    if (answer.ok)
      expect([[], { items: [], nextCursor: null }, { pending: [], rejected: [], approved: [] }]).toContainEqual(
        answer.value,
      );
  }
  if (actor === "backer") {
    const answer = await call(actor, "backings.project", { projectId: theirProjectId });
    expect(answer).toMatchObject({ ok: false, error: { code: "NOT_FOUND" } });
  }
});

/** Where a procedure's sound input differs from the others'. */
const soundFor: Record<string, Record<string, unknown>> = {
  get "projects.delete"() {
    return { projectId: doomedProjectId };
  },
  "careers.applicants": { status: "new" },
  "careers.setApplicantStatus": { status: "reviewed" },
};

/** The number of tries of each kind of hostile input, by the actors who try many. */
const tries = new Map<string, number>();

/**
 * Returns the sound input, and for `triesMany` the three hostile ones whose kinds were tried least, starting at another
 * field for each procedure, so that all kinds are tried. The nightly run tries all inputs, as everybody.
 */
function chosen(path: string, actor: ActorName): HostileInput[] {
  const inputs = [...hostileInputsFor(procedures[path]?._def.inputs[0], { ...known, ...soundFor[path] })];
  if (isLong) return inputs;
  const sound = inputs.filter(({ name }) => name === "sound");
  if (!triesMany.includes(actor)) return sound;
  const hostile = inputs.filter(({ name }) => name !== "sound");
  const start = (path.length * 7) % hostile.length;
  const fewest = [...hostile.slice(start), ...hostile.slice(0, start)]
    .sort((one, other) => triesOf(one) - triesOf(other))
    .slice(0, 3);
  for (const input of fewest) tries.set(input.kind, triesOf(input) + 1);
  for (const { kind } of hostile) tries.set(kind, tries.get(kind) ?? 0);
  return [...sound, ...fewest];
}

const triesOf = ({ kind }: HostileInput) => tries.get(kind) ?? 0;

test.each(Object.keys(procedures))("%s answers everybody or refuses with a reason", async (path) => {
  const isQuery = procedures[path]?._def.type === "query";
  const faults: string[] = [];
  await keepSignedIn();
  const seenBefore = await activity();
  deps.clock.advance({ seconds: 1 });
  await drainWrites();
  for (const actor of actors) {
    for (const { name, input } of chosen(path, actor)) {
      const answer = await call(actor, path, input);
      const fault = answer.ok ? null : faultOf(path, answer.error);
      if (fault) faults.push(`${actor}, ${name}: ${fault}`);
      if (answer.ok && !maySeeBackers(actor, path) && isTold(superjson.stringify(answer.value)))
        faults.push(`${actor}, ${name}: told of another person`);
      const changed = await drainWrites();
      if (changed.length > 0 && (isQuery || !answer.ok))
        faults.push(`${actor}, ${name}: ${answer.ok ? "a query" : "refused"}, but changed ${changed}`);
    }
  }
  expect(faults).toEqual([]);
  // Asking, polling and writing keep no session alive: only a real event of the person does.
  const slid = [...(await activity())].filter(([id, at]) => seenBefore.has(id) && seenBefore.get(id) !== at);
  expect(slid).toHaveLength(path === "auth.touch" ? signedIn().length : 0);
  expect(Reflect.get({}, "isAdmin")).toBeUndefined();
});

test.skipIf(isLong)("each kind of hostility was tried", () => {
  expect(tries.size).toBeGreaterThan(100);
  expect([...tries].filter(([, times]) => times === 0)).toEqual([]);
});

test("a hostile reason of a rejection is kept to the letter or refused, and the books hold", async () => {
  const { payment } = await createPayment(deps);
  for (const reason of hostileStrings) {
    const before = await seen(deps.db, payment.id);
    const answer = await call("owner", "payments.setStatus", { ...before, status: "rejected", reason });
    const after = await seen(deps.db, payment.id);
    if (answer.ok) await call("owner", "payments.setStatus", { ...after, status: "pending" });
    else expect([faultOf("payments.setStatus", answer.error), after]).toEqual([null, before]);
  }
  await expectMoneyHolds(deps);
});

test("the next page opens where the last row has a name and a title as long as they may be", async () => {
  const backer = await createUser(deps.db, { fullName: "Ọ".repeat(200) });
  for (let made = 0; made < 51; made += 1) {
    const project = await createProject(deps.db, { title: `${"Ẹ".repeat(95)} ${made}` });
    await deps.db
      .insert(projectBackings)
      .values({ projectId: project.id, userId: backer.id, grantedAt: deps.clock.now() });
  }
  const first = await call("owner", "dashboard.projects", { sort: "backer", search: "Ẹ" });
  if (!first.ok) throw first.error;
  const { nextCursor } = first.value as { nextCursor: string };
  const second = await call("owner", "dashboard.projects", { sort: "backer", search: "Ẹ", cursor: nextCursor });
  expect(second).toMatchObject({ ok: true, value: { items: [{ backerName: backer.fullName }], nextCursor: null } });
});
