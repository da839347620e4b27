import { and, eq, isNotNull } from "drizzle-orm";
import type { z } from "zod";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { payouts, roundReturns } from "#server/db/schema/payouts.ts";
import { findProjectTitle } from "#server/features/payouts/releases/queries.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { refusalOf } from "#server/platform/errors.ts";
import { formatNaira } from "#shared/money.ts";
import type { returnToBackersDetails, takeReturnBackDetails } from "#shared/payouts/returns.ts";
import { roundReturnTexts as texts } from "#shared/payouts/returns-texts.ts";
import { askedBy, dividedText, divideReturn } from "./queries.ts";
import { lockReturn, lockStandingReturn, returnToBackers, takeReturnBack } from "./service.ts";

/** Returning a round's money to its backers, and taking that back, as two owners say. */

type Return = z.output<typeof returnToBackersDetails>;
type TakingBack = z.output<typeof takeReturnBackDetails>;
type Confirmed<Details> = { details: Details; requestId: number; reason: string };

/** Describes in words who gets how much, or the reason why nobody does. */
async function describeOutcome(
  db: DbOrTx,
  details: Return,
): Promise<{ text: string; userIds: string[]; isPossible: boolean }> {
  try {
    const { parts } = await divideReturn(db, askedBy(details));
    return { text: dividedText(parts), userIds: parts.map(({ userId }) => userId), isPossible: true };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return { text: refusal.message, userIds: [], isPossible: false };
  }
}

export const returnToBackersKind = {
  subjectOf: ({ projectId, round }: Return): string => `${projectId}/${round}`,
  describe: async (db: DbOrTx, details: Return) => {
    const { projectId, round, amountKobo } = details;
    const farm = await findProjectTitle(db, projectId);
    if (farm === null) return null;
    const { text, isPossible } = await describeOutcome(db, details);
    return {
      title: texts.title(formatNaira(BigInt(amountKobo)), round, farm.title),
      consequences: [text, ...(isPossible ? [texts.consequence] : [])],
      isPossible,
      projectId: farm.isProjectThere ? projectId : null,
    };
  },
  require: async (tx: Tx, _ctx: ActorContext, details: Return) => void (await lockReturn(tx, askedBy(details))),
  concerns: async (db: DbOrTx, details: Return) => (await describeOutcome(db, details)).userIds,
  act: (tx: Tx, ctx: ActorContext, { details, requestId, reason }: Confirmed<Return>): Promise<void> =>
    returnToBackers(tx, ctx, { ...askedBy(details), requestId, reason }),
};

export const takeReturnBackKind = {
  subjectOf: ({ returnId }: TakingBack): string => String(returnId),
  describe: async (db: DbOrTx, { returnId }: TakingBack) => {
    const [returned] = await db.select().from(roundReturns).where(eq(roundReturns.id, returnId));
    if (!returned) return null;
    const { projectId, projectTitle, amountKobo, takenBackAt } = returned;
    const farm = await findProjectTitle(db, projectId);
    return {
      title: texts.takeBackTitle(formatNaira(amountKobo), projectTitle),
      consequences: [texts.takenBackConsequence],
      isPossible: takenBackAt === null,
      projectId: farm?.isProjectThere ? projectId : null,
    };
  },
  require: async (tx: Tx, _ctx: ActorContext, { returnId }: TakingBack) =>
    void (await lockStandingReturn(tx, returnId)),
  concerns: async (db: DbOrTx, { returnId }: TakingBack) => {
    const isOfReturn = and(eq(payouts.returnId, returnId), isNotNull(payouts.userId));
    const found = await db.selectDistinct({ userId: payouts.userId }).from(payouts).where(isOfReturn);
    return found.flatMap(({ userId }) => userId ?? []);
  },
  act: (tx: Tx, ctx: ActorContext, { details, requestId, reason }: Confirmed<TakingBack>): Promise<void> =>
    takeReturnBack(tx, ctx, { ...details, requestId, reason }),
};
