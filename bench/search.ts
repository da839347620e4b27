import type { z } from "zod";
import type { listProjectsInput } from "#shared/projects/inputs.ts";
import { queryPath } from "./lib/calls.ts";
import { type Measurement, median, p95, ROUNDS } from "./lib/measurement.ts";
import { onDatabase } from "./lib/scene.ts";

/** Searches as Discover sends them, one after the other, nothing cached. */
const PROJECTS = 50_000;

type Search = z.input<typeof listProjectsInput>;

/** Searches as people type them: words of many, few or no titles, beginnings, two words, with filters and orders. */
const usual: Search[] = [
  ...["cassava", "maize", "tomato", "farm", "solar", "village cassava"].map((search) => ({ search })),
  ...["Ikotosi", "Ọwọ̀", "No. 4821", "quails", "kola"].map((search) => ({ search })),
  ...["cas", "tom", "pou", "Iba"].map((search) => ({ search, sort: "newest" as const })),
  ...["casava", "tomatoe", "chiken", "xyzzy"].map((search) => ({ search })),
  { search: "poultry", category: "livestock" },
  { search: "tractor", category: "equipment", sort: "ending" },
  { search: "yam", category: "sustainable", sort: "funded" },
  { search: "catfish pond", category: "livestock", sort: "newest" },
  { search: "okra expansion", sort: "ending" },
  { search: "rice mill", showClosed: true },
  { search: "ginger beds", category: "organic", showClosed: true },
  { search: "farm school", category: "education" },
  { search: "goats near Jos", sort: "newest", showClosed: true },
  { search: "spray drone", category: "tech", sort: "funded", showClosed: true },
  { search: "cold room in Kano", sort: "popular", showClosed: true },
];

/** Terms that expose slow searches: too short, only signs, everything, nothing, frequent parts that match nothing. */
const adversarial = [
  ...["a", "e", "q", "z", "zq", "ag", "%", "%%%", "___", "\\", "🌾", "🌾🌾🌾"],
  ...["a".repeat(100), "of of of", "farm farm", "avassac", "cassava cassava", "ond of", "e a", "x".repeat(100)],
];
const scopes = [
  {},
  { sort: "newest", showClosed: true },
  { sort: "funded", category: "education" },
  { sort: "ending", category: "tech", showClosed: true },
] as const;
const searches: Search[] = [
  ...usual,
  ...scopes.flatMap((scope) => adversarial.map((search) => ({ ...scope, search }))),
];

const soon = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10);
/** Searches with three filters of /discover each. Some leave nearly all projects, some nearly none. */
const narrowed: Search[] = [
  ...["cassava", "poultry", "xyzzy", "e a", "farm in Kano"].flatMap((search): Search[] => [
    { search, maxLotPrice: 1_000_000, firstHarvestUntil: soon, hasFreeLots: true },
    { search, maxLotPrice: 25_000, isInsured: true, showClosed: true, sort: "ending" },
    { search, state: "Kwara", hasRecord: true, isInsured: true, sort: "newest" },
  ]),
  { state: "Kwara", maxLotPrice: 100_000, hasRecord: true },
  { firstHarvestUntil: soon, isInsured: true, hasFreeLots: true, sort: "funded" },
];

export async function measure(): Promise<Measurement[]> {
  return onDatabase(PROJECTS, async ({ startUncached }) => {
    const { url } = await startUncached();
    let slowest = { ms: 0, name: "" };
    const timeAll = async (asked: Search[]) => {
      const times: number[] = [];
      for (const search of asked) {
        const started = performance.now();
        const answer = await fetch(url + queryPath("projects.list", search));
        await answer.arrayBuffer();
        const ms = performance.now() - started;
        if (answer.status !== 200) throw new Error(`${JSON.stringify(search)} was answered ${answer.status}`);
        if (ms > slowest.ms) slowest = { ms, name: JSON.stringify(search) };
        times.push(ms);
      }
      return times;
    };
    await timeAll(narrowed);
    const narrowedTimes: number[][] = [];
    for (let round = 0; round < ROUNDS; round++) narrowedTimes.push(await timeAll(narrowed));
    await timeAll(searches);
    slowest.ms = 0;
    const rounds: number[][] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await timeAll(searches));
    const usualMedian = median(rounds.map((times) => median(times.slice(0, usual.length))));
    return [
      {
        what: `search with three filters, ${PROJECTS.toLocaleString("en")} projects: p95`,
        values: narrowedTimes.map(p95),
        unit: "ms",
        target: { atMost: 300 },
        details: `of ${narrowed.length} searches; median ${median(narrowedTimes.map(median)).toFixed(1)} ms`,
      },
      {
        what: `search, ${PROJECTS.toLocaleString("en")} projects, ${searches.length} terms and filters, most of them adversarial: p95`,
        values: rounds.map(p95),
        unit: "ms",
        target: { atMost: 300 },
        details: `median of what people type ${usualMedian.toFixed(1)} ms; the slowest of all ${slowest.ms.toFixed(0)} ms (${slowest.name.slice(0, 100)})`,
      },
    ];
  });
}
