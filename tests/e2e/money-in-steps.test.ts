import { desc, eq } from "drizzle-orm";
import { expect, type Page } from "playwright/test";
import sharp from "sharp";
import { demoPdf } from "#server/cli/seed-papers.ts";
import { outgoingMails } from "#server/db/schema/notifications.ts";
import { matchSureLines } from "#server/features/bank/matching/match-sure-lines.ts";
import { dayInLagos } from "#shared/dates.ts";
import type { Kobo } from "#shared/money.ts";
import { releasePartTexts as texts } from "#shared/payouts/release-parts-texts.ts";
import { csvOf, importAs, keepOwnAccount, line } from "#tests/support/bank-imports.ts";
import { test } from "#tests/support/browser-test.ts";
import { createFarmPerson } from "#tests/support/farms.ts";
import { createPayment, expectMoneyHolds } from "#tests/support/money.ts";
import { giveAccount } from "#tests/support/payouts.ts";
import { callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject, farmOf, type TestProject } from "#tests/support/projects.ts";
import { type MovableServer, startMovableServer } from "#tests/support/seeded-server.ts";
import { expectSound, expectSoundPage } from "#tests/support/sound-page.ts";
import { button, inDialog, openBrowsers } from "#tests/support/story.ts";

// A farm's keeper asks for the money of a round in parts, on a phone, and shows proof. The office checks, releases and
// pays, and visitors read where the money is. A refusal and what follows it: money-in-steps.test.ts and the components'
// farm-money.test.ts.

const raised: Kobo = 40_000_000n;
const proof = "A photo of the feed in the store and its receipt";
let server: MovableServer;
let amaka: TestUser;
let bola: TestUser;
let chidi: TestUser;
let musa: TestUser;
let ada: TestUser;
let project: TestProject;
let people: ReturnType<typeof openBrowsers>;
let ownAccountId = 0;
/** The bank's balance after the last imported line. */
let balance: Kobo = 0n;

test.beforeAll(async () => {
  test.setTimeout(150_000);
  server = await startMovableServer();
  const { deps } = server;
  ownAccountId = await keepOwnAccount(deps.db);
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  chidi = await createAdmin(deps.db, "manager", { fullName: "Chidi Eze" });
  ada = await createUser(deps.db, { fullName: "Ada Nwosu" });
  project = await createProject(deps.db, {
    title: "Broilers in Ede",
    lots: 4,
    fundingGoalKobo: raised,
    releaseParts: [
      { label: "Chicks and first feed", rate: 6000, proof: "", afterDays: 0 },
      { label: "Feed to week 5", rate: 4000, proof, afterDays: 14 },
    ],
  });
  const farm = farmOf(project);
  musa = await createFarmPerson(deps.db, farm.farmId, "keeper", await createUser(deps.db, { fullName: "Musa Bello" }));
  const { payment } = await createPayment(deps, { project, lots: 4, backer: ada, owner: amaka, status: "approved" });
  await importLine(raised, `NIP/ACCESS/${payment.reference}`);
  await giveAccount(deps, farm, { addedBy: amaka.id, accountName: "Ede Farms" });
});
test.afterAll(async () => server.stop());
test.beforeEach(({ browser }) => {
  people = openBrowsers(browser, server);
});
test.afterEach(async () => {
  expect(people.problems, "errors on the console").toEqual([]);
  await expectMoneyHolds(server.deps);
});

async function importLine(amountKobo: Kobo, narration: string): Promise<void> {
  const truths = [line(dayInLagos(server.deps.clock.now()), amountKobo, narration)];
  await importAs(server.deps, amaka, { accountId: ownAccountId, file: csvOf({ openingKobo: balance, truths }) });
  await matchSureLines(server.deps);
  balance += amountKobo;
}

/** Pays the farm what is due by a run of two owners, and imports the bank's line for it a day later. */
async function payFarm(): Promise<void> {
  const { deps } = server;
  const maker = await callAs(deps, amaka);
  const [payout] = (await maker.payouts.due()).payouts;
  if (!payout) throw new Error("nothing is due to the farm");
  const { id, reference, amountKobo } = payout;
  const { runId } = await maker.payouts.makeRun({ payoutIds: [id], ownAccountId });
  const approver = await callAs(deps, bola);
  await approver.payouts.approveRun({ runId });
  await approver.payouts.exportRun({ runId, profile: "compact" });
  server.advance({ hours: 24 });
  await importLine(-amountKobo, `NIP TRF/${reference}`);
}

const partOf = (page: Page, label: string) => page.getByRole("listitem").filter({ hasText: label });
const atOffice = () => `/admin/project/${project.id}?tab=money`;
const openMoney = () => people.openAs(musa, `/farm/${project.id}/money`);
const openProject = async () => {
  const page = await people.newPage({ isAdmin: false });
  await page.goto(`/project/${project.id}`);
  await expect(page.getByRole("heading", { name: "Where the money is" })).toBeVisible();
  return page;
};
const sum = (page: Page, label: string) => page.locator("dl div").filter({ hasText: label });

