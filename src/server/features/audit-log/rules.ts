import { isoInLagos } from "#shared/dates.ts";

/** An entry in an export. */
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
 * Spreadsheets run a text that begins with one of these characters as a formula; a leading apostrophe prevents that.
 * Details contain typed text.
 */
const csvField = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

const csvLine = (fields: string[]): string => `${fields.map(csvField).join(",")}\r\n`;

/** The byte order mark tells spreadsheets that the file is UTF-8. */
export const csvHead = `\uFEFF${csvLine(csvColumns)}`;

export const csvLineOf = ({ createdAt, actionType, userEmail, details, ipAddress }: ExportedEntry): string =>
  csvLine([isoInLagos(createdAt), actionType, userEmail ?? "System", JSON.stringify(details), ipAddress ?? ""]);

export const jsonOf = ({ createdAt, ...entry }: ExportedEntry): string =>
  JSON.stringify({ ...entry, createdAt: isoInLagos(createdAt) });
