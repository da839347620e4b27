import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bankLayouts } from "#server/features/bank/statements/columns.ts";
import { readStatement } from "#server/features/bank/statements/read.ts";
import { isLong } from "#tests/support/length.ts";
import {
  columnsOf,
  dayStyles,
  encodings,
  moneyStyles,
  type Statement,
  type TableStyle,
  type Truth,
  tableRows,
  withBalances,
  writeCamt,
  writeCsv,
  writeHtml,
  writeMt940,
  writeXlsx,
} from "#tests/support/statement-files.ts";

/** Whatever a bank has to tell, in whichever layout: reading what was written gives back what was true. */

const runs = isLong ? 10_000 : 300;
/** The runs for slow formats: archives, and what may be one. */
const fewerRuns = isLong ? runs : 100;
const patience = { timeout: runs * 400 };

const dayOf = (days: number): string => new Date(Date.UTC(2026, 0, 1) + days * 86_400_000).toISOString().slice(0, 10);

/** Without what a bank's text can't hold: line breaks, spaces side by side or at the ends. */
const textOf = (characters: string, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), maxLength }).map((text) => text.replace(/ +/g, " ").trim());

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefgh0123456789";
const narrations = {
  any: `${letters} ,;:/-'"&<>()%#@?àéñ€ẹọṣɓ`,
  /** The characters that Windows-1252 shares with Latin-1. */
  western: `${letters} ,;:/-'"&<>()àéñ`,
  /** SWIFT's characters, without those that begin a field or end a message. */
  swift: `${letters} ,/()+`,
} as const;

