import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { type Answers, hasHeading, openScreen, owner, press, serverFault } from "#tests/support/app-screen.ts";
import { contactMessage } from "#tests/support/screen-samples.ts";

/** The administrators' contact messages, where the server fails or has none. */

const { id, name, isRead, createdAt, message: excerpt } = contactMessage;
const filled: Answers = {
  ...owner,
  "contact.messages": { items: [{ id, name, isRead, createdAt, excerpt }], nextCursor: null },
  "contact.counts": { all: 1, unread: 0 },
  "contact.message": contactMessage,
};

test("say what could not be loaded or marked", async () => {
  const { answers } = await openScreen("/admin/messages", {
    ...filled,
    "contact.messages": serverFault,
    "contact.setRead": serverFault,
  });
  await hasHeading("Could not fetch contact messages");
  answers["contact.messages"] = filled["contact.messages"];
  await press("Try again");
  await page.getByRole("main").getByRole("list").getByRole("link").click();
  await page.getByRole("region", { name: "Message" }).getByRole("button", { name: "Mark as unread" }).click();
  await expect.element(page.getByText("Could not update the message")).toBeVisible();
});

test("may be none", async () => {
  await openScreen("/admin/messages", {
    ...filled,
    "contact.messages": { items: [], nextCursor: null },
    "contact.counts": { all: 0, unread: 0 },
  });
  await hasHeading("No messages yet");
});
