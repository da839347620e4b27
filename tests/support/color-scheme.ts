import type { Page } from "playwright";

/** Switches the system's scheme, and waits until the page wears it and nothing fades any more. */
export async function showScheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
  await page.evaluate(() => {
    const finite = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    return Promise.allSettled(finite.map(({ finished }) => finished));
  });
}
