import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { findActor, startSession } from "#server/accounts/sessions.ts";
import { type Db, inTransaction } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { paymentReceipts, paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { changeOffer, findRound } from "#server/features/projects/rounds/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { requireActor } from "#server/platform/procedures.ts";
import type { TestDeps } from "./deps.ts";
import { emptyDatabase } from "./empty-database.ts";
import { setBankDetails, storeReceiptFile } from "./money.ts";
import { cookieJar, createAdmin, createUser, type TestUser } from "./people.ts";
import { preparedRows } from "./prepared.ts";
import { createProject, type TestProject } from "./projects.ts";
import type { Stepper } from "./stepping.ts";

/** Two owners, two backers and one open project in an otherwise empty database: where two writes meet. */

export type Member = TestUser & { token: string };
export type Scene = {
  deps: TestDeps;
  amaka: Member;
  tunde: Member;
  ada: Member;
  bola: Member;
  project: TestProject;
};

export async function setScene(deps: TestDeps): Promise<Scene> {
  await emptyDatabase(deps.db);
  await setBankDetails(deps.db);
  const signIn = async (user: TestUser): Promise<Member> => {
    const kind = user.isAdmin ? "admin" : "backer";
    const session = { isProved: true, userId: user.id, kind, device: "Test", ipAddress: "203.0.113.7" } as const;
    return { ...user, token: await startSession(deps, session) };
  };
  const person = (name: string) => ({ fullName: name, email: `${name.toLowerCase()}@example.com` });
  return {
    deps,
    amaka: await signIn(await createAdmin(deps.db, "owner", person("Amaka"))),
    tunde: await signIn(await createAdmin(deps.db, "owner", person("Tunde"))),
    ada: await signIn(await createUser(deps.db, person("Ada"))),
    bola: await signIn(await createUser(deps.db, person("Bola"))),
    project: await createProject(deps.db, { title: "Catfish ponds" }),
  };
}

/** The whole request of a member on a stepper's connection: who calls is looked up first. */
export async function call<Result>(
  { deps }: Scene,
  [stepper, member]: [Stepper, Member],
  run: (ctx: ActorContext) => Promise<Result>,
): Promise<Result> {
  const here = { ...deps, db: stepper.db, ipAddress: "203.0.113.7", userAgent: "Test", cookies: cookieJar() };
  const actor = requireActor({ ...here, actor: await findActor(here, member.token) });
  return run({ ...here, actor });
}

/** A receipt by its name: the same name is the same file. */
export const receiptNamed = (scene: Scene, name: string) => storeReceiptFile(scene.deps, Buffer.from(name));

/** Sells the project in so many lots instead of one; so many of them are the minimum. */
export async function sellInLots({ deps, project }: Scene, lots: number, minimumLots: number): Promise<void> {
  const { id: projectId, round, fundingGoalKobo } = project;
  await inTransaction(deps.db, (tx) => changeOffer(tx, { projectId, round }, { lots, minimumLots, fundingGoalKobo }));
}

/** A payment that waits with the receipt "first". */
export async function addPending(scene: Scene, backer: Member, lots = 1): Promise<number> {
  const { deps, project } = scene;
  const now = deps.clock.now();
  const { key: storageKey, ...file } = await receiptNamed(scene, `first of ${backer.fullName}`);
  const owner = { projectId: project.id, userId: backer.id };
  const receiptId = randomUUID();
  return inTransaction(deps.db, async (tx) => {
    const reference = `GONA-${backer.fullName}`;
    const { lotPriceKobo, termsVersion } = await findRound(tx, { projectId: project.id, round: 1 });
    const agreed = { lots, round: 1, termsVersion, agreedAt: now };
    await tx.insert(paymentReferences).values({ ...owner, ...agreed, reference, lotPriceKobo });
    const [stored] = await tx
      .insert(storedFiles)
      .values({ ...file, kind: "receipt", storageKey, uploadedBy: backer.id })
      .returning();
    const values = {
      ...owner,
      ...agreed,
      amountKobo: BigInt(lots) * lotPriceKobo,
      reference,
      projectTitle: project.title,
    };
    const [payment] = await tx
      .insert(projectPayments)
      .values({ ...values, currentReceiptId: receiptId, createdAt: now, updatedAt: now })
      .returning();
    if (!stored || !payment) throw new Error("the payment was not written");
    const receipt = { id: receiptId, paymentId: payment.id, userId: backer.id, fileId: stored.id, sha256: file.sha256 };
    await tx.insert(paymentReceipts).values({ ...receipt, idempotencyKey: randomUUID() });
    return payment.id;
  });
}

/** All that two writes leave behind, without what differs from run to run (ids, moments). */
export async function describeState(db: Db): Promise<unknown> {
  const [found] = await preparedRows<{ state: unknown }>(db, state);
  return found?.state;
}

const listOf = (columns: string, from: string) =>
  sql.raw(
    `(select coalesce(jsonb_agg(row order by row::text), '[]') from (select jsonb_build_array(${columns}) as row from ${from}) t)`,
  );
/** New references and codes are drawn at random, and runs are numbered on from scene to scene. */
const withoutReference = (text: string) =>
  `regexp_replace(regexp_replace(regexp_replace(${text}, '(GONA|GP)-[0-9A-Z]{4}-[0-9A-Z]{4}', 'ours', 'g'), 'ayment run [0-9]+',
    'ayment run', 'g'), 'code: [0-9]{3} [0-9]{3}', 'code', 'g')`;
const person = (id: string) => `(select full_name from users where id = ${id})`;

const state = sql`select jsonb_build_object(
  'projects', ${listOf("title, funding_goal_kobo, current_funding_kobo, backers_count, is_closed, round", "projects")},
  'payments', ${listOf(
    `${person("user_id")}, project_title, project_id is null, amount_kobo, status, round,
    rejection_reason, ${person("decided_by")}, (select sha256 from payment_receipts r where r.id = current_receipt_id),
    (select count(*) from payment_receipts r where r.payment_id = p.id)`,
    "project_payments p",
  )},
  'rounds', ${listOf("round, lots, minimum_lots, lot_price_kobo, approved_lots, held_lots, terms_version, outcome", "project_rounds")},
  'holds', ${listOf(
    `${person("user_id")}, lots, state, until, has_receipt, is_extended, warned_at is null, reference is null, end_reason`,
    "holds",
  )},
  'waiting', ${listOf(`${person("user_id")}, lots, offered_at, left_at`, "waiting_list")},
  'requests', ${listOf(`${person("requested_by")}, decision, ${person("decided_by")}`, "second_person_requests")},
  'refunds', ${listOf(`${person("user_id")}, amount_kobo, reason, ${person("made_by")}, ${person("taken_back_by")}`, "refunds")},
  'payouts', ${listOf(
    `${person("user_id")}, kind, state, amount_kobo, part, parts, run_id is not null, promised_by, failed_reason, ${person("paid_by")},
    replaces_id is not null`,
    "payouts",
  )},
  'runs', ${listOf(
    `state, payouts, total_kobo, ${person("made_by")}, ${person("approved_by")}, ${person("exported_by")}, ${person("voided_by")},
    (select count(*) from payout_run_lines l where l.run_id = r.id), (select count(*) from payout_files f where f.run_id = r.id)`,
    "payout_runs r",
  )},
  'accounts', ${listOf(`${person("user_id")}, farm_id is null, account_number, replaced_at is null, ${person("added_by")}`, "payee_accounts")},
  'asks', ${listOf(`part, verdict, ${person("asked_by")}, ${person("decided_by")}`, "release_asks")},
  'skips', ${listOf(`part, ${person("skipped_by")}, taken_back_at is null`, "release_skips")},
  'releases', ${listOf(`round, part, amount_kobo, ${person("made_by")}, ${person("taken_back_by")}`, "farm_releases")},
  'returns', ${listOf(`round, amount_kobo, ${person("made_by")}, ${person("taken_back_by")}`, "round_returns")},
  'weights', ${listOf(`round, ${person("user_id")}, weight_kobo`, "round_weights")},
  'granted', ${listOf("round, weight_kobo", "backing_weights")},
  'harvests', ${listOf("round, number, is_insurance, state, quantity, farm_quantity, chooses_until, costs_lost_at is null", "harvests")},
  'parts', ${listOf(
    `${person("user_id")}, chosen_taken, chosen_given, chosen_sold, quantity, taken, given, sold, produce_kobo, code is null,
    collected_at, uncollected_at`,
    "harvest_parts",
  )},
  'costs', ${listOf("label, amount_kobo, paid_by, removed_at is null", "harvest_costs")},
  'sales', ${listOf("pool, amount_kobo, declared_at is null, removed_at is null", "harvest_sales")},
  'settlements', ${listOf("number, pool, proceeds_kobo, costs_kobo, farm_kobo, farm_deducted_kobo, net_kobo, reversed_at is null", "settlements")},
  'lines', ${listOf("position, amount_kobo, balance_kobo, gap_kobo, narration, matched_kobo", "statement_lines")},
  'matches', ${listOf(`kind, amount_kobo, rule, ${person("made_by")}, undone_at is null`, "line_matches")},
  'statements', ${listOf(`lines, new_lines, ${person("imported_by")}`, "statements")},
  'files', ${listOf("kind, sha256", "stored_files")},
  'references', ${listOf(`${person("user_id")}, retired_at is not null`, "payment_references")},
  'backings', ${listOf(`${person("user_id")}, granted_at is not null, ${person("granted_by")}`, "project_backings")},
  'favorites', ${listOf(person("user_id"), "project_favorites")},
  'ledger', ${listOf(
    `kind, project_title, round, ${person("user_id")}, ${person("actor_id")},
    (select jsonb_object_agg(account, amount_kobo) from ledger_entries e where e.transaction_id = l.id),
    (select count(*) from ledger_closings c where c.ends_at <= l.created_at)`,
    "ledger_transactions l",
  )},
  'closings', ${listOf(`month, entries, balances, ${person("closed_by")}`, "ledger_closings")},
  'heads', ${listOf("n, (select count(*) from ledger_entries e where e.id <= last_entry_id)", "ledger_heads")},
  'audit', ${listOf("action_type, user_email, details->'before', details->'after'", "audit_logs where action_type <> 'edit_project'")},
  'edits', ${listOf("user_email", "audit_logs where action_type = 'edit_project'")},
  'told', ${listOf(`${person("user_id")}, kind, title, ${withoutReference("content")}`, "notifications")},
  'mails', ${listOf(`recipient, ${withoutReference("subject")}, refusal`, "outgoing_mails")},
  'jobs', ${listOf("name, count(*)", "jobs.job group by name")},
  'people', ${listOf("full_name, is_blocked, (select count(*) from sessions s where s.user_id = u.id)", "users u")}
) as state`;
