import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createAdmin as createOnCommandLine } from "#server/accounts/users.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { rateLimits } from "#server/db/schema/sessions.ts";
import { settings } from "#server/db/schema/settings.ts";
import { mailProofs, setupCodes, sitePages, siteProfiles } from "#server/db/schema/site.ts";
import { userRoles, users } from "#server/db/schema/users.ts";
import { submitReceipt } from "#server/features/payments/buying/receipts.ts";
import { announceSetup } from "#server/features/site/setup/service.ts";
import { readEnv } from "#server/platform/env.ts";
import { authTexts } from "#shared/accounts/inputs.ts";
import { errorTexts } from "#shared/errors.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { setupLimits, setupProgress, setupSteps, setupTexts } from "#shared/site/setup-texts.ts";
import { unnamedSite } from "#shared/site/site.ts";
import { openTestReplicas, queuedMailsTo, type TestDeps } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { isLong } from "#tests/support/length.ts";
import { agreeToTerms, contextOf, setBankDetails, storeReceiptFile } from "#tests/support/money.ts";
import { blockUser, callAs, createAdmin, createUser, testPassword } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { securityLog } from "#tests/support/security-log.ts";
import { siteTermsOf } from "#tests/support/site-terms.ts";
import { enrol } from "#tests/support/two-factor.ts";

/** From a server without an owner to a site that takes money. */

const { deps, replicas } = await openTestReplicas();
const seen = securityLog();

/** Announces the set-up as a server's start does. Returns the code that it logs. */
async function announce(by: TestDeps = deps): Promise<string> {
  const written: string[] = [];
  await announceSetup({ ...by, log: { ...by.log, warn: (line: string) => written.push(line) } as never });
  return (
    /^Set up this site: http:\/\/localhost:\d+\/setup {2}Code: ([A-Z2-9]{4}-[A-Z2-9]{4})$/.exec(
      written[0] ?? "",
    )?.[1] ?? ""
  );
}

const amaka = { fullName: "Amaka Obi", email: "amaka@farm.example", password: testPassword };
let addresses = 0;
const visitor = (by: TestDeps = deps) => {
  addresses += 1;
  return callAs(by, "anonymous", { ipAddress: `198.51.${addresses >> 8}.${addresses & 255}` });
};
const ownersOf = () => deps.db.select().from(userRoles).where(eq(userRoles.role, "owner"));
const codesLeft = () => deps.db.$count(setupCodes);
const gone = { code: "NOT_FOUND", message: errorTexts.notFound };

beforeEach(async () => {
  await emptyDatabase(deps.db);
});

