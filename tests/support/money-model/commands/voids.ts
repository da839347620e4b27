import fc from "fast-check";
import * as calls from "#tests/support/money-model/calls.ts";
import { command } from "#tests/support/money-model/command.ts";
import { areTwoThere } from "#tests/support/money-model/second-person.ts";
import { type Model, standingLines } from "#tests/support/money-model/state.ts";
import { importRightFile, linesAfterGaps, voidData } from "#tests/support/money-model/voids.ts";
import { openLines } from "./bank.ts";
import { owner, place, placesOf, type Weighted } from "./drawn.ts";

/**
 * Bank data that two owners void. The right file is the next one that is imported, or one of the days that the void
 * ones had.
 */

const voiding = <What extends "line" | "statement" | "opening">(what: What) =>
  fc.record({ what: fc.constant(what), line: place, statement: place });
const isPossible = (model: Model) => areTwoThere(model) && model.statements.length > 0;
const rule = { call: calls.voidData, rule: voidData, isPossible };

export const ofVoids = {
  "void a line": command(3, voiding("line"), {
    ...rule,
    needs: (model) => openLines(() => true)(model).map((line) => ({ line })),
  }),
  "void a statement": command(3, voiding("statement"), {
    ...rule,
    needs: (model) => placesOf(model.statements, ({ isVoid }) => !isVoid).map((statement) => ({ statement })),
  }),
  "void the opening": command(3, voiding("opening"), {
    ...rule,
    needs: (model) => (model.openedOn !== null && standingLines(model).length === 0 ? [{}] : []),
  }),
  "import the right file": command(4, fc.record({ caller: owner, line: place }), {
    isPossible: (model, { line }) => linesAfterGaps(model).includes(line),
    needs: (model) => linesAfterGaps(model).map((line) => ({ line })),
    call: calls.importRightFile,
    rule: importRightFile,
  }),
} satisfies Weighted;
