/** The kinds and limits of sessions. */
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
