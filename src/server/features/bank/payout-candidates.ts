import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { users } from "#server/db/schema/users.ts";
import { namesReturn } from "#server/features/bank/statements/narrations.ts";
import { cameBack, isDeclaredFailed, isExpectedToLeave } from "#server/features/payouts/arrivals.ts";
import { isUnseen } from "#server/features/payouts/service.ts";
import { shownName } from "#server/platform/names.ts";
import { bankLimits, restOf, payoutLineTexts as texts } from "#shared/bank/texts.ts";
import type { Kobo } from "#shared/money.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";
import type { Candidate, CandidatePayout, SuggestedLine } from "./candidate.ts";
import { mayBeOwnTransfer } from "./own-transfers.ts";

/** Payouts that a line may show: a debit by which one or a whole run left, a credit by which one came back. */

/** Whom a payout is for: the person, or the farm. */
const payeeName = sql<string>`case ${payouts.kind} when 'farm' then ${payouts.projectTitle}
  else ${shownName(users)} end`;

export const candidateColumns = {
  id: payouts.id,
  reference: sql<string>`${payouts.reference} || case when ${payouts.parts} = 1 then '' else ' ' || ${payouts.part} || '/' || ${payouts.parts} end`,
  payeeName,
  projectTitle: payouts.projectTitle,
  amountKobo: payouts.amountKobo,
  state: payouts.state,
  runId: payouts.runId,
};

const readPayouts = (db: DbOrTx) =>
  db
    .select({
      ...candidateColumns,
      isUnseen: sql<boolean>`${isUnseen}`,
      isDeclaredFailed: sql<boolean>`${isDeclaredFailed}`,
      cameBack: sql<boolean>`${cameBack}`,
    })
    .from(payouts)
    .leftJoin(users, eq(users.id, payouts.userId));
type Read = Awaited<ReturnType<typeof readPayouts>>[number];

/** How long after its export a run may leave by one debit, and a payout come back without its reference. */
export const payoutDays = { debit: 14, comesBack: 30 } as const;

const isSent: SQL = sql`${payouts.sentAt} is not null`;

/** Condition of a payout that a line may show at all, as a person may choose it. */
export const isForLine = (line: { amountKobo: Kobo }): SQL =>
  line.amountKobo > 0n ? sql`${isSent} and not ${cameBack}` : isUnseen;

/** The payouts and runs that may explain the rest of a line; `references` are ours in its texts. */
export async function findPayoutCandidates(
  db: DbOrTx,
  line: SuggestedLine,
  references: readonly string[],
): Promise<Candidate[]> {
  const isIn = line.amountKobo > 0n;
  const rest = restOf(line);
  const named =
    references.length === 0
      ? []
      : await readPayouts(db).where(and(isSent, inArray(payouts.reference, [...references])));
  const mayBeOwn = !isIn && (await mayBeOwnTransfer(db, line));
  const ofReference = named.map((read) => (isIn ? returned(read, rest) : left(read, rest, mayBeOwn)));
  const ofRuns = isIn ? [] : await findRuns(db, line, mayBeOwn);
  const known = ofReference.flatMap(({ payout }) => payout?.id ?? []);
  const byAmount = (await findByAmount(db, line)).filter(({ payout }) => payout && !known.includes(payout.id));
  return [...ofReference, ...ofRuns, ...byAmount];
}

const shown = ({ isUnseen: _, isDeclaredFailed: __, cameBack: ___, ...payout }: Read): CandidatePayout => payout;

type Judged = Pick<Candidate, "rule" | "why"> & { isSure?: boolean; isPossible: boolean; isLateDebit?: boolean };

function candidate(kind: "payout" | "returned", read: Read, rest: Kobo, judged: Judged): Candidate {
  const { isPossible, isSure = false, isLateDebit = false, rule, why } = judged;
  const { amountKobo, id: payoutId } = read;
  const part = isPossible && amountKobo <= rest ? { kind, amountKobo, payoutId } : null;
  const none = { payment: null, run: null, sale: null, counterLineId: null };
  return {
    ...none,
    kind,
    rule,
    isSure,
    why,
    amountKobo,
    payout: shown(read),
    part,
    ...(isLateDebit && { isLateDebit }),
  };
}

/** R5: a debit with the reference of a payout. */
function left(read: Read, rest: Kobo, mayBeOwn: boolean): Candidate {
  const { amountKobo } = read;
  const judge = (judged: Judged) => candidate("payout", read, rest, judged);
  if (!read.isUnseen) return judge({ rule: "payout", why: texts.seenLeaving, isPossible: false });
  if (read.isDeclaredFailed) {
    return judge({ rule: "payout", why: texts.failedBefore, isPossible: false, isLateDebit: amountKobo <= rest });
  }
  if (amountKobo !== rest) return judge({ rule: "payout", why: otherAmount(read, rest), isPossible: true });
  if (mayBeOwn) return judge({ rule: "R5", why: texts.maybeOwn, isPossible: true });
  return judge({ rule: "R5", why: texts.sure, isSure: true, isPossible: true });
}

