import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { outgoingMails } from "#server/db/schema/notifications.ts";
import { paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { settings } from "#server/db/schema/settings.ts";
import { agreedTexts, consents, sitePages } from "#server/db/schema/site.ts";
import { users } from "#server/db/schema/users.ts";
import { notifyOfTermsChanges } from "#server/features/site/consents/jobs.ts";
import { holdHoursKey, platformFeeKey } from "#shared/settings/texts.ts";
import { consentTexts } from "#shared/site/consent-texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { decide, sendReceipt, setBankDetails } from "#tests/support/money.ts";
import { callAs, createAdmin, createUser, type TestUser, testPassword } from "#tests/support/people.ts";
import { createProject, type TestProject } from "#tests/support/projects.ts";
import { siteTermsOf } from "#tests/support/site-terms.ts";

const deps = await openTestDeps();
const march = new Date("2027-03-01T00:00:00.000Z");
let owner: TestUser;
let backer: TestUser;
let project: TestProject;

beforeEach(async () => {
  await emptyDatabase(deps.db);
  deps.clock.set(new Date("2026-11-28T09:00:00.000Z"));
  await setBankDetails(deps.db);
  owner = await createAdmin(deps.db, "owner");
  backer = await createUser(deps.db);
  project = await createProject(deps.db, { lots: 8, endsAt: new Date("2029-12-01T00:00:00.000Z") });
});

const write = async (
  version: number,
  { note, from = deps.clock.now() }: { note?: string; from?: Date } = {},
): Promise<void> => {
  await deps.db.insert(sitePages).values({
    page: "terms",
    version,
    html: `<p>Terms of version ${version}, with a fee of {{fee}}.</p>`,
    isMaterial: note !== undefined,
    changeNote: note ?? null,
    inForceFrom: from,
    writtenBy: owner.id,
  });
};
const begin = async (by: TestUser, siteTerms?: string) =>
  (await callAs(deps, by)).payments.begin({
    projectId: project.id,
    lots: 1,
    termsVersion: 1,
    siteTerms: siteTerms ?? (await siteTermsOf(deps)),
    hasReadTerms: true,
  });
const asked = async (by: TestUser = backer) => (await callAs(deps, by)).site.openChange();
const agree = async (by: TestUser = backer) => {
  const change = await asked(by);
  if (!change) throw new Error("nothing is asked");
  return (await callAs(deps, by)).site.agree({ version: change.version, sha256: change.sha256 });
};
const kept = async ({ id }: Pick<TestUser, "id">) =>
  deps.db
    .select({ kind: consents.kind, page: agreedTexts.page, version: agreedTexts.version })
    .from(consents)
    .innerJoin(agreedTexts, eq(agreedTexts.sha256, consents.textSha256))
    .where(eq(consents.userId, id))
    .orderBy(consents.id);
const referenceOf = async ({ id }: TestUser) =>
  (await deps.db.select().from(paymentReferences).where(eq(paymentReferences.userId, id)))[0];

describe("what is kept", () => {
  test("signing up keeps the terms in force, with the account and never without it", async () => {
    const visitor = await callAs(deps, "anonymous");
    const { token: formToken } = await visitor.auth.formToken();
    const input = { fullName: "Ada Obi", email: "ada@example.com", password: testPassword, formToken };
    await visitor.auth.signUp({ ...input, acceptTerms: true });
    const [ada] = await deps.db.select().from(users).where(eq(users.email, input.email));
    expect(await kept(ada ?? backer)).toEqual([{ kind: "sign_up", page: "terms", version: 0 }]);
    await expect(visitor.auth.signUp({ ...input, acceptTerms: true })).rejects.toThrow();
    expect(await deps.db.$count(consents)).toBe(1);
  });

  test("the tick before paying keeps the text, and reference and payment name it", async () => {
    await write(1);
    await begin(backer);
    const sha256 = await siteTermsOf(deps);
    expect(await kept(backer)).toEqual([{ kind: "purchase", page: "terms", version: 1 }]);
    expect(await referenceOf(backer)).toMatchObject({ siteTerms: sha256 });
    const { paymentId } = await sendReceipt(deps, { backer, projectId: project.id });
    const [payment] = await deps.db.select().from(projectPayments).where(eq(projectPayments.id, paymentId));
    expect(payment).toMatchObject({ siteTerms: sha256 });
    const details = await (await callAs(deps, "manager")).payments.details({ paymentId });
    expect(details.siteTerms).toMatchObject({ sha256, version: 1 });
    const [mine] = await (await callAs(deps, backer)).payments.listMyPurchases({ projectId: project.id });
    expect(mine?.siteTerms).toEqual({ sha256, version: 1 });
  });

  test("other words than were shown are agreed to by nobody: another version, or another fee within the same", async () => {
    await write(1);
    const seen = (await (await callAs(deps, backer)).payments.open({ projectId: project.id })).siteTerms;
    expect(seen).toEqual({ version: 1, sha256: await siteTermsOf(deps) });
    await deps.db.insert(settings).values({ key: platformFeeKey, value: "9", description: "" });
    await expect(begin(backer, seen.sha256)).rejects.toMatchObject({ message: consentTexts.changedMeanwhile });
    const shown = await siteTermsOf(deps);
    await write(2);
    await expect(begin(backer, shown)).rejects.toMatchObject({ message: consentTexts.changedMeanwhile });
    expect(await kept(backer)).toEqual([]);
    expect(await referenceOf(backer)).toBeUndefined();
    await begin(backer);
    expect(await kept(backer)).toEqual([{ kind: "purchase", page: "terms", version: 2 }]);
  });

  test("who buys twice under the same words agreed once, and a new purchase under new ones names the new", async () => {
    await begin(backer);
    const { paymentId } = await sendReceipt(deps, { backer, projectId: project.id });
    const [before] = await deps.db.select().from(projectPayments).where(eq(projectPayments.id, paymentId));
    await decide(deps, owner, { paymentId, status: "approved", unseenReason: "Seen in the bank's app." });
    await begin(backer);
    expect(await kept(backer)).toHaveLength(1);
    await write(1);
    await begin(backer);
    expect(await kept(backer)).toMatchObject([{ version: 0 }, { version: 1 }]);
    const [after] = await deps.db.select().from(projectPayments).where(eq(projectPayments.id, paymentId));
    expect(after?.siteTerms).toBe(before?.siteTerms);
  });
});

describe("a material change", () => {
  test("an old backer reads, can't buy, agrees, and buys", async () => {
    await begin(backer);
    await write(1, { note: "Refunds take 14 days." });
    const caller = await callAs(deps, backer);
    expect((await caller.auth.viewer())?.termsChange).toEqual({ version: 1, isInForce: true });
    expect(await asked()).toMatchObject({
      version: 1,
      isInForce: true,
      changes: [{ version: 1, note: "Refunds take 14 days." }],
      html: expect.stringContaining("Terms of version 1"),
    });
    await expect(begin(backer)).rejects.toMatchObject({ code: "CONFLICT", message: consentTexts.agreeFirst });
    // What they bought already goes on: the page, their receipt, and their part in harvests.
    expect(await caller.payments.open({ projectId: project.id })).toMatchObject({ blockedBy: null });
    const { paymentId } = await sendReceipt(deps, { backer, projectId: project.id });
    const [payment] = await deps.db.select().from(projectPayments).where(eq(projectPayments.id, paymentId));
    const [first] = await deps.db.select().from(agreedTexts).where(eq(agreedTexts.version, 0));
    expect(payment?.siteTerms).toBe(first?.sha256);
    await decide(deps, owner, { paymentId, status: "approved", unseenReason: "Seen in the bank's app." });

    await agree();
    expect((await caller.auth.viewer())?.termsChange).toBeNull();
    expect(await asked()).toBeNull();
    await begin(backer);
    expect(await kept(backer)).toEqual([
      { kind: "purchase", page: "terms", version: 0 },
      { kind: "change", page: "terms", version: 1 },
      { kind: "purchase", page: "terms", version: 1 },
    ]);
  });

  test("stops holding lots and waiting for some, by direct calls too", async () => {
    await deps.db.update(settings).set({ value: "24" }).where(eq(settings.key, holdHoursKey));
    const single = await createProject(deps.db, { lots: 1, endsAt: new Date("2029-12-01T00:00:00.000Z") });
    const first = { projectId: single.id, lots: 1, termsVersion: 1, hasReadTerms: true as const };
    await (await callAs(deps, await createUser(deps.db))).payments.begin({
      ...first,
      siteTerms: await siteTermsOf(deps),
    });
    await write(1, { note: "Refunds take 14 days." });
    const caller = await callAs(deps, backer);
    const refused = { message: consentTexts.agreeFirst };
    await expect(begin(backer)).rejects.toMatchObject(refused);
    await expect(caller.holds.join({ projectId: single.id, lots: 1 })).rejects.toMatchObject(refused);
    expect(await deps.db.$count(consents, eq(consents.userId, backer.id))).toBe(0);
    await agree();
    await caller.holds.join({ projectId: single.id, lots: 1 });
    await begin(backer);
  });

  test("asks nobody about the software's text, a small change, or one that they agreed to", async () => {
    expect(await asked()).toBeNull();
    await write(1);
    expect(await asked()).toBeNull();
    await begin(backer);
    await write(2, { note: "The fee is 8 %." });
    expect(await asked()).toMatchObject({ version: 2 });
    // Who comes after it agreed to it with their first tick.
    const visitor = await callAs(deps, "anonymous");
    const { token: formToken } = await visitor.auth.formToken();
    const input = { fullName: "Bola Ade", email: "bola@example.com", password: testPassword, formToken };
    await visitor.auth.signUp({ ...input, acceptTerms: true });
    expect((await visitor.auth.viewer())?.termsChange).toBeNull();
  });

  test("asks no administrator, and stops none", async () => {
    await write(1, { note: "Refunds take 14 days." });
    expect((await (await callAs(deps, owner)).auth.viewer())?.termsChange).toBeNull();
    expect(await asked(owner)).toBeNull();
    await begin(owner);
    expect(await kept(owner)).toEqual([{ kind: "purchase", page: "terms", version: 1 }]);
  });

  test("that is announced may be agreed to early, and stops nothing before its moment", async () => {
    await write(1, { note: "Refunds take 14 days.", from: march });
    expect(await asked()).toMatchObject({ version: 1, isInForce: false, inForceFrom: march });
    const late = await createUser(deps.db);
    await begin(backer);
    await agree();
    expect(await asked()).toBeNull();
    deps.clock.set(march);
    await begin(backer);
    await expect(begin(late)).rejects.toMatchObject({ message: consentTexts.agreeFirst });
    expect(await kept(backer)).toEqual([
      { kind: "purchase", page: "terms", version: 0 },
      { kind: "change", page: "terms", version: 1 },
      { kind: "purchase", page: "terms", version: 1 },
    ]);
  });

  test("several are agreed to at once by whoever was away, with the note of each", async () => {
    await write(1, { note: "Refunds take 14 days." });
    await write(2);
    await write(3, { note: "The fee is 8 %." });
    await write(4, { note: "Disputes go to Lagos.", from: march });
    expect(await asked()).toMatchObject({
      version: 3,
      isInForce: true,
      changes: [{ note: "Refunds take 14 days." }, { note: "The fee is 8 %." }],
    });
    await agree();
    expect(await asked()).toMatchObject({ version: 4, isInForce: false, changes: [{ note: "Disputes go to Lagos." }] });
  });

  test("agreed to twice at once is kept once", async () => {
    await write(1, { note: "Refunds take 14 days." });
    const change = await asked();
    const seen = { version: 1, sha256: change?.sha256 ?? "" };
    const callers = await Promise.all([1, 2, 3, 4].map(() => callAs(deps, backer)));
    await Promise.all(callers.map((caller) => caller.site.agree(seen)));
    expect(await kept(backer)).toEqual([{ kind: "change", page: "terms", version: 1 }]);
  });

  test("other words than were shown aren't agreed to: a newer version, another fee, a version that is over or not there", async () => {
    await write(1, { note: "Refunds take 14 days." });
    const caller = await callAs(deps, backer);
    const first = await asked();
    await write(2, { note: "The fee is 8 %." });
    const refused = { message: consentTexts.changedMeanwhile };
    await expect(caller.site.agree({ version: 1, sha256: first?.sha256 ?? "" })).rejects.toMatchObject(refused);
    const second = await asked();
    await deps.db.insert(settings).values({ key: platformFeeKey, value: "9", description: "" });
    await expect(caller.site.agree({ version: 2, sha256: second?.sha256 ?? "" })).rejects.toMatchObject(refused);
    await expect(caller.site.agree({ version: 9, sha256: second?.sha256 ?? "" })).rejects.toMatchObject(refused);
    expect(await kept(backer)).toEqual([]);
    await agree();
    expect(await kept(backer)).toEqual([{ kind: "change", page: "terms", version: 2 }]);
  });
});

describe("what was agreed to in 2026", () => {
  test("is shown in 2028, word for word, to its person and to who may see payments or people", async () => {
    await write(1);
    await begin(backer);
    const { paymentId } = await sendReceipt(deps, { backer, projectId: project.id });
    deps.clock.set(new Date("2028-06-01T09:00:00.000Z"));
    await write(2, { note: "Everything." });
    await deps.db.insert(settings).values({ key: platformFeeKey, value: "9", description: "" });

    const caller = await callAs(deps, backer);
    const [agreement] = await caller.site.ownAgreements();
    expect(agreement).toMatchObject({ kind: "purchase", page: "terms", version: 1 });
    expect(agreement?.agreedAt.getUTCFullYear()).toBe(2026);
    const sha256 = agreement?.sha256 ?? "";
    const shown = await caller.site.agreedText({ sha256 });
    expect(shown).toMatchObject({ page: "terms", version: 1 });
    expect(shown.html).toContain("Terms of version 1, with a fee of");
    expect(shown.html).not.toContain("{{");
    expect(shown.html).not.toContain("9 %");

    const manager = await callAs(deps, "manager");
    const details = await manager.payments.details({ paymentId });
    expect(await manager.site.agreedText({ sha256: details.siteTerms?.sha256 ?? "" })).toEqual(shown);
    const administrator = await callAs(deps, owner);
    expect(await administrator.site.agreements({ userId: backer.id })).toEqual([agreement]);
    const stranger = await callAs(deps, await createUser(deps.db));
    await expect(stranger.site.agreedText({ sha256 })).rejects.toMatchObject({ message: consentTexts.notFound });
    expect(await stranger.site.ownAgreements()).toEqual([]);
  });
});

describe("the mail", () => {
  const run = () => notifyOfTermsChanges(deps);
  const subjects = async ({ email }: TestUser) => (await queuedMailsTo(deps.db, email)).map(({ subject }) => subject);

  test("goes out 14 days before, once per person and version, to who agreed to an earlier one and has an open account", async () => {
    const [early, closed] = [await createUser(deps.db), await createUser(deps.db)];
    const closedAt = deps.clock.now();
    await deps.db.update(users).set({ closedAt, passwordHash: null }).where(eq(users.id, closed.id));
    await write(1, { note: "Refunds take 14 days.", from: march });
    await agree(early);
    await run();
    expect(await deps.db.$count(outgoingMails)).toBe(0);
    deps.clock.set(new Date(march.getTime() - 14 * 86_400_000));
    await Promise.all([run(), run()]);
    deps.clock.advance({ days: 15 });
    await run();
    expect(await subjects(backer)).toEqual(["Our terms change on 1 Mar 2027"]);
    const [mail] = await queuedMailsTo(deps.db, backer.email);
    expect(mail?.text).toContain("Refunds take 14 days.");
    expect(mail?.text).toContain("/terms?version=1");
    // The mail's link leads everybody to the words, before they are in force.
    const announced = await (await callAs(deps, "anonymous")).site.pageVersion({ page: "terms", version: 1 });
    expect(announced).toMatchObject({ version: 1, inForceFrom: march });
    for (const other of [early, closed, owner]) expect(await subjects(other)).toEqual([]);

    await write(2, { note: "The fee is 8 %." });
    await run();
    expect(await subjects(backer)).toHaveLength(2);
    expect(await subjects(early)).toHaveLength(1);
  });

  test("tells of a change once: again where its day moves, not where its words are only mended", async () => {
    const agreed = await createUser(deps.db);
    deps.clock.set(new Date(march.getTime() - 10 * 86_400_000));
    await write(1, { note: "Refunds take 14 days.", from: march });
    await agree(agreed);
    await run();
    await write(2, { from: march });
    await run();
    expect(await subjects(backer)).toEqual(["Our terms change on 1 Mar 2027"]);
    await write(3);
    await run();
    expect(await subjects(backer)).toHaveLength(2);
    const mail = (await queuedMailsTo(deps.db, backer.email)).at(-1);
    expect(mail?.text).toContain("Refunds take 14 days.");
    expect(mail?.text).toContain("/terms?version=3");
    expect(mail?.text).toContain("Until you do, you can't buy lots.");
    deps.clock.advance({ days: 30 });
    await write(4);
    await run();
    expect(await subjects(backer)).toHaveLength(2);
    expect(await subjects(agreed)).toEqual([]);
  });

  test("goes to everybody in batches, and after a changed address not again", async () => {
    const rows = Array.from({ length: 2100 }, (_, n) => ({ email: `b${n}@example.com`, fullName: "B" }));
    await deps.db.insert(users).values(rows);
    await write(1, { note: "Refunds take 14 days." });
    await run();
    expect(await deps.db.$count(outgoingMails)).toBe(2101);
    await deps.db.update(users).set({ email: "moved@example.com" }).where(eq(users.id, backer.id));
    await run();
    expect(await deps.db.$count(outgoingMails)).toBe(2101);
  });
});
