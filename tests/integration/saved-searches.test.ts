import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { notifications } from "#server/db/schema/notifications.ts";
import { savedSearches } from "#server/db/schema/saved-searches.ts";
import { users } from "#server/db/schema/users.ts";
import { beginRound } from "#server/features/projects/rounds/service.ts";
import { notifyOfSavedSearches } from "#server/features/saved-searches/jobs.ts";
import { signSearchLink } from "#server/features/saved-searches/rules.ts";
import { cleanUp } from "#server/housekeeping.ts";
import { defaultTerms } from "#shared/projects/terms-texts.ts";
import { savedSearchLimits, savedSearchTexts } from "#shared/saved-searches/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { type Caller, callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";

/** Searches that people save, and the mail of the morning that tells of what fits them. */

const deps = await openTestDeps();
let person: TestUser;
let caller: Caller;
let days = 0;
/** A word that only this test's projects have. */
let word: string;

beforeEach(async () => {
  days += 3;
  word = `maize${days}`;
  deps.clock.set(new Date(Date.UTC(2026, 10, 21 + days, 9)));
  person = await createUser(deps.db);
  caller = await callAs(deps, person);
});

const save = (filters: Parameters<Caller["savedSearches"]["save"]>[0]["filters"], name = "Mine") =>
  caller.savedSearches.save({ name, filters });
const stored = (userId = person.id) =>
  deps.db.select().from(savedSearches).where(eq(savedSearches.userId, userId)).orderBy(savedSearches.id);
/** A project that opens a minute later. */
const openProject = async (title: string, values: Parameters<typeof createProject>[1] = {}) => {
  deps.clock.advance({ minutes: 1 });
  return createProject(deps.db, { title: `${title} ${word}`, openedAt: deps.clock.now(), ...values });
};
/** The job at nine of the next morning. */
const nextMorning = async () => {
  deps.clock.advance({ days: 1 });
  await notifyOfSavedSearches(deps);
};
const mails = (to = person) => queuedMailsTo(deps.db, to.email);

