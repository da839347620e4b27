import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { and, desc, eq } from "drizzle-orm";
import type { Db } from "#server/db/open.ts";
import { projects } from "#server/db/schema/projects.ts";
import { categoryIds } from "#shared/projects/categories.ts";
import { projectSorts } from "#shared/projects/texts.ts";
import { ask, queryPath } from "./lib/calls.ts";
import { compareThroughput, load } from "./lib/compare.ts";
import { inTurns, type Measurement, median, ROUNDS } from "./lib/measurement.ts";
import { onDatabase } from "./lib/scene.ts";

/** Discover's lists: made anew and from the cache against Express and Prisma, after a change, and deep in a list. */
const PROJECTS = 10_000;
/** Discover's first page in every category (and in none) and every order: 32 lists. */
const lists = [null, ...categoryIds].flatMap((category) => projectSorts.map((sort) => ({ category, sort })));
const listPaths = lists.map((input) => queryPath("projects.list", input));
const peerPaths = lists.map(({ category, sort }) => `/list?sort=${sort}${category ? `&category=${category}` : ""}`);

export async function measure(): Promise<Measurement[]> {
  installPeer();
  return onDatabase(PROJECTS, async ({ db, startReference, startProduct, startUncached }) => {
    const product = await startProduct();
    const cached = { ...product, paths: listPaths };
    const uncached = { ...(await startUncached()), paths: listPaths };
    const peer = { ...(await startReference("peer/server.mjs")), paths: peerPaths };
    const versions = `Express ${versionOf("express")}, Prisma ${versionOf("@prisma/client")}`;
    const madeAnew = await compareThroughput(uncached, peer);
    const fromCache = await compareThroughput(cached, peer);
    return [
      {
        what: "public list, nothing cached ÷ Express + Prisma on the same database",
        target: { atLeast: 1.6 },
        values: madeAnew.values,
        details: `${madeAnew.details}; ${lists.length} lists of ${PROJECTS} projects; ${versions}`,
      },
      {
        what: "public list from the cache ÷ Express + Prisma on the same database",
        target: { atLeast: 5 },
        ...fromCache,
      },
      await countStaleReads(db, product.url, () => load(cached, CHANGING_SECONDS)),
      await compareDepth(uncached.url),
    ];
  });
}

const CHANGING_SECONDS = 15;
const CHANGES_PER_SECOND = 20;
const READS_PER_SECOND = 50;
const category = "tech";

type Commit = { version: number; at: number };
type Read = { begun: number; version: number };

/** A project's title changes twenty times a second while its list is under load, and a reader compares. */
async function countStaleReads(db: Db, url: string, run: () => Promise<unknown>): Promise<Measurement> {
  const stop = new AbortController();
  const commits: Commit[] = [];
  const reads: Read[] = [];
  const working = [changeTitles(db, commits, stop.signal), readTitles(url, reads, stop.signal)];
  await run().finally(() => stop.abort());
  await Promise.all(working);
  const staleness = reads.map((read) => staleMs(read, commits));
  return {
    what: "public reads that don't show a change committed more than 100 ms before they began",
    values: [staleness.filter((ms) => ms > 100).length],
    target: { exactly: 0 },
    details: `${reads.length} reads, ${commits.length} changes; the oldest answer was ${Math.max(...staleness).toFixed(0)} ms behind`,
  };
}

/** Numbers the title of the project that its list shows first, one higher with each change. */
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

async function readTitles(url: string, reads: Read[], signal: AbortSignal): Promise<void> {
  const path = queryPath("projects.list", { category, sort: "newest" });
  while (!signal.aborted) {
    const begun = performance.now();
    const version = Number(/"Version (\d+)"/.exec(await (await fetch(`${url}${path}`)).text())?.[1] ?? 0);
    reads.push({ begun, version });
    await sleep(1000 / READS_PER_SECOND);
  }
}

/** Returns the age of the first commit that a read doesn't show, in ms when the read began; 0 if it shows all. */
function staleMs({ begun, version }: Read, commits: Commit[]): number {
  const unseen = commits.find((commit) => commit.version > version && commit.at < begun);
  return unseen ? begun - unseen.at : 0;
}

const DEPTH = 5_000;
const TIMES = 50;

/** A page in the middle of all projects against the first, in each of the four orders. */
async function compareDepth(url: string): Promise<Measurement> {
  const pages: { first: string; deep: string }[] = [];
  for (const sort of projectSorts) {
    const input = { sort, showClosed: true };
    let cursor: string | null = null;
    for (let passed = 0; passed < DEPTH; ) {
      type Page = { items: unknown[]; nextCursor: string | null };
      const page: Page = await ask<Page>(url, "projects.list", { ...input, cursor });
      passed += page.items.length;
      cursor = page.nextCursor;
      if (!cursor) throw new Error(`${sort}: the list ends after ${passed} projects`);
    }
    pages.push({ first: queryPath("projects.list", input), deep: queryPath("projects.list", { ...input, cursor }) });
  }
  const msOf = async (which: "first" | "deep") => {
    const times: number[] = [];
    for (let time = 0; time < TIMES; time++) {
      const started = performance.now();
      for (const page of pages) await (await fetch(url + page[which])).arrayBuffer();
      times.push((performance.now() - started) / pages.length);
    }
    return median(times);
  };
  const rounds = await inTurns(
    ROUNDS,
    () => msOf("deep"),
    () => msOf("first"),
  );
  const middle = (side: "first" | "second") => median(rounds.map((round) => round[side])).toFixed(2);
  return {
    what: `page of public projects at depth ${DEPTH.toLocaleString("en")} ÷ first page, all four orders, nothing cached`,
    values: rounds.map(({ first, second }) => first / second),
    target: { atMost: 2 },
    details: `${middle("first")} ms; first page ${middle("second")} ms`,
  };
}

const folder = join(import.meta.dirname, "peer");

/** The peer has its own packages, which the product never sees. Needs the package registry the first time. */
function installPeer(): void {
  if (existsSync(join(folder, "generated/client.ts"))) return;
  const options = {
    cwd: folder,
    stdio: "inherit" as const,
    // Generating the client needs no engine, but Prisma fetches one, unless it is told that there is one.
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath },
  };
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], options);
  execFileSync("npm", ["run", "generate"], options);
}

function versionOf(name: string): string {
  const manifest = readFileSync(join(folder, "node_modules", name, "package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
