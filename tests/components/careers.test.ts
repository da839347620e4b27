import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { chooseFiles, fitsPhone, hasHeading, onPhone, openScreen, says } from "#tests/support/app-screen.ts";

/** The openings, and the form of an application: its messages about the input, and the input that it keeps. */

const submit = page.getByRole("button", { name: "Submit Application" });
const summary = page.getByRole("region", { name: "There is a problem" });
const question = { "auth.humanCheck": { first: 3, second: 4, challenge: "a challenge" } };
const written = { "Full Name": "Ngozi Ọlá", Email: "ngozi@example.com", Phone: "+234 803 000 0000" };

async function expectFault(label: string, text: string) {
  await expect.element(summary.getByRole("button", { name: text, exact: true })).toBeVisible();
  await expect
    .element(page.getByLabelText(label, { exact: true }))
    .toHaveAccessibleDescription(expect.stringMatching(new RegExp(`${text}$`)));
}

test("an empty form says all that is missing", async () => {
  await openScreen("/careers?tab=apply", question);
  await submit.click();
  await expectFault("Full Name", "Full name is required");
  await expectFault("Email", "Valid email is required");
  await expectFault("Phone", "Valid phone number is required");
  const check = page.getByText("Please confirm you are a human", { exact: true });
  await expect.poll(() => check.elements().length).toBe(2);
  await expect.element(summary).toHaveFocus();
  await page.getByLabelText("I am a human").click();
  await expect.element(page.getByLabelText("What is 3 + 4?")).toBeVisible();
  await submit.click();
  await expectFault("What is 3 + 4?", "Please answer the math question");
});

const opening = (title: string) => page.getByRole("radio", { name: new RegExp(title) });

test("openings are three, the first chosen, each told in full", async () => {
  await openScreen("/careers");
  await expect.element(page.getByRole("tab", { name: "Current Openings" })).toHaveAttribute("aria-selected", "true");
  await expect.poll(() => page.getByRole("radio").elements().length).toBe(3);
  await expect.element(opening("Farm Manager")).toBeChecked();
  for (const [title, salary] of [
    ["Farm Manager", "₦250,000-350,000"],
    ["Farm Hand", "₦100,000-150,000"],
    ["Agricultural Intern", "₦50,000-70,000"],
  ] as const) {
    await opening(title).click();
    await says(salary);
    for (const name of [title, "Responsibilities", "Requirements"]) await hasHeading(name);
  }
  await fitsPhone();
});

test("an unknown position shows the first one", async () => {
  await openScreen("/careers?position=chief-executive");
  await expect.element(opening("Farm Manager")).toBeChecked();
});

test("a position chosen on a phone is read from its beginning", () =>
  onPhone(async () => {
    await openScreen("/careers");
    for (const title of ["Farm Hand", "Agricultural Intern", "Farm Manager"]) {
      const card = page.getByText(title, { exact: true }).first();
      await card.click();
      await expect.element(opening(title)).toHaveFocus();
      const label = opening(title).element().closest("label");
      const heading = page.getByRole("heading", { level: 3, name: title });
      // The whole card is near the top, and the start of its text is visible.
      await expect.poll(() => label?.getBoundingClientRect().top).toBeGreaterThanOrEqual(0);
      await expect.poll(() => label?.getBoundingClientRect().top).toBeLessThan(200);
      expect(label?.getBoundingClientRect().bottom).toBeLessThanOrEqual(window.innerHeight);
      await expect.element(heading).toBeInViewport({ ratio: 1 });
    }
  }));

const resume = new File(["%PDF-1.7"], "resume.pdf", { type: "application/pdf" });
const file = page.getByLabelText(/^Resume/);

async function fillIn() {
  for (const [name, value] of Object.entries(written)) await page.getByLabelText(name, { exact: true }).fill(value);
}

async function expectKept() {
  for (const [name, value] of Object.entries(written))
    await expect.element(page.getByLabelText(name, { exact: true })).toHaveValue(value);
}

test("a dropped resume is taken", async () => {
  await openScreen("/careers?tab=apply", question);
  await expect.element(file).toBeInTheDocument();
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(resume);
  file.element().dispatchEvent(new DragEvent("drop", { bubbles: true, dataTransfer }));
  await says("resume.pdf");
});

test("what was written outlives a look at the openings and a reload", async () => {
  const { reload } = await openScreen("/careers?tab=apply", question);
  await fillIn();
  await chooseFiles(file, resume);
  await page.getByRole("tab", { name: "Current Openings" }).click();
  await page.getByRole("tab", { name: "Apply Now" }).click();
  await expectKept();
  await says("resume.pdf");
  await reload();
  await expectKept();
  await expect.element(page.getByLabelText("I am a human")).not.toBeChecked();
});

test("a lost connection keeps all, and the application is sent again as the same one", async () => {
  const { uploads } = await openScreen("/careers?tab=apply", question);
  await fillIn();
  await chooseFiles(file, resume);
  await page.getByLabelText("I am a human").click();
  await page.getByLabelText("What is 3 + 4?").fill("7");
  await submit.click();
  await expect.poll(() => uploads.length).toBe(1);
  uploads[0]?.lose();
  await says("Submission Failed");
  await says("There was an error submitting your application. Please try again.");
  await expect
    .element(page.getByRole("region", { name: "Network error. Please check your internet connection." }))
    .toHaveFocus();
  await expectKept();
  await says("resume.pdf");
  await submit.click();
  await expect.poll(() => uploads.length).toBe(2);
  uploads[1]?.answer(200, {});
  await says("Application Submitted");
  const sent = uploads.map(({ form }) => Object.fromEntries(form));
  expect(sent[0]).toMatchObject({ fullName: written["Full Name"], challenge: "a challenge", humanVerification: "7" });
  expect(sent[1]?.idempotencyKey).toBe(sent[0]?.idempotencyKey);
});
