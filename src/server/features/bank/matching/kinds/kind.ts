import type { PaymentMoney } from "#server/books/places.ts";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import type { lineMatches } from "#server/db/schema/line-matches.ts";
import type { Line } from "#server/features/bank/matching/candidates/candidate.ts";
import type { LockedRows, NamedIds } from "#server/features/bank/matching/locked-rows.ts";
import { insertMatches, type Match, type Matcher } from "#server/features/bank/matching/match-rows.ts";
import type { Payment } from "#server/features/payments/service.ts";
import type { Payout } from "#server/features/payouts/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import { bankTexts, type LineMatchKind, type SureRule, wallTexts } from "#shared/bank/texts.ts";

/** The contract of the registry: each way of explaining a part of a line, and how each kind of match is undone. */

/** A part of a line, with all that was locked for it. */
export type Given<Part extends LinePart = LinePart> = {
  line: Line;
  /** The line, and those of other own accounts that its parts name. */
  lines: ReadonlyMap<number, Line>;
  part: Part;
  locked: LockedRows;
  /** Payments that were made of references for these parts, by the reference. */
  purchases: ReadonlyMap<string, Payment>;
  payouts: readonly Payout[];
  /** The rule that was sure of it; null for a person's choice. */
  rule: SureRule | null;
  /** The request that two people confirmed, and their reason. */
  requestId: number | null;
  reason: string | null;
  /** True if it is known otherwise than by one person's word whose money it is. */
  isNamed: boolean;
  /** True if its money was another payment's of the same backer until now. */
  isMoved: boolean;
};

/** Our references that a part names, and the person whose money it would be. */
export type Whose = { references: readonly string[]; userId: string | null };

/** Throws "conflict" if there is a reason for a second person. */
export function requireSecondPersonIf(reasons: readonly string[]): void {
  if (reasons.length === 0) return;
  throw new AppError("conflict", wallTexts.needsTwo([...new Set(reasons)]), { details: { needs: "second_person" } });
}

type NewMatch = Partial<typeof lineMatches.$inferInsert> & { kind: LineMatchKind };

/** One way of explaining a part of a line. `Target` is what the part names, as it stands under the locks. */
type PartKind<Part extends LinePart, Target> = {
  /** The kind of its matches. */
  makes: LineMatchKind;
  /** Which lines it may explain. */
  explains: "money_in" | "money_out" | "both";
  /** The ids that it names. They are locked for all parts of a line together, in one order. */
  names?: (part: Part) => Partial<NamedIds>;
  /** The lock of the platform's sum that it is weighed by, taken before. */
  platformLock?: "own_money" | "taxes";
  /** True if it is money for a payment, of which the line should say whose it is. */
  isForPayment?: boolean;
  /** Makes sure that it fits. Throws "conflict" otherwise. */
  require: (tx: Tx, given: Given<Part>) => Promise<Target>;
  /** The columns of its matches that not all matches have. */
  matches: (given: Given<Part>, target: Target) => NewMatch[];
  /** Moves the money in the ledger. */
  post: (tx: Tx, by: Matcher, done: Done<Part, Target>) => Promise<void>;
  /** Tells whom it concerns, and changes what follows from it. */
  followUp?: (tx: Tx, by: Matcher, done: Done<Part, Target>) => Promise<void>;
  /** The person whose money it would be, and their references. */
  whose?: (part: Part, locked: Pick<Given, "locked" | "payouts">) => Whose;
  /** The reasons for a second person, whatever its line says. */
  reasons?: (tx: Tx, given: Pick<Given<Part>, "line" | "part" | "locked">) => Promise<string[]>;
  /**
   * The reasons for a second person by the references that its line names. By default there is one if all are of
   * something else.
   */
  reasonsOfReferences?: (named: NamedReferences) => string[];
  /**
   * The reasons for a second person by the sum that one person has booked so. The matches are made, and `platformLock`
   * is taken.
   */
  reasonsOfSum?: (tx: Tx, made: { line: Line; at: Date }) => Promise<string[]>;
  /** Describes it in words, for the second person. */
  describe?: (db: DbOrTx, part: Part) => Promise<string | null>;
  /** A sentence of its consequences, for the second person. */
  consequence?: string;
};

