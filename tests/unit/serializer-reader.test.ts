import fc from "fast-check";
import superjson from "superjson";
import { describe, expect, test } from "vitest";
import { fromWire, parseRequest } from "#server/platform/serializer.ts";

/** Inputs as forms and lists send them: no number that JSON can't hold. */
const forbidden = ["__proto__", "constructor", "prototype"];
const names = fc
  .oneof(fc.string(), fc.constantFrom("a", "a.b", "a\\b", "a\\.b", "0", "length", "toString", "é 🐌"))
  .filter((name) => !forbidden.includes(name) && name !== "");
const leaves = fc.oneof(
  fc.string(),
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
  fc.integer(),
  fc.bigInt({ min: -(10n ** 30n) + 1n, max: 10n ** 30n - 1n }),
  // Often twice in one input, which superjson takes for one value.
  fc.constantFrom(0n, 250_000_00n),
  fc.date({ noInvalidDate: true }),
);
const inputs = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 5 }, leaves, tie("list"), tie("object")),
  list: fc.array(tie("any"), { maxLength: 5 }),
  object: fc.dictionary(names, tie("any"), { maxKeys: 5, noNullPrototype: true }),
})).any;

const refusal = expect.objectContaining({ code: "BAD_REQUEST" });
const refused = (run: () => unknown) => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe("an input from the browser", () => {
  test("is read as it was before superjson wrote it", () => {
    fc.assert(
      fc.property(inputs, (value) => {
        expect(fromWire(parseRequest(superjson.stringify(value), 1))).toStrictEqual(value);
      }),
      { numRuns: 2000 },
    );
  });

  const at = new Date("2026-11-22T08:00:00.000Z");
  const same = ["a"];
  test.each([
    ["nothing", undefined],
    ["a moment", at],
    ["the last moment there is", new Date(8.64e15)],
    ["thirty digits", -(10n ** 30n - 1n)],
    [
      "a project as its form sends it",
      { title: "Fish", seenUpdatedAt: at, rewards: [{ quantity: null, amount: "5" }] },
    ],
    ["a field left out", { projectId: 1, email: undefined }],
    ["a line in equal parts", { lineId: 7, parts: [{ amountKobo: 5n }, { amountKobo: 5n }] }],
    ["what is all of one line", { seenMatchedKobo: 5n, parts: [{ amountKobo: 5n }] }],
    ["one moment twice", [at, at]],
    ["one list twice and nothing else", [same, same]],
  ])("may be %s", (_name, value) => {
    expect(fromWire(superjson.serialize(value))).toStrictEqual(value);
  });

  const at1 = "2026-11-22T08:00:00.000Z";
  test.each<[string, unknown]>([
    ["no envelope", 5],
    ["a list as its envelope", [{ json: 1 }]],
    ["an envelope without a value", {}],
    ["notes that are none", { json: 1, meta: null }],
    ["notes as a list", { json: 1, meta: [] }],
    ["notes of another version", { json: { a: at1 }, meta: { values: { a: ["Date"] } } }],
    ["notes of another kind", { json: 1, meta: { v: 1, more: {} } }],
    ...["set", "map", "regexp", "Error", "URL", "number", "date", "toString", "__proto__"].map(
      (type): [string, unknown] => [`the type ${type}`, { json: { a: null }, meta: { values: { a: [type] }, v: 1 } }],
    ),
    ...[
      ["class", "User"],
      ["custom", "Decimal"],
      ["symbol", "x"],
      ["typed-array", "Uint8Array"],
    ].map((type): [string, unknown] => [`a ${type[0]}`, { json: { a: null }, meta: { values: { a: [type] }, v: 1 } }]),
    ["a type with types within", { json: { a: at1 }, meta: { values: { a: ["Date", { b: ["Date"] }] }, v: 1 } }],
    ["a type that is no list", { json: { a: at1 }, meta: { values: { a: "Date" }, v: 1 } }],
    ["no type", { json: { a: at1 }, meta: { values: { a: [] }, v: 1 } }],
    ...["", "b", "a.b", "a.0", "a.length", ".a", "a.", "toString", "__proto__", "a\\x"].map(
      (path): [string, unknown] => [
        `the path ${JSON.stringify(path)}`,
        { json: { a: at1 }, meta: { values: { [path]: ["Date"] }, v: 1 } },
      ],
    ),
    ["a path through a list's length", { json: { a: [1] }, meta: { values: { "a.length": ["bigint"] }, v: 1 } }],
    ["two paths to one value", { json: { a: [at1] }, meta: { values: { "a.0": ["Date"], "a.00": ["Date"] }, v: 1 } }],
    ...[
      "",
      "soon",
      "2026",
      "2026-02-30T08:00:00.000Z",
      "2026-11-22",
      "+275760-09-13T00:00:00.001Z",
      1,
      null,
      [at1],
    ].map((date): [string, unknown] => [
      `the date ${JSON.stringify(date)}`,
      { json: { a: date }, meta: { values: { a: ["Date"] }, v: 1 } },
    ]),
    ...["", "-", "1.5", "0x10", "1n", " 1", "1\n", "٣", "1".repeat(31), 1, null].map((digits): [string, unknown] => [
      `the bigint ${JSON.stringify(digits)}`,
      { json: { a: digits }, meta: { values: { a: ["bigint"] }, v: 1 } },
    ]),
    ["undefined that is something", { json: { a: "x" }, meta: { values: { a: ["undefined"] }, v: 1 } }],
  ])("is refused with %s", (_name, sent) => {
    expect(refused(() => fromWire(sent))).toEqual(refusal);
  });

  test.each<[string, unknown]>([
    ["to what isn't there", { a: ["b.c"] }],
    ["in a circle", { a: ["a.a"] }],
    ["to a prototype", { a: ["__proto__.isAdmin", "constructor.prototype.isAdmin"] }],
    ["of no sense", 7],
  ])("is read without the references %s", (_name, referentialEqualities) => {
    const meta = { values: { "a.b": ["bigint"] }, referentialEqualities, v: 1 };
    expect(fromWire({ json: { a: { b: "5" } }, meta })).toStrictEqual({ a: { b: 5n } });
    expect(Reflect.get({}, "isAdmin")).toBeUndefined();
  });

  test("reaches no prototype", () => {
    for (const path of ["__proto__.isAdmin", "constructor.prototype.isAdmin", "a.__proto__.isAdmin"]) {
      const json = JSON.parse('{"a":{"__proto__":{"isAdmin":null}},"__proto__":{"isAdmin":null}}') as unknown;
      expect(refused(() => fromWire({ json, meta: { values: { [path]: ["undefined"] }, v: 1 } }))).toEqual(refusal);
      expect(Reflect.get({}, "isAdmin")).toBeUndefined();
    }
  });
});

