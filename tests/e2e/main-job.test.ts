import { type Browser, expect, type Page } from "playwright/test";
import { demoSignIns } from "#tests/support/api-client.ts";
import { test } from "#tests/support/browser-test.ts";
import { type BuiltServer, startBuiltServer } from "#tests/support/built-server.ts";
import { nothing, watchErrors } from "#tests/support/console-errors.ts";
import { type MailServer, startMailServer } from "#tests/support/mail-server.ts";
import { waitForHydration } from "#tests/support/screens.ts";

/** The product's main job, by three people, each in a browser of their own, against the built product and real mail. */

let server: BuiltServer;
let mail: MailServer;

test.beforeAll(async () => {
  mail = await startMailServer();
  // On an empty folder, as the first start of all: it migrates and loads the demo itself.
  server = await startBuiltServer({ env: { SMTP_URL: mail.url, REQUIRE_EMAIL_CONFIRMATION: "false" } });
});
test.afterAll(async () => {
  await server.stop();
  await mail.stop();
});

const farm = "Three cargo tricycles for Makurdi growers";
const backer = { name: "Nneka Okonkwo", email: "nneka.okonkwo@example.com", password: "Yam-Harvest-2026" };

// A one-pixel PNG.
const receipt = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function newPerson(browser: Browser): Promise<{ page: Page; violations: string[] }> {
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  return { page, violations: watchErrors(page, { allowed: nothing }) };
}

test("a visitor finds a farm, signs up and backs it; the owner approves; the backer has it, and the mail", async ({
  browser,
}) => {
  const { page, violations } = await newPerson(browser);

  await test.step("the visitor finds the farm", async () => {
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.getByRole("link", { name: "Join Us" }).first().click();
    await expect(page).toHaveURL(/\/discover/);
    await page.getByRole("main").getByRole("searchbox").fill("cargo tricycles");
    await page.getByRole("link", { name: farm }).click();
    await expect(page.getByRole("heading", { level: 1, name: farm })).toBeVisible();
    await waitForHydration(page);
    await page.getByRole("button", { name: "Back this project" }).first().click();
    await expect(page.getByRole("alert").getByText("Please log in to back this project")).toBeVisible();
  });

  await test.step("the visitor signs up and becomes a backer", async () => {
    await page.goto("/signup");
    await page.getByLabel("Full Name").fill(backer.name);
    await page.getByLabel("Email").fill(` ${backer.email.toUpperCase()} `);
    await page.getByRole("textbox", { name: "Password" }).fill(backer.password);
    await expect(page.getByText("Very Strong")).toBeVisible();
    await page.getByLabel("I agree to the terms of service").check();
    await page.getByRole("button", { name: "Create Account" }).click();
    await expect(page).toHaveURL(`${server.url}/`);
  });

  await test.step("the backer sends the receipt", async () => {
    await page.goto("/discover?search=cargo%20tricycles");
    await page.getByRole("link", { name: farm }).click();
    await expect(page.getByRole("heading", { level: 1, name: farm })).toBeVisible();
    await waitForHydration(page);
    await page
      .getByRole("link", { name: "Back this project" })
      .or(page.getByRole("button", { name: "Back this project" }))
      .first()
      .click();
    await expect(page).toHaveURL(/\/back-project\/\d+$/);
    await expect(page.getByText("0000000000")).toHaveCount(0);
    await page.getByLabel("I have read the terms.").check();
    await page.getByRole("button", { name: "Show the bank details" }).click();
    await expect(page.getByText("0000000000")).toBeVisible();
    await expect(page.getByText("₦8,700,000", { exact: true })).toBeVisible();
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "receipt.png", mimeType: "image/png", buffer: receipt });
    await page.getByRole("button", { name: "Send receipt" }).click();
    await expect(
      page.getByText("Payment receipt uploaded successfully. We'll review your payment shortly."),
    ).toBeVisible();
    await expect(
      page.getByText("We have your receipt. We review receipts within one working day and email you."),
    ).toBeVisible();
    await page.goto("/profile");
    await page.getByRole("tab", { name: "Pending Approval" }).click();
    await expect(page.getByText(farm)).toBeVisible();
  });

  const owner = await newPerson(browser);
  await test.step("the owner looks at the receipt and approves it", async () => {
    const { owner: signIn } = demoSignIns(server.output());
    await owner.page.goto("/admin/login");
    await owner.page.getByLabel("Email").fill(signIn.email);
    await owner.page.getByRole("textbox", { name: "Password" }).fill(signIn.password);
    await owner.page.getByRole("button", { name: "Sign In" }).click();
    await expect(owner.page.getByText("Logged in as admin")).toBeVisible();
    await expect(owner.page).toHaveURL(/\/admin\/dashboard/);
    await owner.page.getByRole("link", { name: "Payments" }).first().click();
    const row = owner.page.getByRole("row").filter({ hasText: backer.email });
    await row.getByRole("button", { name: "View Receipt" }).click();
    await expect(owner.page.getByRole("dialog").locator("img")).toBeVisible();
    await owner.page.keyboard.press("Escape");
    await row.getByLabel(/^Status of/).selectOption("approved");
    await owner.page.getByRole("button", { name: "Approve payment" }).click();
    await expect(owner.page.getByText("Payment status updated to approved")).toBeVisible();
  });

  await test.step("the mail arrives, and its link leads the backer to the project", async () => {
    const confirmation = await mail.waitFor((message) => message.recipients.includes(backer.email));
    expect(confirmation.subject).toContain(farm);
    expect(confirmation.text).toContain(`Dear ${backer.name}`);
    expect(confirmation.text).toContain("₦8,700,000");
    const [link] = /http:\/\/\S+\/backed-project\/\d+/.exec(confirmation.text ?? "") ?? [];
    expect(confirmation.html).toContain(String(link));
    await page.goto(String(link));
    await expect(page.getByRole("heading", { level: 1, name: farm })).toBeVisible();
    await page.goto("/profile");
    await expect(page.getByRole("tabpanel").getByText(farm)).toBeVisible();
  });

  await test.step("everybody else sees the project closed", async () => {
    const visitor = await newPerson(browser);
    await visitor.page.goto("/discover?search=cargo%20tricycles");
    await expect(visitor.page.getByText("No projects found in this category.")).toBeVisible();
    await visitor.page.goto("/discover?search=cargo%20tricycles&closed=true");
    await visitor.page.getByRole("link", { name: farm }).click();
    await expect(visitor.page.getByText("Project is closed").first()).toBeVisible();
    await expect(visitor.page.getByRole("heading", { level: 1 })).toContainText("(CLOSED)");
    expect(visitor.violations).toEqual([]);
  });

  expect([...violations, ...owner.violations]).toEqual([]);
});
