import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ledgerAccounts, ledgerKinds } from "#server/db/schema/ledger.ts";

const pages = ["README.md", ...globSync("docs/**/*.md")];
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

/** Files and folders from the root. A path ends before a placeholder: src/shared/<feature>.ts as src/shared/. */
const namedPath = /(?<![\w/.-])(?:src|tests|bench|scripts|docs|drizzle)\/[\w./$-]*[\w/]/g;
const namedCommand = /npm run (?:-s )?([\w:-]+)/g;
const link = /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g;

function missingPaths(text: string): string[] {
  return [...text.matchAll(namedPath)].map(([path]) => path).filter((path) => !existsSync(path));
}

function missingCommands(text: string): string[] {
  return [...text.matchAll(namedCommand)].map(([, name = ""]) => name).filter((name) => !(name in scripts));
}

function brokenLinks(page: string, text: string): string[] {
  return [...text.matchAll(link)].flatMap(([, file = "", heading]) => {
    const target = file ? join(dirname(page), file) : page;
    if (!existsSync(target)) return [file];
    return !heading || headingsOf(readFileSync(target, "utf8")).includes(heading) ? [] : [`${file}#${heading}`];
  });
}

/** Lists a page's headings as links name them: lower case, hyphens for spaces, no other signs. */
const headingsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .replace(/\s/g, "-"),
  );

test.each(pages)("what %s names is there", (page) => {
  const text = readFileSync(page, "utf8");
  expect(missingPaths(text)).toEqual([]);
  expect(missingCommands(text)).toEqual([]);
  expect(brokenLinks(page, text)).toEqual([]);
});

test("money.md names every account of the ledger, and every event", () => {
  const page = readFileSync("docs/money.md", "utf8");
  const missing = [...Object.keys(ledgerAccounts), ...ledgerKinds].filter((name) => !page.includes(`\`${name}\``));
  expect(missing).toEqual([]);
});

test("a missing file, command and heading are found", () => {
  const text =
    "See `src/server/core/enter.ts` and `src/server/main.ts`. Run `npm run test:long -- all`, then `npm run dev`.";
  expect(missingPaths(text)).toEqual(["src/server/core/enter.ts"]);
  expect(missingCommands(text)).toEqual(["test:long"]);
  expect(brokenLinks("README.md", "[a](docs/gone.md) [b](#gone) [c](docs/money.md#the-self-check)")).toEqual([
    "docs/gone.md",
    "#gone",
  ]);
});

/** The beginning of a docstring that hides its subject behind a question word. */
const withoutSubject = /\/\*\*?\s+(?:\* )?(?:What|Why|Of|Whose|Whether) .*/g;

test("a docstring begins with its subject", () => {
  const files = globSync([
    "src/**/*.{ts,tsx,css}",
    "tests/**/*.ts",
    "{bench,scripts}/*.ts",
    "bench/{lib,references}/*.ts",
  ]);
  expect(files.length).toBeGreaterThan(1500);
  const found = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(withoutSubject)].map(([begin]) => `${file}: ${begin}`),
  );
  expect(found).toEqual([]);
  const begun = ["Whether it is.", "What it\n * is.", "True if it is what it was."].map(
    (text) => `/${"**"} ${text} */`,
  );
  expect(begun.map((text) => text.match(withoutSubject)?.length ?? 0)).toEqual([1, 1, 0]);
});
