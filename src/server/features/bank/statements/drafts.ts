import {
  type DayOrder,
  dayOrders,
  statementNotes,
  statementTexts,
  statementRowTexts as texts,
} from "#shared/bank/statement-texts.ts";
import type { StatementMapping } from "#shared/bank/statements.ts";
import { findGaps } from "./balances.ts";
import { findDayOrder, resolveDay, type WrittenDay } from "./dates.ts";
import type { Doubt, Doubtful } from "./doubts.ts";
import { findSessionId } from "./narrations.ts";
import { Refusal, type RowFaults, readTexts, type StatementFile, shown } from "./statement.ts";

/** A line of a table whose days can't be told before all rows are read. */
export interface Draft {
  row: number;
  /** The last row of its narration. */
  endRow: number;
  date: WrittenDay;
  dateText: string;
  valueDate: WrittenDay | null;
  valueDateText: string;
  kobo: bigint;
  balanceKobo: bigint | null;
  narration: string;
  bankReference: string | null;
  doubt: Doubt | null;
}

type Given = {
  mapping: StatementMapping;
  keptDayOrder: DayOrder | null;
  preview: StatementFile["table"];
};

/**
 * The order of days and months in all dates of the file: as a person has chosen, as a figure above 12 or the balances prove,
 * else as it was proved for the account before. `isTold` is whether it matters. A {@link Refusal} if the dates contradict
 * each other.
 */
export function findDays(drafts: readonly Draft[], { mapping, keptDayOrder, preview }: Given) {
  const dates = function* () {
    for (const { row, date, valueDate } of drafts) {
      yield { row, written: date };
      if (valueDate) yield { row, written: valueDate };
    }
  };
  const { dayFirst, monthFirst, either } = findDayOrder(dates());
  const refuse = (text: string) => new Refusal([{ row: null, text }], 0, preview);
  const real = drafts.find(({ date, dateText }) => date.kind === "day" && /^\d{4}-/.test(dateText));
  const figures = drafts.find(({ date }) => date.kind === "figures");
  if (real && figures) throw refuse(statementTexts.mixedDates(real.row, figures.row));
  const chosen = mapping.dayOrder === "by_file" ? null : mapping.dayOrder;
  const contradict = dayFirst !== null && monthFirst !== null;
  if (chosen === null && contradict) throw refuse(statementTexts.bothDayOrders(dayFirst, monthFirst));
  const byFigures: DayOrder | null = dayFirst !== null ? "day_first" : monthFirst !== null ? "month_first" : null;
  const proved = contradict ? null : (byFigures ?? (either === null ? null : orderByBalances(drafts)));
  const isAssumed = chosen === null && proved === null && either !== null;
  const assumed = keptDayOrder === null ? statementNotes.dayOrderAssumed : statementNotes.dayOrderKept(keptDayOrder);
  const order = chosen ?? proved ?? keptDayOrder ?? "day_first";
  return {
    order,
    isTold: byFigures !== null || either !== null,
    isProved: proved === order,
    notes: isAssumed ? [assumed] : [],
  };
}

/**
 * The only order in which the days go on as the balances do; null if both are such. Balances prove it where each follows
 * from the one before, from the first row to the last or from the last to the first.
 */
function orderByBalances(drafts: readonly Draft[]): DayOrder | null {
  if (drafts.some(({ balanceKobo, doubt }) => balanceKobo === null || doubt !== null)) return null;
  const follow = (rows: readonly Draft[]) =>
    findGaps(rows.map(({ row, kobo, balanceKobo }) => ({ row, date: null, amountKobo: kobo, balanceKobo }))).length ===
    0;
  const backwards = drafts.toReversed();
  const isOldestFirst = follow(drafts);
  if (isOldestFirst === follow(backwards)) return null;
  const rows = isOldestFirst ? drafts : backwards;
  const fit = dayOrders.filter((order) => {
    const days = rows.map(({ date }) => resolveDay(date, order) ?? "");
    return days.every((day, index) => day !== "" && day >= (days[index - 1] ?? ""));
  });
  return fit.length === 1 ? (fit[0] ?? null) : null;
}

export function lineOf(draft: Draft, order: DayOrder, faults: RowFaults): Doubtful | null {
  const date = resolveDay(draft.date, order);
  if (date === null) {
    faults.add(draft.row, texts.impossibleDay(shown(draft.dateText)));
    return null;
  }
  const valueDate = draft.valueDate && resolveDay(draft.valueDate, order);
  if (draft.valueDate && valueDate === null) {
    const text = shown(draft.valueDateText);
    faults.add(draft.row, draft.valueDate.kind === "none" ? texts.noDay(text) : texts.impossibleDay(text));
    return null;
  }
  const { narration, bankReference } = readTexts(faults, draft.row, draft);
  const line = {
    row: draft.row,
    date,
    valueDate,
    amountKobo: draft.kobo,
    balanceKobo: draft.balanceKobo,
    narration,
    bankReference,
    customerReference: null,
    counterparty: null,
    sessionId: findSessionId(narration, bankReference),
    isReversal: false,
  };
  return { line, doubt: draft.doubt };
}
