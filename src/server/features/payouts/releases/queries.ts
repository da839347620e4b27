import { and, asc, desc, eq, getTableColumns, inArray, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { endOfAsking } from "#server/accounts/owners/second-owner.ts";
import { readRounds } from "#server/books/rounds.ts";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { farms } from "#server/db/schema/farms.ts";
import { farmReleases, payeeAccounts, payouts } from "#server/db/schema/payouts.ts";
import { projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { users } from "#server/db/schema/users.ts";
import { isCurrentOf } from "#server/features/payouts/payees/service.ts";
import { isOverdue } from "#server/features/payouts/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { findBank, isNumberUnusual } from "#shared/bank/nigerian-banks.ts";
import type { Kobo } from "#shared/money.ts";
import { openPayoutStates, payoutTexts } from "#shared/payouts/texts.ts";
import { setFarmAccountDetails } from "#shared/second-person/inputs.ts";
import { farmAccountTexts } from "#shared/second-person/texts.ts";
import { paidBackOf } from "./arrivals.ts";

/** Money that rounds owe to their farm, and that went there. */

type Round = { projectId: number; round: number };

/**
 * Lists the self-check's open alarms about a round's money, as sentences: about the project, the round's payments,
 * releases and lines, and that less is there than is owed, which concerns everybody.
 */
export async function listAlarmsOf(db: DbOrTx, { projectId, round }: Round): Promise<string[]> {
  const found = await rows<{ violation: string }>(
    db,
    sql`with named as (
        select a.id, a.finding->>'violation' as violation, a.finding->'row' as about
        from alarms a where a.resolved_at is null
      ), of_payments as (
        select p.id from project_payments p where p.project_id = ${projectId} and p.round = ${round}
      )
      select violation from named
      where (about->>'projectId' = ${String(projectId)} and coalesce(about->>'round', ${String(round)}) = ${String(round)})
        or about->>'paymentId' in (select id::text from of_payments)
        or about->>'releaseId' in (
          select id::text from farm_releases f where f.project_id = ${projectId} and f.round = ${round})
        or exists (
          select from line_matches m where m.payment_id in (select id from of_payments)
            and (m.line_id::text = about->>'lineId' or m.id::text = about->>'matchId'))
        or about ? 'missingKobo' and about ? 'owedKobo'
      group by violation order by min(id) limit 5`,
  );
  return found.map(({ violation }) => violation);
}

/** Also of a project that was deleted since; null if no money ever went to its farm. */
export async function findProjectTitle(
  db: DbOrTx,
  projectId: number,
): Promise<{ title: string; isProjectThere: boolean } | null> {
  const [project] = await db.select({ title: projects.title }).from(projects).where(eq(projects.id, projectId));
  if (project) return { title: project.title, isProjectThere: true };
  const [release] = await db
    .select({ title: farmReleases.projectTitle })
    .from(farmReleases)
    .where(eq(farmReleases.projectId, projectId))
    .limit(1);
  return release ? { title: release.title, isProjectThere: false } : null;
}

export async function findFarm(db: DbOrTx, farmId: number): Promise<typeof farms.$inferSelect | undefined> {
  const [farm] = await db.select().from(farms).where(eq(farms.id, farmId));
  return farm;
}

/** The projects that a farm runs, or ran a round of, and what is due to it of all of them. */
export async function readOwed(db: DbOrTx, farmId: number): Promise<{ projectTitles: string[]; owedKobo: Kobo }> {
  const found = await db
    .select({ title: projects.title })
    .from(projects)
    .where(
      sql`${projects.farmId} = ${farmId}
        or ${projects.id} in (select project_id from project_rounds where farm_id = ${farmId})`,
    )
    .orderBy(asc(projects.id));
  const [owed] = await db
    .select({ kobo: sql`coalesce(sum(${payouts.amountKobo}), 0)::bigint`.mapWith(payouts.amountKobo) })
    .from(payouts)
    .where(and(eq(payouts.farmId, farmId), inArray(payouts.state, openPayoutStates)));
  return { projectTitles: found.map(({ title }) => title), owedKobo: owed?.kobo ?? 0n };
}

/** Returns a farm with its account, and the one that waits for another owner. Throws "not_found". */
export async function findFarmAccount(ctx: ActorContext, { farmId }: { farmId: number }) {
  const farm = await findFarm(ctx.db, farmId);
  if (!farm) throw new AppError("not_found", farmAccountTexts.gone);
  return describeAccount(ctx, farm);
}

async function describeAccount(ctx: ActorContext, { id, name, closedAt }: typeof farms.$inferSelect) {
  const [account] = await ctx.db
    .select()
    .from(payeeAccounts)
    .where(isCurrentOf({ farmId: id }));
  return {
    id,
    name,
    isClosed: closedAt !== null,
    account: account
      ? {
          bankName: account.bankName,
          bankCode: account.bankCode,
          accountNumber: account.accountNumber,
          accountName: account.accountName,
          usableFrom: account.usableFrom,
          isUsable: account.usableFrom <= ctx.clock.now(),
          isNumberUnusual: isNumberUnusual(account),
        }
      : null,
    waitingAccount: await findWaitingAccount(ctx, id),
  };
}

/** The account that one owner entered and another has to confirm. */
async function findWaitingAccount({ db, clock }: ActorContext, farmId: number) {
  const [found] = await db
    .select({
      details: secondPersonRequests.details,
      askedBy: users.fullName,
      askedAt: secondPersonRequests.requestedAt,
    })
    .from(secondPersonRequests)
    .innerJoin(users, eq(users.id, secondPersonRequests.requestedBy))
    .where(
      and(
        eq(secondPersonRequests.kind, "set_farm_account"),
        eq(secondPersonRequests.subject, String(farmId)),
        isNull(secondPersonRequests.decision),
      ),
    );
  if (!found || clock.now() >= endOfAsking(found.askedAt)) return null;
  const { bankCode, accountNumber, accountName } = setFarmAccountDetails.parse(found.details);
  const bankName = findBank(bankCode)?.name ?? bankCode;
  return { bankName, accountNumber, accountName, askedBy: found.askedBy, askedAt: found.askedAt };
}

const maker = alias(users, "maker");
const undoer = alias(users, "undoer");

/** Returns a project's money for its farm: what its rounds have for it, the farm with its account, and the releases. */
export async function findFarmMoney(ctx: ActorContext, { projectId }: { projectId: number }) {
  const { db, clock } = ctx;
  const rounds = await readRounds(db, { projectId });
  const releases = await db
    .select({
      id: farmReleases.id,
      round: farmReleases.round,
      /** Null where the terms name no parts. */
      part: sql<number | null>`case when ${farmReleases.askId} is not null then ${farmReleases.part} end`,
      amountKobo: farmReleases.amountKobo,
      paidBackKobo: sql`${paidBackOf}::bigint`.mapWith(farmReleases.amountKobo),
      madeByName: maker.fullName,
      createdAt: farmReleases.createdAt,
      takenBackAt: farmReleases.takenBackAt,
      takenBackByName: undoer.fullName,
      takenBackReason: farmReleases.takenBackReason,
    })
    .from(farmReleases)
    .leftJoin(maker, eq(maker.id, farmReleases.madeBy))
    .leftJoin(undoer, eq(undoer.id, farmReleases.takenBackBy))
    .where(eq(farmReleases.projectId, projectId))
    .orderBy(desc(farmReleases.id));
  const now = clock.now();
  const ofReleases = await db
    .select({ ...getTableColumns(payouts), isOverdue: isOverdue(now) })
    .from(payouts)
    .where(and(eq(payouts.kind, "farm"), eq(payouts.projectId, projectId)))
    .orderBy(asc(payouts.id));
  const ranBy = await db
    .select({ round: projectRounds.round, farm: farms })
    .from(projectRounds)
    .innerJoin(farms, eq(farms.id, projectRounds.farmId))
    .where(eq(projectRounds.projectId, projectId));
  const farmOf = new Map(ranBy.map(({ round, farm }) => [round, farm]));
  const shown = rounds.filter(
    ({ outcome, releasedKobo, returnedKobo }) => outcome === "funded" || releasedKobo + returnedKobo > 0n,
  );
  const itsFarms = new Map(shown.flatMap(({ round }) => farmOf.get(round) ?? []).map((farm) => [farm.id, farm]));
  return {
    rounds: await Promise.all(
      shown.map(async (one) => ({
        ...one,
        /** Null if nobody is said to run it: its money can't be released until a farm is chosen. */
        farmId: farmOf.get(one.round)?.id ?? null,
        /** Alarms about it. With any, its release takes two owners. */
        alarms: one.releasableKobo > 0n ? await listAlarmsOf(db, { projectId, round: one.round }) : [],
      })),
    ),
    /** The farms that run its rounds, with their accounts. */
    farms: await Promise.all([...itsFarms.values()].map((farm) => describeAccount(ctx, farm))),
    releases: releases.map((release) => {
      const parts = ofReleases.filter(({ releaseId }) => releaseId === release.id);
      return {
        ...release,
        payouts: parts.map(({ id, state, amountKobo, reference, part, parts: of, sentAt, paidAt, ...payout }) => ({
          id,
          state,
          amountKobo,
          sentAt,
          paidAt,
          failedReason: payout.failedReason,
          isOverdue: payout.isOverdue,
          reference: payoutTexts.part(reference, part, of),
        })),
        /** True if nothing of it is in a run or was sent. */
        canBeTakenBack:
          release.takenBackAt === null &&
          release.paidBackKobo === 0n &&
          parts.every(({ state }) => ["waiting", "due", "failed", "cancelled"].includes(state)),
      };
    }),
  };
}
