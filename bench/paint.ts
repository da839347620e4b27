import { rm } from "node:fs/promises";
import { chromium } from "playwright";
import { createApiClient } from "#tests/support/api-client.ts";
import { startBuiltServer } from "#tests/support/built-server.ts";
import { chromiumLaunch } from "#tests/support/chromium.ts";
import { ROUNDS } from "./lib/compare.ts";
import { largestPaint } from "./lib/largest-paint.ts";
import { type Measurement, median } from "./lib/measurement.ts";
import { startScript } from "./lib/processes.ts";
import { copyPages } from "./lib/static-twin.ts";

/** The largest paint of the home page and of a project's, on slow 4G and a fourth of the processor. */
export async function measure(): Promise<Measurement[]> {
  const ours = await startBuiltServer({ env: { DEMO: "1", LOG_LEVEL: "error" } });
  const browser = await chromium.launch(await chromiumLaunch());
  try {
    const [project] = await createApiClient(ours.url).projects.featured.query();
    const pages = { home: "/", project: `/project/${project?.id}` };
    const folder = await copyPages(ours.url, Object.values(pages));
    const twin = await startScript("references/static-site.ts", { env: { SITE: folder } });
    try {
      return [
        await comparePage(browser, "home", ours.url + pages.home, twin.url + pages.home),
        await comparePage(browser, "project", ours.url + pages.project, twin.url + pages.project),
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

async function comparePage(
  browser: Parameters<typeof largestPaint>[0],
  name: string,
  ours: string,
  twin: string,
): Promise<Measurement> {
  const rounds: { ours: number; twin: number }[] = [];
  let of = "";
  for (let round = 0; round < ROUNDS; round++) {
    const readTwin = async () => (await largestPaint(browser, twin)).ms;
    const before = round % 2 === 0 ? undefined : await readTwin();
    const own = await largestPaint(browser, ours);
    of = own.of;
    rounds.push({ ours: own.ms, twin: before ?? (await readTwin()) });
  }
  const middle = (whose: "ours" | "twin") => `${(median(rounds.map((round) => round[whose])) / 1000).toFixed(2)} s`;
  return {
    name: `paint-${name}`,
    what: `largest paint of the ${name} page ÷ the same as static files without scripts`,
    values: rounds.map((round) => round.ours / round.twin),
    target: { atMost: 1.3 },
    details: `ours ${middle("ours")} (${of}), static ${middle("twin")}; first visit, 562 ms and 1.47 Mbps, CPU ÷ 4, 360 px`,
  };
}
