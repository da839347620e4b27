import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { openScreen } from "#tests/support/app-screen.ts";

/** What the form of an application says of what is written in it. */

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

test.each([
  ["Full Name", "A", "Full name is required"],
  ["Email", "ngozi@", "Valid email is required"],
  ["Phone", "080300000", "Valid phone number is required"],
  ["Cover Letter (optional)", "x".repeat(5001), "Cover letter cannot exceed 5000 characters"],
])("says what is wrong with %s", async (label, text, fault) => {
  await openScreen("/careers?tab=apply", question);
  for (const [name, value] of Object.entries({ ...written, [label]: text }))
    await page.getByLabelText(name, { exact: true }).fill(value);
  await submit.click();
  await expectFault(label, fault);
});
