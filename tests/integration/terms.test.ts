import { createHash, randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { paymentReferences } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { settings } from "#server/db/schema/settings.ts";
import { roundTerms } from "#server/db/schema/terms.ts";
import { submitReceipt } from "#server/features/payments/buying/receipts.ts";
import { sweepHolds } from "#server/features/projects/holds/jobs.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { termsFieldTexts, termsForm, termsOf } from "#shared/projects/terms.ts";
import { clausesOf, defaultTerms, termsClauses, termsText, termsTexts } from "#shared/projects/terms-texts.ts";
import { holdHoursKey } from "#shared/settings/texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import {
  contextOf,
  createPayment,
  decide,
  expectMoneyHolds,
  findPayment,
  sendReceipt,
  setBankDetails,
  storeReceiptFile,
} from "#tests/support/money.ts";
import { callAs, createAdmin, createUser, dismissAdmins, type TestUser } from "#tests/support/people.ts";
import { projectFormOf } from "#tests/support/project-form.ts";
import { createProject, type TestProject } from "#tests/support/projects.ts";
import { siteTermsOf } from "#tests/support/site-terms.ts";

const deps = await openTestDeps();
let owner: TestUser;
let backer: TestUser;
let project: TestProject;

beforeEach(async () => {
  await dismissAdmins(deps.db);
  await setBankDetails(deps.db);
  owner = await createAdmin(deps.db, "owner");
  backer = await createUser(deps.db);
  project = await createProject(deps.db, { fundingGoalKobo: 200_000_000n, lots: 40 });
});
afterEach(() => expectMoneyHolds(deps));

const form = {
  unit: "kg" as const,
  plannedQuantity: "2,514.25",
  plannedPrice: "2,750",
  plannedHarvests: 2,
  harvestPlan: ["1,600", "914.25"],
  firstHarvestOn: "2027-03-01",
  farmPart: "10",
  deductibleCosts: ["Transport to the market"],
  fee: "7.5",
  options: ["produce" as const, "sale" as const],
  collectionPlace: "the farm at Epe",
  choiceDays: 10,
  collectionDays: 5,
  insurance: { insurer: "Naic", policy: "A-17", covers: "Pays the farm for a flood." },
  releaseParts: [],
};
const update = async (values: Partial<typeof form> = {}, seenVersion = 1, by: TestUser = owner) =>
  (await callAs(deps, by)).projects.updateTerms({ ...form, ...values, projectId: project.id, seenVersion });
const versions = () =>
  deps.db.select().from(roundTerms).where(eq(roundTerms.projectId, project.id)).orderBy(roundTerms.version);
const begin = async (termsVersion: number, by: TestUser = backer) =>
  (await callAs(deps, by)).payments.begin({
    projectId: project.id,
    lots: 1,
    termsVersion,
    siteTerms: await siteTermsOf(deps),
    hasReadTerms: true,
  });
const open = async (by: TestUser = backer) => (await callAs(deps, by)).payments.open({ projectId: project.id });

