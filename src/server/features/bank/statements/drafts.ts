import type { StatementMapping } from "#shared/statements.ts";
import { statementNotes, statementTexts, statementRowTexts as texts } from "#shared/statements-texts.ts";
import { type DayOrder, findDayOrder, resolveDay, type WrittenDay } from "./dates.ts";
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

/** The order of days and months in all dates of the file, or a {@link Refusal} if they contradict each other. */
export function dayOrderOf(drafts: readonly Draft[], mapping: StatementMapping, preview: StatementFile["table"]) {
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
  if (mapping.dayOrder !== "by_file") return { dayOrder: mapping.dayOrder, notes: [] };
  if (dayFirst !== null && monthFirst !== null) throw refuse(statementTexts.bothDayOrders(dayFirst, monthFirst));
  const isAssumed = dayFirst === null && monthFirst === null && either !== null;
  const dayOrder: DayOrder = monthFirst === null ? "day_first" : "month_first";
  return { dayOrder, notes: isAssumed ? [statementNotes.dayOrderAssumed] : [] };
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
