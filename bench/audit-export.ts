import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { type AuditExportFormat, auditExportFormats, auditExportPath } from "#shared/audit-texts.ts";
import { type BuiltServer, startBuiltServer } from "#tests/support/built-server.ts";
import { createAdmin } from "#tests/support/people.ts";
import { startPostgres } from "#tests/support/postgres-server.ts";
import type { Measurement } from "./lib/measurement.ts";
import { watchMemory } from "./lib/memory.ts";
import { residentMb } from "./lib/processes.ts";
import { cookieOf, withDeps } from "./lib/product-deps.ts";

/**
 * A million audit entries leave as CSV and as JSON, to a reader that takes all at once and to one that takes 4 MB a
 * second. Measured is the server's process alone: its resident memory over that at rest, and the time to the first byte.
 */
const ENTRIES = 1_000_000;
const SLOW_BYTES_PER_SECOND = 4_000_000;
/** A slow reader shows what waits for it; it needn't read all. */
const SLOW_SECONDS = 30;
const MB = 1024 * 1024;

type Reading = { firstByteMs: number; seconds: number; megabytes: number; lines: number };

async function download(url: string, cookie: string, isSlow: boolean): Promise<Reading> {
  const started = performance.now();
  const aborter = new AbortController();
  const answer = await fetch(url, { headers: { cookie }, signal: aborter.signal });
  if (!answer.ok || !answer.body) throw new Error(`${url} answered ${answer.status}`);
  let firstByteMs = 0;
  let bytes = 0;
  let lines = 0;
  const secondsSince = () => (performance.now() - started) / 1000;
  for await (const part of answer.body) {
    firstByteMs ||= performance.now() - started;
    bytes += part.length;
    for (const byte of part) if (byte === 10) lines += 1;
    if (isSlow) {
      if (secondsSince() > SLOW_SECONDS) break;
      await sleep(Math.max(0, (bytes / SLOW_BYTES_PER_SECOND - secondsSince()) * 1000));
    }
  }
  aborter.abort();
  return { firstByteMs, seconds: secondsSince(), megabytes: bytes / MB, lines };
}

/** An owner's cookie, and the entries: as long as an edited project's. */
function prepare(databaseUrl: string, dataDir: string): Promise<string> {
  return withDeps({ databaseUrl, dataDir }, async (deps) => {
    const owner = await createAdmin(deps.db, "owner");
    await deps.db.transaction(async (tx) => {
      await tx.execute(sql`set local statement_timeout = 0`);
      await tx.execute(sql`
        insert into audit_logs (action_type, user_id, user_email, ip_address, details, created_at)
        select 'edit_project', ${owner.id}, ${owner.email}, '203.0.113.7',
          jsonb_build_object('projectId', n, 'title', 'Farm number ' || n,
            'before', jsonb_build_object('shortDescription', repeat('Old words. ', 10)),
            'after', jsonb_build_object('shortDescription', repeat('New words. ', 10))),
          timestamptz '2025-01-01' + n * interval '10 seconds'
        from generate_series(1, ${ENTRIES}) n`);
    });
    await deps.db.execute(sql`analyze audit_logs`);
    return cookieOf(deps, owner);
  });
}

type Export = { label: string; firstByteMs: number; growthMb: number };

async function exportOnce(server: BuiltServer, cookie: string, format: AuditExportFormat, isSlow: boolean) {
  const restMb = residentMb(server.pid);
  const { result, peakMb } = await watchMemory(server.pid, () =>
    download(`${server.url}${auditExportPath(format)}`, cookie, isSlow),
  );
  const { firstByteMs, seconds, megabytes, lines } = result;
  if (!isSlow && lines < ENTRIES) throw new Error(`${format}: only ${lines} lines came`);
  console.log(
    `${format} ${isSlow ? "slow" : "fast"}: first byte ${firstByteMs.toFixed(0)} ms, ` +
      `${lines.toLocaleString("en")} lines and ${megabytes.toFixed(0)} MB in ${seconds.toFixed(0)} s, ` +
      `server ${restMb.toFixed(0)} MB before, at most ${peakMb.toFixed(0)} MB`,
  );
  return { label: `${format}${isSlow ? " slow" : ""}`, firstByteMs, growthMb: peakMb - restMb } satisfies Export;
}

export async function measure(): Promise<Measurement[]> {
  const postgres = await startPostgres();
  const env = { DATABASE_URL: postgres.url, LOG_LEVEL: "warn" };
  try {
    const first = await startBuiltServer({ env });
    const cookie = await prepare(postgres.url, first.dataDir);
    await first.stop();
    const exports: Export[] = [];
    for (const format of auditExportFormats) {
      for (const isSlow of [false, true]) {
        // One process per measurement: its memory at rest is that of a server that just started.
        const server = await startBuiltServer({ env });
        try {
          await sleep(5000);
          exports.push(await exportOnce(server, cookie, format, isSlow));
        } finally {
          await server.stop();
        }
      }
    }
    const firstBytes = exports.map(({ label, firstByteMs }) => `${label} ${firstByteMs.toFixed(0)} ms`).join(", ");
    return [
      {
        name: "audit-export",
        what: "memory above rest while 1M audit entries leave, as CSV and JSON, to a fast and a slow reader",
        values: exports.map(({ growthMb }) => growthMb),
        unit: "MB",
        target: { atMost: 100 },
        details: `first byte ${firstBytes}`,
      },
    ];
  } finally {
    await postgres.stop();
  }
}
