import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";
import postgres from "postgres";
import { inject } from "vitest";
import { migrate } from "#server/db/migrate.ts";
import { type DatabaseHandle, type Db, openDatabase, openEmbedded } from "#server/db/open.ts";
import { openJobs } from "#server/platform/jobs.ts";
import { createDatabase, urlOf } from "./postgres-server.ts";
import { offerPrepared } from "./prepared.ts";

export interface TestDatabase {
  db: Db;
  handle: DatabaseHandle;
  /** Only on PostgreSQL: to open further handles on the same database, as other replicas would. */
  url: string | undefined;
  /** Deletes the database too. */
  close(): Promise<void>;
}

const root = join(import.meta.dirname, "../..");
const silent = pino({ level: "silent" });

/** Whether the vitest project works on PostgreSQL, not on the embedded database. */
export const isPostgres = (): boolean => inject("postgresAdminUrl") !== "";

/** A migrated, empty database for one test file, of the kind that the vitest project asks for. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const adminUrl = inject("postgresAdminUrl");
  return adminUrl === "" ? openCopyOfSnapshot() : openCopyOfTemplate(adminUrl);
}

/** An empty database without any migration. */
export async function openEmptyDatabase(): Promise<TestDatabase> {
  const adminUrl = inject("postgresAdminUrl");
  if (adminUrl === "") return embeddedTestDatabase(await openEmbedded({}));
  return openCopy(adminUrl, "template0");
}

async function prepare(handle: DatabaseHandle): Promise<void> {
  await migrate(handle);
  const jobs = await openJobs(handle, { log: silent });
  await jobs.stop();
}

/** Changes with the migrations and the packages, so that a prepared database is never older than the code. */
function stateOfTheSchema(): string {
  const hash = createHash("sha256");
  const migrations = readdirSync(join(root, "drizzle")).filter((file) => file.endsWith(".sql"));
  const files = ["package.json", "src/server/platform/jobs.ts", ...migrations.sort().map((file) => `drizzle/${file}`)];
  for (const file of files) hash.update(readFileSync(join(root, file)));
  return hash.digest("hex").slice(0, 16);
}

function embeddedTestDatabase(handle: DatabaseHandle): TestDatabase {
  return { db: handle.db, handle, url: undefined, close: handle.close };
}

/** To migrate takes seconds, to restore a third of one. */
async function openCopyOfSnapshot(): Promise<TestDatabase> {
  const cache = join(root, "node_modules/.cache/gona-tests");
  const name = `${stateOfTheSchema()}.tar`;
  const file = join(cache, name);
  if (!existsSync(file)) {
    mkdirSync(cache, { recursive: true });
    for (const old of readdirSync(cache))
      if (old !== name && old.endsWith(".tar")) rmSync(join(cache, old), { force: true });
    // Several test files may do this at once: each writes a file of its own, the last one gives it the name.
    const unfinished = `${file}.${crypto.randomUUID()}`;
    writeFileSync(unfinished, await makeSnapshot());
    renameSync(unfinished, file);
  }
  return embeddedTestDatabase(await openEmbedded({ snapshot: new Blob([readFileSync(file)]) }));
}

async function makeSnapshot(): Promise<Buffer> {
  const handle = await openEmbedded({});
  if (handle.kind !== "embedded") throw new Error("A snapshot is of an embedded database");
  await prepare(handle);
  const snapshot = await handle.client.dumpDataDir("none");
  await handle.close();
  return Buffer.from(await snapshot.arrayBuffer());
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
  return { db: handle.db, handle, url, close };
}
