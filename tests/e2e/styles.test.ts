import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "playwright/test";

// The rules of the built styles, and which of them win.

const folder = "dist/assets";
const sheets = readdirSync(folder)
  .filter((name) => name.endsWith(".css"))
  .map((name) => ({ name, css: readFileSync(`${folder}/${name}`, "utf8") }));

/** The classes of our CSS modules as the build names them, and Mantine's. */
const moduleClass = /\.(_[\w-]+_[\w-]{5}_\d+|m_[0-9a-f]+)(?![\w-])/g;
const ownRule = /\._[\w-]+_[\w-]{5}_\d+\{[^{}]*\}/g;

/** Returns what `find` finds in more than one place, with the files. */
function foundTwice(find: (css: string) => Iterable<string>) {
  const places = new Map<string, string[]>();
  for (const { name, css } of sheets)
    for (const found of find(css)) places.set(found, [...(places.get(found) ?? []), name]);
  expect(places.size).toBeGreaterThan(300);
  return [...places].filter(([, names]) => names.length > 1);
}

// Which of two copies comes last, and wins, would hang on what was loaded before.
test("no class of a CSS module is emitted twice", () => {
  const all = (css: string, pattern: RegExp) => Array.from(css.matchAll(pattern), (match) => match[1] ?? match[0]);
  expect(foundTwice((css) => new Set(all(css, moduleClass)))).toEqual([]);
  expect(foundTwice((css) => all(css, ownRule))).toEqual([]);
});
