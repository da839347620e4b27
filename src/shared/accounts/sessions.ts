/** The kinds and limits of sessions. */

/** Every page may have to say these, so they stand apart from the other texts of accounts. */
export const accountBlocked = "Your account has been blocked. Please contact support.";
export const secondFactorRequired = {
  refusal: "Set up two-factor sign-in in your account first.",
  title: "Two-factor sign-in is required",
  now: "It is now mandatory for administrators. Until you have set it up, nothing can be done here.",
} as const;

export const sessionKinds = ["backer", "admin"] as const;
export type SessionKind = (typeof sessionKinds)[number];

export const backerIdleMinutes = 60;
/** The maximum life of a session, even an active one. */
export const absoluteLimitMinutes: Record<SessionKind, number> = { backer: 7 * 24 * 60, admin: 12 * 60 };

export const sessionTimeoutKey = "sessiontimeout";
const defaultAdminIdleMinutes = 30;

/** The sessiontimeout setting in minutes: an integer from 1 to 1440. Anything else falls back to 30. */
export function readSessionTimeout(value: string | null | undefined): number {
  const parsed = /^\d{1,4}$/.test(value ?? "") ? Number(value) : 0;
  return parsed >= 1 && parsed <= 1440 ? parsed : defaultAdminIdleMinutes;
}
