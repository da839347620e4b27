import { voidTexts as texts } from "#shared/bank/void-texts.ts";
import { matchSureRuns } from "./payouts.ts";
import { confirmByTwo } from "./second-person.ts";
import { at, type Model, Refused, require, restKobo, standingLines } from "./state.ts";

/** Bank data that was wrong: a line, a file, or the balance before the first line. Two owners say so; its rows stay. */

export type Voiding = { what: "line" | "statement" | "opening"; line: number; statement: number };

export function voidData(model: Model, args: Voiding) {
  const { what } = args;
  if (what === "opening") {
    if (model.openedOn === null) throw new Refused("conflict", texts.notOpened);
    const left = standingLines(model).length;
    if (left > 0) throw new Refused("conflict", texts.hasLines(left));
    model.openedOn = null;
  } else {
    const isThere = what === "line" ? !at(model.lines, args.line).isVoid : !at(model.statements, args.statement).isVoid;
    if (!isThere) throw new Refused("not_found", texts.gone);
    const gone = standingLines(model).filter((line) =>
      what === "line" ? line === args.line : at(model.lines, line).statement === args.statement,
    );
    const matched = gone.filter((line) => {
      const { amountKobo } = at(model.lines, line);
      return restKobo(model, line) !== (amountKobo < 0n ? -amountKobo : amountKobo);
    });
    if (matched.length > 0) throw new Refused("conflict", texts.matched(matched.length));
    takeOut(model, gone);
    if (what === "statement") at(model.statements, args.statement).isVoid = true;
  }
  confirmByTwo(model, "void_bank_data");
  return {};
}

export type RightFile = { caller: number; line: number };

/** Lines that void ones left a gap before. */
export const linesAfterGaps = (model: Readonly<Model>): number[] =>
  standingLines(model).filter((line) => at(model.lines, line).gapKobo !== 0n);

/** Imports the money missing before a line as one line, which closes the gap. The line itself is known already. */
export function importRightFile(model: Model, { caller, line }: RightFile) {
  require(model, caller, "bank:import");
  const next = at(model.lines, line);
  const before = standingLines(model).filter((other) => at(model.lines, other).position < next.position);
  const last = before.length === 0 ? next.position - 1 : at(model.lines, before.at(-1) ?? -1).position;
  const statement = model.statements.length;
  const balanceKobo = next.balanceKobo - next.amountKobo;
  const position = (last + next.position) / 2;
  const { day, gapKobo: amountKobo } = next;
  model.lines.push({ amountKobo, day, statement, position, balanceKobo, gapKobo: 0n, isVoid: false });
  next.gapKobo = 0n;
  model.statements.push({ importedAt: model.now, day, isVoid: false });
  model.audit.push("import_statement");
  matchSureRuns(model);
  return { lines: 1 };
}

/** Voids lines. Their money becomes a gap before the next line that stands, whose printed balance stays true. */
function takeOut(model: Model, gone: readonly number[]): void {
  const standing = standingLines(model).filter((line) => !gone.includes(line));
  for (const line of gone) {
    const out = at(model.lines, line);
    const next = standing.find((other) => at(model.lines, other).position > out.position);
    if (next !== undefined) at(model.lines, next).gapKobo += out.amountKobo + out.gapKobo;
    Object.assign(out, { isVoid: true, gapKobo: 0n });
  }
}
