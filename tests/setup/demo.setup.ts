import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "playwright/test";
import { seedDemo } from "#server/cli/demo.ts";
import { openDeps } from "#server/open-deps.ts";
import { readEnv } from "#server/platform/env.ts";
import { databases, dataFolders } from "#tests/support/seeded-server.ts";

test("the demo's season is played", async () => {
  test.setTimeout(300_000);
  const [DATA_DIR, DATABASE_URL] = [join(dataFolders(), "demo"), databases()?.demoUrl];
  const { deps, close } = await openDeps(readEnv({ DATA_DIR, DATABASE_URL, LOG_LEVEL: "warn" }));
  const lines = await seedDemo(deps).finally(close);
  writeFileSync(join(dataFolders(), "demo.txt"), lines.join("\n"));
});
