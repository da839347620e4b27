import { type Measurement, median } from "./lib/measurement.ts";
import { inRounds, seededPair } from "./lib/million.ts";
import { terms, timeSearches } from "./lib/search-terms.ts";

/** Searching a hundred times as many projects. */
export async function measure(): Promise<Measurement[]> {
  const { million, tenThousand } = await seededPair();
  const rounds = await inRounds(
    async () => median(await timeSearches(million, terms)),
    async () => median(await timeSearches(tenThousand, terms)),
  );
  const mean = (side: "first" | "second") => rounds.reduce((sum, round) => sum + round[side], 0) / rounds.length;
  return [
    {
      name: "search-scale",
      what: "median of a 30-term mix in a million projects ÷ in ten thousand",
      values: rounds.map(({ first, second }) => first / second),
      target: { atMost: 3 },
      details: `median ${mean("first").toFixed(1)} ms; in ten thousand ${mean("second").toFixed(1)} ms`,
    },
  ];
}
