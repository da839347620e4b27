import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDeps } from "#server/open-deps.ts";
import { readEnv } from "#server/platform/env.ts";
import { keepGona } from "#tests/support/keep-gona.ts";
import { isLong } from "#tests/support/length.ts";
import { createDatabase, hasPostgres, openPostgresForTests } from "#tests/support/postgres-server.ts";

declare global {
  namespace NodeJS {
    interface ProcessEnv {
      /** The folder of the data folders `empty` and `demo`, of `databases.json`, and of the demo's sign-ins in `demo.txt`. */
      TEST_DATA_FOLDERS?: string;
    }
  }
}

/** The content of `databases.json`: the databases that go with the data folders, or null if they are embedded. */
export type Databases = { adminUrl: string; empty: string; demo: string; demoUrl: string } | null;

/**
 * Makes the data folders that the tests' servers copy: migrating takes seconds of CPU and seeding half a minute, so
 * each happens once. `demo.setup.ts` fills the demo while tests that don't need it run. The embedded database compiles
 * itself anew in each server, so it is only used where there is no other, and by the nightly run.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const opened = new AsyncDisposableStack();
  try {
    await makeFolders(opened);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
  return () => opened.disposeAsync();
}

async function makeFolders(stack: AsyncDisposableStack): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "gona-data-folders-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const [empty, demo] = [join(folder, "empty"), join(folder, "demo")];
  const server = isLong || !hasPostgres() ? undefined : await openPostgresForTests();
  stack.defer(() => server?.stop());
  const create = async (template: string) => {
    const database = server && (await createDatabase(server.url, template));
    stack.defer(() => database?.drop());
    return database;
  };
  mkdirSync(empty);
  const emptyDatabase = await create("template0");
  const { deps, close } = await openDeps(
    readEnv({ DATA_DIR: empty, DATABASE_URL: emptyDatabase?.url, LOG_LEVEL: "warn" }),
  );
  await keepGona(deps.db).finally(close);
  cpSync(empty, demo, { recursive: true });
  const demoDatabase = emptyDatabase && (await create(emptyDatabase.name));
  const databases: Databases =
    server && emptyDatabase && demoDatabase
      ? { adminUrl: server.url, empty: emptyDatabase.name, demo: demoDatabase.name, demoUrl: demoDatabase.url }
      : null;
  writeFileSync(join(folder, "databases.json"), JSON.stringify(databases));
  process.env.TEST_DATA_FOLDERS = folder;
}
