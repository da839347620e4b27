import { expect, test } from "vitest";
import { readSessionTimeout, warningLead } from "#shared/sessions.ts";

test("the administrators' timeout is whole minutes from 1 to 1440, else 30", () => {
  expect(["1", "45", "1440"].map(readSessionTimeout)).toEqual([1, 45, 1440]);
  expect(["0", "-1", "1441", "2.5", "soon", "", null, undefined].map(readSessionTimeout)).toEqual(Array(8).fill(30));
});

test("the warning comes 5 minutes before the end, for administrators 2, and at half of a short limit", () => {
  expect(warningLead("backer", 60)).toBe(300_000);
  expect(warningLead("admin", 30)).toBe(120_000);
  expect(warningLead("admin", 2)).toBe(60_000);
  expect(warningLead("admin", 1)).toBe(30_000);
  expect(warningLead("admin", 3)).toBe(120_000);
});
