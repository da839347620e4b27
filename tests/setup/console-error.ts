import { afterEach, beforeEach, expect, vi } from "vitest";

// An error that only reaches the console is one that nobody reads: it fails the test it happened in.
// A test that expects one spies on console.error itself.
const original = console.error;
let errors: string[] = [];

beforeEach(() => {
  errors = [];
  console.error = (...words: unknown[]) => {
    errors.push(words.map(String).join(" "));
    original(...words);
  };
});

afterEach(() => {
  vi.restoreAllMocks();
  console.error = original;
  expect(errors, "console.error was called").toEqual([]);
});
