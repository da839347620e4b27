import { createHash } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { inTransaction } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { outgoingMails } from "#server/db/schema/notifications.ts";
import { settings } from "#server/db/schema/settings.ts";
import { agreedTexts, sitePages, siteProfiles } from "#server/db/schema/site.ts";
import { agreedText, readPageText } from "#server/platform/page-texts.ts";
import { accountTexts } from "#shared/accounts/texts.ts";
import { dayInLagos, startOfDay } from "#shared/dates.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { holdHoursKey } from "#shared/settings/texts.ts";
import { pageTextTexts } from "#shared/site/page-texts.ts";
import type { OwnPage } from "#shared/site/pages.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { type Caller, callAs, createAdmin, dismissAdmins, type TestUser } from "#tests/support/people.ts";

const deps = await openTestDeps();
const agree = () => inTransaction(deps.db, (tx) => agreedText(tx, deps, "terms"));
const kept = async (sha256: string) =>
  (await deps.db.select().from(agreedTexts).where(eq(agreedTexts.sha256, sha256)))[0];

beforeEach(async () => {
  await deps.db.delete(settings);
});

test("until the operator has a text of their own, the software's is read, with their names and figures", async () => {
  const text = await readPageText(deps, "terms");
  expect(text).toMatchObject({ page: "terms", version: 0 });
  expect(text.html).toContain('Gona is run by Gona Farms Limited ("we").');
  expect(text.html).toContain('<a href="mailto:support@gona.example">support@gona.example</a>');
  expect(text.html).toContain("within one working day");
});

test("what somebody agrees to is kept once, word for word, under the hash of version and words", async () => {
  const sha256 = await agree();
  const row = await kept(sha256);
  const { html } = await readPageText(deps, "terms");
  expect(row).toMatchObject({ page: "terms", version: 0, html });
  expect(createHash("sha256").update(`terms 0\n${html}`).digest("hex")).toBe(sha256);
  expect(await agree()).toBe(sha256);
  expect(await deps.db.$count(agreedTexts)).toBe(1);
});

test("another version is another text, from its moment on, and the old words stay", async () => {
  const before = await agree();
  const { id: writtenBy } = await createAdmin(deps.db, "owner");
  const inForceFrom = new Date(deps.clock.now().getTime() + 60_000);
  await deps.db.insert(sitePages).values({
    page: "terms",
    version: 1,
    html: "<p>{{name}} holds lots for {{holdhours}}.</p>",
    isMaterial: false,
    inForceFrom,
    writtenBy,
  });
  expect(await agree()).toBe(before);

  deps.clock.advance({ minutes: 1 });
  const after = await agree();
  expect(await kept(after)).toMatchObject({ version: 1, html: "<p>Gona holds lots for 24 hours.</p>" });
  expect(await kept(before)).toMatchObject({ version: 0 });
  expect(await readPageText(deps, "terms")).toMatchObject({ version: 1 });

  await deps.db.insert(settings).values({ key: holdHoursKey, value: "48", description: "" });
  expect(await kept(await agree())).toMatchObject({ html: "<p>Gona holds lots for 48 hours.</p>" });
  expect(await deps.db.$count(siteProfiles)).toBe(1);
});

test("what was agreed to can't be changed or removed", async () => {
  const sha256 = await agree();
  await expect(deps.db.update(agreedTexts).set({ html: "<p>other</p>" })).rejects.toThrow();
  await expect(deps.db.delete(agreedTexts)).rejects.toThrow();
  expect((await kept(sha256))?.html).not.toContain("other");
});

