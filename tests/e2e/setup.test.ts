import { type Browser, expect, type Page } from "playwright/test";
import { test } from "#tests/support/browser-test.ts";
import { type BuiltServer, startBuiltServer } from "#tests/support/built-server.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import { type MailServer, startMailServer } from "#tests/support/mail-server.ts";
import { createDatabase } from "#tests/support/postgres-server.ts";
import { waitForHydration } from "#tests/support/screens.ts";
import { databases } from "#tests/support/seeded-server.ts";
import { expectSoundPage } from "#tests/support/sound-page.ts";
import { button, dialog, holdButton, readOwnPaper, readTerms, sendReceipt } from "#tests/support/story.ts";
import { codeAt } from "#tests/support/two-factor.ts";

/**
 * From an empty database to a first approved receipt, on a phone, with nothing but the log's code and the browser.
 * Where there is a PostgreSQL it is a real site: nobody could pay before the last of its conditions holds.
 */

const phone = { width: 360, height: 740 };
const owner = { name: "Amaka Obi", email: "amaka@greenfields.example", password: "Cassava-Harvest-2027" };
const backer = { name: "Nneka Okonkwo", email: "nneka@example.com", password: "Yam-Harvest-2026" };
const farm = "Snail pens in Ikorodu";

let server: BuiltServer;
let mail: MailServer;
let dropDatabase = async () => {};

test.beforeAll(async () => {
  test.setTimeout(180_000);
  mail = await startMailServer();
  const adminUrl = databases()?.adminUrl;
  const database = adminUrl && (await createDatabase(adminUrl, "template0"));
  if (database) dropDatabase = database.drop;
  const real = database && {
    NODE_ENV: "production",
    APP_SECRET: "a secret of the tests, long enough for a key",
    DATABASE_URL: database.url,
  };
  const env = { DEMO: "0", SMTP_URL: mail.url, REQUIRE_EMAIL_CONFIRMATION: "false" };
  server = await startBuiltServer({ env: { ...env, ...real } });
});
test.afterAll(async () => {
  await server.stop();
  await mail.stop();
  await dropDatabase();
});

async function newPage(browser: Browser, problems: string[]): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, viewport: phone });
  const page = await context.newPage();
  watchErrors(page, { into: problems });
  page.setDefaultTimeout(30_000);
  return page;
}

const said = (page: Page, text: string) => expect(page.getByText(text).first()).toBeVisible();
const heading = (page: Page, name: string) => expect(page.getByRole("heading", { level: 1, name })).toBeVisible();

/** Goes on with a step of the set-up. */
async function openStep(page: Page, title: string): Promise<void> {
  await page.goto("/admin/set-up");
  await page.getByRole("link", { name: `Set up: ${title}`, exact: true }).click();
}

/** Gives the password and the next code of the app where a screen asks for them. */
async function prove(page: Page, secret: string): Promise<void> {
  await dialog(page).getByRole("textbox", { name: "Current Password" }).fill(owner.password);
  await dialog(page)
    .getByLabel("Code from the app")
    .fill(codeAt(secret, new Date(Date.now() + 30_000)));
  await button(page, "Go on").click();
}

