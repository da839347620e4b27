import { globSync, readFileSync } from "node:fs";
import { checkSync } from "recheck";
import { type ESTree, parseSync, Visitor } from "vite";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { appRouter } from "#server/router.ts";
import { isLong } from "#tests/support/length.ts";

/**
 * No pattern takes more than linear time on any input (product decision): the test finds each one in the source and
 * searches for its worst input. There are no exceptions, because a pattern for our own texts is as easily written well.
 */
type Pattern = { where: string; source: string; flags: string };

function patternsIn(file: string): { patterns: Pattern[]; made: string[] } {
  const text = readFileSync(file, "utf8");
  const placeOf = (offset: number) => `${file}:${text.slice(0, offset).split("\n").length}`;
  const patterns: Pattern[] = [];
  const made: string[] = [];
  const noteCall = ({ callee, start }: ESTree.NewExpression | ESTree.CallExpression) => {
    if (callee.type === "Identifier" && callee.name === "RegExp") made.push(placeOf(start));
  };
  new Visitor({
    Literal(node) {
      if (!("regex" in node)) return;
      patterns.push({ where: placeOf(node.start), source: node.regex.pattern, flags: node.regex.flags });
    },
    NewExpression: noteCall,
    CallExpression: noteCall,
  }).visit(parseSync(file, text).program);
  return { patterns, made };
}

/** Returns a pattern's fault (how its time grows, and an input that makes it grow), or null if it is safe. */
function faultOf({ where, source, flags }: Pattern): string | null {
  const result = checkSync(source, flags, { timeout: null });
  if (result.status === "safe") return null;
  const found =
    result.status === "vulnerable" ? `${result.complexity.summary}, by ${result.attack.pattern}` : "unknown";
  return `${where} /${source}/${flags}: ${found}`;
}

const textOf = ({ source, flags }: Pick<Pattern, "source" | "flags">) => `/${source}/${flags}`;

const faultsOf = (patterns: Pattern[]) => {
  const different = new Map(patterns.map((pattern) => [textOf(pattern), pattern]));
  return [...different.values()].map(faultOf).filter((fault) => fault !== null);
};

/**
 * Patterns found linear that are slow to check: they take two thirds of the time. The nightly run checks them again. A
 * changed one isn't in this set, so it is checked at once.
 */
const knownLinear = new Set(
  [
    /(?:t|,? )\d{1,2}[:.]\d\d(?:[:.]\d\d(?:[.,]\d{1,9})?)?(?: ?[ap]\.?m\.?)?(?: ?\(?[a-z]{1,4}\)?)?(?: ?[-+]\d{1,2}:?(?:\d\d)?)?(?: \([a-z ]+\))?$/,
    /<\/?(?:p|h[2-4]|li|ul|ol|blockquote|hr|br|img)\b[^<>]*>/,
    /<p>\s*\{\{\s*(cookielist|storagelist)\s*\}\}\s*<\/p>/g,
    /^[^\p{L}]*bal(?:ance)?[^\p{L}\p{M}]+([bc])[^\p{L}\p{M}\p{N}&+]*f(?:wd)?(?![\p{L}\p{M}])/iu,
    /(\b[A-Z]{2,5}-[0-9A-Z]{4}-[0-9A-Z]{4}(?: \d+\/\d+)?)/,
    /\b[A-Z]{2,5}[\s-]+([2-9A-HJKMNP-TW-Z]{4}[\s-]?[2-9A-HJKMNP-TW-Z]{4})\b/g,
    /\nparams: [\s\S]*?(?=\n {4}at |$)/,
    /^(\d{6})(\d{4})?(R?[CD])[A-Z]?(\d{1,13},\d{0,2})[A-Z][A-Z0-9]{3}(.*)$/,
    /(\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*\u200d)(?=\p{Extended_Pictographic})|[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu,
    /^\/(\d{1,15})(?:\/([0-9a-f]+))?\/?$/,
    /(^|\/\/[^/]+)\/report\/[^/]+/i,
    /^\p{L}[\p{L}\p{N} ,.'-]{0,99}$/u,
    /^\/([\w.-]{1,100})\/videos\/(?:[\w.%-]+\/)?(\d{1,20})\/?$/,
    /^[\x20-\x7e]{1,255}$/,
    /U\.?S\.?(?=\s*\$)/i,
    /<[^<>]*>|&\w{1,10};/g,
    /^[^\p{L}]*([bc])[^\p{L}\p{M}\p{N}&+]+f(?:wd)?(?![\p{L}\p{M}])(?:[^\p{L}\p{M}]|ngn|naira|n)*$/iu,
  ].map(textOf),
);

const files = globSync("src/**/*.{ts,tsx}").map((file) => ({ file, ...patternsIn(file) }));

// Checks in this process: the other backends need a native program and one more process.
beforeAll(() => void vi.stubEnv("RECHECK_SYNC_BACKEND", "pure"));

describe("a pattern", { timeout: 120_000 }, () => {
  test("of the source takes linear time at most", () => {
    const patterns = files.flatMap((file) => file.patterns);
    expect(patterns.length).toBeGreaterThan(100);
    expect([...knownLinear].filter((known) => !patterns.some((pattern) => textOf(pattern) === known))).toEqual([]);
    expect(faultsOf(isLong ? patterns : patterns.filter((pattern) => !knownLinear.has(textOf(pattern))))).toEqual([]);
  });

  test("is never put together at run time, where nobody could look at it", () => {
    expect(files.flatMap(({ made }) => made)).toEqual([]);
  });

  test("that the validation library brings along takes linear time at most", () => {
    type Procedure = { _def: { inputs: z.ZodType[] } };
    const flat: object = appRouter._def.procedures;
    const inputs = Object.values(flat as Record<string, Procedure>).flatMap(({ _def }) => _def.inputs);
    const described = inputs.map((input) =>
      JSON.stringify(z.toJSONSchema(input, { io: "input", unrepresentable: "any" })),
    );
    const sources = described.flatMap((schema) => [...schema.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)]);
    const patterns = sources.map(([, source = ""]) => {
      return { where: "an input", source: JSON.parse(source) as string, flags: "u" };
    });
    expect(patterns.length).toBeGreaterThan(5);
    expect(faultsOf(patterns)).toEqual([]);
  });

  test.each(["<[^>]*>", "\\s+$", "^(a+)+$", "(a|a)*b"])("like /%s/ would be found", (source) => {
    expect(faultOf({ where: "here", source, flags: "" })).toContain("here");
  });
});
