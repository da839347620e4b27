import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { extract } from "tar-stream";
import { hasUnknownMigrations } from "#server/db/migrate.ts";
import { openEmbedded } from "#server/db/open.ts";
import { isStorageKey } from "#server/files/storage.ts";
import { openDeps } from "#server/open-deps.ts";
import type { Env } from "#server/platform/env.ts";
import { AppError } from "#server/platform/errors.ts";
import { secretFileName } from "#server/platform/secret.ts";
import { hasCode, isDiskFull, writeSynced } from "#server/platform/synced-file.ts";
import { checkBooksAndFiles, describeChecks } from "#server/self-check.ts";
import { backupFormat, entryNames, hashed } from "./backup.ts";
import type { CommandResult } from "./commands.ts";

/**
 * Restores a backup into an empty DATA_DIR. It is unpacked in a folder beside it, every hash is compared, and the
 * database is opened, migrated and its books checked. Only then is everything moved into place. Throws AppError, with
 * the folder unchanged, if the backup is damaged or incomplete. Violations in the books are restored and reported,
 * because there may be no other backup.
 */
export async function restoreBackup(env: Env, path: string): Promise<CommandResult> {
  if (env.databaseUrl !== undefined) {
    throw new AppError(
      "conflict",
      "A backup is restored into an embedded database: unset DATABASE_URL, or see README.md.",
    );
  }
  if (env.s3) {
    throw new AppError(
      "conflict",
      "A backup puts its files into DATA_DIR, where a server with S3 doesn't look: unset the S3 variables, or see README.md.",
    );
  }
  const isNew = await requireEmpty(env.dataDir);
  let stage: string | undefined;
  try {
    stage = await mkdtemp(join(env.dataDir, ".restoring-"));
    const files = await unpack(path, stage);
    await requireSecret(env, stage);
    await openSnapshot(stage);
    const result = await checkRestored({ ...env, dataDir: stage });
    // The database comes last, because a folder without one doesn't count as restored.
    for (const name of (await readdir(stage)).sort(byDatabaseLast))
      await rename(join(stage, name), join(env.dataDir, name));
    return { ...result, lines: [`${files} files and the database are restored into ${env.dataDir}.`, ...result.lines] };
  } catch (error) {
    if (stage !== undefined) await rm(stage, { recursive: true, force: true });
    stage = undefined;
    if (isNew) await rmdir(env.dataDir).catch(() => {});
    throw isDiskFull(error)
      ? new AppError("unavailable", "The disk is full: nothing was restored.", { cause: error })
      : error;
  } finally {
    if (stage !== undefined) await rm(stage, { recursive: true, force: true });
  }
}

const isDatabase = (name: string) => name === "pg";
const byDatabaseLast = (a: string, b: string) => Number(isDatabase(a)) - Number(isDatabase(b));

/** Creates the folder; true if it didn't exist. A disk's root may contain lost+found. */
async function requireEmpty(folder: string): Promise<boolean> {
  const made = await mkdir(folder, { recursive: true });
  const found = (await readdir(folder)).filter((name) => name !== "lost+found");
  if (found.length === 0) return made !== undefined;
  throw new AppError("conflict", `${folder} is not empty: nothing was restored. Set DATA_DIR to a new folder.`);
}

const damaged = (path: string, what: string, cause?: unknown) =>
  new AppError("invalid", `${path} is damaged or not a whole backup (${what}): nothing was restored.`, { cause });

/** Unpacks and compares every hash. Returns the number of stored files. */
async function unpack(path: string, stage: string): Promise<number> {
  const hashes = new Map<string, string>();
  const archive = extract();
  const reading = pipeline(createReadStream(path), archive).catch((error: unknown) => error);
  try {
    for await (const entry of archive) {
      const { name, type, mtime } = entry.header;
      if (type !== "file" || !isEntryName(name) || hashes.has(name)) throw damaged(path, `it holds ${name}`);
      const hash = createHash("sha256");
      const target = join(stage, name);
      await mkdir(dirname(target), { recursive: true });
      await writeSynced(target, hashed(entry as AsyncIterable<Uint8Array>, hash), {
        mode: name.startsWith(entryNames.files) ? 0o640 : 0o600,
      });
      if (mtime) await utimes(target, mtime, mtime);
      hashes.set(name, hash.digest("hex"));
    }
  } catch (error) {
    archive.destroy();
    const failure = await reading;
    if (error instanceof AppError || isDiskFull(error)) throw error;
    throw hasCode(failure, "ENOENT")
      ? new AppError("not_found", `There is no file ${path}.`)
      : damaged(path, "it can't be read to its end", error);
  }
  await compare(path, stage, hashes);
  for (const name of [entryNames.sums, entryNames.about]) await rm(join(stage, name));
  return [...hashes.keys()].filter((name) => name.startsWith(entryNames.files)).length;
}

function isEntryName(name: string): boolean {
  const { about, database, sums, files } = entryNames;
  if ([about, database, sums, secretFileName].includes(name)) return true;
  return name.startsWith(files) && isStorageKey(name.slice(files.length));
}

async function compare(path: string, stage: string, hashes: Map<string, string>): Promise<void> {
  if (!hashes.delete(entryNames.sums)) throw damaged(path, "its end is missing");
  const lines = (await readFile(join(stage, entryNames.sums), "utf8")).split("\n").filter((line) => line !== "");
  const listed = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
  for (const name of new Set([...listed.keys(), ...hashes.keys()])) {
    if (listed.get(name) !== hashes.get(name)) throw damaged(path, `${name} is not what it was`);
  }
  if (!hashes.has(entryNames.about) || !hashes.has(entryNames.database)) throw damaged(path, "the database is missing");
  const { product, format } = JSON.parse(await readFile(join(stage, entryNames.about), "utf8")) as Record<
    string,
    unknown
  >;
  if (product !== backupFormat.product || format !== backupFormat.format) {
    throw new AppError("conflict", `${path} was made by another version: nothing was restored.`);
  }
}

/** Second factors are encrypted with the secret, so with another one nobody could use them. */
async function requireSecret(env: Env, stage: string): Promise<void> {
  const isInside = (await readdir(stage)).includes(secretFileName);
  if (isInside || env.appSecret !== undefined) return;
  throw new AppError(
    "conflict",
    "This backup is of an installation with an APP_SECRET: set the same one, then restore.",
  );
}

/** Creates the database's folder from the snapshot. */
async function openSnapshot(stage: string): Promise<void> {
  const file = join(stage, entryNames.database);
  const snapshot = new Blob([await readFile(file)], { type: "application/x-gzip" });
  const handle = await openEmbedded({ dataDir: join(stage, "pg"), snapshot });
  try {
    if (await hasUnknownMigrations(handle)) {
      throw new AppError("conflict", "This backup was made by a newer version: restore it with that one.");
    }
  } finally {
    await handle.close();
  }
  await rm(file);
}

async function checkRestored(env: Env): Promise<CommandResult> {
  const { deps, close } = await openDeps(env);
  try {
    return describeChecks(await checkBooksAndFiles(deps));
  } finally {
    await close();
  }
}