const statementOf = (characters: string): fc.Arbitrary<Statement> =>
  fc
    .record({
      openingKobo: fc.bigInt({ min: -10_000_000n, max: 100_000_000_00n }),
      truths: fc.array(
        fc.record({
          gap: fc.integer({ min: 0, max: 20 }),
          late: fc.option(fc.integer({ min: 0, max: 5 }), { nil: null }),
          kobo: fc.bigInt({ min: 1n, max: 1_000_000_000_00n }),
          isCredit: fc.boolean(),
          // "B/F" beside an amount that is the balance is the balance brought forward; a ' in front is no part of a cell.
          narration: textOf(characters, 120).filter((text) => !/^'|^[^\p{L}]*[bc][^\p{L}]*f/iu.test(text)),
          bankReference: fc.option(textOf(letters, 16), { nil: null }),
        }),
        { minLength: 1, maxLength: 12 },
      ),
    })
    .map(({ openingKobo, truths }) => {
      let days = 0;
      return {
        openingKobo,
        truths: truths.map(({ gap, late, kobo, isCredit, narration, bankReference }, index): Truth => {
          // On one day alone only the balances tell which line is older, and not always.
          days += index === 1 ? gap + 1 : gap;
          return {
            date: dayOf(days),
            valueDate: late === null ? null : dayOf(days + late),
            amountKobo: isCredit ? kobo : -kobo,
            narration,
            bankReference: bankReference || null,
          };
        }),
      };
    });

const styles: fc.Arbitrary<TableStyle> = fc.record({
  layout: fc.integer({ min: 0, max: bankLayouts.length - 1 }),
  day: fc.constantFrom(...(Object.keys(dayStyles) as (keyof typeof dayStyles)[])),
  money: fc.constantFrom(...(Object.keys(moneyStyles) as (keyof typeof moneyStyles)[])),
  isNewestFirst: fc.boolean(),
  hasPreamble: fc.boolean(),
  hasClosing: fc.boolean(),
  emptyCell: fc.constantFrom("", "-", "0.00"),
});

/** The truths as a layout can tell them: not all have a value date, a reference and a balance. */
function toldBy(statement: Statement, layout: number) {
  const columns = columnsOf(layout);
  return withBalances(statement).map(({ bankReference, valueDate, balanceKobo, ...rest }) => ({
    ...rest,
    balanceKobo: columns.includes("balance") ? balanceKobo : null,
    bankReference: columns.includes("reference") ? bankReference : null,
    valueDate: columns.includes("valueDate") ? valueDate : null,
  }));
}

const isAbove12 = (day: string | null) => Number(day?.slice(8) ?? 0) > 12;

/** A style that the statement's days allow: the month first can only be known by a day above 12. */
const fitting = (style: TableStyle, { truths }: Statement): TableStyle =>
  style.day === "american" && !truths.some(({ date }) => isAbove12(date)) ? { ...style, day: "slashes" } : style;

async function read(bytes: Uint8Array) {
  const result = await readStatement(bytes);
  expect(result).toMatchObject({ kind: "read", gaps: [] });
  if (result.kind !== "read") throw new Error("refused");
  const lines = result.lines.map(({ date, valueDate, amountKobo, balanceKobo, narration, bankReference }) => {
    return { date, valueDate, amountKobo, balanceKobo, narration, bankReference };
  });
  return { ...result, lines };
}

async function expectTold(bytes: Uint8Array, statement: Statement, { layout, hasPreamble, hasClosing }: TableStyle) {
  const hasBalances = columnsOf(layout).includes("balance");
  const { lines, openingKobo, closingKobo } = await read(bytes);
  expect(lines).toEqual(toldBy(statement, layout));
  expect(openingKobo).toBe(hasBalances || hasPreamble ? statement.openingKobo : null);
  expect(closingKobo).toBe(hasBalances || hasClosing ? withBalances(statement).at(-1)?.balanceKobo : null);
}

describe("reading gives back what was written", patience, () => {
  test("in CSV of each bank, with each separator and encoding", async () => {
    await fc.assert(
      fc.asyncProperty(
        styles,
        statementOf(narrations.any),
        fc.constantFrom(",", ";", "\t"),
        fc.constantFrom("utf8", "bom", "utf16le", "utf16be"),
        fc.constantFrom("\n", "\r\n"),
        async (style, statement, separator, encoding, newline) => {
          const rows = tableRows(statement, fitting(style, statement));
          const bytes = encodings[encoding](writeCsv(rows, separator, newline));
          await expectTold(bytes, statement, style);
        },
      ),
      { numRuns: runs },
    );
  });

  test("in CSV with the characters of Windows", async () => {
    await fc.assert(
      fc.asyncProperty(styles, statementOf(narrations.western), async (style, statement) => {
        const plain: TableStyle = { ...fitting(style, statement), money: "grouped" };
        await expectTold(encodings.cp1252(writeCsv(tableRows(statement, plain))), statement, style);
      }),
      { numRuns: runs },
    );
  });

  test("in the web page that GTBank calls .xls", async () => {
    await fc.assert(
      fc.asyncProperty(styles, statementOf(narrations.any), async (style, statement) => {
        const bytes = encodings.utf8(writeHtml(tableRows(statement, fitting(style, statement))));
        await expectTold(bytes, statement, style);
      }),
      { numRuns: runs },
    );
  });

  test("in .xlsx, with real numbers and dates or with texts", async () => {
    await fc.assert(
      fc.asyncProperty(styles, statementOf(narrations.any), fc.boolean(), async (style, statement, isTyped) => {
        await expectTold(await writeXlsx(statement, style, { isTyped }), statement, style);
      }),
      { numRuns: fewerRuns },
    );
  });

  test("in MT940, reversals included", async () => {
    await fc.assert(
      fc.asyncProperty(statementOf(narrations.swift), fc.array(fc.nat(11)), async (statement, reversed) => {
        const reversals = new Set(reversed);
        const { lines, openingKobo, closingKobo } = await read(encodings.utf8(writeMt940(statement, reversals)));
        const told = withBalances(statement);
        expect(lines).toEqual(
          told.map((line) => ({ ...line, valueDate: line.valueDate ?? line.date, balanceKobo: null })),
        );
        expect([openingKobo, closingKobo]).toEqual([statement.openingKobo, told.at(-1)?.balanceKobo]);
      }),
      { numRuns: runs },
    );
  });

  test("in CAMT.053 of both versions, reversals and pending entries included", async () => {
    await fc.assert(
      fc.asyncProperty(
        statementOf(narrations.any),
        fc.record({
          version: fc.constantFrom("02", "08"),
          prefix: fc.constantFrom("", "ns2"),
          reversals: fc.array(fc.nat(11)).map((rows) => new Set(rows)),
          pending: fc.nat(3),
        }),
        async (statement, options) => {
          const result = await read(encodings.utf8(writeCamt(statement, options)));
          expect(result.lines).toEqual(withBalances(statement).map((line) => ({ ...line, balanceKobo: null })));
          expect(result.openingKobo).toBe(statement.openingKobo);
          expect(result.leftOut.pending).toBe(options.pending);
        },
      ),
      { numRuns: runs },
    );
  });
});

describe("a file that is no statement", patience, () => {
  const refuses = async (bytes: Uint8Array) => {
    const result = await readStatement(bytes);
    if (result.kind === "read") return false;
    expect(result.faults).not.toEqual([]);
    for (const { text } of result.faults) expect(text).toMatch(/^.{5,300}[.]$/s);
    return true;
  };

  test("of random bytes is refused in words, behind each beginning", async () => {
    const beginnings = [
      "",
      "PK\x03\x04",
      "%PDF-",
      ":20:A\n:60F:",
      "<Document><BkToCstmrStmt>",
      "<html><table><tr>",
      "Date,Description,Amount,Balance\n",
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...beginnings),
        fc.uint8Array({ maxLength: 2000, size: "max" }),
        async (beginning, bytes) => {
          expect(await refuses(Buffer.concat([Buffer.from(beginning, "latin1"), bytes]))).toBe(true);
        },
      ),
      { numRuns: runs },
    );
  });

  const whole = fc.oneof(
    fc
      .tuple(styles, statementOf(narrations.any))
      .map(([style, statement]) => Buffer.from(writeHtml(tableRows(statement, style)))),
    statementOf(narrations.swift).map((statement) => Buffer.from(writeMt940(statement))),
    statementOf(narrations.any).map((statement) => Buffer.from(writeCamt(statement))),
  );

  test("was cut off is refused: the web page, MT940, CAMT.053", async () => {
    await fc.assert(
      fc.asyncProperty(whole, fc.nat(1000), async (bytes, part) => {
        // What follows the last table, balance or element may be missing.
        const end = Math.floor(((bytes.length - 40) * part) / 1001);
        expect(await refuses(bytes.subarray(0, end))).toBe(true);
      }),
      { numRuns: runs },
    );
  });

  test("is damaged in a few bytes is refused, or read: nothing is thrown", async () => {
    const xlsx = fc.tuple(styles, statementOf(narrations.any), fc.boolean());
    const files = fc.oneof(
      whole.map((bytes) => Promise.resolve<Uint8Array>(bytes)),
      fc.tuple(styles, statementOf(narrations.any)).map(async ([style, statement]) => {
        return Buffer.from(writeCsv(tableRows(statement, style)));
      }),
      xlsx.map(([style, statement, isTyped]) => writeXlsx(statement, style, { isTyped })),
    );
    const damages = fc.array(fc.tuple(fc.nat(100_000), fc.nat(255)), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(files, damages, async (file, damage) => {
        const bytes = Buffer.from(await file);
        for (const [at, value] of damage) bytes[at % bytes.length] = value;
        await refuses(bytes);
      }),
      { numRuns: fewerRuns },
    );
  });

  test("was cut off is refused: .xlsx", async () => {
    await fc.assert(
      fc.asyncProperty(styles, statementOf(narrations.any), fc.nat(1000), async (style, statement, part) => {
        const bytes = await writeXlsx(statement, style, { isTyped: true });
        expect(await refuses(bytes.subarray(0, Math.floor((bytes.length * part) / 1001)))).toBe(true);
      }),
      { numRuns: fewerRuns },
    );
  });

  test("is CSV and was cut off: it is refused, or the lines that are whole are read as they are", async () => {
    await fc.assert(
      fc.asyncProperty(styles, statementOf(narrations.any), fc.nat(1000), async (style, statement, part) => {
        const text = writeCsv(tableRows(statement, { ...style, isNewestFirst: false, day: "named" }));
        const cut = await readStatement(Buffer.from(text.slice(0, Math.floor((text.length * part) / 1001))));
        if (cut.kind === "refused") return;
        const told = toldBy(statement, style.layout);
        // The narration of the last line may have lost its end, where it is the last column.
        for (const [index, { date, amountKobo }] of cut.lines.entries()) {
          expect({ date, amountKobo }).toEqual({ date: told[index]?.date, amountKobo: told[index]?.amountKobo });
        }
      }),
      { numRuns: runs },
    );
  });
});

