import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { migrate } from "#server/db/migrate.ts";
import { type Db, openDatabase, rows } from "#server/db/open.ts";
import { type CheckResult, checkRun } from "./checker.ts";
import { type Play, playClient } from "./clients.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { causeFault, type FaultKind } from "./faults.ts";
import type { Entry, FaultRecord } from "./history.ts";
import { prepareWorld } from "./prepare.ts";
import { createRandom } from "./random.ts";
import type { SeededFault } from "./seeds.ts";

export interface RunOptions {
  adminUrl: string;
  /** Migrated and empty. */
  databaseUrl: string;
  restartDatabase?: () => Promise<void>;
  operations: number;
  backers: number;
  administrators: number;
  projects: number;
  /** Spread over the run, in this order. */
  faults: readonly FaultKind[];
  replicas?: number;
  clockOffsetMs?: number;
  hasSmallDisk?: boolean;
  /** The checker has to find it out. */
  seeded?: SeededFault | undefined;
  seed: number;
  /** How long the mails may take after the last operation. */
  drainLimitMs?: number;
  /** Told now and then how far it is. */
  tell?: (line: string) => void;
}

export interface RunReport {
  entries: Entry[];
  faults: FaultRecord[];
  skipped: FaultKind[];
  checks: CheckResult[];
  mails: { rows: number; arrived: number; extra: number };
  seconds: { operations: number; all: number };
  /** The folder with the logs of the processes, where a check failed. */
  logs: string | null;
}

/** A whole run: processes, people, faults, then everything mended and waited for, then the checks. */
export async function runFaults(options: RunOptions): Promise<RunReport> {
  const { databaseUrl, tell = () => {} } = options;
  const begun = Date.now();
  const handle = await openDatabase({ url: databaseUrl, dataDir: "" });
  let cluster: Cluster | undefined;
  let isSound = false;
  try {
    await migrate(handle);
    const world = await prepareWorld(handle.db, options);
    if (options.seeded?.statement) await handle.db.execute(sql.raw(options.seeded.statement));
    cluster = await startCluster({ ...options, seeded: options.seeded?.name });
    tell(`the processes are up after ${seconds(begun)} s`);
    const at = Date.now();
    const { entries, faults, skipped } = await play(options, cluster, world, tell);
    const operationSeconds = seconds(at);
    tell(`${entries.length} operations done after ${operationSeconds} s; now the mails`);
    await drainMails(handle.db, { tell, limitMs: options.drainLimitMs ?? 45 * 60_000 });
    for (const replica of cluster.replicas) await replica.stop();
    const { checks, mails } = await checkRun({ db: handle.db, cluster, world, entries, faults });
    isSound = checks.every(({ findings }) => findings.length === 0);
    const logs = isSound ? null : cluster.folder;
    return {
      entries,
      faults,
      skipped,
      checks,
      mails,
      logs,
      seconds: { operations: operationSeconds, all: seconds(begun) },
    };
  } finally {
    await cluster?.stop({ keepLogs: !isSound });
    await handle.close();
  }
}

const seconds = (since: number) => Math.round((Date.now() - since) / 1000);

async function play(options: RunOptions, cluster: Cluster, world: Play["world"], tell: (line: string) => void) {
  const random = createRandom(options.seed);
  const entries: Entry[] = [];
  const faults: FaultRecord[] = [];
  const skipped: FaultKind[] = [];
  const perFault = options.operations / Math.max(1, options.faults.length);
  let given = 0;
  let faultsDone = 0;
  let isOver = false;

  // The faults are spread: operations wait for those that are late, faults for the operations they are to meet.
  const permit = async () => {
    while (!isOver && given < options.operations && given / perFault > faultsDone + 1.5) await sleep(10);
    if (isOver || given >= options.operations) return false;
    given += 1;
    if (given % 1000 === 0) tell(`${given} operations, ${faultsDone} faults`);
    return true;
  };
  const databaseName = new URL(options.databaseUrl).pathname.slice(1);
  const tools = { ...options, cluster, databaseName, random: createRandom(options.seed + 1) };
  const causeAll = async () => {
    for (const [index, kind] of options.faults.entries()) {
      while (given < index * perFault) await sleep(10);
      const fault = await causeFault(kind, tools);
      if (fault) faults.push(fault);
      else skipped.push(kind);
      faultsDone += 1;
    }
  };
  const common = { world, replicas: cluster.replicas, random, permit, record: (entry: Entry) => entries.push(entry) };
  const people = [...world.backers, ...world.administrators];
  const clients = people.map((person, n) =>
    playClient({ ...common, random: createRandom(options.seed * 1000 + n) }, person),
  );
  try {
    await Promise.all([causeAll(), ...clients]);
  } finally {
    isOver = true;
  }
  return { entries, faults, skipped };
}

/** Waits until the queue has sent everything. Tries that wait for their time after an outage are called at once. */
async function drainMails(db: Db, { tell, limitMs }: { tell: (line: string) => void; limitMs: number }): Promise<void> {
  const deadline = Date.now() + limitMs;
  let told = Date.now();
  while (Date.now() < deadline) {
    await rows(
      db,
      sql`update jobs.job set start_after = now() where name = 'mail' and state = 'retry' and start_after > now()`,
    );
    const [found] = await rows<{ open: number }>(
      db,
      sql`select count(*)::int as open from jobs.job where name = 'mail' and state in ('created', 'retry', 'active')`,
    );
    if (found?.open === 0) return;
    if (Date.now() - told > 15_000) {
      tell(`${found?.open} mails still wait`);
      told = Date.now();
    }
    await sleep(500);
  }
}
