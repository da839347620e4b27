import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { handWrittenListPaths, listPaths } from "./lib/calls.ts";
import { compareThroughput } from "./lib/compare.ts";
import type { Measurement } from "./lib/measurement.ts";
import { onSeeded } from "./lib/scene.ts";

/** Discover's lists, each from the database, against Express and Prisma on the same one. */
export async function measure(): Promise<Measurement[]> {
  installPeer();
  return onSeeded(10_000, async ({ start, startUncached }) => {
    const ours = { ...(await startUncached()), paths: listPaths };
    const reference = { ...(await start("peer/server.mjs")), paths: handWrittenListPaths };
    const { values, details } = await compareThroughput({ ours, reference });
    return [
      {
        name: "peer",
        what: "`projects.list` by category × sort, 10k projects, nothing kept ÷ Express + Prisma",
        target: { atLeast: 2 },
        values,
        limitedBy:
          "what each list takes of the one process's core on both sides: Prisma 7 has no engine beside it any more, and does a list in little more than the product, which also checks, limits, logs and encodes it",
        details: `${details}; Express ${versionOf("express")}, Prisma ${versionOf("@prisma/client")}`,
      },
    ];
  });
}

const folder = join(import.meta.dirname, "peer");

/** The peer has its own packages, which the product never sees. Needs the package registry the first time. */
function installPeer(): void {
  if (existsSync(join(folder, "generated/client.ts"))) return;
  const options = {
    cwd: folder,
    stdio: "inherit" as const,
    // Generating the client needs no engine, but Prisma fetches one, unless it is told that there is one.
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath },
  };
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], options);
  execFileSync("npm", ["run", "generate"], options);
}

function versionOf(name: string): string {
  const manifest = readFileSync(join(folder, "node_modules", name, "package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
