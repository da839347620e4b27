import { rm } from "node:fs/promises";
import { type Browser, chromium } from "playwright";
import { createApiClient } from "#tests/support/api-client.ts";
import { startBuiltServer } from "#tests/support/built-server.ts";
import { chromiumLaunch } from "#tests/support/chromium.ts";
import { budgetOf, budgets, KB, sumOf, weighPages } from "../scripts/page-weights.ts";
import { largestPaint } from "./lib/largest-paint.ts";
import { inTurns, type Measurement, median, ROUNDS } from "./lib/measurement.ts";
import { startScript } from "./lib/processes.ts";
import { copyPages } from "./lib/static-twin.ts";

/** Measures a first visit: the largest paint on slow 4G with a quarter of the processor, and the bytes before it. */
export async function measure(): Promise<Measurement[]> {
  const ours = await startBuiltServer({ env: { DEMO: "1", LOG_LEVEL: "error" } });
  const browser = await chromium.launch(await chromiumLaunch());
  try {
    const [project] = await createApiClient(ours.url).projects.featured.query();
    const pages = { home: "/", project: `/project/${project?.id}` };
    const folder = await copyPages(ours.url, Object.values(pages));
    const twin = await startScript("references/static-site.ts", { SITE: folder });
    try {
      return [
        await comparePage(browser, "home", ours.url + pages.home, twin.url + pages.home),
        await comparePage(browser, "project", ours.url + pages.project, twin.url + pages.project),
        ...weigh(),
      ];
    } finally {
      await twin.stop();
      await rm(folder, { recursive: true });
    }
  } finally {
    await browser.close();
    await ours.stop();
  }
}

async function comparePage(browser: Browser, name: string, ours: string, twin: string): Promise<Measurement> {
  const rounds = await inTurns(
    ROUNDS,
    () => largestPaint(browser, ours),
    () => largestPaint(browser, twin),
  );
  const middle = (side: "first" | "second") => `${(median(rounds.map((it) => it[side].ms)) / 1000).toFixed(2)} s`;
  return {
    what: `largest paint of the ${name} page ÷ its static twin without scripts`,
    values: rounds.map(({ first, second }) => first.ms / second.ms),
    target: { atMost: 1.3 },
    details: `ours ${middle("first")} (${rounds[0]?.first.of}), static ${middle("second")}; first visit, 562 ms and 1.47 Mbps, CPU ÷ 4, 360 px`,
  };
}

/** The same build gives the same bytes: one round. */
function weigh(): Measurement[] {
  const { home, routes } = weighPages();
  const row = (what: string, bytes: number, budget: number, details: string): Measurement => {
    return { what, values: [bytes / KB], unit: "kB", target: { atMost: budget / KB }, details };
  };
  const heaviest = (who: string, budget: number) => {
    const [first, second, third] = routes.filter(({ route }) => budgetOf(route) === budget);
    if (!first) throw new Error(`no route has the budget of ${who}`);
    const written = [first, second, third].map((it) => it && `${it.route} ${(it.own / KB).toFixed(1)} kB`);
    return row(`what the heaviest of ${who} routes adds`, first.own, budget, written.filter(Boolean).join(", "));
  };
  return [
    row("JavaScript of the home page's first load", sumOf(home.js), budgets.js, "brotli, from the build's manifest"),
    row("CSS of the home page's first load", sumOf(home.css), budgets.css, "brotli, from the build's manifest"),
    heaviest("the public", budgetOf("index")),
    heaviest("administrators'", budgetOf("admin.payments")),
  ];
}
