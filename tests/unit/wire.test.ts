import { expect, test } from "vitest";
import { wire } from "#shared/wire.ts";

const overJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test("an answer comes back with its moments and bigints, however deep", () => {
  const answer = {
    items: [{ amountKobo: 125_000_000_000_000_000n, submittedAt: new Date("2026-11-21T09:00:00.123Z"), reason: null }],
    nextCursor: null,
    total: 0,
  };
  expect(wire.output.deserialize(overJson(wire.output.serialize(answer)))).toEqual(answer);
});

test.each([[null], [undefined], [7n], [new Date(0)], [[]], ["2026-11-21"]])("an answer of %s comes back", (answer) => {
  expect(wire.output.deserialize(overJson(wire.output.serialize(answer)))).toEqual(answer);
});

test("an input is taken as it is: no tag makes anything else of it", () => {
  const input = { $bigint: "7", nested: { $date: "x" } };
  expect(wire.input.deserialize({ json: input })).toBe(input);
});

test.each([[null], [7], ["{}"], [[]], [{}]])("%j is no envelope: no value", (envelope) => {
  expect(wire.input.deserialize(envelope)).toBeUndefined();
});
