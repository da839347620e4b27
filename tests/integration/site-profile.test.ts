import { desc } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { outgoingMails } from "#server/db/schema/notifications.ts";
import { siteProfiles } from "#server/db/schema/site.ts";
import { settingTexts } from "#shared/settings/texts.ts";
import { papersStay, referencesStay, profileTexts as texts } from "#shared/site/profile-texts.ts";
import { companyTexts } from "#tests/support/company.ts";
import { openTestReplicas, queuedMailsTo } from "#tests/support/deps.ts";
import { createPayment } from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, type TestUser } from "#tests/support/people.ts";

const {
  deps,
  replicas: [replica],
} = await openTestReplicas();
const { db } = deps;
let ownerRow: TestUser;
let secondRow: TestUser;
let owner: Caller;
let second: Caller;

beforeEach(async () => {
  await db.delete(outgoingMails);
  ownerRow ??= await createAdmin(db, "owner", { fullName: "Amaka Obi" });
  secondRow ??= await createAdmin(db, "owner", { fullName: "Bola Ade" });
  owner = await callAs(deps, ownerRow);
  second = await callAs(deps, secondRow);
});

const newest = async () => (await db.select().from(siteProfiles).orderBy(desc(siteProfiles.version)))[0];
const state = async () => [await db.$count(siteProfiles), await db.$count(auditLogs), await db.$count(outgoingMails)];
/** Returns the form's values, with some fields typed anew. */
async function formWith(typed: Partial<ReturnType<typeof companyTexts>>, by = owner) {
  const { profile } = await by.site.profile();
  return { ...companyTexts(profile), ...typed, seenVersion: profile.version };
}

