import { once } from "node:events";
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { startBuiltServer } from "#tests/support/built-server.ts";
import { createAdmin } from "#tests/support/people.ts";
import { startPostgres } from "#tests/support/postgres-server.ts";
import { createProject, makeProjectsOfToday } from "#tests/support/projects.ts";
import type { Measurement } from "./lib/measurement.ts";
import { watchMemory } from "./lib/memory.ts";
import { cpuSeconds, residentMb } from "./lib/processes.ts";
import { cookieOf, withDeps } from "./lib/product-deps.ts";

/**
 * 300 MB come in as videos, as fast as the server takes them. The largest that is allowed has 200 MB: one of those,
 * and one of 100 MB beside it. Measured is the server's process alone: its resident memory over that at rest.
 */
const MB = 1024 * 1024;
const VIDEO_MB = [200, 100];
const ROUNDS = 5;
const CHUNK = Buffer.alloc(64 * 1024, "water ");
/** What an MP4 file begins with. */
const MP4_HEAD = Buffer.from("\0\0\0\x18ftypisom\0\0\x02\0isommp41", "latin1");
const BOUNDARY = "bench-upload-boundary";

type Sender = { url: string; cookie: string; projectId: number };

/** Sends one video in pieces that are made as they go; each has its own bytes at the end, so that none is there already. */
async function upload({ url, cookie, projectId }: Sender, megabytes: number): Promise<void> {
  const field = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="projectId"\r\n\r\n${projectId}\r\n`;
  const file = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="pond.mp4"\r\ncontent-type: video/mp4\r\n\r\n`;
  const head = Buffer.concat([Buffer.from(field + file), MP4_HEAD]);
  const mark = Buffer.from(crypto.randomUUID());
  const tail = Buffer.concat([mark, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
  let left = megabytes * MB - MP4_HEAD.length - mark.length;
  const headers = {
    origin: url,
    cookie,
    "x-gona-upload": "1",
    "content-type": `multipart/form-data; boundary=${BOUNDARY}`,
    "content-length": head.length + left + tail.length,
  };
  const sending = request(`${url}/uploads/project-videos`, { method: "POST", headers });
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
    throw new Error(`a video of ${megabytes} MB was answered ${answer.statusCode}: ${text}`);
}

export async function measure(): Promise<Measurement[]> {
  const postgres = await startPostgres();
  const env = { DATABASE_URL: postgres.url, LOG_LEVEL: "warn" };
  makeProjectsOfToday();
  const rounds: { growthMb: number; restMb: number; seconds: number; cpuSeconds: number }[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      // A process of its own for each: its memory at rest is that of a server that just started.
      const server = await startBuiltServer({ env });
      try {
        const sender = await withDeps({ databaseUrl: postgres.url, dataDir: server.dataDir }, async (deps) => {
          const { id: projectId } = await createProject(deps.db);
          return { url: server.url, projectId, cookie: await cookieOf(deps, await createAdmin(deps.db, "owner")) };
        });
        await sleep(3000);
        const restMb = residentMb(server.pid);
        const cpuBefore = cpuSeconds(server.pid);
        const started = performance.now();
        const { peakMb } = await watchMemory(server.pid, () =>
          Promise.all(VIDEO_MB.map((megabytes) => upload(sender, megabytes))),
        );
        const seconds = (performance.now() - started) / 1000;
        rounds.push({ growthMb: peakMb - restMb, restMb, seconds, cpuSeconds: cpuSeconds(server.pid) - cpuBefore });
        console.log(`${restMb.toFixed(0)} MB at rest, at most ${peakMb.toFixed(0)} MB, ${seconds.toFixed(1)} s`);
      } finally {
        await server.stop();
      }
    }
  } finally {
    await postgres.stop();
  }
  const mean = (of: (round: (typeof rounds)[number]) => number) =>
    rounds.reduce((sum, round) => sum + of(round), 0) / rounds.length;
  return [
    {
      name: "upload",
      what: "memory above rest while 300 MB of video come in, 200 MB (the largest allowed) and 100 MB at once",
      values: rounds.map(({ growthMb }) => growthMb),
      unit: "MB",
      target: { atMost: 50 },
      details: `${mean(({ restMb }) => restMb).toFixed(0)} MB at rest; all came in ${mean(({ seconds }) => seconds).toFixed(1)} s and took ${mean((round) => round.cpuSeconds).toFixed(2)} s of CPU`,
    },
  ];
}
