import { mkdirSync, rmSync } from "node:fs";
import { chromium } from "playwright";
import { startBuiltServer } from "#tests/support/built-server.ts";
import { chromiumLaunch } from "#tests/support/chromium.ts";
import { showScheme } from "#tests/support/color-scheme.ts";
import { listScreens, openBrowserOf, openScreen, type Who } from "#tests/support/screens.ts";

/**
 * `npm run screenshots`: every page of a fresh demo as a picture under screenshots/, at 360 and 1280 px, light and dark.
 * With arguments only screens whose name holds one of them: `npm run screenshots -- discover admin`.
 */
const folder = "screenshots";
const wanted = process.argv.slice(2);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const server = await startBuiltServer({ env: { DEMO: "1", LOG_LEVEL: "error" } });
const browser = await chromium.launch(await chromiumLaunch());
let count = 0;
try {
  const screens = (await listScreens(server)).filter(
    ({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)),
  );
  for (const who of ["visitor", "backer", "keeper", "owner"] satisfies Who[]) {
    for (const [width, height] of [
      [360, 740],
      [1280, 800],
    ] as const) {
      const context = await browser.newContext({ viewport: { width, height }, reducedMotion: "reduce" });
      const page = await openBrowserOf(who, context, server);
      for (const screen of screens.filter((each) => each.who === who)) {
        await openScreen(page, server.url, screen);
        for (const colorScheme of ["light", "dark"] as const) {
          await showScheme(page, colorScheme);
          await page.screenshot({ path: `${folder}/${screen.name}-${width}-${colorScheme}.png`, fullPage: true });
          count += 1;
        }
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
  await server.stop();
}
console.log(`screenshots: ${count} pictures in ${folder}/`);
