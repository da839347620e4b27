import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./free-port.ts";

export interface BuiltServer {
  url: string;
  dataDir: string;
  pid: number;
  /** All that the server has printed so far. */
  output(): string;
  /** Sends the signal and waits until the process is gone; the data stay. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Ends the server in order, then deletes its data unless the caller brought the folder. */
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, "../..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<BuiltScript, string>;
};
type BuiltScript = "start" | "admin" | "seed" | "check:money" | "backup" | "restore";
const argumentsOf = (script: BuiltScript): string[] => scripts[script].replace(/^.* exec node /, "").split(" ");
// A first start plays the demo's season, which takes a slow machine minutes: only what hangs is to fail by it.
const startLimitMs = 360_000;
const stopLimitMs = 15_000;

/**
 * Starts the built product as its users start it, on a free port (or `env.PORT`), and waits until it is ready.
 * Nothing of the caller's environment reaches it but PATH. With the `dataDir` of an earlier server it goes on from there.
 */
export async function startBuiltServer(
  options: { env?: Record<string, string>; dataDir?: string } = {},
): Promise<BuiltServer> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "gona-data-"));
  const port = options.env?.PORT ?? String(await freePort());
  const url = `http://localhost:${port}`;
  const env = {
    PATH: process.env.PATH,
    HOST: "127.0.0.1",
    PUBLIC_URL: url,
    DATA_DIR: dataDir,
    ...options.env,
    PORT: port,
  };
  const server = spawn(process.execPath, argumentsOf("start"), {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const gone = once(server, "exit");
  const leave = () => server.kill("SIGKILL");
  process.once("exit", leave);
  let output = "";
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }

  const kill = async (signal: NodeJS.Signals) => {
    server.kill(signal);
    const timer = setTimeout(leave, stopLimitMs);
    await gone;
    clearTimeout(timer);
    process.off("exit", leave);
  };

  const deadline = Date.now() + startLimitMs;
  while (!(await isReady(url))) {
    if (server.exitCode !== null || server.signalCode !== null) throw new Error(`The server ended:\n${output}`);
    if (Date.now() > deadline) {
      await kill("SIGKILL");
      throw new Error(`The server was not ready after ${startLimitMs / 1000} s:\n${output}`);
    }
    await sleep(100);
  }

  return {
    url,
    dataDir,
    pid: server.pid ?? 0,
    output: () => output,
    kill,
    async stop() {
      await kill("SIGTERM");
      if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Runs a command of the built product as its users run it, to its end. Nothing of the caller's environment reaches it
 * but PATH.
 */
export async function runBuiltCommand(
  script: Exclude<BuiltScript, "start">,
  args: string[],
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const command = spawn(process.execPath, [...argumentsOf(script), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, LOG_LEVEL: "warn", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [command.stdout, command.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(command, "close")) as [number | null];
  return { code, output };
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}
