/** Roles and permissions, for the server's guards and the screens. */

export const roles = ["viewer", "manager", "owner"] as const;
export type Role = (typeof roles)[number];

export const permissions = [
  "projects:view",
  "projects:create",
  "projects:edit",
  "projects:close",
  "projects:delete",
  "payments:view",
  "payments:process",
  "payouts:view",
  "payouts:process",
  "bank:view",
  "bank:import",
  "harvests:view",
  "harvests:manage",
  "harvests:settle",
  "books:close",
  "audit:view",
  "users:manage",
  "settings:manage",
  "roles:manage",
] as const;
export type Permission = (typeof permissions)[number];

const viewerPermissions = ["projects:view"] as const satisfies Permission[];
const managerPermissions = [
  ...viewerPermissions,
  "projects:create",
  "projects:edit",
  "projects:close",
  "payments:view",
  "payouts:view",
  "bank:view",
  "harvests:view",
  "harvests:manage",
] as const satisfies Permission[];

const permissionsOfRole: Record<Role, readonly Permission[]> = {
  viewer: viewerPermissions,
  manager: managerPermissions,
  owner: permissions,
};

/** Rights that owners give an administrator beside the roles, for one kind of work. */
export const grants = ["accountant", "cashier"] as const;
export type Grant = (typeof grants)[number];

const permissionsOfGrant: Record<Grant, readonly Permission[]> = {
  accountant: ["payments:view", "bank:view", "payouts:view", "harvests:view", "audit:view", "books:close"],
  cashier: ["payments:view", "bank:view", "bank:import"],
};

/**
 * The union of an administrator's roles and grants. An administrator without any may still view projects.
 * Roles and grants of a person who isn't an administrator give nothing. Grants are left out where what is asked for is in
 * none of them.
 */
export function permissionsOf(person: {
  isAdmin: boolean;
  roles: readonly Role[];
  grants?: readonly Grant[];
}): Permission[] {
  if (!person.isAdmin) return [];
  const held = new Set<Permission>(viewerPermissions);
  for (const role of person.roles) for (const permission of permissionsOfRole[role]) held.add(permission);
  for (const grant of person.grants ?? []) for (const permission of permissionsOfGrant[grant]) held.add(permission);
  return permissions.filter((permission) => held.has(permission));
}
