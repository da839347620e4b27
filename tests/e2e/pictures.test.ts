import { type Browser, expect, type Page } from "playwright/test";
import sharp from "sharp";
import { projectMedia } from "#server/db/schema/projects.ts";
import { storePhoto } from "#server/files/photos.ts";
import { newFileKey } from "#server/files/storage.ts";
import type { Deps } from "#server/platform/deps.ts";
import { test } from "#tests/support/browser-test.ts";
import { contextOf } from "#tests/support/money.ts";
import { createAdmin } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { type SeededServer, startSeededServer } from "#tests/support/seeded-server.ts";

// Which files of a photo real browsers fetch, in the built product: by the width of the screen and the sharpness it has.
test.describe.configure({ timeout: 60_000 });

let server: SeededServer<Awaited<ReturnType<typeof prepare>>>;

async function prepare(deps: Deps) {
  const actor = await createAdmin(deps.db, "owner");
  const ctx = await contextOf(deps, actor);
  const store = async (width: number, height: number, hue: string) => {
    const key = newFileKey("photo");
    const picture = sharp({ create: { width, height, channels: 3, background: hue } });
    await deps.storage.write(key, await picture.jpeg().toBuffer());
    return storePhoto(ctx, { key, sha256: "0".repeat(64), originalName: "farm.jpg" });
  };
  const main = await store(2000, 1500, "#3a7d44");
  const project = await createProject(deps.db, { imageUrl: main.url, imageFileId: main.fileId, imageAlt: "Noon" });
  for (const [index, hue] of ["#7d3a44", "#447d3a", "#3a447d"].entries()) {
    const { url, fileId, width, height } = await store(1500, 2000, hue);
    const media = { type: "photo" as const, url, fileId, width, height, altText: `Pond ${index + 1}` };
    await deps.db.insert(projectMedia).values({ ...media, projectId: project.id });
  }
  return project;
}

test.beforeAll(async () => {
  server = await startSeededServer(prepare);
});
test.afterAll(() => server.stop());

type Fetched = { page: Page; names: string[]; shift: () => Promise<number> };

/** A page that notes which files of photos it fetches, and how much of it moves by itself. */
async function openPhone(browser: Browser, path: string, screen = { width: 360, sharpness: 2 }): Promise<Fetched> {
  const page = await browser.newPage({
    baseURL: server.url,
    viewport: { width: screen.width, height: 740 },
    deviceScaleFactor: screen.sharpness,
  });
  const names: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/files/photos/")) names.push(pathname.replace(/^.*\//, ""));
  });
  await page.addInitScript(() => {
    Object.assign(window, { moved: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        Object.assign(window, { moved: window.moved + (entry as MovedEntry).value });
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(path);
  return { page, names, shift: () => page.evaluate(() => window.moved) };
}

type MovedEntry = PerformanceEntry & { value: number };
declare global {
  interface Window {
    moved: number;
  }
}

const whole = (page: Page, name: string) =>
  page
    .locator("main")
    .getByRole("img", { name })
    .first()
    .evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0);

for (const [what, screen, wanted] of [
  ["a phone", { width: 360, sharpness: 2 }, "672.avif"],
  ["a sharper phone", { width: 412, sharpness: 2.625 }, "1008.avif"],
  ["a desk", { width: 1280, sharpness: 1 }, "1008.avif"],
] as const) {
  test(`${what} fetches a project's picture once, in its width, and nothing moves`, { tag: "@nightly" }, async ({
    browser,
  }) => {
    const { page, names, shift } = await openPhone(browser, `/project/${server.prepared.id}`, screen);
    await expect.poll(() => whole(page, "Noon")).toBe(true);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(names).toEqual([wanted]);
    expect(await shift()).toBeLessThan(0.01);
    await page.close();
  });
}

test("a gallery's tiles are small, and the viewer's photo is the one that was fetched ahead", {
  tag: "@nightly",
}, async ({ browser }) => {
  const { page, names } = await openPhone(browser, `/project/${server.prepared.id}?tab=gallery`);
  const tiles = page.locator("main").getByRole("button", { name: /^Photo: Pond/ });
  await expect(tiles).toHaveCount(3);
  await tiles.last().scrollIntoViewIfNeeded();
  await expect.poll(() => names.toSorted()).toEqual(["320.avif", "320.avif", "320.avif", "672.avif"]);
  names.length = 0;
  await tiles.first().click();
  const viewer = page.getByRole("dialog", { name: "Gallery" });
  await expect(viewer.getByRole("img", { name: /^Pond/ })).toBeVisible();
  // The one that is shown and its neighbor.
  await expect.poll(() => names).toHaveLength(2);
  await viewer.getByRole("button", { name: "Next" }).click();
  await expect.poll(() => names).toHaveLength(3);
  await expect(viewer.getByRole("img", { name: /^Pond/ })).toBeVisible();
  await viewer.getByRole("button", { name: "Previous" }).click();
  await expect(viewer.getByRole("img", { name: /^Pond/ })).toBeVisible();
  // Upright ones fill the height, and are narrow there.
  expect(names).toEqual(["480.avif", "480.avif", "480.avif"]);
  await page.close();
});
