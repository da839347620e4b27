import { queryPath } from "./lib/calls.ts";
import { compareThroughput } from "./lib/compare.ts";
import type { Measurement } from "./lib/measurement.ts";
import { onSeeded } from "./lib/scene.ts";

/** The first page of the administrators' payments. */
export async function measure(): Promise<Measurement[]> {
  return onSeeded(10_000, async ({ start, startProduct, cookieOf }) => {
    const headers = { cookie: await cookieOf({ isAdmin: true }) };
    const ours = { ...(await startProduct()), paths: [queryPath("payments.list", {})], headers };
    const reference = { ...(await start("references/hand-written.ts")), paths: ["/payments"], headers };
    return [
      {
        name: "payments-table",
        what: "`payments.list`, 50 rows with joins ÷ hand-written",
        target: { atLeast: 0.9 },
        limitedBy:
          "a thousand values a page (profiled): superjson's format with its notes of dates and amounts 14 %, clearing up 11 to 20 %, JSON 9 %; and a second statement for the session",
        ...(await compareThroughput({ ours, reference })),
      },
    ];
  });
}
