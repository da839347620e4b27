import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, expect, type Page } from "playwright/test";
import { importPath, sampleStatementPath } from "#shared/bank/statement-import-texts.ts";
import { dayInLagos } from "#shared/dates.ts";
import { pdfTexts } from "#shared/files.ts";
import { paperPath } from "#shared/papers/texts.ts";
import { createApiClient, demoSignIns } from "#tests/support/api-client.ts";
import { test } from "#tests/support/browser-test.ts";
import { type BuiltServer, runBuiltCommand, startBuiltServer } from "#tests/support/built-server.ts";
import { nothing, watchErrors } from "#tests/support/console-errors.ts";
import { type MailServer, startMailServer } from "#tests/support/mail-server.ts";
import { projectFormOf } from "#tests/support/project-form.ts";
import { pdfFile } from "#tests/support/protected-pdf.ts";
import { waitForHydration } from "#tests/support/screens.ts";
import { button, holdButton, sendReceipt } from "#tests/support/story.ts";

// The product as its users start it, on the embedded database and with real mail: its main job, and what the bundle finds
// beside itself and starts. The other tests run the sources, or leave that out.

// With what fades and slides, as most people see it.
test.use({ reducedMotion: "no-preference" });
test.setTimeout(240_000);

let server: BuiltServer;
let mail: MailServer;

test.beforeAll(async () => {
  // On an empty folder, as the first start of all: it migrates, loads the demo itself and draws its photos.

  test.setTimeout(400_000);
  mail = await startMailServer();
  const env = { SMTP_URL: mail.url, REQUIRE_EMAIL_CONFIRMATION: "false", LOG_LEVEL: "warn" };
  server = await startBuiltServer({ env });
});
test.afterAll(async () => {
  await server?.stop();
  await mail?.stop();
});

const farm = "Three fish smoking kilns at Makurdi";
const nneka = { name: "Nneka Okonkwo", email: "nneka.okonkwo@example.com", password: "Yam-Harvest-2026" };

/** An owner puts a farm of two lots at ₦100,000 each on sale. */
async function sellFarm(): Promise<void> {
  const api = createApiClient(server.url);
  await api.auth.adminSignIn.mutate(demoSignIns(server.output()).owner);
  await api.projects.create.mutate(projectFormOf({ title: farm, fundingGoal: "200,000", lots: 2, minimumLots: 2 }));
}

async function newPerson(browser: Browser): Promise<{ page: Page; violations: string[] }> {
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  return { page, violations: watchErrors(page, { allowed: nothing }) };
}

const back = (page: Page) =>
  page
    .getByRole("link", { name: "Back this project" })
    .or(page.getByRole("button", { name: "Back this project" }))
    .first();

async function openFarm(page: Page): Promise<void> {
  await page.getByRole("link", { name: farm }).click();
  await expect(page.getByRole("heading", { level: 1, name: farm })).toBeVisible();
  await waitForHydration(page);
  await back(page).click();
}

