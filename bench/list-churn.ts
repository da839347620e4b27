import { setTimeout as sleep } from "node:timers/promises";
import { and, desc, eq } from "drizzle-orm";
import type { Db } from "#server/db/open.ts";
import { projects } from "#server/db/schema/projects.ts";
import { listPaths, queryPath } from "./lib/calls.ts";
import { compareThroughput } from "./lib/compare.ts";
import type { Measurement } from "./lib/measurement.ts";
import { onSeeded } from "./lib/scene.ts";

/** Twenty times a second an administrator changes a project: every kept list is made anew. */
const CHANGES_PER_SECOND = 20;
const PROBES_PER_SECOND = 50;
const category = "tech";

type Commit = { version: number; at: number };
type Probe = { begun: number; version: number };

/** The lists under load while one of them changes, and what readers saw of the changes. */
export async function measure(): Promise<Measurement[]> {
  return onSeeded(10_000, async ({ db, start, startProduct }) => {
    const product = await startProduct();
    const ours = { ...product, paths: listPaths };
    const reference = { ...(await start("references/empty.ts")), paths: ["/"] };
    const stop = new AbortController();
    const commits: Commit[] = [];
    const probes: Probe[] = [];
    const changing = changeTitles(db, commits, stop.signal);
    const probing = probe(product.url, probes, stop.signal);
    const compared = await compareThroughput({ ours, reference });
    stop.abort();
    await Promise.all([changing, probing]);
    const staleness = probes.map((seen) => staleMs(seen, commits));
    return [
      {
        name: "list-churn",
        what: `\`projects.list\` from memory at ${CHANGES_PER_SECOND} changes a second ÷ empty Fastify reply`,
        target: { atLeast: 0.65 },
        limitedBy: "32 lists that are made anew after each change, 20 times a second, beside what limits list-hot",
        ...compared,
        details: `${compared.details}; ${commits.length} changes`,
      },
      {
        name: "list-churn stale",
        what: "reads that don't show a change committed more than 100 ms before they began",
        values: [staleness.filter((ms) => ms > 100).length],
        target: { exactly: 0 },
        details: `${probes.length} reads; the oldest answer was ${Math.max(...staleness).toFixed(0)} ms behind`,
      },
    ];
  });
}

/** Counts up in the title of the project that its list shows first. */
async function changeTitles(db: Db, commits: Commit[], signal: AbortSignal): Promise<void> {
  const [first] = await db
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.category, category), eq(projects.isClosed, false)))
    .orderBy(desc(projects.id))
    .limit(1);
  if (!first) throw new Error("no project is seeded");
  for (let version = 1; !signal.aborted; version++) {
    await db
      .update(projects)
      .set({ title: `Version ${version}` })
      .where(eq(projects.id, first.id));
    commits.push({ version, at: performance.now() });
    await sleep(1000 / CHANGES_PER_SECOND);
  }
}

async function probe(url: string, probes: Probe[], signal: AbortSignal): Promise<void> {
  const path = queryPath("projects.list", { category, sort: "newest" });
  while (!signal.aborted) {
    const begun = performance.now();
    const version = Number(/"Version (\d+)"/.exec(await (await fetch(`${url}${path}`)).text())?.[1] ?? 0);
    probes.push({ begun, version });
    await sleep(1000 / PROBES_PER_SECOND);
  }
}

/** For how long, when the read began, the first change that it doesn't show had been committed; 0 where it shows all. */
function staleMs({ begun, version }: Probe, commits: Commit[]): number {
  const unseen = commits.find((commit) => commit.version > version && commit.at < begun);
  return unseen ? begun - unseen.at : 0;
}
