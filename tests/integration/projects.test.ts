import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { projectBackings, projects, projectUpdates } from "#server/db/schema/projects.ts";
import { settings } from "#server/db/schema/settings.ts";
import { closeExpiredProjects } from "#server/features/projects/jobs.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { createPayment, decide } from "#tests/support/money.ts";
import { type Caller, callAs, createUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";

const deps = await openTestDeps();
let anonymous: Caller;

beforeAll(async () => {
  anonymous = await callAs(deps, "anonymous");
});

type ListInput = Parameters<Caller["projects"]["list"]>[0];
const titlesOf = async (input: ListInput) => (await anonymous.projects.list(input)).items.map(({ title }) => title);

describe("discover", () => {
  beforeAll(async () => {
    const day = 86_400_000;
    const soon = new Date(deps.clock.now().getTime() + day);
    // More than a page of the dashboard's table holds.
    for (let made = 0; made < 51; made++) await createProject(deps.db);
    await createProject(deps.db, { title: "Maize 100% drip", category: "sustainable", backersCount: 5 });
    await createProject(deps.db, {
      title: "Maize_under trees",
      category: "sustainable",
      backersCount: 9,
      endsAt: soon,
    });
    await createProject(deps.db, { title: "Honey \\ hives", category: "organic", backersCount: 1 });
    await createProject(deps.db, {
      title: "Sold out ginger",
      category: "organic",
      backersCount: 50,
      isClosed: true,
    });
    await createProject(deps.db, { title: "No category yet", category: null });
  });

  test("shows open projects, most backed first, closed ones when asked", async () => {
    expect((await titlesOf({}))[0]).toBe("Maize_under trees");
    expect(await titlesOf({})).not.toContain("Sold out ginger");
    expect((await titlesOf({ showClosed: true }))[0]).toBe("Sold out ginger");
  });

  test("sorts by newest and by the nearest end", async () => {
    expect((await titlesOf({ sort: "newest" }))[0]).toBe("No category yet");
    expect((await titlesOf({ sort: "ending" }))[0]).toBe("Maize_under trees");
  });

  test("filters by category", async () => {
    expect((await titlesOf({ category: "sustainable" })).sort()).toEqual(["Maize 100% drip", "Maize_under trees"]);
    expect(await titlesOf({ category: "tech" })).toEqual([]);
  });

  test("search takes every character literally, in any case", async () => {
    expect(await titlesOf({ search: "MAIZE" })).toHaveLength(2);
    expect(await titlesOf({ search: "%" })).toEqual(["Maize 100% drip"]);
    expect(await titlesOf({ search: "_" })).toEqual(["Maize_under trees"]);
    expect(await titlesOf({ search: "\\" })).toEqual(["Honey \\ hives"]);
    expect(await titlesOf({ search: "' or 1=1 --" })).toEqual([]);
  });

  test.each([
    "nonsense",
    Buffer.from('["a","b"]').toString("base64url"),
    Buffer.from("[1e99,1]").toString("base64url"),
    "x".repeat(501),
  ])("refuses the forged cursor %s", async (cursor) => {
    await expect(anonymous.projects.list({ cursor })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  test("home shows at most six, open, most backed first", async () => {
    const featured = await anonymous.projects.featured();
    expect(featured).toHaveLength(6);
    expect(featured[0]?.title).toBe("Maize_under trees");
    expect(featured.every(({ isClosed }) => !isClosed)).toBe(true);
  });
});

describe("a project's page", () => {
  test("gives the project with its days left, rounded up", async () => {
    const project = await createProject(deps.db, { endsAt: new Date(deps.clock.now().getTime() + 36 * 3_600_000) });
    expect(await anonymous.projects.byId({ projectId: project.id })).toMatchObject({
      title: project.title,
      daysLeft: 2,
      isFavorite: false,
    });
  });

  test("takes scripts, handlers and foreign schemes out of a stored description", async () => {
    const description = `<p onclick="steal()">Fine text that is long enough to be stored here.</p><script>steal()</script>
      <iframe src="https://evil.example"></iframe><style>p{}</style><a href="javascript:steal()">x</a><img src="data:text/html,x" onerror="steal()">
      <form action="https://evil.example"><button formaction="https://evil.example">b</button></form>`;
    const project = await createProject(deps.db, { description });
    const shown = (await anonymous.projects.byId({ projectId: project.id })).description;
    expect(shown).toContain("Fine text");
    expect(shown).not.toMatch(/steal|script|iframe|style|data:|form|onerror|onclick/i);
  });

  test.each([0, -1, 1.5, 2_147_483_648, Number.NaN])("refuses the id %s", async (projectId) => {
    await expect(anonymous.projects.byId({ projectId })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  test("says not found for what doesn't exist", async () => {
    await expect(anonymous.projects.byId({ projectId: 999_999 })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: "The project you're looking for doesn't exist or has been removed.",
    });
  });

  test("asks anonymous visitors to sign in where the setting says so, for missing projects too", async () => {
    const project = await createProject(deps.db);
    const [setting] = await deps.db
      .insert(settings)
      .values({ key: "requiresigninforprojects", value: "true" })
      .returning();
    const denial = { code: "UNAUTHORIZED", message: "Please log in to view this project's details" };
    for (const projectId of [project.id, 999_999]) {
      await expect(anonymous.projects.byId({ projectId })).rejects.toMatchObject(denial);
      await expect(anonymous.updates.list({ projectId })).rejects.toMatchObject(denial);
      await expect(anonymous.media.gallery({ projectId })).rejects.toMatchObject(denial);
    }
    const backer = await callAs(deps, "backer");
    expect(await backer.projects.byId({ projectId: project.id })).toMatchObject({ id: project.id });
    await deps.db.delete(settings).where(eq(settings.id, setting?.id ?? 0));
  });

  test("updates come five a page, newest first, searched in title and text", async () => {
    const { id: projectId } = await createProject(deps.db);
    const at = (minute: number) => new Date(deps.clock.now().getTime() + minute * 60_000);
    const reports = Array.from({ length: 7 }, (_, week) => ({
      projectId,
      title: `Week ${week}`,
      content: week === 3 ? "Two hens 50% lighter" : "All well",
      createdAt: at(week),
    }));
    await deps.db.insert(projectUpdates).values(reports);
    const first = await anonymous.updates.list({ projectId });
    expect(first.total).toBe(7);
    expect(first.items.map(({ title }) => title)).toEqual(["Week 6", "Week 5", "Week 4", "Week 3", "Week 2"]);
    expect((await anonymous.updates.list({ projectId, page: 2 })).items.map(({ title }) => title)).toEqual([
      "Week 1",
      "Week 0",
    ]);
    expect((await anonymous.updates.list({ projectId, search: "50%" })).items.map(({ title }) => title)).toEqual([
      "Week 3",
    ]);
  });

  test("a search of updates takes every character literally", async () => {
    const { id: projectId } = await createProject(deps.db);
    const texts = ["90% alive", "90 percent", "pond_2", "pond 2", "C:\\farm", "C:/farm", "Ada's pen", "Adas pen"];
    await deps.db
      .insert(projectUpdates)
      .values(texts.map((content, index) => ({ projectId, title: `Week ${index}`, content })));
    for (const [search, content] of [
      ["%", "90% alive"],
      ["_", "pond_2"],
      ["\\", "C:\\farm"],
      ["'", "Ada's pen"],
    ] as const) {
      const { items } = await anonymous.updates.list({ projectId, search });
      expect(items.map((update) => update.content)).toEqual([content]);
    }
  });
});

describe("what others and the caller have to do with a project", () => {
  test("a pending receipt is seen by everyone but its sender, a backing by its backer", async () => {
    const project = await createProject(deps.db);
    const { backer, owner, payment } = await createPayment(deps, { project });
    const caller = await callAs(deps, backer);
    const shown = { isUnderReview: true, isBacked: false };
    expect(await anonymous.projects.byId({ projectId: project.id })).toMatchObject(shown);
    expect(await (await callAs(deps, "backer")).projects.byId({ projectId: project.id })).toMatchObject(shown);
    expect(await caller.projects.byId({ projectId: project.id })).toMatchObject({ isUnderReview: false });

    await decide(deps, owner, { paymentId: payment.id, status: "approved" });
    expect(await caller.projects.byId({ projectId: project.id })).toMatchObject({
      isUnderReview: false,
      isBacked: true,
    });
    expect(await anonymous.projects.byId({ projectId: project.id })).toMatchObject({ isBacked: false });
  });
});

describe("favorites", () => {
  test("are added once, listed and removed", async () => {
    const backer = await callAs(deps, "backer");
    const { id: projectId } = await createProject(deps.db);
    await backer.favorites.add({ projectId });
    await expect(backer.favorites.add({ projectId })).rejects.toMatchObject({
      code: "CONFLICT",
      message: "Already favorited",
    });
    expect((await backer.favorites.mine({})).items.map(({ id }) => id)).toEqual([projectId]);
    expect(await backer.favorites.ids()).toEqual([projectId]);
    expect((await backer.projects.byId({ projectId })).isFavorite).toBe(true);
    await backer.favorites.remove({ projectId });
    await backer.favorites.remove({ projectId });
    expect((await backer.favorites.mine({})).items).toEqual([]);
  });

  test("of a missing project are refused", async () => {
    const backer = await callAs(deps, "backer");
    await expect(backer.favorites.add({ projectId: 999_999 })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("belong to one person", async () => {
    const [one, other] = [await callAs(deps, "backer"), await callAs(deps, "backer")];
    const { id: projectId } = await createProject(deps.db);
    await one.favorites.add({ projectId });
    await other.favorites.remove({ projectId });
    expect((await one.favorites.mine({})).items).toHaveLength(1);
    expect((await other.favorites.mine({})).items).toEqual([]);
  });
});

describe("a backed project", () => {
  test("opens for its backers and for administrators, and is not found for everybody else", async () => {
    const { id: projectId } = await createProject(deps.db);
    const person = await createUser(deps.db);
    await deps.db.insert(projectBackings).values({ projectId, userId: person.id, grantedAt: deps.clock.now() });
    await deps.db.update(projects).set({ backersCount: 1 }).where(eq(projects.id, projectId));
    expect(await (await callAs(deps, person)).backings.project({ projectId })).toMatchObject({
      id: projectId,
      creator: "Gona Farms",
    });
    expect(await (await callAs(deps, "viewer")).backings.project({ projectId })).toMatchObject({ id: projectId });
    const stranger = await callAs(deps, "backer");
    for (const id of [projectId, 999_999]) {
      await expect(stranger.backings.project({ projectId: id })).rejects.toMatchObject({
        code: "NOT_FOUND",
        message: "Project not found",
      });
    }
  });
});

describe("the dashboard's table", () => {
  test("searches by title and backer, sorts, pages, and names the first backer", async () => {
    const viewer = await callAs(deps, "viewer");
    const { id: projectId, title } = await createProject(deps.db, { title: "Aardvark-free poultry" });
    const [first, second] = [await createUser(deps.db, { fullName: "Zubairu Zed" }), await createUser(deps.db)];
    const now = deps.clock.now();
    await deps.db
      .insert(projectBackings)
      .values([first, second].map(({ id }) => ({ projectId, userId: id, grantedAt: now, createdAt: now })));
    await deps.db.update(projects).set({ backersCount: 2 }).where(eq(projects.id, projectId));
    for (const search of ["zubairu", "aardvark"]) {
      const { items } = await viewer.dashboard.projects({ search });
      expect(items).toMatchObject([{ title, backerName: "Zubairu Zed" }]);
    }
    const byBacker = (await viewer.dashboard.projects({ sort: "backer" })).items.map(({ backerName }) => backerName);
    expect(byBacker.indexOf(null)).toBeGreaterThan(byBacker.indexOf("Zubairu Zed"));
    const byStatus = (await viewer.dashboard.projects({ sort: "status" })).items.map(({ isClosed }) => isClosed);
    expect(byStatus).toEqual([...byStatus].sort());
  });

  test.each(["title", "status", "backer"] as const)("pages by %s without gap or repetition", async (sort) => {
    const viewer = await callAs(deps, "viewer");
    const seen: number[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await viewer.dashboard.projects({ sort, cursor });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(await deps.db.$count(projects));
  });
});

describe("a project whose time has run out", () => {
  test("is closed at its end and not a second before, audited, and its backers are told once", async () => {
    const endsAt = new Date(deps.clock.now().getTime() + 60_000);
    const { id: projectId, title } = await createProject(deps.db, { endsAt });
    const backer = await createUser(deps.db);
    await deps.db.insert(projectBackings).values({ projectId, userId: backer.id, grantedAt: deps.clock.now() });
    await deps.db.update(projects).set({ backersCount: 1 }).where(eq(projects.id, projectId));
    const isClosed = async () => (await deps.db.select().from(projects).where(eq(projects.id, projectId)))[0]?.isClosed;

    deps.clock.advance({ seconds: 59 });
    await closeExpiredProjects(deps);
    expect(await isClosed()).toBe(false);
    deps.clock.advance({ seconds: 1 });
    await closeExpiredProjects(deps);
    await closeExpiredProjects(deps);
    expect(await isClosed()).toBe(true);

    const told = await deps.db.select().from(notifications).where(eq(notifications.userId, backer.id));
    expect(told).toMatchObject([{ kind: "project_closed", projectId }]);
    const mails = await queuedMailsTo(deps.db, backer.email);
    expect(mails).toMatchObject([{ subject: `${title} is now closed`, notificationId: told[0]?.id }]);
    expect(mails[0]?.text).toContain(`/backed-project/${projectId}`);
    const audited = await deps.db.select().from(auditLogs).where(eq(auditLogs.actionType, "close_project"));
    expect(audited.filter(({ details }) => details.projectId === projectId)).toHaveLength(1);
  });
});
