import { expect, test } from "vitest";
import { permissions, permissionsOf } from "#shared/permissions.ts";

test("roles give what the table says", () => {
  expect(permissionsOf({ isAdmin: true, roles: ["viewer"] })).toEqual(["projects:view"]);
  expect(permissionsOf({ isAdmin: true, roles: ["manager"] })).toEqual([
    "projects:view",
    "projects:create",
    "projects:edit",
    "projects:close",
    "payments:view",
    "payouts:view",
    "bank:view",
    "harvests:view",
    "harvests:manage",
  ]);
  expect(permissionsOf({ isAdmin: true, roles: ["owner"] })).toEqual([...permissions]);
});

test("several roles give their union, none gives viewing", () => {
  expect(permissionsOf({ isAdmin: true, roles: ["viewer", "manager"] })).toEqual(
    permissionsOf({ isAdmin: true, roles: ["manager"] }),
  );
  expect(permissionsOf({ isAdmin: true, roles: [] })).toEqual(["projects:view"]);
});

test("roles of somebody who is no administrator give nothing", () => {
  expect(permissionsOf({ isAdmin: false, roles: ["owner"] })).toEqual([]);
});

test("a grant adds the rights of one kind of work, with any role or none", () => {
  const accountant = permissionsOf({ isAdmin: true, roles: [], grants: ["accountant"] });
  expect(accountant).toEqual([
    "projects:view",
    "payments:view",
    "payouts:view",
    "bank:view",
    "harvests:view",
    "books:close",
    "audit:view",
  ]);
  const cashier = permissionsOf({ isAdmin: true, roles: [], grants: ["cashier"] });
  expect(cashier).toEqual(["projects:view", "payments:view", "bank:view", "bank:import"]);
  expect(permissionsOf({ isAdmin: true, roles: ["manager"], grants: ["cashier"] })).toContain("projects:edit");
  expect(permissionsOf({ isAdmin: false, roles: [], grants: ["accountant", "cashier"] })).toEqual([]);
});
