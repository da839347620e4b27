import { expect, test } from "vitest";
import { later, loadTheRest } from "#server/core/later.ts";

test("what is loaded later is loaded once, when it is first needed or with the rest", async () => {
  const loaded: string[] = [];
  const load = (name: string) => later(async () => loaded.push(name));
  const needed = load("needed");
  load("not needed yet");
  expect(loaded).toEqual([]);
  await Promise.all([needed(), needed()]);
  expect(loaded).toEqual(["needed"]);
  await loadTheRest();
  await needed();
  expect(loaded).toEqual(["needed", "not needed yet"]);
});

test("what can't be loaded is told with the rest, even if nobody needs it", async () => {
  later(() => Promise.reject(new Error("not for this processor")));
  await expect(loadTheRest()).rejects.toThrow("not for this processor");
});
