import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "playwright/test";
import { importPath, sampleStatementPath } from "#shared/bank/statement-import-texts.ts";
import { dayInLagos } from "#shared/dates.ts";
import { pdfTexts } from "#shared/files.ts";
import { paperPath } from "#shared/papers/texts.ts";
import { createApiClient, demoSignIns } from "#tests/support/api-client.ts";
import { type BuiltServer, runBuiltCommand, startBuiltServer } from "#tests/support/built-server.ts";
import { pdfFile } from "#tests/support/protected-pdf.ts";

/** What the bundle finds beside itself, and what it starts: the other tests run the sources, or leave that out. */

test.setTimeout(240_000);

let server: BuiltServer;
test.beforeAll(async () => {
  // The first start of all: it migrates, and draws the demo's photos.
  server = await startBuiltServer({ env: { LOG_LEVEL: "warn" } });
});
test.afterAll(() => server.stop());

async function signedIn(who: "owner" | "backer") {
  const cookies = new Map<string, string>();
  const api = createApiClient(server.url, { cookies });
  const signIn = demoSignIns(server.output())[who];
  await (who === "owner" ? api.auth.adminSignIn : api.auth.signIn).mutate(signIn);
  const call = async (path: string, { file, fields }: { file?: File; fields?: Record<string, string> } = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields ?? {})) form.append(name, value);
    if (file) form.append("file", file);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { origin: server.url, "x-upload": "1", cookie };
    return fetch(`${server.url}${path}`, file ? { method: "POST", headers, body: form } : { headers });
  };
  return { api, call };
}

test("a statement is read, a paper is made and a locked PDF is opened by programs of the bundle", async () => {
  const owner = await signedIn("owner");
  const [account] = await owner.api.bank.accounts.query();
  const accountId = account?.id ?? 0;
  const sample = await owner.call(sampleStatementPath(accountId));
  const file = new File([await sample.arrayBuffer()], "sample.csv");
  const imported = await owner.call(importPath, { file, fields: { accountId: String(accountId) } });
  expect(await imported.json()).toMatchObject({ kind: "imported" });

  const backer = await signedIn("backer");
  const today = dayInLagos(new Date());
  const paper = await backer.api.papers.statement.mutate({ firstDay: `${today.slice(0, 4)}-01-01`, lastDay: today });
  const printed = Buffer.from(await (await backer.call(paperPath(paper.id))).arrayBuffer());
  expect(printed.subarray(0, 5).toString()).toBe("%PDF-");
  expect(printed.includes("NotoSans")).toBe(true);

  const [project] = await backer.api.projects.featured.query();
  const locked = new File([Uint8Array.from(await pdfFile({ userPassword: "0123" }))], "receipt.pdf");
  const fields = { projectId: String(project?.id), idempotencyKey: randomUUID() };
  const refused = await backer.call("/uploads/receipts", { file: locked, fields });
  expect(await refused.json()).toMatchObject({ error: { message: pdfTexts.password } });
});

test("pictures are drawn with our font, and pages come rendered", async () => {
  const [project] = await createApiClient(server.url).projects.featured.query();
  for (const path of ["/cards/site.jpg", `/cards/project/${project?.id}.jpg`]) {
    const card = await fetch(`${server.url}${path}`);
    expect([path, card.status, card.headers.get("content-type")]).toEqual([path, 200, "image/jpeg"]);
  }
  expect(await (await fetch(server.url)).text()).toContain("<h1");
});

test("the commands run from the bundle, with the server and without one", async () => {
  const { dataDir } = server;
  const folder = mkdtempSync(join(tmpdir(), "gona-commands-"));
  const backup = join(folder, "gona.tar");
  try {
    for (const [script, ...args] of [
      ["check:money"],
      ["backup", backup],
      ["admin", "invite", "--email", "musa@demo.example", "--name", "Musa Ibrahim"],
    ] as const) {
      const done = await runBuiltCommand(script, args, { DATA_DIR: dataDir });
      expect(done, `${script}: ${done.output}`).toMatchObject({ code: 0 });
    }
    const restored = await runBuiltCommand("restore", [backup], { DATA_DIR: join(folder, "restored") });
    expect(restored, restored.output).toMatchObject({ code: 0 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("an error names the lines of the sources", async () => {
  const started = startBuiltServer({ dataDir: join(import.meta.filename, "no-folder") });
  const output = await started.then(
    () => "",
    (error: unknown) => String(error),
  );
  const [, line] = /\bopenDeps \(\S*\/src\/server\/open-deps\.ts:(\d+):\d+\)/.exec(output) ?? [];
  const source = readFileSync("src/server/open-deps.ts", "utf8").split("\n");
  expect(source[Number(line) - 1], output).toContain("mkdir(");
  expect(output).not.toContain("dist/.server");
});
