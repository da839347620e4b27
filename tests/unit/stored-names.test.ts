import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { cookies, localNames, tabNames } from "#shared/site/stored-names.ts";

// The cookies page tells people what we keep in their browser. These tests find what the code really keeps.

const sources = globSync("src/**/*.{ts,tsx}")
  .filter((file) => !file.endsWith(".gen.ts"))
  .map((file) => readFileSync(file, "utf8"));
const names = (list: readonly { name: string }[]) => list.map(({ name }) => name).sort();

/** The first argument of each call that `call` finds: a text, or a constant of the same file. */
function argumentsOf(call: RegExp): string[] {
  const found = sources.flatMap((source) =>
    [...source.matchAll(call)].map(([, argument = ""]) => {
      const constant = new RegExp(`const ${argument.replace(/\W/g, "")} = "([^"]+)"`).exec(source)?.[1];
      return /^"[^"]+"$/.test(argument) ? argument.slice(1, -1) : (constant ?? `unknown: ${argument}`);
    }),
  );
  return [...new Set(found)].sort();
}

test("the cookies page names every cookie that the server sets, and no other", () => {
  const set = argumentsOf(/\bcookieName\((?:ctx\.)?env, ("[^"]+"|\w+)\)/g);
  expect(set).toEqual(names(cookies));
});

test("it names what the pages keep in the browser for good", () => {
  const kept = argumentsOf(/\bsiteStorage\.keep\(([^,]+),/g);
  // Mantine keeps the colour scheme itself; the boot script reads it under that name.
  expect(readFileSync("public/color-scheme.js", "utf8")).toContain(
    'localStorage.getItem("mantine-color-scheme-value")',
  );
  expect([...kept, "mantine-color-scheme-value"].sort()).toEqual(names(localNames));
});

test("it names what they keep for one tab", () => {
  const tabStore = readFileSync("src/client/lib/tab-store.ts", "utf8");
  const union = /type TabName =([^;]+);/.exec(tabStore)?.[1] ?? "";
  const drafts = [...union.matchAll(/["`]([^"`$]+)(\$\{string\})?["`]/g)].map(
    ([, name, rest]) => name + (rest ? "…" : ""),
  );
  const invitations = readFileSync("src/client/lib/invite-token.ts", "utf8");
  const tokens = [...(/type Kept =([^;]+);/.exec(invitations)?.[1] ?? "").matchAll(/"([^"]+)"/g)].map(
    ([, name]) => name,
  );
  const kept = argumentsOf(/\btabStorage\.keep\((?!name,|`)([^,]+),/g);
  const prefixes = argumentsOf(/\btabStorage\.keep\(`([^$]+)\$/g).map((it) => it.replace("unknown: ", ""));
  const router = readFileSync("node_modules/@tanstack/router-core/dist/esm/scroll-restoration.js", "utf8");
  const scrolling = /const storageKey = "([^"]+)"/.exec(router)?.[1] ?? "no key of the router";
  expect([...drafts, ...tokens, ...kept, ...prefixes.map((prefix) => `${prefix}…`), scrolling].sort()).toEqual(
    names(tabNames),
  );
});
