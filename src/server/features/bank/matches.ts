import { and, asc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { type HarvestPlaces, lockForLines } from "#server/features/harvests/arrivals.ts";
import { claimHold, unclaimHold } from "#server/features/holds/service.ts";
import { type LedgerEntry, lockTaxes, post } from "#server/features/ledger/service.ts";
import {
  makePaymentOfReference,
  requireMayLeave,
  tellAnothers,
  tellArrival,
} from "#server/features/payments/arrivals.ts";
import {
  expectedKobo,
  type PaymentMoney,
  placesOf,
  postArrival,
  readMoney,
  withLine,
} from "#server/features/payments/ledger.ts";
import type { Payment } from "#server/features/payments/service.ts";
import type { Payout } from "#server/features/payouts/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { LinePart, matchLineInput, undoMatchInput } from "#shared/bank.ts";
import { bankTexts, type LineMatchKind, payoutLineTexts, restOf, type SureRule } from "#shared/bank-texts.ts";
import type { Kobo } from "#shared/money.ts";
import type { Line } from "./candidate.ts";
import { isTax, matchHarvest, requireTaxOwed, undoSale } from "./harvest-matches.ts";
import { countMatched, insertMatch, lockLines, type Match, type Matcher } from "./match-rows.ts";
import {
  isPayoutPart,
  listOfOneDebit,
  lockPayoutsOf,
  matchPayouts,
  type PayoutPart,
  undoPayouts,
} from "./payout-matches.ts";
import { refreshSuggestions } from "./suggestions.ts";

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
  await refreshSuggestions(ctx.db);
}

type Explained = { lineId: number; seenMatchedKobo: Kobo; parts: LinePart[]; rule?: SureRule };

/** Explains parts of a line inside the caller's transaction. */
export async function matchParts(tx: Tx, by: Matcher, explained: Explained): Promise<void> {
  const { lineId, seenMatchedKobo, parts, rule } = explained;
  const places = await lockPlaces(tx, by, parts);
  const lines = await lockLines(tx, [
    lineId,
    ...parts.flatMap((part) => (part.kind === "own_transfer" ? part.counterLineId : [])),
  ]);
  const line = lines.get(lineId);
  if (!line) throw new AppError("not_found", bankTexts.lineGone);
  if (line.matchedKobo !== seenMatchedKobo) throw new AppError("conflict", bankTexts.lineChanged);
  if (rule) await requireNoneUndone(tx, lineId);
  const total = parts.reduce((sum, { amountKobo }) => sum + amountKobo, 0n);
  if (total > restOf(line)) throw new AppError("conflict", bankTexts.moreThanRest(restOf(line)));
  const locked = await lockPayoutsOf(tx, parts);
  if (parts.some(isTax)) await lockTaxes(tx);
  const made: Match[] = [];
  for (const part of parts) {
    made.push(...(await matchPart(tx, by, { line, lines, part, places, locked, rule: rule ?? null })));
  }
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
  });
}

/** What a match is about, as the audit log names it. */
const namesOf = ({
  paymentId,
  payoutId,
  saleId,
  harvestId,
  counterLineId,
}: Pick<Match, "paymentId" | "payoutId" | "saleId" | "harvestId" | "counterLineId">) => ({
  ...(paymentId !== null && { paymentId }),
  ...(payoutId !== null && { payoutId }),
  ...(saleId !== null && { saleId }),
  ...(harvestId !== null && { harvestId }),
  ...(counterLineId !== null && { counterLineId }),
});

type Places = HarvestPlaces & {
  /** The payments of the parts, by id. */
  payments: Map<number, Payment>;
  /** Those that are made of a reference, by the reference. */
  purchases: Map<string, Payment>;
};

