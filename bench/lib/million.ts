import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { findActor, startSession } from "#server/accounts/sessions.ts";
import { openDeps } from "#server/open-deps.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import { readEnv } from "#server/platform/env.ts";
import { cookieJar, createAdmin } from "#tests/support/people.ts";
import { startPostgres } from "#tests/support/postgres-server.ts";
import { ROUNDS } from "./compare.ts";
import { seedDatabase } from "./seed-database.ts";

/** The product's own functions on a seeded database: for somebody who isn't signed in, and for an owner. */
export type Seeded = { visitor: Context; owner: ActorContext };

/** A million rows (see `npm run bench:seed`), and ten thousand of the same kind on the same server. */
type Pair = { million: Seeded; tenThousand: Seeded };

let pair: Promise<Pair> | undefined;

/** Seeded on first use, which takes minutes, and shared by all scripts of a run; gone with the process. */
export function seededPair(): Promise<Pair> {
  pair ??= seedPair();
  return pair;
}

async function seedPair(): Promise<Pair> {
  // A server for a million projects has memory for their table: the default is that of a demo.
  const server = await startPostgres({ settings: ["shared_buffers=1GB"] });
  const dataDir = mkdtempSync(join(tmpdir(), "gona-bench-"));
  process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }));
  const seeded = async (count: number): Promise<Seeded> => {
    const admin = postgres(server.url, { max: 1 });
    await admin.unsafe(`create database seeded_${count}`).finally(() => admin.end());
    const url = new URL(server.url);
    url.pathname = `/seeded_${count}`;
    await seedDatabase(url.href, count, (line) => count > 10_000 && console.log(line));
    const { deps } = await openDeps(readEnv({ DATABASE_URL: url.href, DATA_DIR: dataDir, LOG_LEVEL: "warn" }));
    const owner = await createAdmin(deps.db, "owner");
    const from = { device: "bench", ipAddress: "127.0.0.1" };
    const actor = await findActor(deps, await startSession(deps, { userId: owner.id, kind: "admin", ...from }));
    if (!actor) throw new Error("the owner has no session");
    const visitor = { ...deps, actor: null, ipAddress: "127.0.0.1", userAgent: "bench", cookies: cookieJar() };
    return { visitor, owner: { ...visitor, actor } };
  };
  return { tenThousand: await seeded(10_000), million: await seeded(1_000_000) };
}

/** How long `run` takes, in ms: the shorter of two runs, so that a pause of the machine isn't taken for it. */
export async function timeOf(run: () => Promise<unknown>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 2; attempt++) {
    const started = performance.now();
    await run();
    shortest = Math.min(shortest, performance.now() - started);
  }
  return shortest;
}

/** Both sides in every round, in turns the first; after one round that isn't counted. */
export async function inRounds<First, Second>(
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<{ first: First; second: Second }[]> {
  const readings: { first: First; second: Second }[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const begins = round % 2 === 0 ? await first() : undefined;
    const other = await second();
    const reading = { first: begins ?? (await first()), second: other };
    if (round >= 0) readings.push(reading);
  }
  return readings;
}
