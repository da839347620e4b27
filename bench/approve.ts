import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import autocannon from "autocannon";
import { sql } from "drizzle-orm";
import { findActor } from "#server/accounts/sessions.ts";
import { setPaymentStatus } from "#server/features/payments/service.ts";
import { startBuiltServer } from "#tests/support/built-server.ts";
import { cookieJar, createAdmin } from "#tests/support/people.ts";
import { findPostgresBinaries, startPostgres } from "#tests/support/postgres-server.ts";
import { approvalOf, requireSoundBooks } from "./lib/approvals.ts";
import type { Measurement } from "./lib/measurement.ts";
import { FIRST, makePendingPayments, receiptHashOf } from "./lib/pending-payments.ts";
import { type Contender, cpuSeconds } from "./lib/processes.ts";
import { cookieOf, withDeps } from "./lib/product-deps.ts";
import { markNextIds, pgbenchScript, recordStatements } from "./lib/replay.ts";

/**
 * An owner's approvals, each of another project's payment, by tRPC over HTTP; and pgbench with the statements of one,
 * recorded in this run: the session's and all from "begin" to "commit". pgbench prepares them once per connection.
 */
const CLIENTS = 16;
const ROUNDS = 7;
const EACH = 20;
const PER_ROUND = CLIENTS * EACH;
const run = promisify(execFile);

type Approver = Contender & { cookie: string };
type Reading = { perSecond: number; cpuMs: number };

async function approveAll({ url, pid, cookie }: Approver, first: number): Promise<Reading> {
  let next = first;
  const before = cpuSeconds(pid);
  const started = performance.now();
  const result = await autocannon({
    url,
    connections: CLIENTS,
    amount: PER_ROUND,
    requests: [
      {
        method: "POST",
        headers: { "content-type": "application/json", origin: url, cookie },
        setupRequest: (request) => {
          return { ...request, ...approvalOf(next++) };
        },
      },
    ],
  });
  const seconds = (performance.now() - started) / 1000;
  if (result["2xx"] !== PER_ROUND) throw new Error(`of ${PER_ROUND} approvals ${result["2xx"]} succeeded`);
  return { perSecond: PER_ROUND / seconds, cpuMs: ((cpuSeconds(pid) - before) * 1000) / PER_ROUND };
}

/** Transactions per second. */
async function replayAll(databaseUrl: string, script: string, first: number): Promise<number> {
  const [clients, each, start] = [String(CLIENTS), String(EACH), `first=${first - 1}`];
  const variables = ["-D", start, "-D", `each=${each}`, "-D", "i=0"];
  const options = ["-n", "-M", "prepared", "-c", clients, "-j", "2", "-t", each, "-f", script, ...variables];
  const { stdout } = await run(pgbenchPath(), [...options, databaseUrl]);
  const perSecond = Number(/tps = ([\d.]+) \(without initial connection time\)/.exec(stdout)?.[1]);
  if (!stdout.includes(`${PER_ROUND}/${PER_ROUND}`) || !(perSecond > 0)) throw new Error(`pgbench said:\n${stdout}`);
  return perSecond;
}

function pgbenchPath(): string {
  const path = join(findPostgresBinaries() ?? "", "pgbench");
  if (!existsSync(path))
    throw new Error(`no pgbench at ${path}: it comes with PostgreSQL (Debian: postgresql-contrib)`);
  return path;
}

export async function measure(): Promise<Measurement[]> {
  pgbenchPath();
  const folder = mkdtempSync(join(tmpdir(), "gona-bench-"));
  const postgres = await startPostgres();
  const server = await startBuiltServer({ env: { DATABASE_URL: postgres.url, LOG_LEVEL: "warn" } });
  try {
    return await withDeps({ databaseUrl: postgres.url, dataDir: folder }, async (deps) => {
      await makePendingPayments(deps, (2 * ROUNDS + 2) * PER_ROUND + 1);
      const owner = await createAdmin(deps.db, "owner");
      const cookie = await cookieOf(deps, owner);
      const given = await markNextIds(deps.db, [
        "audit_logs",
        "ledger_transactions",
        "notifications",
        "outgoing_mails",
      ]);
      const sent = await recordStatements(deps, postgres.url, async (recorded) => {
        const actor = await findActor(recorded, cookie.replace("session=", ""));
        if (!actor) throw new Error("the owner can't sign in");
        const ctx = { ...recorded, actor, ipAddress: "127.0.0.1", userAgent: "bench", cookies: cookieJar() };
        const seen = { seenStatus: "pending", seenReceiptSha256: receiptHashOf(FIRST) } as const;
        await setPaymentStatus(ctx, { paymentId: FIRST, status: "approved", ...seen });
      });
      const script = join(folder, "approve.sql");
      writeFileSync(script, await pgbenchScript(deps.db, sent, { number: FIRST, given }));

      let next = FIRST + 1;
      const take = async () => {
        // What waits to be mailed makes the queue slower, for both.
        await deps.db.execute(sql`delete from jobs.job where name = 'mail'`);
        next += PER_ROUND;
        return next - PER_ROUND;
      };
      const approver = { url: server.url, pid: server.pid, cookie };
      await approveAll(approver, await take());
      await replayAll(postgres.url, script, await take());
      const rounds: { ours: Reading; reference: number }[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const isOursFirst = round % 2 === 0;
        const early = isOursFirst ? await approveAll(approver, await take()) : null;
        const reference = await replayAll(postgres.url, script, await take());
        rounds.push({ ours: early ?? (await approveAll(approver, await take())), reference });
      }
      await requireSoundBooks(deps);
      const mean = (of: (round: (typeof rounds)[number]) => number) =>
        rounds.reduce((sum, round) => sum + of(round), 0) / rounds.length;
      return [
        {
          name: "approve",
          what: "approvals per second by tRPC over HTTP ÷ pgbench with the same statements, 16 clients each",
          values: rounds.map(({ ours, reference }) => ours.perSecond / reference),
          target: { atLeast: 0.9 },
          limitedBy:
            "the processor's cores, which database, server and load share: pgbench does next to nothing between two statements, the server builds and reads each of them, and writes mails",
          details: `ours ${mean(({ ours }) => ours.perSecond).toFixed(0)}/s, ${mean(({ ours }) => ours.cpuMs).toFixed(2)} ms of the server's CPU; pgbench ${mean(({ reference }) => reference).toFixed(0)}/s; ${sent.length} statements`,
        },
      ];
    });
  } finally {
    await server.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
