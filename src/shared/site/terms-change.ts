import { readVersions } from "./page-versions.ts";
import type { OwnPage } from "./pages.ts";

/** A version of a text, as far as it matters to whoever agreed to an earlier one. */
export type WrittenVersion = {
  page: OwnPage;
  version: number;
  isMaterial: boolean;
  changeNote: string | null;
  inForceFrom: Date;
};

/** The change that somebody is asked to agree to. */
export type TermsChange = {
  page: OwnPage;
  /** The version that they would agree to. */
  version: number;
  inForceFrom: Date;
  /** Until they agree to a text that is in force they buy nothing new. */
  isInForce: boolean;
  /** The changes of each material version since the one that they agreed to, oldest first. */
  changes: { version: number; note: string }[];
};

/**
 * The change of one text that somebody is asked about who agreed to the version `agreed` of it; null if none. `written` are
 * all versions of that text. What is in force comes before what is only announced. A version that a later one overtook
 * before its moment was never in force by itself, but what it changes is part of the later one.
 */
export function openChangeOf(written: readonly WrittenVersion[], agreed: number, now: Date): TermsChange | null {
  const versions = readVersions(written, now);
  const current = versions.find(({ state }) => state === "in_force");
  const coming = versions.filter(({ state }) => state === "coming").reverse();
  for (const target of current ? [current, ...coming] : coming) {
    const changes = changesBetween(written, agreed, target.version);
    if (changes.length === 0) continue;
    const { page, version, inForceFrom } = target;
    return { page, version, inForceFrom, isInForce: target === current, changes };
  }
  return null;
}

/** Lists the changes of the material versions after `agreed`, up to `version`, oldest first. */
export const changesBetween = (written: readonly WrittenVersion[], agreed: number, version: number) =>
  written
    .filter((one) => one.isMaterial && one.version > agreed && one.version <= version)
    .sort((one, other) => one.version - other.version)
    .map((one) => ({ version: one.version, note: one.changeNote ?? "" }));
