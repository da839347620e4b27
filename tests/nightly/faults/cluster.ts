import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDiskFull } from "#server/platform/synced-file.ts";
import { freePort } from "#tests/support/free-port.ts";
import { type MailServer, startMailServer } from "#tests/support/mail-server.ts";
import type { KillOrder, KillPoint } from "./kill-points.ts";
import type { FaultSettings } from "./server.ts";

export const publicUrl = "https://gona.example";
const root = join(import.meta.dirname, "../../..");
/** A busy machine takes long. */
const startLimitMs = 300_000;

/** One server process, which a test can kill at a named point. */
export interface Replica {
  name: string;
  url: string;
  /** How far its clock goes before. */
  clockOffsetMs: number;
  /** How often the process ended though nobody had told it to; it was started again. */
  ownEnds(): number;
  isUp(): boolean;
  /** Dies at the point, when it has been passed `skip` times. False if that didn't happen in time: called off. */
  killAt(point: KillPoint, options: { skip: number; limitMs: number }): Promise<boolean>;
  start(): Promise<void>;
  /** Orderly. */
  stop(): Promise<void>;
}

/** Three processes before one database, one mail server and one folder of files. */
export interface Cluster {
  replicas: Replica[];
  mail: MailServer;
  dataDir: string;
  /** Where the processes' logs are. */
  folder: string;
  /** Fills the disk of the files until the given function is called; null where it isn't one of its own. */
  fillDisk: (() => () => void) | null;
  /** Keeps the folder with the logs if asked. */
  stop(options?: { keepLogs?: boolean }): Promise<void>;
}

export async function startCluster(options: {
  databaseUrl: string;
  /** The name of a fault that every process has. */
  seeded?: string | undefined;
  replicas?: number;
  /** The last process's clock. */
  clockOffsetMs?: number;
  /** Keeps the files on a small disk of their own, where that may be mounted. */
  hasSmallDisk?: boolean;
  /** Beside those that every process gets. */
  variables?: Record<string, string>;
}): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "gona-faults-"));
  const dataDir = join(folder, "data");
  const files = join(dataDir, "files");
  mkdirSync(files, { recursive: true });
  const isMounted = options.hasSmallDisk === true && mountSmallDisk(files);
  const mail = await startMailServer();
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: "production",
    APP_SECRET: "a secret of the fault run, long enough for a key",
    PUBLIC_URL: publicUrl,
    HOST: "127.0.0.1",
    DATABASE_URL: options.databaseUrl,
    DATA_DIR: dataDir,
    SMTP_URL: mail.url,
    LOG_LEVEL: "warn",
    ...options.variables,
  };
  const count = options.replicas ?? 3;
  const replicas: Replica[] = [];
  for (let n = 1; n <= count; n += 1) {
    const clockOffsetMs = n === count ? (options.clockOffsetMs ?? 0) : 0;
    const faults: FaultSettings = { seeded: options.seeded ?? null, clockOffsetMs };
    const port = String(await freePort());
    const variables = { ...env, PORT: port, GONA_FAULTS: JSON.stringify(faults) };
    replicas.push(
      createReplica({ name: `replica ${n}`, env: variables, log: join(folder, `replica-${n}.log`), clockOffsetMs }),
    );
  }
  const cleanUp = (keepLogs: boolean) => {
    if (isMounted) execFileSync("umount", [files]);
    rmSync(keepLogs ? dataDir : folder, { recursive: true, force: true });
  };
  const leave = () => cleanUp(false);
  process.once("exit", leave);
  await Promise.all(replicas.map((replica) => replica.start()));
  return {
    replicas,
    mail,
    dataDir,
    folder,
    fillDisk: isMounted ? () => fillDisk(files) : null,
    async stop({ keepLogs = false } = {}) {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await mail.stop();
      process.off("exit", leave);
      cleanUp(keepLogs);
    },
  };
}

function createReplica(given: {
  name: string;
  env: Record<string, string | undefined>;
  log: string;
  clockOffsetMs: number;
}): Replica {
  const { name, env, log, clockOffsetMs } = given;
  const url = `http://127.0.0.1:${env.PORT}`;
  let server: ChildProcess | undefined;
  let isReady = false;
  let isToEnd = false;
  let ownEnds = 0;
  const isAlive = () => server !== undefined && server.exitCode === null && server.signalCode === null;
  const leave = () => server?.kill("SIGKILL");

  async function start(): Promise<void> {
    const output = openSync(log, "a");
    const child = spawn(process.execPath, ["tests/nightly/faults/server.ts"], {
      cwd: root,
      env,
      stdio: ["ignore", output, output, "ipc"],
    });
    closeSync(output);
    server = child;
    isToEnd = false;
    child.once("exit", () => {
      process.off("exit", leave);
      if (isToEnd || !isReady) return;
      ownEnds += 1;
      isReady = false;
      start().catch(() => {});
    });
    process.on("exit", leave);
    const deadline = Date.now() + startLimitMs;
    while (!(await answers(`${url}/readyz`))) {
      if (!isAlive()) throw new Error(`${name} ended at its start: see ${log}`);
      if (Date.now() > deadline) throw new Error(`${name} was not ready in time: see ${log}`);
      await sleep(100);
    }
    isReady = true;
  }

  return {
    name,
    url,
    clockOffsetMs,
    ownEnds: () => ownEnds,
    isUp: () => isReady && isAlive(),
    async killAt(point, { skip, limitMs }) {
      const child = server;
      if (!child || !isAlive()) return false;
      const order = (it: KillOrder) => child.send(it, () => {});
      isToEnd = true;
      order({ point, skip });
      const called = new AbortController();
      await Promise.race([once(child, "exit"), sleep(limitMs, undefined, { signal: called.signal }).catch(() => {})]);
      called.abort();
      if (!isAlive()) return true;
      isToEnd = false;
      order({ point: null, skip: 0 });
      return false;
    },
    start,
    async stop() {
      const child = server;
      if (!child || !isAlive()) return;
      const gone = once(child, "exit");
      isToEnd = true;
      child.kill("SIGTERM");
      const timer = setTimeout(leave, 20_000);
      await gone;
      clearTimeout(timer);
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
}

/** Only an administrator of the machine may mount: false elsewhere. */
function mountSmallDisk(folder: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64m", "tmpfs", folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function fillDisk(folder: string): () => void {
  const filler = join(folder, "filler");
  const { bavail, bsize } = statfsSync(folder);
  try {
    writeFileSync(filler, Buffer.alloc(bavail * bsize));
  } catch (error) {
    // Others write meanwhile: the last of it was theirs.
    if (!isDiskFull(error)) throw error;
  }
  return () => rmSync(filler, { force: true });
}