describe("the terms of a round", () => {
  test("begin as the defaults with the setting's fee", async () => {
    await deps.db.insert(settings).values({ key: "platformfee", value: "7.25" });
    expect(await (await callAs(deps, owner)).projects.defaultTerms()).toEqual(defaultTerms(725));
    await deps.db.delete(settings).where(eq(settings.key, "platformfee"));
  });

  test("are written with the project, audited with it, and read by everybody on its page", async () => {
    const admin = await callAs(deps, owner);
    const input = projectFormOf({ terms: form });
    const { id } = await admin.projects.create(input);
    // Sent again, also with other terms, it is the project that there is.
    expect(await admin.projects.create({ ...input, terms: { ...form, fee: "30" } })).toEqual({ id });
    const written = await deps.db.select().from(roundTerms).where(eq(roundTerms.projectId, id));
    expect(written).toEqual([expect.objectContaining({ version: 1, round: 1, writtenBy: owner.id, feeRate: 750 })]);
    const page = await (await callAs(deps, "anonymous")).projects.byId({ projectId: id });
    const terms = termsOf(termsForm.parse(form));
    const { unit, plannedQuantity, plannedHarvests, firstHarvestOn, farmPartRate } = terms;
    const plan = { unit, plannedQuantity, plannedHarvests, firstHarvestOn, farmPartRate };
    expect(page.terms).toEqual({ version: 1, clauses: termsClauses(terms), plan });
    expect(page.terms.clauses.map(({ text }) => text).join()).toContain("7.5% of your sales");
    const entries = await deps.db
      .select()
      .from(auditLogs)
      .where(sql`${auditLogs.details}->>'projectId' = ${String(id)}`);
    expect(entries).toEqual([
      expect.objectContaining({
        actionType: "create_project",
        details: expect.objectContaining({
          after: expect.objectContaining({ farmPartRate: 1000, plannedQuantity: "2514250", feeRate: 750 }),
        }),
      }),
    ]);
  });

  test.each([{ ...form, fee: "30.01" }, { ...form, options: [] }, { ...form, plannedQuantity: "much" }, undefined])(
    "are refused with their project: %j",
    async (terms) => {
      const admin = await callAs(deps, owner);
      const before = await deps.db.$count(projects);
      // A direct call may leave out what the type asks for.
      const input = projectFormOf({ terms: terms as typeof form });
      await expect(admin.projects.create(input)).rejects.toMatchObject({ code: "BAD_REQUEST" });
      expect(await deps.db.$count(projects)).toBe(before);
      // Nothing of it is left: the same key makes the project once the terms are sound.
      const { id } = await admin.projects.create({ ...input, terms: form });
      expect(await deps.db.$count(roundTerms, eq(roundTerms.projectId, id))).toBe(1);
    },
  );

  test("are followed by another version, which is audited; the earlier one stays as it was", async () => {
    const [first] = await versions();
    await update();
    const [before, after, ...more] = await versions();
    expect([before, more]).toEqual([first, []]);
    expect(after).toMatchObject({
      version: 2,
      unit: "kg",
      plannedQuantity: 2_514_250n,
      plannedPriceKobo: 275_000n,
      plannedHarvests: 2,
      harvestPlan: [1_600_000n, 914_250n],
      firstHarvestOn: "2027-03-01",
      farmPartRate: 1000,
      feeRate: 750,
      writtenBy: owner.id,
    });
    const { terms } = await open();
    const texts = terms.clauses.map(({ text }) => text).join(" ");
    expect(texts).toContain(
      "It expects 2,514.25 kg in all, harvest by harvest 1,600 kg and 914.25 kg. It expects ₦2,750 per kg.",
    );
    expect(texts).toContain("10% of each harvest is the farm's.");
    expect(texts).toContain("take it as produce or have it sold");
    const [entry] = await deps.db.select().from(auditLogs).where(eq(auditLogs.actionType, "edit_terms"));
    expect(entry?.details).toMatchObject({ version: 2, before: { feeRate: 500 }, after: { feeRate: 750 } });
    await expect(update({}, 1)).rejects.toThrow(termsTexts.changed);
  });

  const refused: [Partial<typeof form>, string][] = [
    [{ plannedQuantity: "2.5145" }, termsFieldTexts.quantity],
    [{ plannedQuantity: "0" }, termsFieldTexts.quantity],
    [{ plannedPrice: "much" }, termsFieldTexts.price],
    [{ plannedHarvests: 61 }, termsFieldTexts.harvests],
    [{ harvestPlan: ["2,514.25", "0"] }, termsFieldTexts.quantity],
    [{ harvestPlan: ["2,514.25"] }, termsFieldTexts.eachHarvest],
    [{ harvestPlan: ["1,500", "1,014.2"] }, termsFieldTexts.harvestsSum(2_514_200n, 2_514_250n)],
    [{ harvestPlan: ["1,500", "1,014.25"], plannedQuantity: "" }, termsFieldTexts.eachHarvest],
    [{ farmPart: "90.01" }, termsFieldTexts.farmPart],
    [{ fee: "30.5" }, termsFieldTexts.fee],
    [{ fee: "-1" }, termsFieldTexts.fee],
    [{ options: [] }, termsFieldTexts.options],
    [{ choiceDays: 2 }, termsFieldTexts.choiceDays],
    [{ collectionDays: 31 }, termsFieldTexts.collectionDays],
    [{ deductibleCosts: Array.from({ length: 11 }, () => "Feed") }, termsFieldTexts.costs],
    [{ firstHarvestOn: "2027-02-30" }, termsFieldTexts.date],
  ];
  test("are refused with what is out of bounds, in its field's words, and nothing changes", async () => {
    for (const [values, text] of refused) {
      await expect(update(values), JSON.stringify(values)).rejects.toThrow(text);
      expect(await versions()).toHaveLength(1);
    }
  });

  test("are frozen with the first receipt, and free again once it is rejected", async () => {
    const { payment } = await createPayment(deps, { project, owner, backer });
    await expect(update()).rejects.toThrow(termsTexts.frozen.paid);
    await decide(deps, owner, { paymentId: payment.id, status: "rejected" });
    await update();
    await expect(decide(deps, owner, { paymentId: payment.id, status: "approved" })).rejects.toThrow(
      paymentTexts.otherTerms,
    );
    expect((await findPayment(deps.db, payment.id)).termsVersion).toBe(1);
  });

  test("go on in the next round and in a clone", async () => {
    await update();
    const admin = await callAs(deps, owner);
    const clone = await admin.projects.clone({ projectId: project.id, idempotencyKey: crypto.randomUUID() });
    const visitor = await callAs(deps, "anonymous");
    const original = await visitor.projects.byId({ projectId: project.id });
    const copied = await visitor.projects.byId({ projectId: clone.id });
    expect(copied.terms).toEqual({ ...original.terms, version: 1 });
  });

  test("say nothing of each harvest where these are equal parts", async () => {
    await update({ plannedQuantity: "2,500", harvestPlan: ["1,250", "1,250"] });
    expect((await versions())[1]).toMatchObject({ harvestPlan: [] });
    const { terms } = await open();
    expect(terms.clauses.map(({ text }) => text).join(" ")).toContain("It expects 2,500 kg in all. It expects");
  });

  test("whose harvests aren't planned each, and to the sum, are refused by the database", async () => {
    await update();
    for (const plan of ["'{}'::bigint[] || 2514250", "'{2514250, 0}'", "'{1600000, 914000}'", "'{null, 2514250}'"]) {
      const forged = sql`insert into round_terms select (jsonb_populate_record(t, jsonb_build_object('version', 3, 'harvest_plan', ${sql.raw(plan)}))).*
        from round_terms t where t.project_id = ${project.id} and t.version = 2`;
      await expect(deps.db.execute(forged), plan).rejects.toMatchObject({
        cause: { message: expect.stringContaining("round_terms_harvest_plan") },
      });
    }
  });

  test("can't be changed or deleted in the database, and a version's hash is that of its text", async () => {
    for (const statement of [sql`update round_terms set fee_rate = 0`, sql`delete from round_terms`]) {
      await expect(deps.db.execute(statement)).rejects.toMatchObject({
        cause: { message: expect.stringContaining("append-only") },
      });
    }
    const [terms] = await versions();
    expect(clausesOf(terms?.text ?? "")).toEqual(termsClauses(defaultTerms(500)));
    // A date alone is said too.
    expect(termsText({ ...defaultTerms(500), firstHarvestOn: "2027-04-17" })).toContain(
      "Plan: The first harvest is planned around 17 Apr 2027. A plan is not a promise.",
    );
    const hash = createHash("sha256")
      .update(termsText(defaultTerms(500)))
      .digest("hex");
    expect(terms?.textSha256).toBe(hash);
    const forged = sql`insert into round_terms (project_id, round, version, unit, farm_part_rate, deductible_costs,
        fee_rate, options, collection_place, choice_days, collection_days, release_parts, text, text_sha256)
      select project_id, round, 2, unit, farm_part_rate, deductible_costs, fee_rate, options, collection_place, choice_days,
        collection_days, release_parts, text || ' Returns are guaranteed.', text_sha256 from round_terms where project_id = ${project.id}`;
    await expect(deps.db.execute(forged)).rejects.toMatchObject({
      cause: { message: expect.stringContaining("round_terms_text_sha256") },
    });
  });
});

