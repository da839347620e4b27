import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { writeBackup } from "#server/cli/backup.ts";
import { runCommand } from "#server/cli/commands.ts";
import { askServer, startControl } from "#server/cli/control.ts";
import { restoreBackup } from "#server/cli/restore.ts";
import { type Db, openEmbedded, rows } from "#server/db/open.ts";
import { newFileKey } from "#server/files/storage.ts";
import { readEnv } from "#server/platform/env.ts";
import { loadAppSecret } from "#server/platform/secret.ts";
import { isPostgres, openTestDatabase } from "#tests/support/database.ts";
import { testDeps } from "#tests/support/deps.ts";
import { tempFolder } from "#tests/support/http-app.ts";
import { createPayment } from "#tests/support/money.ts";

const isEmbedded = !isPostgres();
const database = await openTestDatabase();
const { db, handle } = database;
const deps = await testDeps(database);
afterAll(async () => {
  await deps.close();
  await database.close();
});
await createPayment(deps, { status: "approved" });
await createPayment(deps);
await deps.storage.write(`photo/${"d".repeat(32)}/480.webp`, Buffer.alloc(300_000, "picture"));
const secret = await loadAppSecret({ appSecret: undefined, dataDir: deps.env.dataDir });

const envOf = (dataDir: string, more: Record<string, string> = {}) =>
  readEnv({ NODE_ENV: "test", LOG_LEVEL: "silent", DATA_DIR: dataDir, ...more });

async function backup(): Promise<string> {
  const path = join(await tempFolder(), "backup.tar");
  await writeBackup({ deps, handle }, path);
  return path;
}

/** A backup of the rows above, shared by the tests that only read it: writing one takes a second or two. */
const whole = join(deps.env.dataDir, "backup.tar");
beforeAll(async () => {
  if (isEmbedded) await writeBackup({ deps, handle }, whole);
});

/** Every row of every table, by table: of what the product keeps, and of the queue. */
async function everyRow(from: Db): Promise<Record<string, unknown[]>> {
  const tables = await rows<{ name: string }>(
    from,
    sql`select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in ('public', 'drizzle') or (schemaname = 'jobs' and tablename = 'job') order by 1`,
  );
  const found: Record<string, unknown[]> = {};
  for (const { name } of tables) {
    // Request limits may be lost in a crash: their table isn't logged.
    if (name === "public.rate_limits") continue;
    found[name] = await rows(from, sql`select to_jsonb(t)::text as row from ${sql.raw(name)} t order by 1`);
  }
  return found;
}

async function everyHash(dataDir: string): Promise<Record<string, string>> {
  const entries = await readdir(join(dataDir, "files"), { recursive: true, withFileTypes: true });
  const hashes: Record<string, string> = {};
  for (const entry of entries.filter((found) => found.isFile())) {
    const path = join(entry.parentPath, entry.name);
    hashes[path.slice(dataDir.length)] = createHash("sha256")
      .update(await readFile(path))
      .digest("hex");
  }
  return hashes;
}

const emptied = async (folder: string) => (await readdir(folder)).filter((name) => name !== "lost+found");

test.runIf(!isEmbedded)("on PostgreSQL the commands say what to use instead", async () => {
  const path = join(await tempFolder(), "backup.tar");
  const { isOk, lines } = await runCommand(deps, { name: "backup", path }, handle);
  expect({ isOk, lines }).toEqual({ isOk: false, lines: [expect.stringContaining("pg_dump")] });
  await expect(stat(path)).rejects.toThrow("ENOENT");
  const folder = await tempFolder();
  const env = envOf(folder, { DATABASE_URL: "postgres://u:p@localhost:1/gona" });
  await expect(restoreBackup(env, path)).rejects.toThrow("unset DATABASE_URL");
  expect(await readdir(folder)).toEqual([]);
});