/** Locks the projects of all parts, then their harvests and payments. Payments that a part asks for are made. */
async function lockPlaces(tx: Tx, by: Matcher, parts: readonly LinePart[]): Promise<Places> {
  const ids = parts.flatMap((part) => ("paymentId" in part ? part.paymentId : []));
  const returned = parts.flatMap((part) => (part.kind === "returned" ? part.payoutId : []));
  const references = parts.flatMap((part) => (part.kind === "purchase" ? part.reference : []));
  const saleIds = parts.flatMap((part) => (part.kind === "sale" ? part.saleId : []));
  const harvestIds = parts.flatMap((part) => (part.kind === "harvest_cost" ? part.harvestId : []));
  const isOfPart = sql`${projects.id} in (
    select p.project_id from project_payments p where ${anyOf("p.id", ids)}
    union select r.project_id from payment_references r where ${anyOf("r.reference", references)}
    union ${projectsOfHarvests({ saleIds, harvestIds })}
    union select o.project_id from payouts o where o.kind = 'farm' and ${anyOf("o.id", returned)}
  )`;
  const locked = await tx.select().from(projects).where(isOfPart).orderBy(asc(projects.id)).for("no key update");
  const ofHarvests = await lockForLines(tx, { saleIds, harvestIds });
  const purchases = new Map<string, Payment>();
  for (const reference of [...new Set(references)].sort()) {
    const [given] = await tx
      .select({ projectId: paymentReferences.projectId })
      .from(paymentReferences)
      .where(eq(paymentReferences.reference, reference));
    const project = locked.find(({ id }) => id === given?.projectId);
    if (!project) throw new AppError("conflict", bankTexts.notAgreed);
    purchases.set(reference, await makePaymentOfReference(tx, { project, reference, at: by.clock.now() }));
  }
  return { payments: await lockPayments(tx, ids), purchases, ...ofHarvests };
}

const projectsOfHarvests = ({ saleIds, harvestIds }: { saleIds: number[]; harvestIds: number[] }) =>
  sql`select h.project_id from harvests h where ${anyOf("h.id", harvestIds)}
    or h.id in (select s.harvest_id from harvest_sales s where ${anyOf("s.id", saleIds)})`;

const anyOf = (column: string, values: readonly (number | string)[]) =>
  values.length === 0 ? sql`false` : sql`${sql.raw(column)} in ${values}`;

async function lockPayments(tx: Tx, ids: number[]): Promise<Map<number, Payment>> {
  if (ids.length === 0) return new Map();
  const locked = await tx
    .select()
    .from(projectPayments)
    .where(inArray(projectPayments.id, ids))
    .orderBy(asc(projectPayments.id))
    .for("update");
  return new Map(locked.map((payment) => [payment.id, payment]));
}

type Part = {
  line: Line;
  lines: Map<number, Line>;
  part: LinePart;
  places: Places;
  locked: readonly Payout[];
  rule: SureRule | null;
};

/** Explains one part: by one match, or by one for each payout of a run. */
async function matchPart(tx: Tx, by: Matcher, { part, ...given }: Part): Promise<Match[]> {
  const { line, locked, rule } = given;
  if (isPayoutPart(part)) return matchPayouts(tx, by, { line, part, locked, rule });
  return [await matchOne(tx, by, { part, ...given })];
}

type OnePart = Omit<Part, "part" | "locked"> & { part: Exclude<LinePart, PayoutPart> };

