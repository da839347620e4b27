import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { formatDate } from "#shared/dates.ts";
import { ownStrikeTexts } from "#shared/payments/own-strikes-texts.ts";
import { payeeAccountTexts, ownMoneyTexts as texts } from "#shared/payouts/payee-accounts-texts.ts";
import {
  type Answers,
  alerts,
  backer,
  fitsPhone,
  hasHeading,
  onPhone,
  openScreen,
  press,
  refusal,
  says,
} from "#tests/support/app-screen.ts";

/** The tab Money of a backer's profile. */

type MyMoney = RouterOutputs["payeeAccounts"]["mine"];
type OwnPayout = MyMoney["payouts"][number];

const at = new Date("2026-11-23T09:00:00Z");
const sums = { paidKobo: 0n, paidBackKobo: 0n, dueKobo: 0n };
const account = {
  masked: "Access Bank ••• 6789",
  bankCode: "044",
  accountName: "OBI ADA",
  usableFrom: new Date("2026-11-25T09:00:00Z"),
  isUsable: false,
};
const waiting: OwnPayout = {
  id: 1,
  kind: "refund",
  state: "waiting",
  projectTitle: "Giant snails",
  amountKobo: 470_000_000n,
  createdAt: at,
  promisedBy: null,
  sentAt: null,
  paidAt: null,
  failedAt: null,
  reference: "GP-7K3P-9Q2M",
  isOverdue: false,
  paidTo: null,
  returnedFor: null,
  failedBefore: null,
  isRefused: false,
  isWithheld: false,
  isStruck: false,
};
const due: OwnPayout = { ...waiting, state: "due", promisedBy: new Date("2026-11-27T23:00:00Z") };
const sent: OwnPayout = { ...due, id: 2, state: "sent", paidTo: account.masked, sentAt: new Date("2026-11-27T09:00Z") };

const screen = (mine: Omit<MyMoney, "struck"> & Partial<MyMoney>, more: Answers = {}) =>
  openScreen("/profile?tab=money", {
    ...backer,
    "backings.mine": { items: [], nextCursor: null },
    "payeeAccounts.mine": { struck: [], ...mine },
    "papers.mine": { items: [], nextCursor: null },
    ...more,
  });

async function fillIn(): Promise<void> {
  await page.getByLabelText("Bank", { exact: true }).selectOptions("Access Bank");
  await page.getByLabelText("Account number").fill("0690 000 032");
  await page.getByLabelText("Account name").fill("Ada Obi");
  await page.getByLabelText("Current Password").fill("Catfish-Pond-42");
}

test("says in a line what was paid, what was paid back and what is due", async () => {
  const moved = { paidKobo: 418_000_000n, paidBackKobo: 35_308_477n, dueKobo: 26_000_000n };
  await screen({ sums: moved, account: null, payouts: [] });
  for (const [name, sum] of [
    ["Paid", "₦4,180,000"],
    ["Paid back", "₦353,084.77"],
    ["Due", "₦260,000"],
  ] as const) {
    const term = page.getByRole("term").filter({ hasText: new RegExp(`^${name}$`) });
    await expect.element(term).toBeVisible();
    await expect.element(page.getByRole("definition").filter({ hasText: sum })).toBeVisible();
  }
  await fitsPhone();
});

test("says what could not be loaded, and loads it on demand", async () => {
  const { answers } = await screen(
    { sums, account: null, payouts: [] },
    { "payeeAccounts.mine": refusal("internal", 500) },
  );
  await hasHeading("Your money could not be loaded.");
  Object.assign(answers, { "payeeAccounts.mine": { struck: [], sums, account: null, payouts: [] } });
  await press("Try again");
  await hasHeading(texts.nothing);
  await expect.element(page.getByRole("button", { name: "Give an account" })).toBeVisible();
});

