import { and, eq, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { type Confirmed, secondPersonKind } from "#server/accounts/owners/second-person-kind.ts";
import { postAgainst } from "#server/books/events/matches.ts";
import { readMoney } from "#server/books/places.ts";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { describeVoid } from "#server/features/bank/importing/describe-void.ts";
import { lockForVoid, voidBankData } from "#server/features/bank/importing/voids.ts";
import type { Line } from "#server/features/bank/matching/candidates/candidate.ts";
import { kindOf, undoings } from "#server/features/bank/matching/kinds/kinds.ts";
import { describePayment } from "#server/features/bank/matching/kinds/payment.ts";
import { bookLateDebit, describeLateDebit, lockLateDebit } from "#server/features/bank/matching/late-debit.ts";
import { lockForParts, matchParts } from "#server/features/bank/matching/match-line.ts";
import { insertMatch, lockLines } from "#server/features/bank/matching/match-rows.ts";
import { lockForUndoing, undoOne } from "#server/features/bank/matching/undo-match.ts";
import { payerIdOf } from "#server/features/payments/second-person.ts";
import { lockPayment } from "#server/features/payments/service.ts";
import { payeeIdOf } from "#server/features/payouts/second-person.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { type LinePart, matchLineDetails, readKeptMatch, undoMatchDetails } from "#shared/bank/inputs.ts";
import { bankTexts, lineMatchKindLabels, restOf, wallTexts } from "#shared/bank/texts.ts";
import { type VoidBankDataDetails, voidBankDataDetails } from "#shared/bank/voids.ts";
import { formatDay } from "#shared/dates.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { bookLossDetails, type bookPaymentLossDetails } from "#shared/second-person/inputs.ts";
import { bookLossTexts } from "#shared/second-person/texts.ts";

/**
 * Acts about lines that take two owners: matches that one alone may not make or undo, and money that can't be got back,
 * which is booked as a loss (a credit that the bank took back after its money was given back, or the debit of a payout
 * that had been declared failed).
 */

type Details = z.output<typeof bookPaymentLossDetails>;
/** Reads the sum of a payment that was given back or is due, and isn't booked as lost. */
async function readGivenBack(db: DbOrTx, paymentId: number): Promise<Kobo> {
  const isOf = eq(refunds.paymentId, paymentId);
  const sum = (column: typeof refunds.amountKobo | typeof lineMatches.amountKobo) =>
    sql`coalesce(sum(${column}), 0)::bigint`.mapWith(refunds.amountKobo);
  const [given] = await db
    .select({ kobo: sum(refunds.amountKobo) })
    .from(refunds)
    .where(and(isOf, isNull(refunds.takenBackAt)));
  const isLoss = and(eq(lineMatches.paymentId, paymentId), eq(lineMatches.kind, "loss"), isNull(lineMatches.undoneAt));
  const [lost] = await db
    .select({ kobo: sum(lineMatches.amountKobo) })
    .from(lineMatches)
    .where(isLoss);
  return (given?.kobo ?? 0n) - (lost?.kobo ?? 0n);
}

async function describe(db: DbOrTx, { lineId, paymentId, amountKobo }: Details) {
  const [found] = await db
    .select({ line: statementLines, payment: projectPayments })
    .from(statementLines)
    .innerJoin(projectPayments, eq(projectPayments.id, paymentId))
    .where(eq(statementLines.id, lineId));
  if (!found) return null;
  const { line, payment } = found;
  const kobo = BigInt(amountKobo);
  return {
    title: bookLossTexts.title(formatNaira(kobo), payment.projectTitle),
    consequences: [
      `The bank took ${formatNaira(-line.amountKobo)} back on ${formatDay(line.date)}: ${line.narration}`,
      `The money of ${payment.reference} was given back to its payer already, so ${formatNaira(kobo)} are the platform's loss.`,
    ],
    isPossible: kobo <= restOf(line) && kobo <= (await readGivenBack(db, paymentId)),
    projectId: payment.projectId,
  };
}

async function lockLoss(tx: Tx, { lineId, paymentId, amountKobo }: Details) {
  const { payment } = await lockPayment(tx, paymentId);
  const line = (await lockLines(tx, [lineId])).get(lineId);
  if (!line) throw new AppError("not_found", bankTexts.lineGone);
  if (line.amountKobo > 0n) throw new AppError("conflict", bankTexts.onlyOut);
  const kobo = BigInt(amountKobo);
  if (kobo > restOf(line)) throw new AppError("conflict", bankTexts.moreThanRest(restOf(line)));
  const { arrivedKobo } = await readMoney(tx, payment);
  if (arrivedKobo > 0n) throw new AppError("conflict", bookLossTexts.takenBackFirst(formatNaira(arrivedKobo)));
  const givenBackKobo = await readGivenBack(tx, paymentId);
  if (kobo > givenBackKobo) throw new AppError("conflict", bookLossTexts.tooMuch(formatNaira(givenBackKobo)));
  return { payment, line, kobo };
}

/** Books what the bank took back, and was given back before, as a loss. */
async function bookLoss(tx: Tx, ctx: ActorContext, { details, requestId, reason }: Confirmed<Details>): Promise<void> {
  const { payment, line, kobo } = await lockLoss(tx, details);
  const match = await insertMatch(tx, [line], {
    lineId: line.id,
    kind: "loss",
    amountKobo: kobo,
    paymentId: payment.id,
    reason,
    madeBy: ctx.actor.id,
    createdAt: ctx.clock.now(),
  });
  await postAgainst(tx, ctx, { match, account: "losses", isOut: true, isUndone: false });
  await recordAudit(tx, ctx, "book_loss", {
    matchId: match.id,
    lineId: line.id,
    paymentId: payment.id,
    amountKobo: kobo.toString(),
    requestId,
    reason,
  });
}

/** The kind of request by which two owners book a loss. */
export const bookLossKind = secondPersonKind({
  schema: bookLossDetails,
  concerns: (db, details) => ("payoutId" in details ? payeeIdOf(db, details) : payerIdOf(db, details)),
  subjectOf: ({ lineId }) => String(lineId),
  describe: (db, details) => ("payoutId" in details ? describeLateDebit(db, details) : describe(db, details)),
  require: async (tx, _ctx, details) => {
    if ("payoutId" in details) await lockLateDebit(tx, details);
    else await lockLoss(tx, details);
  },
  act: (tx, ctx, { details, ...confirmed }) =>
    "payoutId" in details
      ? bookLateDebit(tx, ctx, { details, ...confirmed })
      : bookLoss(tx, ctx, { details, ...confirmed }),
});

type MatchDetails = z.output<typeof matchLineDetails>;

/** Describes a part: its sum, its kind, and whose money it would be. */
async function describePart(db: DbOrTx, part: LinePart): Promise<string> {
  const kind = kindOf(part);
  const about = await kind.describe(db, part);
  return `${formatNaira(part.amountKobo)}: ${lineMatchKindLabels[kind.makes]}${about === null ? "" : `, ${about}`}`;
}

const wholeLine = ({ amountKobo, date, narration }: Pick<Line, "amountKobo" | "date" | "narration">): string =>
  `The line: ${formatNaira(amountKobo < 0n ? -amountKobo : amountKobo)} ${amountKobo < 0n ? "went out" : "came in"} on ${formatDay(date)}: ${narration || "no narration"}`;

async function describeMatch(db: DbOrTx, details: MatchDetails) {
  const { lineId, seenMatchedKobo, parts } = readKeptMatch(details);
  const [line] = await db.select().from(statementLines).where(eq(statementLines.id, lineId));
  if (!line) return null;
  const total = parts.reduce((sum, { amountKobo }) => sum + amountKobo, 0n);
  const about = [];
  for (const part of parts) about.push(await describePart(db, part));
  const consequences = new Set(parts.map((part) => kindOf(part).consequence));
  return {
    title: wallTexts.title(formatNaira(total), formatDay(line.date)),
    consequences: [wholeLine(line), ...about, ...[...consequences].filter((consequence) => consequence !== null)],
    isPossible: line.matchedKobo === seenMatchedKobo && total <= restOf(line),
    projectId: null,
  };
}

/** Thrown to take back what was only tried. */
class Tried extends Error {}

/** Does something in a savepoint and takes it back, so that it is refused now as it would be then. */
async function tryOut(tx: Tx, act: (inner: Tx) => Promise<void>): Promise<void> {
  const tried = new Tried();
  await tx
    .transaction(async (inner) => {
      await act(inner);
      throw tried;
    })
    .catch((error: unknown) => {
      if (error !== tried) throw error;
    });
}

/** Lists the people whose money the parts of a line would be. */
async function payeeIdsOfParts(db: DbOrTx, { parts }: MatchDetails): Promise<string[]> {
  const found: string[] = [];
  for (const part of parts) {
    if ("paymentId" in part) found.push(...(await payerIdOf(db, part)));
    if ("payoutId" in part) found.push(...(await payeeIdOf(db, part)));
    if (part.kind !== "purchase") continue;
    const isIt = eq(paymentReferences.reference, part.reference);
    const agreed = await db.select({ id: paymentReferences.userId }).from(paymentReferences).where(isIt);
    found.push(...agreed.flatMap(({ id }) => id ?? []));
  }
  return found;
}

/** Explaining a line where one owner alone may not: against what it says, or beyond what is usual. */
export const matchLineKind = secondPersonKind({
  schema: matchLineDetails,
  concerns: payeeIdsOfParts,
  subjectOf: ({ lineId }) => String(lineId),
  describe: describeMatch,
  require: async (tx, ctx, details) => {
    const match = readKeptMatch(details);
    // What a savepoint locks it lets go of again.
    await lockForParts(tx, match);
    const confirmed = { requestId: null, reason: "" };
    await tryOut(tx, (inner) => matchParts(inner, ctx, { ...match, confirmed }));
  },
  act: async (tx, ctx, { details, ...confirmed }) => matchParts(tx, ctx, { ...readKeptMatch(details), confirmed }),
});

type UndoDetails = z.output<typeof undoMatchDetails>;

async function describeUndo(db: DbOrTx, { matchId }: UndoDetails) {
  const [found] = await db
    .select({ match: lineMatches, line: statementLines })
    .from(lineMatches)
    .innerJoin(statementLines, eq(statementLines.id, lineMatches.lineId))
    .where(eq(lineMatches.id, matchId));
  if (!found) return null;
  const { match, line } = found;
  const amount = formatNaira(match.amountKobo);
  return {
    title: wallTexts.undoTitle(amount, formatDay(line.date)),
    consequences: [
      wholeLine(line),
      `${amount} count for nothing until the line is matched again.`,
      ...(match.paymentId === null
        ? []
        : [
            `They leave the payment of ${await describePayment(db, match.paymentId)}.`,
            "An approved payment stays approved without them: they are in transit until another line shows them.",
          ]),
      ...((await undoings[match.kind].describeUndoing?.(db, match)) ?? []),
    ],
    isPossible: match.undoneAt === null,
    projectId: null,
  };
}

/** Finds the payer of the payment that a match is for. */
async function payerIdOfMatch(db: DbOrTx, { matchId }: UndoDetails): Promise<string[]> {
  const found = await db
    .select({ id: projectPayments.userId })
    .from(lineMatches)
    .innerJoin(projectPayments, eq(projectPayments.id, lineMatches.paymentId))
    .where(eq(lineMatches.id, matchId));
  return found.map(({ id }) => id);
}

/** Undoing a match whose money went on: to a farm, into a harvest, to the payout after one that came back, into a loss. */
export const undoMatchKind = secondPersonKind({
  schema: undoMatchDetails,
  concerns: payerIdOfMatch,
  subjectOf: ({ matchId }) => String(matchId),
  describe: describeUndo,
  require: async (tx, ctx, { matchId }) => {
    await lockForUndoing(tx, { matchId });
    await tryOut(tx, async (inner) => {
      await undoOne(inner, ctx, { matchId, reason: "", confirmed: true });
    });
  },
  act: async (tx, ctx, { details, ...confirmed }) => {
    await undoOne(tx, ctx, { ...details, ...confirmed, confirmed: true });
  },
});

const idOfVoid = (details: VoidBankDataDetails): number => {
  if (details.what === "statement") return details.statementId;
  return details.what === "line" ? details.lineId : details.accountId;
};

/** Bank data that was wrong. */
export const voidBankDataKind = secondPersonKind({
  schema: voidBankDataDetails,
  subjectOf: (details) => `${details.what}/${idOfVoid(details)}`,
  describe: describeVoid,
  require: async (tx, _ctx, details) => void (await lockForVoid(tx, details)),
  act: async (tx, ctx, confirmed: Confirmed<VoidBankDataDetails>) => {
    const title = (await describeVoid(tx, confirmed.details))?.title ?? "";
    await voidBankData(tx, ctx, { ...confirmed, title });
  },
});
