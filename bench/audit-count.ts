import { sql } from "drizzle-orm";
import { rows } from "#server/db/open.ts";
import { listAuditLogs } from "#server/features/audit-log/queries.ts";
import { listAuditLogsInput } from "#shared/audit-log.ts";
import { isoInLagos } from "#shared/dates.ts";
import { type Measurement, median } from "./lib/measurement.ts";
import { inRounds, type Seeded, seededPair, timeOf } from "./lib/million.ts";

const day = (daysAgo: number) => isoInLagos(new Date(Date.now() - daysAgo * 86_400_000)).slice(0, 10);

/** Frequent and rare ones, alone and together. */
async function filtersOf({ owner }: Seeded): Promise<object[]> {
  const people = await rows<{ id: string }>(
    owner.db,
    sql`select user_id as id from audit_logs where user_id is not null group by 1 order by count(*) desc limit 25`,
  );
  const [most, least] = [people[0]?.id, people.at(-1)?.id];
  return [
    { action: "update_payment_status" },
    { action: "add_media" },
    { action: "two_factor_enabled" },
    { userId: most },
    { userId: least },
    { userId: least, action: "update_payment_status" },
    { userId: most, action: "block_user" },
    { from: day(400), to: day(300) },
    { from: day(400), to: day(300), action: "edit_project" },
    { to: day(500), userId: most },
  ];
}

/** A page and the number of entries that match, counted as far as the screen shows it. */
export async function measure(): Promise<Measurement[]> {
  const { million, tenThousand } = await seededPair();
  const timeAll = async (seeded: Seeded, filters: object[]) => {
    const times: number[] = [];
    for (const filter of filters) {
      const input = listAuditLogsInput.parse(filter);
      times.push(await timeOf(() => listAuditLogs(seeded.owner, input)));
    }
    return times.reduce((sum, time) => sum + time, 0) / times.length;
  };
  const [ofMillion, ofTenThousand] = [await filtersOf(million), await filtersOf(tenThousand)];
  const rounds = await inRounds(
    () => timeAll(million, ofMillion),
    () => timeAll(tenThousand, ofTenThousand),
  );
  const middle = (side: "first" | "second") => median(rounds.map((round) => round[side])).toFixed(1);
  return [
    {
      name: "audit-count",
      what: "ten filtered pages with their counts in a million audit entries ÷ in ten thousand",
      values: rounds.map(({ first, second }) => first / second),
      target: { atMost: 3 },
      details: `${middle("first")} ms; in ten thousand ${middle("second")} ms, where a tenth of them matches at most`,
    },
  ];
}
