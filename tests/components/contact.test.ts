import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { noConnection, openScreen, refusal, says } from "#tests/support/app-screen.ts";

test("a question of the human check that can't be loaded is asked again on demand", async () => {
  const { answers } = await openScreen("/contact", { "auth.humanCheck": noConnection });
  await page.getByLabelText("I am not a robot").click();
  await expect.element(page.getByText("The question could not be loaded.")).toBeVisible();
  answers["auth.humanCheck"] = { first: 3, second: 4, challenge: "a challenge" };
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.element(page.getByLabelText("What is 3 + 4?")).toBeVisible();
});

const send = page.getByRole("button", { name: "Send Message" });
const summary = page.getByRole("region", { name: "There is a problem" });
const question = { first: 3, second: 4, challenge: "a challenge" };
const written = {
  Name: "Ọlá O'Neil",
  Email: "ola@example.com",
  Phone: "+234 803 000 0000",
  Message: "May I visit the snail farm on Saturday?",
};

async function expectFault(label: string, text: string) {
  await expect.element(summary.getByRole("button", { name: text, exact: true })).toBeVisible();
  await expect.element(page.getByLabelText(label, { exact: true })).toHaveAccessibleDescription(text);
}

test("an empty form says all that is missing, at the fields and above them", async () => {
  const { calls } = await openScreen("/contact", { "auth.humanCheck": question });
  await send.click();
  await expectFault("Name", "Name must be at least 2 characters");
  await expectFault("Email", "Valid email is required");
  await expectFault("Phone", "Phone number must be at least 5 characters");
  await expectFault("Message", "Message must be at least 10 characters");
  const check = page.getByText("Please confirm you are not a robot", { exact: true });
  await expect.poll(() => check.elements().length).toBe(2);
  expect(calls).not.toContain("contact.send");
  await expect.element(summary).toHaveFocus();
  // Each leads to its field.
  await summary.getByRole("button", { name: "Valid email is required" }).click();
  const email = page.getByLabelText("Email", { exact: true });
  await expect.element(email).toHaveFocus();
  await email.fill("ada@example.com");
  await expect.element(page.getByText("Valid email is required").first()).not.toBeInTheDocument();
});

const box = page.getByLabelText("I am not a robot");

async function fillIn() {
  for (const [name, value] of Object.entries(written)) await page.getByLabelText(name, { exact: true }).fill(value);
}

async function expectKept() {
  for (const [name, value] of Object.entries(written))
    await expect.element(page.getByLabelText(name, { exact: true })).toHaveValue(value);
}

test("each ticking asks anew, and unticking clears the answer", async () => {
  const { answers } = await openScreen("/contact", { "auth.humanCheck": question });
  await box.click();
  await page.getByLabelText("What is 3 + 4?").fill("7");
  await box.click();
  await expect.element(page.getByLabelText(/^What is/)).not.toBeInTheDocument();
  answers["auth.humanCheck"] = { first: 5, second: 6, challenge: "another challenge" };
  await box.click();
  await expect.element(page.getByLabelText("What is 5 + 6?")).toHaveValue("");
});

test("an expired question gives way to a new one, and nothing is lost", async () => {
  const text = "This question has expired. Please answer the new one.";
  const { answers } = await openScreen("/contact", {
    "auth.humanCheck": question,
    "contact.send": refusal("invalid", 400, text, {
      fields: { humanVerification: [text] },
      details: { humanCheck: "expired" },
    }),
  });
  await fillIn();
  await box.click();
  await page.getByLabelText("What is 3 + 4?").fill("7");
  answers["auth.humanCheck"] = { first: 5, second: 6, challenge: "another challenge" };
  await send.click();
  await expect.element(summary.getByRole("button", { name: text })).toBeVisible();
  await expect.element(page.getByLabelText("What is 5 + 6?")).toHaveValue("");
  await expectKept();
  answers["contact.send"] = ({ challenge }) =>
    challenge === "another challenge" ? undefined : refusal("invalid", 400);
  await page.getByLabelText("What is 5 + 6?").fill("11");
  await send.click();
  await says("Message sent!");
});

test("a lost connection keeps the form, and the message is sent again as the same one, also after a reload", async () => {
  const keys: string[] = [];
  const { answers, reload } = await openScreen("/contact", {
    "auth.humanCheck": question,
    "contact.send": ({ idempotencyKey }) => {
      keys.push(idempotencyKey);
      return noConnection;
    },
  });
  const answer = async () => {
    await box.click();
    await page.getByLabelText("What is 3 + 4?").fill("7");
    await send.click();
  };
  await fillIn();
  await answer();
  await expect
    .element(page.getByRole("region", { name: "Network error. Please check your internet connection." }))
    .toHaveFocus();
  await expect.element(page.getByText("Everything you wrote is still here.")).toBeVisible();
  await expectKept();
  await reload();
  await expectKept();
  answers["contact.send"] = ({ idempotencyKey }) => {
    keys.push(idempotencyKey);
    return undefined;
  };
  await answer();
  await says("Message sent!");
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});
