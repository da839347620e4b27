import {
  type DayOrder,
  type LeftOutKind,
  type StatementFormat,
  statementLimits,
  statementTexts,
  statementRowTexts as texts,
} from "#shared/bank/statement-texts.ts";
import type { StatementMapping } from "#shared/bank/statements.ts";
import { isEmptyAmount } from "./amounts.ts";
import { findGaps, oldestFirst, printedBalance } from "./balances.ts";
import {
  amountBeside,
  type Cell,
  isMarkedAsText,
  isMeantAsSum,
  type Label,
  labelOf,
  type Money,
  readBalance,
  readSide,
  readSigned,
  type Table,
  textOf,
} from "./cells.ts";
import {
  columnsOf,
  type FoundColumns,
  findColumns,
  findMoreTexts,
  isCurrencyTitle,
  normalTitle,
  withoutEmptyEnd,
} from "./columns.ts";
import { currencyOfPreamble, findForeignCurrency, readCurrency, refuseForeignCurrency } from "./currencies.ts";
import { looksLikeDate, readWrittenDay, type WrittenDay } from "./dates.ts";
import { settleDoubts } from "./doubts.ts";
import { type Draft, findDays, lineOf } from "./drafts.ts";
import { notesOfLeftOut, nothingLeftOut, Refusal, RowFaults, type StatementFile, shown } from "./statement.ts";
import { findStatusColumns, type RowStatus, readStatus, type StatusColumn } from "./statuses.ts";

/**
 * From the rows of a table (CSV, a spreadsheet, an HTML table) to lines. Nothing is guessed: what can be read in two
 * ways is a fault with its row.
 */

const firstTexts = (table: Table): string[][] =>
  table.rows.slice(0, statementLimits.headingRows).map((row) => row.map(textOf));

/** True if the columns of a table are known, by the mapping or by their names. */
export const hasKnownColumns = (table: Table, kept: StatementMapping | null): boolean =>
  findColumns(firstTexts(table), kept) !== null;

/**
 * `kept` are the columns of the account, and `keptDayOrder` is how its earlier statements were proved to write their
 * days.
 */
export function readTable(
  table: Table,
  format: StatementFormat,
  { kept, keptDayOrder }: { kept: StatementMapping | null; keptDayOrder: DayOrder | null },
): StatementFile {
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
  const days = findDays(body.drafts, { mapping: columns.mapping, keptDayOrder, preview });
  const dated = body.drafts.flatMap((draft) => lineOf(draft, days.order, faults) ?? []);
  const { leftOut, openingKobo, hasPlainDebits } = body;
  const lines = settleDoubts(dated, { openingKobo, hasPlainDebits, leftOut, faults });
  faults.throwIfAny(preview);
  if (lines.length === 0) throw new Refusal([{ row: null, text: statementTexts.noLines }], 0, preview);
  if (lines.length > statementLimits.lines) throw new Refusal(statementTexts.tooManyLines);

  const sorted = oldestFirst(lines);
  const oldest = sorted[0];
  const derived = oldest?.balanceKobo != null ? oldest.balanceKobo - oldest.amountKobo : null;
  const closing = body.closingKobo ?? sorted.findLast(({ balanceKobo }) => balanceKobo !== null)?.balanceKobo ?? null;
  return {
    kind: "read",
    format,
    table: preview,
    account: body.account,
    lines: sorted,
    days: null,
    dayOrder: days.isTold ? { order: days.order, isProved: days.isProved } : null,
    openingKobo: openingKobo ?? derived,
    closingKobo: closing,
    gaps: findGaps([printedBalance(openingKobo), ...sorted, printedBalance(body.closingKobo)]),
    leftOut,
    notes: [...days.notes, ...notesOfLeftOut(leftOut)],
  };
}

type Fault = { kind: "fault"; text: string };
type Outcome = Fault | { kind: "line"; draft: Draft } | { kind: "left_out"; as: LeftOutKind };

const fault = (text: string): Fault => ({ kind: "fault", text });
const leftOut = (as: LeftOutKind): Outcome => ({ kind: "left_out", as });

/** Reads row by row; what the rows say of the whole is asked for when all are read. */
class TableBody {
  readonly drafts: Draft[] = [];
  openingKobo: bigint | null = null;
  closingKobo: bigint | null = null;
  account: string | null = null;
  /** True if a debit is printed without a minus. */
  hasPlainDebits = false;
  readonly leftOut = nothingLeftOut();

  readonly #table: Table;
  readonly #mapping: StatementMapping;
  readonly #headingIndex: number;
  readonly #faults: RowFaults;
  readonly #width: number;
  readonly #isWider: boolean;
  readonly #statuses: StatusColumn[];
  readonly #moreTexts: number[];
  #currencyColumn = -1;
  /** True if dates stand here without a mark that keeps them as text. */
  readonly #hasPlainDates: boolean;

