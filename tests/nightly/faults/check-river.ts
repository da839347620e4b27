import { type SQL, sql } from "drizzle-orm";
import { type Db, rows } from "#server/db/open.ts";
import type { CheckResult, Remains } from "./checker.ts";
import { type Entry, entriesOf } from "./history.ts";
import type { RiverKind } from "./river.ts";

/** Checks each acknowledgement along the river of money: it is there, once, and stays as it was said. */
export async function checkRiver(remains: Remains): Promise<CheckResult[]> {
  return [
    await checkLines(remains),
    await checkRuns(remains),
    await checkFiles(remains),
    await checkRows(remains),
    await checkChoices(remains),
  ];
}

/** Every line of an acknowledged statement stands once, as the bank booked it, and none that it didn't book. */
async function checkLines({ db, bank, entries }: Remains): Promise<CheckResult> {
  const nameOf = (line: { bankReference: string; amountKobo: bigint | string; narration: string }) =>
    `${line.bankReference} ${line.amountKobo} ${line.narration}`;
  const kept = await rows<{ bankReference: string; amountKobo: string; narration: string }>(
    db,
    sql`select bank_reference as "bankReference", amount_kobo::text as "amountKobo", narration from statement_lines`,
  );
  const counts = new Map<string, { kept: number; booked: number; promised: number }>();
  const count = (name: string, what: "kept" | "booked" | "promised") => {
    const counted = counts.get(name) ?? { kept: 0, booked: 0, promised: 0 };
    counted[what] += 1;
    counts.set(name, counted);
  };
  const promisedTo = Math.max(
    0,
    ...entriesOf(entries, "import a statement")
      .filter(({ outcome }) => outcome.is === "acknowledged")
      .map(({ operation }) => Number(operation.sent.to)),
  );
  for (const line of kept) count(nameOf(line), "kept");
  for (const [index, line] of bank.lines.entries()) {
    count(nameOf(line), "booked");
    if (index < promisedTo) count(nameOf(line), "promised");
  }
  const findings = [...counts]
    .filter(([, it]) => it.kept < it.promised || it.kept > it.booked)
    .map(([name, it]) => `${name}: ${JSON.stringify(it)}`);
  return { name: "every line of an acknowledged statement is kept once, and no other", findings };
}

const acknowledged = (entries: readonly Entry[], ...kinds: RiverKind[]) =>
  entriesOf(entries, ...kinds).filter(({ outcome }) => outcome.is === "acknowledged");

const replyOf = <Reply>({ outcome }: Entry): Reply => (outcome.is === "acknowledged" ? outcome.reply : null) as Reply;

/** A run pays what it was made of, and goes forward only; what left it as void is in no run by it. */
async function checkRuns({ db, entries }: Remains): Promise<CheckResult> {
  const found = await rows<{ id: number; state: string; lines: string; owners: number }>(
    db,
    sql`select r.id::int, r.state,
        (select jsonb_agg(l.payout_id order by l.payout_id)::text from payout_run_lines l where l.run_id = r.id) as lines,
        (select count(*)::int from payouts o where o.run_id = r.id) as owners
      from payout_runs r`,
  );
  const runs = new Map(found.map((run) => [run.id, run]));
  const findings: string[] = [];
  for (const entry of acknowledged(entries, "make a run")) {
    const { runId } = replyOf<{ runId: number }>(entry);
    const lines = runs.get(runId)?.lines ?? "nothing";
    const wanted = JSON.stringify((JSON.parse(entry.operation.subject) as number[]).toSorted((a, b) => a - b));
    if (lines.replaceAll(" ", "") !== wanted) findings.push(`run ${runId} was made of ${wanted}, and has ${lines}`);
  }
  const allowed = {
    "approve a run": ["approved", "exported", "closed", "void"],
    "void a run": ["void"],
    "export a run": ["exported", "closed"],
  } as const;
  for (const [kind, states] of Object.entries(allowed) as [keyof typeof allowed, readonly string[]][]) {
    for (const { operation } of acknowledged(entries, kind)) {
      const run = runs.get(Number(operation.subject));
      if (!run || !states.includes(run.state)) findings.push(`${kind} ${operation.subject}: now ${run?.state}`);
      else if (run.state === "void" && run.owners > 0) findings.push(`void run ${run.id} has ${run.owners} payouts`);
    }
  }
  return { name: "an acknowledged run has its payouts, and is as far as it was said", findings };
}

