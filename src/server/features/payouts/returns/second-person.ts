import { and, eq, isNotNull } from "drizzle-orm";
import type { z } from "zod";
import { secondPersonKind } from "#server/accounts/owners/second-person-kind.ts";
import type { DbOrTx } from "#server/db/open.ts";
import { payouts, roundReturns } from "#server/db/schema/payouts.ts";
import { findProjectTitle } from "#server/features/payouts/releases/queries.ts";
import { refusalOf } from "#server/platform/errors.ts";
import { formatNaira } from "#shared/money.ts";
import { returnToBackersDetails, takeReturnBackDetails } from "#shared/payouts/returns.ts";
import { roundReturnTexts as texts } from "#shared/payouts/returns-texts.ts";
import { askedBy, dividedText, divideReturn } from "./queries.ts";
import { lockReturn, lockStandingReturn, returnToBackers, takeReturnBack } from "./service.ts";

/** Returning a round's money to its backers, and taking that back, as two owners say. */

type Return = z.output<typeof returnToBackersDetails>;
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

export const returnToBackersKind = secondPersonKind({
  schema: returnToBackersDetails,
  subjectOf: ({ projectId, round }) => `${projectId}/${round}`,
  describe: async (db, details) => {
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
  require: async (tx, _ctx, details) => void (await lockReturn(tx, askedBy(details))),
  concerns: async (db, details) => (await describeOutcome(db, details)).userIds,
  act: (tx, ctx, { details, requestId, reason }) =>
    returnToBackers(tx, ctx, { ...askedBy(details), requestId, reason }),
});

export const takeReturnBackKind = secondPersonKind({
  schema: takeReturnBackDetails,
  subjectOf: ({ returnId }) => String(returnId),
  describe: async (db, { returnId }) => {
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
  require: async (tx, _ctx, { returnId }) => void (await lockStandingReturn(tx, returnId)),
  concerns: async (db, { returnId }) => {
    const isOfReturn = and(eq(payouts.returnId, returnId), isNotNull(payouts.userId));
    const found = await db.selectDistinct({ userId: payouts.userId }).from(payouts).where(isOfReturn);
    return found.flatMap(({ userId }) => userId ?? []);
  },
  act: (tx, ctx, { details, requestId, reason }) => takeReturnBack(tx, ctx, { ...details, requestId, reason }),
});
