import { and, eq, type SQL, sql } from "drizzle-orm";
import { lagosDay } from "#server/db/lagos-day.ts";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { users } from "#server/db/schema/users.ts";
import { namesReturn } from "#server/features/bank/statements/narrations.ts";
import {
  cameBack,
  hasDebitToExplain,
  isDeclaredFailed,
  isExpectedToLeave,
  isPaidTwice,
  isSecondOut,
} from "#server/features/payouts/arrivals.ts";
import { isUnseen } from "#server/features/payouts/service.ts";
import { shownName } from "#server/platform/names.ts";
import { bankLimits, restOf, payoutLineTexts as texts } from "#shared/bank/texts.ts";
import type { Kobo } from "#shared/money.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";
import {
  byLine,
  type Candidate,
  type CandidateOf,
  type CandidatePayout,
  type Found,
  hasId,
  hasReference,
  linesTable,
  type SuggestedLine,
} from "./candidate.ts";
import { findMaybeOwnTransfers } from "./own-transfers.ts";
import { sureOfOne } from "./payments.ts";

/** Payouts that a line may show: a debit by which one or a whole run left, a credit by which one came back. */

/** The name of a payout's person or farm; of a sender's the transfer that it gives back. */
const payeeName = sql<string>`case ${payouts.kind} when 'farm' then (select f.name from farms f where f.id = ${payouts.farmId})
  when 'sender' then 'Sender of the ' || ${payouts.projectTitle}
  else ${shownName(users)} end`;

export const candidateColumns = {
  id: payouts.id,
  reference: sql<string>`${payouts.reference} || case when ${payouts.parts} = 1 then '' else ' ' || ${payouts.part} || '/' || ${payouts.parts} end`,
  payeeName,
  projectTitle: payouts.projectTitle,
  amountKobo: payouts.amountKobo,
  state: payouts.state,
  runId: payouts.runId,
  isSecondOut: sql<boolean>`${isSecondOut}`,
};

const readPayouts = (db: DbOrTx) =>
  db
    .select({
      ...candidateColumns,
      bare: payouts.reference,
      isUnseen: sql<boolean>`${isUnseen}`,
      isDeclaredFailed: sql<boolean>`${isDeclaredFailed}`,
      cameBack: sql<boolean>`${cameBack}`,
      isPaidTwice: sql<boolean>`${isPaidTwice}`,
      hasDebitToExplain: sql<boolean>`${hasDebitToExplain}`,
    })
    .from(payouts)
    .leftJoin(users, eq(users.id, payouts.userId));
type Read = Awaited<ReturnType<typeof readPayouts>>[number];

/** How long after its export a run may leave by one debit, and a payout come back without its reference. */
const payoutDays = { debit: 14, comesBack: 30 } as const;

const isSent: SQL = sql`${payouts.sentAt} is not null`;

/** Condition of a payout of which a transfer may still come back. */
const mayComeBack: SQL = sql`(not ${cameBack} or ${isSecondOut})`;

/** Condition of a payout that a line may show at all, as a person may choose it. */
export const isForLine = (line: { amountKobo: Kobo }): SQL =>
  line.amountKobo > 0n ? sql`${isSent} and ${mayComeBack}` : isUnseen;

type OfPayouts = CandidateOf<"payout"> | CandidateOf<"returned">;
type PayoutOrRun = OfPayouts | CandidateOf<"payout_run">;

/** The payouts and runs that may explain the rest of lines; `references` are ours in their texts. */
export async function findPayoutCandidates(
  db: DbOrTx,
  lines: readonly SuggestedLine[],
  references: Found<string>,
): Promise<Found<PayoutOrRun>> {
  const asked = [...new Set(lines.flatMap(({ id }) => references.get(id) ?? []))];
  const named =
    asked.length === 0 ? [] : await readPayouts(db).where(and(isSent, hasReference(payouts.reference, asked)));
  const payoutsOf = Map.groupBy(named, ({ bare }) => bare);
  const namedBy = ({ id }: SuggestedLine) =>
    (references.get(id) ?? [])
      .flatMap((reference) => payoutsOf.get(reference) ?? [])
      .sort((one, other) => one.id - other.id);
  const isOut = ({ amountKobo }: SuggestedLine) => amountKobo < 0n;
  const withoutReference = ({ id }: SuggestedLine) => (references.get(id) ?? []).length === 0;
  const runs = await findRuns(
    db,
    lines.filter((line) => isOut(line) && line.matchedKobo === 0n && withoutReference(line)),
  );
  const asks = lines.filter((line) => isOut(line) && (runs.has(line.id) || namedBy(line).length > 0));
  const maybeOwn = await findMaybeOwnTransfers(db, asks);
  const byAmount = await findByAmount(db, lines);
  return new Map(
    lines.map((line) => {
      const rest = restOf(line);
      const mayBeOwn = maybeOwn.has(line.id);
      const ofReference = sureOfOne(
        line,
        namedBy(line).map((read) => (isOut(line) ? left(read, rest, mayBeOwn) : returned(read, rest))),
      );
      const known = ofReference.map(({ payout }) => payout.id);
      return [
        line.id,
        [
          ...ofReference,
          ...(runs.get(line.id) ?? []).map((run) => judgeRun(run, mayBeOwn)),
          ...(byAmount.get(line.id) ?? []).filter(({ payout }) => !known.includes(payout.id)),
        ],
      ];
    }),
  );
}

