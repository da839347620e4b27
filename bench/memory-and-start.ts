import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Db } from "#server/db/open.ts";
import { exportFormatsOf, exportPath } from "#shared/exports/texts.ts";
import { type BuiltServer, startBuiltServer } from "#tests/support/built-server.ts";
import { freePort } from "#tests/support/free-port.ts";
import { createAdmin, type TestUser } from "#tests/support/people.ts";
import { createProject, makeProjectsOfToday } from "#tests/support/projects.ts";
import { type Measurement, median } from "./lib/measurement.ts";
import { cpuSeconds, peakMbOf, residentMb, root } from "./lib/processes.ts";
import { onDatabase, type Scene } from "./lib/scene.ts";

/**
 * Resident memory of the server's process: while ten times as much comes in or goes out, and once it is ready. Each
 * reading is of a process that was just started.
 */
const MB = 1024 * 1024;
const ROUNDS = 3;

export async function measure(): Promise<Measurement[]> {
  const sizes = await onDatabase(1000, async (scene) => {
    makeProjectsOfToday();
    const owner = await createAdmin(scene.db, "owner");
    const { id: projectId } = await createProject(scene.db);
    return [await compareUploads(scene, owner, projectId), ...(await compareExports(scene, owner))];
  });
  return [...sizes, ...(await measureStarts())];
}

/** The server's largest memory while `run` goes on. */
async function peakOf(scene: Scene, owner: TestUser, run: (server: BuiltServer, cookie: string) => Promise<unknown>) {
  const server = await scene.startProduct();
  const cookie = await scene.cookieOf(owner);
  // What the start leaves behind is cleared up by then.
  await sleep(3000);
  const peakMb = await peakMbOf(server.pid, () => run(server, cookie));
  await server.stop();
  return peakMb;
}

type Peaks = { large: number; small: number };

async function compareSizes(measureOne: (isLarge: boolean) => Promise<number>): Promise<Peaks[]> {
  const rounds: Peaks[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ small: await measureOne(false), large: await measureOne(true) });
  }
  return rounds;
}

function rowOf(what: string, rounds: Peaks[]): Measurement {
  const middle = (size: keyof Peaks) => `${median(rounds.map((round) => round[size])).toFixed(0)} MB`;
  return {
    what: `largest memory while ${what} ÷ a tenth of it`,
    values: rounds.map(({ large, small }) => large / small),
    // A longer run fills the heap to where it stays. Held in memory, ten times as much would be at three and more.
    target: { atMost: 1.5 },
    details: `${middle("large")}; at a tenth ${middle("small")}`,
  };
}

/** The largest video that is allowed has 200 MB. */
async function compareUploads(scene: Scene, owner: TestUser, projectId: number): Promise<Measurement> {
  const rounds = await compareSizes((isLarge) =>
    peakOf(scene, owner, (server, cookie) =>
      Promise.all((isLarge ? [200, 100] : [20, 10]).map((size) => upload({ server, cookie, projectId }, size))),
    ),
  );
  return rowOf("300 MB of video come in, 200 MB and 100 MB at once,", rounds);
}

const CHUNK = Buffer.alloc(64 * 1024, "water ");
/** The first bytes of an MP4 file. */
const MP4_HEAD = Buffer.from("\0\0\0\x18ftypisom\0\0\x02\0isommp41", "latin1");
const BOUNDARY = "bench-upload-boundary";

type Sender = { server: BuiltServer; cookie: string; projectId: number };