/** A photo of six by five shades, drawn from a number. */
async function photo(seed: number) {
  const shades = Array.from({ length: 30 }, (_, at) => (seed * 7919 + at * at * 131 + at * 47) % 256);
  const raw = { width: 6, height: 5, channels: 1 as const };
  const drawn = sharp(Buffer.from(shades), { raw }).resize(480, 400, { kernel: "cubic" });
  return { name: `photo-${seed}.jpg`, mimeType: "image/jpeg", buffer: await drawn.jpeg().toBuffer() };
}

/** Opens the link of the keeper's last mail on their phone. */
async function openLastMail(subject: string): Promise<Page> {
  const { db } = server.deps;
  const isTheirs = eq(outgoingMails.recipient, musa.email);
  const [mail] = await db.select().from(outgoingMails).where(isTheirs).orderBy(desc(outgoingMails.id)).limit(1);
  expect(mail?.subject).toBe(`${project.title}: ${subject}`);
  const [link = ""] = /http\S+\/farm\/\d+\/money/.exec(mail?.text ?? "") ?? [];
  return people.openAs(musa, new URL(link).pathname);
}

async function release(owner: TestUser, label: string): Promise<void> {
  const page = await people.openAs(owner, atOffice());
  await partOf(page, label).getByRole("button", { name: "Release to the farm…" }).click();
  await expectSound(page);
  await inDialog(page, "Release");
  await expect(partOf(page, label).getByText("On its way", { exact: true })).toBeVisible();
}

test("a farm's keeper asks, is paid and asks with proof for more, and visitors read each step", async () => {
  test.setTimeout(300_000);
  const [first, second] = ["Chicks and first feed", "Feed to week 5"];

  await test.step("the keeper asks for the first part, for which no proof was agreed", async () => {
    const page = await people.openAs(musa, "/farm");
    await page.getByRole("link", { name: `Money of ${project.title}` }).click();
    await expect(sum(page, "Waiting for proof")).toContainText("₦400,000");
    await expect(partOf(page, second)).toContainText("After the parts before it");
    await expectSoundPage(page);
    await button(page, "Ask for this part").click();
    await page.getByLabel("What it is for (optional)").fill("The chicks come on Friday.");
    await page.getByLabel("Photos or papers (optional)").setInputFiles(await photo(1));
    await expect(page.getByText("Uploaded", { exact: true })).toBeVisible();
    await button(page, "Ask for this part").click();
    await expect(page.getByText(texts.asked, { exact: true })).toBeVisible();
    await expect(partOf(page, first).getByText("Asked for", { exact: true })).toBeVisible();
    await expect(page.getByRole("main")).not.toContainText(ada.fullName);
  });

  await test.step("a manager checks it, an owner releases it, and the run pays it", async () => {
    const visitor = await openProject();
    await expect(partOf(visitor, first)).toContainText("Asked for");
    await expect(partOf(visitor, first).getByRole("button")).toHaveCount(0);
    const page = await people.openAs(chidi, atOffice());
    await expect(partOf(page, first)).toContainText("The chicks come on Friday.");
    await button(page, "The proof is right").click();
    await expect(partOf(page, first).getByText("Checked", { exact: true })).toBeVisible();
    await visitor.reload();
    await expect(sum(visitor, "With us")).toContainText("₦240,000");
    await expect(sum(visitor, "Waiting for proof")).toContainText("₦160,000");
    await release(amaka, first);
    await payFarm();
    const paid = await openLastMail("₦240,000 is on its way");
    await expect(partOf(paid, first).getByText("Paid", { exact: true })).toBeVisible();
    await expect(partOf(paid, second)).toContainText(/You can ask for it from \d+ \w+ \d{4} on/);
    await expect(button(paid, "Ask for this part")).toHaveCount(0);
    await visitor.reload();
    await expect(sum(visitor, "At the farm")).toContainText("₦240,000");
    await expect(partOf(visitor, first).getByRole("button", { name: /opens large/ })).toHaveCount(1);
    await expectSoundPage(visitor);
  });

  await test.step("two weeks later nothing goes without proof, and what failed to upload is sent again", async () => {
    server.advance({ hours: 14 * 24 });
    const page = await openMoney();
    await button(page, "Ask for this part").click();
    await button(page, "Ask for this part").click();
    await expect(page.getByRole("alert").getByText(texts.proofNeeded(proof))).toBeVisible();
    await page.route("**/uploads/release-proofs", (route) => route.abort(), { times: 1 });
    await page.getByLabel(`Proof: ${proof}`).setInputFiles(await photo(5));
    await button(page, "Try again").click();
    await expect(page.getByText("Uploaded", { exact: true })).toBeVisible();
    const receipt = Buffer.from(demoPdf({ title: "Feed", rows: [["Bags", "40"]] }));
    const paper = { name: "receipt.pdf", mimeType: "application/pdf", buffer: receipt };
    await page.getByLabel(`Proof: ${proof}`).setInputFiles(paper);
    await expect(page.getByText("Uploaded", { exact: true })).toHaveCount(2);
    await expectSoundPage(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await button(page, "Ask for this part").click();
    await expect(partOf(page, second)).toContainText("We look at it and tell you.");
  });
});
