import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { postPayoutMatches, postPayoutMatchesUndone } from "#server/books/events/payout-matches.ts";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import type { Match, Matcher } from "#server/features/bank/matching/match-rows.ts";
import {
  findPaidBack,
  hasComeBack,
  hasOpenDebit,
  seeComingBack,
  seeLeaving,
  stillExpected,
  stillUnseen,
  sumOfPayouts,
  unseeLeaving,
  wasDeclaredFailed,
  wasPaidTwice,
} from "#server/features/payouts/arrivals.ts";
import { lockPayouts, type Payout } from "#server/features/payouts/service.ts";
import { AppError } from "#server/platform/errors.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import { payoutLineTexts as texts, wallTexts } from "#shared/bank/texts.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";
import { type Given, type MatchKind, partKind, type Whose } from "./kind.ts";

/** Payouts that left, one or all of a run at once, and those that came back. Each is matched for the whole of its sum. */

type Left = Extract<LinePart, { kind: "payout" }>;
type RunLeft = Extract<LinePart, { kind: "payout_run" }>;
type Returned = Extract<LinePart, { kind: "returned" }>;

const whoseAre = (meant: readonly Payout[]): Whose => ({
  references: meant.map(({ reference }) => reference),
  userId: null,
});

async function describePayout(db: DbOrTx, { payoutId }: Left | Returned): Promise<string | null> {
  const [payout] = await db.select().from(payouts).where(eq(payouts.id, payoutId));
  return payout ? `${payout.reference} for ${payout.projectTitle}` : null;
}

/** The payout of a part, if it was sent and is as much as the part. */
function requirePayout({ part, payouts: locked }: Given<Left | Returned>): Payout {
  const payout = locked.find(({ id }) => id === part.payoutId);
  if (!payout) throw new AppError("conflict", payoutTexts.gone);
  if (payout.sentAt === null) throw new AppError("conflict", payoutTexts.notSent);
  if (payout.amountKobo !== part.amountKobo) throw new AppError("conflict", payoutTexts.wholeOnly(payout.amountKobo));
  return payout;
}

export const payoutPart = partKind<Left, Payout[]>({
  makes: "payout",
  explains: "money_out",
  lock: ({ payoutId }) => ({ payoutIds: [payoutId] }),
  require: async (tx, given) => {
    const payout = requirePayout(given);
    if ((await stillUnseen(tx, [payout])).length === 0) throw new AppError("conflict", payoutTexts.seenAlready);
    if (await wasDeclaredFailed(tx, payout)) throw new AppError("conflict", texts.failedBefore);
    return [payout];
  },
  matches: (_given, meant) => matchesOf("payout", meant),
  post: (tx, by, { made }) => postPayoutMatches(tx, by, made),
  tell: (tx, by, { given, meant }) => seeLeaving(tx, by, meant, given.line.date),
  whose: ({ payoutId }, locked) => whoseAre(locked.payouts.filter(({ id }) => id === payoutId)),
  describe: describePayout,
});

export const payoutRunPart = partKind<RunLeft, Payout[]>({
  makes: "payout",
  explains: "money_out",
  lock: ({ runId }) => ({ runIds: [runId] }),
  require: async (tx, { part, payouts: locked }) => {
    const unseen = await stillExpected(
      tx,
      locked.filter(({ runId }) => runId === part.runId),
    );
    const sum = sumOfPayouts(unseen);
    if (unseen.length === 0) throw new AppError("conflict", texts.runSeen);
    if (sum !== part.amountKobo) throw new AppError("conflict", texts.wholeRunOnly(sum));
    return unseen;
  },
  matches: (_given, meant) => matchesOf("payout", meant),
  post: (tx, by, { made }) => postPayoutMatches(tx, by, made),
  tell: (tx, by, { given, meant }) => seeLeaving(tx, by, meant, given.line.date),
  whose: ({ runId }, locked) => whoseAre(locked.payouts.filter((payout) => payout.runId === runId)),
  describe: async (_db, { runId }) => `payment run ${runId}`,
});

export const returnedPart = partKind<Returned, Payout[]>({
  makes: "returned",
  explains: "money_in",
  // What comes back of a farm's payout is its project's again.
  lock: ({ payoutId }) => ({ payoutIds: [payoutId], returnedIds: [payoutId] }),
  require: async (tx, given) => {
    const payout = requirePayout(given);
    if (await hasComeBack(tx, payout)) throw new AppError("conflict", texts.cameBackAlready);
    if (await wasPaidTwice(tx, payout)) return [payout];
    if (await hasOpenDebit(tx, payout)) throw new AppError("conflict", texts.secondDebitFirst);
    const paidBack = payout.state === "failed" ? null : await findPaidBack(tx, [payout]);
    if (paidBack !== null) throw new AppError("conflict", paidBack);
    return [payout];
  },
  matches: ({ part }, meant) => matchesOf("returned", meant, part.reason || null),
  post: (tx, by, { made }) => postPayoutMatches(tx, by, made),
  tell: async (tx, by, { given, meant }) => {
    const reason = given.part.reason || texts.noReasonGiven;
    for (const payout of meant) await seeComingBack(tx, by, payout, { reason, actorId: by.actor.id });
  },
  whose: ({ payoutId }, locked) => whoseAre(locked.payouts.filter(({ id }) => id === payoutId)),
  // A credit without our reference may be anybody's money.
  needsOfReferences: ({ references, isNamed, whose }) => {
    if (references.length === 0) return [wallTexts.cameBackUnnamed(whose.references[0] ?? "meant")];
    return isNamed ? [] : [wallTexts.namesOther(references)];
  },
  describe: describePayout,
});

const matchesOf = (kind: "payout" | "returned", meant: readonly Payout[], reason: string | null = null) =>
  meant.map(({ id: payoutId, amountKobo }) => ({ kind, amountKobo, payoutId, reason }));

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
 * Posts the opposite for matches of payouts that left, and counts those as not seen leaving. Throws "conflict" if one was sent
 * twice and the bank has given that back.
 */
async function undoPayouts(tx: Tx, by: Matcher, matches: readonly Match[]): Promise<void> {
  const locked = await lockPayouts(
    tx,
    matches.flatMap(({ payoutId }) => payoutId ?? []),
  );
  const lost = locked.filter(({ id }) => matches.some(({ payoutId, reason: why }) => payoutId === id && why !== null));
  for (const payout of lost) {
    if (await hasComeBack(tx, payout)) throw new AppError("conflict", texts.lossMadeGood);
  }
  const ids = matches.map(({ id }) => id);
  await postPayoutMatchesUndone(tx, by, ids);
  await unseeLeaving(
    tx,
    locked.filter((payout) => !lost.includes(payout)),
  );
}

/** Payouts of one run that left by one debit are one explanation. */
export const payoutKind: MatchKind = {
  listTogether: listOfRun,
  undo: (tx, ctx, { together }) => undoPayouts(tx, ctx, together),
};

/** That one came back stays: another payout has taken its place. */
export const returnedKind: MatchKind = {
  listTogether: async () => {
    throw new AppError("conflict", texts.returnedStays);
  },
  undo: async () => {},
};
