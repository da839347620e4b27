import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seedDemo } from "#server/cli/demo.ts";
import { openDeps } from "#server/open-deps.ts";
import { readEnv } from "#server/platform/env.ts";

declare global {
  namespace NodeJS {
    interface ProcessEnv {
      /** The folder of the data folders `empty` and `demo`, and of the demo's sign-ins in `demo.txt`. */
      TEST_DATA_FOLDERS?: string;
    }
  }
}

/** Migrating and seeding takes seconds of a processor: it happens once, and the servers of the tests start on copies. */
export default async function setup(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "gona-data-folders-"));
  const [empty, demo] = [join(folder, "empty"), join(folder, "demo")];
  mkdirSync(empty);
  const open = (dataDir: string) => openDeps(readEnv({ DATA_DIR: dataDir, LOG_LEVEL: "warn" }));
  await (await open(empty)).close();
  cpSync(empty, demo, { recursive: true });
  const { deps, close } = await open(demo);
  const lines = await seedDemo(deps, { hasSeason: false }).finally(close);
  writeFileSync(join(folder, "demo.txt"), lines.join("\n"));
  process.env.TEST_DATA_FOLDERS = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
