import { type Browser, expect, type Page } from "playwright/test";
import sharp from "sharp";
import { projectBackings } from "#server/db/schema/projects.ts";
import { test } from "#tests/support/browser-test.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import { createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { type SeededServer, signInBrowser, startSeededServer } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";

// The management of one project in the built product: updates, backers, media and messages, as each role.

type People = Record<"manager" | "viewer" | "backer" | "other", TestUser>;
let server: SeededServer<{ people: People; ids: Record<"news" | "people" | "media" | "quiet", number> }>;

test.beforeAll(async () => {
  test.setTimeout(150_000);
  server = await startSeededServer(async ({ db }) => {
    const people: People = {
      manager: await createAdmin(db, "manager"),
      viewer: await createAdmin(db, "viewer"),
      backer: await createUser(db, { fullName: "Bola Adeyinka", email: "bola@example.com" }),
      other: await createUser(db, { fullName: "Efe Okoro", email: "efe@example.com" }),
    };
    const make = async (title: string) => {
      const { id: projectId } = await createProject(db, { title, backersCount: 1 });
      await db.insert(projectBackings).values({ projectId, userId: people.backer.id, grantedAt: new Date() });
      return projectId;
    };
    const ids = {
      news: await make("Ponds with news"),
      people: await make("Ponds with people"),
      media: await make("Ponds in pictures"),
      quiet: await make("Quiet ponds"),
    };
    return { people, ids };
  });
});
test.afterAll(async () => server.stop());

const problems: string[] = [];
test.beforeEach(() => {
  problems.length = 0;
});
test.afterEach(() => expect(problems, "errors on the console").toEqual([]));

async function openAs(browser: Browser, who: keyof People, path: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 900 } });
  await signInBrowser(context, server, server.prepared.people[who]);
  await context.addInitScript(() => localStorage.setItem("isAdmin", "true"));
  const page = await context.newPage();
  watchErrors(page, { into: problems });
  await page.goto(path);
  return page;
}

const said = (page: Page, text: string) => expect(page.getByText(text, { exact: true })).toBeVisible();
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const tab = (page: Page, name: string | RegExp) => page.getByRole("tab", { name });

test("a manager publishes updates; a reload keeps the text", async ({ browser }) => {
  const { ids, people } = server.prepared;
  const page = await openAs(browser, "manager", `/project-updates/${ids.news}`);
  await expect(page.getByRole("heading", { level: 1, name: "Ponds with news" })).toBeVisible();
  await expect(page.getByRole("tab")).toHaveText(["Updates", "Backers", "Holds", "Harvests", "Media", "Messages"]);
  await said(page, "No updates yet");
  await button(page, "Publish Update").click();
  await expect(page.getByText("Title and content are required")).toHaveCount(2);
  await expect(page.getByLabel("Update Title")).toBeFocused();

  await page.getByLabel("Update Title").fill("Week one");
  await page.getByLabel("Content").fill("The ponds are full.\n\nNo losses.");
  await page.reload();
  await expect(page.getByLabel("Update Title")).toHaveValue("Week one");
  await button(page, "Publish Update").click();
  await said(page, "Update added successfully");
  await expect(page.getByRole("article")).toContainText(["Week one"]);
  await expect(page.getByLabel("Update Title")).toHaveValue("");
  await expectSound(page);

  const backer = await openAs(browser, "backer", "/notifications");
  // The bell, which comes later, holds it as well.
  await expect(backer.getByRole("main").getByText("Ponds with news: Week one")).toBeVisible();
  expect(people.backer.email).toBe("bola@example.com");
});

