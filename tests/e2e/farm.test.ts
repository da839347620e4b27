import { type Browser, expect, type Page } from "playwright/test";
import sharp from "sharp";
import { projectBackings } from "#server/db/schema/projects.ts";
import { type ApiClient, createApiClient } from "#tests/support/api-client.ts";
import { type Site, test } from "#tests/support/browser-test.ts";
import { createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { signInBrowser } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";
import { newVisitor } from "#tests/support/visitor.ts";

// An owner hires a manager by mail. The manager puts a farm on sale, tells its backers how it goes and fills its gallery.

let server: Site;
let prepared: { owner: TestUser; backer: TestUser; farmId: number };
let owner: ApiClient;

test.beforeAll(async ({ demo }) => {
  server = demo;
  prepared = await demo.prepare(async ({ db }) => {
    const backer = await createUser(db);
    const { id: farmId } = await createProject(db, { title: "Ponds with news", backersCount: 1 });
    await db.insert(projectBackings).values({ projectId: farmId, userId: backer.id, grantedAt: new Date() });
    return { owner: await createAdmin(db, "owner"), backer, farmId };
  });
  owner = createApiClient(server.url);
  await owner.auth.adminSignIn.mutate(prepared.owner);
});

const email = "ngozi+farm@example.com";
const password = "Cassava-Harvest-2027";
const said = (page: Page, text: string) => expect(page.getByText(text, { exact: true })).toBeVisible();
const status = (page: Page, text: string) => page.getByRole("status").getByText(text, { exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const tab = (page: Page, name: string | RegExp) => page.getByRole("tab", { name });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const passwordField = (page: Page) => page.getByRole("textbox", { name: "Password" });
const editor = (page: Page) => page.getByRole("textbox", { name: "Full Description" });
const newPage = (browser: Browser) =>
  newVisitor(browser, { baseURL: server.url, viewport: { width: 1280, height: 900 } });
const story = "Forty pens of giant snails, looked after by two families who have kept snails for years.";

/** Invites a manager. Returns the link that arrives by mail. */
async function invite(): Promise<string> {
  await owner.team.invite.mutate({ email, fullName: "Ngozi Bello & Sons", role: "manager" });
  const message = await server.mail.waitFor(({ recipients }) => recipients.includes(email));
  return /http\S+\/admin\/setup-account\S+/.exec(message.text ?? "")?.[0] ?? "";
}

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

test("a manager is hired, publishes a farm, tells of it and fills its gallery", async ({ browser }) => {
  test.setTimeout(240_000);
  const link = await invite();
  const { page, problems } = await newPage(browser);

  await test.step("the link of the mail leads to the dashboard", async () => {
    await page.goto(link);
    await expect(heading(page, "Set up your admin account")).toBeVisible();
    await expect(page.getByText("You are invited as a manager.")).toBeVisible();
    // The token is out of the address bar; a reload still knows it.
    expect(page.url()).not.toContain("access_token");
    await page.reload();
    await expect(page.getByLabel("Email")).toHaveValue(email);
    await expect(page.getByLabel("Email")).not.toBeEditable();
    await expect(page.getByLabel("Full Name")).toHaveValue("Ngozi Bello & Sons");
    await said(page, "Use 8 or more characters with upper case, lower case, digits and special characters.");
    await button(page, "Create Account").click();
    await said(page, "Missing Information");
    await said(page, "Please fill in all required fields");
    await passwordField(page).fill(password);
    await expect(page.getByText("Very Strong")).toBeVisible();
    await expectSound(page);
    await button(page, "Create Account").click();
    await said(page, "Account Created");
    await expect(page).toHaveURL(/\/admin\/dashboard/);
    expect(
      await page.evaluate(() => [localStorage.getItem("isAdmin"), sessionStorage.getItem("invite-token")]),
    ).toEqual(["true", null]);
  });

  await test.step("the wizard publishes a farm with a picture and two rewards, and loses nothing in a reload", async () => {
    await page.goto("/create-project");
    await page.getByLabel("Project Title").fill("Snail pens in Ikorodu");
    await page.getByLabel("Category").selectOption("livestock");
    await page.getByLabel("Short Description").fill("Forty pens of giant snails near Ikorodu.");
    await page.getByRole("button", { name: "Next" }).click();
    await editor(page).click();
    await page.keyboard.type(story);
    const photo = await sharp({ create: { width: 1300, height: 800, channels: 3, background: "#3a7d44" } })
      .jpeg()
      .toBuffer();
    await page.getByLabel("Upload an image").setInputFiles({ name: "farm.jpg", mimeType: "image/jpeg", buffer: photo });
    await expect(page.getByLabel("Image URL")).toHaveValue(/^\/files\/photos\/[0-9a-f]{32}\/1300\.webp$/);
    await page.getByRole("button", { name: "Next" }).click();
    await expect(page.getByText(/\$25 Supporter tier with a thank-you and updates/)).toBeVisible();

    await page.reload();
    await expect(page.getByRole("tab", { selected: true })).toHaveText("3. Rewards");
    await page.getByRole("button", { name: "Add Another Reward Tier" }).click();
    await page.getByLabel("Reward name").last().fill("Snail dinner");
    await page.getByLabel("Amount").last().fill("50,000");
    await page.getByLabel("What the backer gets").last().fill("A dinner at the farm.");
    await page.getByLabel("Unlimited quantity").last().uncheck();
    await page.getByRole("textbox", { name: "Quantity", exact: true }).fill("5");
    await expectSound(page);
    await page.getByRole("button", { name: "Back", exact: true }).click();
    await expect(editor(page)).toHaveText(story);
    await page.getByRole("button", { name: "Next" }).click();

    await page.getByRole("button", { name: "Publish Project" }).click();
    await expect(status(page, "Success!")).toBeVisible();
    await expect(status(page, "Your project has been created successfully.")).toBeVisible();
    await expect(page).toHaveURL(/\/admin\/dashboard$/);
    await page.getByPlaceholder("Search by title or backer...").fill("Ikorodu");
    await page.getByRole("button", { name: "Actions for Snail pens in Ikorodu" }).click();
    await page.getByRole("menuitem", { name: "View project" }).click();
    await expect(page.getByText("Snail dinner")).toBeVisible();
    await expect(page.getByText("₦50,000")).toBeVisible();
    await expect(page.getByText(story)).toBeVisible();
    const picture = page.locator('img[src^="/files/photos/"]');
    await expect(picture).toHaveAttribute("srcset", /480\.webp 480w, .*1008\.webp 1008w, .*1300\.webp 1300w/);
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
    // The page's HTML preloads the very file that the picture shows, and no other one is fetched.
    const fetched: string[] = [];
    page.on("request", (request) => {
      if (/^\/files\/photos\//.test(new URL(request.url()).pathname)) fetched.push(request.url());
    });
    const html = (await (await page.reload())?.text()) ?? "";
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
    expect(fetched.map((url) => url.replace(/^.*\//, ""))).toEqual(["1008.avif"]);
    const source = await page.locator("main picture source").first().getAttribute("srcset");
    expect(source).toMatch(/320\.avif 320w, .*1008\.avif 1008w, .*1300\.avif 1300w$/);
    const head = html.slice(0, html.indexOf("</head>"));
    const preload = /<link rel="preload" as="image" type="image\/avif"[^>]*>/.exec(head)?.[0];
    expect(preload).toContain(` fetchPriority="high" imageSrcSet="${source}" `);
  });

  await test.step("an update with a photo reaches the backer, and a reload keeps both", async () => {
    const { backer, farmId } = prepared;
    await page.goto(`/project-updates/${farmId}`);
    await expect(tab(page, /./)).toHaveText(["Updates", "Backers", "Holds", "Money", "Harvests", "Media", "Messages"]);
    await button(page, "Publish Update").click();
    await expect(page.getByText("Title and content are required")).toHaveCount(2);
    await page.getByLabel("Update Title").fill("Week one");
    await page.getByLabel("Content").fill("The ponds are full.");
    await page.getByLabel("Photos (optional)").setInputFiles([await photo(70, "pond.png")]);
    await expect(page.getByText("Uploaded", { exact: true })).toBeVisible();
    await page.getByLabel("What the photo shows (optional)").fill("The first pond");
    await page.reload();
    await expect(page.getByLabel("Update Title")).toHaveValue("Week one");
    await expect(page.getByLabel("What the photo shows (optional)")).toHaveValue("The first pond");
    await button(page, "Publish Update").click();
    await said(page, "Update added successfully");
    await expect(page.getByRole("article")).toContainText(["Week one"]);
    await button(page, "The first pond, opens large").click();
    const viewer = page.getByRole("dialog", { name: "Week one" });
    await expect(viewer.getByRole("img", { name: "The first pond" })).toBeVisible();
    await page.keyboard.press("Escape");
    const reader = await newPage(browser);
    await signInBrowser(reader.page.context(), server, backer);
    await reader.page.goto("/notifications");
    // The bell, which comes later, holds it as well.
    await expect(reader.page.getByRole("main").getByText("Ponds with news: Week one")).toBeVisible();
    expect(reader.problems).toEqual([]);
  });

  await test.step("the gallery takes photos, a video, YouTube and a livestream", async () => {
    await page.goto(`/admin/project/${prepared.farmId}?tab=media`);
    await expect(tab(page, "Photos (0)")).toHaveAttribute("aria-selected", "true");
    await said(page, "No photos yet");

    await page.getByLabel("Photos", { exact: true }).setInputFiles([await photo(90, "pond-1.png")]);
    const rows = page.getByRole("list", { name: "Chosen photos" }).getByRole("listitem");
    await rows.first().getByLabel("What it shows (optional)").fill("The first pond");
    await button(page, "Upload 1 photo").click();
    await said(page, "Photos uploaded successfully");
    await expect(tab(page, "Photos (1)")).toBeVisible();
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

    await page.getByLabel("YouTube URL").fill("https://youtu.be/dQw4w9WgXcQ");
    await button(page, "Add YouTube URL").click();
    await said(page, "YouTube URL added successfully");
    await expect(tab(page, "YouTube (1)")).toHaveAttribute("aria-selected", "true");

    await page.getByText("Embed Code", { exact: true }).click();
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
    const visitor = await newPage(browser);
    await visitor.page.goto(`/project/${prepared.farmId}?tab=gallery`);
    await expect(visitor.page.getByRole("button", { name: "Photo: The first pond" })).toBeVisible();
    expect(visitor.problems).toEqual([]);
  });
  expect(problems).toEqual([]);
});
