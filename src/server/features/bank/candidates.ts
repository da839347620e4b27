import { and, desc, eq, gte, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { paymentReceipts, paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { projects } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import {
  findReferences,
  indexReferences,
  namesReversal,
  nameTokens,
} from "#server/features/bank/statements/narrations.ts";
import { expectedKobo, missingKobo, saidKobo } from "#server/features/payments/arrivals.ts";
import { shownName } from "#server/platform/names.ts";
import {
  type AmountFit,
  bankLimits,
  candidateTexts,
  type MatchRule,
  matchRules,
  restOf,
  wallLimits,
} from "#shared/bank/texts.ts";
import type { Kobo } from "#shared/money.ts";
import { paymentLimits } from "#shared/payments/texts.ts";
import type { Candidate, CandidatePayment, SuggestedLine } from "./candidate.ts";
import { isNotTakenBack } from "./credits.ts";
import { findSaleCandidates } from "./harvest-matches.ts";
import { findOwnTransfers } from "./own-transfers.ts";
import { findPayoutCandidates } from "./payout-candidates.ts";

/** What may explain a line, and why: suggestions for a person, of which only our reference with the missing amount is sure. */

/** The five likeliest, the best first. None if the line is explained. */
export async function findCandidates(db: DbOrTx, line: SuggestedLine): Promise<Candidate[]> {
  if (restOf(line) === 0n) return [];
  const references = await referencesIn(db, line);
  const found = [
    ...(line.amountKobo > 0n ? await findByReference(db, line, references) : await findTakenBack(db, line)),
    ...(await findPayoutCandidates(db, line, references)),
    ...(await findOwnTransfers(db, line)),
  ];
  const known = found.flatMap(({ payment }) => payment?.id ?? []);
  const byAmount = line.amountKobo > 0n ? await findByAmount(db, line, known) : [];
  return [...found, ...byAmount, ...(await findSaleCandidates(db, line))]
    .sort((one, other) => matchRules.indexOf(one.rule) - matchRules.indexOf(other.rule))
    .slice(0, bankLimits.candidates);
}

/** The day in Lagos on which a payment's receipt came, or the payment itself. */
const sentOn = sql`((coalesce(${paymentReceipts.createdAt}, ${projectPayments.createdAt}) at time zone 'Africa/Lagos')::date)`;

const paymentColumns = {
  id: projectPayments.id,
  reference: projectPayments.reference,
  backerName: shownName(users),
  projectTitle: sql<string>`coalesce(${projects.title}, ${projectPayments.projectTitle})`,
  amountKobo: projectPayments.amountKobo,
  missingKobo,
  status: projectPayments.status,
  hasReceipt: sql<boolean>`${projectPayments.currentReceiptId} is not null`,
};

const readPayments = (db: DbOrTx) =>
  db
    .select({ ...paymentColumns, saidKobo, userId: projectPayments.userId, sentOn: sql<string>`${sentOn}::text` })
    .from(projectPayments)
    .leftJoin(paymentReceipts, eq(paymentReceipts.id, projectPayments.currentReceiptId))
    .leftJoin(users, eq(users.id, projectPayments.userId))
    .leftJoin(projects, eq(projects.id, projectPayments.projectId));

/** Our references in a line's texts, which the import looks for among those that are open then. */
const referencesIn = async (db: DbOrTx, line: SuggestedLine): Promise<string[]> =>
  line.reference === null ? findReferencesIn(db, line) : [line.reference];

/** All of our references that stand in a line's texts, of whatever time. */
export async function findReferencesIn(db: DbOrTx, line: SuggestedLine): Promise<string[]> {
  const text = [line.narration, line.customerReference ?? "", line.bankReference ?? ""].join(" / ");
  const bare = text.toUpperCase().replace(/[^A-Z0-9]/g, "");
  const given = await db
    .select({ reference: paymentReferences.reference })
    .from(paymentReferences)
    .where(sql`strpos(${bare}::text, left(${codeOf(paymentReferences.reference)}, 6)) > 0`);
  const sent = await db
    .select({ reference: payouts.reference })
    .from(payouts)
    .where(sql`${payouts.sentAt} is not null and strpos(${bare}::text, left(${codeOf(payouts.reference)}, 6)) > 0`);
  const found = findReferences(text, indexReferences([...given, ...sent].map(({ reference }) => reference)));
  return [
    ...new Set([...(line.reference === null ? [] : [line.reference]), ...found.map(({ reference }) => reference)]),
  ];
}

const codeOf = (reference: AnyPgColumn): SQL =>
  sql`(split_part(${reference}, '-', 2) || split_part(${reference}, '-', 3))`;

/** R1 and R2. */
async function findByReference(db: DbOrTx, line: SuggestedLine, references: string[]): Promise<Candidate[]> {
  if (references.length === 0) return [];
  const found = await readPayments(db)
    .where(inArray(projectPayments.reference, references))
    .orderBy(sql`${projectPayments.status} = 'rejected'`, projectPayments.id);
  const rest = restOf(line);
  const ofPayments = found.map((row) => {
    const payment = shown(row);
    // Money that people said had arrived isn't missing, but its line may come.
    const isSure = payment.status !== "rejected" && payment.missingKobo + row.saidKobo === rest;
    const why = row.saidKobo > 0n ? candidateTexts.said(row.saidKobo) : whyReference(payment, rest, isSure);
    return paymentCandidate(payment, isSure ? "R1" : "R2", rest, why);
  });
  return [...ofPayments, ...(await findPurchases(db, line, references))];
}

const stampDutyKobo = 50_00n;

/** How an amount that arrived fits what is missing of a payment. */
export function fitOf(arrivedKobo: Kobo, missingKobo: Kobo): AmountFit {
  const short = missingKobo - arrivedKobo;
  if (short === 0n) return "exact";
  if (short < 0n) return "too_much";
  if (short === stampDutyKobo) return "stamp_duty";
  return short <= paymentLimits.smallRestKobo ? "charges" : "part";
}

function whyReference({ status, missingKobo: missing }: CandidatePayment, rest: Kobo, isSure: boolean): string {
  if (isSure) return candidateTexts.sure;
  if (status === "rejected") return candidateTexts.rejected;
  if (missing === 0n) return candidateTexts.nothingMissing;
  return candidateTexts.otherAmount(fitOf(rest, missing), rest, missing);
}

/**
 * Condition of a reference in use that no payment stands for: its payer may have paid, and sent no receipt. Of a closed
 * account a person decides, because nobody is there any more to whom lots could belong.
 */
export const isUnpaidPurchase: SQL = sql`${paymentReferences.retiredAt} is null and exists (
  select from users payer where payer.id = ${paymentReferences.userId} and payer.closed_at is null
) and not exists (
  select from project_payments p
  where (p.reference = ${paymentReferences.reference} and (p.status = 'pending' or p.agreed_at is not distinct from ${paymentReferences.agreedAt}))
    or (p.project_id = ${paymentReferences.projectId} and p.user_id = ${paymentReferences.userId} and p.status = 'pending')
)`;

/** R1 and R2 of references that nobody has sent a receipt for. */
async function findPurchases(db: DbOrTx, line: SuggestedLine, references: string[]): Promise<Candidate[]> {
  const agreed = await db
    .select({
      reference: paymentReferences.reference,
      lots: paymentReferences.lots,
      lotPriceKobo: paymentReferences.lotPriceKobo,
      backerName: users.fullName,
      projectTitle: projects.title,
    })
    .from(paymentReferences)
    .innerJoin(projects, eq(projects.id, paymentReferences.projectId))
    .innerJoin(users, eq(users.id, paymentReferences.userId))
    .where(and(inArray(paymentReferences.reference, references), isUnpaidPurchase));
  const amountKobo = restOf(line);
  return agreed.map(({ reference, lots, lotPriceKobo, backerName, projectTitle }) => {
    const whose = `${backerName}, ${projectTitle}, ${reference}`;
    const none = { payment: null, payout: null, run: null, sale: null, counterLineId: null };
    const common = { ...none, amountKobo, kind: "purchase" as const };
    if (lots === null || lotPriceKobo === null) {
      return { ...common, rule: "R2" as const, isSure: false, why: candidateTexts.notAgreed(whose), part: null };
    }
    const wanted = BigInt(lots) * lotPriceKobo;
    const isSure = wanted === amountKobo;
    const fit = isSure
      ? candidateTexts.sure
      : candidateTexts.otherAmount(fitOf(amountKobo, wanted), amountKobo, wanted);
    return {
      ...common,
      rule: isSure ? ("R1" as const) : ("R2" as const),
      isSure,
      why: candidateTexts.noReceipt(fit, whose),
      part: { kind: "purchase" as const, amountKobo, reference },
    };
  });
}

/** Condition of payments that wait for money: under review, or in transit, or taken back of an approved one. */
export const waitsForMoney: SQL = sql`(${projectPayments.status} = 'pending' or ${projectPayments.id} in (
  select e.payment_id from ledger_entries e where e.account in ('in_transit', 'receivable') group by e.payment_id having sum(e.amount_kobo) > 0
))`;

/** How many payments of one amount are compared by name. */
const comparedNames = 40;

/** R3 and R4: the amount is what is expected of a payment. */
async function findByAmount(db: DbOrTx, line: SuggestedLine, known: number[]): Promise<Candidate[]> {
  const found = await compareByAmount(db, line, known);
  return found.map(({ row, isLikely }) =>
    paymentCandidate(
      shown(row),
      isLikely ? "R3" : "R4",
      restOf(line),
      isLikely ? candidateTexts.alike : candidateTexts.amount,
    ),
  );
}

/** Payments that a line without our reference is likely of, by amount, name and day, and whose they are. */
export async function findLikely(db: DbOrTx, line: SuggestedLine) {
  const found = (await compareByAmount(db, line, [])).flatMap(({ row, isLikely }) => (isLikely ? row : []));
  return found.map(({ id, reference, backerName, userId }) => ({ id, reference, backerName, userId }));
}

async function compareByAmount(db: DbOrTx, line: SuggestedLine, known: number[]) {
  const rest = restOf(line);
  const found = await readPayments(db)
    .where(and(waitsForMoney, gte(projectPayments.amountKobo, rest), sql`${expectedKobo} = ${rest.toString()}::bigint`))
    .orderBy(sql`abs(${sentOn} - ${line.date}::date)`, projectPayments.id)
    .limit(comparedNames);
  const others = found.filter(({ id }) => !known.includes(id));
  const alike = await findAlikeNames(
    db,
    others.map(({ backerName }) => [namesOf(line), nameTokens(backerName)]),
  );
  return others.map((row, index) => ({ row, isLikely: isInTime(line.date, row.sentOn) && alike.has(index) }));
}

export const namesOf = ({ narration, counterparty }: Pick<SuggestedLine, "narration" | "counterparty">): string =>
  nameTokens(`${narration} ${counterparty ?? ""}`);

const dayMs = 86_400_000;

/** Whether a transfer of that day may be what a receipt of another day shows: from one day before it to five days after. */
export function isInTime(date: string, sent: string): boolean {
  const days = (Date.parse(date) - Date.parse(sent)) / dayMs;
  return days >= -1 && days <= 5;
}

const alikeFrom = 0.6;

/** Which of the pairs of names are alike, by PostgreSQL's trigrams. */
export async function findAlikeNames(db: DbOrTx, pairs: [string, string][]): Promise<Set<number>> {
  if (pairs.length === 0) return new Set();
  const listed = JSON.stringify(pairs.map(([one, other], at) => ({ at, one, other })));
  const found = await rows<{ at: number }>(
    db,
    sql`select pair.at from jsonb_to_recordset(${listed}::text::jsonb) as pair(at int, one text, other text)
      where similarity(pair.one, pair.other) >= ${alikeFrom}`,
  );
  return new Set(found.map(({ at }) => at));
}

/** R6: a debit that looks like a credit of the last 30 days, whose money a payment has. */
async function findTakenBack(db: DbOrTx, line: SuggestedLine): Promise<Candidate[]> {
  if (!line.isReversal && !namesReversal(line.narration)) return [];
  const credits = await db
    .select({ creditMatchId: lineMatches.id, paymentId: lineMatches.paymentId })
    .from(lineMatches)
    .innerJoin(statementLines, eq(statementLines.id, lineMatches.lineId))
    .where(
      and(
        eq(lineMatches.kind, "payment"),
        isNull(lineMatches.undoneAt),
        eq(statementLines.ownAccountId, line.ownAccountId),
        eq(statementLines.amountKobo, -line.amountKobo),
        eq(lineMatches.amountKobo, restOf(line)),
        sql`${statementLines.date} between ${line.date}::date - ${wallLimits.takenBackDays}::int and ${line.date}::date`,
        sql`${isNotTakenBack}`,
      ),
    )
    .orderBy(desc(statementLines.date), desc(statementLines.id))
    .limit(bankLimits.candidates);
  const ids = credits.flatMap(({ paymentId }) => paymentId ?? []);
  const found = ids.length === 0 ? [] : await readPayments(db).where(inArray(projectPayments.id, ids));
  const amountKobo = restOf(line);
  return credits.flatMap(({ creditMatchId, paymentId }) => {
    const row = found.find(({ id }) => id === paymentId);
    if (!row) return [];
    const part = { kind: "taken_back" as const, amountKobo, paymentId: row.id, creditMatchId };
    return { ...paymentCandidate(shown(row), "R6", amountKobo, candidateTexts.takenBack), kind: part.kind, part };
  });
}

type ReadPayment = Awaited<ReturnType<typeof readPayments>>[number];

const shown = ({ sentOn: _, saidKobo: __, userId: ___, ...payment }: ReadPayment): CandidatePayment => payment;

function paymentCandidate(payment: CandidatePayment, rule: MatchRule, amountKobo: Kobo, why: string): Candidate {
  const part = { kind: "payment" as const, amountKobo, paymentId: payment.id };
  const none = { payout: null, run: null, sale: null, counterLineId: null };
  return { ...none, kind: "payment", rule, isSure: rule === "R1", why, amountKobo, payment, part };
}
