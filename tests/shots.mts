import { mkdirSync, readFileSync } from "node:fs";
import { chromium } from "playwright";

const log = readFileSync("/tmp/demo-grants.log", "utf8");
const base = "http://127.0.0.1:4412";
const pw = (email: string) =>
  log
    .split("\n")
    .find((l) => l.includes(` ${email} `))!
    .trim()
    .split(/\s+/)
    .at(-1)!;
mkdirSync("/tmp/shots-grants", { recursive: true });
const [, , who, ...paths] = process.argv;

import { chromiumLaunch } from "#tests/support/chromium.ts";

const browser = await chromium.launch(await chromiumLaunch());
const email = `${who}@demo.example`;
const isAdmin = who !== "backer";
const ctx = await browser.newContext({ viewport: { width: 1280, height: 900 } });
const page = await ctx.newPage();
page.on("response", (r) => {
  if (r.status() >= 400) console.log("HTTP", r.status(), decodeURIComponent(r.url().slice(base.length)).slice(0, 160));
});
page.on("console", (m) => {
  if (m.type() === "error") console.log("CONSOLE", m.text().slice(0, 200));
});
await page.goto(base + (isAdmin ? "/admin/login" : "/login"));
await page.getByLabel("Email").first().fill(email);
await page.getByLabel("Password", { exact: true }).fill(pw(email));
await page
  .getByRole("button", { name: /^(Sign In|Login|Log in)$/i })
  .first()
  .click();
await page.waitForURL((u) => !u.pathname.includes("login"), { timeout: 20000 });
console.log("signed in at", page.url());
for (const path of paths) {
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: width === 360 ? 740 : 900 });
    await page.goto(base + path, { waitUntil: "networkidle" });
    await page.waitForTimeout(400);
    const name = `${who}-${path.replace(/[^a-z0-9]+/gi, "_")}-${width}.png`;
    const buttons = await page.locator("main button:visible, main a[href]:visible").allInnerTexts();
    if (width === 1280)
      console.log(
        path,
        "→",
        page.url().slice(base.length),
        "BUTTONS:",
        [...new Set(buttons.map((b) => b.trim()).filter(Boolean))].slice(0, 60).join(" | "),
      );
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (over > 0) console.log("OVERFLOW", path, width, over);
    await page.screenshot({ path: `/tmp/shots-grants/${name}`, fullPage: true });
  }
}
await browser.close();
