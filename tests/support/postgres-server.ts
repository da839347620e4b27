import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { freePort } from "./free-port.ts";

export interface PostgresServer {
  /** Superuser address of the `postgres` database: test databases are created and dropped through it. */
  url: string;
  stop(): Promise<void>;
  /** Ends the server as a crash would, then starts it again on the same port with the same data. */
  restart(): Promise<void>;
}

/** The newest folder that holds `initdb` and `postgres`, or undefined where no PostgreSQL server is installed. */
export function findPostgresBinaries(): string | undefined {
  const configured = spawnSync("pg_config", ["--bindir"], { encoding: "utf8" });
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map((version) => join(debian, version, "bin"));
  if (configured.status === 0) folders.unshift(configured.stdout.trim());
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
}

/** Returns true if tests can have a PostgreSQL: the one of TEST_DATABASE_URL, or a temporary one. */
export const hasPostgres = (): boolean =>
  Boolean(process.env.TEST_DATABASE_URL) || findPostgresBinaries() !== undefined;

/** The PostgreSQL of TEST_DATABASE_URL, which stays, or a temporary one. */
export async function openPostgresForTests(): Promise<Pick<PostgresServer, "url" | "stop">> {
  const url = process.env.TEST_DATABASE_URL;
  if (url) return { url, stop: async () => {} };
  // Compiling the large queries of the checks and the models costs more than running them on a few rows.
  return startPostgres({ settings: ["jit=off"] });
}

/** PostgreSQL refuses to run as root: there it runs as `postgres`, which comes with its packages, or as `nobody`. */
function serverUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string, user: string) => spawnSync("id", [flag, user], { encoding: "utf8" });
  const user = id("-u", "postgres").status === 0 ? "postgres" : "nobody";
  return { uid: Number(id("-u", user).stdout), gid: Number(id("-g", user).stdout) };
}

/**
 * Starts a temporary server on a free port of 127.0.0.1, without fsync; its data are deleted at the end. `settings` are
 * lines of postgresql.conf.
 */
export async function startPostgres({ settings: more = [] }: { settings?: string[] } = {}): Promise<PostgresServer> {
  const binaries = findPostgresBinaries();
  if (!binaries) throw new Error("No PostgreSQL server found: install the package postgresql or set TEST_DATABASE_URL");
  const user = serverUser();
  const folder = mkdtempSync(join(tmpdir(), "gona-postgres-"));
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const port = await freePort();
  // English messages: the server's "ready" line is read from its log.
  const options = { ...user, cwd: folder, env: { ...process.env, LC_ALL: "C" } };
  const locale = process.platform === "linux" ? "--locale=C.UTF-8" : "--no-locale";
  const initdb = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", locale, "--no-sync"];
  execFileSync(join(binaries, "initdb"), initdb, { ...options, stdio: ["ignore", "ignore", "inherit"] });

  const settings = ["fsync=off", "full_page_writes=off", "unix_socket_directories=", "max_connections=200", ...more];
  const arguments_ = ["-D", data, "-h", "127.0.0.1", "-p", String(port), ...settings.flatMap((it) => ["-c", it])];
  const start = () => untilReady(spawn(join(binaries, "postgres"), arguments_, { ...options, stdio: "pipe" }));
  let server = await start();
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // A test run that ends without its teardown (Ctrl-C) leaves nothing behind.
  const leave = () => {
    server.kill("SIGQUIT");
    // Nothing can be awaited here, and an ending server still writes files of its own.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    remove();
  };
  process.once("exit", leave);

  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      await quit(server);
      process.off("exit", leave);
      remove();
    },
    async restart() {
      await quit(server);
      server = await start();
    },
  };
}

/** The address of a database on the server of `adminUrl`. */
export function urlOf(adminUrl: string, database: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** A new database on the server of `adminUrl`, a copy of `template`, which nobody may be connected to. */
export async function createDatabase(
  adminUrl: string,
  template: string,
): Promise<{ name: string; url: string; drop(): Promise<void> }> {
  const name = `gona_test_${crypto.randomUUID().replaceAll("-", "")}`;
  const asAdmin = async (statement: string) => {
    const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
    await admin.unsafe(statement).finally(() => admin.end());
  };
  await asAdmin(`create database ${name} template ${template} strategy file_copy`);
  return { name, url: urlOf(adminUrl, name), drop: () => asAdmin(`drop database ${name} with (force)`) };
}

function untilReady(server: ChildProcess): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    let log = "";
    const read = (chunk: Buffer) => {
      log += chunk;
      if (!log.includes("ready to accept connections")) return;
      server.stderr?.off("data", read).resume();
      resolve(server);
    };
    server.stderr?.on("data", read);
    server.once("error", reject);
    server.once("exit", () => reject(new Error(`PostgreSQL did not start:\n${log}`)));
  });
}

/** SIGQUIT is PostgreSQL's immediate shutdown (`pg_ctl stop -m immediate`). */
function quit(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) return resolve();
    server.once("exit", () => resolve());
    server.kill("SIGQUIT");
  });
}
