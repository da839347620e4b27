import { defineConfig } from "playwright/test";
import { chromiumLaunch } from "./tests/support/chromium.ts";
import { isLong } from "./tests/support/length.ts";

/** What starts from an empty database. The main job loads a demo by itself: two at once would take too long. */
const withoutDemo = /(bad-month|money-in-steps|other-operator|season|setup|styles)\.test\.ts/;

// No webServer: the tests start the server themselves, on a copy of a data folder that is made once. Those that want the
// demo share a server per worker, to which each file adds its people; a file that moves the clock has its own server.
export default defineConfig({
  testDir: "tests/e2e",
  // The others run meanwhile the demo is made.
  projects: [
    { name: "demo", testDir: "tests/setup", testMatch: "demo.setup.ts" },
    { name: "without the demo", testMatch: withoutDemo },
    { name: "on the demo", testIgnore: withoutDemo, dependencies: ["demo"] },
  ],
  globalSetup: "./tests/setup/data-folders.ts",
  // At night only: what faster tests or other journeys tell too, and what looks at very many pages.
  ...(!isLong && { grepInvert: /@nightly/ }),
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: "list",
  use: {
    launchOptions: await chromiumLaunch(),
    // No test waits for a fade.
    reducedMotion: "reduce",
    screenshot: "only-on-failure",
    // A picture of the page for every action takes a fifth of the time: `--trace on` asks for it where a test fails.
    trace: "off",
  },
});
