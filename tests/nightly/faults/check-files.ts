import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import pino from "pino";
import { rows } from "#server/db/open.ts";
import { runFileChecks } from "#server/files/checks.ts";
import { createStorage } from "#server/files/open-storage.ts";
import { cleanUp } from "#server/housekeeping.ts";
import type { Check } from "#server/platform/findings.ts";
import type { CheckResult, Remains } from "./checker.ts";

/** The product's own check as a line of the report. */
export function resultOf({ name, violations }: Check): CheckResult {
  return { name, findings: violations.map((violation) => JSON.stringify(violation)) };
}

/**
 * Every receipt's bytes are there with their hash, also after the cleaning of an hour and a half later, which leaves no
 * file without a row.
 */
export async function checkFiles({ db, cluster: { dataDir } }: Remains): Promise<CheckResult[]> {
  const storage = await createStorage({ dataDir });
  const later = new Date(Date.now() + 90 * 60_000);
  await cleanUp({ db, storage, log: pino({ level: "silent" }), clock: { now: () => later } });
  const stored = await rows<{ key: string; sha256: string }>(
    db,
    sql`select f.storage_key as key, r.sha256 from payment_receipts r join stored_files f on f.id = r.file_id`,
  );
  const damaged = stored.filter(({ key, sha256 }) => {
    const path = join(dataDir, "files", key);
    return !existsSync(path) || createHash("sha256").update(readFileSync(path)).digest("hex") !== sha256;
  });
  const checks = await runFileChecks({ db, storage, clock: { now: () => later } }, { isFull: true });
  return [
    { name: "every receipt's bytes are there with their hash", findings: damaged.map((file) => JSON.stringify(file)) },
    ...checks.map(resultOf),
  ];
}
