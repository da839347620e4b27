import { type Browser, expect, type Page } from "playwright/test";
import { holdTexts } from "#shared/projects/holds-texts.ts";
import { createApiClient, demoSignIns } from "#tests/support/api-client.ts";
import { test } from "#tests/support/browser-test.ts";
import { type BuiltServer, startBuiltServer } from "#tests/support/built-server.ts";
import { nothing, watchErrors } from "#tests/support/console-errors.ts";
import { type MailServer, startMailServer } from "#tests/support/mail-server.ts";
import { projectFormOf } from "#tests/support/project-form.ts";
import { waitForHydration } from "#tests/support/screens.ts";
import { signInBrowser } from "#tests/support/seeded-server.ts";
import { holdButton } from "#tests/support/story.ts";

/** The product's main job, by four people, each in a browser of their own, against the built product and real mail. */

// With what fades and slides, as most people see it.
test.use({ reducedMotion: "no-preference" });

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

const farm = "Three fish smoking kilns at Makurdi";
const password = "Yam-Harvest-2026";
const nneka = { name: "Nneka Okonkwo", email: "nneka.okonkwo@example.com" };
const kunle = { name: "Kunle Bakare", email: "kunle.bakare@example.com" };

// A one-pixel PNG.
const receipt = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** An owner puts a farm of three lots at ₦100,000 each on sale. */
async function sellFarm(): Promise<number> {
  const api = createApiClient(server.url);
  await api.auth.adminSignIn.mutate(demoSignIns(server.output()).owner);
  const form = projectFormOf({ title: farm, fundingGoal: "300,000", lots: 3, minimumLots: 3 });
  return (await api.projects.create.mutate(form)).id;
}

async function newPerson(browser: Browser): Promise<{ page: Page; violations: string[] }> {
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  return { page, violations: watchErrors(page, { allowed: nothing }) };
}

async function signUp(page: Page, { name, email }: { name: string; email: string }) {
  await page.goto("/signup");
  await page.getByLabel("Full Name").fill(name);
  await page.getByLabel("Email").fill(` ${email.toUpperCase()} `);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await expect(page.getByText("Very Strong")).toBeVisible();
  await page.getByLabel("I agree to the terms of service").check();
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page).toHaveURL(`${server.url}/`);
}

async function sendReceipt(page: Page) {
  await page.locator("input[type=file]").setInputFiles({ name: "receipt.png", mimeType: "image/png", buffer: receipt });
  await page.getByRole("button", { name: "Send receipt" }).first().click();
  await expect(
    page.getByText("Payment receipt uploaded successfully. We'll review your payment shortly."),
  ).toBeVisible();
  await expect(
    page.getByText("We have your receipt. We review receipts within one working day and email you."),
  ).toBeVisible();
}

async function holdLots(page: Page) {
  await expect(page.getByText("0000000000")).toHaveCount(0);
  await page.getByLabel("I have read the terms.").check();
  await page.getByRole("button", { name: holdButton }).click();
  await expect(page.getByText("0000000000")).toBeVisible();
}

