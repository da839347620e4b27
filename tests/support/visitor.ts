import type { Browser, BrowserContextOptions, Page } from "playwright/test";
import { watchErrors } from "./console-errors.ts";

/** One browser of a new visitor, and every error that its pages wrote to the console. */
export async function newVisitor(
  browser: Browser,
  options: BrowserContextOptions,
): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  return { page, problems: watchErrors(page) };
}