test("a visitor finds a farm, signs up, holds its lots and sends the receipt; the owner approves; the lots are taken", async ({
  browser,
}) => {
  await sellFarm();
  const { page, violations } = await newPerson(browser);

  await test.step("the visitor finds the farm", async () => {
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.getByRole("link", { name: "Join Us" }).first().click();
    await expect(page).toHaveURL(/\/discover/);
    await page.getByRole("main").getByRole("searchbox").fill("smoking kilns");
    await openFarm(page);
    await expect(page.getByText("Please log in to back this project").first()).toBeVisible();
  });

  await test.step("the visitor signs up, reads the terms, holds two lots and sends the receipt", async () => {
    await page.goto("/signup");
    await page.getByLabel("Full Name").fill(nneka.name);
    await page.getByLabel("Email").fill(` ${nneka.email.toUpperCase()} `);
    await page.getByRole("textbox", { name: "Password" }).fill(nneka.password);
    await expect(page.getByText("Very Strong")).toBeVisible();
    await page.getByLabel("I agree to the terms of service").check();
    await button(page, "Create Account").click();
    await expect(page).toHaveURL(`${server.url}/`);
    await page.goto("/discover?search=smoking%20kilns");
    await openFarm(page);
    await expect(page).toHaveURL(/\/back-project\/\d+$/);
    await button(page, "One lot more").click();
    await expect(page.getByRole("heading", { name: "Harvest terms" })).toBeVisible();
    await expect(page.getByText("0000000000")).toHaveCount(0);
    await page.getByLabel("I have read the terms.").check();
    await button(page, holdButton).click();
    await expect(page.getByText("0000000000")).toBeVisible();
    await expect(page.getByText("2 lots held for you until")).toBeVisible();
    await expect(page.getByText("₦200,000", { exact: true })).toBeVisible();
    await sendReceipt(page);
    await expect(
      page.getByText("We have your receipt. We review receipts within one working day and email you."),
    ).toBeVisible();
    await page.goto("/profile");
    await page.getByRole("tab", { name: "Pending Approval" }).click();
    await expect(page.getByRole("tabpanel").getByText(farm)).toBeVisible();
  });

  const owner = await newPerson(browser);
  await test.step("the owner signs in, looks at the receipt and approves it", async () => {
    const signIn = demoSignIns(server.output()).owner;
    await owner.page.goto("/admin/login");
    await owner.page.getByLabel("Email").fill(signIn.email);
    await owner.page.getByRole("textbox", { name: "Password" }).fill(signIn.password);
    await button(owner.page, "Sign In").click();
    await expect(owner.page.getByText("Logged in as admin")).toBeVisible();
    await expect(owner.page).toHaveURL(/\/admin\/dashboard/);
    await owner.page.getByRole("link", { name: "Payments" }).first().click();
    const row = owner.page.getByRole("row").filter({ hasText: nneka.email });
    await row.getByRole("button", { name: "View Receipt" }).click();
    await expect(owner.page.getByRole("dialog").locator("img")).toBeVisible();
    await owner.page.keyboard.press("Escape");
    await row.getByLabel(/^Status of/).selectOption("approved");
    // The demo has bank statements, and none shows this transfer yet.
    await owner.page.getByLabel("Why do you approve it?").fill("The receipt shows the transfer.");
    await button(owner.page, "Approve payment").click();
    await expect(owner.page.getByText("Payment status updated to approved")).toBeVisible();
    // The list is of what is pending: what was decided leaves it.
    await expect(row).toHaveCount(0);
  });

  await test.step("the mail arrives, and its link leads the backer to the project", async () => {
    const confirmation = await mail.waitFor(
      ({ recipients, text }) => recipients.includes(nneka.email) && String(text).includes("/backed-project/"),
    );
    expect(confirmation.subject).toContain(farm);
    expect(confirmation.text).toContain(`Dear ${nneka.name}`);
    expect(confirmation.text).toContain("₦200,000");
    const [link] = /http:\/\/\S+\/backed-project\/\d+/.exec(confirmation.text ?? "") ?? [];
    expect(confirmation.html).toContain(String(link));
    await page.goto(String(link));
    await expect(page.getByRole("heading", { level: 1, name: farm })).toBeVisible();
  });

  await test.step("everybody else sees all lots taken and the project closed", async () => {
    const visitor = await newPerson(browser);
    await visitor.page.goto("/discover?search=smoking%20kilns");
    await expect(visitor.page.getByText("No projects found in this category.")).toBeVisible();
    await visitor.page.goto("/discover?search=smoking%20kilns&closed=true");
    await visitor.page.getByRole("link", { name: farm }).click();
    await expect(visitor.page.getByText("Project is closed").first()).toBeVisible();
    await expect(visitor.page.getByText("2 of 2 lots taken").first()).toBeVisible();
    await expect(visitor.page.getByRole("heading", { level: 1 })).toContainText("(CLOSED)");
    expect(visitor.violations).toEqual([]);
  });

  expect([...violations, ...owner.violations]).toEqual([]);
});

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
