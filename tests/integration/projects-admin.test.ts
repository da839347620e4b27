import { and, eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { type Db, rows } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import {
  projectBackings,
  projectFavorites,
  projectMedia,
  projectMessages,
  projects,
  projectUpdates,
} from "#server/db/schema/projects.ts";
import { projectAdminTexts, projectFormTexts, supporterTier } from "#shared/projects/admin-texts.ts";
import type { ProjectFormInput } from "#shared/projects/inputs.ts";
import { planOfTemplate } from "#shared/reports/templates.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { countOpenJobs } from "#tests/support/jobs.ts";
import { createPayment, decide, expectMoneyHolds, findProject, storeReceiptFile } from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { projectFormOf } from "#tests/support/project-form.ts";
import { createProject, type TestProject } from "#tests/support/projects.ts";

const deps = await openTestDeps();
const { db, clock } = deps;
const address = "198.51.100.9";
let manager: TestUser;
let asManager: Caller;
let asOwner: Caller;

beforeAll(async () => {
  manager = await createAdmin(db, "manager");
  asManager = await callAs(deps, manager, { ipAddress: address });
  asOwner = await callAs(deps, "owner", { ipAddress: address });
});

const dayMs = 86_400_000;
const inDays = (days: number) => new Date(clock.now().getTime() + days * dayMs);

const clone = (projectId: number) => asManager.projects.clone({ projectId, idempotencyKey: crypto.randomUUID() });

/** Every project and every audit entry, to see that nothing changed. */
async function everything(on: Db = db) {
  const [found] = await rows<{ state: string }>(
    on,
    sql`select md5(coalesce((select string_agg(p::text, '|' order by id) from projects p), '')
      || (select count(*) from audit_logs) || (select count(*) from notifications)) as state`,
  );
  return found?.state;
}

async function lastAudit(action: string, projectId: number) {
  const found = await db
    .select()
    .from(auditLogs)
    .where(and(eq(auditLogs.actionType, action), sql`(${auditLogs.details}->>'projectId')::int = ${projectId}`));
  return found.at(-1);
}

/** Backs the project by an administrator's grant. */
async function grantBacking(project: TestProject): Promise<TestUser> {
  const backer = await createUser(db);
  await db.insert(projectBackings).values({ projectId: project.id, userId: backer.id, grantedAt: clock.now() });
  await db.update(projects).set({ backersCount: sql`backers_count + 1` }).where(eq(projects.id, project.id));
  return backer;
}

const notFound = { code: "NOT_FOUND", message: "Project not found" };
const gone = 999_999;

async function formOf(projectId: number, values: Partial<ProjectFormInput> = {}) {
  const { updatedAt } = await findProject(db, projectId);
  return { ...projectFormOf(values), projectId, seenUpdatedAt: updatedAt };
}

describe("every write", () => {
  const writes: ((as: Caller, id: number) => Promise<unknown>)[] = [
    (as) => as.projects.create(projectFormOf()),
    async (as, id) => as.projects.update(await formOf(id)),
    (as, projectId) => as.projects.close({ projectId }),
    (as, projectId) => as.projects.clone({ projectId, idempotencyKey: crypto.randomUUID() }),
    (as, projectId) => as.projects.delete({ projectId }),
  ];

  test("is undone where its audit entry can't be written", async () => {
    const { id: projectId } = await createProject(db);
    await db.execute(sql`alter table audit_logs add constraint no_more check (false) not valid`);
    const before = await everything();
    try {
      for (const write of writes) await expect(write(asOwner, projectId)).rejects.toThrow();
    } finally {
      await db.execute(sql`alter table audit_logs drop constraint no_more`);
    }
    expect(await everything()).toBe(before);
  });

  test("of a project that is gone says so", async () => {
    const before = await everything();
    const projectId = gone;
    await expect(asOwner.projects.forEdit({ projectId })).rejects.toMatchObject(notFound);
    const form = { ...projectFormOf(), projectId, seenUpdatedAt: clock.now() };
    await expect(asOwner.projects.update(form)).rejects.toMatchObject(notFound);
    await expect(asOwner.projects.close({ projectId })).rejects.toMatchObject(notFound);
    await expect(asOwner.projects.reopen({ projectId })).rejects.toMatchObject(notFound);
    await expect(asOwner.projects.delete({ projectId })).rejects.toMatchObject(notFound);
    await expect(asOwner.projects.clone({ projectId, idempotencyKey: crypto.randomUUID() })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: "Original project not found",
    });
    expect(await everything()).toBe(before);
  });
});

