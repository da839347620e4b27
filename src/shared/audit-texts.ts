export const auditTexts = {
  fetchFailed: "Failed to fetch audit logs",
  none: "No audit logs found",
  exportFailed: "The export failed. Please try again.",
  datesReversed: "The start date is after the end date.",
} as const;

export const auditPageSizes = [5, 10, 25, 50] as const;
export type AuditPageSize = (typeof auditPageSizes)[number];
export const defaultAuditPageSize: AuditPageSize = 10;

/** So many entries are counted and paged through; beyond it "10,000+", and filters or an export lead on. */
export const auditCountCap = 10_000;

export const auditExportFormats = ["csv", "json"] as const;
export type AuditExportFormat = (typeof auditExportFormats)[number];

/** Where the entries are downloaded; the filters stand in its query. */
export const auditExportPath = (format: AuditExportFormat): string => `/files/audit-logs.${format}`;

/** What an action does, told by the words of its name: colour, icon and word go by it. */
export type AuditTone = "added" | "removed" | "changed" | "signed-in" | "other";

const words: [AuditTone, RegExp][] = [
  ["removed", /delete|remove|deactivate|reject|revoke/],
  ["added", /create|add|invite|accept/],
  ["changed", /update|edit|change|reset|close|reopen|clone/],
  ["signed-in", /login/],
];

export const auditToneOf = (action: string): AuditTone =>
  words.find(([, pattern]) => pattern.test(action))?.[0] ?? "other";

/** "block_user" as "Block user". */
export function auditActionLabel(action: string): string {
  const text = action.replaceAll("_", " ").trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
