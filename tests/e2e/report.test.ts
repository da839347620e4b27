import { type Browser, type BrowserContext, expect, type Page } from "playwright/test";
import type { Deps } from "#server/platform/deps.ts";
import { type Site, test } from "#tests/support/browser-test.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import { createFarmPerson } from "#tests/support/farms.ts";
import { createReportScene } from "#tests/support/report-scene.ts";
import { startReportServer } from "#tests/support/report-server.ts";
import { pngFile } from "#tests/support/sample-files.ts";
import { expectSoundPage } from "#tests/support/sound-page.ts";

// A farm reports from a cheap phone on a weak signal. The page is the built one; its server loses answers when it is told to.

let server: Awaited<ReturnType<typeof startReportServer>>;
let problems: string[] = [];
test.beforeEach(async () => {
  server = await startReportServer();
  problems = [];
});
test.afterEach(async () => {
  await server.stop();
  expect(problems, "errors on the console").toEqual([]);
});

const photo = (name: string, size = 8) => ({ name, mimeType: "image/png", buffer: pngFile(size, size) });
const isWaiting = "Saved on this phone. It is sent when there is a network.";

/** A phone of its own, on the page of somebody's link. */
async function openPhone(browser: Browser, sender = "Musa"): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  watchErrors(page, { into: problems });
  await openReport(page, sender);
  return { context, page };
}

async function openReport(page: Page, sender = "Musa") {
  await page.goto(`${server.url}/report/${sender}`);
  await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
}

/** Fills the form, with a photo for each name. */
async function fill(page: Page, photos: string[] = ["slate.png", "pen.png"]) {
  await page.getByLabel("Birds alive").fill("487");
  await page.getByLabel("Died").fill("3");
  await page.getByLabel("Feed used").fill("1,382.5");
  await page.getByLabel("Gallery").setInputFiles(photos.map((name, index) => photo(name, 8 + index)));
  await expect(page.getByRole("button", { name: /^Remove photo/ })).toHaveCount(photos.length);
  await page.getByLabel("What happened").fill("Feed came on Tuesday.");
  await expect(page.getByRole("status")).toHaveText("Saved on this phone.");
}

const send = (page: Page) => page.getByRole("button", { name: "Send", exact: true }).click();
const expectSent = (page: Page) =>
  expect(page.getByRole("heading", { name: "Report 12 is sent. Thank you." })).toBeVisible();

test("with the network cut before sending the report waits on the phone, through a closed page too", async ({
  browser,
}) => {
  const { context, page } = await openPhone(browser);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => (await caches.keys()).length === 1);
  await context.setOffline(true);
  await fill(page);
  await send(page);
  await expect(page.getByText(isWaiting)).toBeVisible();
  await page.close();

  const again = await context.newPage();
  watchErrors(again, { into: problems });
  await openReport(again);
  await expect(again.getByText(isWaiting)).toBeVisible();
  await expect(again.getByLabel("Feed used")).toHaveValue("1,382.5");
  await expect(again.getByRole("button", { name: /^Remove photo/ })).toHaveCount(2);
  expect(server.calls.send).toBe(0);

  await context.setOffline(false);
  await expectSent(again);
  expect(server.sent).toMatchObject([{ figures: { alive: "487", died: "3", feed: "1382.5" } }]);
  expect([...server.photos.keys()]).toEqual(server.sent[0]?.photoKeys);
  // Nothing of it stays behind.
  await expect.poll(() => again.evaluate(async () => (await caches.keys()).length)).toBe(0);
});

test("with the network cut during sending each photo and the report are kept once", async ({ browser }) => {
  const { page } = await openPhone(browser);
  await fill(page);
  server.losing.add("photos").add("send");
  await send(page);
  await expect(page.getByText(isWaiting)).toBeVisible();
  await page.getByRole("button", { name: "Try now" }).click();
  await expect(page.getByText(isWaiting)).toBeVisible();
  await page.getByRole("button", { name: "Try now" }).click();
  await expectSent(page);
  // The photo whose answer was lost goes out again, and the report.
  expect(server.calls).toEqual({ photos: 3, send: 2 });
  expect([server.sent.length, server.photos.size]).toEqual([1, 2]);
});

test("with the network cut after sending the phone learns later that its report arrived", async ({ browser }) => {
  const { context, page } = await openPhone(browser);
  await fill(page);
  server.losing.add("send");
  await send(page);
  await expect(page.getByText(isWaiting)).toBeVisible();
  await context.setOffline(true);
  await page.close();
  await context.setOffline(false);
  const again = await context.newPage();
  await openReport(again);
  await expect(again.getByText("It was sent on 27 Nov 2026, 11:00 WAT by Musa.")).toBeVisible();
  await expect.poll(() => server.calls.send).toBeGreaterThan(1);
  await expect(again.getByText("Not sent from this phone")).toBeHidden();
  expect(server.sent).toHaveLength(1);
});

test("a report that is changed while an answer is out is another one, and the phone reads that the first arrived", async ({
  browser,
}) => {
  const { page } = await openPhone(browser);
  await fill(page);
  server.losing.add("send");
  await send(page);
  await page.getByRole("button", { name: "Change it" }).click();
  await page.getByLabel("Died").fill("4");
  await send(page);
  await expect(page.getByRole("status")).toHaveText(/^Musa sent this report on/);
  await page.reload();
  await expect(page.getByText("It was sent on 27 Nov 2026, 11:00 WAT by Musa.")).toBeVisible();
  await expect(page.getByText("Not sent from this phone")).toBeVisible();
  expect(server.sent).toMatchObject([{ figures: { died: "3" } }]);
});

