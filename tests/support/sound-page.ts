import axe from "axe-core";
import { expect, type Page } from "playwright/test";
import { showScheme } from "./color-scheme.ts";

const phone = { width: 360, height: 740 };
/** Where Mantine puts what lies above a page: dialogs, menus, lists, toasts. */
const overlays = "[data-portal=true]";
/** The rules whose answer depends on the color scheme. */
const colorRules = ["color-contrast", "link-in-text-block"];

const axeOptions = {
  // All that passes is not written down in detail: half of the time.
  resultTypes: ["violations" as const],
  // What stands in frames is made by others, or a livestream's page, whose states tests/e2e/media.test.ts tries.
  iframes: false,
};

/**
 * Nothing to scroll sideways on the smallest phone, and nothing that axe knows of in an open dialog, in either scheme.
 * The pages themselves are looked at once each at night, in `every-page.test.ts`: axe takes longer than most tests.
 */
export async function expectSound(page: Page): Promise<void> {
  if (await page.locator(`${overlays} [role=dialog]`).count()) {
    await showScheme(page, "dark");
    await expectNoViolations(page, "dark", { within: overlays, rules: colorRules });
    await showScheme(page, "light");
    await expectNoViolations(page, "light", { within: overlays });
  }
  await atPhoneWidth(page, () => expectFits(page));
}

/**
 * Expects of a whole page that it fits a computer and the smallest phone, and that axe knows of nothing in the dark on
 * the phone, nor of a color in the light on the computer.
 */
export async function expectSoundPage(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 });
  await showScheme(page, "light");
  await expectNoViolations(page, "light", { rules: colorRules });
  await expectFits(page);
  await atPhoneWidth(page, async () => {
    await showScheme(page, "dark");
    await expectNoViolations(page, "dark");
    await expectFits(page);
  });
}

async function expectNoViolations(
  page: Page,
  scheme: string,
  { within, rules }: { within?: string; rules?: string[] } = {},
): Promise<void> {
  // Once per page: axe takes longer to load than to look.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(
    async ({ within, options }) => {
      const { axe } = window as unknown as { axe: typeof import("axe-core") };
      const { violations } = await axe.run(within ?? document, options);
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    },
    { within, options: { ...axeOptions, ...(rules && { runOnly: rules }) } },
  );
  expect(violations, `what axe knows of, ${scheme}`).toEqual([]);
}

async function atPhoneWidth(page: Page, look: () => Promise<void>): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize(phone);
  await look();
  if (before) await page.setViewportSize(before);
}

async function expectFits(page: Page): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, `sideways scrolling at ${page.viewportSize()?.width} px`).toBeLessThanOrEqual(0);
}
