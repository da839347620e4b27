import type { PaperKind } from "#shared/papers/kinds.ts";
import { at, type Model, today } from "./state.ts";

/** Papers: what is written with what they tell of, and what has to be true of them whatever happened. */

export type Paper = {
  kind: PaperKind;
  year: number;
  sequence: number;
  /** The person it is issued to; null for the platform's own. */
  person: number | null;
  /** The place of the payment, refund, settlement or run that it tells of. */
  about: number;
  amountKobo: bigint;
  isReplaced: boolean;
};

type Told = Pick<Paper, "kind" | "person" | "about" | "amountKobo">;

/** The next number of its kind in the year, by the clock in Lagos. */
export function makePaper(model: Model, told: Told): void {
  const year = Number(today(model).slice(0, 4));
  const sequence = 1 + model.papers.filter((it) => it.kind === told.kind && it.year === year).length;
  model.papers.push({ ...told, year, sequence, isReplaced: false });
}

/** Marks the papers of one kind about something as replaced, because it was taken back. */
export function replacePapers(model: Model, { kind, about }: Pick<Paper, "kind" | "about">): void {
  for (const paper of model.papers) if (paper.kind === kind && paper.about === about) paper.isReplaced = true;
}

/** Somebody's statement of a settlement is replaced by one of what they get since. */
export function papersOfPerson(
  model: Model,
  { settlement, person, amountKobo }: { settlement: number; person: number; amountKobo: bigint },
): void {
  for (const paper of model.papers) {
    if (paper.kind === "settlement" && paper.about === settlement && paper.person === person) paper.isReplaced = true;
  }
  makePaper(model, { kind: "settlement", about: settlement, person, amountKobo });
}

export const makeReceipt = (model: Model, payment: number): void => {
  const { person, amountKobo } = at(model.payments, payment);
  makePaper(model, { kind: "receipt", about: payment, person, amountKobo });
};

/** The database's view of papers and of their facts. */
type Shown = {
  papers: readonly (Omit<Paper, "amountKobo"> & { amountKobo: number })[];
  payments: readonly ({ status: string; approvedFor: number | null; amountKobo: number; lostKobo: number } | null)[];
  refunds: readonly { person: number; amountKobo: number; isTakenBack: boolean }[];
  settlements: readonly {
    isReversed: boolean;
    parts: readonly { person: number; netKobo: number; struckKobo: number }[];
  }[];
  runs: readonly { isExported: boolean; payouts: readonly (number | null)[] }[];
  payouts: readonly { amountKobo: number }[];
};

/** Each sentence that isn't true. */
export function paperFaults({ papers, payments, refunds, settlements, runs, payouts }: Shown): string[] {
  const faults: string[] = [];
  const valid = papers.filter(({ isReplaced }) => !isReplaced);
  const numbered = Map.groupBy(papers, ({ kind, year }) => `${kind} of ${year}`);
  for (const [of, some] of numbered) {
    const numbers = some.map(({ sequence }) => sequence).sort((one, other) => one - other);
    if (numbers.some((number, place) => number !== place + 1)) faults.push(`${of}: ${numbers.join()} has a gap`);
  }
  /** The facts that need exactly one valid paper each. No other paper is valid. */
  const due = [
    ...payments.flatMap((payment, about) =>
      payment?.status === "approved" && payment.lostKobo === 0
        ? [`receipt ${about} ${payment.approvedFor} ${payment.amountKobo}`]
        : [],
    ),
    ...refunds.flatMap(({ person, amountKobo, isTakenBack }, about) =>
      isTakenBack ? [] : [`refund_note ${about} ${person} ${amountKobo}`],
    ),
    ...settlements.flatMap(({ isReversed, parts }, about) =>
      isReversed
        ? []
        : parts.map(({ person, netKobo, struckKobo }) => `settlement ${about} ${person} ${netKobo - struckKobo}`),
    ),
    ...runs.flatMap(({ isExported, payouts: paid }, about) => {
      const total = paid.reduce<number>((sum, place) => sum + (payouts[place ?? -1]?.amountKobo ?? 0), 0);
      return isExported ? [`run_sheet ${about} null ${total}`] : [];
    }),
  ];
  const there = valid.map(({ kind, about, person, amountKobo }) => `${kind} ${about} ${person} ${amountKobo}`);
  for (const one of new Set([...due, ...there])) {
    const count = (list: readonly string[]) => list.filter((it) => it === one).length;
    if (count(due) !== count(there)) faults.push(`${one}: ${count(there)} valid papers, not ${count(due)}`);
  }
  return faults;
}