type Files = { files: { format: string; sha256: string }[] };

/** A run gives the same files each time, and those are kept. */
async function checkFiles({ db, entries }: Remains): Promise<CheckResult> {
  const kept = await rows<{ name: string }>(
    db,
    sql`select run_id || ' ' || format || ' ' || encode(sha256(bytes), 'hex') as name from payout_files`,
  );
  const standing = new Set(kept.map(({ name }) => name));
  const findings = acknowledged(entries, "export a run").flatMap((entry) =>
    replyOf<Files>(entry)
      .files.map(({ format, sha256 }) => `${entry.operation.subject} ${format} ${sha256}`)
      .filter((name) => !standing.has(name)),
  );
  return { name: "a run's files are those that each export gave", findings: [...new Set(findings)] };
}

/** The rows that were made by an act which somebody named, by that name. */
type Made = { kind: RiverKind; what: SQL; nameOf: (entry: ReturnType<typeof acknowledged>[number]) => string };

const made: Made[] = [
  {
    kind: "add a sale",
    what: sql`select harvest_id || ' ' || buyer as name from harvest_sales`,
    nameOf: ({ operation: { subject, sent } }) => `${subject} ${sent.buyer}`,
  },
  {
    kind: "add a cost",
    what: sql`select c.harvest_id || ' ' || f.file_id as name from harvest_costs c join harvest_files f on f.cost_id = c.id`,
    nameOf: ({ operation: { subject, sent } }) => `${subject} ${sent.fileId}`,
  },
  {
    kind: "create a harvest",
    what: sql`select project_id || ' ' || created_by as name from harvests`,
    nameOf: ({ userId, operation: { subject } }) => `${subject} ${userId}`,
  },
  {
    kind: "ask for a part",
    what: sql`select project_id || ' ' || round || ' ' || part || ' ' || asked_by as name from release_asks`,
    nameOf: ({ userId, operation: { subject } }) => `${subject} ${userId}`,
  },
  {
    kind: "give an account",
    what: sql`select user_id || ' ' || account_number as name from payee_accounts where user_id is not null`,
    nameOf: ({ userId, operation: { sent } }) => `${userId} ${sent.number}`,
  },
  {
    kind: "mark a payout paid",
    what: sql`select id || ' ' || paid_session_id as name from payouts where paid_by is not null`,
    nameOf: ({ operation: { subject, sent } }) => `${subject} ${sent.sessionId}`,
  },
  {
    kind: "collect produce",
    what: sql`select harvest_id || ' ' || code || ' ' || collected_by as name from harvest_parts where collected_at is not null`,
    nameOf: ({ userId, operation: { subject, sent } }) => `${subject} ${sent.code} ${userId}`,
  },
];

/** Checks acknowledged rows that have a name: each is there once for each time. */
async function checkRows({ db, entries }: Remains): Promise<CheckResult> {
  const findings: string[] = [];
  for (const { kind, what, nameOf } of made) {
    const kept = Map.groupBy(await rows<{ name: string }>(db, what), ({ name }) => name);
    const tries = Map.groupBy(entriesOf(entries, kind), nameOf);
    for (const [name, all] of tries) {
      const sure = all.filter(({ outcome }) => outcome.is === "acknowledged").length;
      const most = all.filter(({ outcome }) => outcome.is !== "refused").length;
      const found = kept.get(name)?.length ?? 0;
      if (found < sure || found > most) findings.push(`${kind} ${name}: ${sure} acknowledged, ${found} found`);
    }
  }
  findings.push(...(await listUnkept(db, entries)));
  return { name: "what was acknowledged of the bank, of payouts and of harvests is there, once", findings };
}

