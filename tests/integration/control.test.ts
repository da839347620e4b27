import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { askServer, startControl } from "#server/cli/control.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { tempFolder } from "#tests/support/http-app.ts";

const deps = await openTestDeps();

async function startIn(dataDir: string) {
  const control = await startControl({ ...deps, env: { ...deps.env, dataDir } });
  onTestFinished(() => control.close());
}

test("a maintenance command runs in the server that holds the database", async () => {
  const dataDir = await tempFolder();
  expect(await askServer(dataDir, { name: "check-money" })).toBeNull();
  await startIn(dataDir);
  const answer = await askServer(dataDir, { name: "check-money" });
  expect(answer).toMatchObject({ isOk: true, lines: expect.arrayContaining([expect.stringMatching(/^ok {3}I1 /)]) });
});

test("a data folder whose path is too long for a socket keeps no server from starting", async () => {
  const dataDir = join(await tempFolder(), "x".repeat(120));
  await mkdir(dataDir);
  await startIn(dataDir);
  expect(await askServer(dataDir, { name: "check-money" })).toBeNull();
});
