import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase, rows } from "#server/db/open.ts";
import { openTestDatabase, type TestDatabase } from "#tests/support/database.ts";

// A database that goes just while a connection to it is opened, and is away for a while, as at its restart. The driver by
// itself ended the process then: an error that nobody catches fails the run of this test, too.
let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** Starts a proxy before the database. It shuts at a client's `nth` message, and `open` opens it again. */
async function startProxy(databaseUrl: string, nth: number) {
  const behind = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const shut = Promise.withResolvers<void>();
  let isShutting = true;
  const door = createServer((client) => {
    const server = connect(Number(behind.port), behind.hostname);
    const ends = [client, server];
    for (const socket of ends) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.once("close", () => {
        sockets.delete(socket);
        for (const end of ends) end.end();
      });
    }
    server.pipe(client);
    let said = 0;
    client.on("data", (words) => {
      said += 1;
      if (!isShutting || said < nth) return server.write(words);
      isShutting = false;
      // In this order: who loses a connection finds no door to try again.
      door.close(() => shut.resolve());
      for (const socket of sockets) socket.end();
    });
  });
  const listen = async (port: number) => {
    await once(door.listen(port, "127.0.0.1"), "listening");
    const address = door.address();
    return typeof address === "object" && address ? address.port : 0;
  };
  const port = await listen(0);
  const url = new URL(databaseUrl);
  Object.assign(url, { hostname: "127.0.0.1", port });
  return {
    url: url.href,
    shut: shut.promise,
    open: () => listen(port),
    close: () => new Promise((resolve) => door.close(resolve)),
  };
}

/** A connection is lost at its nth message while it opens. */
async function loseAt(nth: number): Promise<void> {
  const door = await startProxy(database.url ?? "", nth);
  const { db, close } = await openDatabase({ url: door.url, dataDir: "" });
  const ask = () => rows(db, sql`select ${7}::int as seven`);
  await expect(ask()).rejects.toThrow();
  await door.shut;
  // Nobody is there yet, however often they are asked.
  for (let time = 0; time < 3; time += 1) {
    const answers = await Promise.allSettled(Array.from({ length: 20 }, ask));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill("rejected"));
  }
  await door.open();
  // The door is looked for again within a second: the driver itself would wait for 20.
  await expect.poll(() => ask().catch(() => []), { timeout: 10_000 }).toEqual([{ seven: 7 }]);
  await close();
  await door.close();
}

test("a connection that is lost at its first words, at what is said once it is open, or next, fails its query alone", async () => {
  // At once, because each of them mostly waits.
  await Promise.all([1, 2, 3].map(loseAt));
});
