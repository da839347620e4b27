import { sql } from "drizzle-orm";
import { type Db, rows } from "#server/db/open.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import type { CheckResult, Remains } from "./checker.ts";
import { type Entry, entriesOf, type Operation } from "./history.ts";
import { riverActs } from "./river.ts";

/** Checks that everything acknowledged is there, nothing refused is, and the same key got the same reply. */
export async function checkHistory({ db, entries }: Remains): Promise<CheckResult[]> {
  const deleted = await deletedProjects(db);
  return [
    checkSameReplies(entries),
    await checkReceipts(db, entries),
    await checkMessages(db, entries, deleted),
    await checkFavorites(db, entries, deleted),
    await checkAudited(db, entries),
  ];
}

async function deletedProjects(db: Db): Promise<Set<number>> {
  const found = await rows<{ id: number }>(
    db,
    sql`select (details->>'projectId')::int as id from audit_logs where action_type = 'delete_project'`,
  );
  return new Set(found.map(({ id }) => id));
}

const submits = ["submit", "submit again"] as const;
const messages = ["message", "message again"] as const;

function checkSameReplies(entries: readonly Entry[]): CheckResult {
  const findings: string[] = [];
  const replies = new Map<string, { reply: string; entry: Entry }>();
  const keyed = entriesOf(entries, ...submits, ...messages);
  for (const entry of [...keyed].sort((one, other) => one.endedAt - other.endedAt)) {
    const { outcome } = entry;
    if (outcome.is !== "acknowledged") continue;
    const name = `${entry.userId} ${entry.operation.key}`;
    const reply = JSON.stringify(outcome.reply);
    const earlier = replies.get(name);
    if (!earlier) replies.set(name, { reply, entry });
    else if (earlier.reply !== reply) findings.push(`key ${entry.operation.key}: ${earlier.reply}, then ${reply}`);
  }
  // Once acknowledged, a key can't be refused for being used already.
  for (const { userId, operation, outcome, startedAt } of keyed) {
    const earlier = replies.get(`${userId} ${operation.key}`);
    if (outcome.is !== "refused" || !earlier || earlier.entry.endedAt > startedAt) continue;
    if (["rate_limited", "unavailable", "not_found", "forbidden"].includes(outcome.reason)) continue;
    findings.push(`key ${operation.key}: ${earlier.reply}, then refused: ${outcome.message}`);
  }
  return { name: "the same key gives the same reply", findings };
}

async function checkReceipts(db: Db, entries: readonly Entry[]): Promise<CheckResult> {
  const found = await rows<{ key: string; userId: string; sha256: string; reply: string }>(
    db,
    sql`select r.idempotency_key as key, r.user_id as "userId", r.sha256, jsonb_build_object('paymentId', p.id,
        'receiptId', r.id, 'reference', p.reference, 'amountKobo', p.amount_kobo::text)::text as reply
      from payment_receipts r join project_payments p on p.id = r.payment_id`,
  );
  return checkKept(
    "every acknowledged receipt is there, and none that was refused",
    found.map(({ key, userId, sha256, reply }) => ({ key, userId, facts: factsOf({ ...JSON.parse(reply), sha256 }) })),
    entriesOf(entries, ...submits).map((entry) => ({
      entry,
      key: entry.operation.key,
      facts: (reply) => factsOf({ ...(reply as object), sha256: entry.operation.sha256, submittedAt: undefined }),
    })),
  );
}

async function checkMessages(db: Db, entries: readonly Entry[], deleted: Set<number>): Promise<CheckResult> {
  const found = await rows<{ key: string; userId: string; messageId: number; content: string }>(
    db,
    sql`select idempotency_key as key, user_id as "userId", id::int as "messageId", content from project_messages`,
  );
  return checkKept(
    "every acknowledged message is there, and none that was refused",
    found.map(({ key, userId, ...facts }) => ({ key, userId, facts: factsOf(facts) })),
    entriesOf(entries, ...messages)
      .filter(({ operation }) => !deleted.has(operation.projectId))
      .map((entry) => ({
        entry,
        key: entry.operation.key,
        facts: (reply) => factsOf({ ...(reply as object), content: entry.operation.content }),
      })),
  );
}

/** Comparable whatever the order of the fields. */
const factsOf = (facts: Record<string, unknown>): string =>
  JSON.stringify(
    Object.entries(facts)
      .filter(([, value]) => value !== undefined)
      .sort(),
  );

type Keyed = { entry: Entry; key: string; facts: (reply: unknown) => string };

function checkKept(name: string, found: { key: string; userId: string; facts: string }[], sent: Keyed[]): CheckResult {
  const findings: string[] = [];
  const byKey = new Map(found.map((row) => [`${row.userId} ${row.key}`, row.facts]));
  if (byKey.size !== found.length) findings.push(`${found.length - byKey.size} keys stand twice`);
  const attempts = Map.groupBy(sent, ({ entry, key }) => `${entry.userId} ${key}`);
  for (const [key, tries] of attempts) {
    const kept = byKey.get(key);
    for (const { entry, facts } of tries) {
      if (entry.outcome.is === "acknowledged" && facts(entry.outcome.reply) !== kept)
        findings.push(`acknowledged ${facts(entry.outcome.reply)}, found ${kept ?? "nothing"}`);
    }
    if (kept !== undefined && tries.every(({ entry }) => entry.outcome.is === "refused"))
      findings.push(`refused and found: ${kept}`);
  }
  return { name, findings };
}

/** The longest time that a write may still be under way once its process or connection is gone. */
const lateMs = 60_000;

