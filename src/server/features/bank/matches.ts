import { and, eq, isNotNull } from "drizzle-orm";
import type { z } from "zod";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import type { Line } from "#server/features/bank/matching/candidate.ts";
import { refreshAround } from "#server/features/bank/matching/suggestions.ts";
import { type LedgerEntry, lockOwnMoney, lockTaxes, post } from "#server/features/ledger/service.ts";
import { tellArrival, tellGone } from "#server/features/payments/arrivals.ts";
import {
  expectedKobo,
  type PaymentMoney,
  placesOf,
  postArrival,
  readMoney,
  readMoneyAfter,
} from "#server/features/payments/ledger.ts";
import type { Payment } from "#server/features/payments/service.ts";
import type { Payout } from "#server/features/payouts/service.ts";
import { claimHold, unclaimHold } from "#server/features/projects/holds/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { LinePart, matchLineInput } from "#shared/bank/inputs.ts";
import { bankTexts, type LineMatchKind, restOf, type SureRule } from "#shared/bank/texts.ts";
import type { Kobo } from "#shared/money.ts";
import { requireCredit } from "./credits.ts";
import { isTax, matchHarvest, requireTaxOwed } from "./harvest-matches.ts";
import { lockPlaces, makePurchases, type Places } from "./match-places.ts";
import { insertMatch, lockLines, type Match, type Matcher } from "./match-rows.ts";
import { isPayoutPart, lockPayoutsOf, matchPayouts, type PayoutPart } from "./payout-matches.ts";
import { findSumNeeds, isOwnMoney, requireOne, weighParts } from "./walls.ts";

/**
 * What a line, or a part of it, is explained by. A match moves money in the ledger from the line's unexplained rest to
 * where it belongs, and undoing it moves the money back. The order of locks is project, harvest, reference, payment, line.
 */

/**
 * Explains a line, or parts of it. Throws "not_found", or "conflict" if the line has changed since the owner looked, the
 * parts are more than its rest, or one doesn't fit the line.
 */
export async function matchLine(ctx: ActorContext, input: z.output<typeof matchLineInput>): Promise<void> {
  await inTransaction(ctx.db, (tx) => matchParts(tx, ctx, input));
  await refreshAround(ctx.db, [input.lineId]);
}

type Explained = {
  lineId: number;
  seenMatchedKobo: Kobo;
  parts: LinePart[];
  /** The rule that is sure of it. */
  rule?: SureRule;
  /** What two people said, and why. */
  confirmed?: Confirmed | undefined;
};
/** Without a request while it is only tried out. */
type Confirmed = { requestId: number | null; reason: string };

/** Locks what parts of a line are about, and the lines. */
export async function lockForParts(tx: Tx, { lineId, parts }: Pick<Explained, "lineId" | "parts">) {
  const places = await lockPlaces(tx, parts);
  const counters = parts.flatMap((part) => (part.kind === "own_transfer" ? part.counterLineId : []));
  const lines = await lockLines(tx, [lineId, ...counters]);
  const locked = await lockPayoutsOf(tx, parts);
  return { places, lines, locked };
}

/**
 * Explains parts of a line inside the caller's transaction. Throws "conflict" with the detail `needs` if that takes a second
 * person whom nobody has asked.
 */
export async function matchParts(tx: Tx, by: Matcher, explained: Explained): Promise<void> {
  const { lineId, seenMatchedKobo, parts, rule, confirmed } = explained;
  const { places, lines, locked } = await lockForParts(tx, explained);
  const line = lines.get(lineId);
  if (!line) throw new AppError("not_found", bankTexts.lineGone);
  if (line.matchedKobo !== seenMatchedKobo) throw new AppError("conflict", bankTexts.lineChanged);
  if (rule) await requireNoneUndone(tx, lineId);
  const total = parts.reduce((sum, { amountKobo }) => sum + amountKobo, 0n);
  if (total > restOf(line)) throw new AppError("conflict", bankTexts.moreThanRest(restOf(line)));
  if (parts.some(isTax)) await lockTaxes(tx);
  if (parts.some(isOwnMoney)) await lockOwnMoney(tx);
  const weighed =
    rule || confirmed
      ? null
      : await weighParts(tx, { line, actorId: by.actor.id, lines, parts, places, payouts: locked });
  const purchases = await makePurchases(tx, parts, { places, at: by.clock.now() });
  const made: Match[] = [];
  for (const part of parts) {
    const said = { rule: rule ?? null, confirmed, isNamed: !weighed?.unnamed.has(part) };
    made.push(...(await matchPart(tx, by, { line, lines, part, places, purchases, locked, ...said })));
  }
  if (weighed) requireOne([...weighed.needs, ...(await findSumNeeds(tx, { line, made, at: by.clock.now() }))]);
  await recordAudit(tx, by, "match_line", {
    lineId,
    ownAccountId: line.ownAccountId,
    date: line.date,
    narration: line.narration,
    matches: made.map(({ id, kind, amountKobo, reason, ...about }) => ({
      matchId: id,
      kind,
      amountKobo: amountKobo.toString(),
      ...namesOf(about),
      ...(reason !== null && { reason }),
    })),
    ...(rule && { rule }),
    ...confirmed,
  });
}

