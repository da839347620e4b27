import type { Page } from "playwright";
import { chunkOf } from "./chunks.ts";

/** Opens a page and waits until it watches over its session, for which it fetches the code after its first paint. */
export async function openWatched(page: Page, path: string): Promise<void> {
  const fetched = page.waitForResponse(chunkOf("app/session/session-watcher.tsx"));
  await page.goto(path);
  await page.evaluate((url) => import(url), (await fetched).url());
}
