import { ownAccounts } from "#server/db/schema/bank.ts";
import type { BuiltServer } from "#tests/support/built-server.ts";
import { hostileStatements } from "#tests/support/hostile-statements.ts";
import { createAdmin } from "#tests/support/people.ts";
import { type Measurement, median } from "./lib/measurement.ts";
import { residentMb } from "./lib/processes.ts";
import { readMeanwhile, type Seen } from "./lib/reader.ts";
import { onDatabase } from "./lib/scene.ts";

/**
 * Times statements made to take memory and time: twenty at once of each shape of each format, while another client
 * reads. The server must be the same process afterwards.
 */
const AT_ONCE = 20;

type Target = { server: BuiltServer; cookie: string; accountId: string };
type Shape = { name: string; file: Uint8Array };

/** Sends a statement. Returns "busy" if the server asks to come again; throws if it is neither that nor refused. */
async function send({ server, cookie, accountId }: Target, { file }: Shape): Promise<"refused" | "busy"> {
  const body = new FormData();
  body.set("accountId", accountId);
  body.set("file", new File([Uint8Array.from(file)], "statement"));
  const headers = { origin: server.url, "x-upload": "1", cookie };
  const answer = await fetch(`${server.url}/bank/statements`, { method: "POST", headers, body });
  const said = (await answer.json()) as { kind?: string };
  if (answer.status === 503) return "busy";
  if (answer.status !== 200 || said.kind !== "refused") throw new Error(`answered ${answer.status} ${said.kind}`);
  return "refused";
}

type Storm = Seen & { name: string; busy: number; seconds: number };

export async function measure(): Promise<Measurement[]> {
  return onDatabase(0, async ({ db, startProduct, cookieOf }) => {
    const named = { bankName: "Bench Bank", accountName: "Gona", accountNumber: "1000000000" };
    const [account] = await db
      .insert(ownAccounts)
      .values({ ...named, isActive: false })
      .returning();
    const server = await startProduct();
    const addresses = ["/trpc/auth.viewer", "/"].map((path) => `${server.url}${path}`);
    const storms: Storm[] = [];
    for (const [format, shapes] of Object.entries(hostileStatements)) {
      for (const [shape, make] of Object.entries<() => Uint8Array>(shapes)) {
        // Imports per person are limited in ten minutes.
        const cookie = await cookieOf(await createAdmin(db, "owner"));
        const target = { server, cookie, accountId: String(account?.id) };
        const sent = { name: `${format}, ${shape}`, file: make() };
        let busy = 0;
        const started = performance.now();
        const seen = await readMeanwhile(addresses, async () => {
          const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => send(target, sent)));
          busy = answers.filter((answer) => answer === "busy").length;
        });
        storms.push({ ...seen, busy, name: sent.name, seconds: (performance.now() - started) / 1000 });
      }
    }
    // Throws where the process that was started is gone.
    const memoryMb = residentMb(server.pid);
    const slowest = storms.reduce((most, one) => (one.slowestMs > most.slowestMs ? one : most));
    const longest = storms.reduce((most, one) => (one.seconds > most.seconds ? one : most));
    const sum = (figure: "reads" | "busy") => storms.reduce((total, storm) => total + storm[figure], 0);
    for (const { name, reads, slowestMs, seconds, busy } of storms) {
      console.log(`${name}: ${seconds.toFixed(1)} s, ${busy} busy, ${reads} reads, slowest ${slowestMs.toFixed(0)} ms`);
    }
    return [
      {
        what: `the slowest answer to others while ${AT_ONCE} hostile statements at once come in, of ${storms.length} shapes of 5 formats`,
        values: [slowest.slowestMs],
        unit: "ms",
        target: { atMost: 500 },
        details: `of ${sum("reads")} answers (${slowest.name}); the middle shape's slowest ${median(storms.map(({ slowestMs }) => slowestMs)).toFixed(0)} ms; ${sum("busy")} of ${storms.length * AT_ONCE} files asked to come again; the longest ${longest.seconds.toFixed(1)} s (${longest.name}); the same process, at ${memoryMb.toFixed(0)} MB`,
      },
      {
        what: "answers to others refused meanwhile",
        values: storms.map(({ refused }) => refused),
        target: { exactly: 0 },
        details: `${sum("reads")} answers`,
      },
    ];
  });
}
