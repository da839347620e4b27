import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext } from "playwright";
import { buildApp } from "#server/app.ts";
import { jobHandlers } from "#server/job-handlers.ts";
import { openDeps } from "#server/open-deps.ts";
import type { Deps } from "#server/platform/deps.ts";
import { readEnv } from "#server/platform/env.ts";
import type { Databases } from "#tests/setup/data-folders.ts";
import { type BuiltServer, startBuiltServer } from "./built-server.ts";
import { freePort } from "./free-port.ts";
import type { TestUser } from "./people.ts";
import { createDatabase } from "./postgres-server.ts";
import { makeProjectsOfToday } from "./projects.ts";

export type SeededServer<Prepared> = BuiltServer & {
  prepared: Prepared;
  /** Ends the process by the signal and starts another one on the same data, at the same address. */
  restart(signal: NodeJS.Signals): Promise<void>;
};

type Place = { dataDir: string; env: Record<string, string>; remove(): Promise<void> };

/** A data folder and, where they aren't embedded, a database of one's own, as `tests/setup/data-folders.ts` made them. */
async function copyPlace(name: "empty" | "demo"): Promise<Place> {
  const dataDir = mkdtempSync(join(tmpdir(), "gona-data-"));
  cpSync(join(dataFolders(), name), dataDir, { recursive: true });
  const databases: Databases = JSON.parse(readFileSync(join(dataFolders(), "databases.json"), "utf8"));
  const database = databases && (await createDatabase(databases.adminUrl, databases[name]));
  return {
    dataDir,
    env: { LOG_LEVEL: "warn", ...(database && { DATABASE_URL: database.url }) },
    async remove() {
      rmSync(dataDir, { recursive: true, force: true });
      await database?.drop();
    },
  };
}

function dataFolders(): string {
  const folder = process.env.TEST_DATA_FOLDERS;
  if (!folder) throw new Error("The data folders are missing: Playwright's global setup makes them");
  return folder;
}

/** The built product on an empty database. */
export async function startEmptyServer(env: Record<string, string> = {}): Promise<BuiltServer> {
  return startOn(await copyPlace("empty"), { DEMO: "0", ...env });
}

/** The built product on demo farms; its output tells the demo's sign-ins. */
export async function startDemoServer(env: Record<string, string> = {}): Promise<BuiltServer> {
  const signIns = readFileSync(join(dataFolders(), "demo.txt"), "utf8");
  const server = await startOn(await copyPlace("demo"), env);
  return { ...server, output: () => `${signIns}\n${server.output()}` };
}

async function startOn(place: Place, env: Record<string, string>): Promise<BuiltServer> {
  const server = await startBuiltServer({ dataDir: place.dataDir, env: { ...place.env, ...env } });
  const stop = async () => {
    await server.stop();
    await place.remove();
  };
  return { ...server, stop };
}

/** The built product on demo farms and what `prepare` adds to its database before the server has it. */
export async function startSeededServer<Prepared>(
  prepare: (deps: Deps) => Promise<Prepared>,
  env: Record<string, string> = {},
): Promise<SeededServer<Prepared>> {
  const { dataDir, env: own, remove } = await copyPlace("demo");
  const { deps, close } = await openDeps(readEnv({ DATA_DIR: dataDir, ...own }));
  makeProjectsOfToday();
  const prepared = await prepare(deps).finally(close);
  const port = String(await freePort());
  const start = () => startBuiltServer({ dataDir, env: { ...own, ...env, PORT: port } });
  let server = await start();
  return {
    url: server.url,
    dataDir,
    prepared,
    get pid() {
      return server.pid;
    },
    output: () => server.output(),
    kill: (signal) => server.kill(signal),
    async restart(signal) {
      await server.kill(signal);
      server = await start();
    },
    async stop() {
      await server.stop();
      await remove();
    },
  };
}

export type MovableServer = {
  url: string;
  /** What the server works with. Its jobs don't run by themselves: a test calls those that it is about. */
  deps: Deps;
  advance(by: { hours: number }): void;
  /** Advances the clock, and then runs once each job that the clock starts: all reminders, ends, cleaning, the self-check. */
  pass(time: { hours: number }): Promise<void>;
  stop(): Promise<void>;
};

/** The product on an empty database in this process, so that a test moves its clock and reads its books. */
export async function startMovableServer(): Promise<MovableServer> {
  const { dataDir, env: own, remove } = await copyPlace("empty");
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = { DATA_DIR: dataDir, PORT: String(port), PUBLIC_URL: url, DEMO: "0", ...own };
  const { deps: opened, close } = await openDeps(readEnv(env));
  let movedMs = 0;
  const deps = { ...opened, clock: { now: () => new Date(Date.now() + movedMs) } };
  makeProjectsOfToday();
  const app = await buildApp(deps);
  await app.listen({ port, host: "127.0.0.1" });
  const { mail: _mail, "account-link": _link, "delete-file": _file, ...recurring } = jobHandlers(deps);
  return {
    url,
    deps,
    advance({ hours }) {
      movedMs += hours * 3_600_000;
    },
    async pass({ hours }) {
      movedMs += hours * 3_600_000;
      for (const run of Object.values(recurring)) await run({}, new AbortController().signal);
    },
    async stop() {
      await app.close();
      await close();
      await remove();
    },
  };
}

/** Signs a browser in without its screens, for tests that are about what comes after. */
export async function signInBrowser(
  context: BrowserContext,
  server: Pick<BuiltServer, "url">,
  { email, password, isAdmin }: Pick<TestUser, "email" | "password" | "isAdmin">,
): Promise<void> {
  const procedure = isAdmin ? "auth.adminSignIn" : "auth.signIn";
  const answer = await context.request.post(`${server.url}/trpc/${procedure}`, {
    headers: { origin: server.url },
    data: { json: { email, password } },
  });
  if (!answer.ok()) throw new Error(`The sign-in failed: ${await answer.text()}`);
}
