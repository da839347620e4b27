import { expect, test } from "vitest";
import { AppError } from "#server/platform/errors.ts";
import { createLogger } from "#server/platform/logger.ts";
import { httpApp, listening, testOrigin } from "#tests/support/http-app.ts";

const password = "Correct-Horse-7";
const session = "session-token-1234567890";

test("a password and a session cookie sent to the server never reach its log", async () => {
  const lines: string[] = [];
  const app = httpApp(undefined, lines);
  app.post("/sign-in", async (request, reply) => {
    request.log.info({ req: request, input: request.body, headers: request.headers }, "careless");
    request.log.warn({ nested: { list: [{ newPassword: password }], mail: { html: password, text: password } } });
    const failure = new Error(`Failed query: insert into users values ($1)\nparams: ${password},${session}`);
    request.log.error({
      err: new Error("outer", { cause: Object.assign(failure, { query: password, params: [session] }) }),
    });
    reply.header("set-cookie", `session=${session}`);
    throw failure;
  });
  const url = await listening(app);
  const headers = {
    origin: testOrigin,
    cookie: `session=${session}`,
    authorization: `Bearer ${session}`,
    "content-type": "application/json",
  };
  const answer = await fetch(`${url}/sign-in?token=${session}`, {
    method: "POST",
    headers,
    body: JSON.stringify({ email: "ada@example.com", password, profile: { accessToken: session } }),
  });
  expect(answer.status).toBe(500);
  const broken = await fetch(`${url}/sign-in`, { method: "POST", headers, body: `{"password": ${password}` });
  expect(broken.status).toBe(400);
  await fetch(`${url}/report/${session}`);

  const log = lines.join("");
  expect(log).toContain("careless");
  expect(log).toContain("Failed query: insert into users");
  expect(log).toContain("ada@example.com");
  expect(log).toContain('"path":"/report/[removed]"');
  expect(log).not.toContain(password);
  expect(log).not.toContain(session);
});

test("a fault is an error with its stack, a client's mistake is information, both with the request's id", async () => {
  const lines: string[] = [];
  const app = httpApp(undefined, lines);
  app.get("/fault", async () => {
    throw new Error("broken pipe");
  });
  app.get("/mistake", async () => {
    throw new AppError("conflict", "Already there");
  });
  const fault = await app.inject({ url: "/fault", headers: { "x-request-id": "mine" } });
  const mistake = await app.inject("/mistake");
  const entries = lines.map((line) => JSON.parse(line));
  const thrown = entries.find((entry) => entry.err);
  expect(thrown).toMatchObject({ level: "error", reqId: fault.headers["x-request-id"] });
  expect(thrown.err.stack).toContain("logger.test.ts");
  expect(fault.headers["x-request-id"]).not.toBe("mine");
  const levels = entries.filter((entry) => entry.reqId === mistake.headers["x-request-id"]).map((entry) => entry.level);
  expect(levels).toEqual(["info"]);
});

test("for a person at a terminal the log is short lines", () => {
  let output = "";
  const log = createLogger({ level: "info", isReadable: true, destination: { write: (line) => (output += line) } });
  log.info({ port: 3000 }, "listening");
  log.error({ err: new Error("no disk") }, "failed");
  log.debug("unseen");
  expect(output).toMatch(
    /^\d\d:\d\d:\d\d info {2}listening {"port":3000}\n\d\d:\d\d:\d\d error failed\nError: no disk\n {4}at /,
  );
  expect(output).not.toContain("unseen");
});