describe("the form", () => {
  const faults: [string, Partial<Record<keyof ProjectFormInput, unknown>>, string][] = [
    ["title", { title: " abcd " }, "Title must be at least 5 characters"],
    ["title", { title: "x".repeat(101) }, "Too big: expected string to have <=100 characters"],
    ["title", { title: "👩‍🌾" }, "Title must be at least 5 characters"],
    ["title", { title: undefined }, "Required"],
    ["category", { category: "" }, "Please select a category"],
    ["category", { category: "crypto" }, "Please select a category"],
    ["shortDescription", { shortDescription: "Too short" }, "Short description must be at least 10 characters"],
    ["shortDescription", { shortDescription: "x".repeat(501) }, "Short description must be at most 500 characters"],
    ["description", { description: `<p>${"x".repeat(49)}</p>` }, "Full description must be at least 50 characters"],
    ["fundingGoal", { fundingGoal: "99.99" }, "Funding goal must be at least $100"],
    ["fundingGoal", { fundingGoal: "1000000000.01" }, projectFormTexts.goalHigh],
    ["fundingGoal", { fundingGoal: "12,50" }, projectFormTexts.goalUnreadable],
    ["fundingGoal", { fundingGoal: "" }, "Required"],
    ["duration", { duration: 0 }, "Duration must be at least 1 day"],
    ["duration", { duration: 61 }, "Duration must be at most 60 days"],
    ["duration", { duration: 1.5 }, projectFormTexts.durationWhole],
    ["duration", { duration: "" }, "Required"],
    ["videoUrl", { videoUrl: "youtube" }, "Please enter a valid URL"],
    ["videoUrl", { videoUrl: "javascript:alert(1)" }, "Please enter a valid URL"],
    ["imageUrl", { imageUrl: " " }, "Main image is required"],
    ["imageUrl", { imageUrl: "http://pictures.example/a.png" }, "Please enter a valid URL"],
    ["imageUrl", { imageUrl: "/files/receipts/1" }, "Please enter a valid URL"],
    ["imageUrl", { imageUrl: `/files/photos/${"0".repeat(32)}/1600.webp` }, projectFormTexts.imageGone],
    [
      "rewards",
      { rewards: [{ title: "One", amount: "0", description: "For nothing", quantity: null }] },
      projectFormTexts.rewardAmount,
    ],
    [
      "rewards",
      { rewards: [{ title: "One", amount: "5", description: "None of it", quantity: 0 }] },
      projectFormTexts.rewardQuantity,
    ],
  ];
  test.each(faults)("refuses %s = %j, and changes nothing", async (_field, values, message) => {
    const { id } = await createProject(db);
    const before = await everything();
    const wrong = values as Partial<ProjectFormInput>;
    await expect(asManager.projects.create(projectFormOf(wrong))).rejects.toMatchObject({ code: "BAD_REQUEST" });
    const refused = await asManager.projects.update(await formOf(id, wrong)).catch((error: unknown) => error);
    expect(String((refused as Error).cause)).toContain(JSON.stringify(message).slice(1, -1));
    expect(await everything()).toBe(before);
  });

  test("takes the limits themselves", async () => {
    const limits = [
      { title: "x".repeat(5), shortDescription: "x".repeat(10), fundingGoal: "100", duration: 1 },
      { title: "x".repeat(100), shortDescription: "x".repeat(500), fundingGoal: "₦1,000,000,000", duration: 60 },
      { description: `<p>${"x".repeat(50)}</p>`, videoUrl: "", location: "", imageAlt: "", rewards: [] },
    ];
    for (const values of limits) {
      const { id } = await asManager.projects.create(projectFormOf(values));
      expect(await findProject(db, id)).toMatchObject({ isClosed: false });
    }
  });
});

