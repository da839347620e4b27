import { sql } from "drizzle-orm";
import { rows } from "#server/db/open.ts";
import { listAuditLogs } from "#server/features/audit-log/queries.ts";
import { listProjects } from "#server/features/projects/lists.ts";
import { encodeCursor } from "#server/platform/keyset.ts";
import { listAuditLogsInput } from "#shared/audit-log.ts";
import { auditCountCap } from "#shared/audit-texts.ts";
import { isoInLagos } from "#shared/dates.ts";
import { type ProjectSort, projectSorts } from "#shared/project-texts.ts";
import { listProjectsInput } from "#shared/projects.ts";
import { type Measurement, median } from "./lib/measurement.ts";
import { inRounds, type Seeded, seededPair, timeOf } from "./lib/million.ts";

const DEPTH = 500_000;

/** A page in the middle of a million rows against the first one. */
export async function measure(): Promise<Measurement[]> {
  const { million } = await seededPair();
  return [await measureProjects(million), await measureAudit(million)];
}

type Place = { id: number; backers: number; kobo: number; endsAt: number };

const places: Record<ProjectSort, { by: string; cursorOf: (place: Place) => string }> = {
  popular: { by: "backers_count desc, id desc", cursorOf: ({ backers, id }) => encodeCursor([backers, id]) },
  funded: { by: "current_funding_kobo desc, id desc", cursorOf: ({ kobo, id }) => encodeCursor([kobo, id]) },
  newest: { by: "id desc", cursorOf: ({ id }) => encodeCursor([id]) },
  ending: { by: "ends_at, id", cursorOf: ({ endsAt, id }) => encodeCursor([endsAt, id]) },
};

async function measureProjects({ visitor }: Seeded): Promise<Measurement> {
  const pages: { first: object; deep: object }[] = [];
  for (const sort of projectSorts) {
    const { by, cursorOf } = places[sort];
    const [last, next] = await rows<Place>(
      visitor.db,
      sql`select id, backers_count as backers, current_funding_kobo::float8 as kobo,
          (extract(epoch from ends_at) * 1000)::float8 as "endsAt"
        from projects order by ${sql.raw(by)} offset ${DEPTH - 1} limit 2`,
    );
    if (!last || !next) throw new Error("there are too few projects");
    const page = { first: { sort, showClosed: true }, deep: { sort, showClosed: true, cursor: cursorOf(last) } };
    const [shown] = (await listProjects(visitor, listProjectsInput.parse(page.deep))).items;
    if (shown?.id !== next.id) throw new Error(`${sort}: the page at depth ${DEPTH} begins with another project`);
    pages.push(page);
  }
  const timeAll = async (which: "first" | "deep") => {
    let sum = 0;
    for (const page of pages) {
      const input = listProjectsInput.parse(page[which]);
      sum += await timeOf(() => listProjects(visitor, input));
    }
    return sum / pages.length;
  };
  const rounds = await inRounds(
    () => timeAll("deep"),
    () => timeAll("first"),
  );
  return {
    name: "paging projects",
    what: `page of public projects at depth ${DEPTH.toLocaleString("en")} ÷ first page, all four orders`,
    values: rounds.map(({ first, second }) => first / second),
    target: { atMost: 2 },
    details: describe(rounds),
  };
}

/** By its day, as the screen reaches it; and the last page that is reached by number. The slower of the two counts. */
async function measureAudit({ owner }: Seeded): Promise<Measurement> {
  const [entry] = await rows<{ at: number }>(
    owner.db,
    sql`select (extract(epoch from created_at) * 1000)::float8 as at from audit_logs
      order by created_at desc, id desc offset ${DEPTH} limit 1`,
  );
  if (!entry) throw new Error("there are too few entries");
  const timePage = (input: object) => {
    const read = listAuditLogsInput.parse(input);
    return timeOf(() => listAuditLogs(owner, read));
  };
  const rounds = await inRounds(
    async () => [
      await timePage({ to: isoInLagos(new Date(entry.at)).slice(0, 10) }),
      await timePage({ page: auditCountCap / 10, pageSize: 10 }),
    ],
    () => timePage({}),
  );
  const slower = rounds.map(({ first, second }) => ({ first: Math.max(...first), second }));
  return {
    name: "paging audit",
    what: `page of the audit log at depth ${DEPTH.toLocaleString("en")}, or the last one by number ÷ first page`,
    values: slower.map(({ first, second }) => first / second),
    target: { atMost: 2 },
    details: `${describe(slower)}; each with its count`,
  };
}

const describe = (rounds: { first: number; second: number }[]) =>
  `${median(rounds.map(({ first }) => first)).toFixed(2)} ms; first page ${median(rounds.map(({ second }) => second)).toFixed(2)} ms`;