describe("before paying", () => {
  test("nobody sees the account number or a reference before the tick, nor by a direct call", async () => {
    const before = await open();
    expect(before).toMatchObject({ blockedBy: "terms", bankDetails: null, reference: null });
    expect(JSON.stringify(before, (_, value) => String(value))).not.toContain("0123456789");
    const caller = await callAs(deps, backer);
    // A direct call may send what the type forbids.
    const siteTerms = await siteTermsOf(deps);
    const unread = {
      projectId: project.id,
      lots: 1,
      termsVersion: 1,
      siteTerms,
      hasReadTerms: false as unknown as true,
    };
    await expect(caller.payments.begin(unread)).rejects.toThrow(termsTexts.tickMissing);
    const ctx = await contextOf(deps, backer);
    const file = await storeReceiptFile(deps);
    const early = submitReceipt(ctx, { projectId: project.id, lots: 1, idempotencyKey: crypto.randomUUID(), file });
    await expect(early).rejects.toMatchObject({ reason: "conflict", message: termsTexts.tickMissing });

    await begin(1);
    const after = await open();
    expect(after).toMatchObject({ blockedBy: null, bankDetails: { accountNumber: "0123456789" } });
    expect(after.reference).toMatch(/^GONA-/);
    const [kept] = await deps.db.select().from(paymentReferences).where(eq(paymentReferences.userId, backer.id));
    expect(kept).toMatchObject({ termsVersion: 1, agreedAt: deps.clock.now() });
  });

  test("who ticked other terms than there are now reads them again, keeps the reference, and may have paid", async () => {
    await begin(1);
    const { reference } = await open();
    await update();
    await expect(begin(1)).rejects.toThrow(termsTexts.changed);
    const purchase = { lots: 1, amountKobo: 5_000_000n };
    expect(await open()).toMatchObject({ blockedBy: "terms", bankDetails: null, reference, purchase });
    await begin(2);
    expect(await open()).toMatchObject({ blockedBy: null, reference });
    const { paymentId } = await sendReceipt(deps, { backer, projectId: project.id });
    expect(await findPayment(deps.db, paymentId)).toMatchObject({ termsVersion: 2, reference });
  });

  test("a closed project and one without bank details take no tick", async () => {
    await deps.db.delete(settings);
    await expect(begin(1)).rejects.toThrow(paymentTexts.noBankDetails);
    expect(await open()).toMatchObject({ blockedBy: "no_bank_details" });
    await setBankDetails(deps.db);
    await (await callAs(deps, owner)).projects.close({ projectId: project.id });
    await expect(begin(1)).rejects.toThrow(paymentTexts.projectClosed);
    expect(await deps.db.$count(paymentReferences, eq(paymentReferences.projectId, project.id))).toBe(0);
  });

  test("a payer reads the terms they agreed to, whatever later rounds are sold by", async () => {
    await update();
    await begin(2);
    const { payment } = await createPayment(deps, { backer, owner, project, lots: 20, status: "approved" });
    await createPayment(deps, { owner, project, lots: 20, status: "approved" });
    await (await callAs(deps, owner)).projects.reopen({ projectId: project.id });
    await update({ fee: "30", collectionPlace: "elsewhere" }, 3);
    const read = async (by: TestUser) => (await callAs(deps, by)).payments.listMyPurchases({ projectId: project.id });
    const [purchase, ...others] = await read(backer);
    expect(others).toEqual([]);
    expect(purchase).toMatchObject({ id: payment.id, status: "approved", lots: 20, terms: { version: 2 } });
    const words = purchase?.terms.clauses.map(({ text }) => text).join(" ");
    expect(words).toContain("7.5% of your sales");
    expect(words).toContain("at the farm at Epe");
    expect(purchase?.agreedAt).toEqual(deps.clock.now());
    expect(await read(await createUser(deps.db))).toEqual([]);
  });

  test("who held lots under earlier terms and paid is heard, under those, and not approved under others", async () => {
    await deps.db.update(settings).set({ value: "24" }).where(eq(settings.key, holdHoursKey));
    await begin(1);
    deps.clock.advance({ hours: 25 });
    await sweepHolds(deps);
    await update();
    const { paymentId } = await submitReceipt(await contextOf(deps, backer), {
      projectId: project.id,
      lots: 1,
      idempotencyKey: randomUUID(),
      file: await storeReceiptFile(deps),
    });
    expect(await findPayment(deps.db, paymentId)).toMatchObject({ status: "pending", termsVersion: 1 });
    await expect(decide(deps, owner, { paymentId, status: "approved" })).rejects.toThrow(paymentTexts.otherTerms);
  });
});
