import { afterAll, expect, test } from "vitest";
import { openServer } from "#server/open-server.ts";
import { readEnv } from "#server/platform/env.ts";
import { createLogger } from "#server/platform/logger.ts";
import { mailTexts } from "#shared/dashboard/mail-texts.ts";
import { openTestDatabase } from "#tests/support/database.ts";
import { testDeps } from "#tests/support/deps.ts";
import { freePort } from "#tests/support/free-port.ts";
import { callAs } from "#tests/support/people.ts";

const database = await openTestDatabase();
const deps = await testDeps(database);
afterAll(async () => {
  await deps.close();
  await database.close();
});

const production = {
  NODE_ENV: "production",
  PUBLIC_URL: "https://gona.example",
  APP_SECRET: "a secret of the tests, long enough for a key",
  DATABASE_URL: "postgres://localhost/gona",
};

test.each([
  ["a real site without a mail server says it", production, true],
  ["one with a mail server doesn't", { ...production, SMTP_URL: "smtp://mail.gona.example:25" }, false],
  ["local use doesn't", {}, false],
])("that mails don't leave: %s, at the start and to owners", async (_where, variables, isKept) => {
  const lines: string[] = [];
  const env = readEnv({ DATA_DIR: deps.env.dataDir, PORT: String(await freePort()), DEMO: "0", ...variables });
  const log = createLogger({ level: "info", destination: { write: (line) => lines.push(line) } });
  const started = { ...deps, env, log, jobs: { ...deps.jobs, start: async () => {} } };
  const server = await openServer({ deps: started, handle: database.handle, close: async () => {} });
  await server.start();
  await server.close();
  const warnings = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 40 || level === "warn");
  const said = warnings.filter(({ msg }) => msg.startsWith(mailTexts.staysHere));
  expect(said).toHaveLength(isKept ? 1 : 0);
  for (const { msg } of said) expect(msg).toContain("SMTP_URL");
  expect(await (await callAs(started, "owner")).alarms.mail()).toEqual({ isKept });
});