describe("creating", () => {
  test("publishes at once, with what is the server's to say, and is audited", async () => {
    const { id } = await asManager.projects.create(projectFormOf());
    expect(await findProject(db, id)).toMatchObject({
      title: "Snail pens behind the market",
      creator: "Admin",
      category: "livestock",
      fundingGoalKobo: 125_000_050n,
      currentFundingKobo: 0n,
      backersCount: 0,
      durationDays: 45,
      endsAt: inDays(45),
      isClosed: false,
      round: 1,
      videoUrl: "https://www.youtube.com/watch?v=aqz-KE-bpKQ",
      imageFileId: null,
      rewards: [{ title: "Supporter", amountKobo: "2500", description: "A thank-you.", quantity: null }],
    });
    expect(await lastAudit("create_project", id)).toMatchObject({
      userId: manager.id,
      ipAddress: address,
      createdAt: clock.now(),
      details: { title: "Snail pens behind the market", after: { fundingGoalKobo: "125000050", creator: "Admin" } },
    });
    const shown = await (await callAs(deps, "anonymous")).projects.byId({ projectId: id });
    expect(shown).toMatchObject({ creator: "Admin", daysLeft: 45 });
  });

  test("the given tier is the administrators' to see, and no backer's until somebody writes it anew", async () => {
    const { title, description, amountNaira: amount } = supporterTier;
    const given = { title, description, amount, quantity: null };
    const { id } = await asManager.projects.create(projectFormOf({ rewards: [given] }));
    const visitor = await callAs(deps, "anonymous");
    expect((await visitor.projects.byId({ projectId: id })).rewards).toEqual([]);
    expect((await asManager.projects.forEdit({ projectId: id })).rewards).toHaveLength(1);
    await asManager.projects.update(await formOf(id, { rewards: [{ ...given, amount: "2,500" }] }));
    expect((await visitor.projects.byId({ projectId: id })).rewards).toMatchObject([{ title, amountKobo: "250000" }]);
  });

  test("keeps what the farm promises to report, which everybody reads", async () => {
    const reportPlan = { ...planOfTemplate("catfish"), weekday: 1 };
    const { id } = await asManager.projects.create({ ...projectFormOf(), reportPlan });
    const { plan } = await (await callAs(deps, "anonymous")).reports.record({ projectId: id });
    expect(plan).toEqual({ ...reportPlan, version: 1 });
  });

  test("the same form sent again, or twice at once, publishes one project", async () => {
    const form = projectFormOf();
    const { id } = await asManager.projects.create(form);
    const before = await everything();
    expect(await asManager.projects.create(form)).toEqual({ id });
    expect(await everything()).toBe(before);
    const next = projectFormOf({ title: form.title });
    const [one, other] = await Promise.all([asManager.projects.create(next), asManager.projects.create(next)]);
    expect(one).toEqual(other);
    expect(one.id).not.toBe(id);
  });

  test("claims of creator, funding, backers and round in the call are nothing", async () => {
    const claims = {
      creator: "Mallory",
      currentFundingKobo: 5n,
      currentfunding: 5,
      backers: 9,
      round: 7,
      isClosed: true,
    };
    const { id } = await asManager.projects.create({ ...projectFormOf(), ...claims });
    expect(await findProject(db, id)).toMatchObject({
      creator: "Admin",
      currentFundingKobo: 0n,
      backersCount: 0,
      round: 1,
      isClosed: false,
    });
  });

  test("keeps a sanitised description, and refuses one of which nothing is left", async () => {
    const text = "Forty pens of giant snails, looked after by two families near Epe.";
    const description = `<p onclick="alert(1)">${text}</p><script>alert(2)</script><img src="x" onerror="alert(3)">`;
    const { id } = await asManager.projects.create(projectFormOf({ description }));
    const kept = (await findProject(db, id)).description;
    expect(kept).toContain(`<p>${text}</p>`);
    expect(kept).not.toMatch(/alert|script|onerror/);
    const before = await everything();
    const empty = projectFormOf({ description: `<style>${"x".repeat(80)}</style>` });
    await expect(asManager.projects.create(empty)).rejects.toThrow(projectFormTexts.descriptionShort);
    expect(await everything()).toBe(before);
  });
});

