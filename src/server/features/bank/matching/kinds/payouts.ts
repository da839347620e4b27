import { and, asc, eq, isNull, ne, sql } from "drizzle-orm";
import { postPayoutMatches, postPayoutMatchesUndone } from "#server/books/events/payout-matches.ts";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import type { Match, Matcher } from "#server/features/bank/matching/match-rows.ts";
import {
  filterExpected,
  filterUnseen,
  findPaidBack,
  hasComeBack,
  hasGivenSecondBack,
  hasOpenDebit,
  hasSecondOut,
  seeComingBack,
  seeLeaving,
  sumOfPayouts,
  unseeComingBack,
  unseeLeaving,
  wasDeclaredFailed,
} from "#server/features/payouts/arrivals.ts";
import { lockPayouts, type Payout } from "#server/features/payouts/service.ts";
import { AppError } from "#server/platform/errors.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import { payoutLineTexts as texts, wallTexts } from "#shared/bank/texts.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";
import { type Given, partKind, requireSecondPersonIf, type Undoing, type Whose } from "./kind.ts";
import { reasonsOfCharges } from "./own-money.ts";

/**
 * Payouts that left, one or all of a run at once, each for the whole of its sum, and those that came back, of which the
 * bank may have kept charges.
 */

type Left = Extract<LinePart, { kind: "payout" }>;
type RunLeft = Extract<LinePart, { kind: "payout_run" }>;
type Returned = Extract<LinePart, { kind: "returned" }>;

const whoseAre = (target: readonly Payout[]): Whose => ({
  references: target.map(({ reference }) => reference),
  userId: null,
});

async function describePayout(db: DbOrTx, { payoutId }: Left): Promise<string | null> {
  const [payout] = await db.select().from(payouts).where(eq(payouts.id, payoutId));
  return payout ? `${payout.reference} for ${payout.projectTitle}` : null;
}

/** The payout of a part, if it was sent. */
function requirePayout({ part, payouts: locked }: Given<Left | Returned>): Payout {
  const payout = locked.find(({ id }) => id === part.payoutId);
  if (!payout) throw new AppError("conflict", payoutTexts.gone);
  if (payout.sentAt === null) throw new AppError("conflict", payoutTexts.notSent);
  return payout;
}

export const payoutPart = partKind<Left, Payout[]>({
  makes: "payout",
  explains: "money_out",
  names: ({ payoutId }) => ({ payoutIds: [payoutId] }),
  require: async (tx, given) => {
    const payout = requirePayout(given);
    if (payout.amountKobo !== given.part.amountKobo) {
      throw new AppError("conflict", payoutTexts.wholeOnly(payout.amountKobo));
    }
    if ((await filterUnseen(tx, [payout])).length === 0) throw new AppError("conflict", payoutTexts.seenAlready);
    if (await wasDeclaredFailed(tx, payout)) throw new AppError("conflict", texts.failedBefore);
    return [payout];
  },
  matches: (_given, target) => leftAs(target),
  post: (tx, by, { made }) => postPayoutMatches(tx, by, made),
  followUp: (tx, by, { given, target }) => seeLeaving(tx, by, target, given.line.date),
  whose: ({ payoutId }, locked) => whoseAre(locked.payouts.filter(({ id }) => id === payoutId)),
  describe: describePayout,
});

export const payoutRunPart = partKind<RunLeft, Payout[]>({
  makes: "payout",
  explains: "money_out",
  names: ({ runId }) => ({ runIds: [runId] }),
  require: async (tx, { part, payouts: locked }) => {
    const unseen = await filterExpected(
      tx,
      locked.filter(({ runId }) => runId === part.runId),
    );
    const sum = sumOfPayouts(unseen);
    if (unseen.length === 0) throw new AppError("conflict", texts.runSeen);
    if (sum !== part.amountKobo) throw new AppError("conflict", texts.wholeRunOnly(sum));
    return unseen;
  },
  matches: (_given, target) => leftAs(target),
  post: (tx, by, { made }) => postPayoutMatches(tx, by, made),
  followUp: (tx, by, { given, target }) => seeLeaving(tx, by, target, given.line.date),
  whose: ({ runId }, locked) => whoseAre(locked.payouts.filter((payout) => payout.runId === runId)),
  describe: async (_db, { runId }) => `payment run ${runId}`,
});

/** A transfer that came back: the payout itself, or one of two where it was paid out twice. */
type CameBack = { payout: Payout; isSecond: boolean };

