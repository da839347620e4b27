/** The columns of the files that banks get of a payment run. They are lists, not code, because each bank wants others. */

/** The contents of a column. `bankcode` is the clearing code, or a bank's NIP code if it has none. */
export const payoutFields = [
  "name",
  "account",
  "bank",
  "bankcode",
  "nipcode",
  "amount",
  "narration",
  "reference",
] as const;
export type PayoutField = (typeof payoutFields)[number];

export type PayoutColumn = { title: string; field: PayoutField };

/** `own` is what the setting payoutcolumns says. */
export const payoutProfiles = ["generic", "compact", "own"] as const;
export type PayoutProfile = (typeof payoutProfiles)[number];

export const payoutProfileLabels: Record<PayoutProfile, string> = {
  generic: "Usual columns",
  compact: "Four columns",
  own: "Own columns, from the settings",
};

export const fixedPayoutColumns: Record<Exclude<PayoutProfile, "own">, PayoutColumn[]> = {
  generic: [
    { title: "Beneficiary Name", field: "name" },
    { title: "Account Number", field: "account" },
    { title: "Bank Code", field: "bankcode" },
    { title: "Amount", field: "amount" },
    { title: "Narration", field: "narration" },
    { title: "Reference", field: "reference" },
  ],
  compact: [
    { title: "amount", field: "amount" },
    { title: "bankCode", field: "bankcode" },
    { title: "accountNumber", field: "account" },
    { title: "narration", field: "narration" },
  ],
};

/** A column's contents, for the owner who picks it. */
export const payoutFieldLabels: Record<PayoutField, string> = {
  name: "Account name",
  account: "Account number",
  bank: "Bank's name",
  bankcode: "Bank code (CBN)",
  nipcode: "Bank code (NIP)",
  amount: "Amount",
  narration: "Narration",
  reference: "Our reference",
};

/** The value of the setting payoutcolumns without own columns. */
export const noPayoutColumns = "none";

export const payoutColumnLimits = { columns: 20, titleLength: 50 } as const;
const isField = (text: string): text is PayoutField => payoutFields.some((field) => field === text);

/** Returns the reason why a title can't be a column's (the setting divides columns by commas), or null. */
export function titleFault(title: string): string | null {
  if (title.trim() === "") return "Enter a title";
  if (title.trim().length > payoutColumnLimits.titleLength)
    return `At most ${payoutColumnLimits.titleLength} characters`;
  return /[,\p{C}]/u.test(title) ? "A title has no comma, and is one line" : null;
}

/**
 * Returns the fault of own columns as a whole, in a sentence; null if there is none. They have to say to whom, how much
 * and, because the statement is matched by it, with which reference.
 */
export function columnsFault(columns: readonly PayoutColumn[]): string | null {
  const lacks = (...fields: PayoutField[]) => !columns.some(({ field }) => fields.includes(field));
  const missing = [
    lacks("account") && "the account number",
    lacks("bank", "bankcode", "nipcode") && "the bank",
    lacks("amount") && "the amount",
    lacks("narration", "reference") && "our reference or the narration",
  ].filter((name) => name !== false);
  if (missing.length > 0) return `Your bank also needs ${missing.join(", ")}.`;
  if (columns.length > payoutColumnLimits.columns) return `At most ${payoutColumnLimits.columns} columns.`;
  const isOnce = new Set(columns.map(({ title }) => title.trim())).size === columns.length;
  return isOnce ? null : "Two columns have the same title.";
}

/** Own columns as the setting has them: "Title=field, Title=field". Null if something is wrong with them. */
export function parsePayoutColumns(text: string): PayoutColumn[] | null {
  const columns: PayoutColumn[] = [];
  for (const part of text.split(",")) {
    const at = part.lastIndexOf("=");
    const title = part.slice(0, Math.max(at, 0)).trim();
    const field = part.slice(at + 1).trim();
    if (titleFault(title) !== null || !isField(field)) return null;
    columns.push({ title, field });
  }
  return columnsFault(columns) === null ? columns : null;
}

/** The setting's text of own columns. */
export const writePayoutColumns = (columns: readonly PayoutColumn[]): string =>
  columns.map(({ title, field }) => `${title.trim()}=${field}`).join(", ");
