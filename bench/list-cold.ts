import { handWrittenListPaths, listPaths } from "./lib/calls.ts";
import { compareThroughput } from "./lib/compare.ts";
import type { Measurement } from "./lib/measurement.ts";
import { onSeeded } from "./lib/scene.ts";

/** Discover's lists, each from the database. */
export async function measure(): Promise<Measurement[]> {
  return onSeeded(10_000, async ({ start, startUncached }) => {
    const ours = { ...(await startUncached()), paths: listPaths };
    const reference = { ...(await start("references/hand-written.ts")), paths: handWrittenListPaths };
    return [
      {
        name: "list-cold",
        what: "`projects.list` by category × sort, 10k projects, nothing kept ÷ hand-written Fastify + postgres.js",
        target: { atLeast: 0.8 },
        limitedBy:
          "many small parts around the same statement, none of them large (profiled): writing to sockets 19 %, the driver 10 %, reading and writing JSON 8 %, clearing up 6 %, tRPC 5 %, superjson's format 4 %, headers and hooks 4 %, drizzle 3 %",
        ...(await compareThroughput({ ours, reference })),
      },
    ];
  });
}
