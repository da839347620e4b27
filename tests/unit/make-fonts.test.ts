import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { makeFonts } from "../../scripts/make-fonts.ts";

// Compressing takes seconds of a busy machine.
test("the fonts in the repository are what `npm run fonts` makes of the package", { timeout: 60_000 }, async () => {
  for (const [path, content] of Object.entries(await makeFonts()))
    expect([path, readFileSync(path).equals(content)]).toEqual([path, true]);
});

test("the pages' font is within 45 kB", () => {
  expect(readFileSync("src/client/app/fonts/inter.woff2").length).toBeLessThanOrEqual(45_000);
});
