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

/** What `databases.json` holds: the databases that go with the data folders, or nothing where they are embedded. */
export type Databases = { adminUrl: string; empty: string; demo: string; demoUrl: string } | null;

/**
 * Migrating takes seconds of a processor, and seeding half a minute: each happens once, and the servers of the tests start on
 * copies. The demo is filled by `demo.setup.ts`, meanwhile the tests run that don't want it. The embedded database compiles
 * itself in each server anew, so that is for where there is no other, and for the night.
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
