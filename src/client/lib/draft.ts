import { keepForTab, readKept } from "./tab-store.ts";

/** What was typed into a visitor's form, or a report that isn't published yet. */
export type DraftKey = "contact-draft" | "application-draft" | `update-draft:${string}`;

/** The draft's texts in the place of the blank ones; anything else stays blank. */
export function readDraft<Values extends object>(name: DraftKey, blank: Values): Values {
  const draft = readKept(name);
  const kept = Object.entries(blank).map(([field, value]) => {
    const text = draft[field];
    return [field, typeof value === "string" && typeof text === "string" ? text : value];
  });
  return Object.fromEntries(kept) as Values;
}

/** Keeps the texts of `fields`, beside the key of its last sending; nothing where all of them are empty. */
export function keepDraft(name: DraftKey, values: object, fields: readonly string[]): void {
  const texts = Object.entries(values).filter(([field, value]) => fields.includes(field) && typeof value === "string");
  const isEmpty = texts.every(([, text]) => text === "");
  keepForTab(name, isEmpty ? null : { ...readKept(name), ...Object.fromEntries(texts) });
}
