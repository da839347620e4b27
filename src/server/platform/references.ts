import { randomInt } from "node:crypto";

// Without characters that look alike on paper: 0 O, 1 I L, U V.
const alphabet = "23456789ABCDEFGHJKMNPQRSTWXYZ";

/**
 * A reference that people and banks write on transfers: FARM-7K3P-9Q2M of a payment, GP-7K3P-9Q2M of a payout, with the
 * prefixes of the site. It is short enough to type on a phone.
 */
export const newReference = (prefix: string): string => `${prefix}-${newLetterCode()}`;

/** Eight random letters and digits to read and type, like 7K3P-9Q2M. */
export function newLetterCode(): string {
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join("");
  return `${group()}-${group()}`;
}

/** Six digits each, which takers of produce show; no two of them the same. */
export function newCodes(count: number): string[] {
  const codes = new Set<string>();
  while (codes.size < count) codes.add(String(randomInt(1_000_000)).padStart(6, "0"));
  return [...codes];
}

const shortestPart = 3;

/**
 * Converts a typed part of a reference to its stored form without dashes; null if it can't be one. Fewer than three
 * characters would match every other reference.
 */
export function readReferencePart(typed: string): string | null {
  const bare = typed.replace(/[\s\p{Dash}]+/gu, "").toUpperCase();
  return bare.length >= shortestPart && /^[A-Z0-9]+$/.test(bare) ? bare : null;
}
