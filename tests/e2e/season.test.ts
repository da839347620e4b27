import { readFile } from "node:fs/promises";
import { asc, eq } from "drizzle-orm";
import { type Browser, expect, type Page } from "playwright/test";
import { outgoingMails } from "#server/db/schema/notifications.ts";
import { remindOfHarvests, sweepHarvests } from "#server/features/harvests/jobs.ts";
import { findRound } from "#server/features/rounds/service.ts";
import { isoInLagos } from "#shared/dates.ts";
import type { Kobo } from "#shared/money.ts";
import { csvOf, keepOwnAccount, line } from "#tests/support/bank-imports.ts";
import { test } from "#tests/support/browser-test.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import { expectMoneyHolds } from "#tests/support/money.ts";
import { callAs, createAdmin, createUser, type TestUser, testPassword } from "#tests/support/people.ts";
import { projectFormOf } from "#tests/support/project-form.ts";
import { pngFile } from "#tests/support/sample-files.ts";
import { waitForHydration } from "#tests/support/screens.ts";
import { type MovableServer, signInBrowser, startMovableServer } from "#tests/support/seeded-server.ts";

// A whole season by six people, each in a browser of their own: from the home page over a race for the last lots and its
// refund to a harvest that is sold, settled and paid. In the end everybody has had exactly the mails that are meant for them.

test.use({ contextOptions: { reducedMotion: "reduce" } });

type Person = Pick<TestUser, "email" | "password" | "isAdmin">;

const title = "Catfish ponds at Asejire";
const nneka: Person = { email: "nneka.okonkwo@example.com", password: testPassword, isAdmin: false };
let server: MovableServer;
let amaka: TestUser;
let bola: TestUser;
let chidi: TestUser;
let ada: TestUser;
let efe: TestUser;
let projectId = 0;
/** What the bank has, after the last line that was written. */
let balance: Kobo = 0n;
const problems: string[] = [];
const pages = new Map<Person, Page>();

test.beforeAll(async () => {
  test.setTimeout(240_000);
  server = await startMovableServer();
  const { deps } = server;
  await keepOwnAccount(deps.db);
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  chidi = await createAdmin(deps.db, "manager", { fullName: "Chidi Eze" });
  ada = await createUser(deps.db, { fullName: "Ada Nwosu" });
  efe = await createUser(deps.db, { fullName: "Efe Okoro" });
  const manager = await callAs(deps, chidi);
  const form = projectFormOf({ title, fundingGoal: "300,000", lots: 3, minimumLots: 3 });
  ({ id: projectId } = await manager.projects.create(form));
  const { termsVersion: seenVersion } = await findRound(deps.db, { projectId, round: 1 });
  await manager.projects.updateTerms({
    ...{ projectId, seenVersion, unit: "kg", plannedPrice: "2,000", plannedQuantity: "300", plannedHarvests: 1 },
    ...{ firstHarvestOn: null, farmPart: "0", deductibleCosts: ["Feed"], fee: "5" },
    ...{ options: ["produce", "sale", "give_away"], collectionPlace: "Moniya market, Ibadan" },
    ...{ choiceDays: 14, collectionDays: 7, insurance: null },
  });
});
test.afterAll(async () => server.stop());

/** The browser of a person, which keeps its device: signed in anew where the clock's moves have ended the session. */
async function openAs(browser: Browser, person: Person, path: string): Promise<Page> {
  const page = pages.get(person) ?? (await newPage(browser, person));
  await signInBrowser(page.context(), server, person);
  await page.goto(path);
  return page;
}

async function newPage(browser: Browser, person: Person): Promise<Page> {
  const viewport = person.isAdmin ? { width: 1280, height: 900 } : { width: 360, height: 740 };
  const context = await browser.newContext({ baseURL: server.url, viewport, reducedMotion: "reduce" });
  if (person.isAdmin) {
    await context.addInitScript(() => location.protocol === "about:" || localStorage.setItem("isAdmin", "true"));
  }
  const page = await context.newPage();
  watchErrors(page, { into: problems });
  page.setDefaultTimeout(30_000);
  pages.set(person, page);
  return page;
}

const dialog = (page: Page) => page.getByRole("dialog");
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const inDialog = (page: Page, name: string) => dialog(page).getByRole("button", { name, exact: true }).click();
const picture = (name: string) => ({ name, mimeType: "image/png", buffer: pngFile(640, 480) });
const today = () => isoInLagos(server.deps.clock.now()).slice(0, 10);
const atHarvests = () => `/admin/project/${projectId}?tab=harvests`;
const atOwnHarvest = () => `/backed-project/${projectId}?tab=harvest`;

