import { expect, type Page } from "playwright/test";
import { test } from "#tests/support/browser-test.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import { type MailServer, startMailServer } from "#tests/support/mail-server.ts";
import { type RunningServer, startEmptyServer } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";

// /careers in the built product, with real mail.
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
test.beforeEach(({ page }) => {
  problems = watchErrors(page);
});
test.afterEach(() => expect(problems, "errors on the console").toEqual([]));

const written = { "Full Name": "Ngozi Ọlá", Email: "ngozi@example.com", Phone: "+234 803 000 0000" };
const coverLetter = "I grew up\nbetween fish ponds.";
const pdf = Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n");
const resume = { name: "resume.pdf", mimeType: "application/pdf", buffer: pdf };
/** So large that sending it takes a while. */
const largeResume = { ...resume, buffer: Buffer.concat([pdf, Buffer.alloc(4 * 1024 * 1024)]) };

const submit = (page: Page) => page.getByRole("button", { name: "Submit Application" }).click();
const summary = (page: Page) => page.getByRole("region", { name: "There is a problem" });
const chooseFile = (page: Page, file: typeof resume) => page.getByLabel("Resume (optional)").setInputFiles(file);

async function openForm(page: Page) {
  await page.goto(`${server.url}/careers?tab=apply`);
  await expect(page.getByRole("heading", { name: "Apply for Farm Manager" })).toBeVisible();
}

async function fillIn(page: Page) {
  for (const [label, text] of Object.entries(written)) await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByLabel("Cover Letter (optional)").fill(coverLetter);
}

async function question(page: Page): Promise<number> {
  await page.getByLabel("I am a human").check();
  const label = page.getByText(/^What is \d+ \+ \d+\?$/);
  const [first = 0, second = 0] = ((await label.textContent())?.match(/\d+/g) ?? []).map(Number);
  return first + second;
}

async function answerCheck(page: Page) {
  await page.getByLabel(/^What is/).fill(String(await question(page)));
}

async function expectKept(page: Page) {
  for (const [label, text] of Object.entries(written))
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(text);
  await expect(page.getByLabel("Cover Letter (optional)")).toHaveValue(coverLetter);
}

async function expectFault(page: Page, label: string | RegExp, text: string) {
  await expect(summary(page).getByRole("button", { name: text, exact: true })).toBeVisible();
  await expect(page.getByLabel(label, { exact: typeof label === "string" })).toHaveAccessibleDescription(
    new RegExp(`${text}$`),
  );
}

async function expectSubmitted(page: Page) {
  await expect(page.getByText("Application Submitted", { exact: true })).toBeVisible();
  await expect(
    page.getByText("Thank you for your interest! We'll review your application and contact you soon.", { exact: true }),
  ).toBeVisible();
}

test.describe("openings", () => {
  test("lead to the form of the chosen one, whose position is only read", { tag: "@nightly" }, async ({ page }) => {
    await page.goto(`${server.url}/careers`);
    await page.getByRole("radio", { name: "Farm Hand" }).check();
    await page.getByRole("button", { name: "Apply for this position" }).click();
    await expect(page.getByRole("tab", { name: "Apply Now" })).toHaveAttribute("aria-selected", "true");
    await expect(page.getByLabel("Position")).toHaveValue("Farm Hand");
    await expect(page.getByLabel("Position")).toHaveAttribute("readonly", "");
    await expect(page.getByRole("region", { name: "Apply for Farm Hand" })).toBeFocused();
    await expect(page.getByRole("region", { name: "Apply for Farm Hand" })).toBeInViewport();
    await expectSound(page);
    await page.getByRole("button", { name: "Choose another position" }).click();
    await expect(page.getByRole("radio", { name: "Farm Hand" })).toBeFocused();
    await page.goBack();
    await expect(page.getByLabel("Position")).toHaveValue("Farm Hand");
  });
});

