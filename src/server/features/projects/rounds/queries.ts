import { and, asc, eq, ne, or, type SQL, sql } from "drizzle-orm";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { harvests } from "#server/db/schema/harvests.ts";
import { ledgerTransactions } from "#server/db/schema/ledger.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { roundTerms } from "#server/db/schema/terms.ts";
import { findMaxLots } from "#server/features/settings/queries.ts";
import { AppError } from "#server/platform/errors.ts";
import { harvestTexts } from "#shared/harvests/texts.ts";
import { weekSince } from "#shared/lagos-time.ts";
import type { HarvestPlan } from "#shared/projects/lot-produce.ts";
import { clausesOf, type Terms, type Unit } from "#shared/projects/terms-texts.ts";
import type { RoundProgress } from "#shared/projects/texts.ts";
import type { RoundKey } from "./service.ts";

/** The harvest terms of a round: versions that are never changed. The round names the one it is sold by. */

export type RoundTerms = Terms & { version: number };

/** A version of the terms, as the rest of the server speaks of it. */
export const termsColumns = {
  version: roundTerms.version,
  unit: roundTerms.unit,
  plannedQuantity: roundTerms.plannedQuantity,
  plannedPriceKobo: roundTerms.plannedPriceKobo,
  plannedHarvests: roundTerms.plannedHarvests,
  harvestPlan: roundTerms.harvestPlan,
  firstHarvestOn: roundTerms.firstHarvestOn,
  farmPartRate: roundTerms.farmPartRate,
  deductibleCosts: roundTerms.deductibleCosts,
  feeRate: roundTerms.feeRate,
  options: roundTerms.options,
  collectionPlace: roundTerms.collectionPlace,
  choiceDays: roundTerms.choiceDays,
  collectionDays: roundTerms.collectionDays,
  insurance: roundTerms.insurance,
  releaseParts: roundTerms.releaseParts,
};

/** Joins the terms that a round is sold by. */
export const termsOfRound = and(
  eq(roundTerms.projectId, projectRounds.projectId),
  eq(roundTerms.round, projectRounds.round),
  eq(roundTerms.version, projectRounds.termsVersion),
);

/** Joins the round of a harvest. */
export const roundOfHarvest = and(
  eq(projectRounds.projectId, harvests.projectId),
  eq(projectRounds.round, harvests.round),
);

/** A version of a round's terms. The round's row names it, so it is there. */
export async function findTerms(
  db: DbOrTx,
  { projectId, round }: { projectId: number; round: number },
  version: number,
): Promise<RoundTerms> {
  const [terms] = await db
    .select(termsColumns)
    .from(roundTerms)
    .where(and(eq(roundTerms.projectId, projectId), eq(roundTerms.round, round), eq(roundTerms.version, version)));
  if (!terms) throw new Error(`round ${round} of project ${projectId} has no terms ${version}`);
  return terms;
}

/** A version in words, and what it plans to harvest. */
export const shownTermsColumns = {
  version: roundTerms.version,
  text: roundTerms.text,
  unit: roundTerms.unit,
  plannedQuantity: roundTerms.plannedQuantity,
  plannedHarvests: roundTerms.plannedHarvests,
  firstHarvestOn: roundTerms.firstHarvestOn,
  farmPartRate: roundTerms.farmPartRate,
};

/** The words that a payer reads, as they were kept with the version. */
export const readable = ({ version, text, ...plan }: { version: number; text: string } & HarvestPlan) => ({
  version,
  clauses: clausesOf(text),
  plan,
});

/** A version of a round's terms as a payer reads it. */
export async function findShownTerms(
  db: DbOrTx,
  { projectId, round }: { projectId: number; round: number },
  version: number,
) {
  const [terms] = await db
    .select(shownTermsColumns)
    .from(roundTerms)
    .where(and(eq(roundTerms.projectId, projectId), eq(roundTerms.round, round), eq(roundTerms.version, version)));
  if (!terms) throw new Error(`round ${round} of project ${projectId} has no terms ${version}`);
  return readable(terms);
}

/**
 * Says whether the round that an approved payment was posted to was written off. The ledger knows the round of a
 * deleted project too.
 */
export async function isWrittenOff(db: DbOrTx, paymentId: number): Promise<boolean> {
  const found = await db
    .select({ round: projectRounds.round })
    .from(ledgerTransactions)
    .innerJoin(
      projectRounds,
      and(
        eq(projectRounds.projectId, ledgerTransactions.projectId),
        eq(projectRounds.round, ledgerTransactions.round),
        eq(projectRounds.outcome, "written_off"),
      ),
    )
    .where(and(eq(ledgerTransactions.paymentId, paymentId), eq(ledgerTransactions.kind, "approval")))
    .limit(1);
  return found.length > 0;
}

