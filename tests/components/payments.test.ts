import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import {
  type Answers,
  alerts,
  dialog,
  hasHeading,
  noConnection,
  openScreen,
  owner,
  press,
  refusal,
  serverFault,
  tells,
} from "#tests/support/app-screen.ts";
import { payment } from "#tests/support/screen-samples.ts";

/** The administrators' payments, where the server isn't reached, fails or has none. */

const other = { ...payment, id: 2, backerName: "Efe Okoro" };
const none = { items: [], nextCursor: null, canProcess: true };
const link = {
  ...{ id: "1", url: "/files/receipts/1", contentType: "image/png", originalName: "transfer.png" },
  ...{ sha256: "0".repeat(64), expiresAt: new Date("2099-01-01") },
};
const filled: Answers = {
  ...owner,
  "payments.list": { ...none, items: [payment, other] },
  "payments.projects": { items: [] },
  "receipts.link": link,
};
const statusOf = ({ backerName }: typeof payment) =>
  page.getByRole("row").filter({ hasText: backerName }).getByRole("combobox");
const viewReceipt = () => press(`View Receipt of ${payment.backerName} for ${payment.projectTitle}`);

test("the reason stays where the connection fails", async () => {
  await openScreen("/admin/payments?status=pending", { ...filled, "payments.setStatus": noConnection });
  await statusOf(payment).selectOptions("rejected");
  const reason = dialog.getByLabelText("Reason (optional)");
  await reason.fill("Cut off.");
  await dialog.getByRole("button", { name: "Reject payment" }).click();
  await expect.element(dialog.getByRole("alert").filter({ hasText: /Failed to update payment status/ })).toBeVisible();
  await expect.element(reason).toHaveValue("Cut off.");
});

test("every dropdown is locked while one status is set", async () => {
  const set = Promise.withResolvers<{ paymentId: number; projectId: number; status: "approved" }>();
  const { answers } = await openScreen("/admin/payments", { ...filled, "payments.setStatus": () => set.promise });
  await statusOf(payment).selectOptions("approved");
  await dialog.getByRole("button", { name: "Approve payment" }).click();
  for (const one of [payment, other]) await expect.element(statusOf(one)).toBeDisabled();
  answers["payments.list"] = { ...none, items: [other] };
  set.resolve({ paymentId: payment.id, projectId: 1, status: "approved" });
  await tells("Payment status updated to approved");
  await expect.element(statusOf(other)).toBeEnabled();
});

test("a receipt's file that isn't there is said to be so, also by the download", async () => {
  await openScreen("/admin/payments", filled, { [link.url]: () => new Response(null, { status: 404 }) });
  await viewReceipt();
  await expect.element(dialog.getByText("Could not load receipt image")).toBeVisible();
  await dialog.getByRole("button", { name: "Download Receipt" }).click();
  await alerts("Download Failed");
});

test("a receipt's file that is no picture is said to be so", async () => {
  await openScreen("/admin/payments", filled, { [link.url]: () => new Response("no picture") });
  await viewReceipt();
  await alerts("Image Error");
  await expect.element(dialog.getByText("Could not load receipt image")).toBeVisible();
});

test.each([
  ["fails", serverFault, "Could not access receipt image"],
  ["has none", refusal("not_found", 404), "No receipt available for this payment"],
] as const)("a receipt that the server %s is told of", async (_, answer, text) => {
  await openScreen("/admin/payments", { ...filled, "receipts.link": answer });
  await viewReceipt();
  await expect.element(dialog.getByText(text)).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog).not.toBeInTheDocument();
});

test("payments that can't be fetched come with another try", async () => {
  const { answers } = await openScreen("/admin/payments", { ...filled, "payments.list": serverFault });
  await hasHeading("Failed to fetch payments");
  answers["payments.list"] = filled["payments.list"];
  await press("Try again");
  await expect.element(statusOf(payment)).toBeVisible();
});

test("there may be none, of a status or at all", async () => {
  await openScreen("/admin/payments?status=pending", { ...filled, "payments.list": none });
  await hasHeading("No pending payments");
  await page.getByRole("link", { name: "Show all payments" }).click();
  await hasHeading("No payments yet");
});