function shown(read: Read): CandidatePayout {
  const { id, reference, payeeName, projectTitle, amountKobo, state, runId, isSecondOut: isTwice } = read;
  return { id, reference, payeeName, projectTitle, amountKobo, state, runId, isSecondOut: isTwice };
}

type Judged = Pick<Candidate, "rule" | "why"> & { isSure?: boolean; isPossible: boolean };

const judged = (read: Read, { isSure = false, rule, why }: Judged) => ({
  rule,
  isSure,
  why,
  amountKobo: read.amountKobo,
  payout: shown(read),
});

function leaving(read: Read, rest: Kobo, how: Judged & { isLateDebit?: boolean }): CandidateOf<"payout"> {
  const { id: payoutId, amountKobo } = read;
  // A payout leaves as a whole.
  const part = how.isPossible && amountKobo <= rest ? { kind: "payout" as const, amountKobo, payoutId } : null;
  return { kind: "payout", ...judged(read, how), isLateDebit: how.isLateDebit ?? false, part };
}

function comingBack(read: Read, rest: Kobo, how: Judged): CandidateOf<"returned"> {
  // Less than was sent comes back where the bank kept charges.
  const amountKobo = rest < read.amountKobo ? rest : read.amountKobo;
  const part = how.isPossible ? { kind: "returned" as const, amountKobo, payoutId: read.id } : null;
  return { kind: "returned", ...judged(read, how), part };
}

/**
 * The rule `payout_reference`: a debit with the reference of a payout. It is sure with its sum, where nothing else
 * could be meant.
 */
function left(read: Read, rest: Kobo, mayBeOwn: boolean): CandidateOf<"payout"> {
  const { amountKobo } = read;
  const judge = (how: Omit<Judged, "rule"> & { isLateDebit?: boolean }) =>
    leaving(read, rest, { rule: "payout_reference", ...how });
  if (!read.isUnseen) {
    const isSecond = !read.isPaidTwice && amountKobo <= rest;
    return judge({ why: texts.seenLeaving, isPossible: false, isLateDebit: isSecond });
  }
  if (read.isDeclaredFailed) {
    return judge({ why: texts.failedBefore, isPossible: false, isLateDebit: amountKobo <= rest });
  }
  if (amountKobo !== rest) return judge({ why: otherAmount(read, rest), isPossible: true });
  if (mayBeOwn) return judge({ why: texts.maybeOwn, isPossible: true });
  return judge({ why: texts.sure, isSure: true, isPossible: true });
}

/** The rule `came_back`: a credit with the reference of a payout that was sent. It is never sure. */
function returned(read: Read, rest: Kobo): CandidateOf<"returned"> {
  const judge = (how: Omit<Judged, "rule">) => comingBack(read, rest, { rule: "came_back", ...how });
  if (read.isSecondOut) return judge({ why: texts.givesSecondBack, isPossible: true });
  if (read.cameBack) return judge({ why: texts.returnSeen, isPossible: false });
  if (read.hasDebitToExplain) return judge({ why: texts.secondDebitFirst, isPossible: false });
  const { amountKobo } = read;
  const other = rest < amountKobo ? texts.cameBackShort(rest, amountKobo) : texts.otherAmount(amountKobo);
  return judge({ why: amountKobo === rest ? texts.cameBack : other, isPossible: true });
}

/** A payout that is more than the line can't be explained by it. */
const otherAmount = ({ amountKobo }: Read, rest: Kobo): string =>
  amountKobo > rest
    ? `${texts.otherAmount(amountKobo)} ${payoutTexts.wholeOnly(amountKobo)}`
    : texts.otherAmount(amountKobo);