  constructor(table: Table, { mapping, headingIndex, isAsked }: FoundColumns, faults: RowFaults) {
    this.#table = table;
    this.#mapping = mapping;
    this.#headingIndex = headingIndex;
    this.#faults = faults;
    this.#moreTexts = findMoreTexts(mapping);
    const lines = table.rows.filter(
      (row, index) => index > headingIndex && this.#writtenDay(row, mapping.date).kind !== "none",
    );
    const { width, isWider } = this.#measure(lines, isAsked);
    this.#width = width;
    this.#isWider = isWider;
    this.#hasPlainDates = lines.some((row) => !isMarkedAsText(row[mapping.date]));
    const titles = (table.rows[headingIndex] ?? []).map(textOf);
    const texts = lines.map((row) => row.map(textOf));
    this.#statuses = findStatusColumns(titles, texts, new Set(columnsOf(mapping)));
    this.#refuseOtherCurrency(titles, texts);
  }

  /** Refuses a file in another currency, as its headings and a column for the currency tell. */
  #refuseOtherCurrency(titles: readonly string[], lines: readonly (readonly string[])[]): void {
    const { balance } = this.#mapping;
    const sums = [...this.#moneyColumns(), ...(balance === null ? [] : [balance])];
    for (const title of sums.map((column) => titles[column] ?? "")) refuseForeignCurrency(findForeignCurrency(title));
    const column = titles.findIndex(isCurrencyTitle);
    const told = new Set(column < 0 ? [] : lines.map((row) => readCurrency(row[column] ?? "")));
    const [only = null] = told;
    if (told.size === 1) refuseForeignCurrency(only);
    this.#currencyColumn = column;
  }

