import { and, eq, isNull } from "drizzle-orm";
import { postSentBack } from "#server/books/events/matches.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { cancelPayouts, makePayouts } from "#server/features/payouts/service.ts";
import { AppError } from "#server/platform/errors.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import { sentBackTexts as texts } from "#shared/bank/texts.ts";
import { formatDay } from "#shared/dates.ts";
import { partKind, type Undoing } from "./kind.ts";

/**
 * Money that is nobody's here goes back to whoever sent it. It is owed to them at once; two owners enter the account
 * that it is paid to, because the sender is no user. It is undone, and with it taken back, while none of its payouts is
 * in a run or was sent.
 */

export const sentBackPart = partKind<Extract<LinePart, { kind: "sent_back" }>, void>({
  makes: "sent_back",
  explains: "money_in",
  require: async (tx, { line }) => {
    const isStanding = and(
      eq(lineMatches.lineId, line.id),
      eq(lineMatches.kind, "sent_back"),
      isNull(lineMatches.undoneAt),
    );
    if ((await tx.$count(lineMatches, isStanding)) > 0) throw new AppError("conflict", texts.once);
  },
  matches: ({ part }) => [{ kind: "sent_back", reason: part.reason }],
  post: async (tx, by, { given: { line }, made }) => {
    for (const match of made) {
      await postSentBack(tx, by, match, false);
      const about = { projectId: null, projectTitle: texts.transferOf(formatDay(line.date)), at: by.clock.now() };
      await makePayouts(tx, [{ kind: "sender", lineId: line.id, amountKobo: match.amountKobo, ...about }]);
    }
  },
  describe: async (_db, { reason }) => reason,
  consequence: texts.consequence,
});

export const sentBackUndoing: Undoing = {
  undo: async (tx, ctx, { match }) => {
    await cancelPayouts(tx, { lineId: match.lineId, at: ctx.clock.now() });
    await postSentBack(tx, ctx, match, true);
  },
};