test("an application with a resume is sent, announced, and the form is empty again", async ({ page }) => {
  await openForm(page);
  await fillIn(page);
  await chooseFile(page, resume);
  await answerCheck(page);
  await submit(page);
  await expectSubmitted(page);
  await expect(page.getByText("We have your application for Farm Manager")).toBeVisible();
  for (const label of Object.keys(written)) await expect(page.getByLabel(label, { exact: true })).toHaveValue("");
  await expect(page.getByText("resume.pdf")).toHaveCount(0);
  await expect(page.getByLabel("I am a human")).not.toBeChecked();
  await expect(page.getByLabel("Position")).toHaveValue("Farm Manager");
  await expectSound(page);
  const mail = await mails.waitFor(({ text }) => text?.includes("Ngozi Ọlá") ?? false);
  expect(mail.subject).toBe("New application: Farm Manager");
  expect(mail.text).toContain("Resume: yes");
  expect(mail.text).toContain(`${server.url}/admin/applicants`);
  expect(mail.attachments).toEqual([]);
});

test("an application without a resume is taken, by keyboard alone", { tag: "@nightly" }, async ({ page }) => {
  await openForm(page);
  await page.getByLabel("Full Name").focus();
  for (const text of [...Object.values(written), "Fish ponds."]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  }
  await expect(page.getByLabel("Resume (optional)")).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  const sum = await question(page);
  await page.keyboard.press("Tab");
  await page.keyboard.type(String(sum));
  await page.keyboard.press("Enter");
  await expectSubmitted(page);
});

test("a resume of another kind or size is refused at once, and by what is in it", { tag: "@nightly" }, async ({
  page,
}) => {
  await openForm(page);
  await fillIn(page);
  const type = "Please upload a PDF or Word document";
  await chooseFile(page, { name: "me.txt", mimeType: "text/plain", buffer: Buffer.from("I grew up") });
  await expect(page.getByText(type, { exact: true })).toBeVisible();
  await answerCheck(page);
  await submit(page);
  await expectFault(page, "Resume (optional)", type);
  await page.getByRole("button", { name: "Remove me.txt" }).click();
  await expect(page.getByText(type, { exact: true })).toHaveCount(0);
  await chooseFile(page, { ...resume, buffer: Buffer.alloc(5 * 1024 * 1024 + 1) });
  await expectFault(page, "Resume (optional)", "File size must be less than 5MB");
  // What calls itself a PDF is refused by the server.
  await chooseFile(page, { ...resume, buffer: Buffer.from("<html>no PDF</html>") });
  await submit(page);
  await expectFault(page, "Resume (optional)", type);
  await expectKept(page);
  await chooseFile(page, resume);
  await submit(page);
  await expectSubmitted(page);
});

test("a wrong answer keeps all, and the question", { tag: "@nightly" }, async ({ page }) => {
  await openForm(page);
  await fillIn(page);
  await chooseFile(page, resume);
  const sum = await question(page);
  await page.getByLabel(/^What is/).fill(String(sum + 1));
  await submit(page);
  await expectFault(page, /^What is/, "Incorrect answer, please try again");
  await expectKept(page);
  await expect(page.getByText("resume.pdf", { exact: true })).toBeVisible();
  await page.getByLabel(/^What is/).fill(String(sum));
  await submit(page);
  await expectSubmitted(page);
});

test("a long upload shows how far it is, asks before it is left, and can be stopped", { tag: "@nightly" }, async ({
  page,
}) => {
  await openForm(page);
  await fillIn(page);
  await chooseFile(page, largeResume);
  await answerCheck(page);
  const line = await page.context().newCDPSession(page);
  await line.send("Network.enable");
  const slow = { offline: false, latency: 50, downloadThroughput: 1_000_000, uploadThroughput: 300_000 };
  await line.send("Network.emulateNetworkConditions", slow);
  await submit(page);
  await expect(page.getByRole("progressbar", { name: "Upload of your application" })).toBeVisible();
  await page.getByRole("tab", { name: "Current Openings" }).click();
  const dialog = page.getByRole("dialog", { name: "Leave while your application is being sent?" });
  await dialog.getByRole("button", { name: "Stay" }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: "Cancel upload" }).click();
  await expect(page.getByRole("button", { name: "Submit Application" })).toBeVisible();
  await expectKept(page);
  await expect(page.getByText("Submission Failed")).toHaveCount(0);
});
