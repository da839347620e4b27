import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pino from "pino";
import postgres from "postgres";
import { inject } from "vitest";
import { migrate } from "#server/db/migrate.ts";
import { type DatabaseHandle, type Db, openDatabase, openEmbedded } from "#server/db/open.ts";
import { openJobs } from "#server/platform/jobs.ts";
import { keepGona } from "./keep-gona.ts";
import { createDatabase, urlOf } from "./postgres-server.ts";
import { offerPrepared } from "./prepared.ts";

export interface TestDatabase {
  db: Db;
  handle: DatabaseHandle;
  /** Only on PostgreSQL: to open further handles on the same database, as other replicas would. */
  url: string | undefined;
  /** Only embedded: to open it again once its handle is closed. */
  dataDir: string | undefined;
  /** Deletes the database too. */
  close(): Promise<void>;
}

const root = join(import.meta.dirname, "../..");
const silent = pino({ level: "silent" });

/** Returns true if the vitest project works on PostgreSQL, not on the embedded database. */
export const isPostgres = (): boolean => inject("postgresAdminUrl") !== "";

/** A migrated, empty database for one test file, of the kind that the vitest project asks for. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const adminUrl = inject("postgresAdminUrl");
  return adminUrl === "" ? openCopyOfFolder("migrated") : openCopyOfTemplate(adminUrl);
}

/** An empty database without any migration. */
export async function openEmptyDatabase(): Promise<TestDatabase> {
  const adminUrl = inject("postgresAdminUrl");
  return adminUrl === "" ? openCopyOfFolder("empty") : openCopy(adminUrl, "template0");
}

async function prepare(handle: DatabaseHandle): Promise<void> {
  await migrate(handle);
  await keepGona(handle.db);
  const jobs = await openJobs(handle, { log: silent });
  await jobs.stop();
}

/** Changes with the migrations, the packages and what prepares, so that a prepared database is never older than the code. */
function stateOfTheSchema(): string {
  const hash = createHash("sha256");
  const migrations = readdirSync(join(root, "drizzle")).filter((file) => file.endsWith(".sql"));
  const code = [
    "package.json",
    ...["db/embedded", "db/migrate", "platform/jobs"].map((name) => `src/server/${name}.ts`),
    "demo/site.json",
  ];
  const files = [...code, ...migrations.sort().map((file) => `drizzle/${file}`)];
  for (const file of files) hash.update(readFileSync(join(root, file)));
  return hash.digest("hex").slice(0, 16);
}

/** Making an embedded database takes seconds, opening a copied folder half of one. */
async function openCopyOfFolder(state: "empty" | "migrated"): Promise<TestDatabase> {
  const prepared = await preparedFolders();
  const dataDir = mkdtempSync(join(tmpdir(), "gona-test-"));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  // A run that ends without its teardown leaves nothing behind.
  process.once("exit", remove);
  cpSync(join(prepared, state), join(dataDir, "pg"), { recursive: true });
  const handle = await openDatabase({ dataDir });
  const close = async () => {
    await handle.close();
    process.off("exit", remove);
    remove();
  };
  return { db: handle.db, handle, url: undefined, dataDir, close };
}

const dayMs = 86_400_000;

async function preparedFolders(): Promise<string> {
  const cache = join(root, "node_modules/.cache/gona-tests");
  const prepared = join(cache, stateOfTheSchema());
  if (existsSync(prepared)) {
    // Used now, so kept for a day.
    utimesSync(prepared, new Date(), new Date());
    return prepared;
  }
  mkdirSync(cache, { recursive: true });
  const lock = new DatabaseSync(join(cache, "lock"), { timeout: 170_000 });
  try {
    // The first test file makes them; the others wait for it.
    lock.exec("begin exclusive");
    if (!existsSync(prepared)) {
      // One that was used lately may be so still, by tests of another state of the code.
      for (const name of readdirSync(cache).filter((name) => !name.startsWith("lock"))) {
        const old = join(cache, name);
        if (Date.now() - statSync(old).mtimeMs > dayMs) rmSync(old, { recursive: true });
      }
      const unfinished = `${prepared}.unfinished`;
      rmSync(unfinished, { recursive: true, force: true });
      const [empty, migrated] = [join(unfinished, "empty"), join(unfinished, "migrated")];
      await (await openEmbedded({ dataDir: empty })).close();
      cpSync(empty, migrated, { recursive: true });
      const handle = await openEmbedded({ dataDir: migrated });
      await prepare(handle).finally(handle.close);
      renameSync(unfinished, prepared);
    }
  } finally {
    lock.close();
  }
  return prepared;
}

async function openCopyOfTemplate(adminUrl: string): Promise<TestDatabase> {
  const template = `gona_template_${stateOfTheSchema()}`;
  const admin = postgres(adminUrl, { max: 1, max_lifetime: null, onnotice: () => {} });
  try {
    // The first test file makes the template; the others wait for it.
    await admin`select pg_advisory_lock(hashtext('gona test template'))`;
    const [found] = await admin`select from pg_database where datname = ${template}`;
    if (!found) {
      const unfinished = `${template}_unfinished`;
      await admin.unsafe(`drop database if exists ${unfinished} with (force)`);
      await admin.unsafe(`create database ${unfinished} template template0`);
      const handle = await openDatabase({ url: urlOf(adminUrl, unfinished), dataDir: "" });
      await prepare(handle).finally(handle.close);
      await admin.unsafe(`alter database ${unfinished} rename to ${template}`);
    }
  } finally {
    await admin.end();
  }
  return openCopy(adminUrl, template);
}

async function openCopy(adminUrl: string, template: string): Promise<TestDatabase> {
  const { url, drop } = await createDatabase(adminUrl, template);
  const handle = await openDatabase({ url, dataDir: "" });
  const looker = offerPrepared(handle.db, url);
  const close = async () => {
    await Promise.all([handle.close(), looker.close()]);
    await drop();
  };
  return { db: handle.db, handle, url, dataDir: undefined, close };
}
