import { formatDay } from "#shared/dates.ts";
import type { SiteProfile } from "#shared/site/site.ts";
import type { PaperKind } from "./kinds.ts";

/** Papers: what people keep of their money, as PDF. Labels, limits and texts. No schema is here. */

export const paperKindLabels: Record<PaperKind, string> = {
  receipt: "Payment receipt",
  refund_note: "Refund note",
  settlement: "Settlement statement",
  statement: "Statement of your money",
  run_sheet: "Payout run sheet",
  tax_list: "Tax withheld",
  closing: "Books of a month",
};

/** The letter of a paper's number that names its kind, behind the site's own: R of GR-2026-000123. */
export const paperLetters: Record<PaperKind, string> = {
  receipt: "R",
  refund_note: "N",
  settlement: "S",
  statement: "A",
  run_sheet: "L",
  tax_list: "T",
  closing: "C",
};

type Numbered = { kind: PaperKind; year: number; sequence: number };

/**
 * GR-2026-000123: numbers of a kind are counted per year of Lagos, without gaps. The site's letter stays once there is
 * a paper.
 */
export const paperNumber = (
  { paperPrefix }: Pick<SiteProfile, "paperPrefix">,
  { kind, year, sequence }: Numbered,
): string => `${paperPrefix}${paperLetters[kind]}-${year}-${String(sequence).padStart(6, "0")}`;

/** 1 Jan 2026 to 31 Dec 2026: the days that a statement or a list is of. */
export const rangeText = ({ firstDay, lastDay }: { firstDay: string; lastDay: string }): string =>
  firstDay === lastDay ? formatDay(firstDay) : `${formatDay(firstDay)} to ${formatDay(lastDay)}`;

/** A table of a paper. Each row has a cell per column; sums stand in rows of their own below. */
export type PaperTable = {
  heading: string;
  columns: readonly { label: string; align: "left" | "right" }[];
  rows: readonly (readonly string[])[];
  sums: readonly (readonly string[])[];
};

/**
 * A paper's content in words and formatted numbers, frozen when it is made: a later change of wording or layout changes
 * no paper that somebody has.
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

/** A head of the ledger's chain: the n-th, and its sha256 in hexadecimal letters. */
export type BooksHead = { n: number; hash: string };

/** 7f3a 91c0: the beginning of a hash, as papers print it. */
export const shortHash = (hash: string): string => `${hash.slice(0, 4)} ${hash.slice(4, 8)}`;

/** Books 48,213 · 7f3a 91c0 */
export const headText = ({ n, hash }: BooksHead): string => `Books ${n.toLocaleString("en-NG")} · ${shortHash(hash)}`;

/** Crockford's letters and digits: none looks like another. A code has 16 of them. */
export const codeAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A whole code as it is kept. */
export const paperCodePattern = /^[0-9A-HJKMNP-TV-Z]{16}$/;

/** A typed or scanned code as it is kept: without spaces and dashes, O is 0, I and L are 1, U is V. */
export const readPaperCode = (typed: string): string =>
  typed.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1").replaceAll("U", "V");

/** Letters of codes that are misread for digits, and the digits. */
export const misread = { letters: "SBZG", digits: "5826" };

/** Where anybody looks a paper up. */
export const verifyPath = (code: string): string => `/verify/${code}`;

/** Where a paper is downloaded, by its person and by whoever may see payments. */
export const paperPath = (paperId: number | string): string => `/files/papers/${paperId}`;

export const paperLimits = {
  pageSize: 20,
  /** The longest range of a statement or a list of tax, in days: five years and leap days. */
  rangeDays: 1830,
} as const;

export const paperTexts = {
  gone: "This paper no longer exists.",
  notMade: "There is no paper of this.",
  unknownCode: "We have no such paper. Please compare the code with the one on the paper.",
  codeHint: "16 letters and digits, like 7K3P-9Q2M-4DXW-0BT6",
  codeInvalid: "A code has 16 letters and digits, like 7K3P-9Q2M-4DXW-0BT6",
  dayMissing: "Please choose a day",
  daysTurned: "The last day must not be before the first",
  daysTooMany: "Please choose at most five years",
  notStored: "The PDF could not be made. Please try again.",
  /** The words of mails around a paper's number. */
  yours: (noun: string) => `Your ${noun} is`,
  whereItIs: 'You find it under "Money" in your profile.',
  writeToUs: "Write to us if you need it.",
} as const;

/** A paper's name in mails. */
export const paperNouns: Record<PaperKind, string> = {
  receipt: "receipt",
  refund_note: "refund note",
  settlement: "settlement statement",
  statement: "statement",
  run_sheet: "run sheet",
  tax_list: "list of tax withheld",
  closing: "closing of the books",
};
