import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, type Locator, type Page } from "playwright/test";
import { storedFiles } from "#server/db/schema/files.ts";
import { projectBackings, projectMedia } from "#server/db/schema/projects.ts";
import { videoPath } from "#server/features/projects/media/rules.ts";
import { newFileKey } from "#server/files/storage.ts";
import type { Deps } from "#server/platform/deps.ts";
import { formatDate } from "#shared/dates.ts";
import { type Site, test } from "#tests/support/browser-test.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import { type HlsServer, startHlsServer } from "#tests/support/hls-server.ts";
import { createUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { signInBrowser } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";

// All there is to look at, in the built product and a real browser: the gallery, its viewer, videos and livestreams.
test.describe.configure({ timeout: 60_000 });

const videoId = "dQw4w9WgXcQ";
const youtubeFrame = `https://www.youtube-nocookie.com/embed/${videoId}?autoplay=1`;
const scene = (slug: string) => `/scenes/${slug}.svg`;
const longGallery = 30;

let hls: HlsServer;
let server: Site;
let prepared: Awaited<ReturnType<typeof prepare>>;

async function prepare(deps: Deps) {
  const { db } = deps;
  const backer = await createUser(db);
  const farm = await createProject(db, { videoUrl: `https://youtu.be/${videoId}` });
  const long = await createProject(db);
  const streams = await createProject(db);
  const now = new Date();
  const media = (projectId: number, values: Pick<typeof projectMedia.$inferInsert, "type" | "url" | "altText">[]) =>
    values.map((value, age) => ({ ...value, projectId, createdAt: new Date(now.getTime() - age * 60_000) }));
  const photo = (slug: string, altText = "") => ({ type: "photo" as const, url: scene(slug), altText });
  const livestream = (url: string, altText = "") => ({ type: "livestream" as const, url, altText });
  await db.insert(projectMedia).values([
    ...media(farm.id, [
      photo("catfish-ponds", "A pond at noon"),
      { type: "youtube", url: `https://www.youtube.com/watch?v=${videoId}`, altText: "The harvest" },
      { type: "video", url: "/files/media/pond.mp4", altText: "Feeding time" },
      photo("tilapia-cages"),
    ]),
    ...media(
      long.id,
      Array.from({ length: longGallery }, (_, index) => photo("goat-herd", `Goat ${index + 1}`)),
    ),
    ...media(streams.id, [
      livestream(`[url]${hls.playlistUrl}`, "Pond camera"),
      livestream(
        `[embed]<iframe src="https://www.youtube.com/embed/${videoId}" onload="window.hacked = 1"></iframe><script>window.hacked = 1</script>`,
        "Yard camera",
      ),
      livestream("[url]https://live.gona.example/gate", "Gate camera"),
      livestream("[url]javascript:window.hacked=1", "Hostile camera"),
      livestream("[embed]<img src=x onerror='window.hacked = 1'>", "Hostile code"),
    ]),
  ]);
  await db.insert(projectBackings).values({ projectId: streams.id, userId: backer.id, grantedAt: now });
  const filmed = await createFilmed(deps);
  const bare = await createProject(db, { creator: undefined, category: undefined, imageUrl: "" });
  return { backer, farm, long, streams, filmed, bare, today: formatDate(now) };
}

/** A farm whose main picture is a film of its gallery: two seconds of green. */
async function createFilmed({ db, storage }: Deps) {
  const film = readFileSync("tests/support/pond.mp4");
  const key = newFileKey("video");
  await storage.write(key, film);
  const sha256 = createHash("sha256").update(film).digest("hex");
  const facts = { contentType: "video/mp4", originalName: "pond.mp4", sha256, bytes: film.length };
  const [file] = await db
    .insert(storedFiles)
    .values({ kind: "video", storageKey: key, ...facts })
    .returning({ fileId: storedFiles.id });
  const url = videoPath(key, "video/mp4");
  const filmed = await createProject(db, { title: "A filmed pond", imageUrl: url, imageAlt: "The pond in the wind" });
  await db.insert(projectMedia).values({ projectId: filmed.id, type: "video", url, ...file });
  return filmed;
}

test.beforeAll(async ({ browser, demo }) => {
  hls = await startHlsServer(browser);
  server = demo;
  prepared = await demo.prepare(prepare);
});
test.afterAll(() => hls.stop());

let problems: string[] = [];
/** The addresses on other hosts that pages requested. */
let foreign: string[] = [];
test.beforeEach(async ({ context }) => {
  problems = [];
  foreign = [];
  context.on("page", (page) => {
    watchErrors(page, { into: problems });
  });
  await context.route(
    (url) => ![server.url, hls.origin].includes(url.origin) && url.protocol.startsWith("http"),
    (route) => {
      foreign.push(route.request().url());
      return route.abort();
    },
  );
  await context.route("**/csp-report", (route) => {
    problems.push(`blocked by policy: ${route.request().postData()}`);
    return route.continue();
  });
});
test.afterEach(() => expect(problems, "errors on the console").toEqual([]));

const openGallery = async (page: Page, { id }: { id: number }) => {
  await page.goto(`${server.url}/project/${id}?tab=gallery`);
};
const viewer = (page: Page) => page.getByRole("dialog", { name: "Gallery" });

/** The delays of the fades that an element stands in. */
const fadesAround = (locator: Locator) =>
  locator.evaluate((element) => {
    const delays: string[] = [];
    for (let node: Element | null = element; node && node.role !== "dialog"; node = node.parentElement) {
      const { animationName, animationDelay } = getComputedStyle(node);
      if (animationName !== "none") delays.push(animationDelay);
    }
    return delays;
  });

/** How much is seen of an element through all that it stands in. */
const opacityOf = (locator: Locator) =>
  locator.evaluate((element) => {
    let opacity = 1;
    for (let node: Element | null = element; node; node = node.parentElement) {
      opacity *= Number(getComputedStyle(node).opacity);
    }
    return opacity;
  });

type Point = [number, number];

/** A finger's way over the screen, by the browser's own input. */
async function swipe(page: Page, { from, to }: { from: Point; to: Point }) {
  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", point?: Point) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: point ? [{ x: point[0], y: point[1] }] : [] });
  await touch("touchStart", from);
  await touch("touchMove", to);
  await touch("touchEnd");
  await session.detach();
}

test.describe("the viewer", () => {
  test("is walked through by keyboard alone, and gives the focus back", { tag: "@nightly" }, async ({ page }) => {
    const { farm, today } = prepared;
    await openGallery(page, farm);
    const tiles = page.getByRole("tabpanel").getByRole("button");
    await expect(tiles).toHaveCount(4);
    await tiles.first().focus();
    await page.keyboard.press("Enter");
    const dialog = viewer(page);
    await expect(dialog.getByText("1 of 4", { exact: true })).toBeVisible();
    await expect(dialog.getByRole("img", { name: "A pond at noon" })).toHaveAttribute("src", scene("catfish-ponds"));
    await expect(dialog.getByText(`A pond at noon ${today}`)).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Previous" })).toHaveAttribute("aria-disabled", "true");
    await expectSound(page);

    await page.keyboard.press("ArrowLeft");
    await expect(dialog.getByText("1 of 4", { exact: true })).toBeVisible();
    for (const position of [2, 3, 4]) {
      await page.keyboard.press("ArrowRight");
      await expect(dialog.getByText(`${position} of 4`, { exact: true })).toBeVisible();
    }
    await expect(dialog.getByRole("img", { name: `Photo of ${today}` })).toBeVisible();
    await page.keyboard.press("ArrowRight");
    await expect(dialog.getByText("4 of 4", { exact: true })).toBeVisible();
    await dialog.getByRole("button", { name: "Previous" }).click();
    await expect(dialog.getByText("3 of 4", { exact: true })).toBeVisible();

    for (let presses = 0; presses < 12; presses += 1) {
      await page.keyboard.press("Tab");
      expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    }
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(tiles.first()).toBeFocused();
    await expect(page).toHaveURL(/\?tab=gallery$/);
  });

  test("is 56rem wide and fades in after 500 ms, or is there at once where motion is unwanted", {
    tag: "@nightly",
  }, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await openGallery(page, prepared.farm);
    await page.getByRole("button", { name: "Photo: A pond at noon" }).click();
    const picture = viewer(page).getByRole("img", { name: "A pond at noon" });
    await picture.waitFor({ state: "attached" });
    expect(await fadesAround(picture)).toEqual(["0.5s"]);
    expect((await viewer(page).boundingBox())?.width).toBe(896);
    await expect.poll(() => opacityOf(picture)).toBe(1);

    await page.keyboard.press("Escape");
    await expect(viewer(page)).toBeHidden();
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.getByRole("button", { name: "Photo: A pond at noon" }).click();
    await picture.waitFor({ state: "attached" });
    expect(await fadesAround(picture)).toEqual([]);
  });

  test("is swiped through with a finger", { tag: "@nightly" }, async ({ browser }) => {
    const context = await browser.newContext({ hasTouch: true, viewport: { width: 360, height: 740 } });
    const page = await context.newPage();
    await openGallery(page, prepared.long);
    await page.getByRole("button", { name: "Photo: Goat 2", exact: true }).tap();
    const dialog = viewer(page);
    await expect(dialog.getByText(`2 of ${longGallery}`, { exact: true })).toBeVisible();
    await swipe(page, { from: [300, 300], to: [80, 310] });
    await expect(dialog.getByText(`3 of ${longGallery}`, { exact: true })).toBeVisible();
    await swipe(page, { from: [80, 300], to: [300, 310] });
    await expect(dialog.getByText(`2 of ${longGallery}`, { exact: true })).toBeVisible();
    // Down is no swipe to the side.
    await swipe(page, { from: [200, 250], to: [130, 400] });
    await expect(dialog.getByText(`2 of ${longGallery}`, { exact: true })).toBeVisible();
    await context.close();
  });
});

