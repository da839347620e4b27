import { queryPath } from "./lib/calls.ts";
import { compareThroughput } from "./lib/compare.ts";
import type { Measurement } from "./lib/measurement.ts";
import { onSeeded } from "./lib/scene.ts";

/** A project's page, of many projects in turn. */
export async function measure(): Promise<Measurement[]> {
  return onSeeded(10_000, async ({ start, startProduct }) => {
    const ids = Array.from({ length: 500 }, (_, index) => 1 + index * 19);
    const ours = {
      ...(await startProduct()),
      paths: ids.map((projectId) => queryPath("projects.byId", { projectId })),
    };
    const reference = { ...(await start("references/hand-written.ts")), paths: ids.map((id) => `/project/${id}`) };
    return [
      {
        name: "by-id",
        what: "`projects.byId` of 500 projects ÷ hand-written",
        target: { atLeast: 0.75 },
        limitedBy: "as list-cold: calls, their checks, headers and formats around one statement (not profiled apart)",
        ...(await compareThroughput({ ours, reference })),
      },
    ];
  });
}