describe("saving a search", () => {
  test("keeps its name and its filters as the server reads them", async () => {
    await save({ search: "  layers ", state: "Kwara", maxLotPrice: 100_000 }, " Layers in Kwara ");
    const rest = { category: null, firstHarvestUntil: null, hasRecord: false, isInsured: false, hasFreeLots: false };
    const filters = { search: "layers", state: "Kwara", maxLotPrice: 100_000, ...rest };
    expect(await caller.savedSearches.mine()).toMatchObject([{ name: "Layers in Kwara", filters }]);
  });

  test("is refused without a filter, without a name, twice, and beyond the most", async () => {
    await expect(save({})).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(save({ search: "yam" }, " ")).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await save({ search: "yam" });
    await expect(save({ search: "yam ", state: null }, "Again")).rejects.toMatchObject({
      message: savedSearchTexts.same,
    });
    const others = Array.from({ length: savedSearchLimits.each }, (_, index) => save({ search: `yam ${index}` }));
    const results = await Promise.allSettled(others);
    expect(results.filter(({ status }) => status === "rejected")).toHaveLength(1);
    await expect(save({ search: "more" })).rejects.toMatchObject({ message: savedSearchTexts.tooMany });
    expect(await stored()).toHaveLength(savedSearchLimits.each);
  });

  test("can be renamed and stopped by its owner alone", async () => {
    await save({ search: "yam" });
    const [search] = await stored();
    const searchId = search?.id ?? 0;
    const stranger = await callAs(deps, await createUser(deps.db));
    await expect(stranger.savedSearches.rename({ searchId, name: "Theirs" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await stranger.savedSearches.stop({ searchId });
    expect(await stored()).toEqual([search]);
    await caller.savedSearches.rename({ searchId, name: "Yams" });
    expect(await stored()).toMatchObject([{ name: "Yams" }]);
    await caller.savedSearches.stop({ searchId });
    expect(await caller.savedSearches.mine()).toEqual([]);
    await expect(caller.savedSearches.rename({ searchId, name: "Yam" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(stranger.savedSearches.undoStop({ searchId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await stored()).toMatchObject([{ stoppedAt: deps.clock.now() }]);
    await caller.savedSearches.undoStop({ searchId });
    await caller.savedSearches.undoStop({ searchId });
    expect(await stored()).toEqual([{ ...search, name: "Yams" }]);
  });

  test("a stopped one leaves room for another, comes back only where there is room, and goes after 30 days", async () => {
    const add = (index: number) => save({ search: `yam ${index}` });
    for (let index = 0; index < savedSearchLimits.each; index++) await add(index);
    const [first, second] = await stored();
    const [searchId, another] = [first?.id ?? 0, second?.id ?? 0];
    await caller.savedSearches.stop({ searchId });
    await add(savedSearchLimits.each);
    const tooMany = { message: savedSearchTexts.tooMany };
    await expect(caller.savedSearches.undoStop({ searchId })).rejects.toMatchObject(tooMany);
    await expect(add(0)).rejects.toMatchObject(tooMany);
    await caller.savedSearches.stop({ searchId: another });
    deps.clock.advance({ days: 1 });
    caller = await callAs(deps, person);
    await save({ search: "yam 0" }, "Again");
    const again = (await stored()).find(({ id }) => id === searchId);
    expect(again).toMatchObject({ name: "Again", stoppedAt: null, toldUntil: deps.clock.now() });
    deps.clock.advance({ days: 29 });
    await cleanUp(deps);
    expect(await stored()).toHaveLength(savedSearchLimits.each + 1);
    deps.clock.advance({ minutes: 1 });
    await cleanUp(deps);
    expect((await stored()).map(({ id }) => id)).not.toContain(another);
  });

  test("a link of its mails stops it without a sign-in and takes that back, a forged one nothing", async () => {
    await save({ search: "yam" });
    const [search] = await stored();
    const token = signSearchLink(deps.appSecret, search?.id ?? 0);
    const visitor = await callAs(deps, "anonymous");
    for (const forged of ["", `${search?.id}.x`, `${token}x`, token.replace(/^\d+/, "1")]) {
      for (const act of ["byLink", "stopByLink", "undoStopByLink"] as const)
        await expect(visitor.savedSearches[act]({ token: forged })).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    expect(await visitor.savedSearches.byLink({ token })).toMatchObject({ name: "Mine", isStopped: false });
    await visitor.savedSearches.stopByLink({ token });
    expect(await caller.savedSearches.mine()).toEqual([]);
    expect(await visitor.savedSearches.byLink({ token })).toMatchObject({ name: "Mine", isStopped: true });
    await visitor.savedSearches.undoStopByLink({ token });
    expect(await stored()).toEqual([search]);
    await deps.db.delete(savedSearches).where(eq(savedSearches.userId, person.id));
    await expect(visitor.savedSearches.byLink({ token })).rejects.toMatchObject({ message: savedSearchTexts.gone });
  });
});

describe("the mail of the morning", () => {
  test("tells once of what opened since the search was saved and fits it, with the facts and the way to stop", async () => {
    await openProject("Opened before:");
    await save({ search: `${word} layers` }, "Layers, please");
    const project = await openProject("Layers and", {
      location: "Offa, Kwara",
      lots: 10,
      fundingGoalKobo: 80_000_000n,
      terms: { firstHarvestOn: "2027-03-01" },
    });
    await openProject("Ponds and");
    await notifyOfSavedSearches(deps);
    expect(await mails()).toEqual([]);
    await nextMorning();
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail?.subject).toBe(`New: ${project.title}`);
    const [search] = await stored();
    const token = signSearchLink(deps.appSecret, search?.id ?? 0);
    const { publicUrl } = deps.env;
    for (const text of [
      `For “Layers, please” (Stop this search (${publicUrl}/stop-search?token=${token})):`,
      `${project.title} (${publicUrl}/project/${project.id}) · Offa, Kwara · ₦80,000 a lot · first harvest about 1 Mar 2027`,
    ])
      expect(mail?.text).toContain(text);
    expect(mail?.text).not.toContain("before");
    const told = await deps.db.select().from(notifications).where(eq(notifications.userId, person.id));
    expect(told).toMatchObject([{ kind: "saved_search", projectId: project.id, content: project.title }]);
    await nextMorning();
    await nextMorning();
    expect(await mails()).toHaveLength(1);
  });

  test("is one for all searches of a person, each project in it once, and one a day", async () => {
    await save({ search: word });
    await save({ search: `yam ${word}` });
    for (const title of ["Yam", "Rice"]) await openProject(title);
    await nextMorning();
    for (let hour = 0; hour < 5; hour++) {
      await openProject(`Beans ${hour}`);
      deps.clock.advance({ hours: 1 });
      await notifyOfSavedSearches(deps);
    }
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail?.subject).toBe("New farms fit your searches: 2");
    expect(mail?.text.split(`Yam ${word}`)).toHaveLength(2);
    await nextMorning();
    expect((await mails()).map(({ subject }) => subject)).toEqual([mail?.subject, "New farms fit your searches: 5"]);
  });

  test("comes late rather than never where the job was down, and never at night", async () => {
    await save({ search: word });
    await openProject("Yam");
    deps.clock.advance({ days: 5, hours: -4 });
    await notifyOfSavedSearches(deps);
    expect(await mails()).toEqual([]);
    deps.clock.advance({ hours: 4 });
    await notifyOfSavedSearches(deps);
    expect(await mails()).toHaveLength(1);
  });

  test("is queued once by two processes at once, also after one that was broken off", async () => {
    await save({ search: word });
    await openProject("Yam");
    deps.clock.advance({ days: 1 });
    const broken = {
      ...deps,
      jobs: { ...deps.jobs, enqueue: () => Promise.reject(new Error("killed")) },
    };
    await expect(notifyOfSavedSearches(broken)).rejects.toThrow("1 of 1 items failed");
    expect(await mails()).toEqual([]);
    await Promise.all([notifyOfSavedSearches(deps), notifyOfSavedSearches(deps), notifyOfSavedSearches(deps)]);
    expect(await mails()).toHaveLength(1);
  });

  test("tells of a new round, and of nothing that closed or was decided before the morning", async () => {
    await save({ search: word });
    const project = await openProject("Yam");
    const closed = { isClosed: true, closedAt: deps.clock.now() };
    await openProject("Rice", closed);
    await nextMorning();
    expect((await mails()).map(({ subject }) => subject)).toEqual([`New: ${project.title}`]);
    await deps.db.transaction(async (tx) => {
      await tx.execute(`update projects set round = 2 where id = ${project.id}`);
      const offer = { lots: 1, minimumLots: 1, fundingGoalKobo: 50_000_000n };
      const at = deps.clock.now();
      await beginRound(tx, { projectId: project.id, round: 2 }, { offer, terms: defaultTerms(500), by: null, at });
    });
    await nextMorning();
    expect(await mails()).toHaveLength(2);
  });

  test("tells of a project that is open again within its round whoever didn't hear of the round", async () => {
    const owner = await createAdmin(deps.db, "owner");
    const change = async (act: "close" | "reopen", { id: projectId }: { id: number }) => {
      deps.clock.advance({ minutes: 1 });
      await (await callAs(deps, owner)).projects[act]({ projectId });
    };
    const subjects = async (to = person) => (await mails(to)).map(({ subject }) => subject);
    const saveOf = async (who: TestUser) =>
      (await callAs(deps, who)).savedSearches.save({ name: "Theirs", filters: { search: word } });
    const [late, afterOpening, anew] = await Promise.all([1, 2, 3].map(() => createUser(deps.db)));
    if (!late || !afterOpening || !anew) throw new Error("nobody came");
    await save({ search: word });
    await saveOf(anew);
    const [stopped] = await deps.db.select().from(savedSearches).where(eq(savedSearches.userId, anew.id));
    await (await callAs(deps, anew)).savedSearches.stop({ searchId: stopped?.id ?? 0 });
    const [told, missed] = [await openProject("Told"), await openProject("Missed")];
    await change("close", missed);
    await saveOf(afterOpening);
    await nextMorning();
    await change("close", told);
    for (const who of [late, anew]) await saveOf(who);
    await (await callAs(deps, person)).savedSearches.save({ name: "More", filters: { search: `told ${word}` } });
    await nextMorning();
    await change("reopen", told);
    await change("reopen", missed);
    await nextMorning();
    expect(await subjects()).toEqual([`New: ${told.title}`, `New: ${missed.title}`]);
    for (const who of [late, afterOpening, anew]) {
      expect(await subjects(who)).toEqual(["New farms fit your searches: 2"]);
    }
    for (const project of [told, missed]) await change("close", project);
    for (const project of [told, missed]) await change("reopen", project);
    await nextMorning();
    expect([...(await subjects()), ...(await subjects(late))]).toHaveLength(3);
  });

  test("leaves a stopped search out, and makes up for it at the next mail once that is taken back", async () => {
    await save({ search: `yam ${word}` });
    await save({ search: `rice ${word}` });
    const [, rice] = await stored();
    const searchId = rice?.id ?? 0;
    await caller.savedSearches.stop({ searchId });
    for (const title of ["Yam", "Rice"]) await openProject(title);
    await nextMorning();
    await (await callAs(deps, person)).savedSearches.undoStop({ searchId });
    await notifyOfSavedSearches(deps);
    expect((await mails()).map(({ subject }) => subject)).toEqual([`New: Yam ${word}`]);
    await nextMorning();
    expect((await mails()).map(({ subject }) => subject)).toEqual([`New: Yam ${word}`, `New: Rice ${word}`]);
  });

  test("isn't sent to whoever switched it off or is blocked; the first still reads it in the app", async () => {
    await caller.notifications.setMailPreference({ kind: "saved_search", isMailed: false });
    await save({ search: word });
    const blocked = await createUser(deps.db);
    await (await callAs(deps, blocked)).savedSearches.save({ name: "Mine", filters: { search: word } });
    await deps.db.update(users).set({ isBlocked: true }).where(eq(users.id, blocked.id));
    await openProject("Yam");
    await nextMorning();
    expect([...(await mails()), ...(await mails(blocked))]).toEqual([]);
    expect((await (await callAs(deps, person)).notifications.list({})).items).toMatchObject([{ kind: "saved_search" }]);
  });
});

test("a search that can't be read keeps nobody else waiting, and a year that no calendar has isn't saved", async () => {
  await expect(save({ firstHarvestUntil: "0000-01-01" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await save({ search: word });
  const [own] = await stored();
  if (!own) throw new Error("the search was not saved");
  const broken = await createUser(deps.db);
  const filters = { ...own.filters, firstHarvestUntil: "0000-01-01" };
  const { name, toldUntil } = own;
  await deps.db.insert(savedSearches).values({ name, toldUntil, userId: broken.id, filters });
  await openProject("Tall");
  await expect(nextMorning()).rejects.toThrow("items failed");
  expect(await mails()).toHaveLength(1);
  await deps.db.delete(savedSearches).where(eq(savedSearches.userId, broken.id));
});
