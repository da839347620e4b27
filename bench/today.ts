import { sql } from "drizzle-orm";
import { queryPath } from "./lib/calls.ts";
import { type Measurement, median } from "./lib/measurement.ts";
import { onDatabase } from "./lib/scene.ts";

/** Times the dashboard's request for the lines that wait for an owner, all of them counted anew. */
const PAYMENTS = 10_000;
const ROUNDS = 15;

export async function measure(): Promise<Measurement[]> {
  return onDatabase(PAYMENTS, async ({ db, startProduct, cookieOf }) => {
    const { url } = await startProduct();
    const [owner] = (await db.execute(sql`select user_id as id from user_roles where role = 'owner' limit 1`)) as {
      id: string;
    }[];
    if (!owner) throw new Error("no owner is seeded");
    const headers = { cookie: await cookieOf({ id: owner.id, isAdmin: true }) };
    const today = await timesOf(url + queryPath("dashboard.today", undefined), headers);
    // The cheapest call of the same page.
    const reference = await timesOf(url + queryPath("dashboard.counts", undefined), headers);
    return [
      {
        what: `what waits today for an owner, ${PAYMENTS.toLocaleString("en")} projects and payments`,
        values: today,
        unit: "ms",
        target: { atMost: 80 },
        details: `over HTTP; two counts of projects on the same page ${median(reference).toFixed(1)} ms`,
      },
    ];
  });
}

/** How long several calls take, after one that isn't counted. */
async function timesOf(address: string, headers: Record<string, string>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const started = performance.now();
    const answer = await fetch(address, { headers });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${address} was answered ${answer.status}: ${text.slice(0, 300)}`);
    times.push(performance.now() - started);
  }
  return times.slice(1);
}
