import { defineConfig } from "playwright/test";
import { chromiumLaunch } from "./tests/support/chromium.ts";

// No webServer: each test starts the built product itself, with its own data, mail server and port.
export default defineConfig({
  testDir: "tests/e2e",
  // Each file has its own server, so two files may run at once.
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  // A crowded machine may lose a race once; what needed a second try is listed as flaky at the end.
  retries: process.env.CI ? 1 : 0,
  reporter: "list",
  use: {
    launchOptions: await chromiumLaunch(),
    screenshot: "only-on-failure",
    trace: "retain-on-failure",
  },
});
