import { expect, test } from "vitest";
import { page } from "vitest/browser";
import {
  type Answers,
  alerts,
  fitsPhone,
  hasHeading,
  openScreen,
  owner,
  press,
  refusal,
  says,
  serverFault,
} from "#tests/support/app-screen.ts";

/** The books' screen: balances, what they are made of, and the months. */

const accounts = [
  { account: "bank" as const, broughtForward: 100_000n, in: 50_025n, out: 25n, balance: 150_000n },
  { account: "project_funding" as const, broughtForward: -100_000n, in: 25n, out: 50_025n, balance: -150_000n },
];
const closing = {
  month: "2026-10-01",
  lastEntryId: 1204,
  entries: 1204,
  hash: "7f3a91c0".repeat(8),
  createdAt: new Date("2026-11-01T08:00:00Z"),
  closedBy: "Amaka Obi",
  paper: { number: "GC-2026-000003", url: "/files/papers/7" },
};
const next = { month: "2026-11", from: new Date("2026-11-30T23:10:00Z"), isOpen: true };
const books: Answers = {
  ...owner,
  "books.trialBalance": { on: "2026-11-30", accounts },
  "books.closings": { closings: [closing], next },
};
const screen = (over: Answers = {}, query = "?on=2026-11-30") =>
  openScreen(`/admin/books${query}`, { ...books, ...over });

test("the trial balance names each account with its figures, and sums to zero", async () => {
  await screen();
  const table = page.getByRole("table", { name: "Trial balance" });
  await expect
    .element(table.getByRole("row").nth(1))
    .toHaveTextContent("Money at the bank₦1,000.00₦500.25₦0.25₦1,500.00");
  await expect.element(table.getByRole("row").nth(3)).toHaveTextContent("All accounts₦0.00₦500.50₦500.50₦0.00");
  await expect.element(page.getByText("from 1 Nov 2026 to 30 Nov 2026", { exact: false })).toBeVisible();
  await fitsPhone();
});

test("an account's entries open beside it, page by page", async () => {
  const entry = { kind: "approval" as const, amountKobo: 25n, reference: "GONA-7K3P-9Q2M", title: "Ponds at Epe" };
  const asked: unknown[] = [];
  await screen({
    "books.entries": (input) => {
      asked.push(input);
      const [id, nextCursor] = input.cursor ? ([1, null] as const) : ([2, "more"] as const);
      return { items: [{ ...entry, id, at: new Date("2026-11-20T09:00:00Z") }], nextCursor };
    },
  });
  await press("Owed to rounds");
  for (const figure of ["-₦1,000.00", "₦500.25", "-₦1,500.00"])
    await expect.element(page.getByRole("dialog").getByText(figure, { exact: true })).toBeVisible();
  await says("GONA-7K3P-9Q2M");
  await press("Load more entries");
  await says("2 entries shown");
  expect(asked).toMatchObject([{ account: "project_funding", on: "2026-11-30" }, { cursor: "more" }]);
});

test("the next month is closed once it was asked for, and the list told anew", async () => {
  const { calls } = await screen({ "books.close": { id: 9, number: "GC-2026-000004", userId: null } });
  await press("Close November 2026");
  await says("It can't be opened again. Whatever is posted later belongs to a later month.");
  expect(calls).not.toContain("books.close");
  await page.getByRole("dialog").getByRole("button", { name: "Close November 2026" }).click();
  await says("November 2026 is closed");
  await expect.poll(() => calls.filter((call) => call === "books.closings").length).toBeGreaterThan(1);
});

test("a closing that is refused says why", async () => {
  await screen({ "books.close": refusal("conflict", 409, "November 2026 is closed already.") });
  await press("Close November 2026");
  await page.getByRole("dialog").getByRole("button", { name: "Close November 2026" }).click();
  await alerts("November 2026 was not closed");
});

test("a month that isn't over says from when on it can be closed", async () => {
  await screen({ "books.closings": { closings: [], next: { ...next, isOpen: false } } });
  await says("November 2026 can be closed from 1 Dec 2026, 00:10 WAT on.");
  await says("No month is closed yet");
});

test("books that can't be fetched are said to be so", async () => {
  await screen({ "books.trialBalance": serverFault, "books.closings": serverFault });
  await hasHeading("The trial balance could not be loaded.");
});