export const returnedPart = partKind<Returned, CameBack>({
  makes: "returned",
  explains: "money_in",
  // What comes back of a farm's payout is its project's again.
  names: ({ payoutId }) => ({ payoutIds: [payoutId], returnedIds: [payoutId] }),
  require: async (tx, given) => {
    const payout = requirePayout(given);
    if (payout.amountKobo < given.part.amountKobo) {
      throw new AppError("conflict", payoutTexts.moreThanSent(payout.amountKobo));
    }
    if (await hasSecondOut(tx, payout)) return { payout, isSecond: true };
    if (await hasComeBack(tx, payout)) throw new AppError("conflict", texts.cameBackAlready);
    if (await hasOpenDebit(tx, payout)) throw new AppError("conflict", texts.secondDebitFirst);
    const paidBack = payout.state === "failed" ? null : await findPaidBack(tx, [payout]);
    if (paidBack !== null) throw new AppError("conflict", paidBack);
    return { payout, isSecond: false };
  },
  matches: ({ part }, { payout, isSecond }) => [
    {
      kind: "returned",
      payoutId: payout.id,
      reason: part.reason || null,
      receivableKobo: isSecond ? payout.amountKobo : null,
    },
  ],
  post: (tx, by, { made }) => postPayoutMatches(tx, by, made),
  followUp: async (tx, by, { given: { part }, target: { payout, isSecond } }) => {
    if (isSecond) return;
    const { reason, isAccountWrong = false } = part;
    await seeComingBack(tx, by, payout, {
      reason: reason || texts.noReasonGiven,
      isAccountWrong,
    });
  },
  // What is missing of it are charges.
  platformLock: "own_money",
  reasonsOfSum: reasonsOfCharges,
  whose: ({ payoutId }, locked) => whoseAre(locked.payouts.filter(({ id }) => id === payoutId)),
  // A credit without our reference may be anybody's money.
  reasonsOfReferences: ({ references, isNamed, whose }) => {
    if (references.length === 0) return [wallTexts.cameBackUnnamed(whose.references[0] ?? "meant")];
    return isNamed ? [] : [wallTexts.namesOther(references)];
  },
  describe: async (db, part) => {
    const [payout] = await db.select().from(payouts).where(eq(payouts.id, part.payoutId));
    if (!payout) return null;
    const less = part.amountKobo < payout.amountKobo ? [texts.cameBackLess(part.amountKobo, payout.amountKobo)] : [];
    const account = part.isAccountWrong ? texts.accountForgotten : texts.accountStays;
    return [`${payout.reference} for ${payout.projectTitle}.`, ...less, account].join(" ");
  },
});

const leftAs = (target: readonly Payout[]) =>
  target.map(({ id: payoutId, amountKobo }) => ({ kind: "payout" as const, amountKobo, payoutId }));

/** The standing matches of a line by payouts of the same run as this one's. The caller has locked the line. */
async function listOfRun(tx: Tx, match: Match): Promise<Match[]> {
  const runOf = sql`(select p.run_id from payouts p where p.id = ${match.payoutId})`;
  return tx
    .select({ match: lineMatches })
    .from(lineMatches)
    .innerJoin(payouts, eq(payouts.id, lineMatches.payoutId))
    .where(
      and(
        eq(lineMatches.lineId, match.lineId),
        eq(lineMatches.kind, "payout"),
        isNull(lineMatches.undoneAt),
        sql`(${lineMatches.id} = ${match.id} or ${payouts.runId} = ${runOf})`,
      ),
    )
    .orderBy(asc(lineMatches.id))
    .then((found) => found.map((row) => row.match));
}

/**
 * Posts the opposite for matches of payouts that left, and counts those as not seen leaving. Throws "conflict" if one
 * was sent twice and the bank has given that back.
 */
async function undoPayouts(tx: Tx, by: Matcher, matches: readonly Match[]): Promise<void> {
  const locked = await lockPayouts(
    tx,
    matches.flatMap(({ payoutId }) => payoutId ?? []),
  );
  const lost = locked.filter(({ id }) => matches.some(({ payoutId, reason: why }) => payoutId === id && why !== null));
  for (const payout of lost) {
    if (await hasGivenSecondBack(tx, payout)) throw new AppError("conflict", texts.lossMadeGood);
  }
  const ids = matches.map(({ id }) => id);
  await postPayoutMatchesUndone(tx, by, ids);
  await unseeLeaving(
    tx,
    locked.filter((payout) => !lost.includes(payout)),
  );
}

/** Payouts of one run that left by one debit are one explanation. */
export const payoutUndoing: Undoing = {
  listTogether: listOfRun,
  undo: (tx, ctx, { together }) => undoPayouts(tx, ctx, together),
};

/** Undoes that a payout came back. It takes two people, and a payout in its place that is still waiting or due. */
export const returnedUndoing: Undoing = {
  requireUndoing: async (_tx, _ctx, { isConfirmed }) => {
    if (!isConfirmed) requireSecondPersonIf([texts.cameBackUndone]);
  },
  undo: async (tx, ctx, { match }) => {
    const [payout] = await lockPayouts(tx, match.payoutId === null ? [] : [match.payoutId]);
    if (!payout) throw new AppError("conflict", payoutTexts.gone);
    await postPayoutMatchesUndone(tx, ctx, [match.id]);
    if (match.receivableKobo === null) await unseeComingBack(tx, ctx, payout, ctx.actor.id);
  },
  describeUndoing: async (db, { payoutId, receivableKobo }) => {
    const isNext = and(eq(payouts.replacesId, payoutId ?? 0), ne(payouts.state, "cancelled"));
    const [next] = receivableKobo === null ? await db.select().from(payouts).where(isNext) : [];
    return [next ? texts.undoneReturn(next.reference) : texts.undoneReturnOnly];
  },
};
