import { expect } from "playwright/test";
import type { Deps } from "#server/platform/deps.ts";
import { test } from "#tests/support/browser-test.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import { testClock } from "#tests/support/deps.ts";
import { endChoosing, type Farm, fundFarm, openHarvestOf, partsOf, sell } from "#tests/support/harvests.ts";
import { setBankDetails } from "#tests/support/money.ts";
import { callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { type SeededServer, signInBrowser, startSeededServer } from "#tests/support/seeded-server.ts";
import { expectSoundPage } from "#tests/support/sound-page.ts";

// The harvests of a farm in the built product, as one who backs it sees them on a phone.

let server: SeededServer<{ farm: Farm; backer: TestUser }>;

/** One harvest that was settled, one that is ready, and one to choose about, each in its own time. */
async function prepare(real: Deps) {
  const owners = { asker: await createAdmin(real.db, "owner"), confirmer: await createAdmin(real.db, "owner") };
  await setBankDetails(real.db);
  const ago = (days: number) => {
    const clock = testClock(new Date(Date.now() - days * 86_400_000));
    return { ...real, clock };
  };
  const [month, weeks] = [ago(30), ago(15)];
  const terms = { lots: [3, 2, 1], farmPart: "10", plannedQuantity: "5,000", harvests: 2 };
  const farm = await fundFarm(month, { owner: owners.asker, ...terms });
  const backer = farm.backers[1];
  if (!backer) throw new Error("nobody backs the farm");

  const settled = await openHarvestOf(await callAs(month, owners.asker), farm, 2_514_250n);
  await (await callAs(month, backer)).harvests.choose({ harvestId: settled, taken: "200", given: "10" });
  await endChoosing(month, settled);
  const taken = (await partsOf(month, settled)).find(({ code }) => code !== null);
  const owner = await callAs(month, owners.asker);
  await owner.harvests.collect({ harvestId: settled, code: taken?.code ?? "" });
  await sell(month, owners, { harvestId: settled, amountKobo: 565_178_194n });
  await owner.harvests.settle({ harvestId: settled, pool: "sold", amount: "5,651,781.94" });

  const ready = await openHarvestOf(await callAs(weeks, owners.asker), farm, 2_300_000n);
  await (await callAs(weeks, backer)).harvests.choose({ harvestId: ready, taken: "150.5", given: "0" });
  await endChoosing(weeks, ready);
  await openHarvestOf(await callAs(real, owners.asker), farm, 2_600_000n);
  return { farm, backer };
}

test.beforeAll(async () => {
  server = await startSeededServer(prepare);
});
test.afterAll(() => server.stop());

test("a backer chooses on a phone, by the keyboard too, and finds it saved", { tag: "@nightly" }, async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true });
  const { farm, backer } = server.prepared;
  await signInBrowser(context, server, backer);
  const page = await context.newPage();
  const errors = watchErrors(page);
  await page.goto(`${server.url}/backed-project/${farm.project.id}`);
  const card = page.getByRole("region", { name: "Harvest", exact: true });
  await expect(card).toContainText("Your share is 780 kg. Choose until");
  await card.getByRole("button", { name: "Choose now" }).click();
  await expect(page).toHaveURL(/\?tab=harvest$/);
  const open = page.getByRole("article", { name: "Harvest 3" });
  await expect(open.getByRole("heading", { name: "Harvest 3" })).toBeInViewport();
  const slider = open.getByRole("slider", { name: "Take the produce, by slider" });
  const { height } = (await slider.boundingBox()) ?? { height: 0 };
  expect(height).toBeGreaterThanOrEqual(44);
  await slider.focus();
  for (let step = 0; step < 4; step++) await page.keyboard.press("ArrowRight");
  await expect(open.getByRole("textbox", { name: "Take the produce, in kg" })).toHaveValue("20");
  await open.getByRole("textbox", { name: "Donate it, in kg" }).fill("10.5");
  await expect(open.getByText("749.5 kg")).toBeVisible();
  await open.getByRole("button", { name: "Save my choice" }).click();
  await expect(page.getByText("Your choice is saved")).toBeVisible();
  await page.reload();
  await expect(
    open.getByText(/^You take 20 kg, you give away 10\.5 kg and 749\.5 kg are sold for you\./),
  ).toBeVisible();
  await expect(open.getByRole("textbox", { name: "Take the produce, in kg" })).toHaveValue("20");
  expect(errors).toEqual([]);
  await context.close();
});

test("code, calculation and choice stand soundly in both schemes", { tag: "@nightly" }, async ({ browser }) => {
  const context = await browser.newContext();
  const { farm, backer } = server.prepared;
  await signInBrowser(context, server, backer);
  const page = await context.newPage();
  const errors = watchErrors(page);
  await page.goto(`${server.url}/backed-project/${farm.project.id}?tab=harvest`);
  await expect(page.getByRole("img", { name: /^QR code of \d{6}$/ })).toBeVisible();
  await expect(page.getByRole("table", { name: /^Settlement 1 of what was sold/ })).toContainText("₦5,651,781.94");
  await expectSoundPage(page);
  expect(errors).toEqual([]);
  await context.close();
});
