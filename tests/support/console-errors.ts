import type { Page } from "playwright/test";

/** The browser's own message about a refused call, which is the page's business. */
const refusal = /^Failed to load resource/;

/**
 * The list that each error of a page is added to from now on: thrown, or written to its console, as a blocked style or
 * script is. Add `into` a list of several pages; `allowed` are texts that a test wants instead of refused calls.
 */
export function watchErrors(
  page: Page,
  { into = [], allowed = refusal }: { into?: string[]; allowed?: RegExp | undefined } = {},
): string[] {
  page.on("pageerror", (error) => into.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !allowed.test(message.text())) into.push(message.text());
  });
  return into;
}

/** For tests in which no call may fail either. */
export const nothing = /$^/;