describe("editing", () => {
  test("fills the form, saves it, sets the end anew from now, and is audited with before and after", async () => {
    const { id: projectId } = await createProject(db, { endsAt: inDays(12), rewards: [], videoUrl: null });
    expect(await asManager.projects.forEdit({ projectId })).toMatchObject({
      id: projectId,
      durationDays: 12,
      fundingGoalKobo: 50_000_000n,
      lockedBy: null,
      videoUrl: null,
    });
    await asManager.projects.update(await formOf(projectId, { duration: 20, location: "Epe" }));
    const saved = await findProject(db, projectId);
    expect(saved).toMatchObject({ creator: "Gona Farms", location: "Epe", endsAt: inDays(20), durationDays: 20 });
    expect(saved.rewards).toHaveLength(1);
    expect(await lastAudit("edit_project", projectId)).toMatchObject({
      userId: manager.id,
      ipAddress: address,
      details: {
        title: "Snail pens behind the market",
        before: { location: "Oyo", fundingGoalKobo: "50000000", videoUrl: null },
        after: { location: "Epe", fundingGoalKobo: "125000050", durationDays: 20 },
      },
    });
  });

  test("names in the audit what changed and nothing else", async () => {
    const project = await createProject(db);
    const same = {
      title: project.title,
      category: "livestock" as const,
      shortDescription: project.shortDescription,
      description: project.description,
      fundingGoal: "500000",
      duration: 30,
      videoUrl: "",
      imageUrl: project.imageUrl,
      imageAlt: "",
      rewards: [],
    };
    await asManager.projects.update(await formOf(project.id, { ...same, location: "Ibadan" }));
    const details = (await lastAudit("edit_project", project.id))?.details;
    expect(details).toMatchObject({ before: { location: "Oyo" }, after: { location: "Ibadan" } });
    expect(Object.keys(details?.after as object)).toEqual(["location"]);
  });

  test("a project whose time has run out is offered 30 days", async () => {
    const { id: projectId } = await createProject(db, { endsAt: inDays(-1) });
    expect(await asManager.projects.forEdit({ projectId })).toMatchObject({ durationDays: 30 });
  });

  test("refuses the second of two administrators, and changes nothing of the first one's", async () => {
    const { id: projectId } = await createProject(db);
    const [first, second] = [
      await formOf(projectId, { title: "The first one's title" }),
      await formOf(projectId, { title: "The second one's title" }),
    ];
    await asManager.projects.update(first);
    const before = await everything();
    const conflict = { code: "CONFLICT", message: projectAdminTexts.changed };
    await expect(asOwner.projects.update(second)).rejects.toMatchObject(conflict);
    expect(await everything()).toBe(before);
    // Having looked again, the second may save.
    const { updatedAt } = await asOwner.projects.forEdit({ projectId });
    await asOwner.projects.update({ ...second, seenUpdatedAt: updatedAt });
    expect(await findProject(db, projectId)).toMatchObject({ title: "The second one's title" });
  });

  test("keeps the goal while a payment of the round is pending or approved, and lets the rest be changed", async () => {
    const { project, payment, owner } = await createPayment(deps);
    const { id: projectId } = project;
    for (const status of ["pending", "approved"] as const) {
      if (status === "approved") await decide(deps, owner, { paymentId: payment.id, status });
      expect(await asManager.projects.forEdit({ projectId })).toMatchObject({ lockedBy: "paid" });
      const before = await everything();
      await expect(asManager.projects.update(await formOf(projectId, { fundingGoal: "600000" }))).rejects.toMatchObject(
        { code: "BAD_REQUEST", message: projectAdminTexts.goalLocked.paid },
      );
      expect(await everything()).toBe(before);
      await asManager.projects.update(await formOf(projectId, { fundingGoal: "500,000", location: status }));
      expect(await findProject(db, projectId)).toMatchObject({ location: status, fundingGoalKobo: 50_000_000n });
    }
    await asManager.projects.reopen({ projectId });
    expect(await asManager.projects.forEdit({ projectId })).toMatchObject({ lockedBy: null });
    await asManager.projects.update(await formOf(projectId, { fundingGoal: "600000" }));
    expect(await findProject(db, projectId)).toMatchObject({ fundingGoalKobo: 60_000_000n, currentFundingKobo: 0n });
    await expectMoneyHolds(deps);
  });
});

