import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "#tests/support/free-port.ts";

/** A server under load. */
export type Contender = { url: string; pid: number };
type StartedScript = Contender & { stop(): Promise<void> };

export const root = join(import.meta.dirname, "../..");

/**
 * Starts a TypeScript file of this folder as a server of its own: it gets HOST and PORT, and prints a line with
 * "listening" once it answers.
 */
export async function startScript(path: string, env: Record<string, string>): Promise<StartedScript> {
  const port = String(await freePort());
  const child = spawn(process.execPath, [join(import.meta.dirname, "..", path)], {
    cwd: root,
    env: { PATH: process.env.PATH, NODE_ENV: "production", HOST: "127.0.0.1", PORT: port, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const leave = () => child.kill("SIGKILL");
  process.once("exit", leave);
  let output = "";
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (output.includes("listening")) resolve();
      });
    }
    child.once("exit", () => reject(new Error(`${path} ended:\n${output}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, "exit");
        child.kill("SIGTERM");
        const timer = setTimeout(leave, 10_000);
        await gone;
        clearTimeout(timer);
      }
      process.off("exit", leave);
    },
  };
}

const TICKS_PER_SECOND = 100;

/** Processor time that a process has used so far (Linux), in seconds. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in brackets may hold spaces; behind it come state, parents, …, with utime and stime as the 12th and 13th.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Resident memory of a process (Linux), in MB of 2^20 bytes. */
export const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

/** Resident memory of a process and of those that it started, in MB. */
function residentMbWithChildren(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  // One may have ended meanwhile.
  const there = children.filter((child) => existsSync(`/proc/${child}/status`));
  return there.reduce((sum, child) => sum + (residentMb(Number(child)) || 0), residentMb(pid));
}

/** Calls `run` and returns the peak resident memory of the process and its children, in MB, read every 20 ms. */
export async function peakMbOf(pid: number, run: () => Promise<unknown>): Promise<number> {
  let peakMb = residentMbWithChildren(pid);
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, residentMbWithChildren(pid));
  }, 20);
  try {
    await run();
  } finally {
    clearInterval(timer);
  }
  return peakMb;
}
