import { statementLimits, statementTexts, statementRowTexts as texts } from "#shared/bank/statement-texts.ts";
import { readAmount } from "./amounts.ts";
import { type BalancePoint, joinParts, printedBalance, type StatementPart } from "./balances.ts";
import { refuseForeignCurrency } from "./currencies.ts";
import { dayOf } from "./dates.ts";
import { findSessionId } from "./narrations.ts";
import {
  cleanText,
  type Day,
  nothingLeftOut,
  Refusal,
  RowFaults,
  readTexts,
  type StatementFile,
  type StatementLine,
  shown,
} from "./statement.ts";

/**
 * SWIFT MT940: one or more statements of tagged fields, each with an opening balance (:60F:), lines (:61:) with their
 * narration (:86:), and a closing balance (:62F:). A statement of several pages has :60M: and :62M: between them.
 */

/** The most lines of text in a file: a line of the statement has up to seven, and each page a few. */
const MAX_LINES = 10 * statementLimits.lines;

interface Field {
  tag: string;
  row: number;
  /** The field's lines; the first is what follows the tag. */
  lines: string[];
}

export function readMt940(text: string): StatementFile {
  const faults = new RowFaults();
  const parts: StatementPart[] = [];
  const accounts = new Set<string>();
  let part: StatementPart | null = null;
  let line: StatementLine | null = null;
  let count = 0;
  for (const field of fieldsOf(text)) {
    const { tag, row, lines } = field;
    const first = lines[0] ?? "";
    if (tag === "25") accounts.add(first.replace(/[^A-Z0-9]/gi, ""));
    if (/^60[FM]$/.test(tag)) {
      part = { lines: [], opening: readBalance(field, faults), closing: null };
      parts.push(part);
    } else if (/^62[FM]$/.test(tag) && part) {
      part.closing = readBalance(field, faults);
    } else if (tag === "61") {
      count += 1;
      if (count > statementLimits.lines) throw new Refusal(statementTexts.tooManyLines);
      line = readLine(field, faults);
      if (!part || part.closing) faults.add(row, texts.outsideStatement);
      else if (line) part.lines.push(line);
      continue;
    } else if (tag === "86" && line) {
      addText(line, lines, faults);
      continue;
    }
    // A :86: that follows anything but a line, or more of its text, tells of the statement.
    line = null;
  }
  faults.throwIfAny();
  // The bank closes what it opens: a statement without its closing balance was cut off.
  if (parts.length === 0 || parts.some(({ closing }) => closing === null)) throw new Refusal(statementTexts.damaged);
  if (accounts.size > 1) throw new Refusal(statementTexts.severalAccounts);
  const [account = null] = accounts;
  return {
    kind: "read",
    format: "mt940",
    table: null,
    account,
    ...joinParts(parts),
    dayOrder: null,
    leftOut: nothingLeftOut(),
    notes: [],
  };
}

/** Within a statement stand lines and their texts until its closing balance, and nothing else. */
const tagsWithin = /^:(61|86|6[02][FM]|NS):/;
const tagsAround = /^:(20|21|13D?|25P?|28C?|34F|6[024-5][FM]?|61|86|90[CD]|NS):/;

/**
 * A field begins with its tag, and goes on to the next tag or to the end of the message: a dash alone. A payer's text may
 * begin with either, like ":26:37" or "-": within a statement only what can stand there ends it.
 */
function* fieldsOf(text: string): Generator<Field> {
  let field: Field | null = null;
  /** True if the statement isn't closed yet, and whether its last field is a line or a line's text. */
  let [isOpen, isWithin] = [false, false];
  for (const [index, line] of text.split(/\r\n|\r|\n/, MAX_LINES + 1).entries()) {
    if (index === MAX_LINES) throw new Refusal(statementTexts.tooManyLines);
    const isText = isOpen && isWithin;
    const tag = (isText ? tagsWithin : tagsAround).exec(line)?.[1];
    const isEnd = /^-\}$/.test(line.trimEnd()) || (!isText && line.trimEnd() === "-");
    if (tag === undefined && !isEnd) {
      field?.lines.push(line);
      continue;
    }
    if (field) yield field;
    field = tag === undefined ? null : { tag, row: index + 1, lines: [line.slice(tag.length + 2)] };
    if (tag !== undefined && /^6[02][FM]$/.test(tag)) isOpen = tag.startsWith("60");
    if (isEnd) isOpen = false;
    isWithin = tag === "61" || tag === "86";
  }
  if (field) yield field;
}

/** Adds the text of a :86: to its line: there may be several, and the line's own second row holds text as well. */
function addText(line: StatementLine, lines: readonly string[], faults: RowFaults): void {
  const { text, name } = readSubfields(lines.join(""));
  const joined = [line.narration, text].filter((part) => part !== "").join(" ");
  const { narration } = readTexts(faults, line.row, { narration: joined, bankReference: null });
  line.narration = narration;
  line.counterparty ??= cleanText(name) || null;
  line.sessionId = findSessionId(narration, line.bankReference);
}

