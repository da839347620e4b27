import { readFile } from "node:fs/promises";
import { type Browser, expect, type Page } from "playwright/test";
import { type Site, test } from "#tests/support/browser-test.ts";
import { createAdmin, type TestUser } from "#tests/support/people.ts";
import { signInBrowser } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";
import { newVisitor } from "#tests/support/visitor.ts";

// What visitors write to the office, an application and a message, from their forms to the owner who reads it.

let server: Site;
let owner: TestUser;
test.beforeAll(async ({ demo }) => {
  server = demo;
  owner = await demo.prepare(({ db }) => createAdmin(db, "owner"));
});

const coverLetter = "<b>I grew up</b>\nbetween fish ponds.";
const resume = Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n");
const message = "May I visit the snail farm on Saturday? <img src=x onerror=alert(1)>";
const entry = (page: Page, name: string) =>
  page.getByRole("main").getByRole("list").getByRole("link").filter({ hasText: name });
const said = (page: Page, text: string) => expect(page.getByText(text, { exact: true })).toBeVisible();

async function fillIn(page: Page, texts: Record<string, string>) {
  for (const [label, text] of Object.entries(texts)) await page.getByLabel(label, { exact: true }).fill(text);
}

/** Ticks the box and answers the question of the human check. */
async function answerCheck(page: Page, box: string) {
  await page.getByLabel(box).check();
  const label = await page.getByText(/^What is \d+ \+ \d+\?$/).textContent();
  const [first = 0, second = 0] = (label?.match(/\d+/g) ?? []).map(Number);
  for (const operand of [first, second]) expect(operand >= 1 && operand <= 10).toBe(true);
  await page.getByLabel(/^What is/).fill(String(first + second));
}

async function openOffice(browser: Browser) {
  const visitor = await newVisitor(browser, { baseURL: server.url, viewport: { width: 1280, height: 900 } });
  await signInBrowser(visitor.page.context(), server, owner);
  await visitor.page.goto("/admin/dashboard");
  await visitor.page.waitForFunction(() => localStorage.getItem("isAdmin") === "true");
  return visitor;
}

test("an application with a resume is sent, announced by mail, read and decided on", async ({ browser }) => {
  const { page, problems } = await newVisitor(browser, { baseURL: server.url });
  await page.goto("/careers");
  await page.getByRole("radio", { name: "Farm Hand" }).check();
  await page.getByRole("button", { name: "Apply for this position" }).click();
  await expect(page.getByRole("region", { name: "Apply for Farm Hand" })).toBeFocused();
  await expect(page.getByLabel("Position")).toHaveValue("Farm Hand");
  await expect(page.getByLabel("Position")).toHaveAttribute("readonly", "");
  await fillIn(page, { "Full Name": "Ngozi Ọlá", Email: "ngozi@example.com", Phone: "+234 803 000 0000" });
  await page.getByLabel("Cover Letter (optional)").fill(coverLetter);
  const field = page.getByLabel("Resume (optional)");
  // What calls itself a PDF is refused by the server, by what is in it.
  const notPdf = Buffer.from("<html>no PDF</html>");
  await field.setInputFiles({ name: "resume.pdf", mimeType: "application/pdf", buffer: notPdf });
  await answerCheck(page, "I am a human");
  await page.getByRole("button", { name: "Submit Application" }).click();
  await expect(field).toHaveAccessibleDescription(/Please upload a PDF or Word document$/);
  await field.setInputFiles({ name: "Résumé.pdf", mimeType: "application/pdf", buffer: resume });
  await page.getByRole("button", { name: "Submit Application" }).click();
  await said(page, "Application Submitted");
  await said(page, "Thank you for your interest! We'll review your application and contact you soon.");
  await said(page, "We have your application for Farm Hand");
  await expect(page.getByLabel("Full Name")).toHaveValue("");
  await expect(page.getByLabel("I am a human")).not.toBeChecked();
  await expectSound(page);
  const mail = await server.mail.waitFor(({ text }) => text?.includes("Ngozi Ọlá") ?? false);
  expect(mail.subject).toBe("New application: Farm Hand");
  expect(mail.text).toContain(`${server.url}/admin/applicants`);
  expect(mail.attachments).toEqual([]);

  const office = await openOffice(browser);
  await office.page.getByRole("link", { name: "Job Applicants" }).click();
  await expect(office.page.getByRole("heading", { name: "Job Applicants", exact: true })).toBeVisible();
  await entry(office.page, "Ngozi Ọlá").focus();
  await office.page.keyboard.press("Enter");
  const detail = office.page.getByRole("region", { name: "Applicant" });
  await expect(detail).toBeFocused();
  await expect(detail.getByText("<b>I grew up</b>")).toBeVisible();
  const [download] = await Promise.all([
    office.page.waitForEvent("download"),
    detail.getByRole("button", { name: "Download resume" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("Résumé.pdf");
  expect((await readFile(await download.path())).equals(resume)).toBe(true);
  await detail.getByRole("button", { name: "Contacted" }).click();
  await said(office.page, "Applicant status changed to contacted");
  await office.page.reload();
  await expect(detail.getByRole("button", { name: "Contacted" })).toHaveAttribute("aria-pressed", "true");
  await expectSound(office.page);
  expect([...problems, ...office.problems]).toEqual([]);
});

test("a message of the contact form is sent, mailed to the office and read there", async ({ browser }) => {
  const { page, problems } = await newVisitor(browser, { baseURL: server.url });
  await page.goto("/contact");
  await expect(page.getByRole("heading", { level: 1, name: "Contact Us" })).toBeVisible();
  const name = "Ọlá O'Neil";
  await fillIn(page, { Name: name, Email: "ola+cc@example.com", Phone: "+234 803 000 0000", Message: message });
  await answerCheck(page, "I am not a robot");
  await expectSound(page);
  await page.getByRole("button", { name: "Send Message" }).click();
  await said(page, "Message sent!");
  await said(page, "Thank you for reaching out. We'll get back to you soon.");
  await said(page, "Our answer goes to ola+cc@example.com.");
  await page.getByRole("button", { name: "Write another message" }).click();
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue("");
  const mail = await server.mail.waitFor(({ subject }) => subject === `Contact message from ${name}`);
  expect(mail.recipients).toEqual(["support@gona.example"]);
  expect(mail.replyTo).toEqual([{ name, address: "ola+cc@example.com" }]);
  expect(mail.text).toContain(message);

  const office = await openOffice(browser);
  await office.page.getByRole("main").getByRole("link", { name: "Messages" }).click();
  await expect(office.page.getByRole("heading", { name: "Contact messages", exact: true })).toBeVisible();
  await entry(office.page, `Unread: ${name}`).click();
  const detail = office.page.getByRole("region", { name: "Message" });
  await expect(detail.getByText(message)).toBeVisible();
  await expect(entry(office.page, `Unread: ${name}`)).toHaveCount(0);
  const href = await detail.getByRole("link", { name: "Reply by email" }).getAttribute("href");
  expect(href).toBe("mailto:ola%2Bcc@example.com?subject=Your%20message%20to%20Gona");
  await detail.getByRole("button", { name: "Mark as unread" }).click();
  await said(office.page, "Message marked as unread");
  await expectSound(office.page);
  expect([...problems, ...office.problems]).toEqual([]);
});