/** Runs that the bank got, with what no line shows of them yet: a table of SQL. */
const openRuns: SQL = sql`
  select ${payouts.runId} as id, r.own_account_id, ${lagosDay(sql`r.exported_at`)} as day,
    sum(${payouts.amountKobo})::bigint as total, count(*)::int as payouts
  from payouts join payout_runs r on r.id = ${payouts.runId}
  where r.exported_at is not null and ${isExpectedToLeave}
  group by r.id, ${payouts.runId}`;

/** How many payouts a run needs for its total to say anything: that of one is only its amount. */
const fewestOfRun = 2;

type FoundRun = { lineId: number; id: number; payouts: number; total: string; isAlone: boolean };

/** Runs of which a debit is the total. It is alone where no other run, as of one payout, and no other line has the same. */
async function findRuns(db: DbOrTx, lines: readonly SuggestedLine[]): Promise<Found<FoundRun>> {
  if (lines.length === 0) return new Map();
  const found = await rows<FoundRun>(
    db,
    sql`with run as materialized (${openRuns}), found as (
        select line.id as line_id, run.*, count(*) over (partition by line.id) as runs
        from ${linesTable(lines)}
        join run on run.own_account_id = line.account and run.total = -line.amount
          and line.day between run.day and run.day + ${payoutDays.debit}::int
      )
      select line_id::float8 as "lineId", id::float8 as id, payouts, total::text as total, runs = 1 and (
          select count(*) from statement_lines l
          where l.own_account_id = found.own_account_id and l.amount_kobo = -found.total and l.matched_kobo = 0
            and l.reference is null and l.date between found.day and found.day + ${payoutDays.debit}::int
        ) = 1 as "isAlone"
      from found where payouts >= ${fewestOfRun} order by line_id, id`,
  );
  return byLine(found.map((candidate) => ({ lineId: candidate.lineId, candidate })));
}

/** The rule `run_total`: one debit of all that is open of a run; sure where nothing else could be meant. */
function judgeRun({ id, payouts: count, total, isAlone }: FoundRun, mayBeOwn: boolean): CandidateOf<"payout_run"> {
  const isSure = isAlone && !mayBeOwn;
  const why = isSure ? texts.run(id, count) : mayBeOwn ? texts.runMaybeOwn(id) : texts.runUnsure(id);
  const part = { kind: "payout_run" as const, amountKobo: BigInt(total), runId: id };
  return {
    kind: part.kind,
    rule: "run_total",
    isSure,
    why,
    amountKobo: part.amountKobo,
    run: { id, payouts: count },
    part,
  };
}

/**
 * The amount alone: of a payout that no line shows leaving, which is the rule `amount`, or, of a credit that calls itself a
 * return, of one that left these weeks, which is the rule `came_back`.
 */
async function findByAmount(db: DbOrTx, lines: readonly SuggestedLine[]): Promise<Found<OfPayouts>> {
  const asked = lines.filter(
    ({ amountKobo, isReversal, narration }) => amountKobo < 0n || isReversal || namesReturn(narration),
  );
  if (asked.length === 0) return new Map();
  const sentOn = lagosDay(payouts.sentAt);
  const fitting = await rows<{ lineId: number; payoutId: number }>(
    db,
    sql`with line as materialized (select * from ${linesTable(asked)}), found as (
        select line.id as line_id, ${payouts.id} as payout_id,
          row_number() over (partition by line.id order by ${payouts.sentAt} desc, ${payouts.id} desc) as place
        from line join payouts on ${payouts.amountKobo} = line.rest
        where ${isSent} and line.day >= ${sentOn} and case when line.amount > 0
          then ${mayComeBack} and line.day <= ${sentOn} + ${payoutDays.comesBack}::int
          else ${isExpectedToLeave} end
      )
      select line_id::float8 as "lineId", payout_id::float8 as "payoutId" from found
      where place <= ${bankLimits.candidates} order by line_id, place`,
  );
  if (fitting.length === 0) return new Map();
  const ids = [...new Set(fitting.map(({ payoutId }) => payoutId))];
  const reads = new Map((await readPayouts(db).where(hasId(payouts.id, ids))).map((read) => [read.id, read]));
  const lineOf = new Map(asked.map((line) => [line.id, line]));
  return byLine(
    fitting.flatMap(({ lineId, payoutId }) => {
      const [read, line] = [reads.get(payoutId), lineOf.get(lineId)];
      if (!read || !line) return [];
      const candidate: OfPayouts =
        line.amountKobo > 0n
          ? comingBack(read, restOf(line), {
              rule: "came_back",
              why: read.isSecondOut ? texts.givesSecondBack : texts.returnedAmount,
              isPossible: true,
            })
          : leaving(read, restOf(line), { rule: "amount", why: texts.amount, isPossible: true });
      return { lineId, candidate };
    }),
  );
}
