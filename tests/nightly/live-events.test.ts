import { sql } from "drizzle-orm";
import pino from "pino";
import { expect, test } from "vitest";
import { inTransaction, openDatabase, rows } from "#server/db/open.ts";
import { openEvents } from "#server/platform/events.ts";
import { openTestDatabase } from "#tests/support/database.ts";

const log = pino({ level: "silent" });

test("events reach every process, also after the connection that listens was cut", async () => {
  const database = await openTestDatabase();
  const here = await openEvents(database.handle, { log });
  const otherHandle = await openDatabase({ url: database.url, dataDir: "" });
  const there = await openEvents(otherHandle, { log });
  const heard: unknown[] = [];
  there.subscribe((event) => heard.push(event));
  const publish = (projectId: number) =>
    inTransaction(database.db, (tx) => here.publish(tx, { type: "messages", projectId }));

  await publish(1);
  await expect.poll(() => heard).toEqual([{ type: "messages", projectId: 1 }]);

  await rows(
    database.db,
    sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen%' and pid <> pg_backend_pid()`,
  );
  await expect.poll(() => heard).toContainEqual({ type: "missed" });
  await publish(2);
  await expect.poll(() => heard).toContainEqual({ type: "messages", projectId: 2 });
  await otherHandle.close();
  await database.close();
});
