import { asc } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { settings } from "#server/db/schema/settings.ts";
import { testimonials } from "#server/db/schema/site.ts";
import { closeExpiredProjects } from "#server/features/projects/jobs.ts";
import { figuresOf } from "#server/features/site/home/figures.ts";
import { accountTexts } from "#shared/accounts/texts.ts";
import { applicationPath } from "#shared/careers/texts.ts";
import { photoPath } from "#shared/photos.ts";
import { homeTexts, shownTestimonials } from "#shared/site/home-texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createPayment } from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";

/** The parts of the home page besides projects, and the switch that offers jobs. */

const deps = await openTestDeps();
const { db } = deps;
let app: FastifyInstance;
let ownerRow: TestUser;
let owner: Caller;

beforeAll(async () => {
  app = await buildApp(deps, { distDir: "/nowhere" });
  ownerRow = await createAdmin(db, "owner");
});
afterAll(() => app.close());
beforeEach(async () => {
  await db.delete(testimonials);
  await db.delete(settings);
  owner = await callAs(deps, ownerRow);
});

const home = () => callAs(deps, "anonymous").then((visitor) => visitor.site.home());
const choose = (choice: string) => owner.settings.save({ values: { homefigures: choice } });
const lastAudit = async () => (await db.select().from(auditLogs).orderBy(asc(auditLogs.id))).at(-1);

describe("the figures", () => {
  /** A round of ten lots of ₦50,000, of which eight are enough. */
  const farm = () => createProject(db, { fundingGoalKobo: 50_000_000n, lots: 10, minimumLots: 8 });
  const buy = async (lots: number, backer?: TestUser) => {
    const project = await farm();
    await createPayment(deps, { project, owner: ownerRow, lots, status: "approved", ...(backer && { backer }) });
    return project;
  };
  const giveBack = async (projectId: number, seenApprovedLots: number) => {
    deps.clock.advance({ days: 31 });
    await closeExpiredProjects(deps);
    owner = await callAs(deps, ownerRow);
    await owner.payments.decideRound({ projectId, outcome: "not_funded", seenApprovedLots });
  };

  test("are computed from the fifth decided round on: a round given back has reached what it gave back", async () => {
    const backer = await createUser(db);
    for (const who of [backer, backer, undefined]) await buy(10, who);
    const nearly = await buy(7);
    const hardly = await buy(1);
    await giveBack(nearly.id, 7);
    expect((await home()).figures).toEqual([]);
    expect((await owner.site.homeSettings()).previews.computed).toEqual({ figures: [], decided: 4 });
    await giveBack(hardly.id, 1);
    const figures = [
      { figure: "2", label: "backers" },
      { figure: "3", label: "successful projects" },
      { figure: "₦1.5M+", label: "raised" },
      { figure: "75%", label: "funding success rate for projects that reach 60% of their goal" },
    ];
    expect((await home()).figures).toEqual(figures);
    await choose("none");
    expect((await home()).figures).toEqual([]);
    expect(await owner.site.homeSettings()).toMatchObject({
      choice: "none",
      previews: { computed: { figures, decided: 5 } },
    });
  });

  test.each([
    [1_428_000_000n, "₦14.2M+"],
    [1_400_000_000n, "₦14M+"],
    [64_090_000n, "₦640K+"],
    [123_456_789_012n, "₦1.2B+"],
    [99_900n, "₦999"],
    [0n, "₦0"],
  ])("%s kobo are never shown as more than they are: %s", (raisedKobo, shown) => {
    const figures = figuresOf({ backers: 1, funded: 1, raisedKobo, reached: 0, reachedAndFunded: 0 });
    expect(figures).toEqual([
      { figure: "1", label: "backer" },
      { figure: "1", label: "successful project" },
      { figure: shown, label: "raised" },
    ]);
  });

  test("are claimed to the letter only with the password, and by an owner", async () => {
    const stolen = await callAs(deps, ownerRow, { isProved: false });
    const claim = { values: { homefigures: "claimed" } };
    const refused = { message: accountTexts.proofRequired };
    await expect(stolen.settings.save(claim)).rejects.toMatchObject(refused);
    await expect(stolen.settings.add({ key: "homefigures", value: "claimed" })).rejects.toMatchObject(refused);
    await stolen.settings.save({ values: { homefigures: "none" } });
    await expect(stolen.settings.save(claim)).rejects.toMatchObject(refused);
    const [row] = (await stolen.settings.list()).filter(({ key }) => key === "homefigures");
    const change = { settingId: row?.id ?? 0, value: "claimed", seenValue: "none" };
    await expect(stolen.settings.update(change)).rejects.toMatchObject(refused);
    await expect(choose("invented")).rejects.toMatchObject({ message: "This setting is computed, none or claimed" });
    expect((await home()).figures).toEqual([]);
    await choose("claimed");
    expect(await lastAudit()).toMatchObject({
      actionType: "update_setting",
      userId: ownerRow.id,
      details: { key: "homefigures", before: "none", after: "claimed" },
    });
    expect((await home()).figures).toEqual([
      { figure: "150+", label: "backers" },
      { figure: "50+", label: "successful projects" },
      { figure: "₦100M+", label: "raised" },
      { figure: "93%", label: "funding success rate for projects that reach 60% of their goal" },
    ]);
  });
});

