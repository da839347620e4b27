import type { StatementMapping } from "#shared/statements.ts";
import {
  type StatementFormat,
  type StatementNote,
  statementLimits,
  statementNotes,
  statementTexts,
  statementRowTexts as texts,
} from "#shared/statements-texts.ts";
import { isEmptyAmount, looksLikeAmount } from "./amounts.ts";
import { findGaps, oldestFirst, printedBalance } from "./balances.ts";
import {
  amountBeside,
  type Cell,
  type Label,
  labelOf,
  type Money,
  readBalance,
  readSide,
  readSigned,
  type Table,
  textOf,
} from "./cells.ts";
import { type FoundColumns, findColumns, normalTitle, withoutEmptyEnd } from "./columns.ts";
import { type DayOrder, findDayOrder, readWrittenDay, resolveDay, type WrittenDay } from "./dates.ts";
import { findSessionId } from "./narrations.ts";
import { Refusal, RowFaults, readTexts, type StatementFile, type StatementLine, shown } from "./statement.ts";

/**
 * From the rows of a table (CSV, a spreadsheet, an HTML table) to lines. Nothing is guessed: what can be read in two
 * ways is a fault with its row.
 */

/** A line whose days can't be told before all rows are read. */
interface Draft {
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
}

const firstTexts = (table: Table): string[][] =>
  table.rows.slice(0, statementLimits.headingRows).map((row) => row.map(textOf));

/** Whether the columns of a table are known, by the mapping or by their names. */
export const hasKnownColumns = (table: Table, kept: StatementMapping | null): boolean =>
  findColumns(firstTexts(table), kept) !== null;

export function readTable(table: Table, format: StatementFormat, kept: StatementMapping | null): StatementFile {
  const shownRows = firstTexts(table);
  const columns = findColumns(shownRows, kept);
  const preview = {
    rows: shownRows.map((row) => row.map((cell) => cell.slice(0, 200))),
    mapping: columns?.mapping ?? null,
    headingRow: columns && columns.headingIndex >= 0 ? columns.headingIndex + 1 : null,
    isAsked: columns?.isAsked ?? true,
    bank: columns?.bank ?? null,
  };
  if (!columns) {
    const isEmpty = table.rows.every((row) => row.every((cell) => textOf(cell).trim() === ""));
    if (isEmpty) throw new Refusal(statementTexts.empty);
    throw new Refusal([{ row: null, text: statementTexts.noColumns }], 0, preview);
  }

  const faults = new RowFaults();
  const body = new TableBody(table, columns, faults);
  for (let index = 0; index < table.rows.length; index++) body.read(index);
  const order = dayOrderOf(body.drafts, columns.mapping, preview);
  const lines: StatementLine[] = [];
  for (const draft of body.drafts) {
    const line = lineOf(draft, order.dayOrder, faults);
    if (line) lines.push(line);
  }
  faults.throwIfAny(preview);
  if (lines.length === 0) throw new Refusal([{ row: null, text: statementTexts.noLines }], 0, preview);
  if (lines.length > statementLimits.lines) throw new Refusal(statementTexts.tooManyLines);

  const sorted = oldestFirst(lines);
  const oldest = sorted[0];
  const derived = oldest?.balanceKobo != null ? oldest.balanceKobo - oldest.amountKobo : null;
  const closing = body.closingKobo ?? sorted.findLast(({ balanceKobo }) => balanceKobo !== null)?.balanceKobo ?? null;
  const notes: StatementNote[] = [...order.notes];
  if (body.zeroCount > 0) notes.push(statementNotes.zero(body.zeroCount));
  return {
    kind: "read",
    format,
    table: preview,
    account: body.account,
    lines: sorted,
    openingKobo: body.openingKobo ?? derived,
    closingKobo: closing,
    gaps: findGaps([printedBalance(body.openingKobo), ...sorted, printedBalance(body.closingKobo)]),
    pendingCount: 0,
    notes,
  };
}

/** Reads row by row; what the rows say of the whole is asked for when all are read. */
class TableBody {
  readonly drafts: Draft[] = [];
  openingKobo: bigint | null = null;
  closingKobo: bigint | null = null;
  account: string | null = null;
  zeroCount = 0;

  readonly #table: Table;
  readonly #mapping: StatementMapping;
  readonly #headingIndex: number;
  readonly #faults: RowFaults;
  readonly #width: number;
  readonly #isWider: boolean;

  constructor(table: Table, { mapping, headingIndex, isAsked }: FoundColumns, faults: RowFaults) {
    this.#table = table;
    this.#mapping = mapping;
    this.#headingIndex = headingIndex;
    this.#faults = faults;
    const { width, isWider } = this.#measure(isAsked);
    this.#width = width;
    this.#isWider = isWider;
  }