test("nothing is restored beside a bucket, in which a server would look for the files", async () => {
  const folder = await tempFolder();
  const names = ["S3_ENDPOINT", "S3_BUCKET", "S3_REGION", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"];
  const env = envOf(
    folder,
    Object.fromEntries(names.map((name) => [name, name === "S3_ENDPOINT" ? "http://localhost:1" : "a-value"])),
  );
  await expect(restoreBackup(env, join(folder, "backup.tar"))).rejects.toThrow("unset the S3 variables");
  expect(await readdir(folder)).toEqual([]);
});

test.runIf(isEmbedded)("a restored folder has every row of every table and every file", async () => {
  const target = join(await tempFolder(), "new");
  const { isOk, lines } = await restoreBackup(envOf(target), whole);
  expect(lines.filter((line) => line.startsWith("FAIL"))).toEqual([]);
  expect(isOk).toBe(true);
  expect((await readdir(target)).sort()).toEqual(["app-secret", "files", "pg", "pg.lock"]);
  expect(await everyHash(target)).toEqual(await everyHash(deps.env.dataDir));
  expect(await loadAppSecret({ appSecret: undefined, dataDir: target })).toBe(secret);
  const restored = await openEmbedded({ dataDir: join(target, "pg") });
  try {
    const before = await everyRow(db);
    expect(before["public.ledger_entries"]).toHaveLength(2);
    expect(before["jobs.job"]?.length).toBeGreaterThan(0);
    expect(await everyRow(restored.db)).toEqual(before);
  } finally {
    await restored.close();
  }
});

test.runIf(isEmbedded)("the server that holds the database writes the backup, for its owner only", async () => {
  const dataDir = await tempFolder();
  const control = await startControl({ ...deps, env: { ...deps.env, dataDir } }, handle);
  onTestFinished(() => control.close());
  const path = join(await tempFolder(), "backup.tar");
  const answer = await askServer(dataDir, { name: "backup", path });
  expect(answer).toMatchObject({ isOk: true, lines: [expect.stringContaining("holds the database and 3 files")] });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  // With tools that every system has.
  const folder = await tempFolder();
  execFileSync("tar", ["-xf", path, "-C", folder]);
  expect(execFileSync("sha256sum", ["-c", "SHA256SUMS"], { cwd: folder, encoding: "utf8" })).not.toContain("FAILED");
});

test.runIf(isEmbedded)("a file that is removed meanwhile is in the backup, and gone after it", async () => {
  const key = newFileKey("video");
  await deps.storage.write(key, Buffer.from("a video"));
  const size = vi.spyOn(deps.storage, "size").mockImplementationOnce(async (asked) => {
    await deps.storage.remove(key);
    size.mockRestore();
    return deps.storage.size(asked);
  });
  const path = await backup();
  expect(execFileSync("tar", ["-tf", path], { encoding: "utf8" })).toContain(key);
  expect(await deps.storage.exists(key)).toBe(false);
});

test.runIf(isEmbedded)("nothing is overwritten, neither by a backup nor by a restore", async () => {
  const before = await readFile(whole);
  await expect(writeBackup({ deps, handle }, whole)).rejects.toThrow("exists already");
  expect((await readFile(whole)).equals(before)).toBe(true);
  const folder = await tempFolder();
  await writeFile(join(folder, "mine"), "kept");
  await expect(restoreBackup(envOf(folder), whole)).rejects.toThrow("is not empty");
  expect(await readdir(folder)).toEqual(["mine"]);
});

test.runIf(isEmbedded)("a damaged backup is refused and leaves the folder as it was", async () => {
  const sound = await readFile(whole);
  const changed = (at: number) => {
    const copy = Buffer.from(sound);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  };
  const receipt = sound.indexOf("files/receipt/") + 512;
  const damages: Record<string, Buffer> = {
    "a byte of the database": changed(sound.indexOf("database.tar.gz") + 4096),
    "a byte of a receipt": changed(receipt),
    "a byte of a file's name": changed(sound.indexOf("files/receipt/") + 20),
    "a byte of the hashes": changed(sound.lastIndexOf("SHA256SUMS") + 520),
    "cut in the middle": sound.subarray(0, sound.length / 2),
    "cut before the hashes": sound.subarray(0, sound.lastIndexOf("SHA256SUMS")),
    "another file": Buffer.from("not a backup"),
    empty: Buffer.alloc(0),
  };
  for (const [damage, content] of Object.entries(damages)) {
    const path = join(await tempFolder(), "damaged.tar");
    await writeFile(path, content);
    const folder = await tempFolder();
    await expect(restoreBackup(envOf(folder), path), damage).rejects.toThrow("is damaged or not a whole backup");
    expect(await readdir(folder), damage).toEqual([]);
    const absent = join(folder, "absent");
    await expect(restoreBackup(envOf(absent), path), damage).rejects.toThrow();
    expect(await readdir(folder), damage).toEqual([]);
  }
  const folder = await tempFolder();
  await expect(restoreBackup(envOf(folder), join(folder, "none.tar"))).rejects.toThrow("There is no file");
  expect(await readdir(folder)).toEqual([]);
});

test.runIf(isEmbedded)("a name that would leave the folder is refused", async () => {
  const [source, folder] = [await tempFolder(), await tempFolder()];
  await mkdir(join(source, "x"));
  await writeFile(join(source, "evil"), "x");
  const path = join(source, "evil.tar");
  execFileSync("tar", ["-P", "-cf", path, "../evil"], { cwd: join(source, "x") });
  await expect(restoreBackup(envOf(folder), path)).rejects.toThrow("../evil");
  expect(await readdir(folder)).toEqual([]);
});

test.runIf(isEmbedded)(
  "without the secret nothing is restored; with it books that don't hold are, and are reported",
  async () => {
    const own = join(deps.env.dataDir, "app-secret");
    const receipts = await readdir(join(deps.env.dataDir, "files/receipt"));
    const receipt = join(deps.env.dataDir, "files/receipt", receipts[0] ?? "");
    const [keptSecret, keptReceipt, { mtime }] = [await readFile(own), await readFile(receipt), await stat(receipt)];
    await rm(own);
    await writeFile(receipt, "changed before the backup");
    const path = await backup();
    await writeFile(own, keptSecret, { mode: 0o600 });
    await writeFile(receipt, keptReceipt);
    await utimes(receipt, mtime, mtime);
    const folder = await tempFolder();
    await expect(restoreBackup(envOf(folder), path)).rejects.toThrow("set the same one");
    expect(await readdir(folder)).toEqual([]);
    const { isOk, lines } = await restoreBackup(envOf(folder, { APP_SECRET: "s".repeat(32) }), path);
    expect(isOk).toBe(false);
    expect(lines).toContainEqual(expect.stringContaining("receipt's bytes don't have its hash"));
  },
);

// A full disk needs a small one: mounting it takes root.
test.runIf(isEmbedded && process.getuid?.() === 0 && process.platform === "linux")(
  "a full disk leaves no half backup and no half restored folder",
  async () => {
    const folder = await tempFolder();
    execFileSync("/bin/mount", ["-t", "tmpfs", "-o", "size=1m", "none", folder]);
    onTestFinished(() => void execFileSync("/bin/umount", [folder]));
    await expect(writeBackup({ deps, handle }, join(folder, "backup.tar"))).rejects.toThrow("the disk is full");
    expect(await emptied(folder)).toEqual([]);
    await expect(restoreBackup(envOf(folder), whole)).rejects.toThrow("The disk is full");
    expect(await emptied(folder)).toEqual([]);
    const key = newFileKey("video");
    await deps.storage.write(key, Buffer.from("x"));
    await deps.storage.remove(key);
    expect(await deps.storage.exists(key)).toBe(false);
  },
);