describe("a testimonial", () => {
  const said = {
    name: "Amaka",
    backed: "Backed a catfish farm",
    words: "Every Friday there was a report.",
    agreement: "By email on 3 November, kept in the office.",
    photo: null,
  };
  const names = async () => (await home()).testimonials.map(({ name }) => name);

  test("stands on the home page with its photo until an owner hides it, and again when they show it", async () => {
    const id = "a".repeat(32);
    const file = { kind: "photo", storageKey: `photo/${id}/192.webp`, sha256: "0".repeat(64), bytes: 1 } as const;
    await db.insert(storedFiles).values({ ...file, contentType: "image/webp", originalName: "amaka.jpg" });
    const photo = photoPath(id, 192);
    const { testimonialId } = await owner.site.addTestimonial({ ...said, photo });
    expect(await lastAudit()).toMatchObject({ actionType: "add_testimonial", details: { testimonialId } });
    const { agreement: _kept, ...shown } = { ...said, photo };
    expect((await home()).testimonials).toEqual([{ id: testimonialId, ...shown }]);
    await owner.site.hideTestimonial({ testimonialId, isHidden: true });
    expect(await lastAudit()).toMatchObject({ actionType: "hide_testimonial", details: { testimonialId } });
    expect(await names()).toEqual([]);
    const [listed] = (await owner.site.homeSettings()).testimonials;
    expect(listed).toMatchObject({ ...said, photo, hiddenAt: deps.clock.now(), writtenBy: ownerRow.fullName });
    await owner.site.hideTestimonial({ testimonialId, isHidden: false });
    expect(await lastAudit()).toMatchObject({ actionType: "show_testimonial" });
    const entries = await db.$count(auditLogs);
    await owner.site.hideTestimonial({ testimonialId, isHidden: false });
    expect([await names(), await db.$count(auditLogs)]).toEqual([["Amaka"], entries]);
  });

  test.each([
    [{ name: " " }, homeTexts.nameMissing],
    [{ words: "x".repeat(301) }, homeTexts.wordsTooLong],
    [{ agreement: "" }, homeTexts.agreementMissing],
    [{ photo: "https://elsewhere.example/face.jpg" }, homeTexts.photoNotOurs],
    [{ photo: photoPath("b".repeat(32), 192) }, homeTexts.photoGone],
  ])("with %j is refused, and nothing is kept", async (wrong, message) => {
    const refused = { message: expect.stringContaining(message) };
    await expect(owner.site.addTestimonial({ ...said, ...wrong })).rejects.toMatchObject(refused);
    expect(await db.$count(testimonials)).toBe(0);
  });

  test("finds no room beside twelve others", async () => {
    for (let count = 0; count < shownTestimonials; count += 1) await owner.site.addTestimonial(said);
    await expect(owner.site.addTestimonial(said)).rejects.toMatchObject({ message: homeTexts.full });
    const first = (await home()).testimonials[0]?.id ?? 0;
    await owner.site.hideTestimonial({ testimonialId: first, isHidden: true });
    await owner.site.addTestimonial(said);
    const again = { testimonialId: first, isHidden: false };
    await expect(owner.site.hideTestimonial(again)).rejects.toMatchObject({ message: homeTexts.full });
  });

  test("is in the next answer to visitors, without waiting", async () => {
    const ask = async () => (await app.inject("/trpc/site.home")).body;
    expect(await ask()).not.toContain("Amaka");
    await owner.site.addTestimonial(said);
    await expect.poll(ask).toContain("Amaka");
    await choose("claimed");
    await expect.poll(ask).toContain("150+");
  });
});

describe("jobs", () => {
  const apply = async () => (await app.inject({ method: "POST", url: applicationPath, headers: multipart })).statusCode;
  const multipart = {
    origin: deps.env.publicUrl,
    "x-upload": "1",
    "content-type": "multipart/form-data; boundary=b",
  };
  const listed = async () => (await app.inject("/sitemaps/pages.xml")).body.includes("/careers<");

  test("are offered only where the setting says so", async () => {
    await deps.site.refresh();
    expect([await listed(), await apply()]).toEqual([false, 404]);
    await owner.settings.save({ values: { careers: "on" } });
    await expect.poll(listed).toBe(true);
    expect(await apply()).toBe(400);
    expect((await owner.site.homeSettings()).hasCareers).toBe(true);
    await owner.settings.save({ values: { careers: "off" } });
    await expect.poll(listed).toBe(false);
    await expect(owner.settings.save({ values: { careers: "true" } })).rejects.toMatchObject({
      message: "This setting is either on or off",
    });
  });
});