/** What a match is about, as the audit log names it. */
export const namesOf = ({
  paymentId,
  payoutId,
  saleId,
  harvestId,
  counterLineId,
  creditMatchId,
}: Pick<Match, "paymentId" | "payoutId" | "saleId" | "harvestId" | "counterLineId" | "creditMatchId">) => ({
  ...(paymentId !== null && { paymentId }),
  ...(payoutId !== null && { payoutId }),
  ...(saleId !== null && { saleId }),
  ...(harvestId !== null && { harvestId }),
  ...(counterLineId !== null && { counterLineId }),
  ...(creditMatchId !== null && { creditMatchId }),
});

type Part = {
  line: Line;
  lines: Map<number, Line>;
  part: LinePart;
  places: Places;
  purchases: ReadonlyMap<string, Payment>;
  locked: readonly Payout[];
  rule: SureRule | null;
  confirmed: Confirmed | undefined;
  /** Whether it is known otherwise than by one person's word whose money it is. */
  isNamed: boolean;
};

/** Explains one part: by one match, or by one for each payout of a run. */
async function matchPart(tx: Tx, by: Matcher, { part, ...given }: Part): Promise<Match[]> {
  const { line, locked, rule, confirmed } = given;
  if (isPayoutPart(part)) {
    return matchPayouts(tx, by, { line, part, locked, rule, requestId: confirmed?.requestId ?? null });
  }
  return [await matchOne(tx, by, { part, ...given })];
}

type OnePart = Omit<Part, "part" | "locked"> & { part: Exclude<LinePart, PayoutPart> };

async function matchOne(tx: Tx, by: Matcher, given: OnePart): Promise<Match> {
  const { line, lines, part, places, purchases, rule, confirmed, isNamed } = given;
  const { amountKobo } = part;
  const isIn = line.amountKobo > 0n;
  const requestId = confirmed?.requestId ?? null;
  const common = { lineId: line.id, amountKobo, rule, requestId, madeBy: by.actor.id, createdAt: by.clock.now() };
  switch (part.kind) {
    case "payment":
    case "purchase": {
      if (!isIn) throw new AppError("conflict", bankTexts.onlyIn);
      const payment = part.kind === "payment" ? places.payments.get(part.paymentId) : purchases.get(part.reference);
      if (!payment) throw new AppError("conflict", bankTexts.paymentGone);
      const before = await readMoney(tx, payment);
      if (rule && !isSurely(payment, before, amountKobo)) {
        throw new AppError("conflict", bankTexts.lineChanged);
      }
      const match = await insertMatch(tx, [line], { ...common, isNamed, kind: "payment", paymentId: payment.id });
      await arrive(tx, by, { payment, match, before });
      return match;
    }
    case "taken_back": {
      if (isIn) throw new AppError("conflict", bankTexts.onlyOut);
      const payment = places.payments.get(part.paymentId);
      if (!payment) throw new AppError("conflict", bankTexts.paymentGone);
      const before = await readMoney(tx, payment);
      const { arrivedKobo } = before;
      if (amountKobo > arrivedKobo) throw new AppError("conflict", bankTexts.moreThanArrived(arrivedKobo));
      await requireCredit(tx, { line, part });
      const { creditMatchId } = part;
      const about = { kind: "taken_back" as const, paymentId: payment.id, creditMatchId };
      const match = await insertMatch(tx, [line], { ...common, ...about });
      await postMatch(tx, by, { match, payment, before });
      await leaveHold(tx, payment, by.clock.now());
      if (payment.status === "approved") {
        await tellGone(tx, by, { payment, match, gone: "taken_back", reason: confirmed?.reason ?? null });
      }
      return match;
    }
    case "own_transfer": {
      const counter = lines.get(part.counterLineId);
      if (!counter) throw new AppError("not_found", bankTexts.lineGone);
      if (counter.ownAccountId === line.ownAccountId) throw new AppError("conflict", bankTexts.sameAccount);
      if (counter.amountKobo > 0n === isIn) throw new AppError("conflict", bankTexts.sameDirection);
      if (amountKobo > restOf(counter)) throw new AppError("conflict", bankTexts.moreThanCounter(restOf(counter)));
      const [lineId, counterLineId] = isIn ? [line.id, counter.id] : [counter.id, line.id];
      const match = await insertMatch(tx, [line, counter], { ...common, lineId, counterLineId, kind: "own_transfer" });
      await postMatch(tx, by, { match });
      return match;
    }
    case "sale":
      return matchHarvest(tx, by, { line, part, places, requestId });
    case "harvest_cost": {
      const match = await matchHarvest(tx, by, { line, part, places, requestId });
      await postMatch(tx, by, { match });
      return match;
    }
    case "bank_charges":
    case "vat":
    case "wht":
    case "operator": {
      if (isIn && part.kind !== "operator") throw new AppError("conflict", bankTexts.onlyOut);
      if (isTax(part)) await requireTaxOwed(tx, part);
      const reason = part.kind === "operator" ? part.reason : null;
      const match = await insertMatch(tx, [line], { ...common, kind: part.kind, reason });
      await postMatch(tx, by, { match, isOut: !isIn });
      return match;
    }
  }
}