test("from an empty database to a first approved receipt, in the browser alone", async ({ browser }) => {
  test.setTimeout(300_000);
  const problems: string[] = [];
  const page = await newPage(browser, problems);
  const [, code = ""] = /Set up this site: http:\/\/localhost:\d+\/setup {2}Code: (\S{9})/.exec(server.output()) ?? [];
  let secret = "";

  await test.step("the code from the log makes the first owner, with a second factor", async () => {
    await page.goto("/setup");
    await heading(page, "Set up this site");
    await expectSoundPage(page);
    await page.setViewportSize(phone);
    await page.getByLabel("Code").fill(code.toLowerCase());
    await button(page, "Go on").click();
    await heading(page, "You");
    await page.getByLabel("Full Name").fill(owner.name);
    await page.getByLabel("Email").fill(owner.email);
    await page.getByRole("textbox", { name: "Password" }).fill(owner.password);
    await said(page, "Very Strong");
    await button(page, "Create my account").click();
    await heading(page, "Protect your account");
    await button(page, "Set up two-factor sign-in").click();
    await page.getByRole("textbox", { name: "Current Password" }).fill(owner.password);
    await button(page, "Continue").click();
    secret = ((await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent()) ?? "").replaceAll(" ", "");
    await page.getByLabel("6-digit code").fill(codeAt(secret, new Date()));
    await button(page, "Switch on").click();
    await page.getByLabel("I have kept them").check();
    await button(page, "Done").click();
    await heading(page, "Set up this site");
    await said(page, "1 of 8 done. Take the rest in any order.");
    await expectSoundPage(page);
    await page.setViewportSize(phone);
  });

  await test.step("/setup is gone for everybody", async () => {
    const visitor = await newPage(browser, []);
    expect((await visitor.goto("/setup"))?.status()).toBe(404);
    await heading(visitor, "Page not found");
  });

  await test.step("company: from the next moment on the site has its name", async () => {
    await openStep(page, "Company");
    const values = {
      "Name of the site": "Greenfields",
      Company: "Greenfields Limited",
      "Company number": "RC 123456",
      Address: "4 Allen Avenue, Ikeja, Lagos",
      Phone: "+2348012345678",
      "Support email": "help@greenfields.example",
      "Prefix of payment references": "GREEN",
      "Letter of paper numbers": "F",
    };
    for (const [label, value] of Object.entries(values))
      await page.getByRole("textbox", { name: label, exact: true }).fill(value);
    await button(page, "Save company").click();
    await prove(page, secret);
    await said(page, "Saved. The whole site shows it now.");
    await expect(page).toHaveTitle("Settings · Greenfields");
  });

  await test.step("legal texts, adopted as they are", async () => {
    await openStep(page, "Legal texts");
    for (const title of ["Terms of Service", "Privacy Policy"]) {
      const row = page.getByRole("listitem", { name: title });
      await row.getByRole("button", { name: "Adopt" }).click();
      await expect(row.getByText("In force", { exact: true })).toBeVisible();
    }
  });

  await test.step("bank account", async () => {
    await openStep(page, "Bank account");
    await page.getByLabel("Bank", { exact: true }).fill("Test Bank");
    await page.getByLabel("Account name").fill("Greenfields Limited");
    await page.getByLabel("Account number").fill("0123456789");
    await button(page, "Save bank details").click();
    await button(page, "Set bank details").click();
    await said(page, "Bank details updated");
  });

  await test.step("mail", async () => {
    await openStep(page, "Mail");
    await button(page, "Send me a code").click();
    const { text } = await mail.waitFor(({ subject }) => String(subject).startsWith("Your code for"));
    await page.getByLabel("Code from the mail").fill(/[A-Z2-9]{4}-[A-Z2-9]{4}/.exec(text ?? "")?.[0] ?? "");
    await button(page, "It has arrived").click();
    await said(page, "Mails leave this server");
  });

  await test.step("rules, as they are", async () => {
    await openStep(page, "Rules");
    await button(page, "Keep them").click();
    await said(page, "The rules are yours");
  });

  await test.step("what is left can wait: nothing of it keeps anybody from paying", async () => {
    await page.goto("/admin/set-up");
    await said(page, "6 of 8 done. Take the rest in any order.");
    await expect(page.getByText("Nobody can pay yet")).toHaveCount(0);
    await expectSoundPage(page);
    await page.setViewportSize(phone);
    await page.goto("/admin/dashboard");
    await said(page, "6 of 8 done: look, second owner");
  });

  await test.step("the first farm", async () => {
    await page.goto("/create-project");
    await page.getByLabel("Project Title").fill(farm);
    await page.getByLabel("Category").selectOption("livestock");
    await page.getByLabel("Short Description").fill("Forty pens of giant snails near Ikorodu.");
    await page.getByLabel("Funding Goal").fill("200,000");
    await page.getByLabel("Number of lots").fill("2");
    await button(page, "Next").click();
    await page.getByRole("textbox", { name: "Full Description" }).click();
    await page.keyboard.type(
      "Forty pens of giant snails, looked after by two families who have kept snails for years.",
    );
    await button(page, "Next").click();
    await button(page, "Publish Project").click();
    await said(page, "Your project has been created successfully.");
  });

  const visitor = await newPage(browser, problems);
  await test.step("a backer signs up, reads the terms and sends a receipt", async () => {
    await visitor.goto("/signup");
    await visitor.getByLabel("Full Name").fill(backer.name);
    await visitor.getByLabel("Email").fill(backer.email);
    await visitor.getByRole("textbox", { name: "Password" }).fill(backer.password);
    await visitor.getByLabel("I agree to the terms of service").check();
    await button(visitor, "Create Account").click();
    await expect(visitor).toHaveURL(`${server.url}/`);
    await visitor.goto("/discover");
    await visitor.getByRole("link", { name: farm }).click();
    await heading(visitor, farm);
    await waitForHydration(visitor);
    await visitor
      .getByRole("link", { name: "Back this project" })
      .or(visitor.getByRole("button", { name: "Back this project" }))
      .first()
      .click();
    await readTerms(visitor, 1);
    await button(visitor, holdButton).click();
    await said(visitor, "0123456789");
    await said(visitor, "Greenfields Limited");
    await sendReceipt(visitor);
  });

  await test.step("the owner approves it, and the backer has its paper", async () => {
    await page.goto("/admin/payments");
    const row = page.getByRole("row").filter({ hasText: backer.email });
    await row.getByLabel(/^Status of/).selectOption("approved");
    await button(page, "Approve payment").click();
    await said(page, "Payment status updated to approved");
    const { text = "" } = await mail.waitFor(
      ({ recipients, text }) => recipients.includes(backer.email) && String(text).includes("/backed-project/"),
    );
    const [number = ""] = /[A-Z]R-\d{4}-\d{6}/.exec(text) ?? [];
    await visitor.goto("/profile?tab=money");
    const paper = await readOwnPaper(visitor, number);
    for (const told of [text, paper.text]) {
      expect(told).toContain("Greenfields Limited");
      expect(told).not.toMatch(/gona/i);
    }
    expect(number).toMatch(/^FR-/);
  });
  expect(problems).toEqual([]);
});
