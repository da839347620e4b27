import { sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { endSessionsOf, startSession } from "#server/accounts/sessions.ts";
import { buildApp } from "#server/app.ts";
import { inTransaction } from "#server/db/open.ts";
import { projectBackings } from "#server/db/schema/projects.ts";
import { sessions } from "#server/db/schema/sessions.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import type { LiveEvent } from "#server/platform/events.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { listening } from "#tests/support/http-app.ts";
import { type LiveStream, openLiveStream } from "#tests/support/live-stream.ts";
import { tell } from "#tests/support/notices.ts";
import { blockUser, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject, type TestProject } from "#tests/support/projects.ts";

const deps = await openTestDeps();

describe("events", () => {
  test("are heard when their transaction commits, and not when it is undone", async () => {
    const heard: unknown[] = [];
    const stop = deps.events.subscribe((event) => heard.push(event));
    const event: LiveEvent = { type: "messages", projectId: 12 };
    const undone = inTransaction(deps.db, async (tx) => {
      await deps.events.publish(tx, { type: "messages", projectId: 11 });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    await inTransaction(deps.db, async (tx) => {
      await deps.events.publish(tx, event);
      for (let statement = 0; statement < 20; statement += 1) await tx.execute(sql`select 1`);
      heard.push("the commit");
    });
    await expect.poll(() => heard).toEqual(["the commit", event]);
    stop();
    const heardByAnother: unknown[] = [];
    const stopAnother = deps.events.subscribe((event) => heardByAnother.push(event));
    await inTransaction(deps.db, (tx) => deps.events.publish(tx, event));
    await expect.poll(() => heardByAnother).toEqual([event]);
    expect(heard).toHaveLength(2);
    stopAnother();
  });

  test("reach more people than fit into one message of the database", async () => {
    const userIds = Array.from({ length: 1000 }, () => crypto.randomUUID());
    const heard: string[] = [];
    const stop = deps.events.subscribe((event) => {
      if (event.type === "notifications") heard.push(...event.userIds);
    });
    await inTransaction(deps.db, (tx) => deps.events.publish(tx, { type: "notifications", userIds }));
    await expect.poll(() => heard).toEqual(userIds);
    stop();
  });
});

describe("a browser's stream", () => {
  let app: FastifyInstance;
  let url: string;
  let streams: LiveStream[];
  let backer: TestUser;
  let backed: TestProject;
  const heartbeatMs = 300;

  beforeAll(async () => {
    app = await buildApp(deps, { distDir: "/nowhere", heartbeatMs });
    url = await listening(app);
  });
  afterAll(async () => {
    await app.close();
  });
  beforeEach(async () => {
    streams = [];
    backer = await createUser(deps.db);
    backed = await createProject(deps.db);
    await back(backer, backed);
  });
  afterEach(() => {
    for (const stream of streams) stream.close();
  });

  const back = (person: TestUser, project: TestProject) =>
    deps.db.insert(projectBackings).values({ userId: person.id, projectId: project.id, grantedAt: deps.clock.now() });

  async function cookieOf(person: TestUser) {
    const kind = person.isAdmin ? "admin" : "backer";
    const token = await startSession(deps, { userId: person.id, kind, device: "Test", ipAddress: "127.0.0.1" });
    return `${sessionCookieName(deps.env)}=${token}`;
  }
  async function streamOf(person: TestUser, cookie?: string) {
    const stream = await openLiveStream(url, cookie ?? (await cookieOf(person)));
    streams.push(stream);
    await expect.poll(() => stream.heard.length).toBeGreaterThan(0);
    return stream;
  }
  const publish = (event: LiveEvent) => inTransaction(deps.db, (tx) => deps.events.publish(tx, event));

  test("is for people who are signed in only", async () => {
    const stream = await openLiveStream(url);
    expect(stream.status).toBe(401);
    const blocked = await cookieOf(backer);
    await blockUser(deps.db, backer.id);
    expect((await openLiveStream(url, blocked)).status).toBe(401);
  });

  test("is sent as it comes, kept by nobody, and under our policy", async () => {
    const { status, headers } = await streamOf(backer);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
      "x-content-type-options": "nosniff",
    });
    expect(headers["content-length"]).toBeUndefined();
  });

  test("tells of a person's own notifications, in all of their browsers", async () => {
    const person = await createUser(deps.db);
    const project = await createProject(deps.db);
    await back(person, project);
    const [one, other, stranger] = [await streamOf(backer), await streamOf(backer), await streamOf(person)];
    await tell(deps, [backer.id], { projectId: backed.id });
    await expect.poll(one.news).toEqual([{ type: "notifications" }]);
    await expect.poll(other.news).toEqual([{ type: "notifications" }]);
    // Of their own they hear, and heard nothing before it.
    await publish({ type: "messages", projectId: project.id });
    await expect.poll(stranger.news).toEqual([{ type: "messages", projectId: project.id }]);
  });

  test("tells of messages in the projects that the person backs", async () => {
    const stream = await streamOf(backer);
    const foreign = await createProject(deps.db);
    await publish({ type: "messages", projectId: foreign.id });
    await publish({ type: "messages", projectId: backed.id });
    await expect.poll(stream.news).toEqual([{ type: "messages", projectId: backed.id }]);
  });

  test("knows of a backing as soon as its notification has come", async () => {
    const stream = await streamOf(backer);
    const another = await createProject(deps.db);
    await back(backer, another);
    await publish({ type: "notifications", userIds: [backer.id] });
    await expect.poll(stream.news).toHaveLength(1);
    await publish({ type: "messages", projectId: another.id });
    await expect.poll(stream.news).toEqual([{ type: "notifications" }, { type: "messages", projectId: another.id }]);
  });

  test("tells administrators of all messages", async () => {
    const stream = await streamOf(await createAdmin(deps.db, "viewer"));
    await publish({ type: "messages", projectId: backed.id });
    await expect.poll(stream.news).toEqual([{ type: "messages", projectId: backed.id }]);
  });

  test("tells of harvests whom they concern, and not to whom it was told", async () => {
    const other = await createUser(deps.db);
    await back(other, backed);
    const [own, others, stranger] = [
      await streamOf(backer),
      await streamOf(other),
      await streamOf(await createUser(deps.db)),
    ];
    const administrator = await streamOf(await createAdmin(deps.db, "viewer"));
    for (const to of ["administrators", backer.id, "everybody"]) {
      await publish({ type: "harvests", projectId: backed.id, to });
    }
    const message = { type: "harvests", projectId: backed.id };
    await expect.poll(administrator.news).toEqual([message, message, message]);
    await expect.poll(own.news).toEqual([message, message]);
    await expect.poll(others.news).toEqual([message]);
    expect(stranger.news()).toEqual([]);
  });

  test("has a heartbeat, which slides no session", async () => {
    const before = await deps.db.select().from(sessions);
    const stream = await streamOf(backer);
    await expect.poll(() => stream.heard.length).toBeGreaterThanOrEqual(4);
    const after = await deps.db.select().from(sessions);
    expect(after.filter(({ idHash }) => before.some((row) => row.idHash === idHash))).toEqual(before);
    const own = after.find(({ userId }) => userId === backer.id);
    expect(own?.lastActivityAt).toEqual(own?.createdAt);
  });

  test("ends when its session was ended, and nobody else's does", async () => {
    const stream = await streamOf(backer);
    const stranger = await streamOf(await createUser(deps.db));
    await endSessionsOf(deps.db, backer.id);
    await expect.poll(stream.hasEnded).toBe(true);
    expect(stream.news()).toEqual([{ type: "ended" }]);
    expect(stranger.hasEnded()).toBe(false);
  });

  test("ends when nobody was there for too long", async () => {
    const stream = await streamOf(backer);
    deps.clock.advance({ minutes: 60 });
    await expect.poll(stream.hasEnded).toBe(true);
    deps.clock.advance({ minutes: -60 });
  });

  test("gives way to the person's newer ones beyond twenty", async () => {
    const cookie = await cookieOf(backer);
    const first = await streamOf(backer, cookie);
    const second = await streamOf(backer, cookie);
    for (let more = 0; more < 18; more++) await streamOf(backer, cookie);
    await tell(deps, [backer.id], { projectId: backed.id });
    await expect.poll(first.news).toEqual([{ type: "notifications" }]);
    await streamOf(backer, cookie);
    await expect.poll(first.hasEnded).toBe(true);
    expect(first.news()).toEqual([{ type: "notifications" }, { type: "replaced" }]);
    expect(second.hasEnded()).toBe(false);
  });

  test("is refused to a session that opens one after the other, and to no other session", async () => {
    const cookie = await cookieOf(backer);
    const opened: number[] = [];
    for (let count = 0; count < 121; count++) {
      const stream = await openLiveStream(url, cookie);
      opened.push(stream.status);
      stream.close();
    }
    expect(opened).toEqual([...Array.from({ length: 120 }, () => 200), 429]);
    expect((await streamOf(backer)).status).toBe(200);
    deps.clock.advance({ minutes: 1 });
    expect((await streamOf(backer, cookie)).status).toBe(200);
    deps.clock.advance({ minutes: -1 });
  });

  test("is refused where a network has too many, until one of them has closed", async () => {
    const small = await buildApp(deps, { distDir: "/nowhere", heartbeatMs, streamsPerNetwork: 2 });
    const smallUrl = await listening(small);
    const cookie = await cookieOf(backer);
    const [first, second] = [await openLiveStream(smallUrl, cookie), await openLiveStream(smallUrl, cookie)];
    const stranger = await cookieOf(await createUser(deps.db));
    expect((await openLiveStream(smallUrl, stranger)).status).toBe(429);
    first?.close();
    await expect.poll(async () => (await openLiveStream(smallUrl, stranger)).status).toBe(200);
    second?.close();
    await small.close();
  });

  test("ends at once when the server stops", async () => {
    const stopping = await buildApp(deps, { distDir: "/nowhere" });
    const stream = await openLiveStream(await listening(stopping), await cookieOf(backer));
    const begun = performance.now();
    await stopping.close();
    expect(performance.now() - begun).toBeLessThan(2000);
    await expect.poll(stream.hasEnded).toBe(true);
  });
});