describe("an owner's versions", () => {
  let owner: TestUser;
  let asOwner: Caller;
  let asVisitor: Caller;
  beforeEach(async () => {
    await dismissAdmins(deps.db);
    owner = await createAdmin(deps.db, "owner", { fullName: "Chidi Eze" });
    asOwner = await callAs(deps, owner);
    asVisitor = await callAs(deps, "anonymous");
    await deps.db.delete(outgoingMails);
  });

  const page: OwnPage = "privacy";
  const version = async () => (await asOwner.site.pageSource({ page })).version;
  const draft = async (more: Partial<Parameters<Caller["site"]["savePage"]>[0]> = {}) => ({
    page,
    seenVersion: await version(),
    html: "<p>What {{name}} knows.</p><h2>1. Names</h2><p>Yours.</p>",
    isMaterial: false,
    changeNote: "",
    inForceOn: null,
    ...more,
  });
  const state = async () => [
    await deps.db.$count(sitePages),
    await deps.db.$count(auditLogs),
    await deps.db.$count(outgoingMails),
  ];
  const expectRefused = async (call: () => Promise<unknown>, refusal: object) => {
    const before = await state();
    await expect(call()).rejects.toMatchObject(refusal);
    expect(await state()).toEqual(before);
  };

  test("the software's text is read until it is adopted as version 1; then it is the operator's", async () => {
    const shipped = await asVisitor.site.page({ page: "accessibility" });
    expect(shipped).toMatchObject({ version: 0, isShipped: true, inForceFrom: null, others: [] });
    expect(shipped.lead).toBe(
      "How Gona works for people who see, hear, move or read differently, and where it doesn't yet.",
    );
    expect(shipped.today).toBe(dayInLagos(deps.clock.now()));
    expect(shipped.contents[0]).toEqual({ id: "aim", title: "What we aim for" });

    expect(await asOwner.site.adoptPage({ page: "accessibility", seenVersion: 0 })).toEqual({ version: 1 });
    const adopted = await asVisitor.site.page({ page: "accessibility" });
    expect(adopted).toMatchObject({ version: 1, isShipped: false, state: "in_force", inForceFrom: deps.clock.now() });
    expect(adopted.body).toBe(shipped.body);
    const twice = () => asOwner.site.adoptPage({ page: "accessibility", seenVersion: 1 });
    await expectRefused(twice, { message: pageTextTexts.unchanged });
  });

  test("a saved text is sanitised, audited, in force, and mailed to all owners with before and after", async () => {
    const other = await createAdmin(deps.db, "owner");
    const seenVersion = await version();
    const html = '<p onclick="x()">What {{name}} knows.</p><h2>1. Names</h2><p>Yours, for {{holdhours}}.</p>';
    await asOwner.site.savePage(await draft({ html, changeNote: "We keep less." }));
    expect(await asVisitor.site.page({ page })).toMatchObject({
      version: seenVersion + 1,
      lead: "What Gona knows.",
      body: '<h2 id="names">1. Names</h2><p>Yours, for 24 hours.</p>',
      contents: [{ id: "names", title: "1. Names" }],
    });
    expect(await lastAudit()).toMatchObject({
      actionType: "save_page_text",
      userId: owner.id,
      details: { page, before: seenVersion, after: seenVersion + 1, isMaterial: false, changeNote: "We keep less." },
    });
    for (const { email } of [owner, other]) {
      const [mail] = await queuedMailsTo(deps.db, email);
      expect(mail?.subject).toBe(`Gona: Privacy Policy, version ${seenVersion + 1}`);
      expect(mail?.text).toContain("Before:");
      expect(mail?.text).toContain("Yours, for {{holdhours}}.");
      expect(mail?.text).toContain("What changes: We keep less.");
    }
  });

  test("a later version waits for its day, seen by owners only, and the one before is read as no longer in force", async () => {
    await asOwner.site.savePage(await draft({ html: "<p>First.</p>" }));
    const first = await version();
    const inForceOn = dayInLagos(new Date(deps.clock.now().getTime() + 3 * dayMs));
    await asOwner.site.savePage(await draft({ html: "<p>Second.</p>", inForceOn }));
    const second = { page, version: first + 1 } as const;

    expect((await asVisitor.site.page({ page })).lead).toBe("First.");
    expect(await asOwner.site.pageVersion(second)).toMatchObject({ state: "coming", lead: "Second." });
    for (const caller of [asVisitor, await callAs(deps, "manager"), await callAs(deps, "backer")]) {
      await expect(caller.site.pageVersion(second)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }

    deps.clock.advance({ days: 3 });
    expect(await asVisitor.site.page({ page })).toMatchObject({ version: first + 1, lead: "Second." });
    expect(await asVisitor.site.pageVersion({ page, version: first })).toMatchObject({
      state: "past",
      until: startOfDay(inForceOn),
      lead: "First.",
    });
  });

  test.each([
    ["an unknown variable", { html: "<p>{{nmae}}</p>" }, "There is no variable {{nmae}} in this text."],
    ["no words", { html: "<p> </p><hr>" }, pageTextTexts.missing],
    ["a text that is too long", { html: `<p>${"a".repeat(200_000)}</p>` }, pageTextTexts.tooLong],
    [
      "a material change without its note",
      { page: "terms" as const, isMaterial: true, changeNote: " " },
      pageTextTexts.noteMissing,
    ],
    [
      "a material change of another text than the terms",
      { isMaterial: true, changeNote: "Less." },
      pageTextTexts.asksForTermsOnly,
    ],
    ["a day that has begun", { inForceOn: "2020-01-01" }, pageTextTexts.dayPassed],
    ["a day far away", { inForceOn: "2199-01-01" }, pageTextTexts.dayFar],
  ])("%s is refused, and nothing is changed", async (_, more, message) => {
    const input = await draft(more);
    await expectRefused(() => asOwner.site.savePage(input), { message: expect.stringContaining(message) });
    if (input.html.includes("{{nmae}}")) {
      await expectRefused(() => asOwner.site.previewPage(input), { message: expect.stringContaining(message) });
    }
  });

  test("of two owners who save at once one is told of the other's version", async () => {
    const other = await callAs(deps, await createAdmin(deps.db, "owner"));
    const [one, two] = [await draft({ html: "<p>One.</p>" }), await draft({ html: "<p>Two.</p>" })];
    const results = await Promise.allSettled([asOwner.site.savePage(one), other.site.savePage(two)]);
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused).toHaveLength(1);
    expect(refused[0]?.reason).toMatchObject({ code: "CONFLICT", message: pageTextTexts.changedMeanwhile });
    await expectRefused(() => asOwner.site.adoptPage({ page, seenVersion: one.seenVersion }), { code: "CONFLICT" });
  });

  test("without the password nothing is saved or adopted", async () => {
    const input = await draft();
    const stolen = await callAs(deps, owner, { isProved: false });
    await expectRefused(() => stolen.site.savePage(input), { message: accountTexts.proofRequired });
    await expectRefused(() => stolen.site.adoptPage(input), { message: accountTexts.proofRequired });
  });

  test("the software's pages read the site's figures", async () => {
    await deps.db.insert(settings).values({ key: holdHoursKey, value: "1", description: "" });
    expect(await asVisitor.site.figures()).toEqual({
      fee: "5%",
      holdHours: "1 hour",
      refundDays: "5 working days",
      reviewDays: "one working day",
      holdsLots: true,
    });
  });
});

const lastAudit = async () => (await deps.db.select().from(auditLogs).orderBy(asc(auditLogs.id))).at(-1);
