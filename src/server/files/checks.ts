import { createHash } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import { type Db, rows } from "#server/db/open.ts";
import type { Deps } from "#server/platform/deps.ts";
import { isUnavailable } from "#server/platform/errors.ts";
import type { Check, Violation } from "#server/platform/findings.ts";
import { hourMs } from "#shared/lagos-time.ts";
import { findOrphans } from "./orphans.ts";
import { FileMissingError } from "./storage.ts";

type Checked = Pick<Deps, "clock" | "db" | "storage">;
type FileRow = { id: string; kind: string; key: string; sha256: string };

const hoursOfAWeek = 168;
const BATCH = 500;
/** If a whole folder is missing, the first findings are enough. */
const MAX_FINDINGS = 1000;

/**
 * The parts of I7 and I9 that only the stored files can show. Receipts, papers and statements are streamed and compared
 * with their hash; other files must exist. `isFull` checks every file. Otherwise, each hour, it checks those of the
 * last two hours, those with an alarm, and a share of the others that covers all of them in a week. Throws AppError
 * "unavailable" if the storage can't be reached, which is no finding about its files.
 */
export async function runFileChecks(deps: Checked, { isFull }: { isFull: boolean }): Promise<Check[]> {
  const now = deps.clock.now().getTime();
  const lost: Violation[] = [];
  const damaged: Violation[] = [];
  for await (const file of listFiles(deps.db, isFull ? sql`true` : sampleOf(now))) {
    const violation = await checkFile(deps, file);
    if (violation) (isHashed(file) ? damaged : lost).push(violation);
    if (lost.length + damaged.length >= MAX_FINDINGS) break;
  }
  for await (const { key, modifiedAt } of findOrphans(deps, new Date(now - hourMs))) {
    damaged.push({ violation: "stored file without a row", row: { key, modifiedAt: modifiedAt.toISOString() } });
    if (damaged.length >= MAX_FINDINGS) break;
  }
  return [
    { name: "I7 the files of photos, videos, resumes and evidence are there", violations: lost },
    {
      name: "I9 the bytes of every receipt, paper and statement have their hash, no file is without a row for more than an hour",
      violations: damaged,
    },
  ];
}

function sampleOf(now: number): SQL {
  const since = new Date(now - 2 * hourMs).toISOString();
  const hour = Math.floor(now / hourMs) % hoursOfAWeek;
  return sql`(created_at > ${since}::timestamptz
    or (hashtext(id::text) & 2147483647) % ${hoursOfAWeek}::int = ${hour}::int
    or id::text in (select finding->'row'->>'fileId' from alarms where resolved_at is null))`;
}

async function* listFiles(db: Db, condition: SQL): AsyncGenerator<FileRow> {
  let last = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const batch = await rows<FileRow>(
      db,
      sql`select id, kind, storage_key as key, sha256 from stored_files
        where id > ${last}::uuid and ${condition} order by id limit ${BATCH}::int`,
    );
    yield* batch;
    const end = batch.at(-1);
    if (!end || batch.length < BATCH) return;
    last = end.id;
  }
}

const isHashed = ({ kind }: Pick<FileRow, "kind">): boolean =>
  kind === "receipt" || kind === "paper" || kind === "statement";

async function checkFile(deps: Checked, file: FileRow): Promise<Violation | undefined> {
  const row = { fileId: file.id, kind: file.kind, key: file.key };
  try {
    if (!isHashed(file)) {
      // Only the largest photo file is checked, because the others can be drawn from it.
      await deps.storage.size(file.key);
    } else if ((await readHash(deps, file.key)) !== file.sha256) {
      return { violation: `${file.kind}'s bytes don't have its hash`, row };
    }
    return undefined;
  } catch (error) {
    // The storage is unreachable, so nothing is known about the file.
    if (isUnavailable(error)) throw error;
    // The file and its row may have been removed since the row was read.
    if (!(await hasRow(deps.db, file.id))) return undefined;
    if (error instanceof FileMissingError) return { violation: "stored file is missing", row };
    return { violation: "stored file can't be read", row: { ...row, error: String(error) } };
  }
}

/** A connection to S3 may break in the middle of a file, so only a second failure counts. */
async function readHash(deps: Checked, key: string): Promise<string> {
  try {
    return await hashOf(deps, key);
  } catch (error) {
    if (isUnavailable(error) || error instanceof FileMissingError) throw error;
    return hashOf(deps, key);
  }
}

async function hashOf({ storage }: Checked, key: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of await storage.read(key)) hash.update(chunk);
  return hash.digest("hex");
}

async function hasRow(db: Db, id: string): Promise<boolean> {
  return (await rows(db, sql`select from stored_files where id = ${id}::uuid`)).length > 0;
}