/** The subjects of a person's mails, oldest first, without their dates. */
async function mailsOf({ email }: Person): Promise<string[]> {
  const found = await server.deps.db
    .select({ subject: outgoingMails.subject })
    .from(outgoingMails)
    .where(eq(outgoingMails.recipient, email))
    .orderBy(asc(outgoingMails.id));
  return found.map(({ subject }) => subject.replace(/\d{1,2} \w{3} \d{4}, \d\d:\d\d WAT/, "{time}"));
}

/** Chooses lots, reads the terms and learns the reference that the transfer needs. */
async function beginPurchase(page: Page, lots: number): Promise<string> {
  await expect(page.getByRole("heading", { name: "Harvest terms" })).toBeVisible();
  for (let more = 1; more < lots; more += 1) await page.getByRole("button", { name: "One lot more" }).click();
  await page.getByLabel("I have read the terms.").check();
  await button(page, "Show the bank details").click();
  const reference = page.getByText(/^GONA-\w{4}-\w{4}$/).first();
  await expect(reference).toBeVisible();
  return (await reference.textContent()) ?? "";
}

async function sendReceipt(page: Page): Promise<void> {
  await page.locator("input[type=file]").setInputFiles(picture("receipt.png"));
  await page.getByRole("button", { name: "Send receipt" }).click();
  await expect(page.getByText("Payment receipt uploaded successfully.")).toBeVisible();
}

/** An owner imports the statement of today, with these lines. */
async function importToday(page: Page, lines: { amountKobo: Kobo; narration: string }[]): Promise<void> {
  const truths = lines.map(({ amountKobo, narration }) => line(today(), amountKobo, narration));
  const buffer = csvOf({ openingKobo: balance, truths });
  balance = lines.reduce((sum, { amountKobo }) => sum + amountKobo, balance);
  await button(page, "Import a statement").click();
  await dialog(page)
    .getByLabel(/^Statement/)
    .setInputFiles({ name: `statement-${today()}.csv`, mimeType: "text/csv", buffer });
  await button(page, "Import").click();
  const known = dialog(page).getByText(/^\d+ lines?: \d+ new, 0 known\.$/);
  const question = dialog(page).getByText(/^Is this how the bank writes it\?/);
  await expect(known.or(question)).toBeVisible();
  if (await question.isVisible()) await button(page, "Yes, go on").click();
  await expect(known).toBeVisible();
}

async function giveAccount(browser: Browser, person: Person, name: string, accountNumber: string): Promise<void> {
  const page = await openAs(browser, person, "/profile?tab=money");
  await page.getByLabel("Bank", { exact: true }).selectOption({ label: "Access Bank" });
  await page.getByLabel("Account number").fill(accountNumber);
  await page.getByLabel("Account name").fill(name);
  await page.getByRole("textbox", { name: "Current Password" }).fill(person.password);
  await button(page, "Save account").click();
  const anyway = button(page, "Use it anyway");
  const saved = page.getByText(/^The account is new/);
  await expect(anyway.or(saved)).toBeVisible();
  if (await anyway.isVisible()) await anyway.click();
  await expect(saved).toBeVisible();
}