/** A person's rounds of a project that were written off, with the reason. */
export async function listWrittenOff(db: DbOrTx, { projectId, userId }: { projectId: number; userId: string }) {
  return db
    .selectDistinct({ round: projectRounds.round, at: projectRounds.decidedAt, reason: secondPersonRequests.reason })
    .from(projectRounds)
    .innerJoin(
      projectPayments,
      and(
        eq(projectPayments.projectId, projectRounds.projectId),
        eq(projectPayments.round, projectRounds.round),
        eq(projectPayments.userId, userId),
        eq(projectPayments.status, "approved"),
      ),
    )
    .innerJoin(
      secondPersonRequests,
      and(
        eq(secondPersonRequests.kind, "write_off"),
        eq(secondPersonRequests.decision, "confirmed"),
        sql`${secondPersonRequests.subject} = ${projectRounds.projectId} || '/' || ${projectRounds.round}`,
      ),
    )
    .where(and(eq(projectRounds.projectId, projectId), eq(projectRounds.outcome, "written_off")))
    .orderBy(asc(projectRounds.round));
}

/**
 * The most lots for one person and round, without those they buy already; those that wait under `reference` aren't counted.
 */
export async function countAllowedLots(
  db: DbOrTx,
  { projectId, round }: { projectId: number; round: number },
  userId: string,
  reference?: string,
): Promise<number> {
  const [own] = await db
    .select({ lots: sql<number>`coalesce(sum(${projectPayments.lots}), 0)::int` })
    .from(projectPayments)
    .where(
      and(
        eq(projectPayments.projectId, projectId),
        eq(projectPayments.round, round),
        eq(projectPayments.userId, userId),
        ne(projectPayments.status, "rejected"),
        reference === undefined
          ? undefined
          : or(eq(projectPayments.status, "approved"), ne(projectPayments.reference, reference)),
      ),
    );
  return Math.max(0, (await findMaxLots(db)) - (own?.lots ?? 0));
}

/** Condition on a row `r` of project_rounds: its harvest has begun, and none of its harvests is open. */
const hasNoneOpen = sql`exists (select from round_weights w where w.project_id = r.project_id and w.round = r.round)
  and not exists (select from harvests h where h.project_id = r.project_id and h.round = r.round
    and h.state not in ('done', 'lost', 'withdrawn'))`;

/**
 * Condition on a row `r` of project_rounds: all the harvests that its terms plan are done or lost, and at least one.
 * Nobody gets money of it any more.
 */
export const isOver: SQL<boolean> = sql<boolean>`(${hasNoneOpen} and (
    select count(*) from harvests h where h.project_id = r.project_id and h.round = r.round
      and h.state in ('done', 'lost') and not h.is_insurance
  ) >= coalesce((select t.planned_harvests from round_terms t
    where t.project_id = r.project_id and t.round = r.round and t.version = r.terms_version), 1))`;

type Asked = RoundKey | { approvedPaymentId: number };

/**
 * Gives the text that refuses a change of what a round was sold by, once its harvest has begun or was settled; null
 * before. Of an approved payment the ledger names the round, even if its project was deleted.
 */
export async function findHarvestRefusal(db: DbOrTx, asked: Asked): Promise<string | null> {
  const isRound =
    "approvedPaymentId" in asked
      ? sql`(w.project_id, w.round) in (select t.project_id, t.round from ledger_transactions t
          where t.payment_id = ${asked.approvedPaymentId} and t.kind = 'approval')`
      : sql`w.project_id = ${asked.projectId} and w.round = ${asked.round}`;
  const [begun] = await rows<{ isSettled: boolean }>(
    db,
    sql`select coalesce((select bool_and(h.state in ('settled', 'done', 'lost')) from harvests h
        where h.project_id = w.project_id and h.round = w.round and h.state <> 'withdrawn'), false) as "isSettled"
      from round_weights w where ${isRound} limit 1`,
  );
  if (!begun) return null;
  return begun.isSettled ? harvestTexts.roundSettled : harvestTexts.begun;
}

/**
 * The rounds of a project in whose harvests a grant may still be given a part, the newest first: the current one unless
 * it was not funded, and earlier funded ones, as long as nothing is frozen of them.
 */
export async function listRoundsToWeigh(db: DbOrTx, projectId: number): Promise<number[]> {
  const found = await rows<{ round: number }>(
    db,
    sql`select r.round from project_rounds r join projects p on p.id = r.project_id
      where r.project_id = ${projectId} and (r.outcome = 'funded' or (r.round = p.round and r.outcome is null))
        and not exists (select from round_weights w where w.project_id = r.project_id and w.round = r.round)
      order by r.round desc`,
  );
  return found.map(({ round }) => round);
}