describe("below the headings of a table", () => {
  type Row = { becomes: "line" | "failed" | "pending" | "zero" | "other" | "fault"; cells: string[] };
  const heading = ["Date", "Narration", "Debit", "Credit", "Balance", "Status"];
  const word = textOf("ABCDEFGHIJ", 8).map((text) => `NIP ${text}`.trim());
  const day = fc.integer({ min: 13, max: 28 }).map((date) => `${date}/11/2026`);
  const sum = fc.integer({ min: 1, max: 9_999_999 }).map((kobo) => (kobo / 100).toFixed(2));
  const badDay = fc.constantFrom(
    "13//11/2026",
    "31/02/2026",
    "2026-11-23-1",
    "13/11",
    "'13/11/2026",
    "13 Brumaire 2026",
  );
  const badSum = fc.constantFrom("5O,000.00", "'50O.00", "1.2.3", "1,00", "5e3", "50.000", "N5k", "--5.00");
  const rowOf = (becomes: Row["becomes"], ...cells: fc.Arbitrary<string>[]): fc.Arbitrary<Row> =>
    fc.tuple(...cells).map((texts) => ({ becomes, cells: texts }));
  const is = (text: string) => fc.constant(text);
  const booked = fc.constantFrom("SUCCESSFUL", "Completed", "posted");
  const rows: fc.Arbitrary<Row> = fc.oneof(
    { weight: 6, arbitrary: rowOf("line", day, word, is(""), sum, is(""), booked) },
    { weight: 3, arbitrary: rowOf("line", day, word, sum, is("0.00"), is(""), booked) },
    rowOf("failed", day, word, is(""), fc.oneof(sum, badSum), is(""), fc.constantFrom("FAILED", "Declined")),
    rowOf("pending", day, word, sum, is(""), is(""), fc.constantFrom("PENDING", "In progress")),
    rowOf("zero", day, word, is("0.00"), is("-"), is(""), booked),
    rowOf("other", is("")),
    rowOf("other", ...heading.map(is)),
    rowOf("other", is("TOTAL"), is(""), sum, sum, is(""), is("")),
    rowOf("other", is("Closing Balance"), is(""), is(""), is(""), sum, is("")),
    rowOf("other", fc.constantFrom("Page 2 of 7", "This is a computer generated statement")),
    rowOf("fault", badDay, word, is(""), sum, is(""), booked),
    rowOf("fault", badDay, word, is(""), badSum, is(""), booked),
    rowOf("fault", is(""), word, badSum, is(""), is(""), booked),
    rowOf("fault", day, word, is(""), badSum, is(""), booked),
    rowOf("fault", day, word, sum, is(""), is(""), fc.constantFrom("QUERIED", "")),
    rowOf("fault", day, word, is(""), is(""), is(""), booked),
  );
  const outcomeOf = (table: string[][]) =>
    readStatement(Buffer.from(writeCsv([heading, ["28/11/2026", "NIP", "", "1.00", "", "POSTED"], ...table])));
  const sumOf = (counts: Record<string, number>) => Object.values(counts).reduce((all, count) => all + count, 0);

  test("each row is a line, left out and counted, or a named fault", patience, async () => {
    const property = fc.asyncProperty(fc.array(rows, { maxLength: 20 }), async (drawn) => {
      const result = await outcomeOf(drawn.map(({ cells }) => cells));
      const faulty = drawn.flatMap(({ becomes }, index) => (becomes === "fault" ? [index + 3] : []));
      if (result.kind === "refused") {
        expect(new Set(result.faults.map(({ row }) => row))).toEqual(new Set(faulty));
        return;
      }
      expect(faulty).toEqual([]);
      const count = (wanted: Row["becomes"]) => drawn.filter(({ becomes }) => becomes === wanted).length;
      expect(result.lines).toHaveLength(1 + count("line"));
      const { failed, pending, zero, other } = result.leftOut;
      expect({ failed, pending, zero, other }).toEqual({
        failed: count("failed"),
        pending: count("pending"),
        zero: count("zero"),
        other: count("other"),
      });
    });
    await fc.assert(property, { numRuns: runs });
  });

  test("nothing that anybody may write there is lost", patience, async () => {
    const cell = fc.oneof(day, sum, badDay, badSum, word, fc.string({ maxLength: 12 }), is(""), booked);
    const table = fc.array(fc.array(cell, { minLength: 1, maxLength: heading.length }), { maxLength: 6 });
    const property = fc.asyncProperty(table, async (cells) => {
      const result = await outcomeOf(cells);
      if (result.kind === "read") expect(result.lines.length + sumOf(result.leftOut)).toBe(1 + cells.length);
      else expect(result.faults.length).toBeGreaterThan(0);
    });
    await fc.assert(property, { numRuns: runs });
  });
});
