import { rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import { relative, resolve } from "node:path";
import { text } from "node:stream/consumers";
import type { DatabaseHandle } from "#server/db/open.ts";
import type { Deps } from "#server/platform/deps.ts";
import { type Command, type CommandResult, command, runCommand } from "./commands.ts";

/**
 * The embedded database belongs to one process. While the server runs, maintenance commands reach it through a socket
 * in the data directory that only its owner may open.
 */
function socketOf(dataDir: string): string {
  const path = resolve(dataDir, "control.sock");
  const fromHere = relative(process.cwd(), path);
  // A socket's path is limited to about a hundred bytes.
  return fromHere.length < path.length ? fromHere : path;
}

const isTooLong = ({ code }: NodeJS.ErrnoException) => code === "EINVAL" || code === "ENAMETOOLONG";

/** Starts to accept maintenance commands on the socket. If its path is too long, only logs a warning. */
export async function startControl(deps: Deps, handle?: DatabaseHandle): Promise<{ close(): Promise<void> }> {
  const path = socketOf(deps.env.dataDir);
  // Left by a killed process. The database's lock proves that no other server runs.
  await rm(path, { force: true });
  const server = createServer(async (incoming, answer) => {
    try {
      const result = await runCommand(deps, command.parse(JSON.parse(await text(incoming))), handle);
      answer.end(JSON.stringify(result));
    } catch (error) {
      deps.log.error({ err: error }, "a maintenance command failed");
      answer.writeHead(500).end("The command failed: see the server's log.");
    }
  });
  const umask = process.umask(0o077);
  try {
    await new Promise<void>((listening, reject) => server.once("error", reject).listen(path, listening));
  } catch (error) {
    if (!(error instanceof Error && isTooLong(error))) throw error;
    deps.log.warn({ path }, "DATA_DIR is too long for a socket: maintenance commands work while no server runs");
    return { close: async () => {} };
  } finally {
    process.umask(umask);
  }
  return {
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

/** Sends a command to the running server. Null if none runs on this data directory. */
export async function askServer(dataDir: string, input: Command): Promise<CommandResult | null> {
  return new Promise((answered, reject) => {
    const clientRequest = request({ socketPath: socketOf(dataDir), method: "POST" }, async (answer) => {
      const body = await text(answer);
      if (answer.statusCode === 200) answered(JSON.parse(body) as CommandResult);
      else reject(new Error(body));
    });
    clientRequest.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ECONNREFUSED" || isTooLong(error)) answered(null);
      else reject(error);
    });
    clientRequest.end(JSON.stringify(input));
  });
}
