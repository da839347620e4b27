import { TRPCClientError } from "@trpc/client";
import { describe, expect, test } from "vitest";
import { errorReason, errorText, fieldErrors, RequestError } from "#client/lib/errors.ts";
import { retryFailures } from "#client/lib/query-client.ts";
import { safeNext } from "#client/lib/session/guards.ts";

function refusal(reason: string, message: string, data: object = {}) {
  return TRPCClientError.from({
    error: { code: -32000, message, data: { code: "BAD_REQUEST", httpStatus: 400, reason, ...data } },
  });
}

describe("the text of an error", () => {
  test("is the server's own for what a person caused", () => {
    expect(errorText(refusal("conflict", "Already favorited"))).toBe("Already favorited");
    expect(errorText(new RequestError("invalid", "Please upload a file"))).toBe("Please upload a file");
  });

  test("is neutral for a fault of the server, whatever it says", () => {
    expect(errorText(refusal("internal", "relation does not exist"))).toBe(
      "Something went wrong. Please try again later.",
    );
    expect(errorText(new Error("x is undefined"))).toBe("Something went wrong. Please try again later.");
  });

  test("speaks of the connection when nothing answered", () => {
    const lost = TRPCClientError.from(new TypeError("Failed to fetch"));
    expect(errorReason(lost)).toBe("network");
    expect(errorText(lost)).toBe("Network error. Please check your internet connection.");
  });

  test("does not take a mistake in our code for a lost connection", () => {
    expect(errorReason(new TypeError("undefined is not a function"))).toBe("internal");
  });

  test("speaks of too many attempts when a proxy said so in its own way", () => {
    const refused = TRPCClientError.from(new SyntaxError("Unexpected token"), { meta: { response: { status: 429 } } });
    expect(errorText(refused)).toBe("Too many attempts. Please try again later.");
  });

  test("speaks of too many people when the server refused before it looked at the call", () => {
    const refused = TRPCClientError.from(new SyntaxError("no result"), { meta: { response: { status: 503 } } });
    expect(errorReason(refused)).toBe("unavailable");
    expect(errorText(refused)).toBe("Too many people are here right now. Please try again in a few seconds.");
  });

  test("says that nothing is known when there is no error", () => {
    expect(errorText(undefined)).toBe("An unknown error occurred.");
    const empty = TRPCClientError.from(new Error("no result"), { meta: { response: { status: 200 } } });
    expect(errorText(empty)).toBe("An unknown error occurred.");
  });
});

test("a form gets the first text of each refused field", () => {
  const fields = { email: ["Valid email is required", "Too long"], name: [], odd: "text" };
  expect(fieldErrors(refusal("invalid", "Please check", { fields }))).toEqual({ email: "Valid email is required" });
  expect(fieldErrors(new Error("no fields"))).toEqual({});
});

test("failures are tried again, refusals are not", () => {
  const retry = retryFailures(1);
  expect(retry(0, new TypeError("Failed to fetch"))).toBe(true);
  expect(retry(1, new TypeError("Failed to fetch"))).toBe(false);
  expect(retry(0, refusal("not_found", "Project not found"))).toBe(false);
});

test("after signing in nobody is sent to another site", () => {
  expect(safeNext("/project/7?tab=updates", "/profile")).toBe("/project/7?tab=updates");
  for (const next of [
    undefined,
    "",
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
  ]) {
    expect(safeNext(next, "/profile")).toBe("/profile");
  }
});
