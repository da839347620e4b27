import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext } from "playwright";
import { buildApp } from "#server/app.ts";
import { jobHandlers } from "#server/job-handlers.ts";
import { openDeps } from "#server/open-deps.ts";
import { openServer } from "#server/open-server.ts";
import type { Deps } from "#server/platform/deps.ts";
import { readEnv } from "#server/platform/env.ts";
import type { Databases } from "#tests/setup/data-folders.ts";
import { type BuiltServer, startBuiltServer } from "./built-server.ts";
import { freePort } from "./free-port.ts";
import type { TestUser } from "./people.ts";
import { createDatabase } from "./postgres-server.ts";
import { makeProjectsOfToday } from "./projects.ts";

export type RunningServer = Pick<BuiltServer, "url" | "stop">;

export type SeededServer<Prepared> = RunningServer & { prepared: Prepared };

export type SeededProcess<Prepared> = SeededServer<Prepared> & {
  /** Ends the process by the signal and starts another one on the same data, at the same address. */
  restart(signal: NodeJS.Signals): Promise<void>;
};

type Variables = Record<string, string>;
type Place = { dataDir: string; isEmbedded: boolean; env: Variables; remove(): Promise<void> };

/** A data folder and, where they aren't embedded, a database of one's own, as `tests/setup/data-folders.ts` made them. */
async function copyPlace(name: "empty" | "demo"): Promise<Place> {
  const dataDir = mkdtempSync(join(tmpdir(), "gona-data-"));
  cpSync(join(dataFolders(), name), dataDir, { recursive: true });
  const databases: Databases = JSON.parse(readFileSync(join(dataFolders(), "databases.json"), "utf8"));
  const database = databases && (await createDatabase(databases.adminUrl, databases[name]));
  return {
    dataDir,
    isEmbedded: database === null,
    env: { DATA_DIR: dataDir, LOG_LEVEL: "warn", ...(database && { DATABASE_URL: database.url }) },
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

/** The product on an empty database. */
export async function startEmptyServer(env: Variables = {}): Promise<RunningServer> {
  return startOn(await copyPlace("empty"), { DEMO: "0", ...env });
}

export type DemoServer = RunningServer & Pick<BuiltServer, "output">;

/** The product on demo farms; its output is what told the demo's sign-ins. */
export async function startDemoServer(env: Variables = {}): Promise<DemoServer> {
  const signIns = readFileSync(join(dataFolders(), "demo.txt"), "utf8");
  return { ...(await startOn(await copyPlace("demo"), env)), output: () => signIns };
}

/**
 * A process takes seconds of a processor to load what this one has loaded. The embedded database works in the thread that asks
 * it, where it would hold up the driver of the browser: there it is a process, as its users start it.
 */
async function startOn(place: Place, env: Variables): Promise<RunningServer> {
  const all = { ...place.env, ...env };
  const start = place.isEmbedded ? startBuiltServer({ dataDir: place.dataDir, env: all }) : startHere(all);
  const { url, stop } = await start.catch(async (error: unknown) => {
    await place.remove();
    throw error;
  });
  return {
    url,
    async stop() {
      await stop();
      await place.remove();
    },
  };
}

async function startHere(env: Variables): Promise<RunningServer> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const here = { HOST: "127.0.0.1", PORT: String(port), PUBLIC_URL: url, LOG_LEVEL: "error" };
  const opened = await openDeps(readEnv({ ...env, ...here }));
  const server = await openServer(opened);
  await server.start().catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  return { url, stop: server.close };
}

type Prepare<Prepared> = (deps: Deps) => Promise<Prepared>;

async function prepareOn<Prepared>(place: Place, prepare: Prepare<Prepared>): Promise<Prepared> {
  const { deps, close } = await openDeps(readEnv(place.env));
  makeProjectsOfToday();
  return prepare(deps).finally(close);
}

/** The product on demo farms and what `prepare` adds to its database before the server has it. */
export async function startSeededServer<Prepared>(
  prepare: Prepare<Prepared>,
  env: Variables = {},
): Promise<SeededServer<Prepared>> {
  const place = await copyPlace("demo");
  const prepared = await prepareOn(place, prepare);
  return { ...(await startOn(place, env)), prepared };
}

/** The same as a process of its own, for what happens when it ends. */
export async function startSeededProcess<Prepared>(
  prepare: Prepare<Prepared>,
  env: Variables = {},
): Promise<SeededProcess<Prepared>> {
  const place = await copyPlace("demo");
  const prepared = await prepareOn(place, prepare);
  const port = String(await freePort());
  const start = () => startBuiltServer({ dataDir: place.dataDir, env: { ...place.env, ...env, PORT: port } });
  let server = await start();
  return {
    url: server.url,
    prepared,
    async restart(signal) {
      await server.kill(signal);
      server = await start();
    },
    async stop() {
      await server.stop();
      await place.remove();
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
  const { env: own, remove } = await copyPlace("empty");
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = { PORT: String(port), PUBLIC_URL: url, DEMO: "0", ...own };
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
