import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import type { Cluster, Replica } from "./cluster.ts";
import type { FaultRecord } from "./history.ts";
import { type KillPoint, killPoints } from "./kill-points.ts";
import type { Random } from "./random.ts";

export type FaultKind =
  | `kill ${KillPoint}`
  | "lose some connections"
  | "lose all connections"
  | "restart the database"
  | "mail server away"
  | "disk full";

/** The parts of a run that causing a fault needs. */
export interface FaultTools {
  cluster: Cluster;
  random: Random;
  /** Superuser address of the run's database. */
  adminUrl: string;
  databaseName: string;
  /** Where the database server is the run's own. */
  restartDatabase?: () => Promise<void>;
}

/** Null where it can't be done here. */
export async function causeFault(kind: FaultKind, tools: FaultTools): Promise<FaultRecord | null> {
  const startedAt = Date.now();
  const record = (sendsCut: number, name: string = kind): FaultRecord => ({
    kind: name,
    startedAt,
    endedAt: Date.now(),
    sendsCut,
  });
  const { cluster } = tools;
  if (kind === "lose some connections" || kind === "lose all connections") {
    await terminateConnections(tools, kind === "lose all connections" ? 1 : 0.4);
    // Each process may have been sending one mail.
    return record(cluster.replicas.length);
  }
  if (kind === "restart the database") {
    if (!tools.restartDatabase) return null;
    await tools.restartDatabase();
    return record(cluster.replicas.length);
  }
  if (kind === "mail server away") {
    await cluster.mail.pause();
    await sleep(3000);
    await cluster.mail.resume();
    return record(1);
  }
  if (kind === "disk full") {
    if (!cluster.fillDisk) return null;
    const empty = cluster.fillDisk();
    await sleep(1500);
    empty();
    return record(0);
  }
  const replica = pickReplica(tools);
  const point = pointOf(kind);
  const isDead = await replica.killAt(point, { skip: tools.random.below(3), limitMs: 20_000 });
  if (!isDead) return record(0, `${kind} (not reached)`);
  const died = record(1);
  await replica.start();
  return died;
}

const pointOf = (kind: `kill ${KillPoint}`): KillPoint => {
  const point = killPoints.find((it) => kind === `kill ${it}`);
  if (!point) throw new Error(`no such point: ${kind}`);
  return point;
};

function pickReplica({ cluster, random }: FaultTools): Replica {
  const replica = cluster.replicas[random.below(cluster.replicas.length)];
  if (!replica) throw new Error("no process to kill");
  return replica;
}

async function terminateConnections({ adminUrl, databaseName, random }: FaultTools, share: number): Promise<void> {
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  try {
    const found = await admin<{ pid: number }[]>`
      select pid from pg_stat_activity where datname = ${databaseName} and application_name like 'gona%'`;
    for (const { pid } of found) if (random.chance(share)) await admin`select pg_terminate_backend(${pid})`;
  } finally {
    await admin.end();
  }
}