test("a season, from the home page to a refund and a paid harvest", async ({ browser }) => {
  test.setTimeout(600_000);
  const references: string[] = [];

  await test.step("a visitor finds the farm from the home page, signs up and buys a lot", async () => {
    const page = await newPage(browser, nneka);
    await page.goto("/");
    await page.getByRole("link", { name: "Join Us" }).first().click();
    await page.getByRole("main").getByRole("searchbox").fill("catfish ponds");
    await page.getByRole("link", { name: title }).click();
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await waitForHydration(page);
    await page.getByRole("button", { name: "Back this project" }).first().click();
    await expect(page.getByRole("alert").getByText("Please log in to back this project")).toBeVisible();
    await page.goto("/signup");
    await page.getByLabel("Full Name").fill("Nneka Okonkwo");
    await page.getByLabel("Email").fill(nneka.email);
    await page.getByRole("textbox", { name: "Password" }).fill(nneka.password);
    await page.getByLabel("I agree to the terms of service").check();
    await page.getByRole("button", { name: "Create Account" }).click();
    await expect(page).toHaveURL(`${server.url}/`);
    await page.goto(`/back-project/${projectId}`);
    references.push(await beginPurchase(page, 1));
    await sendReceipt(page);
  });

  await test.step("two backers race for the last two lots", async () => {
    const racers = [
      await openAs(browser, ada, `/back-project/${projectId}`),
      await openAs(browser, efe, `/back-project/${projectId}`),
    ];
    for (const page of racers) references.push(await beginPurchase(page, 2));
    await Promise.all(racers.map(sendReceipt));
  });

  await test.step("the statement shows all three transfers; an owner confirms them, and the last is left out", async () => {
    const page = await openAs(browser, amaka, "/admin/bank");
    const amounts = [10_000_000n, 20_000_000n, 20_000_000n];
    await importToday(
      page,
      references.map((reference, index) => ({
        amountKobo: amounts[index] ?? 0n,
        narration: `NIP/ACCESS/BACKER/${reference}`,
      })),
    );
    await dialog(page).getByRole("button", { name: "Confirm 3 sure matches" }).click();
    await dialog(page)
      .getByRole("button", { name: /^Approve/ })
      .click();
    await expect(dialog(page).getByRole("heading", { name: "Sure matches confirmed" })).toBeVisible();
    await button(page, "Done").click();
    const loser = await openAs(browser, efe, "/profile?tab=money");
    // The notification of it is on the page too, behind the bell.
    const money = loser.getByRole("main");
    await expect(money.getByText("₦200,000 will be returned to you. Tell us where to.").first()).toBeVisible();
  });

  await test.step("the manager enters the harvest, a backer takes a part of it, the other one leaves it to be sold", async () => {
    // Nobody is reminded at night, so what follows begins at ten in the morning of Lagos.
    server.advance({ hours: (33 - server.deps.clock.now().getUTCHours()) % 24 });
    const page = await openAs(browser, chidi, atHarvests());
    await button(page, "New harvest").click();
    await dialog(page).getByLabel("Quantity, in kg").fill("300");
    await inDialog(page, "Enter harvest");
    await button(page, "Open for choosing…").click();
    await inDialog(page, "Open for choosing");
    await expect(page.getByText(/^Backers choose until .* 0 of 2 have chosen/)).toBeVisible();
    const phone = await openAs(browser, nneka, atOwnHarvest());
    await phone.getByLabel("Take the produce, in kg").fill("50");
    await button(phone, "Save my choice").click();
    await expect(phone.getByText(/^You take 50 kg and 50 kg are sold for you\./)).toBeVisible();
  });

  await test.step("the deadline passes, and the produce is handed over for its code", async () => {
    for (const days of [7, 4, 2, 2]) {
      server.advance({ hours: days * 24 });
      await remindOfHarvests(server.deps);
      await sweepHarvests(server.deps);
    }
    const phone = await openAs(browser, nneka, atOwnHarvest());
    const spelled = await phone
      .getByRole("region", { name: "Collect your produce" })
      .locator(".visually-hidden")
      .textContent();
    const page = await openAs(browser, chidi, atHarvests());
    await page.getByLabel("Code of six digits").fill(spelled ?? "");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Everything was collected.")).toBeVisible();
  });

  await test.step("the rest is sold, two owners say that the money came, and it is settled", async () => {
    const page = await openAs(browser, amaka, atHarvests());
    await button(page, "Add a sale…").click();
    await dialog(page).getByLabel("Buyer").fill("Ibadan Fish Market");
    await dialog(page).getByLabel("Quantity, in kg").fill("250");
    await dialog(page).getByLabel("Amount").fill("500,000");
    await inDialog(page, "Add sale");
    await button(page, "Declare as received… (Ibadan Fish Market, ₦500,000)").click();
    await dialog(page)
      .getByLabel(/^Evidence/)
      .setInputFiles(picture("till.png"));
    await dialog(page).getByLabel("Reason").fill("The buyer paid in cash at the pond.");
    await inDialog(page, "Ask for a second person");
    await expect(dialog(page)).toBeHidden();
    const second = await openAs(browser, bola, atHarvests());
    await button(second, "Confirm").first().click();
    await inDialog(second, "Confirm");
    await expect(second.getByText("₦500,000 has arrived and isn't settled.")).toBeVisible();
    await page.reload();
    await button(page, "Preview the settlement").click();
    await page.getByLabel("Type ₦500,000.00 to settle it").fill("500,000");
    await button(page, "Settle").click();
    await expect(page.getByRole("heading", { name: "Settlement 1" })).toBeVisible();
    await button(page, "Finish harvest…").click();
    await inDialog(page, "Finish harvest");
    await expect(dialog(page)).toBeHidden();
  });

  await test.step("all three say where their money goes", async () => {
    await giveAccount(browser, nneka, "Nneka Okonkwo", "0123456789");
    await giveAccount(browser, ada, "Ada Nwosu", "1234567897");
    await giveAccount(browser, efe, "Efe Okoro", "2345678901");
    server.advance({ hours: 48 });
  });

  const sent = await test.step("one owner makes a run of all of it, and the other approves and sends it", async () => {
    const maker = await openAs(browser, amaka, "/admin/payouts");
    await button(maker, /^Choose all/).click();
    await button(maker, "Make a run of ₦675,000").click();
    await expect(dialog(maker).getByText("You made this run, so another owner has to approve it.")).toBeVisible();
    const second = await openAs(browser, bola, new URL(maker.url()).pathname + new URL(maker.url()).search);
    await button(second, "Approve…").click();
    await button(second, "Approve").click();
    await button(second, "Make the files…").click();
    await button(second, "Make the files").click();
    const link = dialog(second).getByRole("link", { name: "Download CSV" });
    const [download] = await Promise.all([second.waitForEvent("download"), link.click()]);
    const lines = (await readFile(await download.path(), "utf8")).trim().split(/\r?\n/).slice(1);
    return lines.map((text) => {
      const [name = "", , , amount = "", reference = ""] = text.slice(1, -1).split('","');
      return { name, amount, reference };
    });
  });
  expect(sent.map(({ name, amount }) => [name, amount]).sort()).toEqual([
    ["Ada Nwosu", "380000.00"],
    ["Efe Okoro", "200000.00"],
    ["Nneka Okonkwo", "95000.00"],
  ]);

  await test.step("the next statement shows all of it leaving, and the ledger's export says the same", async () => {
    server.advance({ hours: 24 });
    const page = await openAs(browser, bola, "/admin/bank");
    await importToday(
      page,
      sent.map(({ name, amount, reference }) => ({
        amountKobo: -BigInt(amount.replace(".", "")),
        narration: `NIP TRF TO ${name.toUpperCase()}/${reference}`,
      })),
    );
    await page.goto("/admin/bank");
    await button(page, "Export").click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "Ledger as JSON" }).click(),
    ]);
    const entries: { account: string; balanceKobo: string }[] = JSON.parse(
      await readFile(await download.path(), "utf8"),
    );
    const balanceOf = (account: string) => entries.findLast((entry) => entry.account === account)?.balanceKobo;
    expect(["bank", "backer_due", "receipts_held", "payouts_in_transit", "fee_income"].map(balanceOf)).toEqual([
      ...[String(balance), "0", "0", "0", "-2500000"],
    ]);
    for (const person of [nneka, ada, efe]) {
      const phone = await openAs(browser, person, "/profile?tab=money");
      const paid = phone.getByRole("main").getByText(/Paid \d+ \w+ \d{4}, reference GP-/);
      await expect(paid.first()).toBeVisible();
    }
  });

  await test.step("everybody had their mails, and nobody any other", async () => {
    const paidOut = (amount: string) => [
      "Gona: where your money goes was changed",
      `Your money is on its way: ${amount}`,
      `Paid: ${amount}`,
    ];
    const confirmed = `Your backing of ${title} is confirmed`;
    const harvested = `${title} has harvested: choose by {time}`;
    const sold = (amount: string) => `Your harvest of ${title} was sold: you get ${amount}`;
    const receipts = Array<string>(3).fill(`Payment receipt to review: ${title}`);
    const sale = "Declare ₦500,000 of a sale to Ibadan Fish Market as received";
    const run = "Payment run 1: ₦675,000 in 3 payouts";
    expect(await mailsOf(nneka)).toEqual([
      ...[confirmed, `${title} is now closed`, harvested, `Collect your produce of ${title} by {time}`],
      ...[sold("₦95,000"), ...paidOut("₦95,000")],
    ]);
    // Whoever has not chosen is reminded.
    expect(await mailsOf(ada)).toEqual([
      ...[confirmed, harvested],
      ...["7 days", "3 days", "one day"].map((left) => `Your harvest of ${title}: ${left} left to choose`),
      ...[sold("₦380,000"), ...paidOut("₦380,000")],
    ]);
    expect(await mailsOf(efe)).toEqual([
      `The lots of ${title} were taken by other backers`,
      `Your payment for ${title} was not approved`,
      ...paidOut("₦200,000"),
    ]);
    expect(await mailsOf(chidi)).toEqual(receipts);
    expect(await mailsOf(amaka)).toEqual([
      ...receipts,
      `Your request was confirmed: ${sale}`,
      `Your payment run was approved: ${run}`,
      `A payment run went to the bank: ${run}`,
    ]);
    expect(await mailsOf(bola)).toEqual([
      ...receipts,
      `A second person is needed: ${sale}`,
      `A payment run waits for approval: ${run}`,
    ]);
  });
  await expectMoneyHolds(server.deps);
  expect(problems, "errors on the console").toEqual([]);
});
