/**
 * Reads narrations: the references in them, the transfer that they name, the names of people. Nothing here asks the
 * database.
 */

const SESSION_DIGITS = 30;

/** The session id of a transfer between banks: 30 digits, not more. Null without one. */
export function findSessionId(...texts: (string | null)[]): string | null {
  const numbers = texts.flatMap((text) => text?.match(/\d+/g) ?? []);
  return numbers.find(({ length }) => length === SESSION_DIGITS) ?? null;
}

/** A reference is cut off at the earliest after so many characters of its code. */
const SHORTEST_CUT = 6;

export interface FoundReference {
  reference: string;
  /** True if all of its code stands in the narration, with or without its prefix. */
  isWhole: boolean;
}

interface OpenReference {
  reference: string;
  prefix: string;
  code: string;
}

/** References by the first characters of their code, made once for all lines of a file. */
export type OpenReferences = ReadonlyMap<string, readonly OpenReference[]>;

/** References like "FARM-7K3P-9Q2M" or "GP-7K3P-9Q2M": a prefix, and a code in groups. */
export function indexReferences(references: Iterable<string>): OpenReferences {
  const open = [...references].map((reference): OpenReference => {
    const [prefix = "", ...groups] = reference.toUpperCase().split("-");
    return { reference, prefix, code: groups.join("") };
  });
  return Map.groupBy(open, ({ code }) => code.slice(0, SHORTEST_CUT));
}

/**
 * The open references that stand in a narration, in its order. Case, dashes and spaces don't count, nor has the prefix
 * to be there. One that the bank has cut off counts if at least six characters of its code are left, no other open
 * reference begins so, and nothing else of a word follows.
 */
export function findReferences(narration: string, open: OpenReferences): FoundReference[] {
  const { bare, isEnd } = bareText(narration);
  const found = new Map<string, FoundReference>();
  for (let at = 0; at + SHORTEST_CUT <= bare.length; at++) {
    const candidates = open.get(bare.slice(at, at + SHORTEST_CUT)) ?? [];
    for (const match of matchesAt(bare, isEnd, at, candidates)) {
      if (!found.get(match.reference)?.isWhole) found.set(match.reference, match);
    }
  }
  return [...found.values()];
}

/** Where a code may begin in a text: the first characters that a reference is indexed by. */
export function codeBeginnings(text: string): string[] {
  const { bare } = bareText(text);
  return Array.from({ length: Math.max(0, bare.length - SHORTEST_CUT + 1) }, (_, at) =>
    bare.slice(at, at + SHORTEST_CUT),
  );
}

function matchesAt(bare: string, isEnd: boolean[], at: number, candidates: readonly OpenReference[]): FoundReference[] {
  const hasPrefix = ({ prefix }: OpenReference) => bare.endsWith(prefix, at);
  const whole = candidates.filter(({ code }) => bare.startsWith(code, at));
  if (whole.length > 0) {
    // Two kinds of reference may have the same code; the prefix tells them apart.
    const named = whole.filter(hasPrefix);
    const sure = named.length > 0 ? named : whole;
    return sure.length === 1 ? sure.map(({ reference }) => ({ reference, isWhole: true })) : [];
  }
  for (let length = longestCode(candidates) - 1; length >= SHORTEST_CUT; length--) {
    const cut = candidates.filter(({ code }) => code.length > length && bare.startsWith(code.slice(0, length), at));
    if (cut.length === 0) continue;
    const [only] = cut;
    const stands = at === 0 || isEnd[at - 1] || (only !== undefined && hasPrefix(only));
    const isCut = cut.length === 1 && isEnd[at + length - 1] && stands;
    return isCut && only ? [{ reference: only.reference, isWhole: false }] : [];
  }
  return [];
}

const longestCode = (candidates: readonly OpenReference[]): number =>
  candidates.reduce((longest, { code }) => Math.max(longest, code.length), 0);

/** A text in upper case with letters and digits only, and which of them end a word of the original. */
function bareText(text: string): { bare: string; isEnd: boolean[] } {
  const isEnd: boolean[] = [];
  let bare = "";
  for (const [word] of text.toUpperCase().matchAll(/[A-Z0-9]+/g)) {
    // A session id may hold the digits of any code.
    if (word.length >= 20 && /^\d+$/.test(word)) continue;
    bare += word;
    for (let index = 1; index < word.length; index++) isEnd.push(false);
    isEnd.push(true);
  }
  return { bare, isEnd };
}

const wordsOf = (text: string): string[] => text.toUpperCase().match(/[\p{L}\d]+/gu) ?? [];

const reversalWords = new Set(["RVSL", "REV", "REVERSAL"]);

/** True if a narration names a reversal. It is only an indication: "REV" is also a clergyman. */
export const namesReversal = (narration: string): boolean => wordsOf(narration).some((word) => reversalWords.has(word));

const returnWords = new Set([...reversalWords, "RETURN", "RETURNED", "RTN", "FAILED", "UNSUCCESSFUL"]);

/** True if a narration of money in says that a transfer came back: an indication as well. */
export const namesReturn = (narration: string): boolean => wordsOf(narration).some((word) => returnWords.has(word));

/** Words that banks write around a name. */
const noise = new Set(
  (
    "NIP TRF TRANSFER TRANSFERS FROM TO BY FOR OF THE AND VIA REF REFERENCE PAYMENT MOBILE USSD WEB POS ATM INWARD OUTWARD INTERBANK " +
    "INSTANT FUNDS FT FIP NEFT RTGS CIB APP BANK PLC LTD LIMITED MR MRS MS MISS DR CHIEF ENGR ALHAJI ALHAJA RVSL REV REVERSAL " +
    "ACCESS GTB GTBANK GTCO ZENITH UBA FBN FIRST FIDELITY UNION STERLING WEMA ECOBANK FCMB STANBIC KEYSTONE POLARIS JAIZ UNITY " +
    "KUDA OPAY PALMPAY MONIEPOINT"
  ).split(" "),
);

/** A reference with its prefix: a short word before a code of eight letters and digits. */
const written = /\b[A-Z]{2,5}[\s-]+([2-9A-HJKMNP-TW-Z]{4}[\s-]?[2-9A-HJKMNP-TW-Z]{4})\b/g;

/** Without references, whose prefix is no name. A word before letters only may be one. */
const withoutReferences = (text: string): string =>
  text.replace(written, (whole, code: string) => (/\d/.test(code) && /[A-Z]/.test(code) ? " " : whole));

/**
 * The words of a narration or a person's name that may be names, in alphabetical order and without accents, to be
 * compared by trigrams: "NIP/ACCESS/OKAFOR ADAEZE/FARM-7K3P-9Q2M" is "adaeze okafor".
 */
export function nameTokens(text: string): string {
  const plain = withoutReferences(
    text
      .normalize("NFD")
      .replace(/\p{M}+/gu, "")
      .toUpperCase(),
  );
  const names = wordsOf(plain).filter((word) => word.length > 1 && !/\d/.test(word) && !noise.has(word));
  return [...new Set(names)].sort().join(" ").toLowerCase();
}

/** Without any space: what a bank wraps in one export and not in another. */
export const withoutSpaces = (text: string): string => text.replace(/\s+/g, "");