  /**
   * How many cells a line has: as many as there are headings, or as the shortest has. All lines may have the same number
   * of cells more, empty ones or, where a person has looked at the columns, any; a single line may be a shifted one.
   */
  #measure(isAsked: boolean): { width: number; isWider: boolean } {
    const { rows } = this.#table;
    const lines = rows.filter(
      (row, index) => index > this.#headingIndex && this.#writtenDay(row, this.#mapping.date).kind !== "none",
    );
    const least = lines.reduce((width, row) => Math.min(width, row.length), Number.POSITIVE_INFINITY);
    const width = this.#headingIndex < 0 ? least : (rows[this.#headingIndex]?.length ?? 0);
    const isPadded = (row: readonly Cell[]) => row.slice(width).every((cell) => textOf(cell).trim() === "");
    const isWider = lines.length > 1 && lines.every((row) => row.length === least && (!isAsked || isPadded(row)));
    return { width, isWider };
  }

  read(index: number): void {
    const cells = this.#table.rows[index] ?? [];
    if (cells.every((cell) => textOf(cell).trim() === "")) return;
    if (index <= this.#headingIndex) {
      if (index < this.#headingIndex) this.#readPreamble(cells);
      return;
    }
    const date = this.#writtenDay(cells, this.#mapping.date);
    if (date.kind === "none") this.#readOther(index + 1, cells);
    else this.#readLine(index + 1, cells, date);
  }

  #writtenDay(cells: readonly Cell[], column: number): WrittenDay {
    const cell = cells[column];
    if (typeof cell === "object") return "day" in cell ? readWrittenDay(cell.day) : { kind: "none" };
    return readWrittenDay(textOf(cell));
  }

  #readPreamble(cells: readonly Cell[]): void {
    this.#readSummary(cells);
    for (const [index, cell] of cells.entries()) {
      if (this.account !== null || !/^account n(?:o|um)/i.test(textOf(cell).trim())) continue;
      for (const beside of cells.slice(index, index + 4)) {
        this.account ??= /(?:^|\D)(\d{10})(?:\D|$)/.exec(textOf(beside))?.[1] ?? null;
      }
    }
  }

  /** Keeps the opening and closing balances that a row without a date prints. Gives whether it is such a summary. */
  #readSummary(cells: readonly Cell[], balanceColumn: number | null = null): boolean {
    let isSummary = false;
    for (const [index, cell] of cells.entries()) {
      const label = labelOf(cell);
      if (!label) continue;
      isSummary = true;
      const inColumn = balanceColumn === null ? undefined : readBalance(cells[balanceColumn]);
      this.#keepBalance(label, inColumn ?? amountBeside(cells, index));
    }
    return isSummary;
  }

  /** Pages may open and close with balances of their own: the first and the last count. */
  #keepBalance(label: Label, kobo: bigint | null): void {
    if (label === "opening") this.openingKobo ??= kobo;
    if (label === "closing") this.closingKobo = kobo ?? this.closingKobo;
  }

  /** A row without a date: a total, a heading repeated, a text, the rest of the narration above, or a fault. */
  #readOther(row: number, cells: readonly Cell[]): void {
    if (this.#isHeading(cells)) return;
    if (this.#readSummary(cells, this.#mapping.balance)) return;
    const { narration } = this.#mapping;
    const filled = cells.flatMap((cell, index) => (textOf(cell).trim() === "" ? [] : [index]));
    const last = this.drafts.at(-1);
    if (last?.endRow === row - 1 && filled.length === 1 && filled[0] === narration) {
      last.narration += ` ${textOf(cells[narration])}`;
      last.endRow = row;
      return;
    }
    const money = this.#readMoney(cells);
    const hasAmount =
      money.kind === "amount" || this.#moneyColumns().some((column) => looksLikeAmount(textOf(cells[column])));
    if (!hasAmount || money.kind === "zero") return;
    const date = textOf(cells[this.#mapping.date]);
    this.#faults.add(row, date.trim() === "" ? texts.noDate : texts.noDay(shown(date)));
  }

  #isHeading(cells: readonly Cell[]): boolean {
    const titles = withoutEmptyEnd(this.#mapping.titles);
    return (
      titles.length > 0 && titles.every((title, index) => normalTitle(title) === normalTitle(textOf(cells[index])))
    );
  }

  #readLine(row: number, raw: readonly Cell[], date: WrittenDay): void {
    const cells = this.#joinNarration(row, raw);
    if (!cells) return;
    const mapping = this.#mapping;
    const money = this.#readMoney(cells);
    const balance = mapping.balance === null ? undefined : readBalance(cells[mapping.balance]);
    if (this.#isBalanceRow(cells, money, balance)) return;
    if (money.kind === "fault") this.#faults.add(row, money.text);
    else if (money.kind === "none") this.#faults.add(row, texts.noAmount);
    else if (balance === null) this.#faults.add(row, texts.badBalance(shown(textOf(cells[mapping.balance ?? 0]))));
    else if (money.kind === "zero") this.zeroCount += 1;
    else {
      const valueDateText = mapping.valueDate === null ? "" : textOf(cells[mapping.valueDate]);
      this.drafts.push({
        row,
        endRow: row,
        date,
        dateText: textOf(cells[mapping.date]),
        valueDate: isEmptyAmount(valueDateText) ? null : this.#writtenDay(cells, mapping.valueDate ?? 0),
        valueDateText,
        kobo: money.kobo,
        balanceKobo: balance ?? null,
        narration: textOf(cells[mapping.narration]),
        bankReference: mapping.reference === null ? null : textOf(cells[mapping.reference]),
      });
    }
  }

  /** "01/11/2026, Opening Balance, …": a balance with a date, which moves nothing. */
  #isBalanceRow(cells: readonly Cell[], money: Money, balance: bigint | null | undefined): boolean {
    const label = labelOf(textOf(cells[this.#mapping.narration]));
    if (label === null || label === "total") return false;
    // Some banks print the opening balance as a credit as well.
    const movesNothing = money.kind === "none" || money.kind === "zero";
    if (!movesNothing && !(money.kind === "amount" && money.kobo === balance)) return false;
    this.#keepBalance(label, balance ?? null);
    return true;
  }

  /**
   * A line's cells, with a narration that has separators of its own joined whole where it is the last column. Elsewhere
   * it would shift the amounts, so the row is refused.
   */
  #joinNarration(row: number, cells: readonly Cell[]): readonly Cell[] | null {
    const { separator, rows, isLastRowOpen } = this.#table;
    if (isLastRowOpen && row === rows.length && this.#isCutOff(cells)) {
      this.#faults.add(row, texts.cutOff);
      return null;
    }
    if (separator === null || cells.length <= this.#width) return cells;
    const last = this.#width - 1;
    if (this.#mapping.narration !== last && !this.#isWider) {
      this.#faults.add(row, texts.tooManyCells(cells.length, this.#width));
      return null;
    }
    const split = separator === "," ? this.#splitAmount(cells) : null;
    if (split !== null) {
      this.#faults.add(row, texts.thousands(split));
      return null;
    }
    return this.#isWider ? cells : [...cells.slice(0, last), cells.slice(last).map(textOf).join(separator)];
  }

  /** Whether the file's end may have cut a cell off, or what stood behind it. */
  #isCutOff(cells: readonly Cell[]): boolean {
    const last = textOf(cells.at(-1)).trim();
    const isMoney = this.#moneyColumns().includes(cells.length - 1);
    return cells.length < this.#width || (isMoney && !isEmptyAmount(last) && !/\.\d\d\D{0,4}$/.test(last));
  }

  /** Two cells side by side that may be one amount, like "5" and "000.00"; null if there are none. */
  #splitAmount(cells: readonly Cell[]): string | null {
    for (let index = 0; index + 1 < cells.length; index++) {
      const [one, next] = [textOf(cells[index]).trim(), textOf(cells[index + 1]).trim()];
      const isSplit = /^[-+(₦]{0,2}\d{1,3}$/.test(one) && /^\d{3}(?:\.\d{1,2})?\)?(?: ?[CD]R?)?$/i.test(next);
      if (isSplit) return `${one},${next}`;
    }
    return null;
  }

  #moneyColumns(): number[] {
    const { money } = this.#mapping;
    return money.kind === "two_columns" ? [money.debit, money.credit] : [money.amount];
  }

  #readMoney(cells: readonly Cell[]): Money {
    const { money } = this.#mapping;
    if (money.kind === "one_column") return readSigned(cells[money.amount], money.mark, cells);
    const debit = readSide(cells[money.debit], "debit");
    const credit = readSide(cells[money.credit], "credit");
    if (debit.kind === "fault") return debit;
    if (credit.kind === "fault") return credit;
    if (debit.kind === "amount" && credit.kind === "amount") return { kind: "fault", text: texts.bothAmounts };
    if (debit.kind === "amount") return debit;
    if (credit.kind === "amount") return credit;
    return debit.kind === "zero" ? debit : credit;
  }
}

/** The order of days and months in all dates of the file, or a {@link Refusal} if they contradict each other. */
function dayOrderOf(drafts: readonly Draft[], mapping: StatementMapping, preview: StatementFile["table"]) {
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

function lineOf(draft: Draft, order: DayOrder, faults: RowFaults): StatementLine | null {
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
  return {
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
}