test("a visitor finds a farm, signs up and holds two of its three lots; others wait; the owner approves; the lots are taken", async ({
  browser,
}) => {
  test.setTimeout(240_000);
  const projectId = await sellFarm();
  const { page, violations } = await newPerson(browser);

  await test.step("the visitor finds the farm", async () => {
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.getByRole("link", { name: "Join Us" }).first().click();
    await expect(page).toHaveURL(/\/discover/);
    await page.getByRole("main").getByRole("searchbox").fill("smoking kilns");
    await page.getByRole("link", { name: farm }).click();
    await expect(page.getByRole("heading", { level: 1, name: farm })).toBeVisible();
    await waitForHydration(page);
    await page.getByRole("button", { name: "Back this project" }).first().click();
    await expect(page.getByText("Please log in to back this project").first()).toBeVisible();
  });

  await test.step("the visitor signs up, reads the terms, holds two lots and sends the receipt", async () => {
    await signUp(page, nneka);
    await page.goto("/discover?search=smoking%20kilns");
    await page.getByRole("link", { name: farm }).click();
    await expect(page.getByRole("heading", { level: 1, name: farm })).toBeVisible();
    await waitForHydration(page);
    await page
      .getByRole("link", { name: "Back this project" })
      .or(page.getByRole("button", { name: "Back this project" }))
      .first()
      .click();
    await expect(page).toHaveURL(/\/back-project\/\d+$/);
    await page.getByRole("button", { name: "One lot more" }).click();
    await expect(page.getByRole("heading", { name: "Harvest terms" })).toBeVisible();
    await holdLots(page);
    await expect(page.getByText("2 lots held for you until")).toBeVisible();
    await expect(page.getByText("₦200,000", { exact: true })).toBeVisible();
    await sendReceipt(page);
    await page.goto("/profile");
    await page.getByRole("tab", { name: "Pending Approval" }).click();
    await expect(page.getByRole("tabpanel").getByText(farm)).toBeVisible();
  });

  const second = await newPerson(browser);
  await test.step("a second person sees what is left, and holds it", async () => {
    await signInBrowser(second.page.context(), server, { ...demoSignIns(server.output()).backer, isAdmin: false });
    await second.page.goto(`/back-project/${projectId}`);
    await expect(second.page.getByText("1 of 3 lots free, 2 held for others")).toBeVisible();
    await expect(second.page.getByRole("button", { name: "One lot more" })).toBeDisabled();
    await holdLots(second.page);
    await expect(second.page.getByText("1 lot held for you until")).toBeVisible();
  });

  const third = await newPerson(browser);
  await test.step("a third finds all lots held, and joins the waiting list", async () => {
    await signUp(third.page, kunle);
    await third.page.goto(`/back-project/${projectId}`);
    await expect(third.page.getByText("Held for other backers until")).toBeVisible();
    await expect(third.page.getByRole("checkbox")).toHaveCount(0);
    await third.page.getByRole("button", { name: "Join the waiting list" }).click();
    await expect(third.page.getByText("You are number 1 of 1 on the waiting list.")).toBeVisible();
  });

  const owner = await newPerson(browser);
  const approve = (email: string) =>
    test.step(`the owner looks at the receipt of ${email} and approves it`, async () => {
      await owner.page.getByRole("link", { name: "Payments" }).first().click();
      // The page may stand open since the last one.
      await owner.page.getByRole("button", { name: "Refresh Data" }).click();
      const row = owner.page.getByRole("row").filter({ hasText: email });
      await row.getByRole("button", { name: "View Receipt" }).click();
      await expect(owner.page.getByRole("dialog").locator("img")).toBeVisible();
      await owner.page.keyboard.press("Escape");
      await row.getByLabel(/^Status of/).selectOption("approved");
      // The demo has bank statements, and none shows this transfer yet.
      await owner.page.getByLabel("Why do you approve it?").fill("The receipt shows the transfer.");
      const button = owner.page.getByRole("button", { name: "Approve payment" });
      await button.click();
      // The words are there for five seconds, perhaps from the approval before: the question stays until the list has
      // come again, and what the list shows is this one's.
      await expect(owner.page.getByText("Payment status updated to approved")).toBeVisible();
      await expect(button).toBeHidden();
      // The list is of what is pending: what was decided leaves it.
      await expect(row).toHaveCount(0);
    });
  await test.step("the owner signs in and sees who holds and who waits", async () => {
    const { owner: signIn } = demoSignIns(server.output());
    await owner.page.goto("/admin/login");
    await owner.page.getByLabel("Email").fill(signIn.email);
    await owner.page.getByRole("textbox", { name: "Password" }).fill(signIn.password);
    await owner.page.getByRole("button", { name: "Sign In" }).click();
    await expect(owner.page.getByText("Logged in as admin")).toBeVisible();
    await expect(owner.page).toHaveURL(/\/admin\/dashboard/);
    await owner.page.goto(`/admin/project/${projectId}?tab=holds`);
    const rowsOf = (table: string) => owner.page.getByRole("table", { name: table }).getByRole("row");
    await expect(rowsOf("Held lots").filter({ hasText: nneka.name })).toContainText("Receipt sent");
    await expect(rowsOf("Held lots")).toHaveCount(3);
    await expect(rowsOf("Waiting list").filter({ hasText: kunle.name })).toBeVisible();
  });
  await approve(nneka.email);

  await test.step("the mail arrives, and its link leads the backer to the project", async () => {
    const confirmation = await mail.waitFor(
      ({ recipients, text }) => recipients.includes(nneka.email) && String(text).includes("/backed-project/"),
    );
    expect(confirmation.subject).toContain(farm);
    expect(confirmation.text).toContain(`Dear ${nneka.name}`);
    expect(confirmation.text).toContain("₦200,000");
    const [link] = /http:\/\/\S+\/backed-project\/\d+/.exec(confirmation.text ?? "") ?? [];
    expect(confirmation.html).toContain(String(link));
    await page.goto(String(link));
    await expect(page.getByRole("heading", { level: 1, name: farm })).toBeVisible();
    await page.goto("/profile");
    await expect(page.getByRole("tabpanel").getByText(farm)).toBeVisible();
  });

  await test.step("the second person gives the lot back; it is offered to the third, who buys it", async () => {
    await second.page.getByRole("button", { name: holdTexts.cancel }).click();
    await second.page.getByRole("dialog").getByRole("button", { name: holdTexts.cancel }).click();
    await expect(second.page.getByText("Your lots are given back")).toBeVisible();
    await mail.waitFor(
      ({ recipients, subject }) => recipients.includes(kunle.email) && String(subject).includes("It is your turn"),
    );
    await third.page.reload();
    await expect(third.page.getByText("It is your turn until")).toBeVisible();
    await holdLots(third.page);
    await sendReceipt(third.page);
  });
  await approve(kunle.email);

  await test.step("everybody else sees all lots taken and the project closed", async () => {
    const visitor = await newPerson(browser);
    await visitor.page.goto("/discover?search=smoking%20kilns");
    await expect(visitor.page.getByText("No projects found in this category.")).toBeVisible();
    await visitor.page.goto("/discover?search=smoking%20kilns&closed=true");
    await visitor.page.getByRole("link", { name: farm }).click();
    await expect(visitor.page.getByText("Project is closed").first()).toBeVisible();
    await expect(visitor.page.getByText("3 of 3 lots taken").first()).toBeVisible();
    await expect(visitor.page.getByRole("heading", { level: 1 })).toContainText("(CLOSED)");
    expect(visitor.violations).toEqual([]);
  });

  expect([...violations, ...second.violations, ...third.violations, ...owner.violations]).toEqual([]);
});
