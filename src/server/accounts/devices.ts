import { createHash, randomBytes } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { DbOrTx } from "#server/db/open.ts";
import { knownDevices } from "#server/db/schema/sessions.ts";
import { users } from "#server/db/schema/users.ts";
import type { Context } from "#server/platform/context.ts";
import { cookieName } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { readClaim, signClaim } from "#server/platform/secret.ts";

/**
 * The device cookie: long-lived and signed. It grants nothing. A device that has signed in to an account before only
 * has its own failure counter there, which strangers can't use up.
 */
type DeviceContext = Pick<Context, "cookies" | "env" | "appSecret">;

const yearSeconds = 365 * 86_400;

const hashOf = (id: string) => createHash("sha256").update(id).digest("base64url");

const purpose = "device-cookie";

/** The device's hash, or null without a genuine cookie. */
export function readDevice({ cookies, env, appSecret }: DeviceContext): string | null {
  const id = readClaim(appSecret, purpose, cookies.get(cookieName(env, "device")));
  return id && hashOf(id);
}

/** The device's hash. A browser without the cookie gets one. */
export function ensureDevice(ctx: DeviceContext): string {
  const present = readDevice(ctx);
  if (present) return present;
  const id = randomBytes(16).toString("base64url");
  ctx.cookies.set(cookieName(ctx.env, "device"), signClaim(ctx.appSecret, purpose, id), {
    maxAgeSeconds: yearSeconds,
    sameSite: "lax",
    httpOnly: true,
  });
  return hashOf(id);
}

/** Returns true if this device has signed in to the account of that address before. */
export async function isKnownDevice(db: DbOrTx, email: string, deviceHash: string): Promise<boolean> {
  const found = await db
    .select({ userId: knownDevices.userId })
    .from(knownDevices)
    .innerJoin(users, eq(users.id, knownDevices.userId))
    .where(and(eq(users.email, email), eq(knownDevices.deviceHash, deviceHash)));
  return found.length > 0;
}

/** Part of a sign-in's transaction. Returns whether the device is new and the account has known others. */
export async function rememberDevice(
  tx: DbOrTx,
  clock: Deps["clock"],
  device: { userId: string; deviceHash: string; label: string },
): Promise<boolean> {
  const now = clock.now();
  const label = device.label.slice(0, 300);
  const ofUser = eq(knownDevices.userId, device.userId);
  const before = await tx.select({ deviceHash: knownDevices.deviceHash }).from(knownDevices).where(ofUser);
  await tx
    .insert(knownDevices)
    .values({ ...device, label, lastSeenAt: now, createdAt: now })
    .onConflictDoUpdate({ target: [knownDevices.userId, knownDevices.deviceHash], set: { label, lastSeenAt: now } });
  return before.length > 0 && before.every(({ deviceHash }) => deviceHash !== device.deviceHash);
}