const subfieldMarks = { "?": /\?(?=\d\d)/, ">": />(?=\d\d)/, "~": /~(?=\d\d)/ } as const;
const isRemittance = (code: number): boolean => (code >= 20 && code <= 29) || (code >= 60 && code <= 63);
const isName = (code: number): boolean => code === 32 || code === 33;

/**
 * A text in subfields, like "166?00TRANSFER?20FARM-7K3P-9?21Q2M?32ADA OKAFOR", also with ">" or "~". What was paid for is
 * cut in pieces that belong together, so they are joined as they stand. Any other text is given whole.
 */
function readSubfields(whole: string): { text: string; name: string } {
  const [, mark] = /^\d{3}([?>~])\d\d/.exec(whole) ?? /^([?>~])(?:00|10|20)/.exec(whole) ?? [];
  if (mark === undefined) return { text: whole, name: "" };
  const [, ...pieces] = whole.split(subfieldMarks[mark as keyof typeof subfieldMarks]);
  const fields = pieces.map((piece) => ({ code: Number(piece.slice(0, 2)), text: piece.slice(2) }));
  const join = (wanted: (code: number) => boolean, separator: string) =>
    fields
      .filter(({ code, text }) => wanted(code) && text.trim() !== "")
      .map(({ text }) => text)
      .join(separator);
  const texts = [
    join((code) => code === 0, " "),
    join(isRemittance, ""),
    // The number of the bank's booking sheet (10) and a key to the kind of text (34) tell nothing.
    join((code) => code !== 0 && code !== 10 && code !== 34 && !isRemittance(code) && !isName(code), " "),
  ];
  return { text: texts.filter((text) => text !== "").join(" "), name: join(isName, "") };
}

/** "5000,00" is whole in its comma: there are no separators of thousands. */
const readSum = (text: string): bigint | null => readAmount(text.replace(/,$/, ",0").replace(",", "."))?.kobo ?? null;

const readDay = (text: string): Day | null =>
  dayOf(2000 + Number(text.slice(0, 2)), Number(text.slice(2, 4)), Number(text.slice(4, 6)));

function readBalance({ row, lines }: Field, faults: RowFaults): BalancePoint {
  const text = lines[0] ?? "";
  const [, mark = "", day = "", currency = "", sum = ""] =
    /^([CD])(\d{6})([A-Z]{3})(\d{1,13},\d{0,2})$/.exec(text.trim()) ?? [];
  const kobo = readSum(sum);
  const date = readDay(day);
  if (kobo === null || mark === "") faults.add(row, texts.badBalance(shown(text)));
  else if (date === null) faults.add(row, texts.impossibleDay(day));
  else refuseForeignCurrency(currency);
  return printedBalance(mark === "D" && kobo !== null ? -kobo : kobo, date);
}

/** Value date, booking date, direction, the currency's last letter, amount, kind, references, and details below. */
const linePattern = /^(\d{6})(\d{4})?(R?[CD])[A-Z]?(\d{1,13},\d{0,2})[A-Z][A-Z0-9]{3}(.*)$/;

function readLine({ row, lines }: Field, faults: RowFaults): StatementLine | null {
  const match = linePattern.exec((lines[0] ?? "").trim());
  if (!match) {
    faults.add(row, texts.badField(":61:", shown(lines[0] ?? "")));
    return null;
  }
  const [, value = "", booking, mark = "", sum = "", references = ""] = match;
  const kobo = readSum(sum);
  const valueDate = readDay(value);
  const date = booking === undefined ? valueDate : bookingDay(value, booking);
  if (kobo === null) faults.add(row, texts.badAmount(shown(sum)));
  if (valueDate === null || date === null) faults.add(row, texts.impossibleDay(`${value}${booking ?? ""}`));
  if (kobo === null || date === null) return null;
  const [given = "", bank = ""] = references.split("//", 2);
  const own = cleanText(given);
  const { narration, bankReference } = readTexts(faults, row, {
    narration: lines.slice(1).join(""),
    bankReference: bank,
  });
  const isReversal = mark.startsWith("R");
  // A reversal of a credit takes money out.
  const isCredit = mark.endsWith("C") !== isReversal;
  return {
    row,
    date,
    valueDate,
    amountKobo: isCredit ? kobo : -kobo,
    balanceKobo: null,
    narration,
    bankReference,
    customerReference: own === "" || own === "NONREF" ? null : own,
    counterparty: null,
    sessionId: findSessionId(narration, bankReference),
    isReversal,
  };
}

/** The booking date has no year: it is the one nearest to the value date. */
function bookingDay(value: string, booking: string): Day | null {
  const months = Number(booking.slice(0, 2)) - Number(value.slice(2, 4));
  const year = 2000 + Number(value.slice(0, 2)) + (months > 6 ? -1 : months < -6 ? 1 : 0);
  return dayOf(year, Number(booking.slice(0, 2)), Number(booking.slice(2, 4)));
}