test("a manager adds backers and takes back a mistake", { tag: "@nightly" }, async ({ browser }) => {
  const { ids } = server.prepared;
  const page = await openAs(browser, "manager", `/admin/project/${ids.people}?tab=backers`);
  await expect(page.getByRole("heading", { name: "1 backer" })).toBeVisible();
  await expect(page.getByRole("article")).toContainText(["bola@example.com"]);
  await button(page, "Add as Backer").click();
  await expect(page.getByText("Please select a user to add as backer").first()).toBeVisible();

  const picker = page.getByLabel("User", { exact: true });
  await picker.fill("nobody@example.com");
  await button(page, "Add as Backer").click();
  await expect(page.getByText("User not found").first()).toBeVisible();
  await picker.fill("bola@example.com");
  await button(page, "Add as Backer").click();
  await said(page, "This user is already a backer for this project");

  await picker.fill("efe@example");
  await expect(page.getByRole("option")).toHaveCount(1);
  await picker.press("ArrowDown");
  await picker.press("Enter");
  await expect(picker).toHaveValue("Efe Okoro (efe@example.com)");
  await button(page, "Add as Backer").click();
  await said(page, "Backer added successfully");
  await expect(page.getByRole("heading", { name: "2 backers" })).toBeVisible();
  await expectSound(page);

  await button(page, "Remove Efe Okoro").click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
  await said(page, "Backer removed successfully");
  await expect(page.getByRole("heading", { name: "1 backer" })).toBeVisible();
});

const photo = async (shade: number, name: string) => ({
  name,
  mimeType: "image/png",
  buffer: await sharp({ create: { width: 900, height: 600, channels: 3, background: { r: 30, g: shade, b: 60 } } })
    .png()
    .toBuffer(),
});

/** A second of film, made by the browser itself. */
async function film(page: Page): Promise<Buffer> {
  const text = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 320, height: 240 });
    const paint = canvas.getContext("2d");
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: "video/webm" });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const ended = new Promise((resolve) => {
      recorder.onstop = resolve;
    });
    recorder.start();
    for (let frame = 0; frame < 20; frame += 1) {
      if (paint) paint.fillStyle = `hsl(${frame * 18} 60% 40%)`;
      paint?.fillRect(0, 0, 320, 240);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    recorder.stop();
    await ended;
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  });
  return Buffer.from(text, "base64");
}

