import { asc, eq } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { notifications, outgoingMails } from "#server/db/schema/notifications.ts";
import { projectBackings, projectMessages, projects } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import { messageLimits } from "#shared/projects/messages-texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { createFarmPerson } from "#tests/support/farms.ts";
import { hostileStrings } from "#tests/support/hostile-values.ts";
import { blockUser, type Caller, callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject, farmOf, type TestProject } from "#tests/support/projects.ts";

const deps = await openTestDeps();

async function grantBacking(project: TestProject, user: TestUser) {
  await deps.db
    .insert(projectBackings)
    .values({ projectId: project.id, userId: user.id, grantedAt: deps.clock.now(), createdAt: deps.clock.now() });
}

/** A project with two backers; the installation's administrators; each with the calls they make. */
async function createTeam() {
  const project = await createProject(deps.db);
  const backer = await createUser(deps.db, { fullName: "Bola Adeyinka" });
  const other = await createUser(deps.db, { fullName: "Efe Okoro" });
  await grantBacking(project, backer);
  await grantBacking(project, other);
  const manager = await createAdmin(deps.db, "manager", { fullName: "Amaka Obi" });
  const viewer = await createAdmin(deps.db, "viewer");
  const as = async (person: TestUser) => await callAs(deps, person);
  return {
    project,
    backer,
    other,
    manager,
    viewer,
    calls: { backer: await as(backer), other: await as(other), manager: await as(manager), viewer: await as(viewer) },
  };
}

const send = (caller: Caller, projectId: number, content: string, idempotencyKey: string = crypto.randomUUID()) =>
  caller.messages.send({ projectId, content, idempotencyKey });

const list = (caller: Caller, projectId: number, input: { search?: string; page?: number } = {}) =>
  caller.messages.list({ projectId, ...input });

const contents = ({ items }: { items: { content: string }[] }) => items.map(({ content }) => content);

const kept = (projectId: number) =>
  deps.db
    .select()
    .from(projectMessages)
    .where(eq(projectMessages.projectId, projectId))
    .orderBy(asc(projectMessages.id));

const toldOf = (projectId: number) =>
  deps.db.select().from(notifications).where(eq(notifications.projectId, projectId)).orderBy(asc(notifications.id));

/** Nothing of a refused message is kept, and nobody hears of it. */
async function expectNothing(projectId: number) {
  const mails = await deps.db.$count(outgoingMails);
  return async () => {
    expect(await kept(projectId)).toEqual([]);
    expect(await toldOf(projectId)).toEqual([]);
    expect(await deps.db.$count(outgoingMails)).toBe(mails);
  };
}

