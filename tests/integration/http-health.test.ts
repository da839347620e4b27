import { connect, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "#server/db/open.ts";
import { registerHealth } from "#server/http/health.ts";
import { openEmptyDatabase, openTestDatabase, type TestDatabase } from "#tests/support/database.ts";
import { httpApp, listening } from "#tests/support/http-app.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

function healthApp({ db }: Pick<TestDatabase, "db">) {
  const app = httpApp();
  registerHealth(app, { db });
  return app;
}

test("a migrated database is ready", async () => {
  const app = healthApp(database);
  const ready = await app.inject("/readyz");
  expect([ready.statusCode, ready.json()]).toEqual([200, { status: "ready" }]);
  expect(ready.headers["cache-control"]).toBe("no-store");
  expect((await app.inject("/healthz")).json()).toEqual({ status: "ok" });
});

test("missing migrations and a lost database are not ready, though the process is up", async () => {
  const empty = await openEmptyDatabase();
  const app = healthApp(empty);
  const pending = await app.inject("/readyz");
  expect([pending.statusCode, pending.json()]).toEqual([503, { status: "migrations pending" }]);
  await empty.close();
  const lost = await app.inject("/readyz");
  expect([lost.statusCode, lost.json()]).toEqual([503, { status: "database unreachable" }]);
  expect((await app.inject("/healthz")).statusCode).toBe(200);
});

test("a database that doesn't answer within two seconds is unreachable", async () => {
  const mute = createServer(() => {});
  await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
  const address = mute.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const handle = await openDatabase({ url: `postgres://gona@127.0.0.1:${port}/gona`, dataDir: "unused" });
  const startedAt = performance.now();
  const answer = await healthApp(handle).inject("/readyz");
  expect(answer.json()).toEqual({ status: "database unreachable" });
  expect(performance.now() - startedAt).toBeLessThan(3000);
  await handle.close();
  mute.close();
});

test("while the server stops it isn't ready", async () => {
  const app = healthApp(database);
  let release = () => {};
  app.addHook("preClose", () => new Promise<void>((resolve) => (release = resolve)));
  const { port } = new URL(await listening(app));
  const closing = app.close();
  const socket = connect(Number(port), "127.0.0.1");
  socket.end("GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 503 /);
  release();
  await closing;
});
