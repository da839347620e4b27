import { sql } from "drizzle-orm";
import { lineTabs } from "#shared/bank/line-tabs.ts";
import { bankStates, paymentStatuses } from "#shared/payments/statuses.ts";
import { payoutLists } from "#shared/payouts/inputs.ts";
import { dashboardSorts } from "#shared/projects/texts.ts";
import { queryPath } from "./lib/calls.ts";
import { type Measurement, median } from "./lib/measurement.ts";
import { onDatabase } from "./lib/scene.ts";

/** Times administrators' lists, opened one after the other: each one's first page, its filters and its counts. */
const PROJECTS = 50_000;
const TIMES = 5;

const calls: [procedure: string, ...inputs: unknown[]][] = [
  [
    "payments.list",
    {},
    ...paymentStatuses.map((status) => ({ status })),
    ...bankStates.map((bank) => ({ bank })),
    ...bankStates.map((bank) => ({ bank, status: "approved" })),
    { search: "Halima" },
    { search: "SEED-1999" },
    { search: "xyzzy" },
    { projectId: 7 },
    { sameReceiptAs: 20_000 },
  ],
  ["payments.statusCounts", {}, { search: "Halima" }, { projectId: 7 }],
  ["payments.projects", {}, { search: "cassava" }],
  ["dashboard.projects", ...dashboardSorts.map((sort) => ({ sort })), { search: "cassava" }],
  ["dashboard.counts", undefined],
  ["dashboard.money", undefined],
  ["users.list", {}, { search: "Halima" }, { search: "xyzzy" }],
  ["auditLog.list", {}, { action: "update_payment_status" }, { page: 20 }, { from: "2026-01-01", to: "2026-02-01" }],
  ["auditLog.filters", undefined],
  ["payouts.overview", undefined],
  ["payouts.due", undefined],
  ["payouts.list", ...payoutLists.map((list) => ({ list }))],
  ["payouts.runs", {}],
  ["harvests.ofProject", { projectId: 7 }],
  ["papers.list", {}, { search: "Halima" }],
  ["bank.overview", undefined],
  ["bank.accounts", undefined],
  ["bank.imports", { accountId: 1 }],
  [
    "bank.lines",
    ...lineTabs.map((tab) => ({ accountId: 1, tab })),
    { accountId: 1, tab: "matched", search: "SEED-199" },
  ],
  ["secondPerson.list", undefined],
];

export async function measure(): Promise<Measurement[]> {
  return onDatabase(PROJECTS, async ({ db, startProduct, cookieOf }) => {
    const { url } = await startProduct();
    const [owner] = (await db.execute(sql`select user_id as id from user_roles where role = 'owner' limit 1`)) as {
      id: string;
    }[];
    if (!owner) throw new Error("no owner is seeded");
    const headers = { cookie: await cookieOf({ id: owner.id, isAdmin: true }) };
    const times: { name: string; ms: number }[] = [];
    for (const [procedure, ...inputs] of calls) {
      for (const input of inputs) {
        const name = `${procedure} ${JSON.stringify(input ?? {})}`;
        times.push({ name, ms: await timeOf(url + queryPath(procedure, input), headers) });
      }
    }
    const slowest = times.toSorted((one, other) => other.ms - one.ms);
    return [
      {
        what: `administrators' lists, ${PROJECTS.toLocaleString("en")} projects and payments, ${(2 * PROJECTS).toLocaleString("en")} lines: the slowest of ${times.length}`,
        values: [slowest[0]?.ms ?? Number.NaN],
        unit: "ms",
        target: { atMost: 1000 },
        details: slowest
          .slice(0, 5)
          .map(({ name, ms }) => `${name} ${ms.toFixed(0)} ms`)
          .join("; "),
      },
    ];
  });
}

/** The median of several calls, after one that isn't counted. */
async function timeOf(address: string, headers: Record<string, string>): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time <= TIMES; time++) {
    const started = performance.now();
    const answer = await fetch(address, { headers });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${address} was answered ${answer.status}: ${text.slice(0, 300)}`);
    times.push(performance.now() - started);
  }
  return median(times.slice(1));
}
