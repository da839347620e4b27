import { queryPath } from "./lib/calls.ts";
import { compareThroughput } from "./lib/compare.ts";
import type { Measurement } from "./lib/measurement.ts";
import { onSeeded } from "./lib/scene.ts";

/** What every open page asks while somebody is signed in. */
export async function measure(): Promise<Measurement[]> {
  return onSeeded(10_000, async ({ start, startProduct, cookieOf }) => {
    const headers = { cookie: await cookieOf({ isAdmin: false }) };
    const ours = { ...(await startProduct()), paths: [queryPath("notifications.newest")], headers };
    const reference = { ...(await start("references/hand-written.ts")), paths: ["/poll"], headers };
    return [
      {
        name: "poll",
        what: "`notifications.newest` with its session ÷ one hand-written statement",
        target: { atLeast: 0.7 },
        ...(await compareThroughput({ ours, reference })),
      },
    ];
  });
}
