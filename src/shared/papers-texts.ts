/** Papers: what people keep of their money, as PDF. Kinds, labels, limits and texts. No schema is here. */

/**
 * receipt: an approved payment · refund_note: a refund that is due · settlement: what a settlement gave to a person · statement:
 * a person's money in a range of days · run_sheet: the payouts of a run · tax_list: tax withheld in a range of days.
 */
export const paperKinds = ["receipt", "refund_note", "settlement", "statement", "run_sheet", "tax_list"] as const;
export type PaperKind = (typeof paperKinds)[number];

export const paperKindLabels: Record<PaperKind, string> = {
  receipt: "Payment receipt",
  refund_note: "Refund note",
  settlement: "Settlement statement",
  statement: "Annual statement",
  run_sheet: "Payout run sheet",
  tax_list: "Tax withheld",
};

/** The letters of a paper's number: GR-2026-000123. */
export const paperPrefixes: Record<PaperKind, string> = {
  receipt: "GR",
  refund_note: "GN",
  settlement: "GS",
  statement: "GA",
  run_sheet: "GL",
  tax_list: "GT",
};

/** GR-2026-000123: numbers of a kind are counted per year of Lagos, without gaps. */
export const paperNumber = (kind: PaperKind, year: number, sequence: number): string =>
  `${paperPrefixes[kind]}-${year}-${String(sequence).padStart(6, "0")}`;

/** A table of a paper. Each row has a cell per column; sums stand in rows of their own below. */
export type PaperTable = {
  heading: string;
  columns: readonly { label: string; align: "left" | "right" }[];
  rows: readonly (readonly string[])[];
  sums: readonly (readonly string[])[];
};

/**
 * What a paper says, in words and formatted numbers, frozen when it is made: a later change of wording or layout changes no
 * paper that somebody has.
 */
export type PaperContent = {
  title: string;
  /** Lines below the title: to whom, for what. */
  facts: readonly { label: string; value: string }[];
  tables: readonly PaperTable[];
  /** Sentences at the end. */
  notes: readonly string[];
};

/** 7K3P 9Q2M XW4T 8HRD: a paper's code as it is printed, easier to compare and to type. */
export const codeInGroups = (code: string): string => code.replace(/(.{4})(?=.)/g, "$1 ");
