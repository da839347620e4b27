import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { applicationPath } from "#shared/careers/texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { listening } from "#tests/support/http-app.ts";
import { offerJobs } from "#tests/support/keep-gona.ts";
import { createAdmin } from "#tests/support/people.ts";
import { sessionCookie } from "#tests/support/uploads.ts";

/** Requests so slow that they hold a connection for nothing, on a server that waits a moment instead of 30 seconds. */
const deps = await openTestDeps();
const receiveMs = 1500;
let app: FastifyInstance;
let port: number;
beforeAll(async () => {
  await offerJobs(deps);
  app = await buildApp(deps, { distDir: "/nowhere", receiveMs });
  port = Number(new URL(await listening(app)).port);
  // Answered before, it is answered in no time again.
  await app.inject("/trpc/projects.featured");
});
afterAll(() => app.close());

async function send(lines: string[], body: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const head = [...lines, `Host: localhost`, `Origin: ${deps.env.publicUrl}`, "Content-Length: 2000"];
  socket.write([...head, "", body].join("\r\n"));
  return socket;
}

describe.concurrent("a body that doesn't come to its end", () => {
  const json = "Content-Type: application/json";
  test.each([
    ["to a procedure", ["POST /trpc/auth.signIn HTTP/1.1", json]],
    ["to a procedure that takes no input", ["POST /trpc/auth.touch HTTP/1.1", json]],
    ["to the report of a policy", ["POST /csp-report HTTP/1.1", json]],
    ["to the unsubscribing of one click", ["POST /unsubscribe?token=x HTTP/1.1", "Content-Type: text/plain"]],
  ])("%s is answered with 408 and cut", async (_where, lines) => {
    const answer = await text(await send(lines, "{"));
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain("The request took too long. Please try again.");
  });

  test("in pieces is given no more time for each", async () => {
    const socket = await send(["POST /trpc/auth.signIn HTTP/1.1", json], "{");
    const trickle = setInterval(() => socket.write(" "), receiveMs / 10);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
    clearInterval(trickle);
    socket.destroy();
  });

  test.each([
    ["of a page", ["GET /trpc/projects.featured HTTP/1.1"], 200],
    ["of an address that isn't there", ["POST /nowhere HTTP/1.1", "Content-Type: application/x-none"], 404],
    ["of a kind that nobody reads", ["POST /trpc/auth.signIn HTTP/1.1", "Content-Type: text/plain"], 415],
    ["of an upload from elsewhere", [`POST ${applicationPath} HTTP/1.1`, "Content-Type: text/plain"], 403],
  ])("%s is cut after its answer", async (_what, lines, status) => {
    const answer = await text(await send(lines, "x"));
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  test("is cut with the head as well", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.write("POST /trpc/auth.signIn HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });
});

test("an upload may take longer", async () => {
  const owner = await createAdmin(deps.db, "owner");
  const cookie = `Cookie: ${await sessionCookie(deps, owner)}`;
  const type = "Content-Type: multipart/form-data; boundary=b";
  const upload = await send(
    ["POST /uploads/project-image HTTP/1.1", "X-Upload: 1", "Connection: close", type, cookie],
    "--b\r\n",
  );
  // One that began later has been cut: the upload has had its time as well.
  const later = await send(["POST /trpc/auth.signIn HTTP/1.1", "Content-Type: application/json"], "{");
  expect(await text(later)).toMatch(/^HTTP\/1\.1 408 /);
  expect(upload.readableLength).toBe(0);
  const answer = text(upload);
  upload.write("--b--\r\n".padEnd(2000 - "--b\r\n".length));
  expect(await answer).toMatch(/^HTTP\/1\.1 400 /);
});
