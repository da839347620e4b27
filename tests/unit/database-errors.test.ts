import { DrizzleQueryError } from "drizzle-orm";
import { expect, test } from "vitest";
import { databaseErrorOf, isRolledBack, isSerializationFailure, isUniqueViolation } from "#server/db/errors.ts";

const refusal = (fields: object) => Object.assign(new Error("refused"), { severity: "ERROR", ...fields });

test("the database's error is found under any number of wrappers", () => {
  const wrapped = new DrizzleQueryError("insert", [], refusal({ code: "23505", constraint_name: "users_email_key" }));
  expect(isUniqueViolation(new Error("outer", { cause: wrapped }), "users_email_key")).toBe(true);
});

test("the constraint is named by either driver's field", () => {
  expect(databaseErrorOf(refusal({ code: "23505", constraint: "by_name" }))?.constraint).toBe("by_name");
});

test("a refused statement is sure not to be committed; a connection that was ended leaves it open", () => {
  expect(isRolledBack(refusal({ code: "23505" }))).toBe(true);
  expect(isRolledBack(refusal({ code: "57P01", severity: "FATAL" }))).toBe(false);
  expect(isRolledBack(new Error("CONNECTION_CLOSED"))).toBe(false);
});

test.each(["40001", "40P01"])("%s is a lost race", (code) => {
  expect(isSerializationFailure(refusal({ code }))).toBe(true);
});

test.each([
  ["a network error", Object.assign(new Error("away"), { code: "EPIPE" })],
  ["an ordinary error", new Error("23505")],
  ["something else that was thrown", "23505"],
])("%s is none of the database's", (_, error) => {
  expect(databaseErrorOf(error)).toBeUndefined();
  expect(isUniqueViolation(error)).toBe(false);
});