/** What was sure when nothing was locked must still be: another line may have brought the money meanwhile. */
const isSurely = ({ status }: Payment, money: PaymentMoney, amountKobo: Kobo): boolean =>
  status !== "rejected" && expectedKobo(money) === amountKobo;

/** Where a person undid a match of the line, also a moment ago, a person decides. */
async function requireNoneUndone(tx: Tx, lineId: number): Promise<void> {
  const isUndone = and(eq(lineMatches.lineId, lineId), isNotNull(lineMatches.undoneAt));
  if ((await tx.$count(lineMatches, isUndone)) > 0) throw new AppError("conflict", bankTexts.lineChanged);
}

/** What a payment's money does when a line shows it: it is posted, its lots are kept, and the backer is told. */
async function arrive(
  tx: Tx,
  by: Matcher,
  { payment, match, before }: { payment: Payment; match: Match; before: PaymentMoney },
): Promise<void> {
  await postMatch(tx, by, { match, payment, before });
  if (payment.status !== "pending") return;
  await claimHold(tx, payment.reference, by.clock.now());
  await tellArrival(tx, by, { payment, matchId: match.id, at: match.createdAt });
}

/** Money no longer keeps the lots of a pending payment if none of it is left. Says whether it is so. */
export async function leaveHold(tx: Tx, payment: Payment, at: Date): Promise<boolean> {
  if (payment.status !== "pending") return false;
  const { unallocatedKobo } = placesOf(await readMoney(tx, payment));
  if (unallocatedKobo > 0n) return false;
  await unclaimHold(tx, payment.reference, at);
  return true;
}

/** The accounts on the other side of a line, for what has no payment. */
const otherSides: Partial<Record<LineMatchKind, LedgerEntry["account"]>> = {
  operator: "operator",
  bank_charges: "bank_charges",
  loss: "losses",
  harvest_cost: "harvest_costs",
  vat: "vat_due",
  wht: "wht_due",
};

/** The money of a payment after a match was written, or undone, and before that is posted. */
export function moneyAfter(
  tx: Tx,
  payment: { id: number },
  { kind, amountKobo }: Match,
  { before, isUndone }: { before: PaymentMoney; isUndone: boolean },
): Promise<PaymentMoney> {
  if (kind !== "payment" && kind !== "taken_back") throw new Error(`a match by ${kind} is no money of a payment`);
  return readMoneyAfter(tx, payment, { before, kind, byKobo: isUndone ? -amountKobo : amountKobo });
}

type Posted = {
  match: Match;
  /** Of money that came for a payment, or was taken back of it. */
  payment?: Payment;
  /** The payment's money before its match was written or undone. */
  before?: PaymentMoney;
  /** Of the operator's own money: whether it went out. Charges, losses, costs and taxes always do. */
  isOut?: boolean;
  isUndone?: boolean;
};

/** Posts a match, or with `isUndone` its opposite: where the money stands now. */
export async function postMatch(
  tx: Tx,
  by: Pick<Matcher, "clock" | "actor">,
  { match, payment, before, isOut = true, isUndone = false }: Posted,
): Promise<void> {
  const transaction = {
    kind: isUndone ? ("undone_match" as const) : ("match" as const),
    matchId: match.id,
    actorId: by.actor.id,
    createdAt: by.clock.now(),
  };
  const { lineId, counterLineId, harvestId } = match;
  const kobo = isUndone ? -match.amountKobo : match.amountKobo;
  const otherSide = otherSides[match.kind];
  if (otherSide) {
    const out = isOut ? kobo : -kobo;
    await post(tx, transaction, [
      { account: isOut ? "unmatched_out" : "unmatched_in", lineId, amountKobo: -out },
      { account: otherSide, harvestId, amountKobo: out },
    ]);
    return;
  }
  if (counterLineId !== null) {
    await post(tx, transaction, [
      { account: "unmatched_in", lineId, amountKobo: kobo },
      { account: "unmatched_out", lineId: counterLineId, amountKobo: -kobo },
    ]);
    return;
  }
  if (!payment || !before) throw new Error(`match ${match.id} has no payment`);
  const isArrival = match.kind === "payment";
  const account = isArrival ? ("unmatched_in" as const) : ("unmatched_out" as const);
  const from = [{ account, lineId, amountKobo: isArrival ? kobo : -kobo }];
  const after = await moneyAfter(tx, payment, match, { before, isUndone });
  await postArrival(tx, { payment, transaction, before, after, from });
}
