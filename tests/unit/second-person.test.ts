import { expect, test } from "vitest";
import { askSecondPersonInput } from "#shared/second-person/inputs.ts";
import { secondPersonKinds } from "#shared/second-person/texts.ts";

test("whatever takes two people can be asked for", () => {
  const asked = askSecondPersonInput.options.map(({ shape }) => shape.kind.value);
  expect(new Set<string>(asked)).toEqual(new Set(secondPersonKinds));
});
