import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { ownStrikeTexts } from "#shared/payments/own-strikes-texts.ts";
import { defaultTerms } from "#shared/projects/terms-texts.ts";
import { administratorsName } from "#shared/projects/texts.ts";
import {
  type Answers,
  alerts,
  backer,
  fitsPhone,
  hasHeading,
  noConnection,
  openScreen,
  press,
  refusal,
  says,
} from "#tests/support/app-screen.ts";
import { backedProject, createdAt, paymentPage } from "#tests/support/screen-samples.ts";

/** A backed project's page and its messages, where the server fails. */

const fault = refusal("internal", 500);
const messageOf = (id: number, content: string) => ({
  id,
  content,
  isMine: true,
  isPrivate: false,
  recipientName: null,
  wait: null,
  createdAt,
  sender: { label: "You" as const, name: null },
});
const filled: Answers = {
  ...backer,
  "backings.project": backedProject,
  "messages.list": { items: [messageOf(1, "When is the harvest?")], total: 1, sendsAs: "Backer" },
  "updates.list": { items: [], total: 0 },
  "payments.listMyPurchases": [],
  "harvests.mine": [],
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

test("a message only to the team is sent as such, and stays so through a reload", async () => {
  const sent: unknown[] = [];
  const { reload } = await openScreen(`${path}?tab=messages`, {
    ...filled,
    "messages.send": (input: unknown) => {
      sent.push(input);
      return { messageId: 2 };
    },
  });
  await box.fill("My account changed");
  await page.getByRole("checkbox", { name: "Only to the team" }).click();
  await expect.element(page.getByText("Only our team can read it, and answers you alone.")).toBeVisible();
  await reload();
  await expect.element(page.getByRole("checkbox", { name: "Only to the team" })).toBeChecked();
  await press("Send message");
  await says("Message sent successfully");
  expect(sent).toMatchObject([{ content: "My account changed", isPrivate: true }]);
  await expect.element(page.getByRole("checkbox", { name: "Only to the team" })).not.toBeChecked();
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
    items: [messageOf(2, "Once"), messageOf(1, "When is the harvest?")],
    total: 2,
    sendsAs: "Backer",
  };
  sent.resolve({ messageId: 2 });
  await expect.element(messages.first().filter({ hasText: /Once$/ })).toBeVisible();
  await says("Message sent successfully");
  expect(calls.filter((call) => call === "messages.send")).toHaveLength(1);
});

test("a project for its backers asks to sign in", async () => {
  const { path: shown } = await openScreen(path, { ...filled, "auth.viewer": null });
  await alerts("Authentication Required");
  await alerts("Please log in to access this project");
  await expect.poll(shown).toBe("/login");
});

