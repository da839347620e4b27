import { expect, type Page } from "playwright/test";
import { test } from "#tests/support/browser-test.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import { type MailServer, startMailServer } from "#tests/support/mail-server.ts";
import { type RunningServer, startEmptyServer } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";

// /contact in the built product, with real mail.
test.describe.configure({ timeout: 60_000 });

let server: RunningServer;
let mails: MailServer;
test.beforeAll(async () => {
  test.setTimeout(150_000);
  mails = await startMailServer();
  server = await startEmptyServer({ SMTP_URL: mails.url, MAIL_FROM: "Gona <hello@gona.example>" });
});
test.afterAll(async () => {
  await server.stop();
  await mails.stop();
});

let problems: string[];
test.beforeEach(async ({ page }) => {
  problems = watchErrors(page);
  await page.goto(`${server.url}/contact`);
});
test.afterEach(() => expect(problems, "errors on the console").toEqual([]));

const written = {
  Name: "Ọlá O'Neil",
  Email: "ola@example.com",
  Phone: "+234 803 000 0000",
  Message: "May I visit the snail farm on Saturday?",
};

const send = (page: Page) => page.getByRole("button", { name: "Send Message" }).click();
const summary = (page: Page) => page.getByRole("region", { name: "There is a problem" });

async function fillIn(page: Page, change: Partial<typeof written> = {}) {
  for (const [label, text] of Object.entries({ ...written, ...change }))
    await page.getByLabel(label, { exact: true }).fill(text);
}

/** Ticks the box and gives the right sum of what is asked. */
async function question(page: Page): Promise<number> {
  await page.getByLabel("I am not a robot").check();
  return readSum(page);
}

async function readSum(page: Page): Promise<number> {
  const label = page.getByText(/^What is \d+ \+ \d+\?$/);
  const [first = 0, second = 0] = ((await label.textContent())?.match(/\d+/g) ?? []).map(Number);
  for (const operand of [first, second]) expect(operand >= 1 && operand <= 10).toBe(true);
  return first + second;
}

async function answerCheck(page: Page) {
  await page.getByLabel(/^What is/).fill(String(await question(page)));
}

async function expectKept(page: Page) {
  for (const [label, text] of Object.entries(written))
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(text);
}

async function expectFault(page: Page, label: string | RegExp, text: string) {
  await expect(summary(page).getByRole("button", { name: text, exact: true })).toBeVisible();
  await expect(page.getByLabel(label, { exact: typeof label === "string" })).toHaveAccessibleDescription(text);
}

test("a message is sent, announced, and answered by mail", async ({ page }) => {
  await expect(page.getByRole("heading", { level: 1, name: "Contact Us" })).toBeVisible();
  await expectSound(page);
  await fillIn(page);
  await answerCheck(page);
  await expectSound(page);
  await send(page);
  await expect(page.getByText("Message sent!", { exact: true })).toBeVisible();
  await expect(
    page.getByText("Thank you for reaching out. We'll get back to you soon.", { exact: true }),
  ).toBeVisible();
  await expect(page.getByRole("heading", { name: "We have your message" })).toBeVisible();
  await expect(page.getByText("Our answer goes to ola@example.com.")).toBeVisible();
  await expectSound(page);
  const mail = await mails.waitFor(({ subject }) => subject === "Contact message from Ọlá O'Neil");
  expect(mail.recipients).toEqual(["support@gona.example"]);
  expect(mail.replyTo).toEqual([{ name: "Ọlá O'Neil", address: "ola@example.com" }]);
  expect(mail.text).toContain(written.Message);

  await page.getByRole("button", { name: "Write another message" }).click();
  for (const label of Object.keys(written)) await expect(page.getByLabel(label, { exact: true })).toHaveValue("");
  await expect(page.getByLabel("I am not a robot")).not.toBeChecked();
});

test("a wrong answer keeps the form and its question", { tag: "@nightly" }, async ({ page }) => {
  await fillIn(page);
  const sum = await question(page);
  await send(page);
  await expectFault(page, /^What is/, "Incorrect answer to the math question");
  await page.getByLabel(/^What is/).fill(String(sum + 1));
  await send(page);
  await expectFault(page, /^What is/, "Incorrect answer to the math question");
  await expect(summary(page)).toBeFocused();
  await expectKept(page);
  await page.getByLabel(/^What is/).fill(String(sum));
  await send(page);
  await expect(page.getByText("Message sent!", { exact: true })).toBeVisible();
});

test("without its security token the form says so, keeps all, and can be sent again", { tag: "@nightly" }, async ({
  page,
}) => {
  await fillIn(page);
  await answerCheck(page);
  await page.context().clearCookies();
  await send(page);
  const text = "Security validation failed. Please refresh the page and try again.";
  await expect(page.getByText("Error", { exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: text })).toBeFocused();
  await expect(page.getByText(text, { exact: true })).toHaveCount(2);
  await page.reload();
  await expectKept(page);
  await expect(page.getByLabel("I am not a robot")).not.toBeChecked();
  await answerCheck(page);
  await send(page);
  await expect(page.getByText("Message sent!", { exact: true })).toBeVisible();
});

test("by keyboard alone", { tag: "@nightly" }, async ({ page }) => {
  await page.getByLabel("Name", { exact: true }).focus();
  for (const text of Object.values(written)) {
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  }
  await expect(page.getByLabel("I am not a robot")).toBeFocused();
  await page.keyboard.press("Space");
  const sum = await readSum(page);
  await page.keyboard.press("Tab");
  await page.keyboard.type(String(sum));
  await page.keyboard.press("Enter");
  await expect(page.getByText("Message sent!", { exact: true })).toBeVisible();
});

test("/contact#visit shows how to visit, and writes the request under what stands there", { tag: "@nightly" }, async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.getByLabel("Message", { exact: true }).fill("Good morning.");
  await page.goto(`${server.url}/`);
  await page.goto(`${server.url}/contact#visit`);
  await expect(page.getByRole("heading", { name: "Book a Visit" })).toBeInViewport();
  await page.getByRole("button", { name: "Ask for a visit" }).click();
  const message = page.getByLabel("Message", { exact: true });
  await expect(message).toBeFocused();
  await page.keyboard.type("Snails in Epe");
  await expect(message).toHaveValue(/^Good morning\.\n\nI would like to visit a farm\.\n\nFarm: Snails in Epe\n/);
});

test("a link to a visit leads to it from another page", { tag: "@nightly" }, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(`${server.url}/trust-safety`);
  await page.getByRole("main").getByRole("link", { name: "Book a Visit" }).first().click();
  await expect(page).toHaveURL(/\/contact#visit$/);
  await expect(page.getByRole("heading", { name: "Book a Visit" })).toBeInViewport();
});
