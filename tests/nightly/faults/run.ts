import { setTimeout as sleep } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import { databaseErrorOf } from "#server/db/errors.ts";
import { migrate } from "#server/db/migrate.ts";
import { type DatabaseHandle, type Db, openDatabase, rows } from "#server/db/open.ts";
import { openBank } from "./bank.ts";
import { type CheckResult, checkRun } from "./checker.ts";
import { type Play, playClient } from "./clients.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { decideOneRound, fundFarms } from "./farms.ts";
import { causeFault, type FaultKind } from "./faults.ts";
import type { Entry, FaultRecord } from "./history.ts";
import { prepareWorld } from "./prepare.ts";
import { createRandom } from "./random.ts";
import type { SeededFault } from "./seeded-fault.ts";
import { letTimePass } from "./time.ts";

export interface RunOptions {
  adminUrl: string;
  /** Migrated and empty. */
  databaseUrl: string;
  restartDatabase?: () => Promise<void>;
  operations: number;
  backers: number;
  administrators: number;
  projects: number;
  /** Farms that are sold out when it begins. */
  farms: number;
  /** Spread over the run, in this order. */
  faults: readonly FaultKind[];
  replicas?: number;
  clockOffsetMs?: number;
  hasSmallDisk?: boolean;
  /** The checker has to find it out. */
  seeded?: SeededFault | undefined;
  seed: number;
  /** True if everything has to have succeeded at least once. */
  isLong?: boolean;
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
  const { databaseUrl, isLong = false, tell = () => {} } = options;
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
    const { entries, faults, skipped, bank } = await play(options, { handle, cluster, world, tell });
    const operationSeconds = seconds(at);
    tell(`${entries.length} operations done after ${operationSeconds} s; now the mails`);
    await drainMails(handle.db, { tell, limitMs: options.drainLimitMs ?? 45 * 60_000 });
    for (const replica of cluster.replicas) await replica.stop();
    const { checks, mails } = await checkRun({ db: handle.db, cluster, world, bank, entries, faults, isLong });
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

/** A question that is wrong in itself would never find anything. */
function nothingWhileAway(error: unknown): [] {
  if (databaseErrorOf(error)?.code.startsWith("42")) throw error;
  return [];
}

type Stage = { handle: DatabaseHandle; cluster: Cluster; world: Play["world"]; tell: (line: string) => void };

async function play(options: RunOptions, { handle, cluster, world, tell }: Stage) {
  const random = createRandom(options.seed);
  const entries: Entry[] = [];
  const faults: FaultRecord[] = [];
  const skipped: FaultKind[] = [];
  const perFault = options.operations / Math.max(1, options.faults.length);
  let given = 0;
  let faultsDone = 0;
  let isOver = false;

  const { needs, needsOf = "" } = options.seeded ?? {};
  const isNeeded = () => {
    if (needs === undefined || given >= options.operations * 4) return false;
    const done = entries.filter(
      ({ operation, outcome }) =>
        operation.kind === needs && `${operation.subject}`.startsWith(needsOf) && outcome.is === "acknowledged",
    );
    return done.length < 4;
  };
  // The faults are spread: operations wait for those that are late, faults for the operations they are to meet.
  const permit = async () => {
    while (!isOver && given < options.operations && given / perFault > faultsDone + 1.5) await sleep(10);
    if (isOver || (given >= options.operations && !isNeeded())) return false;
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
  const bank = openBank();
  const common: Play = {
    world,
    replicas: cluster.replicas,
    random,
    bank,
    permit,
    needs,
    find: <Row extends Record<string, unknown>>(query: SQL) => rows<Row>(handle.db, query).catch(nothingWhileAway),
    record: (entry: Entry) => entries.push(entry),
  };
  await fundFarms(common);
  await decideOneRound(common);
  const time = await letTimePass(handle);
  const people = [...world.backers, ...world.administrators];
  const clients = people.map((person, n) =>
    playClient({ ...common, random: createRandom(options.seed * 1000 + n) }, person),
  );
  try {
    await Promise.all([causeAll(), ...clients]);
  } finally {
    isOver = true;
    await time.stop();
  }
  return { entries, faults, skipped, bank };
}

/** Waits until the queue has sent everything. Tries that wait for their time after an outage are called at once. */
async function drainMails(db: Db, { tell, limitMs }: { tell: (line: string) => void; limitMs: number }): Promise<void> {
  const deadline = Date.now() + limitMs;
  let told = Date.now();
  while (Date.now() < deadline) {
    await rows(
      db,
      sql`update jobs.job set start_after = now() where name in ('mail', 'security-mail') and state = 'retry' and start_after > now()`,
    );
    const [found] = await rows<{ open: number }>(
      db,
      sql`select count(*)::int as open from jobs.job where name in ('mail', 'security-mail') and state in ('created', 'retry', 'active')`,
    );
    if (found?.open === 0) return;
    if (Date.now() - told > 15_000) {
      tell(`${found?.open} mails still wait`);
      told = Date.now();
    }
    await sleep(500);
  }
}