async function matchOne(tx: Tx, by: Matcher, { line, lines, part, places, rule }: OnePart): Promise<Match> {
  const { amountKobo } = part;
  const isIn = line.amountKobo > 0n;
  const common = { lineId: line.id, amountKobo, rule, madeBy: by.actor.id, createdAt: by.clock.now() };
  switch (part.kind) {
    case "payment":
    case "purchase": {
      if (!isIn) throw new AppError("conflict", bankTexts.onlyIn);
      const payment =
        part.kind === "payment" ? places.payments.get(part.paymentId) : places.purchases.get(part.reference);
      if (!payment) throw new AppError("conflict", bankTexts.paymentGone);
      const before = await readMoney(tx, payment);
      if (rule && !isSurely(payment, before, { day: line.date, amountKobo })) {
        throw new AppError("conflict", bankTexts.lineChanged);
      }
      const match = await insertMatch(tx, [line], { ...common, kind: "payment", paymentId: payment.id });
      await arrive(tx, by, { payment, match, moved: { before, day: line.date } });
      return match;
    }
    case "taken_back": {
      if (isIn) throw new AppError("conflict", bankTexts.onlyOut);
      const payment = places.payments.get(part.paymentId);
      if (!payment) throw new AppError("conflict", bankTexts.paymentGone);
      const before = await readMoney(tx, payment);
      const { arrivedKobo } = before;
      if (amountKobo > arrivedKobo) throw new AppError("conflict", bankTexts.moreThanArrived(arrivedKobo));
      const match = await insertMatch(tx, [line], { ...common, kind: "taken_back", paymentId: payment.id });
      await postMatch(tx, by, { match, payment, moved: { before, day: line.date } });
      await leaveHold(tx, payment, by.clock.now());
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
      return matchHarvest(tx, by, { line, part, places });
    case "harvest_cost": {
      const match = await matchHarvest(tx, by, { line, part, places });
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
const isSurely = (
  { status }: Payment,
  money: PaymentMoney,
  { day, amountKobo }: { day: string; amountKobo: Kobo },
): boolean => status !== "rejected" && expectedKobo(money, day) === amountKobo;

/** Where a person undid a match of the line, also a moment ago, a person decides. */
async function requireNoneUndone(tx: Tx, lineId: number): Promise<void> {
  const isUndone = and(eq(lineMatches.lineId, lineId), isNotNull(lineMatches.undoneAt));
  if ((await tx.$count(lineMatches, isUndone)) > 0) throw new AppError("conflict", bankTexts.lineChanged);
}

/** What a payment's money does when a line shows it: it is posted, its lots are kept, and the backer is told. */
async function arrive(
  tx: Tx,
  by: Matcher,
  { payment, match, moved }: { payment: Payment; match: Match; moved: Moved },
): Promise<void> {
  await postMatch(tx, by, { match, payment, moved });
  if (payment.status !== "pending") return;
  await claimHold(tx, payment.reference, by.clock.now());
  await tellArrival(tx, by, { payment, matchId: match.id, at: match.createdAt });
}

/** Money no longer keeps the lots of a pending payment if none of it is left. Says whether it is so. */
async function leaveHold(tx: Tx, payment: Payment, at: Date): Promise<boolean> {
  if (payment.status !== "pending") return false;
  const { heldKobo } = placesOf(await readMoney(tx, payment));
  if (heldKobo > 0n) return false;
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

/** The money of a payment before its match was written or undone, and the day of the line. */
type Moved = { before: PaymentMoney; day: string };

/** The money after a match, or after it is undone. What the bank took back was never said to have arrived. */
function moneyAfter({ kind, amountKobo }: Match, { before, day }: Moved, isUndone: boolean): PaymentMoney {
  const kobo = isUndone ? -amountKobo : amountKobo;
  if (kind === "payment") return withLine(before, { day, byKobo: kobo });
  return { ...before, arrivedKobo: before.arrivedKobo - kobo };
}

type Posted = {
  match: Match;
  /** Of money that came for a payment, or was taken back of it. */
  payment?: Payment;
  moved?: Moved;
  /** Of the operator's own money: whether it went out. Charges, losses, costs and taxes always do. */
  isOut?: boolean;
  isUndone?: boolean;
};

/** Posts a match, or with `isUndone` its opposite: where the money stands now. */
export async function postMatch(
  tx: Tx,
  by: Pick<Matcher, "clock" | "actor">,
  { match, payment, moved, isOut = true, isUndone = false }: Posted,
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
  if (!payment || !moved) throw new Error(`match ${match.id} has no payment`);
  const isArrival = match.kind === "payment";
  const account = isArrival ? ("unmatched_in" as const) : ("unmatched_out" as const);
  const from = [{ account, lineId, amountKobo: isArrival ? kobo : -kobo }];
  const { before } = moved;
  await postArrival(tx, { payment, transaction, before, after: moneyAfter(match, moved, isUndone), from });
}

/**
 * Undoes a match: its money is unexplained again. Throws "not_found", or "conflict" if it was undone already, or the money
 * was given back meanwhile.
 */
export async function undoMatch(ctx: ActorContext, input: z.output<typeof undoMatchInput>): Promise<void> {
  await inTransaction(ctx.db, (tx) => undoOne(tx, ctx, input));
  await refreshSuggestions(ctx.db);
}

/** Undoes a match inside the caller's transaction. */
export async function undoOne(tx: Tx, ctx: ActorContext, input: z.output<typeof undoMatchInput>): Promise<void> {
  const [found] = await tx.select().from(lineMatches).where(eq(lineMatches.id, input.matchId));
  if (!found) throw new AppError("not_found", bankTexts.matchGone);
  const ids = found.paymentId === null ? [] : [found.paymentId];
  const ofHarvest = {
    saleIds: found.saleId === null ? [] : [found.saleId],
    harvestIds: found.harvestId === null ? [] : [found.harvestId],
  };
  const isOfMatch = sql`${projects.id} in (
    select p.project_id from project_payments p where ${anyOf("p.id", ids)} union ${projectsOfHarvests(ofHarvest)})`;
  await tx.select({ id: projects.id }).from(projects).where(isOfMatch).for("no key update");
  const places = await lockForLines(tx, ofHarvest);
  const payment = found.paymentId === null ? undefined : (await lockPayments(tx, ids)).get(found.paymentId);
  const lines = await lockLines(
    tx,
    found.counterLineId === null ? [found.lineId] : [found.lineId, found.counterLineId],
  );
  if (found.payoutId !== null) return undoDebit(tx, ctx, { found, lines, reason: input.reason });
  const at = ctx.clock.now();
  const line = lines.get(found.lineId);
  const moved = payment && line && { before: await readMoney(tx, payment), day: line.date };
  const [match] = await tx
    .update(lineMatches)
    .set({ undoneAt: at, undoneBy: ctx.actor.id, undoneReason: input.reason })
    .where(and(eq(lineMatches.id, found.id), isNull(lineMatches.undoneAt)))
    .returning();
  if (!match) throw new AppError("conflict", bankTexts.matchGone);
  for (const line of lines.values()) await countMatched(tx, line, -match.amountKobo);
  if (payment && moved && match.kind === "payment") {
    await requireMayLeave(tx, payment, moneyAfter(match, moved, true));
  }
  const isOut = (line?.amountKobo ?? 0n) < 0n;
  if (match.saleId !== null) await undoSale(tx, ctx, { match, saleId: match.saleId, places });
  else await postMatch(tx, ctx, { match, isOut, isUndone: true, ...(payment && { payment }), ...(moved && { moved }) });
  if (payment && match.kind === "payment" && (await leaveHold(tx, payment, at))) {
    await tellAnothers(tx, ctx, { payment, matchId: match.id });
  }
  await recordAudit(tx, ctx, "undo_match", {
    matchId: match.id,
    lineId: match.lineId,
    kind: match.kind,
    amountKobo: match.amountKobo.toString(),
    ...namesOf(match),
    reason: input.reason,
  });
}

type Debit = { found: Match; lines: Map<number, Line>; reason: string };

/** Undoes that a line showed payouts leaving. That one came back stays: another payout has taken its place. */
async function undoDebit(tx: Tx, ctx: ActorContext, { found, lines, reason }: Debit): Promise<void> {
  if (found.kind === "returned") throw new AppError("conflict", payoutLineTexts.returnedStays);
  const together = await listOfOneDebit(tx, found);
  if (!together.some(({ id }) => id === found.id)) throw new AppError("conflict", bankTexts.matchGone);
  const line = lines.get(found.lineId);
  if (!line) throw new AppError("not_found", bankTexts.lineGone);
  const amountKobo = together.reduce((sum, match) => sum + match.amountKobo, 0n);
  await countMatched(tx, line, -amountKobo);
  await undoPayouts(tx, ctx, together, { reason });
  await recordAudit(tx, ctx, "undo_match", {
    matchIds: together.map(({ id }) => id),
    lineId: found.lineId,
    kind: found.kind,
    amountKobo: amountKobo.toString(),
    payoutIds: together.flatMap(({ payoutId }) => payoutId ?? []),
    reason,
  });
}
