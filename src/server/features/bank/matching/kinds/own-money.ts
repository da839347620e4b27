import { postAgainst } from "#server/books/events/matches.ts";
import type { LedgerEntry } from "#server/books/post.ts";
import { requireTaxOwed } from "#server/features/bank/matching/harvest-choices.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import { type MatchKind, partKind } from "./kind.ts";

/** Money of the platform itself: its own, charges, taxes that it passes on, and losses. */

/** Taking money of the platform back from its account. */
const undoing = (account: LedgerEntry["account"]): MatchKind => ({
  undo: (tx, ctx, { match, line }) =>
    postAgainst(tx, ctx, { match, account, isOut: line.amountKobo < 0n, isUndone: true }),
});

export const operatorPart = partKind({
  makes: "operator",
  explains: "both",
  sum: "own_money",
  require: async () => null,
  matches: ({ part }: { part: Extract<LinePart, { kind: "operator" }> }) => [{ kind: "operator", reason: part.reason }],
  post: async (tx, by, { given: { line }, made }) => {
    const isOut = line.amountKobo < 0n;
    for (const match of made) await postAgainst(tx, by, { match, account: "operator", isOut, isUndone: false });
  },
  describe: async (_db, { reason }) => reason,
});
export const operatorKind = undoing("operator");

export const bankChargesPart = partKind<Extract<LinePart, { kind: "bank_charges" }>, null>({
  makes: "bank_charges",
  explains: "money_out",
  sum: "own_money",
  require: async () => null,
  matches: () => [{ kind: "bank_charges" }],
  post: async (tx, by, { made }) => {
    for (const match of made)
      await postAgainst(tx, by, { match, account: "bank_charges", isOut: true, isUndone: false });
  },
});
export const bankChargesKind = undoing("bank_charges");

/** Tax that settlements owe to the state, at most what is owed. */
const taxPart = <Tax extends "vat" | "wht">(tax: Tax) =>
  partKind<Extract<LinePart, { kind: Tax }>, void>({
    makes: tax,
    explains: "money_out",
    sum: "taxes",
    require: (tx, { part }) => requireTaxOwed(tx, part),
    matches: () => [{ kind: tax }],
    post: async (tx, by, { made }) => {
      for (const match of made)
        await postAgainst(tx, by, { match, account: `${tax}_due`, isOut: true, isUndone: false });
    },
  });
export const vatPart = taxPart("vat");
export const vatKind = undoing("vat_due");
export const whtPart = taxPart("wht");
export const whtKind = undoing("wht_due");

/** Two people book a loss: no part of a line is one by itself. */
export const lossKind = undoing("losses");
