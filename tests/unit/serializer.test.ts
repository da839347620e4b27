import fc from "fast-check";
import superjson, { type SuperJSONResult } from "superjson";
import { describe, expect, test } from "vitest";
import { toWire } from "#server/platform/serializer.ts";

/** Names that superjson refuses, which have a test of their own. Random texts are these now and then. */
const refused = ["__proto__", "constructor", "prototype"];
const names = fc
  .oneof(fc.string(), fc.constantFrom("a", "a.b", "a\\b", "", "0", "toString", "é 🐌"))
  .filter((name) => !refused.includes(name));
const leaves = fc.oneof(
  fc.string(),
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
  fc.integer(),
  fc.double(),
  fc.bigInt(),
  fc.date({ noInvalidDate: false }),
);
const answers = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 5 }, leaves, tie("list"), tie("object")),
  list: fc.array(tie("any"), { maxLength: 5 }),
  object: fc.dictionary(names, tie("any"), { maxKeys: 5, noNullPrototype: true }),
})).any;

/** Serializes without superjson's list of identical values, because it takes equal bigints for one value. */
function withoutReferences(value: unknown): SuperJSONResult {
  const { json, meta } = superjson.serialize(value);
  if (!meta) return { json };
  const { referentialEqualities: _, ...ofValues } = meta;
  return { json, meta: ofValues };
}

describe("an answer on the wire", () => {
  test("is what superjson writes", () => {
    fc.assert(
      fc.property(answers, (value) => {
        // By way of text, as it goes over the wire; the order of names means nothing.
        expect(JSON.parse(JSON.stringify(toWire(value)))).toStrictEqual(
          JSON.parse(JSON.stringify(withoutReferences(value))),
        );
      }),
      { numRuns: 2000 },
    );
  });

  test("says of equal bigints what they are, and not that they are one", () => {
    const farm = { goal: 5n, raised: 5n };
    expect(superjson.serialize(farm).meta?.referentialEqualities).toEqual({ goal: ["raised"] });
    expect(toWire(farm)).toEqual(withoutReferences(farm));
    expect(superjson.deserialize(toWire(farm))).toEqual(farm);
  });

  test.each([
    ["a map", new Map([["a", 1n]])],
    ["a set", new Set([1])],
    ["an error", { error: new Error("no") }],
    ["an address", [new URL("https://gona.example/")]],
    ["no number", { a: Number.NaN, b: Number.POSITIVE_INFINITY, c: -0 }],
    ["bytes", new Uint8Array([1, 2])],
  ])("holds %s as superjson does", (_name, value) => {
    expect(toWire(value)).toEqual(superjson.serialize(value));
  });

  test.each(refused)("refuses the name %s as superjson does", (name) => {
    const value = JSON.parse(`{"a":{"${name}":1}}`) as unknown;
    expect(() => superjson.serialize(value)).toThrow("prototype pollution");
    expect(() => toWire(value)).toThrow("prototype pollution");
  });

  test("gives an object that stands twice as two equal ones", () => {
    const farm = { goal: 5n };
    expect(superjson.deserialize(toWire({ first: farm, second: [farm] }))).toEqual({ first: farm, second: [farm] });
  });
});