test.describe("videos", () => {
  test("of YouTube ask YouTube for nothing before a click, then play from the domain without cookies", async ({
    page,
  }) => {
    await openGallery(page, prepared.farm);
    await page.getByRole("button", { name: "Photo: A pond at noon" }).click();
    const dialog = viewer(page);
    await expect(dialog.getByRole("img", { name: "A pond at noon" })).toBeVisible();
    await page.keyboard.press("ArrowRight");
    await expect(dialog.getByText("From YouTube, which learns of your visit when you play it.")).toBeVisible();
    expect(foreign).toEqual([]);
    await dialog.getByRole("button", { name: "Play: The harvest" }).click();
    const frame = dialog.getByTitle("The harvest");
    await expect(frame).toHaveAttribute("src", youtubeFrame);
    await expect(frame).toHaveAttribute("referrerpolicy", "strict-origin-when-cross-origin");
    await expect(frame).toHaveAttribute("sandbox", /^allow-scripts allow-same-origin /);
    await expect.poll(() => foreign).toEqual([youtubeFrame]);
  });

  test("of our own have controls, fetch little by themselves, and say when they fail", async ({ page }) => {
    await openGallery(page, prepared.farm);
    await page.getByRole("button", { name: "Video: Feeding time", exact: true }).click();
    const dialog = viewer(page);
    // The demo has no such file.
    await expect(dialog.getByRole("alert")).toContainText("This video could not be played.");
    const held = Promise.withResolvers<void>();
    await page.route("**/files/media/pond.mp4", async (route) => {
      await held.promise;
      await route.abort();
    });
    await dialog.getByRole("button", { name: "Try again" }).click();
    const video = dialog.locator("video");
    await expect(video).toHaveAttribute("controls");
    await expect(video).toHaveAttribute("playsinline");
    await expect(video).toHaveAttribute("preload", "metadata");
    await expect(video).toHaveAttribute("aria-label", "Feeding time");
    held.resolve();
  });

  test("that are a project's main picture play on its page, and show a frame on its card", { tag: "@nightly" }, async ({
    page,
  }) => {
    const { filmed } = prepared;
    await page.goto(`${server.url}/discover?search=${encodeURIComponent(filmed.title)}`);
    const video = page.getByRole("main").getByLabel("The pond in the wind");
    const read = () =>
      video.evaluate(({ videoWidth, videoHeight, controls, currentTime, readyState }: HTMLVideoElement) => ({
        size: [videoWidth, videoHeight],
        controls,
        hasFrame: readyState >= HTMLMediaElement.HAVE_CURRENT_DATA,
        hasPlayed: currentTime > 0.5,
      }));
    await expect.poll(read).toEqual({ size: [64, 40], controls: false, hasFrame: true, hasPlayed: false });
    await page.getByRole("link", { name: filmed.title }).click();
    await expect.poll(read).toEqual({ size: [64, 40], controls: true, hasFrame: true, hasPlayed: false });
    await video.focus();
    await page.keyboard.press("Space");
    await expect.poll(read).toEqual({ size: [64, 40], controls: true, hasFrame: true, hasPlayed: true });
    await expectSound(page);
  });
});

