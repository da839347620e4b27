import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { createApiClient } from "#tests/support/api-client.ts";
import type { BuiltServer } from "#tests/support/built-server.ts";
import { setBankDetails } from "#tests/support/money.ts";
import { createUser } from "#tests/support/people.ts";
import { createProject, makeProjectsOfToday } from "#tests/support/projects.ts";
import type { Measurement } from "./lib/measurement.ts";
import { peakMbOf, residentMb } from "./lib/processes.ts";
import { readMeanwhile, type Seen } from "./lib/reader.ts";
import { onDatabase, type Scene } from "./lib/scene.ts";

/**
 * Receipts of 3 MB that many phones send at once: how much memory the process takes beside what it had, and what others
 * see.
 */
const AT_ONCE = 100;
const SENDERS = 4;
const ROUNDS = 3;

/** Noise, which no format makes smaller. */
const side = 1024;
const picture = await sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
  .png()
  .toBuffer();

type Round = Seen & { moreMb: number; seconds: number };

export async function measure(): Promise<Measurement[]> {
  return onDatabase(0, async (scene) => {
    makeProjectsOfToday();
    await setBankDetails(scene.db);
    const { id: projectId } = await createProject(scene.db);
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await uploadAll(scene, projectId));
    const all = rounds.map(({ moreMb, seconds, slowestMs }) => {
      return `${moreMb.toFixed(0)} MB more for ${seconds.toFixed(1)} s, the slowest answer to others ${slowestMs.toFixed(0)} ms`;
    });
    return [
      {
        what: `memory beside what the process had, while ${AT_ONCE} receipts of 3 MB come in at once`,
        values: rounds.map(({ moreMb }) => moreMb),
        unit: "MB",
        target: { atMost: 200 },
        details: all.join("; "),
      },
    ];
  });
}

async function uploadAll(scene: Scene, projectId: number): Promise<Round> {
  const server = await scene.startProduct();
  const cookies: string[] = [];
  for (let sender = 0; sender < SENDERS; sender++) cookies.push(await agree(scene, server, projectId));
  // What the start leaves behind is cleared up by then.
  await sleep(3000);
  const beforeMb = residentMb(server.pid);
  const started = performance.now();
  let seen: Seen = { reads: 0, refused: 0, slowestMs: 0 };
  const peakMb = await peakMbOf(server.pid, async () => {
    seen = await readMeanwhile([`${server.url}/trpc/auth.viewer`], async () => {
      const cookieOf = (index: number) => cookies[index % SENDERS] ?? "";
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => send(server, projectId, cookieOf(index))));
    });
  });
  const seconds = (performance.now() - started) / 1000;
  await server.stop();
  return { ...seen, moreMb: peakMb - beforeMb, seconds };
}

/** Makes a backer who agrees to the project's terms. Returns their cookie. */
async function agree({ db, cookieOf }: Scene, { url }: BuiltServer, projectId: number): Promise<string> {
  const cookie = await cookieOf(await createUser(db));
  const [name = "", value = ""] = cookie.split("=");
  const api = createApiClient(url, { cookies: new Map([[name, value]]) });
  const { terms, siteTerms } = await api.payments.open.mutate({ projectId });
  await api.payments.begin.mutate({
    projectId,
    lots: 1,
    termsVersion: terms.version,
    siteTerms: siteTerms.sha256,
    hasReadTerms: true,
  });
  return cookie;
}

async function send({ url }: BuiltServer, projectId: number, cookie: string): Promise<void> {
  const body = new FormData();
  const fields = { projectId: String(projectId), lots: "1", idempotencyKey: randomUUID() };
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  body.set("file", new File([Uint8Array.from(picture), randomUUID()], "receipt.png"));
  const headers = { origin: url, "x-upload": "1", cookie };
  const answer = await fetch(`${url}/uploads/receipts`, { method: "POST", headers, body });
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}
