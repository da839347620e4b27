import { test } from "vitest";
import { hasHeading, openScreen, owner, serverFault } from "#tests/support/app-screen.ts";

test("audit logs that can't be fetched are said to be so", async () => {
  await openScreen("/admin/settings?tab=audit", {
    ...owner,
    "auditLog.list": serverFault,
    "auditLog.filters": { actions: [], users: [] },
  });
  await hasHeading("Failed to fetch audit logs");
});
