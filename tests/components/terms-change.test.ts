import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { consentTexts as texts } from "#shared/site/consent-texts.ts";
import {
  type Answers,
  backer,
  fitsPhone,
  openScreen,
  owner,
  press,
  refusal,
  says,
  serverFault,
  tells,
} from "#tests/support/app-screen.ts";
import { createdAt, paymentPage, project } from "#tests/support/screen-samples.ts";

/** Changed terms: the question on each page, what it stops on the payment page, and the words that were agreed to. */

const viewer = backer["auth.viewer"];
if (!viewer || typeof viewer === "function") throw new Error("the sample is a value");
const sha256 = "a".repeat(64);
const inForceFrom = new Date("2027-03-01T09:00:00+01:00");
const change: NonNullable<Exclude<Answers["site.openChange"], (...given: never[]) => unknown>> = {
  page: "terms",
  version: 3,
  inForceFrom,
  isInForce: true,
  changes: [{ version: 3, note: "Refunds take 14 days in place of 10." }],
  html: "<h2>Refunds</h2><p>We send a refund within 14 days.</p>",
  sha256,
};
const asked = (given: Partial<typeof change> = {}): Answers => {
  const open = { ...change, ...given };
  const { version, isInForce } = open;
  return { ...backer, "auth.viewer": { ...viewer, termsChange: { version, isInForce } }, "site.openChange": open };
};
const dialog = page.getByRole("dialog");
const words = dialog.getByText("We send a refund within 14 days.");

test("what changes is told on each page load, its words are read in place, and agreeing ends the question", async () => {
  const calls: unknown[] = [];
  const screen = await openScreen("/careers", {
    ...asked(),
    "site.agree": (input) => {
      calls.push(input);
      screen.answers["auth.viewer"] = { ...viewer, termsChange: null };
      return undefined;
    },
  });
  await expect.element(page.getByRole("dialog", { name: "Our terms changed on 1 Mar 2027" })).toBeVisible();
  await expect.element(dialog.getByText("Refunds take 14 days in place of 10.")).toBeVisible();
  await expect.element(dialog.getByText(/you can still read, choose, send receipts and be paid/)).toBeVisible();
  await dialog.getByRole("button", { name: texts.later }).last().click();
  await expect.element(dialog).not.toBeInTheDocument();
  await screen.reload();
  await expect.element(dialog.getByRole("button", { name: texts.read })).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(words).toBeVisible();
  await fitsPhone();
  await dialog.getByRole("button", { name: texts.agree }).click();
  await tells(texts.thanks);
  expect(calls).toEqual([{ version: 3, sha256 }]);
  await expect.element(dialog).not.toBeInTheDocument();
});

test("an announced change is asked about once, and puts nothing off before its day", async () => {
  const screen = await openScreen("/careers", asked({ isInForce: false }));
  await expect.element(page.getByRole("dialog", { name: "Our terms change on 1 Mar 2027" })).toBeVisible();
  await expect.element(dialog.getByText(/Until 1 Mar 2027 nothing changes for you/)).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog).not.toBeInTheDocument();
  await screen.reload();
  await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
});

test("words that changed while somebody read are shown anew, and nothing is kept", async () => {
  const screen = await openScreen("/careers", {
    ...asked(),
    "site.agree": () => {
      screen.answers["site.openChange"] = { ...change, version: 4, html: "<p>We send it within 21 days.</p>" };
      return refusal("conflict", 409, texts.changedMeanwhile);
    },
  });
  await dialog.getByRole("button", { name: texts.read }).click();
  await dialog.getByRole("button", { name: texts.agree }).click();
  await expect.element(dialog.getByText(texts.changedMeanwhile)).toBeVisible();
  await expect.element(dialog.getByText("We send it within 21 days.")).toBeVisible();
});

test("what can't be loaded is asked for again, or put off", async () => {
  const screen = await openScreen("/careers", { ...asked(), "site.openChange": () => serverFault });
  await expect.element(dialog.getByText(texts.changeFailed)).toBeVisible();
  screen.answers["site.openChange"] = change;
  await dialog.getByRole("button", { name: "Try again" }).click();
  await expect.element(dialog.getByText("Refunds take 14 days in place of 10.")).toBeVisible();
});

const payment: Answers = {
  "payments.open": { ...paymentPage, blockedBy: "terms", bankDetails: null, reference: null },
  "projects.byId": project,
  "updates.list": { items: [], total: 0 },
  "media.gallery": { items: [], total: 0 },
  "favorites.ids": [],
};

test("the tick names the site's terms, and opens what is agreed to", async () => {
  await openScreen("/back-project/1", { ...backer, ...payment });
  const link = page.getByRole("link", { name: "the site's terms, version 3" });
  await expect.element(link).toHaveAttribute("href", "/terms");
  await fitsPhone();
});

test("whoever put the change off reads on the payment page why they can't buy, and agrees there", async () => {
  const screen = await openScreen("/back-project/1", {
    ...asked(),
    ...payment,
    "site.agree": () => {
      screen.answers["auth.viewer"] = { ...viewer, termsChange: null };
      return undefined;
    },
  });
  await dialog.getByRole("button", { name: texts.later }).last().click();
  await says(texts.agreeFirstHint);
  await expect.element(page.getByRole("button", { name: "Show the bank details" })).not.toBeInTheDocument();
  await fitsPhone();
  await press(texts.lookFirst);
  await dialog.getByRole("button", { name: texts.agree }).click();
  await expect.element(page.getByRole("button", { name: "Show the bank details" })).toBeVisible();
});

const agreement = { id: 7, kind: "sign_up" as const, page: "terms" as const, version: 2, sha256, agreedAt: createdAt };

test("the account page shows what was agreed to, and the words of then", async () => {
  const screen = await openScreen("/profile/account", backer);
  await says(texts.noneOfYours);
  screen.answers["site.ownAgreements"] = [agreement];
  screen.answers["site.agreedText"] = { page: "terms", version: 2, html: "<p>The words of 2026.</p>" };
  await screen.reload();
  await page.getByRole("button", { name: /^Terms of Service, version 2, .*when signing up$/ }).click();
  await expect.element(dialog.getByText("The words of 2026.")).toBeVisible();
  await fitsPhone();
});

test("an administrator finds at the person what they agreed to", async () => {
  const user = {
    id: "00000000-0000-4000-8000-000000000001",
    fullName: "Ada Obi",
    email: "ada@example.com",
    createdAt,
    lastActivityAt: null,
    isBlocked: false,
  };
  await openScreen(`/admin/user-projects/${user.id}`, {
    ...owner,
    "users.byId": user as never,
    "users.backedProjects": { items: [], nextCursor: null },
    "site.agreements": [agreement],
  });
  await says("What they agreed to");
  await expect.element(page.getByRole("button", { name: /^Terms of Service, version 2/ })).toBeVisible();
});
