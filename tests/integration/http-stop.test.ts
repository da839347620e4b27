import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { listening } from "#tests/support/http-app.ts";

const deps = await openTestDeps();

test("a request whose body never comes doesn't keep the server from stopping", async () => {
  const app = await buildApp(deps, { finishMs: 300 });
  const { port, host } = new URL(await listening(app));
  const client = connect(Number(port), "127.0.0.1");
  client.on("error", () => {});
  await once(client, "connect");
  const head = ["POST /trpc/auth.signIn HTTP/1.1", `Host: ${host}`, "Origin: http://localhost:3000"];
  client.write([...head, "Content-Type: application/json", "Content-Length: 1000", "", "{"].join("\r\n"));
  await new Promise((resolve) => app.server.once("request", resolve));
  const cut = once(client, "close");
  await app.close();
  await cut;
  expect(app.server.listening).toBe(false);
}, 10_000);