  /**
   * How many cells a line has: as many as there are headings, or as the shortest has. All lines may have the same number
   * of cells more, empty ones or, where a person has looked at the columns, any; a single line may be a shifted one.
   */
  #measure(lines: readonly (readonly Cell[])[], isAsked: boolean): { width: number; isWider: boolean } {
    const { rows } = this.#table;
    const least = lines.reduce((width, row) => Math.min(width, row.length), Number.POSITIVE_INFINITY);
    const width = this.#headingIndex < 0 ? least : (rows[this.#headingIndex]?.length ?? 0);
    const isPadded = (row: readonly Cell[]) => row.slice(width).every((cell) => textOf(cell).trim() === "");
    const isWider = lines.length > 1 && lines.every((row) => row.length === least && (!isAsked || isPadded(row)));
    return { width, isWider };
  }

  /** Reads the row. None below the headings vanishes: each is a line, left out and counted, or a fault. */
  read(index: number): void {
    const cells = this.#table.rows[index] ?? [];
    if (index <= this.#headingIndex) {
      if (index < this.#headingIndex) this.#readPreamble(cells, this.#table.rows[index + 1] ?? []);
      return;
    }
    const date = this.#writtenDay(cells, this.#mapping.date);
    const outcome = date.kind === "none" ? this.#readOther(index + 1, cells) : this.#readLine(index + 1, cells, date);
    if (outcome.kind === "fault") this.#faults.add(index + 1, outcome.text);
    else if (outcome.kind === "left_out") this.leftOut[outcome.as] += 1;
    else this.drafts.push(outcome.draft);
  }

  #writtenDay(cells: readonly Cell[], column: number): WrittenDay {
    const cell = cells[column];
    if (typeof cell === "object") return "day" in cell ? readWrittenDay(cell.day) : { kind: "none" };
    return readWrittenDay(textOf(cell));
  }

  #readPreamble(cells: readonly Cell[], below: readonly Cell[]): void {
    refuseForeignCurrency(currencyOfPreamble(cells.map(textOf)));
    this.#readSummary(cells);
    for (const [index, cell] of cells.entries()) {
      if (this.account !== null || !/^account n(?:o|um)/i.test(textOf(cell).trim())) continue;
      // The number stands beside its label, or under it.
      for (const near of [...cells.slice(index, index + 4), below[index]]) {
        this.account ??= /(?:^|\D)(\d{10})(?:\D|$)/.exec(textOf(near))?.[1] ?? null;
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
  #readOther(row: number, cells: readonly Cell[]): Outcome {
    const filled = cells.flatMap((cell, index) => (textOf(cell).trim() === "" ? [] : [index]));
    if (filled.length === 0 || this.#isHeading(cells)) return leftOut("other");
    const dateText = textOf(cells[this.#mapping.date]);
    const noDate = fault(dateText.trim() === "" ? texts.noDate : texts.noDay(shown(dateText)));
    const { narration, balance } = this.#mapping;
    if (looksLikeDate(dateText) && filled.includes(narration)) return noDate;
    if (this.drafts.length === 0) refuseForeignCurrency(currencyOfPreamble(cells.map(textOf)));
    if (this.#readSummary(cells, balance)) return leftOut("other");
    const last = this.drafts.at(-1);
    if (last?.endRow === row - 1 && filled.length === 1 && filled[0] === narration) {
      last.narration += ` ${textOf(cells[narration])}`;
      last.endRow = row;
      return leftOut("other");
    }
    const money = this.#readMoney(cells);
    const hasAmount = money.kind === "amount" || this.#moneyColumns().some((column) => isMeantAsSum(cells[column]));
    if (hasAmount && money.kind !== "zero") return noDate;
    if (balance !== null && filled.length > 1 && isMeantAsSum(cells[balance])) return noDate;
    if (findColumns([cells.map(textOf)], null) !== null) return fault(texts.otherTable);
    return leftOut("other");
  }

  #isHeading(cells: readonly Cell[]): boolean {
    const titles = withoutEmptyEnd(this.#mapping.titles);
    return (
      titles.length > 0 && titles.every((title, index) => normalTitle(title) === normalTitle(textOf(cells[index])))
    );
  }

  #readLine(row: number, raw: readonly Cell[], date: WrittenDay): Outcome {
    const joined = this.#joinNarration(row, raw);
    if (joined.kind === "fault") return joined;
    const { cells } = joined;
    const mapping = this.#mapping;
    const dateText = textOf(cells[mapping.date]);
    if (this.#hasPlainDates && isMarkedAsText(cells[mapping.date])) {
      return fault(texts.editedDate(shown(String(cells[mapping.date]))));
    }
    const status = this.#readStatus(cells);
    if (typeof status === "object") return status;
    if (status === "failed" || status === "pending") return leftOut(status);
    const currency = this.#currencyColumn < 0 ? null : readCurrency(textOf(cells[this.#currencyColumn]));
    if (currency !== null) return fault(texts.otherCurrency(shown(currency)));
    const money = this.#readMoney(cells);
    const balance = mapping.balance === null ? undefined : readBalance(cells[mapping.balance]);
    if (this.#isBalanceRow(cells, money, balance)) return leftOut("other");
    if (money.kind === "fault") return money;
    if (money.kind === "none") return fault(texts.noAmount);
    if (balance === null) return fault(texts.badBalance(shown(textOf(cells[mapping.balance ?? 0]))));
    if (money.kind === "zero") return leftOut("zero");
    const { kobo, turned = null } = money;
    if (turned === null && kobo < 0n) this.hasPlainDebits = true;
    const isReversed = status === "reversed";
    const valueDateText = mapping.valueDate === null ? "" : textOf(cells[mapping.valueDate]);
    const draft: Draft = {
      row,
      endRow: row,
      date,
      dateText,
      valueDate: isEmptyAmount(valueDateText) ? null : this.#writtenDay(cells, mapping.valueDate ?? 0),
      valueDateText,
      kobo,
      balanceKobo: balance ?? null,
      narration: this.#narrationOf(cells),
      bankReference: mapping.reference === null ? null : textOf(cells[mapping.reference]),
      doubt: isReversed || turned !== null ? { isReversed, turned } : null,
    };
    return { kind: "line", draft };
  }

  /** The texts of a line; one that another says already isn't repeated. */
  #narrationOf(cells: readonly Cell[]): string {
    const texts = [this.#mapping.narration, ...this.#moreTexts].map((column) => textOf(cells[column]).trim());
    return texts.reduce((all, text) => (all.includes(text) ? all : `${all} ${text}`));
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
  #joinNarration(row: number, cells: readonly Cell[]): Fault | { kind: "cells"; cells: readonly Cell[] } {
    const { separator, rows, isLastRowOpen } = this.#table;
    if (isLastRowOpen && row === rows.length && this.#isCutOff(cells)) return fault(texts.cutOff);
    if (separator === null || cells.length <= this.#width) return { kind: "cells", cells };
    const last = this.#width - 1;
    if (this.#mapping.narration !== last && !this.#isWider) return fault(texts.tooManyCells(cells.length, this.#width));
    const split = separator === "," ? this.#splitAmount(cells) : null;
    if (split !== null) return fault(texts.thousands(split));
    const joined = [...cells.slice(0, last), cells.slice(last).map(textOf).join(separator)];
    return { kind: "cells", cells: this.#isWider ? cells : joined };
  }

  /** Reads from the status columns whether the row was booked. A column that says no outweighs the others. */
  #readStatus(cells: readonly Cell[]): RowStatus | Fault {
    const said = new Set<RowStatus>();
    for (const column of this.#statuses) {
      const text = textOf(cells[column.column]);
      const status = readStatus(column, text);
      if (status === null) {
        const title = shown(column.title);
        return fault(text.trim() === "" ? texts.noStatus(title) : texts.unknownStatus(title, shown(text)));
      }
      said.add(status);
    }
    return (["failed", "pending", "reversed"] as const).find((status) => said.has(status)) ?? "booked";
  }

  /** True if the file's end may have cut a cell off, or what stood behind it. */
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
