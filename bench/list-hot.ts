import { listPaths } from "./lib/calls.ts";
import { compareThroughput } from "./lib/compare.ts";
import type { Measurement } from "./lib/measurement.ts";
import { onSeeded } from "./lib/scene.ts";

/** The same lists as they are kept in memory. */
export async function measure(): Promise<Measurement[]> {
  return onSeeded(10_000, async ({ start, startProduct }) => {
    const ours = { ...(await startProduct()), paths: listPaths };
    const reference = { ...(await start("references/empty.ts")), paths: ["/"] };
    return [
      {
        name: "list-hot",
        what: "`projects.list` from memory ÷ empty Fastify reply",
        target: { atLeast: 0.75 },
        limitedBy:
          "what node's HTTP takes for ten headers and four kilobytes instead of four and two letters: in a bare server of node's twelve headers made an answer a third dearer than one, and the network's writes are half of it (profiled)",
        ...(await compareThroughput({ ours, reference })),
      },
    ];
  });
}
