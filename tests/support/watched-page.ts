import type { Page } from "playwright";

/** Opens a page and waits until it watches over its session, for which it fetches the code after its first paint. */
export async function openWatched(page: Page, path: string): Promise<void> {
  const fetched = page.waitForResponse(/\/session-keeper-[^/]*\.js$/);
  await page.goto(path);
  await page.evaluate((url) => import(url), (await fetched).url());
}
