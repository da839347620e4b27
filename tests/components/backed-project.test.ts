import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { type Answers, backer, hasHeading, openScreen, press, refusal, says } from "#tests/support/app-screen.ts";
import { backedProject, createdAt } from "#tests/support/screen-samples.ts";

/** A backed project's page and its messages, where the server fails. */

const fault = refusal("internal", 500);
const messageOf = (id: number, content: string) => ({
  ...{ id, content, isMine: true, createdAt },
  sender: { label: "You" as const, name: null },
});
const filled: Answers = {
  ...backer,
  "backings.project": backedProject,
  "messages.list": { items: [messageOf(1, "When is the harvest?")], total: 1, sendsAs: "Backer" },
  "updates.list": { items: [], total: 0 },
};
const messages = page.getByRole("region", { name: "Messages" }).getByRole("article");
const box = page.getByLabelText("Your message");
const path = `/backed-project/${backedProject.id}`;

test.each([
  ["backings.project", "This project could not be loaded."],
  ["messages.list", "The messages could not be loaded."],
] as const)("%s that fails is told of, and asked for again on demand", async (procedure, text) => {
  const { answers } = await openScreen(`${path}?tab=messages`, { ...filled, [procedure]: fault });
  await hasHeading(text);
  Object.assign(answers, { [procedure]: filled[procedure] });
  await press("Try again");
  await expect.element(messages.filter({ hasText: /When is the harvest\?$/ })).toBeVisible();
});

test("updates that can't be had are told of, and asked for again on demand", async () => {
  const { answers } = await openScreen(path, { ...filled, "updates.list": fault });
  await hasHeading("The updates could not be loaded.");
  answers["updates.list"] = { items: [], total: 0 };
  await press("Try again");
  await hasHeading("No updates yet");
});

test("a message can't be changed or sent twice while it is on its way", async () => {
  const sent = Promise.withResolvers<{ messageId: number }>();
  const { answers, calls } = await openScreen(`${path}?tab=messages`, {
    ...filled,
    "messages.send": () => sent.promise,
  });
  await box.fill("Once");
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  await expect.element(page.getByRole("button", { name: "Send message" })).toBeDisabled();
  await userEvent.keyboard("{Control>}{Enter}{/Control}x");
  await expect.element(box).toHaveValue("Once");
  answers["messages.list"] = {
    ...{ items: [messageOf(2, "Once"), messageOf(1, "When is the harvest?")], total: 2, sendsAs: "Backer" },
  };
  sent.resolve({ messageId: 2 });
  await expect.element(messages.first().filter({ hasText: /Once$/ })).toBeVisible();
  await says("Message sent successfully");
  expect(calls.filter((call) => call === "messages.send")).toHaveLength(1);
});
