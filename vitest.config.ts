import { defineConfig } from "vitest/config";
import { findPostgresBinaries } from "./tests/support/postgres-server.ts";

const common = {
  setupFiles: ["tests/setup/console-error.ts"],
  // As in the browser: a crowded machine may lose a race once, and what needed a second try is named at the end.
  retry: process.env.CI ? 1 : 0,
};
// The embedded database compiles at its first start, and a small machine under load is ten times slower than a quiet
// one: only what hangs is to fail by the time it takes.
const patience = { testTimeout: 120_000, hookTimeout: 180_000 };

const unit = { test: { name: "unit", include: ["tests/unit/**/*.test.ts"], ...common } };

const embedded = {
  test: {
    name: "embedded",
    include: ["tests/integration/**/*.test.ts"],
    ...common,
    provide: { postgresAdminUrl: "" },
    ...patience,
  },
};

/** The same files on a real PostgreSQL, and the races that only it can prove. */
const postgres = {
  test: {
    name: "postgres",
    include: ["tests/integration/**/*.test.ts", "tests/postgres/**/*.test.ts"],
    ...common,
    globalSetup: ["tests/setup/postgres.ts"],
    ...patience,
  },
};

const hasPostgres = Boolean(process.env.TEST_DATABASE_URL) || findPostgresBinaries() !== undefined;

export default defineConfig({
  test: {
    projects: hasPostgres ? [unit, embedded, postgres] : [unit, embedded],
    // By itself vitest leaves one processor idle: on a small machine that is half of it.
    maxWorkers: "100%",
  },
});