describe("closing and reopening", () => {
  test("tell the backers by notification and mail, each time anew, and are audited", async () => {
    const project = await createProject(db);
    const { id: projectId, title } = project;
    const backer = await grantBacking(project);
    for (let round = 0; round < 2; round += 1) {
      expect(await asManager.projects.close({ projectId })).toEqual({ title });
      expect(await findProject(db, projectId)).toMatchObject({ isClosed: true, closedAt: clock.now() });
      expect(await asManager.projects.reopen({ projectId })).toEqual({ title });
      expect(await findProject(db, projectId)).toMatchObject({ isClosed: false, closedAt: null, round: 1 });
    }
    const told = await db.select().from(notifications).where(eq(notifications.userId, backer.id));
    const kinds = ["project_closed", "project_reopened"];
    expect(told.map(({ kind }) => kind)).toEqual([...kinds, ...kinds]);
    expect((await queuedMailsTo(db, backer.email)).map(({ subject }) => subject)).toEqual([
      `${title} is now closed`,
      `${title} is open again`,
      `${title} is now closed`,
      `${title} is open again`,
    ]);
    expect(await lastAudit("close_project", projectId)).toMatchObject({ userId: manager.id, ipAddress: address });
    expect(await lastAudit("reopen_project", projectId)).toMatchObject({
      userId: manager.id,
      ipAddress: address,
      details: { title, before: { isClosed: true }, after: { isClosed: false } },
    });
  });

  test("are refused the second time, and tell nobody twice", async () => {
    const project = await createProject(db);
    const { id: projectId } = project;
    await grantBacking(project);
    await asManager.projects.close({ projectId });
    let before = await everything();
    await expect(asManager.projects.close({ projectId })).rejects.toMatchObject({
      code: "CONFLICT",
      message: "This project is already closed.",
    });
    expect(await everything()).toBe(before);
    await asManager.projects.reopen({ projectId });
    before = await everything();
    await expect(asManager.projects.reopen({ projectId })).rejects.toMatchObject({
      code: "CONFLICT",
      message: "This project is already open.",
    });
    expect(await everything()).toBe(before);
  });

  test("reopening gives 30 days to one whose time has run out, and leaves the others theirs", async () => {
    const over = await createProject(db, { isClosed: true, endsAt: inDays(-3), durationDays: 7 });
    const running = await createProject(db, { isClosed: true, endsAt: inDays(3), durationDays: 7 });
    for (const { id: projectId } of [over, running]) await asManager.projects.reopen({ projectId });
    expect(await findProject(db, over.id)).toMatchObject({ endsAt: inDays(30), durationDays: 30 });
    expect(await findProject(db, running.id)).toMatchObject({ endsAt: inDays(3), durationDays: 7 });
  });

  test("reopening begins the next round only after an approved payment, with its funding of 0", async () => {
    const { project, payment, owner, backer } = await createPayment(deps, { status: "approved" });
    const { id: projectId } = project;
    await asManager.projects.reopen({ projectId });
    expect(await findProject(db, projectId)).toMatchObject({ round: 2, currentFundingKobo: 0n, backersCount: 1 });
    expect(await lastAudit("reopen_project", projectId)).toMatchObject({
      details: { before: { round: 1 }, after: { round: 2 } },
    });
    await expectMoneyHolds(deps);
    await asManager.projects.close({ projectId });
    await asManager.projects.reopen({ projectId });
    expect(await findProject(db, projectId)).toMatchObject({ round: 2 });
    // The payment of the first round is taken back: the second one's funding stays as it is.
    await decide(deps, owner, { paymentId: payment.id, status: "rejected" });
    expect(await findProject(db, projectId)).toMatchObject({ round: 2, currentFundingKobo: 0n, backersCount: 0 });
    const other = await createPayment(deps, { project: await findProject(db, projectId), owner, status: "approved" });
    expect(other.backer.id).not.toBe(backer.id);
    expect(await findProject(db, projectId)).toMatchObject({ isClosed: true, currentFundingKobo: 50_000_000n });
    await expectMoneyHolds(deps);
  });

  test("an approval that was taken back begins no new round", async () => {
    const { project, payment, owner } = await createPayment(deps, { status: "approved" });
    await decide(deps, owner, { paymentId: payment.id, status: "rejected" });
    await asManager.projects.reopen({ projectId: project.id });
    expect(await findProject(db, project.id)).toMatchObject({ round: 1, currentFundingKobo: 0n });
    await expectMoneyHolds(deps);
  });
});

