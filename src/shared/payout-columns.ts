/** The columns of the files that banks get of a payment run. They are lists, not code, because each bank wants others. */

/** What a column may hold. `bankcode` is the clearing code, or where a bank has none its NIP code. */
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

const limits = { columns: 20, titleLength: 50 };
const isField = (text: string): text is PayoutField => payoutFields.some((field) => field === text);

/**
 * Own columns as the setting has them: "Title=field, Title=field". Null unless they say to whom, how much and, because the
 * statement is matched by it, with which reference.
 */
export function parsePayoutColumns(text: string): PayoutColumn[] | null {
  const columns: PayoutColumn[] = [];
  for (const part of text.split(",")) {
    const at = part.lastIndexOf("=");
    const title = part.slice(0, Math.max(at, 0)).trim();
    const field = part.slice(at + 1).trim();
    if (title === "" || title.length > limits.titleLength || /\p{C}/u.test(title) || !isField(field)) return null;
    columns.push({ title, field });
  }
  const has = (...fields: PayoutField[]) => columns.some(({ field }) => fields.includes(field));
  const isWhole =
    has("account") && has("amount") && has("bank", "bankcode", "nipcode") && has("narration", "reference");
  const isOnce = new Set(columns.map(({ title }) => title)).size === columns.length;
  return isWhole && isOnce && columns.length <= limits.columns ? columns : null;
}
