import { postPaidBack, transactionOf } from "#server/books/events/matches.ts";
import { type Release, requireAtFarm, requireStillThere } from "#server/features/payouts/releases/arrivals.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import { type Given, partKind, type Undoing } from "./kind.ts";

/** Money of a release that the farm paid back: the round has it again, to be released anew or returned to its backers. */

type PaidBack = Extract<LinePart, { kind: "farm_paid_back" }>;

export const farmPaidBackPart = partKind<PaidBack, Release>({
  makes: "farm_paid_back",
  explains: "money_in",
  names: ({ releaseId }) => ({ releaseIds: [releaseId] }),
  require: (tx, { part, locked }: Given<PaidBack>) => requireAtFarm(tx, locked.releases, part),
  matches: (_given, release) => [{ kind: "farm_paid_back", releaseId: release.id }],
  post: async (tx, by, { target: release, made }) => {
    for (const match of made)
      await postPaidBack(tx, transactionOf(by, match, false), { match, release, isUndone: false });
  },
});

export const farmPaidBackUndoing: Undoing = {
  undo: async (tx, ctx, { match, locked }) => {
    const about = { releaseId: match.releaseId ?? 0, amountKobo: match.amountKobo };
    const release = await requireStillThere(tx, locked.releases, about);
    await postPaidBack(tx, transactionOf(ctx, match, true), { match, release, isUndone: true });
  },
};
