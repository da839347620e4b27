import { and, eq } from "drizzle-orm";
import { expect, type Page } from "playwright/test";
import { payouts } from "#server/db/schema/payouts.ts";
import { payByHand } from "#server/features/payouts/by-hand.ts";
import { releasePartTexts as texts } from "#shared/payouts/release-parts-texts.ts";
import { farmReleaseTexts } from "#shared/payouts/releases-texts.ts";
import { test } from "#tests/support/browser-test.ts";
import { createFarmPerson } from "#tests/support/farms.ts";
import { contextOf, createPayment, decide, expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { giveAccount } from "#tests/support/payouts.ts";
import { callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { createProject, farmOf, type TestProject } from "#tests/support/projects.ts";
import { type MovableServer, startMovableServer } from "#tests/support/seeded-server.ts";
import { expectSoundPage } from "#tests/support/sound-page.ts";
import { keepLine, openOwnAccount } from "#tests/support/statements.ts";
import { button, dialog, inDialog, openBrowsers, picture } from "#tests/support/story.ts";

// A farm's keeper asks for a part of the round's money on a phone, is refused, asks again and is paid. Three people of the
// office let it go one after the other, and a backer reads where the money is.

let server: MovableServer;
let amaka: TestUser;
let bola: TestUser;
let chidi: TestUser;
let keeper: TestUser;
let backer: TestUser;
let project: TestProject;

test.beforeAll(async () => {
  test.setTimeout(150_000);
  server = await startMovableServer();
  const { deps } = server;
  await setBankDetails(deps.db);
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  chidi = await createAdmin(deps.db, "manager", { fullName: "Chidi Eze" });
  project = await createProject(deps.db, {
    title: "Broilers in Epe",
    releaseParts: [
      { label: "Chicks and first feed", rate: 4000, proof: "a receipt and a photo", afterDays: 0 },
      { label: "Feed to week 5", rate: 6000, proof: "", afterDays: 0 },
    ],
  });
  const made = await createPayment(deps, { project, owner: amaka });
  backer = made.backer;
  const { id: paymentId, reference, amountKobo } = made.payment;
  const ownAccount = await openOwnAccount(deps, { importedBy: amaka.id });
  const line = await keepLine(deps, ownAccount, { amountKobo, narration: `NIP ${reference}` });
  const part = { kind: "payment" as const, amountKobo, paymentId };
  await (await callAs(deps, amaka)).bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts: [part] });
  await decide(deps, amaka, { paymentId, status: "approved" });
  keeper = await createFarmPerson(deps.db, farmOf(project).farmId, "keeper");
  await giveAccount(deps, farmOf(project), { addedBy: amaka.id, accountName: "Epe Broilers" });
});
test.afterAll(async () => server.stop());

const part = (page: Page) => page.getByRole("listitem", { name: /^Part 1/ });

async function ask(page: Page, name: string): Promise<void> {
  await page.locator("input[type=file]").setInputFiles(picture(name));
  await expect(page.getByText("Uploaded", { exact: true })).toBeVisible();
  await button(page, "Ask for this part").click();
  await expect(part(page).getByText("Asked for", { exact: true })).toBeVisible();
}

test("a keeper asks with a proof, is refused, asks again and is paid; a backer reads each step", async ({
  browser,
}) => {
  test.setTimeout(240_000);
  const people = openBrowsers(browser, server);
  const atFarm = `/farm/${project.id}/money`;
  const atOffice = `/admin/project/${project.id}?tab=money`;

  await test.step("the keeper asks on a phone, and not without the proof", async () => {
    const page = await people.openAs(keeper, "/farm");
    await page.getByRole("link", { name: `Money of ${project.title}` }).click();
    await button(page, "Ask for this part").click();
    await button(page, "Ask for this part").click();
    await expect(page.getByRole("alert").getByText(texts.proofNeeded("a receipt and a photo"))).toBeVisible();
    await ask(page, "chicks.png");
    await expectSoundPage(page);
    await page.setViewportSize({ width: 360, height: 740 });
  });

  await test.step("a manager refuses it with a reason, which the farm reads", async () => {
    const page = await people.openAs(chidi, atOffice);
    await button(page, "Refuse…").click();
    await dialog(page).getByLabel("Reason").fill("The photo shows goats, and no chicks.");
    await inDialog(page, "Refuse");
    await expect(part(page).getByText("Refused", { exact: true })).toBeVisible();
    await expectSoundPage(page);
    const phone = await people.openAs(keeper, atFarm);
    await expect(phone.getByText(texts.refusedBecause("The photo shows goats, and no chicks."))).toBeVisible();
    await button(phone, "Ask again").click();
    await ask(phone, "chicks-again.png");
  });

  await test.step("the manager checks it, and an owner lets it go", async () => {
    const page = await people.openAs(chidi, atOffice);
    await button(page, "The proof is right").click();
    await expect(part(page).getByText("Checked", { exact: true })).toBeVisible();
    await expect(button(page, "Release to the farm…")).toHaveCount(0);
    const office = await people.openAs(bola, atOffice);
    await button(office, "Release to the farm…").click();
    await inDialog(office, "Release");
    await expect(office.getByText(farmReleaseTexts.released)).toBeVisible();
    await expect(part(office).getByText("On its way", { exact: true })).toBeVisible();
  });

  await test.step("once it is paid, the farm and a backer read so", async () => {
    const { deps } = server;
    const isOurs = and(eq(payouts.projectId, project.id), eq(payouts.kind, "farm"));
    await deps.db.update(payouts).set({ state: "due" }).where(isOurs);
    for (const { id: payoutId } of await deps.db.select().from(payouts).where(isOurs)) {
      await payByHand(await contextOf(deps, amaka), {
        payoutId,
        sessionId: "9".repeat(30),
        reason: "Paid at the bank's counter today.",
      });
    }
    const phone = await people.openAs(keeper, atFarm);
    await expect(part(phone).getByText("Paid", { exact: true })).toBeVisible();
    const page = await people.openAs(backer, `/backed-project/${project.id}`);
    const money = page.getByRole("region", { name: "Where the money is" });
    await expect(money.getByRole("definition")).toHaveText(["₦200,000", "₦300,000", "₦0"]);
    await expect(money.getByRole("button", { name: /opens large$/ })).toBeVisible();
    await expectSoundPage(page);
  });
  expect(people.problems, "errors on the console").toEqual([]);
  await expectMoneyHolds(server.deps);
});
