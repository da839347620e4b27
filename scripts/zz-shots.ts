import { chromiumLaunch } from "#tests/support/chromium.ts";
import { chromium } from "playwright";
const [base, prefix, ...paths] = process.argv.slice(2);
const browser = await chromium.launch(await chromiumLaunch());
for (const width of [360, 1280]) for (const scheme of (process.env.SCHEMES ?? "light,dark").split(",")) {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme: scheme as "light" });
  const page = await context.newPage();
  page.on("console", (m) => m.type() === "error" && console.log("console", m.text()));
  for (const [i, path] of paths.entries()) {
    await page.goto(base + path); await page.waitForTimeout(1500);
    await page.screenshot({ path: `/tmp/shots/${prefix}-${i}-${width}-${scheme}.png`, fullPage: true });
    const over = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    if (over) console.log("too wide", path, width);
  }
  await context.close();
}
await browser.close();