describe("a request's JSON", () => {
  const within = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  const many = (count: number) => `[${Array.from({ length: count }, () => "1").join(",")}]`;

  test.each([
    ["as deep as it may be", within(13), 1],
    ["as deep as it may be in a batch", within(14), 2],
    ["of as many values as it may hold", many(4998), 1],
    [
      "with brackets and commas in texts only",
      JSON.stringify(["[".repeat(9000), ",".repeat(9000), '\\"[{,'.repeat(999)]),
      1,
    ],
    ["with texts that end in backslashes", JSON.stringify(["\\", "\\\\", '\\"', "[".repeat(99)]), 1],
  ])("is read %s", (_name, text, levelsAround) => {
    expect(parseRequest(text, levelsAround)).toEqual(JSON.parse(text));
  });

  test.each([
    ["one level deeper", within(14), 1],
    ["of one value more", many(5000), 1],
    ["of many empty lists", `[${"[],".repeat(5000)}1]`, 1],
    ["that ends in a text", '["a', 1],
    ["that ends in a backslash", '["a\\', 1],
    ["that closes more than it opens", `${"]".repeat(99)}${within(13)}`, 1],
    ["of nothing", "", 1],
  ])("is refused %s", (_name, text, levelsAround) => {
    expect(refused(() => parseRequest(text, levelsAround))).toEqual(refusal);
  });
});
