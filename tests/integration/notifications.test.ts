import { and, desc, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { rows } from "#server/db/open.ts";
import { notificationOptOuts, notifications, outgoingMails } from "#server/db/schema/notifications.ts";
import { projectBackings } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import { sendQueuedMail } from "#server/mail/outbox.ts";
import { notificationKinds } from "#shared/notifications/inputs.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { countOpenJobs } from "#tests/support/jobs.ts";
import { isLong } from "#tests/support/length.ts";
import { tell } from "#tests/support/notices.ts";
import { type Caller, callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";

const deps = await openTestDeps();
let backer: TestUser;
let stranger: TestUser;
let asBacker: Caller;

beforeEach(async () => {
  backer = await createUser(deps.db);
  stranger = await createUser(deps.db);
  asBacker = await callAs(deps, backer);
});

const ofPerson = ({ id }: TestUser) =>
  deps.db.select().from(notifications).where(eq(notifications.userId, id)).orderBy(desc(notifications.id));
const unreadOf = async (person: TestUser) => (await ofPerson(person)).filter(({ isRead }) => !isRead).length;

describe("an event", () => {
  test("reaches more people than one batch holds, each by a notification, a mail and its job", async () => {
    // One statement has parameters for 7,281 notifications.
    const many = isLong ? 10_000 : 2_100;
    const people = await rows<{ id: string }>(
      deps.db,
      sql`insert into users (email, full_name) select 'many-' || n || '@example.com', 'Person ' || n
        from generate_series(1, ${many}::int) n returning id`,
    );
    const before = await countOpenJobs(deps.db, "mail");
    const userIds = people.map(({ id }) => id);
    const eventKey = await tell(deps, userIds);
    expect(await deps.db.$count(notifications, eq(notifications.eventKey, eventKey))).toBe(many);
    expect(await deps.db.$count(outgoingMails, eq(outgoingMails.eventKey, eventKey))).toBe(many);
    expect((await countOpenJobs(deps.db, "mail")) - before).toBe(many);
  });

  test("is told once, however often it is made", async () => {
    await tell(deps, [backer.id], { eventKey: "again" });
    await tell(deps, [backer.id, stranger.id, stranger.id], { eventKey: "again" });
    expect(await ofPerson(backer)).toHaveLength(1);
    expect(await ofPerson(stranger)).toHaveLength(1);
    expect(await queuedMailsTo(deps.db, backer.email)).toHaveLength(1);
    expect(await queuedMailsTo(deps.db, stranger.email)).toHaveLength(1);
  });

  test("reaches no closed account", async () => {
    await deps.db.update(users).set({ closedAt: deps.clock.now(), passwordHash: null }).where(eq(users.id, backer.id));
    await tell(deps, [backer.id]);
    expect(await ofPerson(backer)).toEqual([]);
    expect(await queuedMailsTo(deps.db, backer.email)).toEqual([]);
  });
});

describe("the bell", () => {
  test("has the person's five newest, newest first, and counts what is unread", async () => {
    for (const title of ["1", "2", "3", "4", "5", "6"]) await tell(deps, [backer.id], { title });
    await tell(deps, [stranger.id], { title: "theirs" });
    const { items, unreadCount } = await asBacker.notifications.newest();
    expect(items.map(({ title }) => title)).toEqual(["6", "5", "4", "3", "2"]);
    expect(unreadCount).toBe(6);
    expect(items[0]).toMatchObject({ isRead: false, content: "The pond is full.", projectId: null, isBacked: false });
  });

  test("knows which projects the person backs", async () => {
    const [backed, other] = [await createProject(deps.db), await createProject(deps.db)];
    const grantedAt = deps.clock.now();
    await deps.db.insert(projectBackings).values([
      { userId: backer.id, projectId: backed.id, grantedAt },
      { userId: stranger.id, projectId: other.id, grantedAt },
    ]);
    for (const project of [backed, other]) await tell(deps, [backer.id], { projectId: project.id });
    const { items } = await asBacker.notifications.newest();
    expect(items.map(({ projectId, isBacked }) => [projectId, isBacked])).toEqual([
      [other.id, false],
      [backed.id, true],
    ]);
  });

  test("counts no further than its badge shows", async () => {
    await deps.db.insert(notifications).values(
      Array.from({ length: 120 }, (_, n) => ({
        userId: backer.id,
        kind: "project_update" as const,
        title: "t",
        content: "c",
        eventKey: `many:${n}`,
      })),
    );
    expect((await asBacker.notifications.newest()).unreadCount).toBe(100);
  });
});

test("the list has all of the person's, in pages, none twice", async () => {
  for (let n = 1; n <= 45; n++) await tell(deps, [backer.id, stranger.id], { title: String(n) });
  const titles: string[] = [];
  const sizes: number[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof asBacker.notifications.list>> = await asBacker.notifications.list({ cursor });
    titles.push(...page.items.map(({ title }) => title));
    sizes.push(page.items.length);
    cursor = page.nextCursor;
  } while (cursor);
  expect(sizes).toEqual([20, 20, 5]);
  expect(titles).toEqual(Array.from({ length: 45 }, (_, n) => String(45 - n)));
  await expect(asBacker.notifications.list({ cursor: "forged" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

describe("reading", () => {
  test("marks one, and the person's other browsers hear of it", async () => {
    await tell(deps, [backer.id]);
    await tell(deps, [backer.id]);
    const [newest] = await ofPerson(backer);
    const heard: unknown[] = [];
    const stop = deps.events.subscribe((event) => heard.push(event));
    await asBacker.notifications.markRead({ notificationId: newest?.id ?? 0 });
    expect((await asBacker.notifications.newest()).items.map(({ isRead }) => isRead)).toEqual([true, false]);
    await expect.poll(() => heard).toContainEqual({ type: "notifications", userIds: [backer.id] });
    stop();
  });

  test("marks nothing of another person", async () => {
    await tell(deps, [backer.id]);
    const [theirs] = await ofPerson(backer);
    const asStranger = await callAs(deps, stranger);
    await asStranger.notifications.markRead({ notificationId: theirs?.id ?? 0 });
    await asStranger.notifications.markAllRead({ upToId: Number.MAX_SAFE_INTEGER });
    expect(await unreadOf(backer)).toBe(1);
  });

  test("marks all that were seen, and none that came meanwhile", async () => {
    for (let n = 0; n < 7; n++) await tell(deps, [backer.id]);
    const { items } = await asBacker.notifications.newest();
    await tell(deps, [backer.id], { title: "meanwhile" });
    await asBacker.notifications.markAllRead({ upToId: items[0]?.id ?? 0 });
    const left = (await ofPerson(backer)).filter(({ isRead }) => !isRead);
    expect(left.map(({ title }) => title)).toEqual(["meanwhile"]);
  });

  test("takes whole positive numbers only", async () => {
    await tell(deps, [backer.id]);
    for (const id of [0, -1, 1.5, Number.MAX_SAFE_INTEGER + 1]) {
      await expect(asBacker.notifications.markRead({ notificationId: id })).rejects.toMatchObject({
        code: "BAD_REQUEST",
      });
      await expect(asBacker.notifications.markAllRead({ upToId: id })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    }
    expect(await unreadOf(backer)).toBe(1);
  });
});

describe("emails", () => {
  const kindsFor = async (caller: Caller) => (await caller.notifications.mailPreferences()).map(({ kind }) => kind);

  test("are chosen among the kinds that can reach the person; payments always come", async () => {
    expect(await asBacker.notifications.mailPreferences()).toEqual([
      { kind: "payment_status", isAlways: true, isMailed: true },
      { kind: "harvest", isAlways: true, isMailed: true },
      { kind: "project_update", isAlways: false, isMailed: true },
      { kind: "project_media", isAlways: false, isMailed: true },
      { kind: "admin_message", isAlways: false, isMailed: true },
      { kind: "project_closed", isAlways: false, isMailed: true },
      { kind: "project_reopened", isAlways: false, isMailed: true },
      { kind: "saved_search", isAlways: false, isMailed: true },
    ]);
    // What a farm tells is for its keepers: tests/integration/farm-past.test.ts.
    const ofOffice = notificationKinds.filter((kind) => kind !== "farm_past");
    expect([...(await kindsFor(await callAs(deps, "owner")))].sort()).toEqual(ofOffice.sort());
    expect(await kindsFor(await callAs(deps, await createAdmin(deps.db, "viewer")))).not.toContain("backer_message");
  });

  test("of a kind that was switched off stay away, the notification comes; switched on again they come", async () => {
    await asBacker.notifications.setMailPreference({ kind: "project_update", isMailed: false });
    await asBacker.notifications.setMailPreference({ kind: "project_update", isMailed: false });
    await tell(deps, [backer.id, stranger.id]);
    await tell(deps, [backer.id], { kind: "project_closed", title: "Closed" });
    expect(await ofPerson(backer)).toHaveLength(2);
    expect((await queuedMailsTo(deps.db, backer.email)).map(({ subject }) => subject)).toEqual(["Closed"]);
    expect(await queuedMailsTo(deps.db, stranger.email)).toHaveLength(1);
    await asBacker.notifications.setMailPreference({ kind: "project_update", isMailed: true });
    await tell(deps, [backer.id], { title: "Again" });
    expect((await queuedMailsTo(deps.db, backer.email)).map(({ subject }) => subject)).toEqual(["Closed", "Again"]);
  });

  test("that wait when their kind is switched off never go out", async () => {
    await tell(deps, [backer.id]);
    await tell(deps, [backer.id], { kind: "project_closed", title: "Closed" });
    await asBacker.notifications.setMailPreference({ kind: "project_update", isMailed: false });
    for (const { id } of await queuedMailsTo(deps.db, backer.email)) await sendQueuedMail(deps, id);
    const sent = deps.mailer.mails.filter(({ to }) => to === backer.email);
    expect(sent.map(({ subject }) => subject)).toEqual(["Closed"]);
    const own = and(eq(notifications.userId, backer.id), eq(notifications.emailSent, true));
    expect(await deps.db.$count(notifications, own)).toBe(1);
  });

  test("that are on their way when their kind is switched off count as sent", async () => {
    await tell(deps, [backer.id]);
    const [mail] = await queuedMailsTo(deps.db, backer.email);
    const mailer = {
      ...deps.mailer,
      send: () => asBacker.notifications.setMailPreference({ kind: "project_update", isMailed: false }),
    };
    await sendQueuedMail({ ...deps, mailer }, mail?.id ?? 0);
    expect(await queuedMailsTo(deps.db, backer.email)).toMatchObject([{ sentAt: deps.clock.now(), refusal: null }]);
    expect(await ofPerson(backer)).toMatchObject([{ emailSent: true }]);
  });

  test("of payments can't be switched off", async () => {
    const kind = "payment_status" as "project_update";
    await expect(asBacker.notifications.setMailPreference({ kind, isMailed: false })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
    expect(await deps.db.$count(notificationOptOuts, eq(notificationOptOuts.userId, backer.id))).toBe(0);
    await deps.db.insert(notificationOptOuts).values({ userId: backer.id, kind });
    await tell(deps, [backer.id], { kind });
    expect(await queuedMailsTo(deps.db, backer.email)).toHaveLength(1);
    expect((await asBacker.notifications.mailPreferences())[0]).toMatchObject({ kind, isMailed: true });
  });
});