type NamedReferences = {
  /** Our references in the line's texts. */
  references: readonly string[];
  /** True if one of them is of whom the money would be. */
  isNamed: boolean;
  whose: Whose;
};

const reasonsOfOtherReferences = ({ references, isNamed }: NamedReferences): string[] =>
  references.length > 0 && !isNamed ? [wallTexts.namesOther(references)] : [];

type Done<Part extends LinePart, Target> = { given: Given<Part>; target: Target; made: Match[] };

/** A kind as its callers see it: with its defaults, and with require, matches, post and followUp joined as `explain`. */
export type ReadyPartKind<Part extends LinePart = LinePart> = Required<
  Pick<
    PartKind<Part, unknown>,
    "makes" | "names" | "isForPayment" | "whose" | "reasons" | "reasonsOfReferences" | "reasonsOfSum" | "describe"
  >
> & {
  platformLock: "own_money" | "taxes" | null;
  consequence: string | null;
  explain: (tx: Tx, by: Matcher, given: Given<Part>) => Promise<Match[]>;
};

export function partKind<Part extends LinePart, Target>(kind: PartKind<Part, Target>): ReadyPartKind<Part> {
  const nobody: Whose = { references: [], userId: null };
  return {
    makes: kind.makes,
    names: kind.names ?? (() => ({})),
    platformLock: kind.platformLock ?? null,
    isForPayment: kind.isForPayment ?? false,
    whose: kind.whose ?? (() => nobody),
    reasons: kind.reasons ?? (async () => []),
    reasonsOfReferences: kind.reasonsOfReferences ?? reasonsOfOtherReferences,
    reasonsOfSum: kind.reasonsOfSum ?? (async () => []),
    describe: kind.describe ?? (async () => null),
    consequence: kind.consequence ?? null,
    explain: async (tx, by, given) => {
      const { line, lines, part, rule, requestId } = given;
      const isIn = line.amountKobo > 0n;
      if (kind.explains === "money_in" && !isIn) throw new AppError("conflict", bankTexts.onlyIn);
      if (kind.explains === "money_out" && isIn) throw new AppError("conflict", bankTexts.onlyOut);
      const target = await kind.require(tx, given);

      const common = {
        lineId: line.id,
        amountKobo: part.amountKobo,
        rule,
        requestId,
        madeBy: by.actor.id,
        createdAt: by.clock.now(),
      };
      const values = kind.matches(given, target).map((one) => ({ ...common, ...one }));
      const counters = (kind.names?.(part).counterLineIds ?? []).flatMap((id) => lines.get(id) ?? []);
      const made = await insertMatches(tx, [line, ...counters], values);
      await kind.post(tx, by, { given, target, made });
      await kind.followUp?.(tx, by, { given, target, made });
      return made;
    },
  };
}

/** A match that is undone, with all that was locked for it. It is marked as undone already. */
export type Undone = {
  match: Match;
  line: Line;
  locked: LockedRows;
  /** The payment that it is of, and its money before. */
  payment: Payment | null;
  before: PaymentMoney | null;
  reason: string;
  /** True if two people said so. */
  isConfirmed: boolean;
  /** The matches that are undone with it, itself among them. */
  together: readonly Match[];
};

/** The steps that undo a kind of match. */
export type Undoing = {
  /** The matches that are one explanation with it, and undone as one. Throws "conflict" if it can't be undone at all. */
  listTogether?: (tx: Tx, match: Match) => Promise<Match[]>;
  /** Makes sure that it may be undone. Throws "conflict" otherwise. */
  requireUndoing?: (tx: Tx, ctx: ActorContext, undone: Undone) => Promise<void>;
  /** Posts the opposite of what it posted. */
  undo: (tx: Tx, ctx: ActorContext, undone: Undone) => Promise<void>;
  followUpUndoing?: (tx: Tx, ctx: ActorContext, undone: Undone) => Promise<void>;
  /** Sentences of what follows from undoing it, for the second person. */
  describeUndoing?: (db: DbOrTx, match: Match) => Promise<string[]>;
};
