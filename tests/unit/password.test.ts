import { expect, test } from "vitest";
import { passwordFault, passwordLabel, passwordRequirements, passwordScore } from "#shared/accounts/password.ts";

test.each([
  ["", 0, "Very Weak"],
  ["snails", 1, "Very Weak"],
  ["snails12", 2, "Weak"],
  ["Snails12", 3, "Moderate"],
  ["Snails-12", 4, "Strong"],
  ["Snails-on-12", 5, "Very Strong"],
])("%s scores %i: %s", (password, score, label) => {
  expect(passwordScore(password)).toBe(score);
  expect(passwordLabel(passwordScore(password))).toBe(label);
});

test.each([
  ["Abc-123", "Password must be at least 8 characters long"],
  ["Abc-1234", null],
  ["snails12", "Please choose a stronger password that meets all requirements."],
  ["snailsandgoats", "Please choose a stronger password that meets all requirements."],
  [`Aa1-${"x".repeat(252)}`, null],
  [`Aa1-${"x".repeat(253)}`, "Password must be at most 256 characters long"],
])("%s: %s", (password, fault) => {
  expect(passwordFault(password)).toBe(fault);
});

test("each requirement has a text of its own", () => {
  expect(passwordRequirements.filter((it) => !it.isMetBy("")).map((it) => it.text)).toEqual([
    "Password must be at least 8 characters long",
    "Password should contain at least one uppercase letter",
    "Password should contain at least one lowercase letter",
    "Password should contain at least one number",
    "Password should contain at least one special character",
  ]);
  expect(passwordRequirements.every((it) => it.isMetBy("Ọ̀ṣun-river-9"))).toBe(true);
});
