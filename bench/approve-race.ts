import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { startBuiltServer } from "#tests/support/built-server.ts";
import { createAdmin } from "#tests/support/people.ts";
import { startPostgres } from "#tests/support/postgres-server.ts";
import { approvalOf, requireSoundBooks } from "./lib/approvals.ts";
import type { Measurement } from "./lib/measurement.ts";
import { FIRST, makePendingPayments } from "./lib/pending-payments.ts";
import { cookieOf, withDeps } from "./lib/product-deps.ts";

/** 32 people wait with a payment for the same project, and all are approved at the same moment. */
const AT_ONCE = 32;
const ROUNDS = 20;

export async function measure(): Promise<Measurement[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "gona-bench-"));
  const postgres = await startPostgres();
  const server = await startBuiltServer({ env: { DATABASE_URL: postgres.url, LOG_LEVEL: "warn" } });
  try {
    return await withDeps({ databaseUrl: postgres.url, dataDir }, async (deps) => {
      await makePendingPayments(deps, ROUNDS * AT_ONCE);
      const projectOf = sql.raw(`project_id - (project_id - ${FIRST}) % ${AT_ONCE}`);
      await deps.db.execute(sql`update payment_references set project_id = ${projectOf}`);
      await deps.db.execute(sql`update project_payments set project_id = ${projectOf}`);
      const cookie = await cookieOf(deps, await createAdmin(deps.db, "owner"));
      const approve = async (payment: number) => {
        const { path, body } = approvalOf(payment);
        const headers = { "content-type": "application/json", origin: server.url, cookie };
        const answer = await fetch(`${server.url}${path}`, { method: "POST", headers, body });
        await answer.arrayBuffer();
        return answer.status;
      };
      const rounds: number[] = [];
      const refusals = new Map<number, number>();
      for (let round = 0; round < ROUNDS; round++) {
        const first = FIRST + round * AT_ONCE;
        const statuses = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => approve(first + index)));
        rounds.push(statuses.filter((status) => status === 200).length);
        for (const status of statuses) if (status !== 200) refusals.set(status, (refusals.get(status) ?? 0) + 1);
      }
      await requireSoundBooks(deps);
      const others = [...refusals].map(([status, count]) => `${count} × ${status}`).join(", ");
      return [
        {
          name: "approve-race",
          what: "of 32 approvals at once for one project, those that succeed",
          values: rounds,
          target: { exactly: 1 },
          details: `over HTTP; the others were answered ${others}; the books hold afterwards`,
        },
      ];
    });
  } finally {
    await server.stop();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
