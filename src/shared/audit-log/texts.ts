export const auditTexts = {
  fetchFailed: "Failed to fetch audit logs",
  none: "No audit logs found",
  datesReversed: "The start date is after the end date.",
} as const;

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
