/** Files of whole tables, for spreadsheets and other programs: names, formats and texts. No schema is here. */

export const exportNames = [
  "payments",
  "ledger",
  "bank-lines",
  "line-matches",
  "payouts",
  "harvests",
  "harvest-parts",
  "holds",
  "waiting-list",
  "backers",
  "audit-logs",
] as const;
export type ExportName = (typeof exportNames)[number];

export const exportFormats = ["csv", "json"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The download address of a table; its query holds the filters. */
export const exportPath = (name: ExportName, format: ExportFormat): string => `/files/exports/${name}.${format}`;

export const exportTexts = {
  preparing: "Preparing the file",
  received: (bytes: string) => `${bytes} received`,
  failed: "The export failed. Please try again.",
  done: (label: string) => `${label} exported`,
  saved: (format: ExportFormat) => `The ${format.toUpperCase()} file was downloaded.`,
} as const;
