export const auditTexts = {
  fetchFailed: "Failed to fetch audit logs",
  none: "No audit logs found",
  datesReversed: "The start date is after the end date.",
} as const;

export const auditPageSizes = [5, 10, 25, 50] as const;
export type AuditPageSize = (typeof auditPageSizes)[number];
export const defaultAuditPageSize: AuditPageSize = 10;

/**
 * Entries are counted and paged up to this number. Beyond it the page shows "10,000+" and suggests filters or an
 * export.
 */
export const auditCountCap = 10_000;

/** The effect of an action, derived from its name. It decides the colour, icon and word. */
export type AuditTone = "added" | "removed" | "changed" | "signed-in" | "other";

const words: [AuditTone, RegExp][] = [
  ["removed", /delete|remove|deactivate|reject|revoke/],
  ["added", /create|add|invite|accept/],
  ["changed", /update|edit|change|reset|close|reopen|clone/],
  ["signed-in", /login/],
];

export const auditToneOf = (action: string): AuditTone =>
  words.find(([, pattern]) => pattern.test(action))?.[0] ?? "other";

/** Formats "block_user" as "Block user". */
export function auditActionLabel(action: string): string {
  const text = action.replaceAll("_", " ").trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