describe("the company", () => {
  test("is another version, in every process at once, audited, and told to every owner", async () => {
    const before = await newest();
    const saved = await owner.site.saveCompany(await formWith({ name: "Tudun Farms", phone: "0803 123 4567" }));
    expect(saved).toMatchObject({ wasChanged: true, site: { name: "Tudun Farms", phone: "+2348031234567" } });
    expect(await newest()).toMatchObject({
      version: (before?.version ?? 0) + 1,
      name: "Tudun Farms",
      legalName: before?.legalName,
      writtenBy: ownerRow.id,
      createdAt: deps.clock.now(),
    });
    expect(deps.site.current().name).toBe("Tudun Farms");
    await expect.poll(() => replica.site.current().name).toBe("Tudun Farms");
    expect((await db.select().from(auditLogs).orderBy(desc(auditLogs.id)))[0]).toMatchObject({
      actionType: "change_company",
      userId: ownerRow.id,
      details: {
        before: { name: before?.name, phone: null },
        after: { name: "Tudun Farms", phone: "+2348031234567" },
      },
    });
    for (const { email } of [ownerRow, secondRow]) {
      const [mail, ...more] = await queuedMailsTo(db, email);
      expect(more).toEqual([]);
      expect(mail?.subject).toBe("Tudun Farms: the company was changed");
      expect(mail?.html).toContain('<p class="brand">Tudun Farms</p>');
      expect(mail?.text).toContain(`Name of the site\nBefore: ${before?.name}\nNow: Tudun Farms`);
      expect(mail?.text).toContain("Phone\nBefore: none\nNow: +2348031234567");
    }
  });

  test("saved again as it is, also after a lost answer, is no version", async () => {
    const form = await formWith({ tagline: "Grow with us." });
    await owner.site.saveCompany(form);
    const before = await state();
    expect(await owner.site.saveCompany(form)).toMatchObject({ wasChanged: false });
    expect(await state()).toEqual(before);
  });

  test("that another owner changed in the meantime isn't overwritten", async () => {
    const form = await formWith({ address: "4 Market Street, Kaduna" });
    await second.site.saveCompany(await formWith({ regulatorNote: "Registered with the SEC." }, second));
    const before = await state();
    await expect(owner.site.saveCompany(form)).rejects.toThrow(texts.changedMeanwhile);
    expect(await state()).toEqual(before);
    await owner.site.saveCompany(await formWith({ address: form.address }));
    expect(await newest()).toMatchObject({ address: form.address, regulatorNote: "Registered with the SEC." });
  });

  test("of two owners who save at once, one is told of the other", async () => {
    const forms = [await formWith({ tagline: "One." }), await formWith({ tagline: "Two." }, second)] as const;
    const results = await Promise.allSettled([owner.site.saveCompany(forms[0]), second.site.saveCompany(forms[1])]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("that is faulty changes nothing", async () => {
    const form = await formWith({ name: "Another" });
    const before = await state();
    await expect(owner.site.saveCompany({ ...form, phone: "0803" })).rejects.toThrow(texts.phoneInvalid);
    expect(await state()).toEqual(before);
  });

  test("keeps its prefixes once somebody has a reference", async () => {
    await owner.site.saveCompany(await formWith({ referencePrefix: "tuf", paperPrefix: "t" }));
    expect(await newest()).toMatchObject({ referencePrefix: "TUF", paperPrefix: "T" });
    expect((await owner.site.profile()).arePrefixesFixed).toBe(false);
    await createPayment(deps, { owner: ownerRow, status: "approved" });
    expect((await owner.site.profile()).arePrefixesFixed).toBe(true);
    const before = await state();
    for (const [typed, text] of [
      [{ referencePrefix: "GONA" }, referencesStay("TUF")],
      [{ paperPrefix: "G" }, papersStay("T")],
    ] as const)
      await expect(owner.site.saveCompany(await formWith(typed))).rejects.toThrow(text);
    expect(await state()).toEqual(before);
    await owner.site.saveCompany(await formWith({ tagline: "Prefixes stay, the rest doesn't." }));
  });
});

describe("the setting of the support address", () => {
  const rowOf = async () => (await owner.settings.list()).find(({ key }) => key === "supportemail");

  test("is the profile's, and saving it writes a version", async () => {
    const { version } = (await owner.site.profile()).profile;
    await expect(owner.settings.save({ values: { supportemail: "nobody" } })).rejects.toThrow(
      settingTexts.supportEmailInvalid,
    );
    const saved = await owner.settings.save({ values: { supportemail: " Help@Farm.example " } });
    expect(saved).toEqual({ wasAdded: false, wasChanged: true });
    expect(await newest()).toMatchObject({ version: version + 1, supportEmail: "help@farm.example" });
    expect(deps.site.current().supportEmail).toBe("help@farm.example");
    expect(await rowOf()).toMatchObject({ value: "help@farm.example", updatedByName: "Amaka Obi" });
    expect(await queuedMailsTo(db, secondRow.email)).toMatchObject([
      { text: expect.stringContaining("Now: help@farm.example") },
    ]);
    await expect(
      owner.settings.save({ values: { supportemail: "a@farm.example" }, seen: { supportemail: "old@farm.example" } }),
    ).rejects.toThrow(settingTexts.changedMeanwhile);
    await expect(owner.settings.add({ key: "supportemail", value: "b@farm.example" })).rejects.toThrow(
      settingTexts.keyTaken,
    );
  });

  test("of two owners who save or add it at once, the one who saw what isn't there any more is told", async () => {
    const refusedOf = (calls: Promise<unknown>[]) =>
      Promise.allSettled(calls).then((results) =>
        results.flatMap((one) => (one.status === "rejected" ? [one.reason.message] : [])),
      );
    const seen = { supportemail: (await newest())?.supportEmail ?? "" };
    const saves = [owner, second].map((by, index) =>
      by.settings.save({ values: { supportemail: `o${index}@farm.example` }, seen }),
    );
    expect(await refusedOf(saves)).toEqual([settingTexts.changedMeanwhile]);
    await owner.site.saveCompany(await formWith({ supportEmail: "" }));
    const adds = [owner, second].map((by, index) =>
      by.settings.add({ key: "supportemail", value: `a${index}@farm.example` }),
    );
    expect(await refusedOf(adds)).toEqual([settingTexts.keyTaken]);
  });

  test("is added where the profile has none", async () => {
    await owner.site.saveCompany(await formWith({ supportEmail: "" }));
    expect(await rowOf()).toBeUndefined();
    expect(await owner.settings.add({ key: "supportemail", value: "desk@farm.example" })).toEqual({
      wasAdded: true,
      wasChanged: true,
    });
    expect(await newest()).toMatchObject({ supportEmail: "desk@farm.example" });
  });
});
