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
  // The last lines of a long run keep a failure's first line only: it names the texts.
  expect(errors, `console.error was called: ${errors.map((text) => text.split("\n", 1)[0]).join(" | ")}`).toEqual([]);
});
