import { tabStorage } from "./browser-storage.ts";
import { isRecord } from "./errors.ts";

/** Every name there is; the cookies page lists them. */
type TabName =
  | "contact-draft"
  | "sign-up-sent"
  | "application-draft"
  | `message-draft:${string}`
  | `project-draft:${string}`
  | `edit-draft:${string}`
  | `update-draft:${string}`
  | `text-draft:${string}`;

/** Texts that the browser would not store: they live as long as the page. */
const unstored = new Map<TabName, string>();

/**
 * Keeps what somebody typed for this tab, until it is sent: a reload or a closed connection takes nothing. A browser
 * that stores nothing, or is full, does without the reload; the forms work all the same.
 */
export function keepForTab(name: TabName, value: object | null): void {
  unstored.delete(name);
  const text = value && JSON.stringify(value);
  if (!tabStorage.keep(name, text) && text) unstored.set(name, text);
}

/** Returns the kept record; an empty one where there is nothing, or nothing of use. */
export function readForTab(name: TabName): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(unstored.get(name) ?? tabStorage.read(name) ?? "{}");
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** The names of drafts: of visitors' forms, and of a report that isn't published yet. */
export type DraftKey = "contact-draft" | "application-draft" | `update-draft:${string}`;

/** The draft's texts in the place of the blank ones; anything else stays blank. */
export function readDraft<Values extends object>(name: DraftKey, blank: Values): Values {
  const draft = readForTab(name);
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
  keepForTab(name, isEmpty ? null : { ...readForTab(name), ...Object.fromEntries(texts) });
}

/**
 * A key for what a form holds: the same one for the same content, so that what is sent again after a lost answer counts
 * once. It is kept beside the form's draft, outlives a reload with it, and is forgotten with it.
 */
export function contentKey(draft: TabName, values: object): string {
  const fields = Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1));
  const content = JSON.stringify(fields, (_, value: unknown) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  );
  const kept = readForTab(draft);
  const { sending } = kept;
  if (isRecord(sending) && sending.content === content && typeof sending.key === "string") return sending.key;
  const key = crypto.randomUUID();
  keepForTab(draft, { ...kept, sending: { content, key } });
  return key;
}

/**
 * The address that this tab signed up with and that waits for its confirmation, and where the person was going; a
 * reload keeps them.
 */
export function readSentTo(): { email: string; next?: string } | null {
  const { email, next } = readForTab("sign-up-sent");
  if (typeof email !== "string") return null;
  return typeof next === "string" ? { email, next } : { email };
}

/** Null once it was confirmed, or another account is to be made. */
export function keepSentTo(sent: { email: string; next?: string } | null): void {
  keepForTab("sign-up-sent", sent);
}