describe("cloning", () => {
  test("makes an open project of the same content with nothing of its money", async () => {
    const { project } = await createPayment(deps, { status: "approved" });
    const { id, title } = await clone(project.id);
    expect(title).toBe(`${project.title} (Clone)`);
    expect(await findProject(db, id)).toMatchObject({
      title,
      creator: "Admin",
      category: project.category,
      shortDescription: project.shortDescription,
      description: project.description,
      imageUrl: project.imageUrl,
      location: project.location,
      fundingGoalKobo: project.fundingGoalKobo,
      currentFundingKobo: 0n,
      backersCount: 0,
      isClosed: false,
      round: 1,
      durationDays: 30,
    });
    expect(await lastAudit("clone_project", id)).toMatchObject({
      userId: manager.id,
      ipAddress: address,
      details: { title, originalId: project.id, original: project.title },
    });
    await expectMoneyHolds(deps);
  });

  test("the same wish sent again, or twice at once, makes one clone", async () => {
    const { id: projectId, title } = await createProject(db);
    const wish = { projectId, idempotencyKey: crypto.randomUUID() };
    const [one, other] = await Promise.all([asManager.projects.clone(wish), asManager.projects.clone(wish)]);
    expect(one).toEqual({ id: expect.any(Number), title: `${title} (Clone)` });
    expect(other).toEqual(one);
    const before = await everything();
    expect(await asManager.projects.clone(wish)).toEqual(one);
    expect(await everything()).toBe(before);
    const next = await clone(projectId);
    expect(next.id).not.toBe(one.id);
  });

  test("says so where the database makes no row, and leaves nothing", async () => {
    const { id: projectId } = await createProject(db);
    await db.execute(sql`create function keep_out() returns trigger language plpgsql as 'begin return null; end'`);
    await db.execute(sql`create trigger keep_out before insert on projects for each row execute function keep_out()`);
    const before = await everything();
    try {
      const refusal = { code: "SERVICE_UNAVAILABLE", message: "New project was not created" };
      const wish = { projectId, idempotencyKey: crypto.randomUUID() };
      await expect(asManager.projects.clone(wish)).rejects.toMatchObject(refusal);
      await expect(asManager.projects.create(projectFormOf())).rejects.toMatchObject(refusal);
    } finally {
      await db.execute(sql`drop trigger keep_out on projects`);
      await db.execute(sql`drop function keep_out`);
    }
    expect(await everything()).toBe(before);
  });

  test("keeps the days left, or gives 30 where none are left", async () => {
    const running = await createProject(db, { endsAt: inDays(12) });
    const over = await createProject(db, { endsAt: inDays(-1) });
    const [first, second] = [await clone(running.id), await clone(over.id)];
    expect(await findProject(db, first.id)).toMatchObject({ durationDays: 12, endsAt: inDays(12) });
    expect(await findProject(db, second.id)).toMatchObject({ durationDays: 30, endsAt: inDays(30) });
  });

  test("keeps the longest title within 100 characters, and cuts no letter in two", async () => {
    const plain = await createProject(db, { title: "x".repeat(100) });
    const { title } = await clone(plain.id);
    expect(title).toBe(`${"x".repeat(92)} (Clone)`);
    const rich = await createProject(db, { title: `${"x".repeat(91)}🐟🐟🐟` });
    const cut = await clone(rich.id);
    expect(cut.title).toBe(`${"x".repeat(91)} (Clone)`);
    expect((await clone(cut.id)).title.length).toBeLessThanOrEqual(100);
  });
});

