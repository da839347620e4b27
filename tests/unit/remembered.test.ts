import { describe, expect, test } from "vitest";
import { remembered } from "#server/core/remembered.ts";

describe("a remembered function", () => {
  test("is asked once for each text, as long as there is room for it", () => {
    const asked: string[] = [];
    const shout = remembered((text) => {
      asked.push(text);
      return text.toUpperCase();
    }, 8);
    expect(["ab", "ab", "cd", "ab"].map(shout)).toEqual(["AB", "AB", "CD", "AB"]);
    expect(asked).toEqual(["ab", "cd"]);
    // Eight letters are kept: the text that was used longest ago goes.
    expect(shout("ef")).toBe("EF");
    expect(["ab", "ef", "cd"].map(shout)).toEqual(["AB", "EF", "CD"]);
    expect(asked).toEqual(["ab", "cd", "ef", "cd"]);
  });

  test("answers also what is longer than its room", () => {
    const double = remembered((text) => text + text, 4);
    expect([double("long"), double("long"), double("a")]).toEqual(["longlong", "longlong", "aa"]);
  });
});
