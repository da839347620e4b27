import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { declareArrivedTexts, secondPersonTexts } from "#shared/second-person/texts.ts";
import {
  type Answers,
  dialog,
  fitsPhone,
  hasHeading,
  noConnection,
  openScreen,
  owner,
  press,
  serverFault,
  tells,
} from "#tests/support/app-screen.ts";
import { requestOf } from "#tests/support/screen-samples.ts";

/** The list of backers who say that they paid, under Payouts. */

const at = new Date("2026-11-20T09:00:00Z");
const said = {
  id: 7,
  backerName: "Efe Okoro",
  projectId: 3,
  projectTitle: "Snail farm at Epe",
  amountKobo: 470_000_000n,
  reference: "GONA-7K3P-9Q2M",
  status: "rejected" as const,
  rejectionReason: "Nothing came.",
  submittedAt: at,
  receiptSentAt: at,
  roundLots: 1,
  refundDue: null,
};
const list = { items: [said], nextCursor: null };
const link = {
  id: "1",
  url: "/files/receipts/1",
  contentType: "image/png",
  originalName: "transfer.png",
  sha256: "0".repeat(64),
  expiresAt: new Date("2099-01-01"),
};
const filled: Answers = { ...owner, "payments.saidPaid": list, "receipts.link": link };
const missing = { [link.url]: () => new Response(null, { status: 404 }) };
const address = "/admin/payouts?tab=said";
const look = () => press(`Look at receipt of ${said.backerName} for ${said.projectTitle}`);

test("the list says why nobody was paid, and asks for a second person with what was typed", async () => {
  const asked: unknown[] = [];
  const ask = (input: unknown) => {
    asked.push(input);
    return undefined;
  };
  await openScreen(address, { ...filled, "secondPerson.ask": ask }, missing);
  await expect.element(page.getByText("Nothing came.")).toBeVisible();
  await fitsPhone();
  await look();
  await expect.element(dialog.getByText("GONA-7K3P-9Q2M")).toBeVisible();
  await dialog.getByRole("button", { name: "Confirm that it arrived…" }).click();
  await expect.element(dialog.getByText(declareArrivedTexts.withoutLine, { exact: false })).toBeVisible();
  const amount = dialog.getByLabelText("Arrived at the bank");
  await expect.element(amount).toHaveValue("4,700,000");
  await expect.element(dialog.getByLabelText("Reason")).toHaveFocus();
  await amount.fill("4,700,001");
  const reason = dialog.getByLabelText("Reason");
  await reason.fill("Both of us saw it in the bank's app.");
  await dialog.getByRole("button", { name: "Send to another owner" }).click();
  await expect.element(dialog.getByText(declareArrivedTexts.tooMuch("₦4,700,000"))).toBeVisible();
  await amount.fill("4,700,000");
  await fitsPhone();
  await dialog.getByRole("button", { name: "Send to another owner" }).click();
  await tells(secondPersonTexts.asked);
  expect(asked).toEqual([
    {
      kind: "declare_arrived",
      details: { paymentId: 7, amountKobo: "470000000" },
      reason: "Both of us saw it in the bank's app.",
    },
  ]);
});

test("what was typed stays where the connection fails", async () => {
  await openScreen(address, { ...filled, "secondPerson.ask": noConnection }, missing);
  await look();
  await dialog.getByRole("button", { name: "Confirm that it arrived…" }).click();
  const reason = dialog.getByLabelText("Reason");
  await reason.fill("Both of us saw it in the bank's app.");
  await dialog.getByRole("button", { name: "Send to another owner" }).click();
  const form = dialog.getByRole("form", { name: "Declare money as arrived" });
  await expect.element(form.getByRole("alert")).toBeVisible();
  await expect.element(reason).toHaveValue("Both of us saw it in the bank's app.");
});

test("one that waits for a second person isn't asked for again; statements name the line instead", async () => {
  const request = requestOf({
    id: 1,
    kind: "declare_arrived" as const,
    askedBy: "Bola Ade",
    subject: "7",
    reason: "We saw it.",
    requestedAt: at,
    until: at,
    title: "Declare",
    projectId: 3,
    isOwn: false,
  });
  const answers = {
    ...filled,
    "payments.saidPaid": list,
    "secondPerson.list": { requests: [request] },
  };
  await openScreen(address, answers, missing);
  await look();
  await expect.element(dialog.getByText(/Another owner confirms it/)).toBeVisible();
  await expect.element(dialog.getByText(/Where a statement shows the transfer/)).toBeVisible();
  expect(dialog.getByRole("button", { name: "Confirm that it arrived…" }).query()).toBeNull();
});

test("the list may be empty, and may fail", async () => {
  const { answers } = await openScreen(address, { ...filled, "payments.saidPaid": serverFault });
  await hasHeading("Failed to fetch payments");
  answers["payments.saidPaid"] = { ...list, items: [] };
  await press("Try again");
  await hasHeading("Nobody waits for money that we haven't seen");
});
