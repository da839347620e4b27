import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "playwright/test";
import { showScheme } from "./color-scheme.ts";

/** The rules whose answer depends on the color scheme. */
const colorRules = ["color-contrast", "link-in-text-block"];

/** No violation that axe knows of in either scheme, and nothing to scroll sideways on the smallest phone. */
export async function expectSound(page: Page): Promise<void> {
  const before = page.viewportSize();
  for (const colorScheme of ["dark", "light"] as const) {
    await showScheme(page, colorScheme);
    const { violations } = await new AxeBuilder({ page })
      // Legacy mode needs no second page to put the answers together, which takes longer than the looking; it leaves
      // out frames of other origins, so a page with frames does without it.
      .setLegacyMode(page.frames().length === 1)
      // All that passes is not written down in detail: half of the time.
      .options({ resultTypes: ["violations"], ...(colorScheme === "dark" && { runOnly: colorRules }) })
      .analyze();
    expect(violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes[0]?.html}`)).toEqual([]);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, "sideways scrolling at 360 px").toBeLessThanOrEqual(0);
  if (before) await page.setViewportSize(before);
}
