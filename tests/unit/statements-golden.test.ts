import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readStatement } from "#server/features/bank/statements/read.ts";
import type { StatementFile, StatementLine, StatementRefusal } from "#server/features/bank/statements/statement.ts";
import { statementFormats } from "#shared/bank/statement-texts.ts";

/**
 * Every file of tests/golden/statements is read as the JSON beside it says: its lines, what is left out, or why it is
 * refused. `npx vitest run --project unit -u statements-golden` writes what is read now, to be looked at before it is
 * kept.
 */

const folder = "tests/golden/statements";
const files = globSync("*/*", { cwd: folder, exclude: ["**/*.json"] }).sort();

/** Leaves out empty facts. */
const filled = (facts: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(facts).filter(([, fact]) => fact !== null && fact !== false && fact !== "" && fact !== undefined),
  );

const inNaira = (kobo: bigint | null) => (kobo === null ? null : (Number(kobo) / 100).toFixed(2));

const toldLine = ({ amountKobo, balanceKobo, ...line }: StatementLine) =>
  filled({ ...line, amount: inNaira(amountKobo), balance: inNaira(balanceKobo) });

function told(result: StatementFile | StatementRefusal) {
  if (result.kind === "refused") return { refused: result.faults.map(({ text }) => text) };
  const { format, table, account, lines, days, dayOrder, openingKobo, closingKobo, gaps, leftOut, notes } = result;
  const counted = Object.entries(leftOut).filter(([, count]) => count > 0);
  return filled({
    format,
    bank: table?.bank,
    account,
    days: lines.length === 0 ? days : null,
    dayOrder: dayOrder && `${dayOrder.order}${dayOrder.isProved ? ", proved" : ""}`,
    opening: inNaira(openingKobo),
    closing: inNaira(closingKobo),
    lines: lines.map(toldLine),
    gaps: gaps.length > 0 && gaps.map(({ missingKobo, ...gap }) => ({ ...gap, missing: inNaira(missingKobo) })),
    leftOut: counted.length > 0 && Object.fromEntries(counted),
    notes: notes.length > 0 && notes,
  });
}

test.each(files)("%s", async (file) => {
  const result = await readStatement(readFileSync(`${folder}/${file}`));
  await expect(`${JSON.stringify(told(result), null, 2)}\n`).toMatchFileSnapshot(`../golden/statements/${file}.json`);
});

test("each format has a file that is read", () => {
  const said = files.map((file) => JSON.parse(readFileSync(`${folder}/${file}.json`, "utf8")).format);
  expect(new Set(said.filter((format) => format !== undefined))).toEqual(new Set(statementFormats));
});
