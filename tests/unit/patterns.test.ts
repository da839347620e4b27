import { globSync, readFileSync } from "node:fs";
import { checkSync } from "recheck";
import { type ESTree, parseSync, Visitor } from "vite";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { appRouter } from "#server/router.ts";

/**
 * No pattern takes more than linear time, whatever it is given (product decision): each is found in the source, and its
 * worst input looked for. There are no exceptions; a pattern that is only read by us is as easily written well.
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

/** What is wrong with a pattern: how its time grows, and what makes it; null where nothing is. */
function faultOf({ where, source, flags }: Pattern): string | null {
  const result = checkSync(source, flags, { timeout: null });
  if (result.status === "safe") return null;
  const found =
    result.status === "vulnerable" ? `${result.complexity.summary}, by ${result.attack.pattern}` : "unknown";
  return `${where} /${source}/${flags}: ${found}`;
}

const faultsOf = (patterns: Pattern[]) => {
  const different = new Map(patterns.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]));
  return [...different.values()].map(faultOf).filter((fault) => fault !== null);
};

const files = globSync("src/**/*.{ts,tsx}").map((file) => ({ file, ...patternsIn(file) }));

// Looked for by this process: the other ways need a program of the platform's, and one more process.
beforeAll(() => void vi.stubEnv("RECHECK_SYNC_BACKEND", "pure"));

describe("a pattern", { timeout: 120_000 }, () => {
  test("of the source takes linear time at most", () => {
    const patterns = files.flatMap((file) => file.patterns);
    expect(patterns.length).toBeGreaterThan(100);
    expect(faultsOf(patterns)).toEqual([]);
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
