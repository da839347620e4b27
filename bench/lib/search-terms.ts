import type { z } from "zod";
import { listProjects } from "#server/features/projects/lists.ts";
import { listProjectsInput } from "#shared/projects.ts";
import { type Seeded, timeOf } from "./million.ts";

type Search = z.input<typeof listProjectsInput>;

/** What people type: words that many titles have, few, or none, beginnings, two words, with filters and orders. */
export const terms: Search[] = [
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

/** What finds out where a search is slow: too short, signs only, everything, nothing, frequent parts in vain. */
export const adversarial = [
  ...["a", "e", "q", "z", "zq", "ag", "%", "%%%", "___", "\\", "🌾", "🌾🌾🌾"],
  ...["a".repeat(200), "of of of", "farm farm", "avassac", "cassava cassava", "ond of", "e a", "x".repeat(100)],
].map((term) => term.slice(0, 100));

/** Runs the search as the page does, and gives the ms. */
const timeSearch = ({ visitor }: Seeded, search: Search): Promise<number> =>
  timeOf(() => listProjects(visitor, listProjectsInput.parse(search)));

/** All of them, one after the other. */
export async function timeSearches(seeded: Seeded, searches: Search[]): Promise<number[]> {
  const times: number[] = [];
  for (const search of searches) times.push(await timeSearch(seeded, search));
  return times;
}
