import { runMoneyChecks } from "#server/books/checks/invariants.ts";
import type { Db } from "#server/db/open.ts";
import type { Bank } from "./bank.ts";
import { checkFiles, resultOf } from "./check-files.ts";
import { checkHistory } from "./check-history.ts";
import { checkMails } from "./check-mails.ts";
import { checkRiver } from "./check-river.ts";
import type { Cluster } from "./cluster.ts";
import { type Entry, type FaultRecord, otherKinds } from "./history.ts";
import type { World } from "./prepare.ts";
import { riverActs } from "./river.ts";

/** One line of the report: sound where nothing was found. */
export interface CheckResult {
  name: string;
  findings: string[];
}

/** Everything that a run left behind for its checks. */
export interface Remains {
  db: Db;
  cluster: Cluster;
  world: World;
  bank: Bank;
  entries: readonly Entry[];
  faults: readonly FaultRecord[];
  /** True if it was long enough for everything to succeed once. */
  isLong: boolean;
}

/** Reads the history and the final state: whether all that was promised holds. */
export async function checkRun(remains: Remains) {
  const money = await runMoneyChecks(remains.db, new Date());
  const { checks: mailChecks, mails } = await checkMails(remains);
  const checks: CheckResult[] = [
    ...(await checkHistory(remains)),
    ...(await checkRiver(remains)),
    ...money.map(resultOf),
    ...mailChecks,
    ...(await checkFiles(remains)),
    checkFailures(remains),
    checkProcesses(remains),
    ...(remains.isLong ? [checkKinds(remains)] : []),
  ];
  return { checks, mails };
}

/** Long enough for a process to find its connections again. */
const graceMs = 15_000;

/** A failure that no fault explains is a fault of the product. */
function checkFailures({ entries, faults }: Remains): CheckResult {
  const unexplained = entries.filter(({ outcome, startedAt, endedAt }) => {
    if (outcome.is !== "unknown") return false;
    return !faults.some((fault) => fault.startedAt <= endedAt && startedAt <= fault.endedAt + graceMs);
  });
  return {
    name: "every failed answer has a fault beside it",
    findings: unexplained.map((entry) => JSON.stringify(entry)),
  };
}

function checkProcesses({ cluster: { replicas } }: Remains): CheckResult {
  const ended = replicas.filter((replica) => replica.ownEnds() > 0);
  return {
    name: "no process ended by itself",
    findings: ended.map((replica) => `${replica.name}: ${replica.ownEnds()} times`),
  };
}

/** Finds the kinds of operation that never succeeded: a run doesn't test them. */
function checkKinds({ entries }: Remains): CheckResult {
  const done = new Set(
    entries.flatMap(({ operation, outcome }) => (outcome.is === "acknowledged" ? [operation.kind] : [])),
  );
  const kinds = [...otherKinds, ...(Object.keys(riverActs) as (keyof typeof riverActs)[])];
  return { name: "every kind of operation was acknowledged", findings: kinds.filter((kind) => !done.has(kind)) };
}