test.describe("livestreams", () => {
  const openMedia = async (page: Page, { id }: { id: number }) => {
    await signInBrowser(page.context(), server, prepared.backer);
    await page.goto(`${server.url}/backed-project/${id}?tab=media`);
    await expect(page.getByRole("heading", { name: "Livestreams" })).toBeVisible();
  };

  test("that play here wait for the stream, show it live, and wait again when it has gone", {
    tag: "@nightly",
  }, async ({ page }) => {
    test.setTimeout(120_000);
    hls.isOnAir = false;
    hls.requests.length = 0;
    await openMedia(page, prepared.streams);
    expect(hls.requests).toEqual([]);
    await page.getByRole("button", { name: "Play: Pond camera" }).click();
    const frame = page.frameLocator('iframe[title="Pond camera"]');
    const waiting = frame.getByText("The livestream hasn't started or has ended. We look again every 10 seconds.");
    await expect(waiting).toBeVisible();
    await expect(frame.getByText("LIVE", { exact: true })).toBeHidden();
    expect(new Set(hls.requests)).toEqual(new Set(["/pond.m3u8"]));

    hls.isOnAir = true;
    await expect(frame.getByText("LIVE", { exact: true })).toBeVisible({ timeout: 20_000 });
    await expect(waiting).toBeHidden();
    expect(hls.requests).toEqual(expect.arrayContaining(["/head.mp4", "/1.m4s"]));
    await frame.getByRole("button", { name: "Turn the sound on" }).click();
    await expect(frame.locator("video")).toHaveJSProperty("muted", false);
    await expect(frame.getByRole("button", { name: "Turn the sound on" })).toBeHidden();

    hls.isOnAir = false;
    await expect(waiting).toBeVisible({ timeout: 30_000 });
    await expect(frame.getByText("LIVE", { exact: true })).toBeHidden();
  });
});