test("of two phones at once one is kept, and the other reads who was first", async ({ browser }) => {
  const [musa, hauwa] = [await openPhone(browser, "Musa"), await openPhone(browser, "Hauwa")];
  await fill(musa.page, ["slate.png"]);
  await fill(hauwa.page, ["slate.png"]);
  await send(musa.page);
  await expectSent(musa.page);
  await send(hauwa.page);
  await expect(hauwa.page.getByRole("status")).toHaveText(
    "Musa sent this report on 27 Nov 2026, 11:00 WAT. Yours is kept on this phone.",
  );
  await expect(hauwa.page.getByLabel("What happened")).toHaveValue("Feed came on Tuesday.");
  await hauwa.page.getByRole("button", { name: "Delete what I wrote" }).click();
  await expect(hauwa.page.getByText("It was sent on 27 Nov 2026, 11:00 WAT by Musa.")).toBeVisible();
  await expect(hauwa.page.getByText("Not sent from this phone")).toBeHidden();
  expect(server.sent).toMatchObject([{ by: { token: "Musa" } }]);
});

test("figures that look wrong are asked about before they are taken", async ({ browser }) => {
  const { page } = await openPhone(browser);
  await fill(page, []);
  server.ask(["487 alive is 2 more than 490 less the 3 that died. Is that right?"]);
  await send(page);
  const dialog = page.getByRole("dialog", { name: "Is this right?" });
  await expect(dialog.getByText("487 alive is 2 more")).toBeVisible();
  await dialog.getByRole("button", { name: "Change it" }).click();
  await expect(page.getByLabel("Birds alive")).toBeFocused();
  await send(page);
  await dialog.getByRole("button", { name: "It is right, send it" }).click();
  await expectSent(page);
  expect(server.sent).toHaveLength(1);
});

test("what is missing is said at its field, and nothing is sent", async ({ browser }) => {
  const { page } = await openPhone(browser);
  await page.getByLabel("Birds alive").fill("many");
  await send(page);
  await expect(page.getByLabel("Birds alive")).toBeFocused();
  await expect(page.getByLabel("Birds alive")).toHaveAccessibleDescription(/Please enter a whole number/);
  await expect(page.getByText("Please enter a figure: Died.")).toBeVisible();
  await expect(page.getByText("Please write what happened.")).toBeVisible();
  expect(server.calls.send).toBe(0);
  await expectSoundPage(page);
});

test("a photo stays the original where the server takes it, and else becomes a smaller JPEG", async ({ browser }) => {
  const { page } = await openPhone(browser);
  await fill(page, []);
  const original = photo("slate.png");
  const endless = {
    ...photo("wide.png", 3000),
    buffer: Buffer.concat([pngFile(3000, 1000), Buffer.alloc(11_000_000)]),
  };
  await page.getByLabel("Gallery").setInputFiles([original, endless]);
  await expect(page.getByRole("button", { name: /^Remove photo/ })).toHaveCount(2);
  const widths = await page
    .getByRole("img", { name: /^Photo/ })
    .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth));
  expect(widths).toEqual([8, 2048]);
  await page
    .getByLabel("Gallery")
    .setInputFiles({ name: "note.jpg", mimeType: "image/jpeg", buffer: Buffer.from("?") });
  await expect(page.getByText("This file can't be read as a photo.")).toBeVisible();
  await page.getByLabel("Gallery").setInputFiles(Array.from({ length: 5 }, (_, n) => photo(`${n}.png`)));
  await expect(page.getByText("A report has up to 6 photos.")).toBeVisible();
  await expect(page.getByText("6 of 6")).toBeVisible();
  await send(page);
  await expectSent(page);
  const [first = 0, second = 0] = server.photos.values();
  expect([first, second < 1_000_000]).toEqual([original.buffer.length, true]);
});

test.describe("in the product", () => {
  const prepare = async ({ db, clock }: Deps) => {
    const { project, token } = await createReportScene(db, clock.now());
    return { project, token, reporter: await createFarmPerson(db, project.farmId ?? 0, "reporter") };
  };
  let product: Site;
  let prepared: Awaited<ReturnType<typeof prepare>>;
  test.beforeAll(async ({ demo }) => {
    product = demo;
    prepared = await demo.prepare(prepare);
  });

  test("one of a farm's people signs in, comes back to the report and sends it; the link's holder reads who was first", async ({
    page,
  }) => {
    watchErrors(page, { into: problems });
    const { project, reporter, token } = prepared;
    await page.goto(`${product.url}/farm/${project.id}/report`);
    await expectSoundPage(page);
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel("Email").fill(reporter.email);
    await page.getByLabel("Password", { exact: true }).fill(reporter.password);
    await page.getByRole("button", { name: "Sign In" }).click();
    await expect(page.getByText("Write 7K3P on a slate")).toBeVisible();
    await page.getByLabel("Hens alive").fill("500");
    await page.getByLabel("Died").fill("0");
    await page.getByLabel("Eggs laid").fill("0");
    await page.getByLabel("What happened").fill("The hens have come.");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Report 1 is sent. Thank you." })).toBeVisible();
    await page.goto(`${product.url}/report/${token}`);
    await expect(page.getByText(`by ${reporter.fullName}.`)).toBeVisible();
    await expectSoundPage(page);
  });
});