/** R7: a credit with the reference of a payout that was sent. It is never sure. */
function returned(read: Read, rest: Kobo): Candidate {
  const judge = (judged: Omit<Judged, "rule">) => candidate("returned", read, rest, { rule: "R7", ...judged });
  if (read.cameBack) return judge({ why: texts.returnSeen, isPossible: false });
  const isWhole = read.amountKobo === rest;
  return judge({ why: isWhole ? texts.cameBack : otherAmount(read, rest), isPossible: true });
}

/** A payout that is more than the line can't be explained by it: it leaves and comes back as a whole. */
const otherAmount = ({ amountKobo }: Read, rest: Kobo): string =>
  amountKobo > rest
    ? `${texts.otherAmount(amountKobo)} ${payoutTexts.wholeOnly(amountKobo)}`
    : texts.otherAmount(amountKobo);

/** Runs that the bank got, with what no line shows of them yet: a table of SQL. */
export const openRuns: SQL = sql`
  select ${payouts.runId} as id, r.own_account_id, (r.exported_at at time zone 'Africa/Lagos')::date as day,
    sum(${payouts.amountKobo})::bigint as total, count(*)::int as payouts
  from payouts join payout_runs r on r.id = ${payouts.runId}
  where r.exported_at is not null and ${isExpectedToLeave}
  group by r.id, ${payouts.runId}`;

/** Condition of an open run `r` that one debit, the line `l`, may be. */
export const isDebitOfRun: SQL = sql`l.own_account_id = r.own_account_id and l.amount_kobo = -r.total
  and l.matched_kobo = 0 and l.reference is null and l.date between r.day and r.day + ${sql.raw(String(payoutDays.debit))}`;

type FoundRun = { id: number; payouts: number; total: string; lines: number };

/** How many payouts a run needs for its total to say anything: that of one is only its amount. */
export const fewestOfRun = 2;

/** R8: one debit of all that is open of a run; sure where nothing else could be meant, as the only payout of another run. */
async function findRuns(db: DbOrTx, line: SuggestedLine, mayBeOwn: boolean): Promise<Candidate[]> {
  if (line.matchedKobo !== 0n || line.reference !== null) return [];
  const found = await rows<FoundRun>(
    db,
    sql`with run as (${openRuns})
      select r.id::float8 as id, r.payouts, r.total::text as total,
        (select count(*)::int from statement_lines l where ${isDebitOfRun}) as lines
      from run r where r.own_account_id = ${line.ownAccountId} and r.total = ${(-line.amountKobo).toString()}::bigint
        and ${line.date}::date between r.day and r.day + ${sql.raw(String(payoutDays.debit))}
      order by r.id limit ${bankLimits.candidates}`,
  );
  const isAlone = found.length === 1;
  return found
    .filter(({ payouts: count }) => count >= fewestOfRun)
    .map(({ id, payouts: count, total, lines }) => {
      const isSure = isAlone && lines === 1 && !mayBeOwn;
      const amountKobo = BigInt(total);
      const why = isSure ? texts.run(id, count) : mayBeOwn ? texts.runMaybeOwn(id) : texts.runUnsure(id);
      const common = { rule: "R8" as const, isSure, why, amountKobo, payment: null, sale: null, counterLineId: null };
      const part = { kind: "payout_run" as const, amountKobo, runId: id };
      return { ...common, kind: "payout_run" as const, payout: null, run: { id, payouts: count }, part };
    });
}

/** The amount alone: of a payout that no line shows leaving, or, of a reversal, of one that left these weeks. */
async function findByAmount(db: DbOrTx, line: SuggestedLine): Promise<Candidate[]> {
  const isIn = line.amountKobo > 0n;
  if (isIn && !line.isReversal && !namesReturn(line.narration)) return [];
  const rest = restOf(line);
  const day = sql`(${payouts.sentAt} at time zone 'Africa/Lagos')::date`;
  const fits = isIn
    ? sql`not ${cameBack} and ${line.date}::date between ${day} and ${day} + ${sql.raw(String(payoutDays.comesBack))}`
    : sql`${isExpectedToLeave} and ${line.date}::date >= ${day}`;
  const found = await readPayouts(db)
    .where(and(isSent, eq(payouts.amountKobo, rest), fits))
    .orderBy(desc(payouts.sentAt), desc(payouts.id))
    .limit(bankLimits.candidates);
  return found.map((read) =>
    isIn
      ? candidate("returned", read, rest, { rule: "R7", why: texts.returnedAmount, isPossible: true })
      : candidate("payout", read, rest, { rule: "R4", why: texts.amount, isPossible: true }),
  );
}