test("money that waits asks for an account at once, and follows it", async () => {
  const { answers } = await screen(
    { sums, account: null, payouts: [waiting] },
    {
      "payeeAccounts.check": { isNameUnlike: false, isNumberUnusual: false },
      "payeeAccounts.set": undefined,
    },
  );
  await says("₦4,700,000 will be returned to you. Tell us where to.");
  await fillIn();
  Object.assign(answers, { "payeeAccounts.mine": { struck: [], sums, account, payouts: [due] } });
  await press("Save account");
  await says(payeeAccountTexts.saved);
  await says("Access Bank ••• 6789. In the payment run of Friday, 27 Nov 2026, at the latest.");
  await says(texts.resting("25 Nov 2026, 10:00 WAT"));
});

test("what is unusual is said before it is used anyway; a refusal keeps what was typed", async () => {
  const { answers, calls } = await screen(
    { sums, account: null, payouts: [waiting] },
    {
      "payeeAccounts.check": { isNameUnlike: true, isNumberUnusual: true },
      "payeeAccounts.set": refusal("invalid", 400, "Wrong password", {
        fields: { currentPassword: ["Wrong password"] },
      }),
    },
  );
  await fillIn();
  await press("Save account");
  await says(payeeAccountTexts.checkDigit);
  await says(payeeAccountTexts.ownNameUnlike);
  expect(calls).not.toContain("payeeAccounts.set");
  await press("Use it anyway");
  await says("Wrong password");
  await expect.element(page.getByLabelText("Account number")).toHaveValue("0690 000 032");
  Object.assign(answers, { "payeeAccounts.set": refusal("conflict", 409, payeeAccountTexts.unchanged) });
  await press("Use it anyway");
  await alerts(payeeAccountTexts.unchanged);
  // Another account is checked again.
  await page.getByLabelText("Account name").fill("Ada O");
  await expect.element(page.getByRole("button", { name: "Save account" })).toBeVisible();
});

test("nothing is sent with a wrong number or without a bank", async () => {
  const { calls } = await screen({ sums, account: null, payouts: [waiting] });
  await page.getByLabelText("Account number").fill("123");
  await press("Save account");
  for (const text of [payeeAccountTexts.bankMissing, payeeAccountTexts.numberInvalid, payeeAccountTexts.nameInvalid]) {
    await expect.element(page.getByText(text, { exact: true }).last()).toBeVisible();
  }
  expect(calls).not.toContain("payeeAccounts.check");
});

test("each state says where the money is", async () => {
  const paid: OwnPayout = { ...sent, id: 3, state: "paid", paidAt: new Date("2026-11-28T09:00:00Z") };
  const failed: OwnPayout = { ...sent, id: 4, state: "failed", failedAt: at, returnedFor: "name differs" };
  const late: OwnPayout = { ...due, id: 5, isOverdue: true };
  const lateInRun: OwnPayout = { ...late, id: 7, state: "in_run", paidTo: account.masked };
  const inRun: OwnPayout = { ...due, id: 6, state: "in_run", paidTo: account.masked };
  const payouts = [due, late, inRun, lateInRun, sent, paid, failed];
  await screen({ sums, account: { ...account, isUsable: true }, payouts });
  for (const heading of ["Due to you", "On its way", "Paid", "Came back"]) await hasHeading(heading);
  const overdue =
    "Access Bank ••• 6789. We promised to send it by Friday, 27 Nov 2026, and have not. We are sorry. Our team is reminded every day until it is sent.";
  await expect.poll(() => page.getByText(overdue, { exact: true }).elements()).toHaveLength(2);
  await expect.poll(() => page.getByText("Late", { exact: true }).elements()).toHaveLength(2);
  await says(
    "Access Bank ••• 6789. In a payment run that our team is checking. It is sent by Friday, 27 Nov 2026, at the latest.",
  );
  await says("Access Bank ••• 6789. Sent 27 Nov 2026, reference GP-7K3P-9Q2M.");
  await says("Access Bank ••• 6789. Paid 28 Nov 2026, reference GP-7K3P-9Q2M.");
  await says("Access Bank ••• 6789. 23 Nov 2026. Your bank gave it back: name differs. It is due to you again.");
  await expect.element(page.getByRole("button", { name: "Change account" })).toBeVisible();
  await fitsPhone();
});

test("money that came back asks to check the account", async () => {
  const again: OwnPayout = { ...waiting, failedBefore: { returnedFor: "name differs", isRefused: false } };
  await screen({ sums, account: null, payouts: [again] });
  await says("₦4,700,000 will be returned to you.");
  await says("Your bank gave the money back (name differs). Please check the account.");
});

