import { isoInLagos } from "#shared/dates.ts";

/** An entry as it leaves in an export. */
export type ExportedEntry = {
  id: number;
  createdAt: Date;
  actionType: string;
  userId: string | null;
  userEmail: string | null;
  details: Record<string, unknown>;
  ipAddress: string | null;
};

const csvColumns = ["Date", "Action", "User", "Details", "IP Address"];

/**
 * A spreadsheet takes what begins with one of these for a formula, and runs it: an apostrophe in front makes it text.
 * Details come from what people typed.
 */
const csvField = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

const csvLine = (fields: string[]): string => `${fields.map(csvField).join(",")}\r\n`;

/** The mark in front tells spreadsheets that it is UTF-8. */
export const csvHead = `\uFEFF${csvLine(csvColumns)}`;

export const csvLineOf = ({ createdAt, actionType, userEmail, details, ipAddress }: ExportedEntry): string =>
  csvLine([isoInLagos(createdAt), actionType, userEmail ?? "System", JSON.stringify(details), ipAddress ?? ""]);

export const jsonOf = ({ createdAt, ...entry }: ExportedEntry): string =>
  JSON.stringify({ ...entry, createdAt: isoInLagos(createdAt) });
