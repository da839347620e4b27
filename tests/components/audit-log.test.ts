import { expect, onTestFinished, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import {
  alerts,
  fitsPhone,
  hasHeading,
  onPhone,
  openScreen,
  owner,
  press,
  serverFault,
} from "#tests/support/app-screen.ts";

test("audit logs that can't be fetched are said to be so", async () => {
  await openScreen("/admin/settings?tab=audit", {
    ...owner,
    "auditLog.list": serverFault,
    "auditLog.filters": { actions: [], users: [] },
  });
  await hasHeading("Failed to fetch audit logs");
});

test("an export that fails is told of", async () => {
  await openScreen(
    "/admin/settings?tab=audit",
    {
      ...owner,
      "auditLog.list": { items: [], total: 0, isCapped: false },
      "auditLog.filters": { actions: [], users: [] },
    },
    { "/files/exports/audit-logs.csv": () => new Response("broken", { status: 500 }) },
  );
  await press("Export");
  await page.getByRole("menuitem", { name: "Audit logs as CSV" }).click();
  await alerts("The export failed. Please try again.");
});

const entry = {
  id: 1,
  createdAt: new Date("2026-11-21T13:03:00Z"),
  actionType: "update_payment_status",
  ipAddress: "203.0.113.7",
  userId: "00000000-0000-4000-8000-000000000002",
  userEmail: "ada@gona.example",
  details: { paymentId: 66, before: "pending", after: "approved", amountKobo: "20000000" },
  names: {
    actor: "Ada Obi",
    person: "Chike Eze",
    asker: null,
    project: null,
    payment: { backer: "Chike Eze", amountKobo: 20_000_000n },
  },
};
const filled = {
  ...owner,
  "auditLog.list": { items: [entry, { ...entry, id: 2, actionType: "paint_barn" }], total: 2, isCapped: false },
  "auditLog.filters": { actions: ["update_payment_status"], users: [] },
};

test("an entry is one sentence of one line; what it was made of unfolds by the keyboard", async () => {
  const { innerWidth, innerHeight } = window;
  onTestFinished(() => page.viewport(innerWidth, innerHeight));
  await page.viewport(1280, 900);
  await openScreen("/admin/settings?tab=audit", filled);
  const row = page.getByRole("row").filter({ hasText: "Ada Obi approved the payment of ₦200,000 by Chike Eze" });
  for (const text of ["21 Nov 2026, 14:03 WAT", "Update payment status"])
    await expect.element(row.getByText(text, { exact: true })).toBeVisible();
  expect(Math.floor(row.element().getBoundingClientRect().height)).toBe(48);
  const change = row.getByText("pending →", { exact: false });
  await expect.element(change).not.toBeVisible();
  row.element().querySelector("summary")?.focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(change).toBeVisible();
  await expect.element(row.getByText("Payment ID")).toBeVisible();
  await expect.element(page.getByText("Ada Obi: Paint barn")).toBeVisible();
});

test("on a phone the sentence heads the card, and who and where from are folded with the rest", async () => {
  await openScreen("/admin/settings?tab=audit", filled);
  await onPhone(async () => {
    const row = page.getByRole("row").filter({ hasText: "Ada Obi approved" });
    const sentence = row.getByText("Ada Obi approved", { exact: false });
    const top = (element: Element) => element.getBoundingClientRect().top;
    await expect.element(sentence).toBeVisible();
    expect(top(sentence.element())).toBeLessThan(top(row.getByText("Update payment status").element()));
    // The first is folded, the second is the cell of a wide screen.
    const folded = row.getByText("203.0.113.7", { exact: true }).first();
    const cell = row.getByText("203.0.113.7", { exact: true }).last();
    for (const address of [folded, cell]) await expect.element(address).not.toBeVisible();
    await sentence.click();
    await expect.element(folded).toBeVisible();
    await expect.element(cell).not.toBeVisible();
  });
  await fitsPhone();
});
