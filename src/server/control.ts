import { rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Command, type CommandResult, command, runCommand } from "#server/commands.ts";
import type { Deps } from "#server/core/deps.ts";

/**
 * The embedded database belongs to one process. While the server runs, maintenance commands reach it through a
 * socket in the data directory, which only its owner may open.
 */
const socketOf = (dataDir: string) => join(dataDir, "control.sock");

export async function startControl(deps: Deps): Promise<{ close(): Promise<void> }> {
  const path = socketOf(deps.env.dataDir);
  // Left by a killed process; the database's lock says that there is no other one.
  await rm(path, { force: true });
  const server = createServer(async (incoming, answer) => {
    try {
      const result = await runCommand(deps, command.parse(JSON.parse(await text(incoming))));
      answer.end(JSON.stringify(result));
    } catch (error) {
      deps.log.error({ err: error }, "a maintenance command failed");
      answer.writeHead(500).end("The command failed: see the server's log.");
    }
  });
  const umask = process.umask(0o077);
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(path, resolve));
  process.umask(umask);
  return {
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Hands a command to the running server; null when none runs on this data directory. */
export async function askServer(dataDir: string, input: Command): Promise<CommandResult | null> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath: socketOf(dataDir), method: "POST" }, async (answer) => {
      const body = await text(answer);
      if (answer.statusCode === 200) resolve(JSON.parse(body) as CommandResult);
      else reject(new Error(body));
    });
    asked.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ECONNREFUSED") resolve(null);
      else reject(error);
    });
    asked.end(JSON.stringify(input));
  });
}
