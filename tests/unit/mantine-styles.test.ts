import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

// Mantine's components bring no styles by themselves: a component without its sheet looks broken.

const packageFolder = "node_modules/@mantine/core";
const modules = globSync(`${packageFolder}/esm/**/*.mjs`);
const sheetOf = (name: string) => `@mantine/core/styles/${name}.layer.css`;
const read = (file: string) => readFileSync(file, "utf8");

/** The sheets of a component and of all that it is made of, as its modules import them. */
function sheetsFor(component: string): string[] {
  const seen = new Set<string>();
  const follow = (file: string): string[] => {
    if (seen.has(file)) return [];
    seen.add(file);
    const [, styled] = /^([\w-]+)\.module\.mjs$/.exec(basename(file)) ?? [];
    if (styled && existsSync(join("node_modules", sheetOf(styled)))) return [sheetOf(styled)];
    return [...read(file).matchAll(/from "(\.[^"]+)"/g)].flatMap(([, path = ""]) => follow(join(file, "..", path)));
  };
  const start = modules.find((file) => basename(file) === `${component}.mjs`);
  return start ? follow(start) : [];
}

/** The sheets that a source file or a style sheet imports, through our own sheets too. */
function sheetsIn(source: string): string[] {
  return [...source.matchAll(/^@?import "([^"]+\.css)";/gm)].flatMap(([, path = ""]) =>
    path.startsWith("#client/ui/mantine/") ? sheetsIn(read(path.replace("#", "src/"))) : [path],
  );
}

function missingSheets(source: string): string[] {
  const imports = source.matchAll(/^import \{([^}]*)\} from "@mantine\/core";/gm);
  const names = [...imports].flatMap(([, list = ""]) => list.split(",").map((name) => name.trim()));
  const there = new Set([...sheetsIn(read("src/client/main.tsx")), ...sheetsIn(source)]);
  return [...new Set(names.filter((name) => /^[A-Z]/.test(name)).flatMap(sheetsFor))].filter((it) => !there.has(it));
}

test("who uses a component of Mantine imports its styles", () => {
  const sources = globSync("src/client/**/*.tsx");
  expect(sources.filter((file) => read(file).includes('from "@mantine/core"')).length).toBeGreaterThan(30);
  expect(
    sources.map((file) => ({ file, missing: missingSheets(read(file)) })).filter((it) => it.missing.length),
  ).toEqual([]);
});

test("a missing sheet is told, also one of a part", () => {
  const select = 'import { Button, Select } from "@mantine/core";\n';
  expect(missingSheets(select)).toContain(sheetOf("Combobox"));
  expect(missingSheets(`import "#client/ui/mantine/fields.css";\n${select}`)).toContain(sheetOf("Popover"));
  expect(missingSheets('import { Button, type ButtonProps } from "@mantine/core";\n')).toEqual([]);
});

// In two of our sheets it would be sent twice, and which copy wins would hang on what was loaded before.
test("each sheet of Mantine's is imported in one place of ours", () => {
  const sheets = globSync("src/client/ui/mantine/*.css").flatMap((file) => sheetsIn(read(file)));
  expect(sheets.filter((sheet, index) => sheets.indexOf(sheet) !== index)).toEqual([]);
  expect(sheets.filter((sheet) => !existsSync(join("node_modules", sheet)))).toEqual([]);
});