describe("sending", () => {
  test("a backer's message is kept and told once to each administrator who looks after projects", async () => {
    const { project, backer, other, manager, viewer, calls } = await createTeam();
    const owner = await createAdmin(deps.db, "owner");
    await send(calls.backer, project.id, "  When is the harvest?\r\nMay I come?\n");

    expect(await kept(project.id)).toMatchObject([
      {
        userId: backer.id,
        content: "When is the harvest?\nMay I come?",
        isAdminReply: false,
        createdAt: deps.clock.now(),
      },
    ]);
    const told = await toldOf(project.id);
    expect(new Set(told.map(({ kind }) => kind))).toEqual(new Set(["backer_message"]));
    const ids = told.map(({ userId }) => userId);
    for (const person of [manager, owner]) expect(ids.filter((id) => id === person.id)).toHaveLength(1);
    for (const person of [backer, other, viewer]) expect(ids).not.toContain(person.id);
    expect(told[0]?.content).toBe(`Bola Adeyinka wrote about ${project.title}: When is the harvest? May I come?`);

    const [mail, ...more] = await queuedMailsTo(deps.db, manager.email);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe(`New message from a backer: ${project.title}`);
    expect(mail?.text).toContain("When is the harvest?\nMay I come?");
    expect(mail?.html).toContain("When is the harvest?<br>May I come?");
    expect(mail?.text).toContain(`/project-updates/${project.id}`);
    expect(await queuedMailsTo(deps.db, other.email)).toEqual([]);
  });

  test("an administrator's answer is told once to each backer, never to its writer or to who is blocked", async () => {
    const { project, backer, other, manager, calls } = await createTeam();
    const blocked = await createUser(deps.db);
    await grantBacking(project, blocked);
    await blockUser(deps.db, blocked.id);
    await grantBacking(project, manager);
    await send(calls.manager, project.id, "In March. You are welcome!");

    expect(await kept(project.id)).toMatchObject([{ userId: manager.id, isAdminReply: true }]);
    const told = await toldOf(project.id);
    expect(told.map(({ userId }) => userId).sort()).toEqual([backer.id, other.id].sort());
    expect(told).toMatchObject([{ kind: "admin_message" }, { kind: "admin_message" }]);
    const [mail, ...more] = await queuedMailsTo(deps.db, backer.email);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe(`New message about ${project.title}`);
    expect(mail?.text).toContain("In March. You are welcome!");
    expect(mail?.text).toContain(`/backed-project/${project.id}?tab=messages`);
    expect(mail?.text).not.toContain("Amaka");
    expect(await queuedMailsTo(deps.db, manager.email)).toEqual([]);
    expect(await queuedMailsTo(deps.db, blocked.email)).toEqual([]);
  });

  test("whether it is an administrator's answer is decided by the server", async () => {
    const { project, viewer, calls } = await createTeam();
    const claiming = { projectId: project.id, content: "I am the farm.", isAdminReply: true, userId: viewer.id };
    await calls.backer.messages.send({ ...claiming, idempotencyKey: crypto.randomUUID() });
    expect(await kept(project.id)).toMatchObject([{ isAdminReply: false }]);
    expect((await kept(project.id))[0]?.userId).not.toBe(viewer.id);
  });

  test("an administrator who may only view writes nothing, but as a backer writes as one", async () => {
    const { project, viewer, calls } = await createTeam();
    const unchanged = await expectNothing(project.id);
    expect((await list(calls.viewer, project.id)).sendsAs).toBeNull();
    await expect(send(calls.viewer, project.id, "Hello")).rejects.toMatchObject({
      code: "FORBIDDEN",
      message: "Your role lets you read these messages, but not answer them.",
    });
    await unchanged();
    await grantBacking(project, viewer);
    expect((await list(calls.viewer, project.id)).sendsAs).toBe("Backer");
    await send(calls.viewer, project.id, "Hello");
    expect(await kept(project.id)).toMatchObject([{ isAdminReply: false }]);
  });

  test("whoever doesn't back the project finds no project, and nothing is kept", async () => {
    const { project } = await createTeam();
    const unchanged = await expectNothing(project.id);
    const stranger = await callAs(deps, "backer");
    const notFound = { code: "NOT_FOUND", message: "Project not found" };
    await expect(send(stranger, project.id, "Hello")).rejects.toMatchObject(notFound);
    await expect(list(stranger, project.id)).rejects.toMatchObject(notFound);
    for (const caller of [stranger, await callAs(deps, "owner")]) {
      await expect(send(caller, 2_000_000, "Hello")).rejects.toMatchObject(notFound);
      await expect(list(caller, 2_000_000)).rejects.toMatchObject(notFound);
    }
    const anonymous = await callAs(deps, "anonymous");
    await expect(list(anonymous, project.id)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    await unchanged();
  });

  test("who lost the backing neither reads nor writes any more", async () => {
    const { project, backer, calls } = await createTeam();
    await deps.db.delete(projectBackings).where(eq(projectBackings.userId, backer.id));
    const unchanged = await expectNothing(project.id);
    await expect(send(calls.backer, project.id, "Hello")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(list(calls.backer, project.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await unchanged();
  });

  test("what is blank or over 5,000 characters is refused in clear words, and nothing is kept", async () => {
    const { project, calls } = await createTeam();
    const unchanged = await expectNothing(project.id);
    const [blank, long] = ["Message cannot be blank", "Message cannot exceed 5,000 characters"];
    for (const [content, message] of [
      ["", blank],
      [" \n\t\u00a0 ", blank],
      ["\u200b\u200d\u202e\u3164", blank],
      ["a".repeat(5001), long],
      ["🐟".repeat(5001), long],
    ] as const) {
      await expect(send(calls.backer, project.id, content)).rejects.toMatchObject({
        code: "BAD_REQUEST",
        cause: { issues: [{ message }] },
      });
    }
    await unchanged();
  });

  test("all else is kept to the letter, and HTML is text in the mail too", async () => {
    const { project, manager, calls } = await createTeam();
    const html = '<img src=x onerror="alert(1)">&amp;';
    for (const content of [html, "a".repeat(5000), "🐟".repeat(5000), "متى الحصاد؟ \u202eabc"]) {
      await send(calls.backer, project.id, content);
      expect(contents(await list(calls.manager, project.id))[0]).toBe(content);
    }
    const [mail] = await queuedMailsTo(deps.db, manager.email);
    expect(mail?.html).not.toContain("<img");
    expect(mail?.html).toContain("&lt;img src=x");
  });

  test("a hostile message is kept to the letter or refused with a reason", async () => {
    const { project, calls } = await createTeam();
    for (const content of hostileStrings) {
      const { total } = await list(calls.manager, project.id);
      const sent = await send(calls.backer, project.id, content).catch((error: { code: string }) => error);
      if ("code" in sent)
        expect([sent.code, (await list(calls.manager, project.id)).total]).toEqual(["BAD_REQUEST", total]);
      else expect(contents(await list(calls.manager, project.id))[0]).toBe(content.trim());
    }
  });

  test("whoever has the project open hears of it once it is kept, and of nothing that isn't", async () => {
    const { project, calls } = await createTeam();
    const heard: unknown[] = [];
    const stop = deps.events.subscribe((event) => {
      if (event.type === "messages") heard.push(event.projectId);
    });
    const enqueue = vi.spyOn(deps.jobs, "enqueue").mockRejectedValueOnce(new Error("no queue"));
    await expect(send(calls.backer, project.id, "Undone")).rejects.toThrow();
    enqueue.mockRestore();
    await expect(send(calls.viewer, project.id, "Refused")).rejects.toThrow();
    const key = crypto.randomUUID();
    await send(calls.backer, project.id, "Hello", key);
    await send(calls.backer, project.id, "Hello", key);
    await send(calls.manager, project.id, "Welcome");
    await expect.poll(() => heard).toEqual([project.id, project.id]);
    stop();
  });

  test("the same message sent again after a lost answer is kept and told once", async () => {
    const { project, calls } = await createTeam();
    const key = crypto.randomUUID();
    const first = await send(calls.backer, project.id, "Are you there?", key);
    const told = (await toldOf(project.id)).length;
    const again = await Promise.all([1, 2, 3].map(() => send(calls.backer, project.id, "Are you there?", key)));
    expect(again).toEqual([first, first, first]);
    expect(await kept(project.id)).toHaveLength(1);
    expect(await toldOf(project.id)).toHaveLength(told);
    // Another person's key is another key.
    await send(calls.other, project.id, "Are you there?", key);
    expect(await kept(project.id)).toHaveLength(2);
  });

  test("sent several times at once it is kept and told once", async () => {
    const { project, manager, calls } = await createTeam();
    const key = crypto.randomUUID();
    const replies = await Promise.all([1, 2, 3, 4].map(() => send(calls.backer, project.id, "Hello?", key)));
    expect(new Set(replies.map(({ messageId }) => messageId)).size).toBe(1);
    expect(await kept(project.id)).toHaveLength(1);
    expect(await queuedMailsTo(deps.db, manager.email)).toHaveLength(1);
  });

  test("a key that was used for another message is refused, and nothing is lost in silence", async () => {
    const { project, calls } = await createTeam();
    const key = crypto.randomUUID();
    await send(calls.backer, project.id, "First", key);
    await expect(send(calls.backer, project.id, "Second", key)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await kept(project.id)).toMatchObject([{ content: "First" }]);
  });

  test("too many in a short time are refused, and later there is room again", async () => {
    const { project, calls } = await createTeam();
    for (let sent = 0; sent < messageLimits.rate.hits; sent += 1) await send(calls.backer, project.id, `${sent}`);
    await expect(send(calls.backer, project.id, "One more")).rejects.toMatchObject({
      code: "TOO_MANY_REQUESTS",
      message: "Too many attempts. Please try again later.",
    });
    expect(await kept(project.id)).toHaveLength(messageLimits.rate.hits);
    await send(calls.other, project.id, "Others may");
    deps.clock.advance({ seconds: messageLimits.rate.windowSeconds });
    await send(calls.backer, project.id, "Now it goes");
    expect(await kept(project.id)).toHaveLength(messageLimits.rate.hits + 2);
  });

  test("a message whose mail can't be queued isn't kept either", async () => {
    const { project, calls } = await createTeam();
    const unchanged = await expectNothing(project.id);
    const enqueue = vi.spyOn(deps.jobs, "enqueue").mockRejectedValueOnce(new Error("no queue"));
    await expect(send(calls.backer, project.id, "Hello")).rejects.toThrow();
    enqueue.mockRestore();
    await unchanged();
  });
});

describe("reading", () => {
  test("backers read no names of each other, administrators read all of them", async () => {
    const { project, calls } = await createTeam();
    await send(calls.backer, project.id, "A question");
    deps.clock.advance({ seconds: 1 });
    await send(calls.manager, project.id, "An answer");
    const senders = async (caller: Caller) => {
      const { items } = await list(caller, project.id);
      return items.map(({ content, isMine, sender }) => [content, sender.label, sender.name, isMine]);
    };
    expect(await senders(calls.backer)).toEqual([
      ["An answer", "Admin", null, false],
      ["A question", "You", null, true],
    ]);
    expect(await senders(calls.other)).toEqual([
      ["An answer", "Admin", null, false],
      ["A question", "Backer", null, false],
    ]);
    expect((await list(calls.manager, project.id)).sendsAs).toBe("Admin");
    expect(await senders(calls.manager)).toEqual([
      ["An answer", "Admin", "Amaka Obi", true],
      ["A question", "Backer", "Bola Adeyinka", false],
    ]);
    const seen = JSON.stringify(await list(calls.other, project.id));
    expect(seen).not.toMatch(/Bola|Amaka|@example\.com/);
  });

  test("five a page, newest first, of this project only", async () => {
    const { project, backer, calls } = await createTeam();
    const elsewhere = await createProject(deps.db);
    await grantBacking(elsewhere, backer);
    await send(calls.backer, elsewhere.id, "Elsewhere");
    for (let number = 1; number <= 7; number += 1) await send(calls.backer, project.id, `Message ${number}`);
    const first = await list(calls.other, project.id);
    expect(first.total).toBe(7);
    expect(contents(first)).toEqual([7, 6, 5, 4, 3].map((number) => `Message ${number}`));
    expect(contents(await list(calls.other, project.id, { page: 2 }))).toEqual(["Message 2", "Message 1"]);
    expect(await list(calls.other, project.id, { page: 3 })).toMatchObject({ items: [], total: 7 });
  });

  test("searched texts are taken literally, whatever characters they have", async () => {
    const { project, calls } = await createTeam();
    const texts = ["90% alive", "90 percent", "pond_2", "pond 2", "C:\\farm", "C:/farm", "Ada's pen", "ADAS PEN"];
    for (const text of texts) await send(calls.backer, project.id, text);
    const found = async (search: string) => contents(await list(calls.manager, project.id, { search }));
    expect(await found("%")).toEqual(["90% alive"]);
    expect(await found("_")).toEqual(["pond_2"]);
    expect(await found("\\")).toEqual(["C:\\farm"]);
    expect(await found("'")).toEqual(["Ada's pen"]);
    expect(await found("ada")).toEqual(["ADAS PEN", "Ada's pen"]);
    expect(await list(calls.manager, project.id, { search: "no such words" })).toMatchObject({ items: [], total: 0 });
  });

  test("messages go with their project", async () => {
    const { project, calls } = await createTeam();
    await send(calls.backer, project.id, "Hello");
    await deps.db.delete(projects).where(eq(projects.id, project.id));
    await expect(list(calls.manager, project.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await kept(project.id)).toEqual([]);
  });

  test("an account that was closed is named as such", async () => {
    const { project, backer, calls } = await createTeam();
    await send(calls.backer, project.id, "Goodbye");
    await deps.db.update(users).set({ fullName: "Closed account" }).where(eq(users.id, backer.id));
    expect((await list(calls.manager, project.id)).items[0]?.sender).toEqual({
      label: "Backer",
      name: "Closed account",
    });
  });
});

describe("between one backer and the team", () => {
  const sendOnly = (
    caller: Caller,
    projectId: number,
    content: string,
    how: { isPrivate?: boolean; answersId?: number },
  ) => caller.messages.send({ projectId, content, ...how, idempotencyKey: crypto.randomUUID() });

  test("a message to the team is read, found, counted and told of by administrators and its writer only", async () => {
    const { project, backer, other, manager, calls } = await createTeam();
    const heard: unknown[] = [];
    const stop = deps.events.subscribe((event) => event.type === "messages" && heard.push(event));
    await sendOnly(calls.backer, project.id, "My account was robbed", { isPrivate: true });
    for (const reader of [calls.backer, calls.manager, calls.viewer]) {
      expect(await list(reader, project.id, { search: "robbed" })).toMatchObject({
        total: 1,
        items: [{ isPrivate: true }],
      });
    }
    expect(await list(calls.other, project.id)).toMatchObject({ total: 0, items: [] });
    expect(await list(calls.other, project.id, { search: "robbed" })).toMatchObject({ total: 0, items: [] });
    const told = (await toldOf(project.id)).map(({ userId }) => userId);
    expect(told).toContain(manager.id);
    expect(told).not.toContain(other.id);
    expect(await queuedMailsTo(deps.db, other.email)).toEqual([]);
    await expect.poll(() => heard).toEqual([{ type: "messages", projectId: project.id, to: backer.id }]);
    stop();
  });

  test("an answer to one person is read and told of by that person and administrators only", async () => {
    const { project, backer, other, calls } = await createTeam();
    await send(calls.backer, project.id, "May I visit?");
    const [asked] = await kept(project.id);
    const before = await queuedMailsTo(deps.db, other.email);
    await sendOnly(calls.manager, project.id, "Come on Friday", { answersId: asked?.id ?? 0 });
    expect((await list(calls.backer, project.id)).items[0]).toMatchObject({
      content: "Come on Friday",
      isPrivate: true,
      sender: { label: "Admin", name: null },
      recipientName: null,
    });
    expect((await list(calls.viewer, project.id)).items[0]).toMatchObject({ recipientName: "Bola Adeyinka" });
    expect(await list(calls.other, project.id)).toMatchObject({
      total: 1,
      items: [{ content: "May I visit?", wait: null }],
    });
    const told = (await toldOf(project.id)).filter(({ kind }) => kind === "admin_message");
    expect(told.map(({ userId }) => userId)).toEqual([backer.id]);
    expect(await queuedMailsTo(deps.db, other.email)).toEqual(before);
    const [mail] = await queuedMailsTo(deps.db, backer.email);
    expect(mail?.text).toContain("Only you and the team can read it.");
  });

  test("nobody else reads either by any call: other backers, the farm's people, those of another farm", async () => {
    const { project, other, calls } = await createTeam();
    const elsewhere = await createProject(deps.db);
    const { farmId } = farmOf(project);
    const people = [
      await createFarmPerson(deps.db, farmId, "keeper"),
      await createFarmPerson(deps.db, farmId, "reporter"),
      await createFarmPerson(deps.db, farmOf(elsewhere).farmId, "keeper"),
      await createUser(deps.db),
    ];
    // A farm's keeper who also backs it is a backer like others.
    const keeper = await createFarmPerson(deps.db, farmId, "keeper", other);
    await sendOnly(calls.backer, project.id, "zebra: my account changed", { isPrivate: true });
    const [asked] = await kept(project.id);
    await sendOnly(calls.manager, project.id, "zebra: enter the new one", { answersId: asked?.id ?? 0 });
    expect((await list(calls.backer, project.id)).total).toBe(2);
    for (const person of people) {
      const caller = await callAs(deps, person);
      await expect(list(caller, project.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    for (const search of ["", "zebra"]) {
      expect(await list(await callAs(deps, keeper), project.id, { search })).toMatchObject({ items: [], total: 0 });
    }
    for (const person of [...people, keeper]) {
      const caller = await callAs(deps, person);
      const { items } = await caller.notifications.list({});
      expect(JSON.stringify(items)).not.toContain("zebra");
      expect(JSON.stringify(await queuedMailsTo(deps.db, person.email))).not.toContain("zebra");
    }
  });

  test("nobody but an administrator answers one, and only a backer's message of this project", async () => {
    const { project, backer, calls } = await createTeam();
    await send(calls.backer, project.id, "May I visit?");
    await send(calls.manager, project.id, "Yes");
    const elsewhere = await createProject(deps.db);
    await grantBacking(elsewhere, backer);
    await send(calls.backer, elsewhere.id, "And there?");
    const [asked, reply] = await kept(project.id);
    const [there] = await kept(elsewhere.id);
    const toOne = (caller: Caller, answersId: number | undefined) =>
      sendOnly(caller, project.id, "No", { answersId: answersId ?? 0 });
    await expect(toOne(calls.other, asked?.id)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(sendOnly(calls.manager, project.id, "No", { isPrivate: true })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
    for (const id of [reply?.id, there?.id, 2_000_000]) {
      await expect(toOne(calls.manager, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    await deps.db.delete(projectBackings).where(eq(projectBackings.userId, backer.id));
    await expect(toOne(calls.manager, asked?.id)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await kept(project.id)).toHaveLength(2);
  });

  test("a key that was used for other readers is refused", async () => {
    const { project, calls } = await createTeam();
    const message = { projectId: project.id, content: "Hello", idempotencyKey: crypto.randomUUID() };
    const first = await calls.backer.messages.send({ ...message, isPrivate: true });
    expect(await calls.backer.messages.send({ ...message, isPrivate: true })).toEqual(first);
    await expect(calls.backer.messages.send(message)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await kept(project.id)).toHaveLength(1);
  });

  test("a message waits until it is answered or needs no answer, and is late after the days of the setting", async () => {
    const { project, manager, calls } = await createTeam();
    const waits = async () => (await list(await callAs(deps, manager), project.id)).items.map(({ wait }) => wait);
    await send(calls.backer, project.id, "When?");
    await sendOnly(calls.other, project.id, "My account changed", { isPrivate: true });
    expect(await waits()).toEqual(["open", "open"]);
    const start = deps.clock.now();
    deps.clock.advance({ days: 2 });
    expect(await waits()).toEqual(["late", "late"]);
    // To all: it answers what all could read.
    await send(await callAs(deps, manager), project.id, "In March");
    expect(await waits()).toEqual([null, "late", null]);
    const [, secret] = await kept(project.id);
    const viewer = await callAs(deps, "viewer");
    await expect(viewer.messages.dismiss({ messageId: secret?.id ?? 0 })).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(await waits()).toEqual([null, "late", null]);
    await (await callAs(deps, manager)).messages.dismiss({ messageId: secret?.id ?? 0 });
    expect(await waits()).toEqual([null, null, null]);
    const [, first] = await kept(project.id);
    deps.clock.advance({ hours: 1 });
    await (await callAs(deps, await createAdmin(deps.db, "manager"))).messages.dismiss({ messageId: secret?.id ?? 0 });
    expect((await kept(project.id))[1]).toEqual(first);
    deps.clock.set(start);
  });
});
