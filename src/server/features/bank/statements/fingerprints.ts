import { createHash } from "node:crypto";
import { withoutSpaces } from "./narrations.ts";
import type { StatementLine } from "./statement.ts";

/**
 * The key by which a line is recognised in another file. Two equal lines on one day are two lines, so they are counted
 * from 0. The row, the balance and the value date aren't part of it: they differ between two exports of the same days.
 */
export interface Fingerprint {
  /** SHA-256 in hexadecimal. */
  fingerprint: string;
  repetition: number;
}

type Known = Pick<StatementLine, "date" | "amountKobo" | "narration" | "bankReference">;

export function fingerprintLines(accountId: number, lines: Iterable<Known>): Fingerprint[] {
  const seen = new Map<string, number>();
  return Array.from(lines, ({ date, amountKobo, narration, bankReference }) => {
    const parts = [accountId, date, `${amountKobo}`, withoutSpaces(narration), bankReference ?? ""];
    const fingerprint = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
    const repetition = seen.get(fingerprint) ?? 0;
    seen.set(fingerprint, repetition + 1);
    return { fingerprint, repetition };
  });
}
