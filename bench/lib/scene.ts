import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSession } from "#server/accounts/sessions.ts";
import { migrate } from "#server/db/migrate.ts";
import { type Db, openDatabase } from "#server/db/open.ts";
import { systemClock } from "#server/platform/clock.ts";
import { type BuiltServer, startBuiltServer } from "#tests/support/built-server.ts";
import { startPostgres } from "#tests/support/postgres-server.ts";
import { type Contender, startScript } from "./processes.ts";
import { seedDatabase } from "./seed-database.ts";

/** A migrated PostgreSQL of its own, and servers on it that end with it. */
export type Scene = {
  databaseUrl: string;
  db: Db;
  /** Starts a reference, named by its path from `bench`, as a server on the database. */
  startReference(path: string): Promise<Contender>;
  /** Starts the product as its users do. */
  startProduct(): Promise<BuiltServer>;
  /** Starts the product without its cache. */
  startUncached(): Promise<Contender>;
  /** Signs a person in and returns the value of the Cookie header. */
  cookieOf(person: { id: string; isAdmin: boolean }): Promise<string>;
};

/** Calls `run` on a database with `projects` projects and payments, then stops the servers and removes everything. */
export async function onDatabase<Result>(projects: number, run: (scene: Scene) => Promise<Result>): Promise<Result> {
  const postgres = await startPostgres();
  const dataDir = mkdtempSync(join(tmpdir(), "gona-bench-"));
  const env = { DATABASE_URL: postgres.url, DATA_DIR: dataDir, LOG_LEVEL: "warn", DEMO: "0" };
  const stops: (() => Promise<void>)[] = [postgres.stop];
  const ending = <Server extends { stop(): Promise<void> }>(server: Server): Server => {
    stops.unshift(server.stop);
    return server;
  };
  try {
    const handle = await openDatabase({ url: postgres.url, dataDir });
    stops.unshift(handle.close);
    const { db } = handle;
    await migrate(handle);
    if (projects > 0) await seedDatabase(postgres.url, projects);
    return await run({
      databaseUrl: postgres.url,
      db,
      startReference: async (path) => ending(await startScript(path, env)),
      startProduct: async () => ending(await startBuiltServer({ env, dataDir })),
      // In production the server would require its secret and address.
      startUncached: async () =>
        ending(await startScript("references/uncached.ts", { ...env, NODE_ENV: "development" })),
      async cookieOf({ id: userId, isAdmin }) {
        const kind = isAdmin ? "admin" : "backer";
        const from = { device: "bench", ipAddress: "127.0.0.1" };
        return `session=${await startSession({ db, clock: systemClock }, { userId, kind, ...from })}`;
      },
    });
  } finally {
    for (const stop of stops) await stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