/** The rounds of a project whose harvests are over: what was paid for them has been settled. */
export async function listSettledRounds(db: DbOrTx, projectId: number): Promise<Set<number>> {
  const found = await rows<{ round: number }>(
    db,
    sql`select r.round from project_rounds r where r.project_id = ${projectId} and ${isOver}`,
  );
  return new Set(found.map(({ round }) => round));
}

/** Says whether a round's terms plan more harvests while none is open. Two owners may then say that none will come. */
export async function awaitsHarvest(db: DbOrTx, { projectId, round }: RoundKey): Promise<boolean> {
  const found = await rows(
    db,
    sql`select 1 from project_rounds r where r.project_id = ${projectId} and r.round = ${round}
      and ${hasNoneOpen} and not ${isOver}`,
  );
  return found.length > 0;
}

/** Throws "conflict" while a harvest of a project isn't over, or money of one is still to be paid. */
export async function requireNoOpenHarvest(db: DbOrTx, projectId: number): Promise<void> {
  const [open] = await rows<{ harvests: boolean; payouts: boolean }>(
    db,
    sql`select exists (select from harvests where project_id = ${projectId} and state not in ('done', 'lost', 'withdrawn'))
        as harvests,
      exists (select from payouts where project_id = ${projectId} and kind = 'harvest'
        and state in ('waiting', 'due', 'in_run', 'sent')) as payouts`,
  );
  if (open?.harvests) throw new AppError("conflict", harvestTexts.keepsProject);
  if (open?.payouts) throw new AppError("conflict", harvestTexts.owesBackers);
}

/** Condition of a harvest `h` of the round `r` that came or was lost. */
const isCounted: SQL = sql`(h.project_id = r.project_id and h.round = r.round and not h.is_insurance
  and h.state not in ('draft', 'withdrawn'))`;

/** A row of {@link progressRows}. */
export type ProgressRow = {
  projectId: number;
  fundedAt: string;
  planned: number;
  counted: number;
  lost: number;
  unit: Unit;
  paidKobo: string;
  collected: string;
};

/** Condition that a row is the person's; true for everybody's without one. */
const isTheirs = (column: SQL, userId: string | undefined): SQL =>
  userId === undefined ? sql`true` : sql`${column} = ${userId}`;

/**
 * The statement that reads where the current rounds of projects stand; `chosen` is a condition on `p`, the project. It
 * counts harvests, and sums up what backers received, or that person: money that reached their banks, and produce that
 * they collected. Rounds that aren't funded give no row.
 */
export const progressRows = (chosen: SQL, userId?: string): SQL => sql`
  select p.id as "projectId", r.decided_at::text as "fundedAt", coalesce(t.planned_harvests, 1) as planned, t.unit,
    harvested.counted, harvested.lost, harvested.collected::text as collected, (
      select coalesce(sum(o.amount_kobo), 0)::text from harvests h
        join settlements s on s.harvest_id = h.id join payouts o on o.settlement_id = s.id
      where h.project_id = r.project_id and h.round = r.round and o.kind = 'harvest' and o.state = 'paid'
        and ${isTheirs(sql`o.user_id`, userId)}
    ) as "paidKobo"
  from projects p join project_rounds r on r.project_id = p.id and r.round = p.round
    join round_terms t on t.project_id = r.project_id and t.round = r.round and t.version = r.terms_version
    cross join lateral (
      select count(*)::int as counted, count(*) filter (where h.state = 'lost')::int as lost,
        coalesce(sum((select sum(c.taken) from harvest_parts c where c.harvest_id = h.id
          and c.collected_at is not null and ${isTheirs(sql`c.user_id`, userId)})), 0) as collected
      from harvests h where ${isCounted}
    ) harvested
  where ${chosen} and r.outcome = 'funded'`;

/** A row as the screens show it, with the week that the farm is in. */
export const progressFrom = (row: ProgressRow, now: Date): RoundProgress => ({
  week: weekSince(new Date(row.fundedAt), now),
  planned: row.planned,
  counted: row.counted,
  lost: row.lost,
  unit: row.unit,
  paidKobo: BigInt(row.paidKobo),
  collected: BigInt(row.collected),
});

/** {@link progressRows} of several projects, by the project. */
export async function readProgress(
  db: DbOrTx,
  { projectIds, userId, now }: { projectIds: number[]; userId?: string; now: Date },
): Promise<Map<number, RoundProgress>> {
  if (projectIds.length === 0) return new Map();
  const found = await rows<ProgressRow>(db, progressRows(sql`p.id in ${projectIds}`, userId));
  return new Map(found.map((row) => [row.projectId, progressFrom(row, now)]));
}
