import { isRecord } from "./errors.ts";

/** Every name there is; the cookies page lists them. */
export type TabName =
  | "contact-draft"
  | "sign-up-sent"
  | "application-draft"
  | `message-draft:${string}`
  | `project-draft:${string}`
  | `edit-draft:${string}`
  | `update-draft:${string}`;

/** What the browser would not store: it lives as long as the page. */
const unstored = new Map<TabName, string>();

/**
 * Keeps what somebody typed for this tab, until it is sent: a reload or a closed connection takes nothing. A browser
 * that stores nothing, or is full, does without the reload; the forms work all the same.
 */
export function keepForTab(name: TabName, value: object | null): void {
  unstored.delete(name);
  try {
    if (value) sessionStorage.setItem(name, JSON.stringify(value));
    else sessionStorage.removeItem(name);
  } catch {
    if (value) unstored.set(name, JSON.stringify(value));
  }
}

/** What was kept; an empty record where there is nothing, or nothing of use. */
export function readKept(name: TabName): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(unstored.get(name) ?? sessionStorage.getItem(name) ?? "{}");
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
