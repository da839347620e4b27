import { test } from "vitest";
import { page } from "vitest/browser";
import { alerts, hasHeading, openScreen, owner, press, serverFault } from "#tests/support/app-screen.ts";

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
