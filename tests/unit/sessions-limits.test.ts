import { expect, test } from "vitest";
import { readSessionTimeout } from "#shared/accounts/sessions.ts";

test("the administrators' timeout is whole minutes from 1 to 1440, else 30", () => {
  expect(["1", "45", "1440"].map(readSessionTimeout)).toEqual([1, 45, 1440]);
  expect(["0", "-1", "1441", "2.5", "soon", "", null, undefined].map(readSessionTimeout)).toEqual(Array(8).fill(30));
});
