import { and, asc, desc, eq, isNull, ne, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { z } from "zod";
import type { DbOrTx } from "#server/db/open.ts";
import { ownAccounts, statementLines } from "#server/db/schema/bank.ts";
import { harvestSales, harvests } from "#server/db/schema/harvests.ts";
import { holds } from "#server/db/schema/holds.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { projects } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import { isUnpaidPurchase } from "#server/features/bank/matching/candidates/payments.ts";
import { candidateColumns, isForLine } from "#server/features/bank/matching/candidates/payouts.ts";
import { harvestColumns, readAnySales } from "#server/features/bank/matching/candidates/sales.ts";
import { missingOfSale } from "#server/features/harvests/arrivals.ts";
import { listPayableBack } from "#server/features/payouts/releases/arrivals.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { shownName } from "#server/platform/names.ts";
import { contains, containsReference } from "#server/platform/search.ts";
import type {
  lineCreditsInput,
  lineHarvestsInput,
  lineIdInput,
  linePayoutsInput,
  linePurchasesInput,
  lineReleasesInput,
} from "#shared/bank/inputs.ts";
import { bankLimits, bankTexts, restOf } from "#shared/bank/texts.ts";
import type { Kobo } from "#shared/money.ts";
import { standsKobo } from "./credits.ts";
import { isUnexplained } from "./match-rows.ts";

/** Lists that a person chooses from where nothing fitting is suggested for a line. */

/** Throws "not_found". */
async function requireLine(db: DbOrTx, lineId: number) {
  const [line] = await db.select().from(statementLines).where(eq(statementLines.id, lineId));
  if (!line) throw new AppError("not_found", bankTexts.lineGone);
  return line;
}

type LineHarvests = z.output<typeof lineHarvestsInput>;

/**
 * Sales that a person may choose for a line, those of its rest first. Of one that has all its money the amount may
 * rise. Throws "not_found".
 */
export async function listSalesForLine({ db }: ActorContext, { lineId, search }: LineHarvests) {
  const line = await requireLine(db, lineId);
  const isFound = search
    ? or(contains(harvestSales.buyer, search), contains(harvests.projectTitle, search))
    : undefined;
  return readAnySales(db, isFound)
    .orderBy(sql`abs(${missingOfSale} - ${restOf(line).toString()}::bigint)`, desc(harvestSales.id))
    .limit(bankLimits.payoutChoices);
}

/**
 * Harvests that a debit may have paid a cost of, the newest first, each with what is written down and not seen yet. A
 * lost one is among them, and one that was withdrawn if a cost of it is written down.
 */
export async function listHarvestsForLine({ db }: ActorContext, { search }: LineHarvests) {
  const written = sql`(select coalesce(sum(c.amount_kobo), 0) from harvest_costs c
    where c.harvest_id = ${harvests.id} and c.paid_by = 'platform' and c.removed_at is null)`;
  const seen = sql`(select coalesce(sum(m.amount_kobo), 0) from line_matches m
    where m.harvest_id = ${harvests.id} and m.undone_at is null)`;
  return db
    .select({
      id: harvests.id,
      ...harvestColumns,
      /** Negative where more left than was written down. */
      unseenKobo: sql`(${written} - ${seen})::bigint`.mapWith(harvestSales.amountKobo),
    })
    .from(harvests)
    .where(
      and(
        sql`(${harvests.state} <> 'withdrawn' or ${written} > 0)`,
        search ? contains(harvests.projectTitle, search) : undefined,
      ),
    )
    .orderBy(sql`${written} > ${seen} desc`, desc(harvests.id))
    .limit(bankLimits.payoutChoices);
}

const counterDays = 10;
const counterChoices = 20;

/**
 * Lines of our other bank accounts in the other direction that aren't wholly explained, around the same days: what money
 * between own accounts came from or went to. Those of the same amount come first.
 */
export async function listCounterLines({ db }: ActorContext, { lineId }: z.output<typeof lineIdInput>) {
  const here = alias(statementLines, "here");
  const days = sql`abs(${statementLines.date} - ${here.date})`;
  return db
    .select({
      id: statementLines.id,
      date: statementLines.date,
      amountKobo: statementLines.amountKobo,
      matchedKobo: statementLines.matchedKobo,
      narration: statementLines.narration,
      bankName: ownAccounts.bankName,
      accountNumber: ownAccounts.accountNumber,
    })
    .from(statementLines)
    .innerJoin(here, eq(here.id, lineId))
    .innerJoin(ownAccounts, eq(ownAccounts.id, statementLines.ownAccountId))
    .where(
      and(
        ne(statementLines.ownAccountId, here.ownAccountId),
        isUnexplained,
        sql`sign(${statementLines.amountKobo}) = -sign(${here.amountKobo})`,
        sql`${days} <= ${counterDays}`,
      ),
    )
    .orderBy(sql`abs(${statementLines.amountKobo} + ${here.amountKobo})`, days, asc(statementLines.id))
    .limit(counterChoices);
}

/**
 * Payouts that a person may choose for a line, those of its amount first: of a debit the ones that no line shows
 * leaving, of a credit the ones that didn't come back yet. Throws "not_found".
 */
export async function listPayoutsForLine({ db }: ActorContext, { lineId, search }: z.output<typeof linePayoutsInput>) {
  const line = await requireLine(db, lineId);
  const isFound = search
    ? or(contains(users.fullName, search), contains(payouts.projectTitle, search), containsReference(payouts, search))
    : undefined;
  return db
    .select({ ...candidateColumns, sentAt: sql<Date>`${payouts.sentAt}`.mapWith(payouts.sentAt) })
    .from(payouts)
    .leftJoin(users, eq(users.id, payouts.userId))
    .where(and(isForLine(line), isFound))
    .orderBy(
      sql`abs(${payouts.amountKobo} - ${restOf(line).toString()}::bigint)`,
      desc(payouts.sentAt),
      desc(payouts.id),
    )
    .limit(bankLimits.payoutChoices);
}

/**
 * Lists purchases that were agreed to without a receipt sent, so that a transfer without our reference may be theirs:
 * those of the line's rest first, then those whose lots are held. Throws "not_found".
 */
export async function listPurchasesForLine(
  { db, clock }: ActorContext,
  { lineId, search }: z.output<typeof linePurchasesInput>,
) {
  const line = await requireLine(db, lineId);
  const isFound = search
    ? or(
        contains(users.fullName, search),
        contains(projects.title, search),
        containsReference(paymentReferences, search),
      )
    : undefined;
  const isHeld = sql`(${holds.state} = 'claimed' or ${holds.until} > ${clock.now().toISOString()}::timestamptz)`;
  const amountKobo = sql`(${paymentReferences.lots} * ${paymentReferences.lotPriceKobo})`;
  return db
    .select({
      reference: paymentReferences.reference,
      backerName: users.fullName,
      projectTitle: projects.title,
      lots: paymentReferences.lots,
      amountKobo: amountKobo.mapWith(paymentReferences.lotPriceKobo),
      agreedAt: paymentReferences.agreedAt,
      /** Null where nothing is held any more. One that money keeps has no end. */
      hold: { state: holds.state, until: holds.until },
    })
    .from(paymentReferences)
    .innerJoin(projects, eq(projects.id, paymentReferences.projectId))
    .innerJoin(users, eq(users.id, paymentReferences.userId))
    .leftJoin(holds, and(eq(holds.reference, paymentReferences.reference), isHeld))
    .where(and(isUnpaidPurchase, isFound))
    .orderBy(
      sql`${amountKobo} = ${restOf(line).toString()}::bigint desc`,
      sql`${holds.id} is null`,
      desc(paymentReferences.agreedAt),
    )
    .limit(bankLimits.payoutChoices);
}

type Line = Awaited<ReturnType<typeof requireLine>>;

/** Condition of credits of a debit's account and of its day or before, of which the bank hasn't taken all back. */
const isStandingCredit = (line: Line, kind: "payment" | "sale") =>
  and(
    eq(lineMatches.kind, kind),
    isNull(lineMatches.undoneAt),
    sql`${statementLines.ownAccountId} = ${line.ownAccountId}`,
    sql`${statementLines.date} <= ${line.date}::date and ${standsKobo} > 0`,
  );

/** Orders credits for a debit: those equal to its rest first, then the latest. */
const bestCreditsFirst = (line: Line) => [
  sql`${standsKobo} = ${restOf(line).toString()}::bigint desc`,
  desc(statementLines.date),
  desc(lineMatches.id),
];

/** Backers' credits that a person may choose for a debit, those of its rest first. Throws "not_found". */
export async function listCreditsForLine({ db }: ActorContext, { lineId, search }: z.output<typeof lineCreditsInput>) {
  const line = await requireLine(db, lineId);
  const isFound = search
    ? or(
        contains(users.fullName, search),
        contains(statementLines.narration, search),
        containsReference(projectPayments, search),
      )
    : undefined;
  return db
    .select({
      creditMatchId: lineMatches.id,
      paymentId: projectPayments.id,
      reference: projectPayments.reference,
      status: projectPayments.status,
      backerName: shownName(users),
      projectTitle: sql<string>`coalesce(${projects.title}, ${projectPayments.projectTitle})`,
      date: statementLines.date,
      narration: statementLines.narration,
      standsKobo: sql<Kobo>`${standsKobo}`.mapWith(lineMatches.amountKobo),
    })
    .from(lineMatches)
    .innerJoin(statementLines, eq(statementLines.id, lineMatches.lineId))
    .innerJoin(projectPayments, eq(projectPayments.id, lineMatches.paymentId))
    .innerJoin(users, eq(users.id, projectPayments.userId))
    .leftJoin(projects, eq(projects.id, projectPayments.projectId))
    .where(and(isStandingCredit(line, "payment"), isFound))
    .orderBy(...bestCreditsFirst(line))
    .limit(bankLimits.payoutChoices);
}

/** Buyers' credits that a person may choose for a debit, those of its rest first. Throws "not_found". */
export async function listSaleCreditsForLine({ db }: ActorContext, { lineId, search }: LineHarvests) {
  const line = await requireLine(db, lineId);
  const isFound = search
    ? or(contains(harvestSales.buyer, search), contains(harvests.projectTitle, search))
    : undefined;
  return db
    .select({
      creditMatchId: lineMatches.id,
      saleId: harvestSales.id,
      buyer: harvestSales.buyer,
      ...harvestColumns,
      date: statementLines.date,
      narration: statementLines.narration,
      standsKobo: sql<Kobo>`${standsKobo}`.mapWith(lineMatches.amountKobo),
    })
    .from(lineMatches)
    .innerJoin(statementLines, eq(statementLines.id, lineMatches.lineId))
    .innerJoin(harvestSales, eq(harvestSales.id, lineMatches.saleId))
    .innerJoin(harvests, eq(harvests.id, harvestSales.harvestId))
    .where(and(isStandingCredit(line, "sale"), isFound))
    .orderBy(...bestCreditsFirst(line))
    .limit(bankLimits.payoutChoices);
}

/** Releases to farms that a person may choose for a line, the newest first. */
export const listReleasesForLine = ({ db }: ActorContext, { search }: z.output<typeof lineReleasesInput>) =>
  listPayableBack(db, { search, limit: bankLimits.payoutChoices });
