import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { paymentTexts } from "#shared/payments/texts.ts";
import {
  type Answers,
  dialog,
  fitsPhone,
  hasHeading,
  openScreen,
  owner,
  press,
  refusal,
} from "#tests/support/app-screen.ts";
import { payment } from "#tests/support/screen-samples.ts";

/** The list of payments: its marks, its search and filters, and the refusal of a payment that changed meanwhile. */

const list = { nextCursor: null, canProcess: true, isBankKnown: false, unseenLimit: null };
const filled: Answers = {
  ...owner,
  "payments.list": { ...list, items: [payment] },
  "payments.statusCounts": { pending: 1, approved: 0, rejected: 0, late: 0 },
  "payments.projects": { items: [{ id: 1, title: payment.projectTitle }] },
  "receipts.link": refusal("not_found", 404),
};
const row = (text: string) => page.getByRole("row").filter({ hasText: text });

test("a payment whose project and account are gone says where its refund goes", async () => {
  const gone = {
    ...payment,
    projectId: null,
    projectTitle: "Unknown",
    backerName: "Unknown",
    isAccountClosed: true,
    refundDue: "project_removed" as const,
    refundContact: "leaving@example.com",
  };
  await openScreen("/admin/payments?status=all", { ...filled, "payments.list": { ...list, items: [gone] } });
  await expect.element(row(payment.reference).getByText("Project removed, refund due")).toBeVisible();
  await expect.element(page.getByText("Refund contact: leaving@example.com").first()).toBeVisible();
  await expect.element(page.getByRole("button", { name: `Copy reference ${payment.reference}` })).toBeVisible();
  await page
    .getByRole("button", { name: /^View Receipt/ })
    .first()
    .click();
  await expect
    .element(dialog.getByText("The backer closed the account. Refund contact:", { exact: false }))
    .toBeVisible();
  await fitsPhone();
});

test("a receipt that was used before leads to the payments that share it", async () => {
  const twin = { ...payment, receipt: payment.receipt && { ...payment.receipt, isUsedBefore: true } };
  const other = { ...twin, id: 2, backerName: "Efe Okoro" };
  const { path } = await openScreen("/admin/payments?status=pending", {
    ...filled,
    "payments.list": ({ sameReceiptAs }) => ({ ...list, items: sameReceiptAs ? [twin, other] : [twin] }),
  });
  await expect.element(row(payment.backerName).getByText("Receipt used before")).toBeVisible();
  await press(`View Receipt of ${payment.backerName} for ${payment.projectTitle}`);
  await expect.element(dialog.getByText("This receipt's file was used before")).toBeVisible();
  await expect.element(dialog.getByText(/^Efe Okoro for Ponds at Epe, .*: pending$/)).toBeVisible();
  await dialog.getByRole("link", { name: "Show these payments" }).click();
  await expect.element(page.getByText("Payments that share a receipt's file")).toBeVisible();
  await expect.element(row("Efe Okoro")).toBeVisible();
  expect(path()).toBe("/admin/payments");
});

test("who may only look sees the receipt's payment without a way to decide", async () => {
  await openScreen("/admin/payments?status=pending", {
    ...filled,
    "payments.list": { ...list, items: [payment], canProcess: false },
  });
  await expect.element(row(payment.backerName).getByText("Pending", { exact: true })).toBeVisible();
  expect(page.getByRole("table").getByRole("combobox").elements()).toEqual([]);
  await press(`View Receipt of ${payment.backerName} for ${payment.projectTitle}`);
  await expect.element(dialog.getByText("Expected amount")).toBeVisible();
  await expect.element(dialog.getByText("₦4,700,000").first()).toBeVisible();
  expect(dialog.getByRole("button", { name: /Approve|Reject/ }).elements()).toEqual([]);
});

test("what changed meanwhile is refused and shown anew, after a question that says what follows", async () => {
  const { answers } = await openScreen("/admin/payments?status=pending", {
    ...filled,
    "payments.setStatus": refusal("conflict", 409, paymentTexts.changed),
  });
  const status = row(payment.backerName).getByRole("combobox");
  await status.selectOptions("approved");
  await expect.element(dialog.getByText("The project closes to other backers.")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.element(status).toHaveValue("pending");
  await status.selectOptions("rejected");
  answers["payments.list"] = { ...list, items: [] };
  await dialog.getByRole("button", { name: "Reject payment" }).click();
  await expect.element(page.getByText("Failed to update payment status")).toBeVisible();
  await expect
    .element(page.getByText("This payment changed while you were looking at it. Please review it again."))
    .toBeVisible();
  await expect.element(row(payment.backerName)).not.toBeInTheDocument();
});

test("payments are searched and filtered by project, and none that match is told with ways on", async () => {
  const asked: object[] = [];
  await openScreen("/admin/payments?status=approved", {
    ...filled,
    "payments.list": (input) => {
      asked.push(input);
      return { ...list, items: [] };
    },
  });
  await page.getByRole("searchbox", { name: "Search payments" }).fill("gona 12");
  await hasHeading('No approved payments match "gona 12"');
  expect(asked.at(-1)).toMatchObject({ search: "gona 12", status: "approved" });
  await page.getByRole("link", { name: "Search all payments" }).click();
  await hasHeading('No payments match "gona 12"');
  await page.getByRole("combobox", { name: "Filter by project" }).click();
  await page.getByRole("option", { name: payment.projectTitle }).click();
  await expect.poll(() => asked.at(-1)).toMatchObject({ projectId: 1 });
});
