import { postOwnTransfer } from "#server/books/events/matches.ts";
import { AppError } from "#server/platform/errors.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import { bankTexts, restOf } from "#shared/bank/texts.ts";
import { type Given, partKind, type Undoing } from "./kind.ts";

type OwnTransfer = Extract<LinePart, { kind: "own_transfer" }>;

/** Money between our own accounts: a match of two lines, kept at the one that came in. */
export const ownTransferPart = partKind({
  makes: "own_transfer",
  explains: "both",
  names: ({ counterLineId }: OwnTransfer) => ({ counterLineIds: [counterLineId] }),
  require: async (_tx, { line, lines, part }: Given<OwnTransfer>) => {
    const counter = lines.get(part.counterLineId);
    if (!counter) throw new AppError("not_found", bankTexts.lineGone);
    if (counter.ownAccountId === line.ownAccountId) throw new AppError("conflict", bankTexts.sameAccount);
    if (counter.amountKobo > 0n === line.amountKobo > 0n) throw new AppError("conflict", bankTexts.sameDirection);
    const rest = restOf(counter);
    if (part.amountKobo > rest) throw new AppError("conflict", bankTexts.moreThanCounter(rest));
    return line.amountKobo > 0n ? { into: line, out: counter } : { into: counter, out: line };
  },
  matches: (_given, { into, out }) => [{ kind: "own_transfer", lineId: into.id, counterLineId: out.id }],
  post: async (tx, by, { made }) => {
    for (const match of made) await postOwnTransfer(tx, by, match, false);
  },
});

export const ownTransferUndoing: Undoing = { undo: (tx, ctx, { match }) => postOwnTransfer(tx, ctx, match, true) };