/** States that don't change any more once somebody was told of them: the rows that have them. */
const finalStates: [RiverKind, SQL][] = [
  ["finish a harvest", sql`select id::text as name from harvests where state = 'done'`],
  ["withdraw a harvest", sql`select id::text as name from harvests where state = 'withdrawn'`],
  ["open a harvest", sql`select id::text as name from harvests where opened_at is not null`],
  ["reverse a settlement", sql`select id::text as name from settlements where reversed_at is not null`],
  ["take a refund back", sql`select id::text as name from refunds where taken_back_at is not null`],
  ["check a part", sql`select id::text as name from release_asks where verdict is not null`],
  ["refuse a part", sql`select id::text as name from release_asks where verdict = 'refused'`],
  ["take a release back", sql`select id::text as name from farm_releases where taken_back_at is not null`],
  [
    "confirm as second person",
    sql`select r.id::text as name from second_person_requests r where r.decision = 'confirmed' and case r.kind
      when 'set_farm_account' then exists (select from payee_accounts a where a.request_id = r.id)
      when 'declare_sale' then exists (select from harvest_sales s where s.request_id = r.id and s.declared_at is not null)
      when 'lose' then exists (select from harvests h
        where h.id = (r.details->>'harvestId')::bigint and case r.details->>'what'
          when 'harvest' then h.state = 'lost' when 'rest' then h.rest_lost_at is not null else h.state = 'done' end) end`,
  ],
  [
    "settle a harvest",
    sql`select harvest_id || ' ' || pool || ' ' || proceeds_kobo || ' ' || settled_by as name from settlements s
      where exists (select from settlement_parts p where p.settlement_id = s.id) or farm_kobo > 0`,
  ],
  [
    "give held money back",
    sql`select r.payment_id || ' ' || r.amount_kobo || ' ' || r.made_by as name from refunds r
      where exists (select from payouts o where o.refund_id = r.id)`,
  ],
  [
    "release to a farm",
    sql`select r.project_id || ' ' || r.amount_kobo || ' ' || r.made_by as name from farm_releases r
      where exists (select from payouts o where o.release_id = r.id)`,
  ],
];

function finalNameOf({ userId, operation: { kind, subject, sent } }: ReturnType<typeof acknowledged>[number]): string {
  if (kind === "settle a harvest") return `${subject} ${sent.pool} ${sent.kobo} ${userId}`;
  if (kind === "give held money back" || kind === "release to a farm") return `${subject} ${sent.kobo} ${userId}`;
  return subject;
}

async function listUnkept(db: Db, entries: readonly Entry[]): Promise<string[]> {
  const findings: string[] = [];
  for (const [kind, what] of finalStates) {
    const standing = Map.groupBy(await rows<{ name: string }>(db, what), ({ name }) => name);
    for (const [name, all] of Map.groupBy(acknowledged(entries, kind), finalNameOf)) {
      const found = standing.get(name)?.length ?? 0;
      if (found < all.length) findings.push(`${kind} ${name}: ${all.length} acknowledged, ${found} found`);
    }
  }
  return findings;
}

/** The longest time that a write may still be under way once its process or connection is gone. */
const lateMs = 60_000;

/** A choice stands until the same person chooses again. */
async function checkChoices({ db, entries }: Remains): Promise<CheckResult> {
  const found = await rows<{ name: string; chosen: string }>(
    db,
    sql`select user_id || ' ' || harvest_id as name, chosen_taken || ' ' || chosen_given as chosen from harvest_parts`,
  );
  const kept = new Map(found.map(({ name, chosen }) => [name, chosen]));
  const findings: string[] = [];
  const tries = entriesOf(entries, "choose").filter(({ outcome }) => outcome.is !== "refused");
  for (const [name, all] of Map.groupBy(tries, ({ userId, operation }) => `${userId} ${operation.subject}`)) {
    const last = all.findLast(({ outcome }) => outcome.is === "acknowledged");
    const since = (last?.startedAt ?? 0) - lateMs;
    if (!last || all.some(({ outcome, startedAt }) => outcome.is === "unknown" && startedAt >= since)) continue;
    const wanted = `${last.operation.sent.taken} ${last.operation.sent.given}`;
    if (kept.get(name) !== wanted) findings.push(`${name}: chose ${wanted}, found ${kept.get(name)}`);
  }
  return { name: "every acknowledged choice is as it was made last", findings };
}
