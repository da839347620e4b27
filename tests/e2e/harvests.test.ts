import { type Browser, expect, type Page } from "playwright/test";
import { settings } from "#server/db/schema/settings.ts";
import { sweepHarvests } from "#server/features/harvests/jobs.ts";
import { vatKey } from "#shared/settings/texts.ts";
import { test } from "#tests/support/browser-test.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import { type Farm, findHarvest, fundFarm, partsOf } from "#tests/support/harvests.ts";
import { expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { createAdmin, type TestUser } from "#tests/support/people.ts";
import { pngFile } from "#tests/support/sample-files.ts";
import { type MovableServer, signInBrowser, startMovableServer } from "#tests/support/seeded-server.ts";
import { expectSound, expectSoundPage } from "#tests/support/sound-page.ts";

// The worked example of a harvest in the browsers of a manager, a backer and two owners, over a month of the server's clock.

test.describe.configure({ mode: "serial" });

let server: MovableServer;
let amaka: TestUser;
let bola: TestUser;
let chidi: TestUser;
let farm: Farm;
let backer: TestUser;
let problems: string[] = [];

test.beforeAll(async () => {
  test.setTimeout(150_000);
  server = await startMovableServer();
  const { deps } = server;
  await setBankDetails(deps.db);
  await deps.db.insert(settings).values({ key: vatKey, value: "7.5" });
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  chidi = await createAdmin(deps.db, "manager", { fullName: "Chidi Eze" });
  farm = await fundFarm(deps, { owner: amaka, lots: [30, 12, 5], farmPart: "10", plannedQuantity: "2,800" });
  const [, second] = farm.backers;
  if (!second) throw new Error("the farm has no second backer");
  backer = second;
});
test.afterAll(async () => server.stop());
test.beforeEach(() => {
  problems = [];
});
test.afterEach(async () => {
  expect(problems, "errors on the console").toEqual([]);
  await expectMoneyHolds(server.deps);
});

/** A browser of this person, signed in now: the clock's moves end sessions. */
async function openAs(browser: Browser, person: TestUser, path: string): Promise<Page> {
  const viewport = person.isAdmin ? { width: 1280, height: 900 } : { width: 360, height: 740 };
  const context = await browser.newContext({ baseURL: server.url, viewport });
  await signInBrowser(context, server, person);
  if (person.isAdmin) {
    await context.addInitScript(() => location.protocol === "about:" || localStorage.setItem("isAdmin", "true"));
  }
  const page = await context.newPage();
  watchErrors(page, { into: problems });
  page.setDefaultTimeout(20_000);
  await page.goto(path);
  return page;
}

const atAdmin = () => `/admin/project/${farm.project.id}?tab=harvests`;
const atBacker = () => `/backed-project/${farm.project.id}?tab=harvest`;
const dialog = (page: Page) => page.getByRole("dialog");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const inDialog = (page: Page, name: string) => dialog(page).getByRole("button", { name, exact: true }).click();
const evidence = { name: "weighing.png", mimeType: "image/png", buffer: pngFile(640, 480) };
const toast = (page: Page, text: string) => page.getByRole("status").getByText(text, { exact: true });

test("a manager enters a short harvest with its reason and photo, and opens it for choosing", {
  tag: "@nightly",
}, async ({ browser }) => {
  const page = await openAs(browser, chidi, atAdmin());
  await expect(page.getByRole("heading", { name: "No harvest yet" })).toBeVisible();
  await button(page, "New harvest").click();
  await dialog(page).getByLabel("Quantity, in kg").fill("2,514.25");
  await expect(dialog(page).getByText("89% of the plan of 2,800 kg")).toBeVisible();
  await dialog(page).getByLabel(/^Note/).fill("The upper pond was harvested a month too early.");
  await expectSound(page);
  await inDialog(page, "Enter harvest");
  await expect(page.getByText("This is less than 90% of the plan. Please add a photo first.")).toBeVisible();
  await button(page, "Add a photo or document…").click();
  await dialog(page)
    .getByLabel(/^Photo or document/)
    .setInputFiles(evidence);
  await inDialog(page, "Add");
  await expect(page.getByRole("button", { name: "weighing.png, 1 of 1" })).toBeVisible();
  await button(page, "Open for choosing…").click();
  await expect(dialog(page).getByText(/^3 backers are told by email of 2,514.25 kg/)).toBeVisible();
  await inDialog(page, "Open for choosing");
  await expect(page.getByText(/^Backers choose until .* 0 of 3 have chosen/)).toBeVisible();
  // A manager settles nothing.
  await expect(page.getByRole("heading", { name: "Settlement" })).toBeHidden();
});

test("a backer takes part of theirs on a phone, and another one all", { tag: "@nightly" }, async ({ browser }) => {
  const page = await openAs(browser, backer, atBacker());
  await page.getByLabel("Take the produce, in kg").fill("200");
  await expect(page.getByText(/^You would get about ₦/)).toBeVisible();
  await button(page, "Save my choice").click();
  await expect(page.getByText(/^You take 200 kg and 377.743 kg are sold for you\./)).toBeVisible();
  await expectSoundPage(page);
  await (await farm.as(2)).harvests.choose({ harvestId: 1, taken: "240.726", given: "0" });
});

test("the deadline passes, and produce is handed over for the code on the backer's screen", {
  tag: "@nightly",
}, async ({ browser }) => {
  server.advance({ hours: 15 * 24 });
  await sweepHarvests(server.deps);
  expect((await findHarvest(server.deps, 1)).state).toBe("allotted");
  const phone = await openAs(browser, backer, atBacker());
  const spelled = await phone
    .getByRole("region", { name: "Collect your produce" })
    .locator(".visually-hidden")
    .textContent();
  const page = await openAs(browser, chidi, atAdmin());
  await page.getByRole("link", { name: "Hand produce over" }).click();
  const code = page.getByLabel("Code of six digits");
  await expect(code).toBeFocused();
  await page.keyboard.type(spelled ?? "");
  await expectSoundPage(page);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Is this the person?" })).toBeFocused();
  await expect(page.getByText("577.743 kg: 200 kg to take, 377.743 kg sold")).toBeVisible();
  expect((await partsOf(server.deps, 1)).filter(({ collectedAt }) => collectedAt)).toEqual([]);
  await expectSoundPage(page);
  await button(page, "Handed over").click();
  await expect(page.getByText(/^200 kg for .*: handed over$/)).toBeVisible();
  await expectSoundPage(page);
  const other = (await partsOf(server.deps, 1)).find(({ code: one, collectedAt }) => one && !collectedAt)?.code;
  await button(page, "Next person").click();
  await page.keyboard.type(other ?? "");
  await page.keyboard.press("Enter");
  await button(page, "Handed over").click();
  await expect(page.getByText("Everything was collected.")).toBeVisible();
  await phone.reload();
  await expect(phone.getByText(/^You collected 200 kg/)).toBeVisible();
});

test("costs and sales are written down, and two owners say that the money came", { tag: "@nightly" }, async ({
  browser,
}) => {
  const page = await openAs(browser, amaka, atAdmin());
  await button(page, "Add a cost…").click();
  await dialog(page).getByLabel("Amount").fill("185,000");
  await dialog(page)
    .getByLabel(/^Evidence/)
    .setInputFiles(evidence);
  await inDialog(page, "Add cost");
  await expect(page.getByRole("button", { name: "Evidence of Feed" })).toBeVisible();
  // No line shows what the farm paid, so two owners count it.
  await button(page, "Send to another owner… (Feed, ₦185,000)").click();
  await dialog(page).getByLabel("Reason").fill("We have both seen the farm's receipt.");
  await inDialog(page, "Send to another owner");
  await expect(dialog(page)).toBeHidden();
  for (const [buyer, quantity, amount] of [
    ["Ibadan Fish Market", "1,298", "3,569,500"],
    ["Mile 12 traders", "775.524", "2,082,281.94"],
  ] as const) {
    await button(page, "Add a sale…").click();
    await dialog(page).getByLabel("Buyer").fill(buyer);
    await dialog(page).getByLabel("Quantity, in kg").fill(quantity);
    await dialog(page).getByLabel("Amount").fill(amount);
    await inDialog(page, "Add sale");
    await button(page, `Declare as received… (${buyer}, ₦${amount})`).click();
    await dialog(page)
      .getByLabel(/^Evidence/)
      .setInputFiles(evidence);
    await dialog(page).getByLabel("Reason").fill("The buyer paid in cash at the pond.");
    await inDialog(page, "Send to another owner");
    await expect(
      page.getByRole("heading", { name: `Declare ₦${amount} of a sale to ${buyer} as received` }),
    ).toBeVisible();
  }
  await expectSoundPage(page);
  const second = await openAs(browser, bola, atAdmin());
  for (let left = 3; left > 0; left -= 1) {
    await expect(button(second, "Confirm")).toHaveCount(left);
    await button(second, "Confirm").first().click();
    await inDialog(second, "Confirm");
    await expect(dialog(second)).toBeHidden();
  }
  await expect(second.getByText("₦5,651,781.94 has arrived and isn't settled.")).toBeVisible();
});

test("who wrote nothing down settles it by typing the amount, and the backer reads the calculation", {
  tag: "@nightly",
}, async ({ browser }) => {
  const page = await openAs(browser, bola, atAdmin());
  await button(page, "Preview the settlement").click();
  const rows = page.getByRole("table", { name: "Settlement of Harvest 1" }).getByRole("row");
  await expect(rows.nth(2)).toHaveText(/377.743₦995,907.75₦49,795.38₦3,734.65₦942,377.72$/);
  await expect(rows.last()).toHaveText("Sum2,073.524₦5,466,781.94₦240,195.37₦18,014.64₦5,208,571.93");
  await expectSoundPage(page);
  await page.getByLabel("Type ₦5,651,781.94 to settle it").fill("5,651,781.94");
  await button(page, "Settle").click();
  await expect(toast(page, "Settled. What is owed is paid with the next payment run.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Settlement 1" })).toBeVisible();
  await button(page, "Finish harvest…").click();
  await inDialog(page, "Finish harvest");
  await expect(toast(page, "Harvest finished")).toBeVisible();
  await expectSoundPage(page);

  const phone = await openAs(browser, backer, atBacker());
  // The bell's hidden list says it too, once it has come.
  await expect(phone.getByRole("main").getByText("₦942,377.72").first()).toBeVisible();
  await expectSoundPage(phone);
});