test("money that our bank refused is due again, and no account is asked for; what is withheld says so", async () => {
  const again: OwnPayout = { ...due, failedBefore: { returnedFor: null, isRefused: true } };
  const refused: OwnPayout = { ...sent, id: 3, state: "failed", failedAt: at, isRefused: true };
  const withheld: OwnPayout = { ...due, id: 4, isWithheld: true };
  await screen({ sums, account, payouts: [again, withheld, refused] });
  await says("Access Bank ••• 6789. In the payment run of Friday, 27 Nov 2026, at the latest.");
  await hasHeading("Not sent");
  await expect.element(page.getByRole("heading", { name: "Came back" })).not.toBeInTheDocument();
  await expect.element(page.getByText(/We are looking at this payout before we send it\./)).toBeVisible();
  await expect
    .element(page.getByText(/Our bank did not take our file, so nothing left\. It is due to you again\.$/))
    .toBeVisible();
  await expect.element(page.getByText(/check the account/)).not.toBeInTheDocument();
});

test("on a small phone every tab is in sight, and references stay in one piece", async () => {
  await screen({
    sums,
    account: { ...account, isUsable: true },
    payouts: [{ ...sent, reference: "GP-7K3P-9Q2M 1/3" }],
  });
  await says("Access Bank ••• 6789. Sent 27 Nov 2026, reference GP-7K3P-9Q2M 1/3.");
  await onPhone(async () => {
    const tab = page.getByRole("tab", { name: "Money" }).element();
    await expect.poll(() => tab.getBoundingClientRect().right).toBeLessThanOrEqual(360);
    const references = document.querySelectorAll("main .reference");
    expect([...references].map(({ textContent }) => textContent)).toEqual(["GP-7K3P-9Q2M 1/3", "GP-7K3P-9Q2M 1/3"]);
    for (const reference of references) expect(reference.getClientRects()).toHaveLength(1);
  });
});

test("money of a harvest is paid, not returned", async () => {
  const harvest: OwnPayout = { ...waiting, kind: "harvest", amountKobo: 94_237_772n };
  const { answers, reload } = await screen({ sums, account: null, payouts: [harvest] });
  await says("₦942,377.72 of your harvest will be paid to you. Tell us where to.");
  await says("Harvest, Giant snails, GP-7K3P-9Q2M");
  await expect.element(page.getByText(/returned/)).not.toBeInTheDocument();
  answers["payeeAccounts.mine"] = { struck: [], sums, account: null, payouts: [harvest, { ...waiting, id: 2 }] };
  await reload();
  await says("₦5,642,377.72 will be paid to you. Tell us where to.");
  await says("₦4,700,000 will be returned to you. Tell us where to.");
});

test("what an account is asked for comes with another try where it can't be loaded", async () => {
  const { answers } = await screen(
    { sums, account: null, payouts: [waiting] },
    { "users.account": refusal("internal", 500) },
  );
  await hasHeading("This could not be loaded");
  Object.assign(answers, { "users.account": backer["users.account"] });
  await press("Try again");
  await expect.element(page.getByLabelText("Account number")).toBeVisible();
});

test("a payment that no longer counts says why, and what came back of its harvest isn't paid again", async () => {
  const reason = "The bank says that this transfer was never made.";
  const struck = { id: 4, projectTitle: "Giant snails", amountKobo: 20_000_000n, reference: "GONA-ABCD-2345" };
  const cameBack: OwnPayout = {
    ...sent,
    kind: "harvest",
    state: "failed",
    failedAt: at,
    returnedFor: "account closed",
    isStruck: true,
  };
  await screen({ sums, account: null, payouts: [cameBack], struck: [{ ...struck, struckAt: at, reason }] });
  await hasHeading("Payments that no longer count");
  await says(ownStrikeTexts.reason(reason));
  await says(
    `Access Bank ••• 6789. ${formatDate(at)}. Your bank gave it back: account closed. ${ownStrikeTexts.notDue}`,
  );
  await fitsPhone();
});
