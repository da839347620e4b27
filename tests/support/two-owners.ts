import { and, desc, eq, isNull } from "drizzle-orm";
import type { DbOrTx } from "#server/db/open.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { keptMatch, type MatchLine } from "#shared/bank/inputs.ts";
import type { Caller } from "./people.ts";

/** What one owner asks for and another confirms, for tests of what comes after it. */

export type TwoOwners = { db: DbOrTx; asks: Caller; confirms: Caller };
type Asked = Parameters<Caller["secondPerson"]["ask"]>[0];

/** One owner asks, the other confirms at once. */
async function askAndConfirm({ db, asks, confirms }: TwoOwners, asked: Asked): Promise<void> {
  await asks.secondPerson.ask(asked);
  const [request] = await db
    .select({ id: secondPersonRequests.id })
    .from(secondPersonRequests)
    .where(isNull(secondPersonRequests.decision))
    .orderBy(desc(secondPersonRequests.id))
    .limit(1);
  if (!request) throw new Error("nothing was asked");
  await confirms.secondPerson.confirm({ requestId: request.id });
}

const reason = "Both of us have seen it on the bank's own paper.";

/** Two owners explain a line. */
export const matchByTwo = (two: TwoOwners, match: MatchLine): Promise<void> =>
  askAndConfirm(two, { kind: "match_line", details: keptMatch(match), reason });

/** Two owners undo a match. */
export const undoByTwo = (two: TwoOwners, matchId: number): Promise<void> =>
  askAndConfirm(two, { kind: "undo_match", details: { matchId }, reason });

/** What a debit took back of a payment, and the credit that brought it: the last that stands. */
export async function takenBackPart(db: DbOrTx, { paymentId, amountKobo }: { paymentId: number; amountKobo: bigint }) {
  const [credit] = await db
    .select({ id: lineMatches.id })
    .from(lineMatches)
    .where(and(eq(lineMatches.paymentId, paymentId), eq(lineMatches.kind, "payment"), isNull(lineMatches.undoneAt)))
    .orderBy(desc(lineMatches.id))
    .limit(1);
  return { kind: "taken_back" as const, amountKobo, paymentId, creditMatchId: credit?.id ?? 0 };
}
