import { expect } from "playwright/test";
import { isoInLagos } from "#shared/dates.ts";
import { type PaperKind, paperKinds } from "#shared/papers/kinds.ts";
import { paperKindLabels } from "#shared/papers/texts.ts";
import { supportEmailKey } from "#shared/settings/texts.ts";
import { createApiClient, demoSignIns } from "#tests/support/api-client.ts";
import { test } from "#tests/support/browser-test.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import { openBrowserOf, openScreen } from "#tests/support/screens.ts";
import { type DemoServer, startDemoServer } from "#tests/support/seeded-server.ts";
import { expectSoundPage } from "#tests/support/sound-page.ts";
import { readPaper } from "#tests/support/story.ts";

// It changes a setting, so it has a server of its own.
let server: DemoServer;
test.beforeAll(async () => {
  test.setTimeout(180_000);
  server = await startDemoServer();
});
test.afterAll(async () => server.stop());

/** A code whose last letter is another one. */
const forged = (code: string) => code.replace(/.$/, (last) => (last === "0" ? "1" : "0"));

test("a paper of each kind is checked by its code on a phone, a forged one is told, and a replaced one says so", {
  tag: "@nightly",
}, async ({ browser, context }) => {
  test.setTimeout(200_000);
  const office = await openBrowserOf("owner", context, server);
  const viewport = { width: 360, height: 740 };
  const phone = await (await browser.newContext({ viewport })).newPage();
  const problems: string[] = [];
  for (const page of [office, phone]) watchErrors(page, { into: problems });
  const known = phone.getByRole("region", { name: "What we know of this paper" });
  const check = (code: string) => openScreen(phone, server.url, { path: `/verify/${code.replaceAll(" ", "")}` });
  const owner = createApiClient(server.url);
  await owner.auth.adminSignIn.mutate(demoSignIns(server.output()).owner);
  const [person] = (await owner.papers.list.query({ kind: "settlement" })).items;
  if (!person?.fullName) throw new Error("nobody of the demo has a settlement");
  const { fullName } = person;
  const year = isoInLagos(new Date()).slice(0, 4);
  const asked = { userId: person.userId ?? "", firstDay: `${year}-01-01`, lastDay: `${year}-12-31` };
  const old = await owner.papers.statementOf.mutate(asked);
  // A paper names where to write to, so the same days say something else from here on.
  await owner.settings.save.mutate({ seen: {}, values: { [supportEmailKey]: "papers@gona.example" } });
  await owner.papers.statementOf.mutate(asked);
  await owner.papers.taxList.mutate(asked);

  const codes = new Map<PaperKind, string>();
  for (const kind of paperKinds) {
    await test.step(kind, async () => {
      await openScreen(office, server.url, { path: `/admin/papers?kind=${kind}` });
      const row = office.getByRole("table", { name: "Papers" }).getByRole("row").nth(1);
      const number = String(await row.locator(".reference").first().textContent());
      const amount = String(await row.locator(".money").first().textContent());
      const { code } = await readPaper(office, number);
      codes.set(kind, code);
      await check(code);
      await expect(known).toContainText("This paper is genuine and valid");
      for (const words of [paperKindLabels[kind], number, amount]) await expect(known).toContainText(words);
      await expect(known).not.toContainText(fullName);
    });
  }

  await test.step("a code that is none of ours", async () => {
    await check(forged(codes.get("receipt") ?? ""));
    await expect(phone.getByRole("alert").filter({ hasText: "We have no such paper" })).toBeVisible();
    await expect(known).toBeHidden();
    await expectSoundPage(phone);
    await phone.setViewportSize(viewport);
  });

  await test.step("a statement that another one of the same days replaced", async () => {
    await openScreen(office, server.url, { path: `/admin/papers?q=${old.number}` });
    const { code } = await readPaper(office, old.number);
    await phone.getByLabel("Code on the paper").fill(code);
    await phone.getByRole("button", { name: "Check the code" }).click();
    await expect(known).toContainText("This paper is genuine, but no longer valid");
    await expect(known).toContainText(old.number);
    await expectSoundPage(phone);
  });
  expect(problems).toEqual([]);
});