/** Uploads one video in pieces made on the fly. Its last bytes are unique, so that no video is already stored. */
async function upload({ server, cookie, projectId }: Sender, megabytes: number): Promise<void> {
  const field = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="projectId"\r\n\r\n${projectId}\r\n`;
  const file = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="pond.mp4"\r\ncontent-type: video/mp4\r\n\r\n`;
  const head = Buffer.concat([Buffer.from(field + file), MP4_HEAD]);
  const mark = Buffer.from(crypto.randomUUID());
  const tail = Buffer.concat([mark, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
  let left = megabytes * MB - MP4_HEAD.length - mark.length;
  const headers = {
    origin: server.url,
    cookie,
    "x-upload": "1",
    "content-type": `multipart/form-data; boundary=${BOUNDARY}`,
    "content-length": head.length + left + tail.length,
  };
  const sending = request(`${server.url}/uploads/project-videos`, { method: "POST", headers });
  const answered = once(sending, "response");
  sending.write(head);
  while (left > 0) {
    const piece = left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK;
    left -= piece.length;
    if (!sending.write(piece)) await once(sending, "drain");
  }
  sending.end(tail);
  const [answer] = await answered;
  const text = (await answer.toArray()).join("");
  if (answer.statusCode !== 200)
    throw new Error(`${megabytes} MB of video were answered ${answer.statusCode}: ${text}`);
}

const ENTRIES = 1_000_000;

/** The audit log in each format. A tenth leaves first: the other entries come afterwards. */
async function compareExports(scene: Scene, owner: TestUser): Promise<Measurement[]> {
  const peaks: Record<string, { small: number[]; large: number[] }> = {};
  for (const size of ["small", "large"] as const) {
    await addEntries(scene.db, owner, size === "small" ? ENTRIES / 10 : (ENTRIES * 9) / 10);
    for (const format of exportFormatsOf("audit-logs")) {
      peaks[format] ??= { small: [], large: [] };
      for (let round = 0; round < ROUNDS; round++) {
        const peakMb = await peakOf(scene, owner, async ({ url }, cookie) => {
          const lines = await countLines(url + exportPath("audit-logs", format), cookie);
          if (lines < (size === "small" ? ENTRIES / 10 : ENTRIES)) throw new Error(`${format}: ${lines} lines came`);
        });
        peaks[format][size].push(peakMb);
      }
    }
  }
  return Object.entries(peaks).map(([format, { small, large }]) => {
    const rounds = small.map((each, round) => ({ small: each, large: large[round] ?? Number.NaN }));
    return rowOf(`${ENTRIES.toLocaleString("en")} audit entries leave as ${format.toUpperCase()}`, rounds);
  });
}

async function countLines(url: string, cookie: string): Promise<number> {
  const answer = await fetch(url, { headers: { cookie } });
  if (!answer.ok || !answer.body) throw new Error(`${url} was answered ${answer.status}`);
  let lines = 0;
  for await (const part of answer.body) for (const byte of part) if (byte === 10) lines += 1;
  return lines;
}

/** Adds audit entries as long as an edited project's. */
async function addEntries(db: Db, owner: TestUser, count: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    await tx.execute(sql`
      insert into audit_logs (action_type, user_id, user_email, ip_address, details, created_at)
      select 'edit_project', ${owner.id}, ${owner.email}, '203.0.113.7',
        jsonb_build_object('projectId', n, 'title', 'Farm number ' || n,
          'before', jsonb_build_object('shortDescription', repeat('Old words. ', 10)),
          'after', jsonb_build_object('shortDescription', repeat('New words. ', 10))),
        timestamptz '2025-01-01' + n * interval '10 seconds'
      from generate_series(1, ${sql.raw(String(count))}) n`);
  });
  await db.execute(sql`analyze audit_logs`);
}

const START_ROUNDS = 7;
const START_LIMIT_MS = 60_000;

type Start = { seconds: number; cpu: number; memoryMb: number };

/** `npm start` on a database that is there already: PostgreSQL with 1,000 projects, and the embedded one with the demo. */
async function measureStarts(): Promise<Measurement[]> {
  const onPostgres = await onDatabase(1000, ({ databaseUrl }) =>
    inNewFolder((dataDir) => startInRounds({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir })),
  );
  const embedded = await inNewFolder(async (dataDir) => {
    const first = await startBuiltServer({ env: { DEMO: "1", LOG_LEVEL: "warn" }, dataDir });
    await first.stop();
    return startInRounds({ DATA_DIR: dataDir });
  });
  return [
    ...startRows("PostgreSQL", onPostgres, { target: { atMost: 200 } }),
    ...startRows("the embedded database", embedded, {
      target: { atMost: 600 },
      limitedBy: "the PostgreSQL that it brings into the process, as WebAssembly compiled at each start",
    }),
  ];
}

async function inNewFolder<Result>(run: (dataDir: string) => Promise<Result>): Promise<Result> {
  const dataDir = mkdtempSync(join(tmpdir(), "gona-bench-"));
  return run(dataDir).finally(() => rmSync(dataDir, { recursive: true, force: true }));
}

/** The first start isn't counted: it fills the system's cache of files. */
async function startInRounds(env: Record<string, string>): Promise<Start[]> {
  const starts: Start[] = [];
  for (let round = -1; round < START_ROUNDS; round++) starts.push(await startOnce(env));
  return starts.slice(1);
}

async function startOnce(given: Record<string, string>): Promise<Start> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, HOST: "127.0.0.1", PORT: port, PUBLIC_URL: url, LOG_LEVEL: "warn", ...given };
  const started = performance.now();
  const npm = spawn("npm", ["start"], { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });
  const gone = once(npm, "exit");
  try {
    while (!(await isReady(url))) {
      if (npm.exitCode !== null || performance.now() - started > START_LIMIT_MS) throw new Error("the start failed");
      await sleep(20);
    }
    const seconds = (performance.now() - started) / 1000;
    const pid = serverBelow(npm.pid ?? 0);
    return { seconds, cpu: cpuSeconds(pid), memoryMb: residentMb(pid) };
  } finally {
    npm.kill("SIGTERM");
    await gone;
  }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  );

/** npm starts a shell, which becomes the server. */
function serverBelow(pid: number): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  return child ? serverBelow(Number(child)) : pid;
}

function startRows(
  database: string,
  starts: Start[],
  memory: Pick<Measurement, "target" | "limitedBy">,
): Measurement[] {
  const cpu = median(starts.map((start) => start.cpu));
  return [
    {
      what: `ready after \`npm start\` on ${database}`,
      values: starts.map(({ seconds }) => seconds),
      unit: "s",
      target: { atMost: 2 },
      details: `the server's process took ${cpu.toFixed(1)} s of CPU, npm the rest`,
    },
    {
      what: `memory once ready, on ${database}`,
      values: starts.map(({ memoryMb }) => memoryMb),
      unit: "MB",
      ...memory,
      details: "resident memory of the server's process at its first ready answer",
    },
  ];
}
