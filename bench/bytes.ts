import { budgetOf, budgets, KB, sumOf, weighPages } from "../scripts/page-weights.ts";
import type { Measurement } from "./lib/measurement.ts";

/** What the built pages weigh in brotli. The same build gives the same bytes: one round. */
export async function measure(): Promise<Measurement[]> {
  const { home, routes } = weighPages();
  const heaviest = routes.slice(0, 4).map(({ route, own, largestPart }) => {
    return `${route} ${(own / KB).toFixed(1)} kB${largestPart ? ` with ${largestPart}` : ""}`;
  });
  const details = "brotli, from the build's manifest; the same budgets as `npm run bytes`";
  return [
    {
      name: "bytes-home-js",
      what: "JavaScript of the home page's first load",
      values: [sumOf(home.js) / KB],
      unit: "kB",
      target: { atMost: budgets.js / KB },
      details,
    },
    {
      name: "bytes-home-css",
      what: "CSS of the home page's first load",
      values: [sumOf(home.css) / KB],
      unit: "kB",
      target: { atMost: budgets.css / KB },
      details,
    },
    {
      name: "bytes-routes",
      what: "the most that another address adds ÷ its budget: JavaScript, CSS, and the largest part it may fetch later",
      values: [Math.max(...routes.map(({ route, own }) => own / budgetOf(route)))],
      target: { atMost: 1 },
      details: heaviest.join(", "),
    },
  ];
}
