import { expect, test } from "vitest";
import { describeFailure } from "#server/failure.ts";
import { EnvError } from "#server/platform/env.ts";

test("a fault at the start is told with what caused it", () => {
  const refused = new Error("connect ECONNREFUSED 127.0.0.1:5432");
  const described = describeFailure(new Error("Failed query: select 1", { cause: refused }));
  expect(described).toContain("Failed query: select 1");
  expect(described).toContain("connect ECONNREFUSED 127.0.0.1:5432");
});

test("what the starting person can mend is a plain line", () => {
  expect(describeFailure(new EnvError(["PORT: must be a port number"]))).toBe("PORT: must be a port number");
});
