import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import react from "@vitejs/plugin-react";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { chromiumLaunch } from "./tests/support/chromium.ts";
import { isLong } from "./tests/support/length.ts";
import { hasPostgres } from "./tests/support/postgres-server.ts";

const setupFiles = ["tests/setup/console-error.ts"];
// The embedded database compiles at its first start, and a small machine under load is ten times slower than a quiet
// one: only what hangs is to fail by the time it takes. At night a race has many times the rounds.
const patience = {
  testTimeout: isLong ? 1_800_000 : 120_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 30_000 } },
};
const integration = "tests/integration/**/*.test.ts";

/**
 * Where the two databases or their drivers may differ, and what only the embedded one does. The tests in the browser cover the
 * demo, jobs and searches on it.
 */
const smoke = ["backup", "control", "database", "housekeeping", "live-events", "lost-races", "public-cache"].map(
  (name) => `tests/integration/${name}.test.ts`,
);

/** Begun before the others of their project, so that none of them runs last and alone; those that mostly wait beside one that works. */
const slow = [
  "nightly/money-model",
  "nightly/faults",
  "nightly/payout-model",
  "nightly/bank-model",
  "nightly/harvest-model",
  "nightly/jobs",
  "integration/mail-outage",
  "integration/hostile-inputs",
  "nightly/interleavings",
  "nightly/harvest-interleavings",
  "nightly/payout-interleavings",
  "nightly/bank-interleavings",
  "nightly/statement-race",
  "nightly/project-race",
].map((name) => `tests/${name}.test.ts`);
const missing = [...smoke, ...slow].filter((file) => !existsSync(file));
if (missing.length > 0) throw new Error(`vitest.config.ts names files that are not there: ${missing.join(", ")}`);
const placeOf = ({ moduleId }: TestSpecification) => {
  const place = slow.findIndex((file) => moduleId.endsWith(`/${file}`));
  return place === -1 ? slow.length : place;
};

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const byProject = Map.groupBy(sorted, ({ project }) => project);
    return [...byProject.values()].flatMap((those) => those.sort((a, b) => placeOf(a) - placeOf(b)));
  }
}

const canUsePostgres = hasPostgres();

/** Files of a worker share their modules: each would load the whole server anew, a quarter of the time. */
const shared = { isolate: false };

const unit = { test: { name: "unit", include: ["tests/unit/**/*.test.ts"], setupFiles, ...patience, ...shared } };

/** The smoke set beside a PostgreSQL; all where there is none, and in the nightly run. */
const embedded = {
  test: {
    name: "embedded",
    include: canUsePostgres && !isLong ? smoke : [integration],
    setupFiles,
    provide: { postgresAdminUrl: "" },
    ...patience,
    ...shared,
  },
};

/** All on a real PostgreSQL, and what only it can prove: races, interleavings, several processes, faults. */
const postgres = {
  test: {
    name: "postgres",
    include: [integration, "tests/nightly/**/*.test.ts"],
    setupFiles,
    globalSetup: ["tests/setup/postgres.ts"],
    ...patience,
    ...shared,
  },
};

const chromium = await chromiumLaunch();
/** Nobody sees the pages, so they aren't painted: to all else, what is transparent is as visible. With a window it is shown. */
const unpainted = `
  if (navigator.userAgent.includes("Headless")) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("iframe { opacity: 0 }");
    document.adoptedStyleSheets.push(sheet);
  }
`;

/** The client's screens in a real Chromium, with answers that the tests give in the server's place. */
const components = {
  plugins: [react()],
  test: {
    name: "components",
    ...shared,
    include: ["tests/components/**/*.test.ts"],
    setupFiles,
    // A page asks three times before it says that nothing came, and a busy machine is slow.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 120_000,
    browser: {
      enabled: true,
      headless: true,
      orchestratorScripts: [{ content: unpainted }],
      // No test waits for a fade.
      provider: playwright({
        // V8's threads compile and collect ahead for pages that live long: more work than they save in these.
        launchOptions: { ...chromium, args: [...chromium.args, "--js-flags=--single-threaded"] },
        contextOptions: { reducedMotion: "reduce" },
      }),
      instances: [{ browser: "chromium" as const }],
      screenshotFailures: false,
      viewport: { width: 1280, height: 900 },
    },
  },
};

export default defineConfig({
  test: {
    projects: [unit, components, embedded, ...(canUsePostgres ? [postgres] : [])],
    // One more than there are processors, because some files mostly wait. Yet another one gains nothing.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowFirst },
  },
});