async function checkFavorites(db: Db, entries: readonly Entry[], deleted: Set<number>): Promise<CheckResult> {
  const found = await rows<{ name: string }>(
    db,
    sql`select user_id || ' ' || project_id as name from project_favorites`,
  );
  const standing = new Set(found.map(({ name }) => name));
  const findings: string[] = [];
  const writes = entriesOf(entries, "favorite", "unfavorite").filter(
    ({ operation }) => !deleted.has(operation.projectId),
  );
  for (const [name, all] of Map.groupBy(writes, ({ userId, operation }) => `${userId} ${operation.projectId}`)) {
    // "Already favorited" says as much as an acknowledgement.
    const isSure = ({ outcome }: Entry) =>
      outcome.is === "acknowledged" || (outcome.is === "refused" && outcome.reason === "conflict");
    const last = all.findLast(isSure);
    const since = (last?.startedAt ?? 0) - lateMs;
    const isOpen = all.some((entry) => entry.outcome.is === "unknown" && entry.startedAt >= since);
    if (isOpen) continue;
    const wanted = last?.operation.kind === "favorite";
    if (wanted !== standing.has(name)) findings.push(`${name}: acknowledged ${wanted}, found ${!wanted}`);
  }
  return { name: "every acknowledged favorite is as it was left", findings };
}

type Counted = { acknowledged: number; unknown: number; found: number };

/** Every administrator's write is audited with what they saw and said: as often as acknowledged, no more than tried. */
async function checkAudited(db: Db, entries: readonly Entry[]): Promise<CheckResult> {
  const counts = new Map<string, Counted>();
  const count = (name: string, what: keyof Counted) => {
    const counted = counts.get(name) ?? { acknowledged: 0, unknown: 0, found: 0 };
    counted[what] += 1;
    counts.set(name, counted);
  };
  for (const entry of entries) {
    const name = auditNameOf(entry);
    if (name !== null && entry.outcome.is !== "refused") count(`${entry.userId} ${name}`, entry.outcome.is);
  }
  const audited = await rows<{ name: string | null }>(
    db,
    sql`select user_id || ' ' || action_type || ' ' || case action_type
        when 'update_payment_status' then concat_ws(' ', details->>'paymentId', details->>'before', details->>'after',
          details->>'receiptSha256')
        when 'add_backer' then concat_ws(' ', details->>'projectId', details->>'userId')
        when 'remove_backer' then concat_ws(' ', details->>'projectId', details->>'userId')
        when 'edit_project' then concat_ws(' ', details->>'projectId', details->>'title')
        when 'clone_project' then details->>'originalId'
        ${sql.raw(riverRows)}
        else details->>'projectId' end as name
      from audit_logs where user_id is not null and ${sql.raw(isConsequence)} is not true`,
  );
  const confirmed = confirmedBySure(entries);
  for (const { name } of audited) {
    const [userId, action, paymentId, before] = String(name).split(" ");
    const isOfSure =
      action === "update_payment_status" && before === "pending" && confirmed.has(`${userId} ${paymentId}`);
    if (isOfSure) count(String(name), "unknown");
    count(String(name), "found");
  }
  const findings = [...counts]
    .filter(([, { acknowledged, unknown, found }]) => found < acknowledged || found > acknowledged + unknown)
    .map(([name, counted]) => `${name}: ${JSON.stringify(counted)}`);
  return { name: "every acknowledged administrator's write is audited as it was seen, and no other", findings };
}

const riverRows = Object.values(riverActs)
  .flatMap((act) => (act ? [`when '${act.action}' then ${act.row}`] : []))
  .join(" ");

/** Written beside what somebody did, not instead of it: by the system's sure matches, a round given back, a confirmation. */
const isConsequence = `(
  (action_type = 'match_line' and details ? 'rule')
  or (action_type = 'update_payment_status' and details->>'reason' = '${paymentTexts.roundNotFunded.replaceAll("'", "''")}')
  or action_type in ('declare_sale', 'lose_harvest', 'lose_costs', 'lose_rest', 'set_farm_account', 'add_harvest_file',
    'export_payout_run'))`;

/** The payments that each owner tried to confirm as sure, of which some may have been refused. */
function confirmedBySure(entries: readonly Entry[]): Set<string> {
  return new Set(
    entriesOf(entries, "confirm sure payments")
      .filter(({ outcome }) => outcome.is !== "refused")
      .flatMap(({ userId, operation }) => operation.subject.split(" ").map((paymentId) => `${userId} ${paymentId}`)),
  );
}

const auditActions = {
  close: "close_project",
  reopen: "reopen_project",
  delete: "delete_project",
  clone: "clone_project",
} as const;

function riverNameOf(operation: Operation): string | null {
  if (!("subject" in operation)) return null;
  const act = riverActs[operation.kind];
  return act && `${act.action} ${operation.subject}`;
}

function auditNameOf({ operation }: Entry): string | null {
  switch (operation.kind) {
    case "approve":
    case "reject":
    case "back to pending": {
      const { paymentId, seenStatus, status, sha256 } = operation;
      return ["update_payment_status", paymentId, seenStatus, status, ...(sha256 ? [sha256] : [])].join(" ");
    }
    case "grant":
    case "revoke":
      return `${operation.kind === "grant" ? "add_backer" : "remove_backer"} ${operation.projectId} ${operation.userId}`;
    case "edit":
      return `edit_project ${operation.projectId} ${operation.title}`;
    case "close":
    case "reopen":
    case "delete":
    case "clone":
      return `${auditActions[operation.kind]} ${operation.projectId}`;
    default:
      return riverNameOf(operation);
  }
}