describe("the first start", () => {
  test("writes a new code into the log each time, and keeps only its hash", async () => {
    const codes = [await announce(), await announce()];
    expect(new Set(codes).size).toBe(2);
    const sha256 = (code: string) => createHash("sha256").update(code.replace("-", "")).digest("hex");
    const kept = (await deps.db.select().from(setupCodes)).map(({ codeHash }) => codeHash);
    expect(kept.sort()).toEqual(codes.map(sha256).sort());
  });

  test("the code makes the first owner, who is signed in, and empties the codes", async () => {
    const [earlier, code] = [await announce(), await announce()];
    const caller = await visitor();
    expect(await caller.setup.open()).toEqual({ isOpen: true });
    await caller.setup.checkCode({ code: ` ${earlier.toLowerCase().replace("-", " ")} ` });
    expect(await ownersOf()).toEqual([]);
    await caller.setup.begin({ ...amaka, code });
    expect(await caller.auth.viewer()).toMatchObject({ email: amaka.email, isAdmin: true, kind: "admin" });
    const [owner] = await deps.db.select().from(users);
    expect(owner).toMatchObject({ emailVerifiedAt: deps.clock.now(), isAdmin: true });
    expect(await codesLeft()).toBe(0);
    const [entry] = await deps.db.select().from(auditLogs).where(eq(auditLogs.actionType, "begin_site"));
    expect(entry).toMatchObject({ userId: owner?.id, userEmail: amaka.email });
    // They own the site as any owner does.
    expect((await caller.setup.steps()).steps.map(({ step }) => step)).toEqual([...setupSteps]);
  });

  test("nothing happens without the code, with a bad password or an address that has an account", async () => {
    const code = await announce();
    await createUser(deps.db, { email: amaka.email });
    const caller = await visitor({ ...deps, log: seen.log });
    await expect(caller.setup.begin({ ...amaka, code: "2222-2222" })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: setupTexts.codeWrong,
    });
    expect(seen.events()).toMatchObject([{ level: "warn", event: "setup_refused", reason: "wrong_code" }]);
    await expect(caller.setup.begin({ ...amaka, code, password: "Password-1" })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
    await expect(caller.setup.begin({ ...amaka, code })).rejects.toMatchObject({ message: authTexts.emailTaken });
    expect([await ownersOf(), await codesLeft()]).toEqual([[], 1]);
  });

  test("of many at once with the code exactly one becomes the owner, without it none", async () => {
    const codes = [await announce(replicas[0]), await announce(replicas[1])];
    const tryAll = async (codeOf: (index: number) => string) => {
      const tries = Array.from({ length: isLong ? 64 : 12 }, async (_, index) => {
        const caller = await visitor(replicas[index % 2]);
        return caller.setup.begin({ ...amaka, email: `owner-${index}@farm.example`, code: codeOf(index) });
      });
      const done = await Promise.allSettled(tries);
      return done.filter(({ status }) => status === "fulfilled").length;
    };
    expect(await tryAll((index) => `2222-${String(index + 2222).replace(/[01]/g, "9")}`)).toBe(0);
    expect(await ownersOf()).toEqual([]);
    await deps.db.delete(rateLimits);
    expect(await tryAll((index) => codes[index % 2] ?? "")).toBe(1);
    expect([(await ownersOf()).length, await deps.db.$count(users), await codesLeft()]).toEqual([1, 1, 0]);
  });

  test("wrong codes: 10 an hour from one network, 50 in all; right ones aren't counted", async () => {
    const code = await announce();
    const guess = { code: "2222-2222" };
    const tooMany = { code: "TOO_MANY_REQUESTS" };
    const [one, other] = [await visitor(), await visitor()];
    for (let tries = 0; tries < setupLimits.triesOfNetwork; tries += 1) {
      await one.setup.checkCode({ code });
      await expect(one.setup.checkCode(guess)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    }
    await expect(one.setup.checkCode({ code })).rejects.toMatchObject(tooMany);
    await other.setup.checkCode({ code });
    for (let tries = setupLimits.triesOfNetwork; tries < setupLimits.tries; tries += 1) {
      await expect((await visitor()).setup.begin({ ...amaka, ...guess })).rejects.toMatchObject({
        code: "BAD_REQUEST",
      });
    }
    await expect(other.setup.begin({ ...amaka, code })).rejects.toMatchObject(tooMany);
    expect(await ownersOf()).toEqual([]);
    deps.clock.advance({ hours: 1 });
    await one.setup.begin({ ...amaka, code });
    expect(await ownersOf()).toHaveLength(1);
  });
});

describe("after the first owner the set-up is gone for ever", () => {
  const waysThere = {
    "by /setup": async (code: string) => (await visitor()).setup.begin({ ...amaka, code }),
    "by the command line": () => createOnCommandLine(deps, { ...amaka, role: "owner" }),
  };
  test.each(Object.entries(waysThere))("%s", async (_, becomeOwner) => {
    const code = await announce();
    await becomeOwner(code);
    const caller = await visitor();
    expect(await codesLeft()).toBe(0);
    expect(await announce()).toBe("");
    // A code that a server was writing at that moment opens nothing either.
    const late = createHash("sha256").update(code.replace("-", "")).digest("hex");
    await deps.db.insert(setupCodes).values({ codeHash: late });
    const before = await deps.db.select().from(users);
    for (const owner of [null, ...before]) {
      // Nor does it come back when the owner is blocked.
      if (owner) await blockUser(deps.db, owner.id);
      await expect(caller.setup.open()).rejects.toMatchObject(gone);
      await expect(caller.setup.checkCode({ code })).rejects.toMatchObject(gone);
      await expect(caller.setup.begin({ ...amaka, email: "b@farm.example", code })).rejects.toMatchObject(gone);
    }
    expect(await deps.db.$count(users)).toBe(1);
  });

  test("a manager made on the command line doesn't end it", async () => {
    const code = await announce();
    await createOnCommandLine(deps, { ...amaka, role: "manager" });
    await (await visitor()).setup.begin({ ...amaka, email: "owner@farm.example", code });
    expect(await ownersOf()).toHaveLength(1);
  });
});

const codeIn = async (email: string) =>
  /[A-Z2-9]{4}-[A-Z2-9]{4}/.exec((await queuedMailsTo(deps.db, email)).at(-1)?.text ?? "")?.[0] ?? "";

describe("the mail that proves that mails leave", () => {
  test("its code is taken once, from whoever had it sent", async () => {
    const [owner, other] = [await createAdmin(deps.db, "owner"), await createAdmin(deps.db, "owner")];
    const [caller, otherCaller] = [await callAs(deps, owner), await callAs(deps, other)];
    const isProven = async () => (await caller.setup.steps()).steps.find(({ step }) => step === "mail")?.isDone;
    expect(await caller.setup.sendMailCode()).toEqual({ sentTo: owner.email });
    const code = await codeIn(owner.email);
    const wrong = { code: "BAD_REQUEST", message: setupTexts.mailCodeWrong };
    await expect(otherCaller.setup.proveMail({ code })).rejects.toMatchObject(wrong);
    await expect(caller.setup.proveMail({ code: "2222-2222" })).rejects.toMatchObject(wrong);
    expect(await isProven()).toBe(false);
    await caller.setup.proveMail({ code: code.toLowerCase() });
    expect(await isProven()).toBe(true);
    await expect(caller.setup.proveMail({ code })).rejects.toMatchObject(wrong);
    const actions = (await deps.db.select().from(auditLogs)).map(({ actionType }) => actionType);
    expect(actions).toEqual(["send_mail_code", "prove_mail"]);
  });

  test("is limited: five codes an hour, ten wrong tries, a day to enter it", async () => {
    const owner = await createAdmin(deps.db, "owner");
    const caller = await callAs(deps, owner);
    for (let sent = 0; sent < setupLimits.mailCodes; sent += 1) await caller.setup.sendMailCode();
    await expect(caller.setup.sendMailCode()).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
    expect(await deps.db.$count(mailProofs)).toBe(setupLimits.mailCodes);
    const code = await codeIn(owner.email);
    for (let tries = 0; tries < setupLimits.mailTries; tries += 1) {
      await expect(caller.setup.proveMail({ code: "2222-2222" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    }
    await expect(caller.setup.proveMail({ code })).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
    deps.clock.advance({ hours: setupLimits.mailCodeHours });
    const later = await callAs(deps, owner);
    await expect(later.setup.proveMail({ code })).rejects.toMatchObject({ message: setupTexts.mailCodeWrong });
  });

  test("isn't sent by a real site without a mail server, which says so", async () => {
    const owner = await createAdmin(deps.db, "owner");
    const caller = await callAs({ ...deps, env: { ...deps.env, isMailKept: true } }, owner);
    await expect(caller.setup.sendMailCode()).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      message: setupTexts.mailKept,
    });
    expect((await caller.setup.steps()).mail).toEqual({ isKept: true, hasServer: false, sentTo: null });
    expect(await deps.db.$count(mailProofs)).toBe(0);
  });
});

/** The rows that each step of the set-up leaves behind, for an empty database. */
const { look: _look, ...profile } = unnamedSite;
const company = { legalName: "Green Farms Limited", address: "4 Allen Avenue, Ikeja, Lagos" };
async function keepProfile(values: Partial<typeof siteProfiles.$inferInsert> = company): Promise<void> {
  const version = (await deps.db.$count(siteProfiles)) + 1;
  await deps.db.insert(siteProfiles).values({ ...profile, ...values, version });
}
async function adopt(writtenBy: string, ...pages: ("terms" | "privacy")[]): Promise<void> {
  for (const page of pages) await keepText({ page, writtenBy });
}
const keepText = (values: Pick<typeof sitePages.$inferInsert, "page" | "writtenBy"> & { inForceFrom?: Date }) =>
  deps.db
    .insert(sitePages)
    .values({ version: 1, html: "<p>Ours.</p>", isMaterial: false, inForceFrom: deps.clock.now(), ...values });
async function keepProof(askedBy: string, provenAt: Date | null): Promise<void> {
  await deps.db.insert(mailProofs).values({ codeHash: "0".repeat(64), sentTo: "a@b.example", askedBy, provenAt });
}

test("the steps of the set-up are done by what they write, in any order", async () => {
  const owner = await createAdmin(deps.db, "owner");
  const caller = await callAs(deps, owner);
  // A second factor ends the sessions before it.
  const progress = async () => setupProgress((await (await callAs(deps, owner)).setup.steps()).steps);
  const names = "you, company, look, bank account, mail, texts, rules, second owner".split(", ");
  expect(await progress()).toBe(`0 of 8 done: ${names.join(", ")}`);
  const shades = Array.from({ length: 10 }, () => "#1f5f34");
  const ways: Record<string, () => Promise<unknown>> = {
    texts: () => adopt(owner.id, "terms", "privacy"),
    look: () => keepProfile({ color: "#1f5f34", shades }),
    rules: () =>
      caller.settings.save({
        values: { platformfee: "5", holdhours: "24", refunddays: "5", reviewdays: "1" },
        seen: {},
      }),
    "bank account": () =>
      caller.settings.save({
        values: { bankname: "Test Bank", bankaccountname: "Green Farms", bankaccountnumber: "0123456789" },
        seen: {},
      }),
    mail: () => keepProof(owner.id, deps.clock.now()),
    company: () => keepProfile({ ...company, color: "#1f5f34", shades }),
    you: () => enrol(deps, owner),
    "second owner": () => createAdmin(deps.db, "owner"),
  };
  const open = new Set(names);
  for (const [name, way] of Object.entries(ways)) {
    await way();
    open.delete(name);
    const done = `${8 - open.size} of 8 done`;
    expect(await progress()).toBe(open.size > 0 ? `${done}: ${[...open].join(", ")}` : done);
  }
});

test("the second owner who was invited is named until they come", async () => {
  const caller = await callAs(deps, "owner");
  await caller.team.invite({ email: "tunde@farm.example", fullName: "Tunde Ade", role: "owner" });
  expect(await caller.setup.steps()).toMatchObject({ invited: "tunde@farm.example" });
});

describe("ready to take money", () => {
  const production = readEnv({
    NODE_ENV: "production",
    PUBLIC_URL: "https://farm.example",
    APP_SECRET: "a secret of the tests, long enough for a key",
    DATABASE_URL: "postgres://localhost/gona",
    SMTP_URL: "smtp://mail.farm.example:25",
  });
  const real: TestDeps = { ...deps, env: { ...production, dataDir: deps.env.dataDir } };
  const noDetails = { code: "CONFLICT", message: paymentTexts.noBankDetails };
  const wanted = { lots: 1, termsVersion: 1, hasReadTerms: true } as const;
  afterEach(() => deps.db.delete(settings));

  test("in production nobody is given a reference until the last of its conditions holds", async () => {
    const owner = await createAdmin(deps.db, "owner");
    const backer = await createUser(deps.db);
    const { id: projectId } = await createProject(deps.db);
    const caller = await callAs(real, backer);
    const office = await callAs(real, owner);
    const steps: [string, () => Promise<unknown>][] = [
      ["nothing", async () => undefined],
      ["a company without an address", () => keepProfile({ legalName: company.legalName })],
      ["the bank account", () => setBankDetails(deps.db)],
      ["a mail that was sent", () => keepProof(owner.id, null)],
      ["a mail that was proven", () => keepProof(owner.id, deps.clock.now())],
      ["terms", () => adopt(owner.id, "terms")],
      [
        "privacy that isn't in force yet",
        () =>
          keepText({
            page: "privacy",
            writtenBy: owner.id,
            inForceFrom: new Date(deps.clock.now().getTime() + 600_000),
          }),
      ],
      ["a company with its address", () => keepProfile()],
    ];
    for (const [what, keep] of steps) {
      await keep();
      expect([what, (await caller.payments.open({ projectId })).blockedBy]).toEqual([what, "no_bank_details"]);
      const siteTerms = await siteTermsOf(deps);
      await expect(caller.payments.begin({ projectId, siteTerms, ...wanted })).rejects.toMatchObject(noDetails);
      expect((await caller.payments.open({ projectId })).reference).toBeNull();
      expect((await office.setup.steps()).isClosedForMoney).toBe(true);
    }
    deps.clock.advance({ minutes: 10 });
    expect((await caller.payments.open({ projectId })).blockedBy).toBe("terms");
    await caller.payments.begin({ projectId, siteTerms: await siteTermsOf(deps), ...wanted });
    expect((await caller.payments.open({ projectId })).bankDetails).not.toBeNull();
    expect((await office.setup.steps()).isClosedForMoney).toBe(false);
  });

  test("whoever was given a reference before sends their receipt: they may have paid", async () => {
    await setBankDetails(deps.db);
    const [paid, late] = [await createUser(deps.db), await createUser(deps.db)];
    const { id: projectId } = await createProject(deps.db, { lots: 2 });
    // In development the bank account is enough.
    await agreeToTerms(deps, paid, projectId);
    expect((await (await callAs(real, paid)).payments.open({ projectId })).blockedBy).toBeNull();
    const send = async (backer: typeof paid) =>
      submitReceipt(await contextOf(real, backer), {
        projectId,
        lots: 1,
        idempotencyKey: crypto.randomUUID(),
        file: await storeReceiptFile(deps),
      });
    expect(await send(paid)).toMatchObject({ paymentId: expect.any(Number) });
    await expect(send(late)).rejects.toMatchObject({ reason: "conflict" });
  });
});
