import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder, writeFiles } from "#tests/support/http-app.ts";

const scripts = join(import.meta.dirname, "../../scripts");

/** A checkout of a few files, without what builds. */
const checkout = async (files: Record<string, string>) => writeFiles(await tempFolder(), files);

const ensureBuild = (cwd: string) =>
  spawnSync(process.execPath, [join(scripts, "ensure-build.ts")], { cwd, encoding: "utf8" });

function hashesIn(cwd: string): [pages: string, server: string] {
  const program = `import { hashSources } from ${JSON.stringify(join(scripts, "build-stamp.ts"))};
    console.log(JSON.stringify(["pages", "server"].map(hashSources)));`;
  const args = ["--input-type=module", "--eval", program];
  return JSON.parse(execFileSync(process.execPath, args, { cwd, encoding: "utf8" }));
}

test("without a build and what makes it, a start ends and says what to do", async () => {
  const nothing = await checkout({ "package.json": "{}" });
  const half = await checkout({ "dist/.build.json": '{ "sources": "1" }' });
  for (const folder of [nothing, half]) {
    const { status, stderr } = ensureBuild(folder);
    expect([status, stderr]).toEqual([1, expect.stringContaining("run `npm ci` (without --omit=dev)")]);
  }
});

test("without what makes it, a whole build is used as it is, and nothing is said", async () => {
  const stamp = '{ "sources": "1" }';
  const folder = await checkout({ "dist/.build.json": stamp, "dist/.server/.build.json": stamp });
  expect(ensureBuild(folder)).toMatchObject({ status: 0, stdout: "", stderr: "" });
});

test("the server's bundle is old when the server's sources or packages change, the pages when theirs do", async () => {
  const folder = await checkout({
    "src/server/main.ts": "1",
    "src/client/main.tsx": "1",
    "src/shared/money.ts": "1",
    "package.json": "{}",
    "package-lock.json": "{}",
  });
  const changed = (file: string) => {
    const before = hashesIn(folder);
    writeFileSync(join(folder, file), "2");
    return hashesIn(folder).map((hash, at) => hash !== before[at]);
  };
  expect(hashesIn(folder)).toEqual(hashesIn(folder));
  expect(changed("src/server/main.ts")).toEqual([false, true]);
  expect(changed("src/client/main.tsx")).toEqual([true, false]);
  expect(changed("src/shared/money.ts")).toEqual([true, true]);
  expect(changed("package-lock.json")).toEqual([true, true]);
});
