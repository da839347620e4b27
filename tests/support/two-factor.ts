import { eq } from "drizzle-orm";
import { TOTP } from "otpauth";
import { sessions } from "#server/db/schema/sessions.ts";
import type { Deps } from "#server/platform/deps.ts";
import { callAs, type TestUser } from "./people.ts";

/** Returns the code of the person's app at a moment. */
export function codeAt(secret: string, moment: Date): string {
  return new TOTP({ algorithm: "SHA1", digits: 6, period: 30, secret }).generate({ timestamp: moment.getTime() });
}

/** Six digits that are right in none of the steps around the moment. */
export function wrongCodeAt(secret: string, moment: Date): string {
  const near = [-60, -30, 0, 30, 60].map((seconds) => codeAt(secret, new Date(moment.getTime() + seconds * 1000)));
  const wrong = ["000000", "111111", "222222", "333333", "444444", "555555"].find((code) => !near.includes(code));
  if (!wrong) throw new Error("no wrong code");
  return wrong;
}

/** Switches the second factor on as the person would, a minute ago, and ends the session that did it. */
export async function enrol(deps: Deps, user: TestUser): Promise<{ secret: string; codes: string[] }> {
  const clock = { now: () => new Date(deps.clock.now().getTime() - 60_000) };
  const caller = await callAs({ ...deps, clock }, user);
  const { secret } = await caller.twoFactor.start({ currentPassword: user.password });
  const { codes } = await caller.twoFactor.confirm({ code: codeAt(secret, clock.now()) });
  await deps.db.delete(sessions).where(eq(sessions.userId, user.id));
  return { secret, codes };
}
