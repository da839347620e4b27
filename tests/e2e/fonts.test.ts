import { type Browser, expect, type Page } from "playwright/test";
import type { Deps } from "#server/platform/deps.ts";
import { test } from "#tests/support/browser-test.ts";
import { createProject } from "#tests/support/projects.ts";
import { type SeededServer, startSeededServer } from "#tests/support/seeded-server.ts";
import { letters } from "../../scripts/make-fonts.ts";

// The browser of the tests has one font, without ₦ and arrows: what they are drawn with is ours.

let server: SeededServer<{ id: number }>;
test.beforeAll(async () => {
  test.setTimeout(150_000);
  server = await startSeededServer(({ db }: Deps) => createProject(db, { title: "Ẹ̀bá, gúgúrú → Ɗan Ƙasa" }));
});
test.afterAll(() => server.stop());

async function openPhone(browser: Browser, path: string): Promise<Page> {
  const page = await browser.newPage({
    baseURL: server.url,
    viewport: { width: 360, height: 740 },
    deviceScaleFactor: 2,
  });
  await page.goto(path);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  return page;
}

/** The families that the browser drew an element's text with, and those below it, by name and whether a page brought them. */
async function fontsOf(page: Page, selector: string): Promise<{ family: string; isOurs: boolean }[]> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("DOM.enable");
  await devtools.send("CSS.enable");
  const { root } = await devtools.send("DOM.getDocument");
  const { nodeIds } = await devtools.send("DOM.querySelectorAll", { nodeId: root.nodeId, selector });
  const found = new Map<string, boolean>();
  for (const nodeId of nodeIds) {
    const { fonts } = await devtools.send("CSS.getPlatformFontsForNode", { nodeId });
    for (const { familyName, isCustomFont } of fonts) found.set(familyName, isCustomFont);
  }
  await devtools.detach();
  return [...found].map(([family, isOurs]) => ({ family, isOurs }));
}

test("every word and amount of home, the list and a project is drawn with our font", { tag: "@nightly" }, async ({
  browser,
}) => {
  for (const path of ["/", "/discover", `/project/${server.prepared.id}`]) {
    const page = await openPhone(browser, path);
    await expect(page.getByRole("main")).toContainText("₦");
    expect([path, await fontsOf(page, "body *")]).toEqual([path, [{ family: "Inter Variable", isOurs: true }]]);
    await page.close();
  }
});

test("our font has each letter that it is cut for, and ₦ is no blank", { tag: "@nightly" }, async ({ browser }) => {
  const page = await openPhone(browser, "/");
  await page.evaluate((text) => {
    const line = document.createElement("p");
    line.id = "letters";
    line.textContent = text;
    document.body.append(line);
  }, letters);
  expect(await fontsOf(page, "#letters")).toEqual([{ family: "Inter Variable", isOurs: true }]);
  const [naira, arrow, missing] = await page.evaluate(() =>
    ["₦", "→", "\ue000"].map((sign) => {
      const pen = Object.assign(document.createElement("canvas"), { width: 60, height: 60 }).getContext("2d");
      if (!pen) throw new Error("no canvas");
      pen.font = `40px ${getComputedStyle(document.body).fontFamily}`;
      pen.fillText(sign, 5, 45);
      return Array.from(pen.getImageData(0, 0, 60, 60).data.filter((_, index) => index % 4 === 3)).join();
    }),
  );
  for (const drawn of [naira, arrow]) {
    expect(drawn).toMatch(/255/);
    expect(drawn).not.toBe(missing);
  }
  expect(naira).not.toBe(arrow);
  await page.close();
});

test("figures of money are of one width", { tag: "@nightly" }, async ({ browser }) => {
  const page = await openPhone(browser, `/project/${server.prepared.id}`);
  const widths = await page.evaluate(() => {
    const money = document.querySelector(".money");
    if (!money) throw new Error("no money on the page");
    return ["1", "4", "8"].map((figure) => {
      const copy = money.cloneNode() as HTMLElement;
      copy.textContent = figure.repeat(6);
      copy.style.display = "inline-block";
      // Otherwise this browser fits each figure to its grid, which phones' browsers don't.
      copy.style.textRendering = "geometricPrecision";
      money.after(copy);
      const { width } = copy.getBoundingClientRect();
      copy.remove();
      return width;
    });
  });
  expect(widths).toEqual(widths.map(() => widths[0]));
  await page.close();
});

test("the font is fetched with the page, once and for ever", { tag: "@nightly" }, async ({ browser }) => {
  const page = await browser.newPage({ baseURL: server.url });
  const fetched: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "font") fetched.push(request.url());
  });
  await page.goto("/");
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const [preloaded] = await page
    .locator('link[rel="preload"][as="font"]')
    .evaluateAll((links) => links.map((link) => (link as HTMLLinkElement).href));
  expect(fetched).toEqual([preloaded]);
  const answer = await page.request.get(preloaded ?? "");
  expect(answer.headers()).toMatchObject({
    "content-type": "font/woff2",
    "cache-control": "public, max-age=31536000, immutable",
  });
  expect((await answer.body()).length).toBeLessThanOrEqual(45_000);
  await page.close();
});
