/** Files of whole tables, for spreadsheets and other programs: names, formats and texts. No schema is here. */

export const exportNames = [
  "payments",
  "ledger",
  "trial-balance",
  "vat",
  "fees",
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

export type ExportFormat = "csv" | "json";

/** The formats of a table. JSON is for programs: whoever recomputes the ledger, or keeps audit entries elsewhere. */
export const exportFormatsOf = (name: ExportName): readonly ExportFormat[] =>
  name === "ledger" || name === "audit-logs" ? ["csv", "json"] : ["csv"];

/** The download address of a table; its query holds the filters. */
export const exportPath = (name: ExportName, format: ExportFormat): string => `/files/exports/${name}.${format}`;

export const exportTexts = {
  preparing: "Preparing the file",
  received: (bytes: string) => `${bytes} received`,
  failed: "The export failed. Please try again.",
  done: (label: string) => `${label} exported`,
  saved: (format: ExportFormat) => `The ${format.toUpperCase()} file was downloaded.`,
} as const;
