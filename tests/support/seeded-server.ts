import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext } from "playwright";
import { buildApp } from "#server/app.ts";
import { seedDemo } from "#server/cli/demo.ts";
import { jobHandlers } from "#server/job-handlers.ts";
import { openDeps } from "#server/open-deps.ts";
import { openServer } from "#server/open-server.ts";
import type { Deps } from "#server/platform/deps.ts";
import { readEnv } from "#server/platform/env.ts";
import type { Databases } from "#tests/setup/data-folders.ts";
import { type BuiltServer, startBuiltServer } from "./built-server.ts";
import { freePort } from "./free-port.ts";
import { keepOtherOperator } from "./keep-gona.ts";
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
type Place = { dataDir: string; isEmbedded: boolean; env: Variables };

/** A data folder and, where they aren't embedded, a database of one's own, as `tests/setup/data-folders.ts` made them. */
async function copyPlace(name: "empty" | "demo"): Promise<Place & { remove(): Promise<void> }> {
  const templates = databases();
  const database = templates && (await createDatabase(templates.adminUrl, templates[name]));
  const dataDir = mkdtempSync(join(tmpdir(), "gona-data-"));
  cpSync(join(dataFolders(), name), dataDir, { recursive: true });
  return {
    dataDir,
    isEmbedded: database === null,
    // A server in this process prints among the results of the tests: errors only.
    env: { DATA_DIR: dataDir, LOG_LEVEL: "error", ...(database && { DATABASE_URL: database.url }) },
    async remove() {
      rmSync(dataDir, { recursive: true, force: true });
      await database?.drop();
    },
  };
}

/** Calls `start` with a copied place, which is removed after its stop, or at once if it doesn't start. */
async function startOnCopy<Started extends { stop(): Promise<void> }>(
  name: "empty" | "demo",
  start: (place: Place) => Promise<Started>,
): Promise<Started> {
  const { remove, ...place } = await copyPlace(name);
  const started = await orClose(start(place), remove);
  return { ...started, stop: () => started.stop().finally(remove) };
}

/** Closes what was opened for a start that fails. */
function orClose<Started>(start: Promise<Started>, close: () => Promise<void>): Promise<Started> {
  return start.catch(async (error: unknown) => {
    // Of two errors the start's is told.
    await close().catch(() => {});
    throw error;
  });
}

export function dataFolders(): string {
  const folder = process.env.TEST_DATA_FOLDERS;
  if (!folder) throw new Error("The data folders are missing: Playwright's global setup makes them");
  return folder;
}

/** Null where they are embedded. */
export function databases(): Databases {
  return JSON.parse(readFileSync(join(dataFolders(), "databases.json"), "utf8"));
}

export type DemoServer = RunningServer & {
  /** The output of making the demo: its sign-ins. */
  output(): string;
};

/** The product on demo farms. */
export async function startDemoServer(env: Variables = {}): Promise<DemoServer> {
  const signIns = readFileSync(join(dataFolders(), "demo.txt"), "utf8");
  return { ...(await startOnCopy("demo", (place) => startOn(place, env))), output: () => signIns };
}

export type SharedServer = DemoServer & {
  /** Adds to the database of the running server what a file's tests need, beside what others have added. */
  prepare<Prepared>(prepare: Prepare<Prepared>): Promise<Prepared>;
};

/** The product on demo farms for many files: each adds its own people and farms, and leaves the others' alone. */
export async function startSharedServer(variables: Variables): Promise<SharedServer> {
  const env = { ...variables, PORT: String(await freePort()) };
  const signIns = readFileSync(join(dataFolders(), "demo.txt"), "utf8");
  return startOnCopy("demo", async (place) => {
    let server = await startOn(place, env);
    return {
      url: server.url,
      output: () => signIns,
      async prepare<Prepared>(prepare: Prepare<Prepared>) {
        // The embedded database is one process's alone.
        if (place.isEmbedded) await server.stop();
        const prepared = await prepareOn(place, prepare);
        if (place.isEmbedded) server = await startOn(place, env);
        return prepared;
      },
      stop: () => server.stop(),
    };
  });
}

/** The product on demo farms that another operator runs. Its season is played anew, which takes half a minute. */
export async function startOtherOperatorsServer(): Promise<DemoServer> {
  let signIns = "";
  const server = await startOnCopy("empty", async (place) => {
    const { deps, close } = await openDeps(readEnv(place.env));
    signIns = await keepOtherOperator(deps)
      .then(() => seedDemo(deps))
      .then((lines) => lines.join("\n"))
      .finally(close);
    return startOn(place, {});
  });
  return { ...server, output: () => signIns };
}

/**
 * A process takes seconds of a processor to load what this one has loaded. The embedded database works in the thread
 * that asks it, where it would hold up the driver of the browser: there it is a process, as its users start it.
 */
async function startOn(place: Place, env: Variables): Promise<RunningServer> {
  const all = { ...place.env, ...env };
  return place.isEmbedded ? startBuiltServer({ dataDir: place.dataDir, env: all }) : startHere(all);
}

async function startHere(env: Variables): Promise<RunningServer> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const opened = await openDeps(readEnv({ HOST: "127.0.0.1", PUBLIC_URL: url, ...env, PORT: String(port) }));
  const server = await orClose(openServer(opened), opened.close);
  await orClose(server.start(), server.close);
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
  return startOnCopy("demo", async (place) => {
    const prepared = await prepareOn(place, prepare);
    return { ...(await startOn(place, env)), prepared };
  });
}

/** The same as a process of its own, for what happens when it ends. */
export async function startSeededProcess<Prepared>(
  prepare: Prepare<Prepared>,
  env: Variables = {},
): Promise<SeededProcess<Prepared>> {
  return startOnCopy("demo", async (place) => {
    const prepared = await prepareOn(place, prepare);
    const port = String(await freePort());
    const start = () => startBuiltServer({ dataDir: place.dataDir, env: { ...place.env, ...env, PORT: port } });
    let server = await start();
    return {
      url: server.url,
      prepared,
      async restart(signal: NodeJS.Signals) {
        await server.kill(signal);
        server = await start();
      },
      stop: () => server.stop(),
    };
  });
}

export type MovableServer = {
  url: string;
  /** The server's dependencies. Its jobs don't run by themselves: a test calls those that it is about. */
  deps: Deps;
  advance(by: { hours: number }): void;
  /** Advances the clock, and then runs once each job that the clock starts: all reminders, ends, cleaning, the self-check. */
  pass(time: { hours: number }): Promise<void>;
  stop(): Promise<void>;
};

/** The product on an empty database in this process, so that a test moves its clock and reads its books. */
export function startMovableServer(): Promise<MovableServer> {
  return startOnCopy("empty", startMovable);
}

async function startMovable(place: Place): Promise<MovableServer> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = { PORT: String(port), PUBLIC_URL: url, DEMO: "0", ...place.env };
  const { deps: opened, close } = await openDeps(readEnv(env));
  let movedMs = 0;
  const deps = { ...opened, clock: { now: () => new Date(Date.now() + movedMs) } };
  makeProjectsOfToday();
  const app = await orClose(buildApp(deps), close);
  const stop = async () => {
    await app.close();
    await close();
  };
  await orClose(app.listen({ port, host: "127.0.0.1" }), stop);
  const {
    mail: _mail,
    "security-mail": _security,
    "account-link": _link,
    "delete-file": _file,
    ...recurring
  } = jobHandlers(deps);
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
    stop,
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