describe("deleting", () => {
  async function storeMediaFile(kind: "photo" | "video") {
    const { key, ...file } = await storeReceiptFile(deps);
    const values = { kind, storageKey: key, ...file, createdAt: clock.now() };
    const [row] = await db.insert(storedFiles).values(values).returning();
    if (!row) throw new Error("the file was not written");
    return row;
  }

  test("takes all that is the project's, keeps payments detached with its title, and a snapshot in the audit", async () => {
    const { project, backer, payment, owner } = await createPayment(deps, { status: "approved" });
    const { id: projectId } = project;
    await asManager.projects.reopen({ projectId });
    const waiting = await createPayment(deps, { project, owner });
    const { id: fanId } = await createUser(db);
    await db.insert(projectFavorites).values({ projectId, userId: fanId });
    await db.insert(projectUpdates).values({ projectId, title: "First week", content: "The ponds are dug." });
    await db
      .insert(projectMessages)
      .values({ projectId, userId: backer.id, content: "Well done", isAdminReply: false });
    const file = await storeMediaFile("photo");
    const poster = await storeMediaFile("photo");
    await db
      .insert(projectMedia)
      .values({ projectId, type: "video", url: "/files/x", fileId: file.id, posterFileId: poster.id });
    await db.update(projects).set({ title: "Catfish, renamed" }).where(eq(projects.id, projectId));
    const jobsBefore = await countOpenJobs(db, "delete-file");

    await expect(asOwner.projects.delete({ projectId })).rejects.toThrow(projectAdminTexts.hasMoney);
    expect(await db.$count(projects, eq(projects.id, projectId))).toBe(1);
    await decide(deps, owner, { paymentId: payment.id, status: "rejected" });
    await asManager.backings.grant({ projectId, userId: backer.id });
    expect(await asOwner.projects.delete({ projectId })).toEqual({ title: "Catfish, renamed" });
    for (const table of [projectBackings, projectFavorites, projectMedia, projectUpdates, projectMessages]) {
      expect(await db.$count(table, eq(table.projectId, projectId))).toBe(0);
    }
    expect(await db.$count(projects, eq(projects.id, projectId))).toBe(0);
    const kept = await db
      .select()
      .from(projectPayments)
      .where(sql`${projectPayments.id} in (${payment.id}, ${waiting.payment.id})`)
      .orderBy(projectPayments.id);
    expect(kept).toMatchObject([
      { projectId: null, projectTitle: "Catfish, renamed", status: "rejected", round: 1 },
      { projectId: null, projectTitle: "Catfish, renamed", status: "pending", round: 2 },
    ]);
    const { items } = await asOwner.payments.list({});
    expect(items.find(({ id }) => id === waiting.payment.id)).toMatchObject({
      projectTitle: "Catfish, renamed",
      refundDue: "project_removed",
    });
    const entry = await lastAudit("delete_project", projectId);
    expect(entry).toMatchObject({
      ipAddress: address,
      details: {
        title: "Catfish, renamed",
        detachedPaymentIds: [payment.id, waiting.payment.id],
        deleted: {
          project: { id: projectId, title: "Catfish, renamed", funding_goal_kobo: 50_000_000 },
          backings: [{ user_id: backer.id }],
          favorites: [{ user_id: fanId }],
          updates: [{ title: "First week", content: "The ponds are dug." }],
          messages: [{ user_id: backer.id, content: "Well done" }],
          media: [{ file_id: file.id, poster_file_id: poster.id }],
        },
      },
    });
    const references = [payment.reference, waiting.payment.reference].map((reference) =>
      expect.objectContaining({ reference }),
    );
    expect(entry?.details.deleted).toMatchObject({ references: expect.arrayContaining(references) });
    expect(await countOpenJobs(db, "delete-file")).toBe(jobsBefore + 2);
    await expectMoneyHolds(deps);
    // What was paid can still be taken back.
    await decide(deps, owner, { paymentId: payment.id, status: "rejected" });
    await expectMoneyHolds(deps);
  });

  test("that fails leaves every row and every file", async () => {
    const { project } = await createPayment(deps);
    const file = await storeMediaFile("photo");
    await db.insert(projectMedia).values({ projectId: project.id, type: "photo", url: "/files/x", fileId: file.id });
    const before = await everything();
    vi.spyOn(deps.jobs, "enqueue").mockRejectedValueOnce(new Error("the queue is away"));
    await expect(asOwner.projects.delete({ projectId: project.id })).rejects.toThrow();
    expect(await everything()).toBe(before);
    expect(await deps.storage.exists(file.storageKey)).toBe(true);
    expect(await db.$count(projectMedia, eq(projectMedia.projectId, project.id))).toBe(1);
    await expectMoneyHolds(deps);
  });
});

test("the dashboard counts open and closed projects", async () => {
  const viewer = await callAs(deps, "viewer");
  expect(await viewer.dashboard.counts()).toEqual({
    open: await db.$count(projects, eq(projects.isClosed, false)),
    closed: await db.$count(projects, eq(projects.isClosed, true)),
  });
});
