import { keepForTab, readForTab } from "#client/lib/tab-store.ts";
import type { OwnPage } from "#shared/site/pages.ts";

/** A text that isn't saved yet, and the newest version that its writer saw. */
export type TextDraft = {
  seenVersion: number;
  html: string;
  isMaterial: boolean;
  changeNote: string;
  /** The day from which it is in force; "" for now. */
  inForceOn: string;
};

type Written = { userId: string; page: OwnPage };
const nameOf = ({ userId, page }: Written) => `text-draft:${userId}:${page}` as const;

export function readTextDraft(written: Written): TextDraft | null {
  const { seenVersion, html, isMaterial, changeNote, inForceOn } = readForTab(nameOf(written));
  if (typeof seenVersion !== "number" || typeof html !== "string" || typeof isMaterial !== "boolean") return null;
  if (typeof changeNote !== "string" || typeof inForceOn !== "string") return null;
  return { seenVersion, html, isMaterial, changeNote, inForceOn };
}

/** Null forgets it. */
export function keepTextDraft(written: Written, draft: TextDraft | null): void {
  keepForTab(nameOf(written), draft);
}
