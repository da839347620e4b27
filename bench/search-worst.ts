import { listProjects } from "#server/features/projects/lists.ts";
import { listProjectsInput } from "#shared/projects.ts";
import { type Measurement, median } from "./lib/measurement.ts";
import { inRounds, seededPair } from "./lib/million.ts";
import { adversarial, terms, timeSearches } from "./lib/search-terms.ts";

/** The slowest that anybody found against what searches take. */
export async function measure(): Promise<Measurement[]> {
  const { million } = await seededPair();
  /** Behind the tenth page: the list goes on where others begin. */
  const cursorOf = async (input: { sort: "popular" | "ending"; showClosed: boolean }) => {
    let cursor: string | null = null;
    for (let page = 0; page < 10; page++) {
      const found = await listProjects(million.visitor, listProjectsInput.parse({ ...input, cursor }));
      cursor = found.nextCursor;
    }
    return cursor;
  };
  const scopes = [
    {},
    { sort: "newest", showClosed: true },
    { sort: "funded", category: "education" },
    { sort: "ending", category: "tech", showClosed: true },
    { sort: "popular", showClosed: true, cursor: await cursorOf({ sort: "popular", showClosed: true }) },
    { sort: "ending", showClosed: false, cursor: await cursorOf({ sort: "ending", showClosed: false }) },
  ] as const;
  const searches = [
    ...scopes.flatMap((scope) => adversarial.map((search) => ({ ...scope, search }))),
    // Frequent, but in no title of this category.
    ...["cassava", "tomato farm"].map((search) => ({ search, category: "tech" as const })),
  ];
  let slowest = { ms: 0, name: "" };
  const rounds = await inRounds(
    async () => {
      const times = await timeSearches(million, searches);
      const ms = Math.max(...times);
      if (ms > slowest.ms) slowest = { ms, name: JSON.stringify(searches[times.indexOf(ms)]).slice(0, 100) };
      return ms;
    },
    async () => median(await timeSearches(million, terms)),
  );
  const worst = median(rounds.map(({ first }) => first));
  const usual = median(rounds.map(({ second }) => second));
  return [
    {
      name: "search-worst",
      what: `slowest of ${searches.length} adversarial searches ÷ median of the mix, in a million projects`,
      values: rounds.map(({ first, second }) => first / second),
      target: { atMost: 50 },
      details: `slowest ${worst.toFixed(0)} ms (${slowest.name}); median ${usual.toFixed(1)} ms`,
    },
  ];
}
