import { inspect } from "node:util";
import { z } from "zod";
import { encodeCursor } from "#server/platform/keyset.ts";

/** Inputs that no form of ours sends, made from a procedure's own input schema. */

const MB = 1024 * 1024;

export const hostileStrings: readonly string[] = [
  "",
  " ",
  "\0",
  "before\0after",
  "\u0001\u001b[2J\u007f",
  "x".repeat(MB),
  "🐟".repeat(64),
  "👩🏿‍🌾🇳🇬",
  "\u202egnp.tpieces",
  "\ud800",
  "fish\udc00",
  "\ufeff\u200b",
  "e\u0301".repeat(40),
  "' or 1=1 --",
  "'; drop table users; --",
  "$1 $$ :id ?",
  "%",
  "_",
  "\\",
  "%_\\",
  "<img src=x onerror=alert(1)>",
  "\r\nset-cookie: session=1",
  "../../etc/passwd",
  "__proto__",
  "constructor",
  "null",
  "1e309",
  "275760-09-13T00:00:00.001Z",
];

const wrongTypes: readonly unknown[] = [
  null,
  true,
  [],
  {},
  Symbol.for("hostile"),
  () => "called",
  new Date(Number.NaN),
  new Date(8.64e15),
  new Map([["id", 1]]),
  10n ** 40n,
  { toString: () => "1", valueOf: () => 1 },
  { $ne: null },
  Array.from({ length: 20_000 }, () => 1),
  nested(2000),
];

const numbers: readonly number[] = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  -0,
  0,
  -1,
  0.1,
  1.5,
  2_147_483_647,
  2_147_483_648,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 1,
  -Number.MAX_SAFE_INTEGER,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
];

/** Well-formed cursors with values that no list of ours holds, in every order of kinds that lists use. */
const cursors: readonly string[] = [
  ...[
    Number.MAX_SAFE_INTEGER,
    -Number.MAX_SAFE_INTEGER,
    2_147_483_648,
    -1,
    0,
    8.64e15,
    8.64e15 + 1,
    -62_200_000_000_000,
  ].flatMap((value) => [
    encodeCursor([value]),
    encodeCursor([value, value]),
    encodeCursor([1, value]),
    encodeCursor([value, 1]),
  ]),
  ...["\0", "a\0b", "' or 1=1 --", "\ud800", "x".repeat(200), "%_\\"].map((value) => encodeCursor([value, value, 1])),
  encodeCursor(["1", "1", Number.MAX_SAFE_INTEGER]),
  encodeCursor(["1", "1", -Number.MAX_SAFE_INTEGER]),
  encodeCursor([]),
  Buffer.from("[null,null]").toString("base64url"),
  Buffer.from('{"__proto__":{"length":2}}').toString("base64url"),
  Buffer.from("[1e400,1]").toString("base64url"),
];

function nested(depth: number): unknown {
  let value: unknown = "bottom";
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

type Field = { type?: string; anyOf?: Field[]; enum?: unknown[]; const?: unknown; default?: unknown };

/** The fields of an object schema, as JSON Schema tells them; none for anything else. */
function fieldsOf(schema: z.ZodType): Record<string, Field> {
  const described = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return (described.properties ?? {}) as Record<string, Field>;
}

function typesOf(field: Field): string[] {
  return [field.type ?? "", ...(field.anyOf ?? []).flatMap(typesOf)].filter(Boolean);
}

/** A value that the field's type allows, where `known` has none of its name. */
function plainValue(field: Field): unknown {
  if (field.const !== undefined) return field.const;
  if (field.enum) return field.enum[0];
  if (field.default !== undefined) return field.default;
  const [type = "string"] = typesOf(field);
  if (type === "number" || type === "integer") return 1;
  if (type === "boolean") return false;
  if (type === "array") return [];
  if (type === "object") return {};
  const inner = field.anyOf?.find(({ type }) => type !== "null");
  return inner && inner !== field ? plainValue(inner) : "hostile";
}

function hostileValuesOf(name: string, field: Field): readonly unknown[] {
  const fitting = typesOf(field);
  // A field's own kind has the most ways to be wrong; of the others one each will do.
  const strings = fitting.includes("string") || fitting.length === 0 ? hostileStrings : ["1", "\0"];
  const ofNumbers = fitting.some((type) => type === "number" || type === "integer") ? numbers : [1, Number.NaN];
  return [undefined, ...wrongTypes, ...strings, ...ofNumbers, ...(name === "cursor" ? cursors : [])];
}

/** An own property of that name, which only JSON and defineProperty make. */
function polluted(input: Record<string, unknown>, key: string): Record<string, unknown> {
  const copy = { ...input };
  const value = { isAdmin: true, role: "owner", permissions: ["payments:process"] };
  Object.defineProperty(copy, key, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}

/** `kind` tells what is wrong, whichever field it is in. */
export type HostileInput = { name: string; kind: string; input: unknown };

/**
 * Inputs for one procedure, each with a short name: whatever isn't an object, a sound input with keys that pollute or
 * claim rights, and for every field the hostile values with the others sound. `known` are sound values by field name.
 */
export function* hostileInputsFor(
  schema: z.ZodType | undefined,
  known: Record<string, unknown>,
): Generator<HostileInput> {
  const whole: readonly unknown[] = [undefined, Number.NaN, "", "x".repeat(MB), ...wrongTypes];
  for (const [index, input] of whole.entries())
    yield { name: `whole input ${index}`, kind: `whole input ${index}`, input };
  const fields = schema ? fieldsOf(schema) : {};
  const sound = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, name in known ? known[name] : plainValue(field)]),
  );
  yield { name: "sound", kind: "sound", input: sound };
  for (const key of ["__proto__", "constructor", "prototype", "toString", "userId", "isAdmin", "actor"])
    yield { name: `extra key ${key}`, kind: `extra key ${key}`, input: polluted(sound, key) };
  for (const [name, field] of Object.entries(fields)) {
    for (const value of hostileValuesOf(name, field)) {
      const kind = describeValue(value);
      yield { name: `${name} = ${kind}`, kind, input: { ...sound, [name]: value } };
    }
  }
}

function describeValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  return inspect(value, { depth: 1, maxArrayLength: 2 });
}
