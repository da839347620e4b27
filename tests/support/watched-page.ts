import type { Page } from "playwright";
import { chunkOf } from "./chunks.ts";

/** Opens a page and waits until it is alive: it watches over its session and fetches what watches the connection. */
export async function openWatched(page: Page, path: string): Promise<void> {
  const fetched = page.waitForResponse(chunkOf("app/session/connection-watcher.tsx"));
  await page.goto(path);
  await page.evaluate((url) => import(url), (await fetched).url());
}