test("a message is sent once, also where the answer was lost and the page was loaded anew", async () => {
  const keys: string[] = [];
  const { answers, reload } = await openScreen(`${path}?tab=messages`, {
    ...filled,
    "messages.send": ({ idempotencyKey }) => {
      keys.push(idempotencyKey);
      return noConnection;
    },
  });
  const text = "Dear team,\n\nmay I come on Saturday? 🐟";
  await box.fill(text);
  await press("Send message");
  await alerts("Failed to send message");
  await expect
    .element(page.getByText("Network error. Please check your internet connection. Your text is kept."))
    .toBeVisible();
  await expect.element(box).toHaveValue(text);
  await reload();
  await expect.element(box).toHaveValue(text);
  answers["messages.send"] = ({ idempotencyKey }) => {
    keys.push(idempotencyKey);
    return { messageId: 2 };
  };
  await press("Send message");
  await says("Message sent successfully");
  await expect.element(box).toHaveValue("");
  await reload();
  await expect.element(box).toHaveValue("");
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

test("a message is counted near its limit, and can't be sent over it or blank", async () => {
  const { calls } = await openScreen(`${path}?tab=messages`, filled);
  const send = page.getByRole("button", { name: "Send message" });
  const pressKeys = () => userEvent.keyboard("{Control>}{Enter}{/Control}");
  await box.fill("a".repeat(4499));
  await expect.element(page.getByText(/of 5,000 characters$/)).not.toBeInTheDocument();
  await box.fill("🐟".repeat(5000));
  await says("5,000 of 5,000 characters");
  await expect.element(send).toBeEnabled();
  await box.fill("🐟".repeat(5001));
  await says("5,001 of 5,000 characters");
  await says("Message cannot exceed 5,000 characters");
  await expect
    .element(box)
    .toHaveAccessibleDescription(expect.stringContaining("Message cannot exceed 5,000 characters"));
  await expect.element(send).toBeDisabled();
  await pressKeys();
  await fitsPhone();
  await box.fill(" \n\u200b ");
  await expect.element(send).toBeDisabled();
  await pressKeys();
  await box.fill("");
  expect(calls).not.toContain("messages.send");
});

test("livestreams that can't be loaded say so, and load on demand; there may be none", async () => {
  const { answers } = await openScreen(`${path}?tab=media`, {
    ...filled,
    "media.livestreams": fault,
    "media.gallery": { items: [], total: 0 },
  });
  await hasHeading("The livestreams could not be loaded.");
  answers["media.livestreams"] = { items: [], total: 0 };
  await page.getByRole("region", { name: "Livestreams" }).getByRole("button", { name: "Try again" }).click();
  await says("There is no livestream of this farm yet.");
  await fitsPhone();
});

test("a backer reads what they bought, and the terms they agreed to", async () => {
  const { clauses } = paymentPage.terms;
  const bought = {
    id: 7,
    status: "approved" as const,
    struckReason: null,
    siteTerms: null,
    lots: 3,
    amountKobo: 30_000_000n,
    reference: "GONA-ABCD-2345",
  };
  await openScreen(path, {
    ...filled,
    "payments.listMyPurchases": [
      {
        ...bought,
        arrivedKobo: 0n,
        restBy: null,
        lateText: null,
        submittedAt: createdAt,
        agreedAt: createdAt,
        terms: { version: 2, clauses, plan: defaultTerms(500) },
      },
      {
        ...bought,
        id: 8,
        status: "pending" as const,
        amountKobo: 1_120_000_000n,
        lots: 1,
        arrivedKobo: 500_000_000n,
        restBy: new Date(Date.now() + 86_400_000),
        lateText: null,
        submittedAt: createdAt,
        agreedAt: createdAt,
        terms: { version: 2, clauses, plan: defaultTerms(500) },
      },
    ],
  });
  const lots = page.getByRole("region", { name: "Your lots" });
  await expect.element(lots.getByText("3 lots")).toBeVisible();
  await expect.element(lots.getByText("₦5,000,000 of ₦11,200,000 has arrived.")).toBeVisible();
  await expect.element(lots.getByText(/^Send the rest with the same reference by/)).toBeVisible();
  await expect.element(lots.getByText("₦300,000")).toBeVisible();
  const risk = lots.getByText(/Nobody guarantees a return/).first();
  await expect.element(risk).not.toBeVisible();
  await lots.getByText("The terms you agreed to").first().click();
  await expect.element(risk).toBeVisible();
  await fitsPhone();
});

test("a payment that no longer counts says why, without its receipt", async () => {
  const { clauses } = paymentPage.terms;
  const reason = "The bank says that this transfer was never made.";
  const struck = {
    siteTerms: null,
    id: 7,
    status: "approved" as const,
    lots: 3,
    amountKobo: 30_000_000n,
    struckReason: reason,
  };
  const terms = { version: 2, clauses, plan: defaultTerms(500) };
  const arrival = { reference: "GONA-ABCD-2345", arrivedKobo: 0n, restBy: null, lateText: null };
  await openScreen(path, {
    ...filled,
    "payments.listMyPurchases": [{ ...struck, ...arrival, submittedAt: createdAt, agreedAt: createdAt, terms }],
  });
  const lots = page.getByRole("region", { name: "Your lots" });
  await expect.element(lots.getByText(ownStrikeTexts.label, { exact: true })).toBeVisible();
  await expect.element(lots.getByText(`${ownStrikeTexts.counts} ${ownStrikeTexts.reason(reason)}`)).toBeVisible();
  await expect.element(lots.getByRole("button", { name: "Payment receipt" })).not.toBeInTheDocument();
  await fitsPhone();
});

test("an administrators' project is by the site's team", async () => {
  await openScreen(path, { ...filled, "backings.project": { ...backedProject, creator: administratorsName } });
  await says("The Gona team");
});

test("whose payment was struck reads that they don't back it any more, with the way to their money", async () => {
  await openScreen(path, { ...filled, "backings.project": refusal("conflict", 409, ownStrikeTexts.backsNoMore) });
  await hasHeading("You don't back this project any more");
  await expect.element(page.getByText(ownStrikeTexts.backsNoMore)).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "See your money" }))
    .toHaveAttribute("href", "/profile?tab=money");
});
