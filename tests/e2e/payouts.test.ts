import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { asc, eq } from "drizzle-orm";
import { type Browser, type BrowserContext, expect, type Page } from "playwright/test";
import { outgoingMails } from "#server/db/schema/notifications.ts";
import { dayInLagos, formatDate } from "#shared/dates.ts";
import type { Kobo } from "#shared/money.ts";
import { secondPersonTexts } from "#shared/second-person/texts.ts";
import { keepOwnAccount } from "#tests/support/bank-imports.ts";
import { test } from "#tests/support/browser-test.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import { expectMoneyHolds, sendReceipt } from "#tests/support/money.ts";
import { createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { type MovableServer, signInBrowser, startMovableServer } from "#tests/support/seeded-server.ts";
import { expectSound, expectSoundPage } from "#tests/support/sound-page.ts";
import { button, dialog, giveAccount, importDay } from "#tests/support/story.ts";

// How somebody who lost a race gets the money back, in four browsers, over a week of the server's clock.

test.describe.configure({ mode: "serial" });

const price: Kobo = 470_000_000n;
let server: MovableServer;
let amaka: TestUser;
let bola: TestUser;
let efe: TestUser;
/** What the bank has, after the last line that was written. */
let balance: Kobo = 0n;
let problems: string[] = [];

test.beforeAll(async () => {
  test.setTimeout(150_000);
  server = await startMovableServer();
  const { deps } = server;
  await keepOwnAccount(deps.db);
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  efe = await createUser(deps.db, { fullName: "Efe Okoro" });
});
test.afterAll(async () => server.stop());
test.beforeEach(() => {
  problems = [];
});
test.afterEach(async () => {
  expect(problems, "errors on the console").toEqual([]);
  await expectMoneyHolds(server.deps);
});

/** A browser of this person, signed in now: the clock's moves end sessions. */
async function openAs(browser: Browser, person: TestUser, path: string): Promise<Page> {
  const viewport = person.isAdmin ? { width: 1280, height: 900 } : { width: 360, height: 740 };
  const context: BrowserContext = await browser.newContext({ baseURL: server.url, viewport, acceptDownloads: true });
  await signInBrowser(context, server, person);
  if (person.isAdmin) {
    await context.addInitScript(() => location.protocol === "about:" || localStorage.setItem("isAdmin", "true"));
  }
  const page = await context.newPage();
  watchErrors(page, { into: problems });
  page.setDefaultTimeout(20_000);
  await page.goto(path);
  return page;
}

const mailsTo = ({ email }: TestUser) =>
  server.deps.db.select().from(outgoingMails).where(eq(outgoingMails.recipient, email)).orderBy(asc(outgoingMails.id));
const lastMail = async (person: TestUser) => (await mailsTo(person)).at(-1);
const today = () => dayInLagos(server.deps.clock.now());

/** An owner imports the statement of today, with these lines. */
async function importToday(page: Page, lines: { amountKobo: Kobo; narration: string }[]): Promise<void> {
  await page.goto("/admin/bank");
  await importDay(page, { day: today(), openingKobo: balance, lines });
  balance = lines.reduce((sum, { amountKobo }) => sum + amountKobo, balance);
}

/** Two pay for one farm. The statement shows both: the first has it, and the second one's money is due to them. */
async function race(browser: Browser, title: string): Promise<void> {
  const { deps } = server;
  const ada = await createUser(deps.db, { fullName: "Ada Nwosu" });
  const project = await createProject(deps.db, { title: title, fundingGoalKobo: price });
  const references: string[] = [];
  for (const backer of [ada, efe]) {
    references.push((await sendReceipt(deps, { backer, projectId: project.id })).reference);
  }

  const owner = await openAs(browser, amaka, "/admin/bank");
  await importToday(
    owner,
    references.map((reference) => ({ amountKobo: price, narration: `NIP/ACCESS/BACKER/${reference}` })),
  );
  await dialog(owner).getByRole("button", { name: "Confirm 2 sure matches" }).click();
  await dialog(owner)
    .getByRole("button", { name: /^Approve/ })
    .click();
  await expect(dialog(owner).getByRole("heading", { name: "Sure matches confirmed" })).toBeVisible();
  await button(owner, "Done").click();
  expect((await lastMail(efe))?.text).toContain("₦4,700,000 will be returned to you.");
}

const dayOf = () => formatDate(server.deps.clock.now());

/** The backer reads this in the tab Money, on a phone. */
async function seesMoney(browser: Browser, text: string | RegExp): Promise<void> {
  const page = await openAs(browser, efe, "/profile?tab=money");
  await expect(page.getByRole("main").getByText(text).first()).toBeVisible();
  await expectSoundPage(page);
  await page.context().close();
}

/** The backer says where the money goes, and two days pass. */
async function tellAccount(browser: Browser, accountNumber: string): Promise<void> {
  const page = await openAs(browser, efe, "/profile?tab=money");
  await giveAccount(page, { name: "Efe Okoro", accountNumber, password: efe.password });
  await expect(page.getByText(/In the payment run of \w+day/).first()).toBeVisible();
  await page.context().close();
  server.advance({ hours: 48 });
}

/** One owner makes a run of all that is due, the other approves it, and its file is fetched. Gives the only reference. */
async function payOut(browser: Browser, expected: { accountNumber: string; accountName: string }[]): Promise<string> {
  const maker = await openAs(browser, amaka, "/admin/payouts");
  await button(maker, /^Choose all/).click();
  await button(maker, /^Make a run of ₦/).click();
  await expect(dialog(maker).getByText(secondPersonTexts.needsAnother)).toBeVisible();
  await expect(button(maker, "Approve…")).toHaveCount(0);
  await expectSound(maker);
  const address = maker.url();
  expect((await lastMail(bola))?.subject).toMatch(/^A payment run waits for approval/);

  const second = await openAs(browser, bola, "/admin/dashboard");
  await second.getByRole("link", { name: "1 payment run waits for approval." }).click();
  await expect(second).toHaveURL(/tab=runs/);
  await second.goto(address);
  await button(second, "Approve…").click();
  await button(second, "Approve").click();
  await button(second, "Make the files…").click();
  await button(second, "Make the files").click();
  const link = dialog(second).getByRole("link", { name: "Download CSV" });
  await expect(link).toBeVisible();
  await expectSound(second);
  const [download] = await Promise.all([second.waitForEvent("download"), link.click()]);
  const file = await readFile(await download.path());
  await button(second, "The bank has it").click();
  await expect(dialog(second).getByText(/that the bank has it/)).toBeVisible();
  const sha256 = createHash("sha256").update(file).digest("hex");
  await expect(dialog(second).getByText(sha256)).toBeVisible();
  const lines = file.toString("utf8").trim().split(/\r?\n/).slice(1);
  expect(lines).toHaveLength(expected.length);
  const [line = ""] = lines;
  const reference = /GP-\w{4}-\w{4}/.exec(line)?.[0] ?? "";
  const [account] = expected;
  expect(line).toBe(
    `"${account?.accountName}","${account?.accountNumber}","044","4700000.00","${reference}","${reference}"`,
  );
  expect(await lastMail(efe)).toMatchObject({
    subject: "Your money is on its way: ₦4,700,000",
    text: expect.stringContaining(reference),
  });
  return reference;
}

test("the loser of a race says where to, two owners send a file; what the bank sends back is paid at the second try", {
  tag: "@nightly",
}, async ({ browser }) => {
  test.setTimeout(300_000);
  await race(browser, "Palm oil mill at Ughelli");
  await seesMoney(browser, "₦4,700,000 will be returned to you. Tell us where to.");
  await tellAccount(browser, "0123456789");
  const first = await payOut(browser, [{ accountNumber: "0123456789", accountName: "Efe Okoro" }]);
  await seesMoney(browser, new RegExp(`Access Bank ••• 6789\\. Sent ${dayOf()}, reference ${first}\\.`));

  // The next day's statement shows it leaving, and coming back.
  server.advance({ hours: 24 });
  const owner = await openAs(browser, bola, "/admin/bank");
  await importToday(owner, [
    { amountKobo: -price, narration: `NIP TRF TO EFE OKORO/${first}` },
    { amountKobo: price, narration: `RVSL NIP TRF/${first}` },
  ]);
  await owner.goto("/admin/bank?tab=suggested");
  await owner
    .getByRole("row")
    .filter({ hasText: "RVSL" })
    .getByRole("link", { name: /^Match/ })
    .click();
  await button(owner, `${first} came back`).click();
  await dialog(owner).getByRole("textbox").fill("name differs");
  await dialog(owner).getByLabel("The bank named the account wrong").check();
  await expectSound(owner);
  await button(owner, "It came back").click();
  await expect(dialog(owner).getByRole("heading", { name: "Matched to" })).toBeVisible();
  expect(await lastMail(efe)).toMatchObject({
    subject: "Money came back: ₦4,700,000, please check the account",
    text: expect.stringContaining("Your bank gave the money back (name differs). Please check the account."),
  });
  await seesMoney(browser, "Your bank gave the money back (name differs). Please check the account.");

  await tellAccount(browser, "1234567897");
  const second = await payOut(browser, [{ accountNumber: "1234567897", accountName: "Efe Okoro" }]);
  expect(second).not.toBe(first);
  server.advance({ hours: 24 });
  const next = await openAs(browser, amaka, "/admin/bank");
  await importToday(next, [{ amountKobo: -price, narration: `NIP TRF TO EFE OKORO/${second}` }]);
  expect(await lastMail(efe)).toMatchObject({ subject: "Paid: ₦4,700,000" });
  await seesMoney(browser, new RegExp(`Access Bank ••• 7897\\. Paid ${dayOf()}, reference ${second}\\.`));
  await next.goto("/admin/payouts?tab=done");
  await expect(next.getByRole("row").filter({ hasText: second })).toContainText("Paid");
  await expectSoundPage(next);
});