test("a manager fills the gallery: photos with one refused, a video, YouTube, a livestream", async ({ browser }) => {
  test.setTimeout(120_000);
  const { ids } = server.prepared;
  const page = await openAs(browser, "manager", `/admin/project/${ids.media}?tab=media`);
  await expect(tab(page, "Photos (0)")).toHaveAttribute("aria-selected", "true");
  await said(page, "No photos yet");

  const notPhoto = { name: "not-a-photo.png", mimeType: "image/png", buffer: Buffer.from("<svg/>".repeat(50)) };
  await page
    .getByLabel("Photos", { exact: true })
    .setInputFiles([await photo(90, "pond-1.png"), notPhoto, await photo(140, "pond-2.png")]);
  const rows = page.getByRole("list", { name: "Chosen photos" }).getByRole("listitem");
  await expect(rows).toHaveCount(3);
  await rows.first().getByLabel("What it shows (optional)").fill("The first pond");
  await button(page, "Upload 3 photos").click();
  await said(page, "Failed to upload photos");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("Please upload a JPEG, PNG or WebP image");
  await expect(tab(page, "Photos (2)")).toBeVisible();
  await button(page, "Remove not-a-photo.png").click();
  await page.getByLabel("Photos", { exact: true }).setInputFiles([await photo(200, "pond-3.png")]);
  await button(page, "Upload 1 photo").click();
  await said(page, "Photos uploaded successfully");
  await expect(tab(page, "Photos (3)")).toBeVisible();
  await expectSound(page);

  await page.getByLabel("Video", { exact: true }).setInputFiles({
    name: "pond.webm",
    mimeType: "video/webm",
    buffer: await film(page),
  });
  await button(page, "Upload Video").click();
  await said(page, "Video uploaded successfully");
  await expect(tab(page, "Videos (1)")).toHaveAttribute("aria-selected", "true");
  await page.getByRole("button", { name: /^Video: / }).click();
  const video = page.getByRole("dialog").locator("video");
  await expect(video).toHaveAttribute("poster", /^\/files\/photos\//);
  const seeked = await video.evaluate(async (element: HTMLVideoElement) => {
    element.muted = true;
    await element.play();
    element.pause();
    const moved = new Promise((resolve) => element.addEventListener("seeked", resolve, { once: true }));
    element.currentTime = 0.5;
    await moved;
    return element.currentTime;
  });
  expect(seeked).toBeCloseTo(0.5, 1);
  await page.keyboard.press("Escape");

  await button(page, "Add YouTube URL").click();
  await expect(page.getByText("Please enter a YouTube URL").first()).toBeVisible();
  await page.getByLabel("YouTube URL").fill("https://vimeo.com/76979871");
  await button(page, "Add YouTube URL").click();
  await expect(page.getByText("Invalid YouTube URL").first()).toBeVisible();
  await page.getByLabel("YouTube URL").fill("https://youtu.be/dQw4w9WgXcQ");
  await button(page, "Add YouTube URL").click();
  await said(page, "YouTube URL added successfully");
  await expect(tab(page, "YouTube (1)")).toHaveAttribute("aria-selected", "true");

  await button(page, "Add Livestream").click();
  await expect(page.getByText("Please enter a livestream URL").first()).toBeVisible();
  await page.getByText("Embed Code", { exact: true }).click();
  await button(page, "Add Livestream").click();
  await expect(page.getByText("Invalid embed code").first()).toBeVisible();
  await page
    .getByRole("textbox", { name: "Embed Code" })
    .fill('<iframe src="https://player.vimeo.com/video/76979871"></iframe>');
  await button(page, "Add Livestream").click();
  await said(page, "Livestream added successfully");
  await expect(tab(page, "Livestreams (1)")).toHaveAttribute("aria-selected", "true");
  await expectSound(page);

  await page.getByRole("button", { name: /^Remove Livestream/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
  await said(page, "Removed from the gallery");
  await said(page, "No livestreams yet");

  const anonymous = await browser.newPage({ baseURL: server.url });
  await anonymous.goto(`/project/${ids.media}?tab=gallery`);
  await expect(anonymous.getByRole("button", { name: "Photo: The first pond" })).toBeVisible();
});

test("messages go out under the administrators' label", { tag: "@nightly" }, async ({ browser }) => {
  const page = await openAs(browser, "manager", `/admin/project/${server.prepared.ids.quiet}?tab=messages`);
  await page.getByLabel("Your message").fill("The first snails arrive on Monday.");
  await button(page, "Send message").click();
  await said(page, "Message sent successfully");
  await expect(page.getByRole("article")).toContainText(["Admin"]);
  await expectSound(page);
});

test("a viewer sees updates, media and messages without the forms, and not who the backers are", {
  tag: "@nightly",
}, async ({ browser }) => {
  const { ids } = server.prepared;
  const page = await openAs(browser, "viewer", `/admin/project/${ids.quiet}`);
  await said(page, "No updates yet");
  await expect(button(page, "Publish Update")).toHaveCount(0);
  await expect(tab(page, "Backers")).toHaveCount(0);
  await tab(page, "Media").click();
  await expect(tab(page, "Photos (0)")).toBeVisible();
  await expect(page.getByRole("button", { name: /Upload|Add/ })).toHaveCount(0);
  await tab(page, "Messages").click();
  await said(page, "Your role lets you read these messages, but not answer them.");
  await expect(page.getByRole("link", { name: "Edit project" })).toHaveCount(0);
});

test("who may not, and projects that can't be shown, lead to the dashboard or away", { tag: "@nightly" }, async ({
  browser,
}) => {
  const page = await openAs(browser, "manager", "/admin/project/pond");
  await said(page, "Invalid project ID");
  await expect(page).toHaveURL(/\/admin\/dashboard$/);
  await page.goto("/admin/project/999999");
  await said(page, "Project not found");
  await expect(page).toHaveURL(/\/admin\/dashboard$/);

  const backer = await openAs(browser, "backer", `/project-updates/${server.prepared.ids.quiet}`);
  await expect(backer).toHaveURL(/\/admin\/login$/);
});

test("the dashboard's titles lead to the management for who may edit", { tag: "@nightly" }, async ({ browser }) => {
  const page = await openAs(browser, "manager", "/admin/dashboard?search=Quiet+ponds");
  await page.getByRole("link", { name: "Quiet ponds", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/project-updates/${server.prepared.ids.quiet}$`));
  const viewer = await openAs(browser, "viewer", "/admin/dashboard?search=Quiet+ponds");
  await expect(viewer.getByText("Quiet ponds", { exact: true })).toBeVisible();
  await expect(viewer.getByRole("link", { name: "Quiet ponds", exact: true })).toHaveCount(0);
});
