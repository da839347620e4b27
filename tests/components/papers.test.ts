import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { paperTexts } from "#shared/papers/texts.ts";
import {
  type Answers,
  alerts,
  backer,
  fitsPhone,
  hasHeading,
  openScreen,
  owner,
  press,
  refusal,
  says,
} from "#tests/support/app-screen.ts";
import { person } from "#tests/support/screen-samples.ts";

/** Papers: whether one is genuine, and a backer's own. */

type Verified = RouterOutputs["papers"]["verify"];
type Mine = RouterOutputs["papers"]["mine"];

const at = new Date("2026-11-23T09:00:00Z");
const code = "7K3P9Q2MXW4T8HRD";
const genuine: Verified = {
  kind: "receipt",
  code,
  number: "GR-2026-000123",
  amountKobo: 125_000_050n,
  issuedAt: at,
  replacedAt: null,
  books: { text: "Books 48,213 · 7f3a 91c0", isInChain: true },
};

const screen = (answer: Answers["papers.verify"]) => openScreen(`/verify/${code}`, { "papers.verify": answer });

test("a genuine paper is told with its kind, number, amount and day", async () => {
  const asked: unknown[] = [];
  await screen((input) => {
    asked.push(input);
    return genuine;
  });
  await says("This paper is genuine and valid");
  for (const words of ["Payment receipt", "GR-2026-000123", "₦1,250,000.50", "23 Nov 2026"])
    await expect.element(page.getByText(words, { exact: true })).toBeVisible();
  expect(asked[0]).toEqual({ code });
});

test("a paper says whether what it rests on is still in the books", async () => {
  await screen(genuine);
  await says("Books, unchanged since");
  await says("Books 48,213 · 7f3a 91c0");
  await screen({ ...genuine, books: { text: "Books 48,213 · 7f3a 91c0", isInChain: false } });
  await alerts("Our books were changed since this paper was made");
});

test("a paper that is no longer valid is told as genuine, with the day", async () => {
  await screen({ ...genuine, replacedAt: new Date("2026-11-25T09:00:00Z") });
  await says("This paper is genuine, but no longer valid");
  await says(
    "It is no longer valid since 25 Nov 2026: what it tells of was taken back, or a newer paper took its place.",
  );
});

test("a forged code is told in red, with what to do", async () => {
  await screen(refusal("not_found", 404, paperTexts.unknownCode));
  await alerts("We have no such paper");
  await expect.element(page.getByRole("link", { name: "tell us where you got it" })).toBeVisible();
  await fitsPhone();
});

test("a code is typed as it is printed; half a code is refused at the field", async () => {
  const { calls, path } = await openScreen("/verify", { "papers.verify": genuine });
  await page.getByLabelText("Code on the paper").fill("7K3P 9Q2M");
  await press("Check the code");
  await says(paperTexts.codeInvalid);
  expect(calls).not.toContain("papers.verify");
  await page.getByLabelText("Code on the paper").fill("7K3P 9Q2M XW4T 8HR!");
  await press("Check the code");
  expect(calls).not.toContain("papers.verify");
  await page.getByLabelText("Code on the paper").fill("7k3p-9q2m xw4t 8hrd");
  await press("Check the code");
  await says("This paper is genuine and valid");
  expect(path()).toBe(`/verify/${code}`);
});

test("what could not be asked is no forged paper", async () => {
  const { answers } = await screen(refusal("internal", 500));
  await hasHeading("We could not look for the paper.");
  Object.assign(answers, { "papers.verify": genuine });
  await press("Try again");
  await says("This paper is genuine and valid");
});

const paper: Mine["items"][number] = {
  id: 1,
  kind: "receipt",
  number: "GR-2026-000123",
  code,
  url: "/files/papers/1",
  amountKobo: 125_000_050n,
  about: "Snails of Ijebu",
  firstDay: null,
  lastDay: null,
  createdAt: at,
  replacedAt: null,
};

/** The papers stand folded below the money. */
async function profile(mine: Answers["papers.mine"], more: Answers = {}) {
  const screen = await openScreen("/profile?tab=money", {
    ...backer,
    "backings.mine": { items: [], nextCursor: null },
    "payeeAccounts.mine": {
      sums: { paidKobo: 0n, paidBackKobo: 0n, dueKobo: 0n },
      account: null,
      payouts: [],
      struck: [],
    },
    "papers.mine": mine,
    ...more,
  });
  await page.getByRole("heading", { name: "Papers" }).click();
  return screen;
}

test("a backer's papers stand under their money, each to download", async () => {
  await profile({ items: [{ ...paper, id: 2, replacedAt: at, number: "GR-2026-000122" }, paper], nextCursor: null });
  await expect.element(page.getByRole("button", { name: "Download GR-2026-000123" })).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Download GR-2026-000122" })).toBeVisible();
  await expect.element(page.getByText("No longer valid", { exact: true })).toBeVisible();
  await expect.element(page.getByText("Snails of Ijebu").first()).toBeVisible();
  await fitsPhone();
});

test("statements are told apart by their days", async () => {
  const statement = { ...paper, kind: "statement" as const, firstDay: "2025-01-01", lastDay: "2025-12-31" };
  const other = { ...statement, id: 2, number: "GA-2026-000002", firstDay: "2026-01-01", lastDay: "2026-11-23" };
  await profile({ items: [other, { ...statement, number: "GA-2026-000001" }], nextCursor: null });
  const rows = page.getByRole("listitem");
  await expect.element(rows.filter({ hasText: "GA-2026-000001" }).getByText("1 Jan 2025 to 31 Dec 2025")).toBeVisible();
  await expect.element(rows.filter({ hasText: "GA-2026-000002" }).getByText("1 Jan 2026 to 23 Nov 2026")).toBeVisible();
  await fitsPhone();
});

test("an owner comes from a person without papers to their statement", async () => {
  await openScreen(`/admin/user-projects/${person.id}`, {
    ...owner,
    "users.byId": { ...person, isAdmin: false, closedAt: null },
    "users.backedProjects": { items: [], nextCursor: null },
    "papers.list": { items: [], nextCursor: null },
  });
  await page.getByRole("main").getByRole("link", { name: "Papers", exact: true }).click();
  await hasHeading(`Statement of ${person.fullName}`);
  await hasHeading("No paper was found");
  await fitsPhone();
});

test("who has no papers reads which there will be; turned days are refused at the field", async () => {
  const { calls } = await profile({ items: [], nextCursor: null });
  await says("You have no papers yet. Receipts, refund notes and settlement statements appear here.");
  await page.getByLabelText("First day").fill("2026-12-31");
  await page.getByLabelText("Last day").fill("2026-01-01");
  await press("Make statement");
  await says(paperTexts.daysTurned);
  await page.getByLabelText("First day").fill("2020-12-01");
  await press("Make statement");
  await says(paperTexts.daysTooMany);
  expect(calls).not.toContain("papers.statement");
});

test("papers that can't be loaded are said, and loaded on demand", async () => {
  const { answers } = await profile(refusal("internal", 500));
  await hasHeading("Your papers could not be loaded.");
  Object.assign(answers, { "papers.mine": { items: [paper], nextCursor: null } });
  await press("Try again");
  await expect.element(page.getByRole("button", { name: "Download GR-2026-000123" })).toBeVisible();
});
