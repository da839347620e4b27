/** The kinds of papers, apart from their texts: the first load reads addresses that name them. */

/**
 * receipt: an approved payment · refund_note: a refund that is due · settlement: what a settlement gave to a person ·
 * statement: a person's money in a range of days · run_sheet: the payouts of a run · tax_list: tax withheld in a range
 * of days · closing: the books of a closed month.
 */
export const paperKinds = [
  "receipt",
  "refund_note",
  "settlement",
  "statement",
  "run_sheet",
  "tax_list",
  "closing",
] as const;
export type PaperKind = (typeof paperKinds)[number];
