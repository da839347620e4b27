import { inArray } from "drizzle-orm";
import { type Browser, expect, type Page } from "playwright/test";
import { settings } from "#server/db/schema/settings.ts";
import { bankDetailKeys } from "#shared/settings-texts.ts";
import { test } from "#tests/support/browser-test.ts";
import { createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { type SeededServer, signInBrowser, startSeededServer } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";

// /back-project in all its states, in the built product. Demo facts: the cattle and the rabbits have no payment by
// others; the tomato greenhouse has a pending one; the cold room is closed.

const sentText = "We have your receipt. We review receipts within one working day and email you.";
const uploadedText = "Payment receipt uploaded successfully. We'll review your payment shortly.";
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const receipt = { name: "transfer.png", mimeType: "image/png", buffer: picture };
/** A picture with so much behind it that sending it takes a while. */
const largeReceipt = { ...receipt, buffer: Buffer.concat([picture, Buffer.alloc(4 * 1024 * 1024)]) };

test.describe("with bank details", () => {
  let server: SeededServer<{ backers: TestUser[]; owner: TestUser }>;
  test.beforeAll(async () => {
    server = await startSeededServer(async ({ db }) => {
      const backers: TestUser[] = [];
      for (let count = 0; count < 9; count++) backers.push(await createUser(db));
      return { backers, owner: await createAdmin(db, "owner") };
    });
  });
  test.afterAll(async () => server.stop());

  /** A browser of a person who has not yet been here. */
  async function newBacker(browser: Browser): Promise<Page> {
    const backer = server.prepared.backers.pop();
    if (!backer) throw new Error("make more backers");
    return pageOf(browser, backer);
  }

  async function pageOf(browser: Browser, person: TestUser): Promise<Page> {
    const context = await browser.newContext({ baseURL: server.url });
    await signInBrowser(context, server, person);
    return context.newPage();
  }

  async function open(page: Page, title: string) {
    await page.goto(`/discover?closed=true&search=${encodeURIComponent(title)}`);
    const address = await page.getByRole("main").getByRole("link", { name: title }).getAttribute("href");
    await page.goto(String(address).replace("/project/", "/back-project/"));
    await expect(page.getByRole("heading", { level: 1 })).toContainText(title);
  }

  const choose = (page: Page, file: { name: string; mimeType: string; buffer: Buffer }) =>
    page.locator("main input[type=file]").setInputFiles(file);
  const send = (page: Page) => page.getByRole("button", { name: "Send receipt" }).first().click();

  /** Approves or rejects as an owner, through the same procedures that the screens call. */
  async function decide(
    browser: Browser,
    { title, status, reason }: { title: string; status: string; reason?: string },
  ) {
    const owner = await pageOf(browser, server.prepared.owner);
    await owner.goto("/admin/dashboard");
    await owner.getByRole("link", { name: "Payments" }).click();
    const row = owner.getByRole("row").filter({ hasText: title }).first();
    await row.getByRole("combobox").selectOption(status);
    if (reason) await owner.getByLabel("Reason (optional)").fill(reason);
    await owner.getByRole("button", { name: /^(Approve|Reject) payment$/ }).click();
    await expect(owner.getByText(`Payment status updated to ${status}`)).toBeVisible();
    await owner.context().close();
  }

  test("asks an anonymous visitor to sign in, and then comes back", async ({ page }) => {
    await page.goto(`${server.url}/back-project/1`);
    await expect(page).toHaveURL(/\/login\?next=%2Fback-project%2F1$/);
  });

  test("says that there is no such project", async ({ browser }) => {
    const page = await newBacker(browser);
    for (const id of ["99999", "none"]) {
      await page.goto(`/back-project/${id}`);
      await expect(page.getByRole("heading", { level: 1, name: "Project not found" })).toBeVisible();
    }
  });

  test("shows three steps with account, amount and reference to copy, and sends a receipt", async ({ browser }) => {
    const page = await newBacker(browser);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await open(page, "Five dairy cows on the plateau");
    const steps = page
      .getByRole("main")
      .getByRole("listitem")
      .filter({ has: page.getByRole("heading", { level: 2 }) });
    await expect(steps).toHaveCount(3);
    await expect(page.getByText("Projects are first-come, first-served")).toBeVisible();
    await expect(page.getByText("Demo Bank (not a real bank)", { exact: true })).toBeVisible();
    await expect(page.getByText("DEMO - do not pay", { exact: true })).toBeVisible();
    const reference = await page.getByText(/^GONA-/).textContent();
    for (const [what, text] of [
      ["account number", "0000000000"],
      ["amount", "9800000"],
      ["reference", reference],
    ]) {
      await page.getByRole("button", { name: `Copy ${what}` }).click();
      await expect(page.getByRole("button", { name: `Copied ${what}` })).toBeVisible();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
    }
    await expectSound(page);

    await page.reload();
    await expect(page.getByText(String(reference), { exact: true }), "the reference stays").toBeVisible();
    await choose(page, receipt);
    await expect(page.getByRole("img", { name: "Preview of transfer.png" })).toBeVisible();
    await send(page);
    await expect(page.getByText(uploadedText)).toBeVisible();
    await expect(page.getByText(sentText)).toBeVisible();
    await expect(page.getByText(String(reference), { exact: true })).toBeVisible();
    await expectSound(page);

    // Replaced by a better one, and seen in the profile.
    await page.getByRole("button", { name: "Replace the receipt" }).click();
    await choose(page, { name: "better.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4\n%%EOF\n") });
    await expect(page.getByText("better.pdf")).toBeVisible();
    await send(page);
    await expect(page.getByRole("button", { name: "Replace the receipt" })).toBeVisible();
    await page.getByRole("link", { name: "See it in your profile" }).click();
    await expect(page.getByRole("tabpanel")).toContainText("Five dairy cows on the plateau");
  });

  test("refuses what is no receipt before it is sent, and sends none without a file", async ({ browser }) => {
    const page = await newBacker(browser);
    await open(page, "Rabbit hutches behind the house");
    const uploads: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/uploads/")) uploads.push(request.url());
    });
    const alert = page.getByRole("main").getByRole("alert");

    await send(page);
    await expect(alert).toHaveText("Please choose your payment receipt");
    await expect(page.locator("main input[type=file]")).toBeFocused();
    await choose(page, { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("paid") });
    await expect(alert).toHaveText("Please upload an image or PDF");
    await send(page);
    await choose(page, { ...receipt, buffer: Buffer.alloc(10 * 1024 * 1024 + 1) });
    await expect(alert).toHaveText("File size must be less than 10MB");
    await choose(page, { ...receipt, buffer: Buffer.alloc(0) });
    await expect(alert).toHaveText("This file is empty. Please choose another one.");
    await send(page);
    expect(uploads).toEqual([]);

    // What only the server can see: the content.
    await choose(page, { ...receipt, buffer: Buffer.from("a text that is called a picture") });
    await expect(alert).toHaveCount(0);
    await send(page);
    await expect(page.getByText("Failed to upload payment receipt")).toBeVisible();
    await expect(alert).toHaveText("Please upload an image or PDF");
    await expect(page.getByText("transfer.png")).toBeVisible();
    expect(uploads).toHaveLength(1);

    await page.getByRole("button", { name: "Remove transfer.png" }).click();
    await expect(page.getByText("Choose a file")).toBeVisible();
  });

  test("keeps the file and its key when the connection fails, stops on request, asks before leaving", async ({
    browser,
  }) => {
    const page = await newBacker(browser);
    await open(page, "Turkeys on open range in Uyo");
    // Chromium doesn't show a test what a form with a file holds: the page says which keys it sends.
    const keys: string[] = [];
    await page.exposeFunction("noteKey", (key: string) => keys.push(key));
    await page.evaluate(() => {
      FormData.prototype.append = new Proxy(FormData.prototype.append, {
        apply(append, form, pair: [string, string]) {
          if (pair[0] === "idempotencyKey") Reflect.get(window, "noteKey")(pair[1]);
          return Reflect.apply(append, form, pair);
        },
      });
    });
    await page.route("**/uploads/receipts", (route) => route.abort("connectionreset"), { times: 1 });
    await choose(page, largeReceipt);
    await send(page);
    await expect(page.getByText("Failed to upload payment receipt")).toBeVisible();
    await expect(page.getByText("Network error. Please check your internet connection.")).toBeVisible();
    await expect(page.getByText("transfer.png", { exact: true })).toBeVisible();

    const network = await page.context().newCDPSession(page);
    const limitUpload = (uploadThroughput: number) =>
      network.send("Network.emulateNetworkConditions", {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      });
    await network.send("Network.enable");
    await limitUpload(200 * 1024);
    await send(page);
    await expect(page.getByRole("progressbar", { name: "Upload of your receipt" })).toBeVisible();
    await expect(page.getByText(/^([1-9]|[1-9]\d)%$/)).toBeVisible();

    await page.getByRole("link", { name: "Project page" }).click();
    const question = page.getByRole("dialog", { name: "Leave while your receipt is uploading?" });
    await question.getByRole("button", { name: "Stay" }).click();
    await expect(page).toHaveURL(/\/back-project\//);
    await page.getByRole("button", { name: "Cancel upload" }).click();
    await expect(page.getByText("transfer.png", { exact: true })).toBeVisible();
    await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);

    // This one is held on its way, so that it can't arrive before it is stopped.
    await page.route("**/uploads/receipts", () => {});
    await send(page);
    await page.getByRole("link", { name: "Project page" }).click();
    await question.getByRole("button", { name: "Leave and stop the upload" }).click();
    await expect(page.getByRole("tab", { name: "About Project" })).toBeVisible();
    await page.unroute("**/uploads/receipts");
    await page.goBack();
    await limitUpload(-1);
    await choose(page, receipt);
    await send(page);
    await expect(page.getByText(sentText)).toBeVisible();
    // The same file three times, then a newly chosen one.
    expect(keys).toHaveLength(4);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
  });

  test("tells of another's receipt under review, and lets one go on", async ({ browser }) => {
    const page = await newBacker(browser);
    await open(page, "Solar tomato greenhouse at Kadawa");
    await expect(page.getByText("A receipt for this project is under review")).toBeVisible();
    await expect(page.getByRole("button", { name: "Send receipt" }).first()).toBeEnabled();
  });

  test("shows no account for a closed project, and leads on", async ({ browser }) => {
    const page = await newBacker(browser);
    await open(page, "Solar cold room at Farin Gada market");
    await expect(page.getByRole("heading", { name: "Project is closed" })).toBeVisible();
    await expect(page.getByText("Please don't transfer any money for it.")).toBeVisible();
    await expect(page.getByText("0000000000")).toHaveCount(0);
    await expect(page.locator("main input[type=file]")).toHaveCount(0);
    await expectSound(page);
    await page.getByRole("link", { name: "Discover other projects" }).click();
    await expect(page).toHaveURL(/\/discover$/);
  });

  test("a rejection shows its reason and takes another receipt; an approval leads to the project; the others learn", async ({
    browser,
  }) => {
    const title = "A breeding herd of red goats";
    const [first, holder, waiting] = [await newBacker(browser), await newBacker(browser), await newBacker(browser)];
    await open(first, title);
    await choose(first, receipt);
    await send(first);
    await expect(first.getByText(sentText)).toBeVisible();
    await decide(browser, { title, status: "rejected", reason: "The amount can't be read." });
    await first.reload();
    await expect(first.getByText("We could not approve your last receipt")).toBeVisible();
    await expect(first.getByText("Reason: The amount can't be read.", { exact: true })).toBeVisible();
    await expectSound(first);
    await choose(first, receipt);
    await send(first);
    await expect(first.getByText(sentText)).toBeVisible();

    // One has only looked, another has sent a receipt too, before the first one's is approved.
    await open(holder, title);
    await expect(holder.getByText("A receipt for this project is under review")).toBeVisible();
    await open(waiting, title);
    await decide(browser, { title, status: "approved" });
    await choose(waiting, receipt);
    await send(waiting);
    await expect(
      waiting
        .getByRole("main")
        .getByText("Another payment for this project was approved first. If you have paid, a refund is due to you."),
    ).toBeVisible();
    await expectSound(waiting);

    await first.reload();
    await expect(first.getByRole("heading", { name: "Your payment was approved" })).toBeVisible();
    await first.getByRole("link", { name: "Go to your project" }).click();
    await expect(first).toHaveURL(/\/backed-project\/\d+$/);

    await holder.reload();
    await expect(holder.getByText("Project is closed")).toBeVisible();
    await expect(holder.getByText("Please don't transfer any money for it now.")).toBeVisible();
    await expect(holder.getByText("0000000000")).toHaveCount(0);
    await expect(holder.getByRole("button", { name: "Send receipt" }).first()).toBeEnabled();
  });
});

test("takes no receipt while the bank details are unset", async ({ page, context }) => {
  const server = await startSeededServer(async ({ db }) => {
    await db.delete(settings).where(inArray(settings.key, Object.values(bankDetailKeys)));
    return createUser(db);
  });
  try {
    await signInBrowser(context, server, server.prepared);
    await page.goto(`${server.url}/back-project/1`);
    await expect(
      page.getByRole("heading", { name: "Payment details are not available yet. Please contact us." }),
    ).toBeVisible();
    await expect(page.locator("main input[type=file]")).toHaveCount(0);
    await expectSound(page);
  } finally {
    await server.stop();
  }
});
