import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { startSession } from "#server/accounts/sessions.ts";
import { type Db, openDatabase } from "#server/db/open.ts";
import { users } from "#server/db/schema/users.ts";
import { systemClock } from "#server/platform/clock.ts";
import { startBuiltServer } from "#tests/support/built-server.ts";
import { startPostgres } from "#tests/support/postgres-server.ts";
import { type Contender, startScript } from "./processes.ts";
import { seedDatabase } from "./seed-database.ts";

/** A seeded PostgreSQL of its own, and servers on it that end with it. */
export type Scene = {
  url: string;
  db: Db;
  /** A file, by its path from `bench`, as a server on the database. */
  start(path: string): Promise<Contender>;
  /** The product as its users start it. */
  startProduct(): Promise<Contender>;
  /** The same without its kept answers. */
  startUncached(): Promise<Contender>;
  /** The cookie of a signed-in person. */
  cookieOf(where: { isAdmin: boolean }): Promise<string>;
};

/** Runs `run` on a database with so many projects, payments and audit entries, and takes everything down behind it. */
export async function onSeeded<Result>(count: number, run: (scene: Scene) => Promise<Result>): Promise<Result> {
  const postgres = await startPostgres();
  const dataDir = mkdtempSync(join(tmpdir(), "gona-bench-"));
  const env = { DATABASE_URL: postgres.url, LOG_LEVEL: "warn", DEMO: "false" };
  const stops: (() => Promise<void>)[] = [postgres.stop];
  try {
    await seedDatabase(postgres.url, count, () => {});
    const handle = await openDatabase({ url: postgres.url, dataDir });
    stops.unshift(handle.close);
    const { db } = handle;
    const start = async (path: string) => {
      const server = await startScript(path, { env: { ...env, NODE_ENV: "development", DATA_DIR: dataDir } });
      stops.unshift(server.stop);
      return server;
    };
    return await run({
      url: postgres.url,
      db,
      start,
      startUncached: () => start("references/uncached.ts"),
      async startProduct() {
        const server = await startBuiltServer({ env, dataDir });
        stops.unshift(server.stop);
        return server;
      },
      async cookieOf({ isAdmin }) {
        const [person] = await db
          .select()
          .from(users)
          .where(eq(users.isAdmin, isAdmin))
          .orderBy(users.createdAt)
          .limit(1);
        if (!person) throw new Error("nobody is seeded");
        const token = await startSession(
          { db, clock: systemClock },
          { userId: person.id, kind: isAdmin ? "admin" : "backer", device: "bench", ipAddress: "127.0.0.1" },
        );
        return `session=${token}`;
      },
    });
  } finally {
    for (const stop of stops) await stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
