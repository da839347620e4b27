import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import { lagosDay } from "#server/db/lagos-day.ts";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { paymentReceipts, paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import { isUnexplained } from "#server/features/bank/matching/match-rows.ts";
import { nameTokens } from "#server/features/bank/statements/narrations.ts";
import { expectedPayments, missingKobo, saidKobo } from "#server/features/payments/queries.ts";
import { shownName } from "#server/platform/names.ts";
import { type AmountFit, bankLimits, candidateTexts, payoutLineTexts, restOf } from "#shared/bank/texts.ts";
import type { Kobo } from "#shared/money.ts";
import { paymentLimits } from "#shared/payments/texts.ts";
import {
  byLine,
  type Candidate,
  type CandidateOf,
  type CandidatePayment,
  type Found,
  hasId,
  hasReference,
  linesTable,
  type SplitPart,
  type SuggestedLine,
} from "./candidate.ts";

/** Payments and purchases that credits may be money of: by our reference, by the amount and a name, by the amount alone. */

/** The day in Lagos on which a payment's receipt came, or the payment itself. */
const sentOn = lagosDay(sql`coalesce(${paymentReceipts.createdAt}, ${projectPayments.createdAt})`);

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

type ReadPayment = Awaited<ReturnType<typeof readPayments>>[number];

/** Payments by their ids, as candidates show them. */
export async function readCandidatePayments(
  db: DbOrTx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, CandidatePayment>> {
  if (ids.length === 0) return new Map();
  const found = await readPayments(db).where(hasId(projectPayments.id, [...new Set(ids)]));
  return new Map(found.map((row) => [row.id, shown(row)]));
}

const shown = ({ sentOn: _, saidKobo: __, userId: ___, ...payment }: ReadPayment): CandidatePayment => payment;

type ByReference = CandidateOf<"payment"> | CandidateOf<"purchase"> | CandidateOf<"split">;

/** The rules `our_reference`, `split` and `other_amount`, of credits: `references` are ours in their texts. */
export async function findByReference(
  db: DbOrTx,
  lines: readonly SuggestedLine[],
  references: Found<string>,
): Promise<Found<ByReference>> {
  const asked = [...new Set(lines.flatMap(({ id }) => references.get(id) ?? []))];
  if (asked.length === 0) return new Map();
  const payments = await readPayments(db).where(hasReference(projectPayments.reference, asked));
  const paymentsOf = Map.groupBy(payments, ({ reference }) => reference);
  const purchaseOf = new Map((await readPurchases(db, asked)).map((row) => [row.reference, row]));
  const waiting = await readWaiting(db, asked);
  return new Map(
    lines.map((line) => {
      const named = references.get(line.id) ?? [];
      // A line that names others as well may be for them.
      const [only] = named.length === 1 ? named : [];
      const waitingKobo = only === undefined ? null : (waiting.get(only) ?? null);
      const ofPayments = named.flatMap((reference) => paymentsOf.get(reference) ?? []);
      const isLast = ({ status }: ReadPayment) => Number(status === "rejected");
      ofPayments.sort((one, other) => isLast(one) - isLast(other) || one.id - other.id);
      const ofPurchases = named.flatMap((reference) => purchaseOf.get(reference) ?? []);
      return [
        line.id,
        [
          ...findSplit(line, [...ofPayments.flatMap(splitOfPayment), ...ofPurchases.map(splitOfPurchase)]),
          ...sureOfOne(line, [
            ...ofPayments.map((row) => judgePayment(line, row, waitingKobo)),
            ...ofPurchases.map((row) => judgePurchase(line, row, waitingKobo)),
          ]),
        ],
      ];
    }),
  );
}

/**
 * Reads what is unexplained of all credits under each of these references together. A line of which a person undid a match
 * counts for nothing: a person decides on it.
 */
export async function readWaiting(db: DbOrTx, references: readonly string[]): Promise<ReadonlyMap<string, Kobo>> {
  const found = await db
    .select({
      reference: sql<string>`${statementLines.reference}`,
      kobo: sql`sum(${statementLines.amountKobo} - ${statementLines.matchedKobo})::bigint`.mapWith(
        statementLines.amountKobo,
      ),
    })
    .from(statementLines)
    .where(
      and(
        hasReference(statementLines.reference, references),
        gt(statementLines.amountKobo, 0n),
        isUnexplained,
        sql`not exists (select from line_matches m where m.line_id = ${statementLines.id} and m.undone_at is not null)`,
      ),
    )
    .groupBy(statementLines.reference);
  return new Map(found.map(({ reference, kobo }) => [reference, kobo]));
}

/** The purchases of a line's references, if what is missing of them sums to its rest. */
function findSplit(line: SuggestedLine, parts: SplitPart[]): CandidateOf<"split">[] {
  const amountKobo = restOf(line);
  const sumKobo = parts.reduce((sum, { part }) => sum + part.amountKobo, 0n);
  if (parts.length < 2 || sumKobo !== amountKobo) return [];
  const why = candidateTexts.split(parts.length);
  return [{ kind: "split", rule: "split", isSure: false, why, amountKobo, parts, part: null }];
}

function splitOfPayment(row: ReadPayment): SplitPart[] {
  const { id: paymentId, backerName, projectTitle, reference, status } = row;
  const amountKobo = row.missingKobo + row.saidKobo;
  if (status === "rejected" || amountKobo === 0n) return [];
  return [{ backerName, projectTitle, reference, part: { kind: "payment", amountKobo, paymentId } }];
}

const splitOfPurchase = ({ backerName, projectTitle, reference, ...of }: ReadPurchase): SplitPart => ({
  backerName,
  projectTitle,
  reference,
  part: { kind: "purchase", amountKobo: BigInt(of.lots) * of.lotPriceKobo, reference },
});

/**
 * Leaves a candidate sure where it is the only sure one. Where there are several, a person chooses. So they do for a
 * line without a reference of the import: the bank may have called its money returned.
 */
export function sureOfOne<One extends Candidate>({ reference }: SuggestedLine, found: readonly One[]): One[] {
  const isSeveral = found.filter(({ isSure }) => isSure).length > 1;
  if (!isSeveral && reference !== null) return [...found];
  return found.map((one) => {
    if (!one.isSure) return one;
    const { notByImport } = one.kind === "payout" ? payoutLineTexts : candidateTexts;
    return { ...one, isSure: false, why: isSeveral ? candidateTexts.severalFit : notByImport };
  });
}

/** `waitingKobo` is what all lines under its reference bring together; null if the line names others as well. */
function judgePayment(line: SuggestedLine, row: ReadPayment, waitingKobo: Kobo | null): ByReference {
  const rest = restOf(line);
  const payment = shown(row);
  // Money that people said had arrived isn't missing, but its line may come.
  const expectedKobo = payment.missingKobo + row.saidKobo;
  const isOpen = payment.status !== "rejected" && expectedKobo > 0n;
  const isTogether = isOpen && rest < expectedKobo && waitingKobo === expectedKobo;
  const isSure = isOpen && (expectedKobo === rest || isTogether);
  const ofAmount = isTogether ? candidateTexts.sureTogether(expectedKobo) : whyReference(payment, rest, isSure);
  const why = row.saidKobo > 0n ? candidateTexts.said(row.saidKobo) : ofAmount;
  return { ...paymentCandidate(payment, rest), rule: isSure ? "our_reference" : "other_amount", isSure, why };
}

const paymentCandidate = (payment: CandidatePayment, amountKobo: Kobo) => ({
  kind: "payment" as const,
  amountKobo,
  payment,
  part: { kind: "payment" as const, amountKobo, paymentId: payment.id },
});

const stampDutyKobo = 50_00n;

/** Compares an amount that arrived with the sum that a payment misses. */
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
  where (p.reference = ${paymentReferences.reference} and (p.status = 'pending' or p.agreed_at = ${paymentReferences.agreedAt}))
    or (p.project_id = ${paymentReferences.projectId} and p.user_id = ${paymentReferences.userId} and p.status = 'pending')
)`;

/** Reads purchases that were agreed to, and that nobody has sent a receipt for. */
const readPurchases = (db: DbOrTx, references: readonly string[]) =>
  db
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
    .where(sql`${hasReference(paymentReferences.reference, references)} and ${isUnpaidPurchase}`);

type ReadPurchase = Awaited<ReturnType<typeof readPurchases>>[number];

function judgePurchase(line: SuggestedLine, row: ReadPurchase, waitingKobo: Kobo | null): ByReference {
  const { reference, lots, lotPriceKobo, ...of } = row;
  const whose = `${of.backerName}, ${of.projectTitle}, ${reference}`;
  const amountKobo = restOf(line);
  const wanted = BigInt(lots) * lotPriceKobo;
  const isTogether = amountKobo < wanted && waitingKobo === wanted;
  const isSure = wanted === amountKobo || isTogether;
  const sure = isTogether ? candidateTexts.sureTogether(wanted) : candidateTexts.sure;
  const fit = isSure ? sure : candidateTexts.otherAmount(fitOf(amountKobo, wanted), amountKobo, wanted);
  return {
    kind: "purchase",
    backerName: of.backerName,
    amountKobo,
    rule: isSure ? "our_reference" : "other_amount",
    isSure,
    why: candidateTexts.noReceipt(fit, whose),
    part: { kind: "purchase", amountKobo, reference },
  };
}

/** How many payments of one amount have their names compared. */
const comparedNames = 40;

/** The rules `alike_name` and `amount`, of credits: payments whose expected amount is the rest of the line. */
export async function findByAmount(
  db: DbOrTx,
  lines: readonly SuggestedLine[],
): Promise<Found<CandidateOf<"payment">>> {
  // Of a line as many are read as are shown, those whose name is alike first.
  const compared = [...Map.groupBy(await compareByAmount(db, lines), ({ lineId }) => lineId).values()].flatMap(
    (ofLine) =>
      ofLine.sort((one, other) => Number(other.isLikely) - Number(one.isLikely)).slice(0, bankLimits.candidates),
  );
  const payments = await readCandidatePayments(
    db,
    compared.map(({ paymentId }) => paymentId),
  );
  const restOfLine = new Map(lines.map((line) => [line.id, restOf(line)]));
  const found = compared.flatMap(({ lineId, paymentId, isLikely }) => {
    const [payment, rest] = [payments.get(paymentId), restOfLine.get(lineId)];
    if (!payment || rest === undefined) return [];
    const rule = isLikely ? ("alike_name" as const) : ("amount" as const);
    const why = isLikely ? candidateTexts.alike : candidateTexts.amount;
    return { lineId, candidate: { ...paymentCandidate(payment, rest), rule, isSure: false, why } };
  });
  return byLine(found);
}

/** Payments that a line without our reference is likely of, by amount, name and day, and whose they are. */
export async function findLikely(db: DbOrTx, line: SuggestedLine) {
  const likely = (await compareByAmount(db, [line])).filter(({ isLikely }) => isLikely);
  return likely.map(({ paymentId, reference, backerName, userId }) => ({
    id: paymentId,
    reference,
    backerName,
    userId,
  }));
}

type Fitting = {
  rest: string;
  day: string;
  paymentId: number;
  reference: string;
  backerName: string;
  userId: string;
  isInTime: boolean;
};

/**
 * The payments of which just the rest of each line is expected, those nearest to its day first, and whether they are likely.
 * Amounts are compared first, once for all lines of a day and a rest, and names only of what fits.
 */
async function compareByAmount(db: DbOrTx, lines: readonly SuggestedLine[]) {
  if (lines.length === 0) return [];
  // A transfer may be from one day before its receipt to five days after.
  const fitting = await rows<Fitting>(
    db,
    sql`with asked as materialized (select distinct rest, day from ${linesTable(lines)}),
      sent as materialized (
        select ${projectPayments.id} as id, expected, ${sentOn} as day
        from (${expectedPayments([...new Set(lines.map(restOf))])}) project_payments
          left join payment_receipts on ${paymentReceipts.id} = ${projectPayments.currentReceiptId}
      ), nearest as (
        select asked.rest, asked.day, asked.day - sent.day as days, sent.id,
          row_number() over (partition by asked.rest, asked.day order by abs(sent.day - asked.day), sent.id) as place
        from asked join sent on sent.expected = asked.rest
      )
      select nearest.rest::text as rest, nearest.day::text as day, nearest.id::float8 as "paymentId",
        ${projectPayments.reference} as reference, ${shownName(users)} as "backerName",
        ${projectPayments.userId}::text as "userId", days between -1 and 5 as "isInTime"
      from nearest join project_payments on ${projectPayments.id} = nearest.id
        left join users on ${users.id} = ${projectPayments.userId}
      where place <= ${comparedNames} order by nearest.rest, nearest.day, place`,
  );
  const keyOf = (rest: string, day: string) => `${rest} ${day}`;
  const fittingOf = Map.groupBy(fitting, ({ rest, day }) => keyOf(rest, day));
  const found = lines.flatMap((line) =>
    (fittingOf.get(keyOf(restOf(line).toString(), line.date)) ?? []).map((payment) => ({
      lineId: line.id,
      ...payment,
    })),
  );
  const namesOfLine = new Map(lines.map((line) => [line.id, namesIn(line)]));
  const namesOfPayer = new Map(fitting.map(({ backerName }) => [backerName, nameTokens(backerName)]));
  const near = found.filter(({ isInTime }) => isInTime);
  const alike = await findAlikeNames(
    db,
    near.map(({ lineId, backerName }) => [namesOfLine.get(lineId) ?? "", namesOfPayer.get(backerName) ?? ""]),
  );
  const likely = new Set(near.filter((_, index) => alike.has(index)));
  return found.map((one) => ({ ...one, isLikely: likely.has(one) }));
}

/** The names in what the bank wrote of a line, as {@link nameTokens} gives them. */
export const namesIn = ({ narration, counterparty }: Pick<SuggestedLine, "narration" | "counterparty">): string =>
  nameTokens(`${narration} ${counterparty ?? ""}`);

const alikeFrom = 0.6;

/** Which of the pairs of names are alike, by PostgreSQL's trigrams. */
export async function findAlikeNames(db: DbOrTx, pairs: readonly [string, string][]): Promise<Set<number>> {
  if (pairs.length === 0) return new Set();
  const listed = JSON.stringify(pairs.map(([one, other], at) => ({ at, one, other })));
  const found = await rows<{ at: number }>(
    db,
    sql`select pair.at from jsonb_to_recordset(${listed}::text::jsonb) as pair(at int, one text, other text)
      where similarity(pair.one, pair.other) >= ${alikeFrom}`,
  );
  return new Set(found.map(({ at }) => at));
}
