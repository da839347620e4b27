import { expect, type Page } from "playwright/test";
import { settings } from "#server/db/schema/settings.ts";
import { matchSureLines } from "#server/features/bank/matching/match-sure-lines.ts";
import { findRound } from "#server/features/projects/rounds/service.ts";
import { checkBooksAndFiles, describeChecks } from "#server/self-check.ts";
import { dayInLagos } from "#shared/dates.ts";
import type { Kobo } from "#shared/money.ts";
import { planOfTemplate } from "#shared/reports/templates.ts";
import { secondPersonTexts } from "#shared/second-person/texts.ts";
import { holdHoursKey } from "#shared/settings/texts.ts";
import { keepOwnAccount } from "#tests/support/bank-imports.ts";
import { test } from "#tests/support/browser-test.ts";
import { type ExpectedMail, watchMails } from "#tests/support/mail-watch.ts";
import { callAs, createAdmin, createUser, type TestUser, testPassword } from "#tests/support/people.ts";
import { projectFormOf } from "#tests/support/project-form.ts";
import { waitForHydration } from "#tests/support/screens.ts";
import { type MovableServer, startMovableServer } from "#tests/support/seeded-server.ts";
import {
  button,
  dialog,
  download,
  giveAccount,
  holdButton,
  importDay,
  inDialog,
  openBrowsers,
  type Person,
  paperOf,
  picture,
  pressTogether,
  readOwnPaper,
  readReference,
  readTerms,
  sendReceipt,
} from "#tests/support/story.ts";

// A whole season by a visitor, two backers who race for the last lots, a manager and two owners, each in a browser of their
// own: from the home page over a refund to a harvest that is sold, settled and paid. After each step everybody has had
// exactly the mails that are meant for them.

type Named = Person & { fullName: string };

const title = "Catfish ponds at Asejire";
const nneka: Named = {
  fullName: "Nneka Okonkwo",
  email: "nneka.okonkwo@example.com",
  password: testPassword,
  isAdmin: false,
};
let server: MovableServer;
let amaka: TestUser;
let bola: TestUser;
let chidi: TestUser;
let ada: TestUser;
let efe: TestUser;
let projectId = 0;
let mails: ReturnType<typeof watchMails>;
/** The bank's balance after the last line that was written. */
let balance: Kobo = 0n;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  server = await startMovableServer();
  const { deps } = server;
  server.advance({ hours: hoursToMondayMorning(deps.clock.now()) });
  await deps.db.insert(settings).values({ key: holdHoursKey, value: "24" });
  await keepOwnAccount(deps.db);
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi", email: "amaka@example.com" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade", email: "bola@example.com" });
  chidi = await createAdmin(deps.db, "manager", { fullName: "Chidi Eze", email: "chidi@example.com" });
  ada = await createUser(deps.db, { fullName: "Ada Nwosu", email: "ada@example.com" });
  efe = await createUser(deps.db, { fullName: "Efe Okoro", email: "efe@example.com" });
  mails = watchMails(deps);
  const manager = await callAs(deps, chidi);
  const form = projectFormOf({ title, fundingGoal: "300,000", lots: 3, minimumLots: 3 });
  ({ id: projectId } = await manager.projects.create(form));
  const { termsVersion: seenVersion } = await findRound(deps.db, { projectId, round: 1 });
  // What a farm reports is another story: its plan is over before the round is funded.
  await manager.reports.savePlan({ projectId, plan: { ...planOfTemplate("none"), endsOn: today() } });
  await manager.projects.updateTerms({
    releaseParts: [],
    projectId,
    seenVersion,
    unit: "kg",
    plannedPrice: "2,000",
    plannedQuantity: "300",
    plannedHarvests: 1,
    firstHarvestOn: null,
    farmPart: "0",
    deductibleCosts: ["Feed"],
    fee: "5",
    options: ["produce", "sale", "give_away"],
    collectionPlace: "Moniya market, Ibadan",
    choiceDays: 14,
    collectionDays: 7,
    insurance: null,
  });
});
test.afterAll(async () => server.stop());

/** Returns the hours until Monday, ten in the morning in Lagos, so that no test depends on when it runs. */
function hoursToMondayMorning(now: Date): number {
  const days = (8 - now.getUTCDay()) % 7 || 7;
  const monday = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days, 9);
  return (monday - now.getTime()) / 3_600_000;
}

const today = () => dayInLagos(server.deps.clock.now());
const atHarvests = () => `/admin/project/${projectId}?tab=harvests`;
const atOwnHarvest = () => `/backed-project/${projectId}?tab=harvest`;
const atPayment = () => `/back-project/${projectId}`;
const atMoney = "/profile?tab=money";
const each = (people: readonly Named[], subject: string): ExpectedMail[] => people.map((person) => [person, subject]);

/** An owner imports the statement of today, which goes on where the last one ended, and its sure lines are matched. */
async function importToday(page: Page, lines: { amountKobo: Kobo; narration: string }[]): Promise<void> {
  await importDay(page, { day: today(), openingKobo: balance, lines });
  await matchSureLines(server.deps);
  await expect(dialog(page).getByText(/All new lines are matched\.$|The others wait for you\.$/)).toBeVisible();
  balance = lines.reduce((sum, { amountKobo }) => sum + amountKobo, balance);
}

test("a season, from the home page to a refund and a paid harvest", async ({ browser }) => {
  test.setTimeout(600_000);
  const people = openBrowsers(browser, server);
  const { openAs } = people;
  const references = new Map<Named, string>();
  const reviewers = [amaka, bola, chidi];
  await mails.expectMails("a farm was made", []);

  await test.step("a visitor finds the farm from the home page, signs up, holds a lot and pays", async () => {
    const page = await people.newPage(nneka);
    await page.goto("/");
    await page.getByRole("link", { name: "Join Us" }).first().click();
    await page.getByRole("main").getByRole("searchbox").fill("catfish ponds");
    await page.getByRole("link", { name: title }).click();
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await waitForHydration(page);
    await page.getByRole("button", { name: "Back this project" }).first().click();
    await expect(page.getByText("Please log in to back this project").first()).toBeVisible();
    await page.goto("/signup");
    await page.getByLabel("Full Name").fill(nneka.fullName);
    await page.getByLabel("Email").fill(nneka.email);
    await page.getByRole("textbox", { name: "Password" }).fill(nneka.password);
    await page.getByLabel("I agree to the terms of service").check();
    await page.getByRole("button", { name: "Create Account" }).click();
    await expect(page).toHaveURL(`${server.url}/`);
    people.keep(nneka, page);
    await openAs(nneka, atPayment());
    await readTerms(page, 1);
    await button(page, holdButton).click();
    references.set(nneka, await readReference(page));
    await sendReceipt(page);
    await mails.expectMails("a lot is held and paid for", [
      [nneka, `Lots held for you: ${title}`],
      ...each(reviewers, `Payment receipt to review: ${title}`),
    ]);
  });

  const [first, second] =
    await test.step("two backers press for the last two lots at once, and one has them", async () => {
      const racers = [
        { person: ada, page: await openAs(ada, atPayment()) },
        { person: efe, page: await openAs(efe, atPayment()) },
      ];
      for (const { page } of racers) await readTerms(page, 2);
      await pressTogether(
        racers.map(({ page }) => page),
        holdButton,
        "payments.begin",
      );
      const held = (page: Page) => page.getByText(/^2 lots held for you until Tuesday \d\d:\d\d$/);
      const taken = (page: Page) => page.getByText(/^Held for other backers until Tuesday \d\d:\d\d$/);
      const results = [];
      for (const racer of racers) {
        await expect(held(racer.page).or(taken(racer.page))).toBeVisible();
        results.push({ ...racer, hasLots: await held(racer.page).isVisible() });
      }
      const [winner, loser] = results.toSorted((one, other) => Number(other.hasLots) - Number(one.hasLots));
      if (!winner?.hasLots || !loser || loser.hasLots) throw new Error("not exactly one has the lots");
      references.set(winner.person, await readReference(winner.page));
      await button(loser.page, "Join the waiting list").click();
      await expect(loser.page.getByText("You are number 1 of 1 on the waiting list.")).toBeVisible();
      await mails.expectMails("one holds lots, and the other one waits", [
        [winner.person, `Lots held for you: ${title}`],
      ]);
      return [winner.person, loser.person];
    });

  await test.step("the winner lets the hold end, so the lots are offered to the other one, who pays", async () => {
    await server.pass({ hours: 21 });
    await mails.expectMails("a hold is about to end", [[first, `Your hold ends soon: ${title}`]]);
    await server.pass({ hours: 4 });
    await mails.expectMails("the hold has ended", [
      [first, `Your hold has ended: ${title}`],
      [second, `It is your turn: ${title}`],
    ]);
    const page = await openAs(second, atPayment());
    await expect(page.getByText(/^It is your turn until /)).toBeVisible();
    await page.getByLabel("I have read the terms.").check();
    await button(page, holdButton).click();
    await expect(page.getByText(/^2 lots held for you until /)).toBeVisible();
    references.set(second, await readReference(page));
    await sendReceipt(page);
    await mails.expectMails("the offer is taken and paid for", [
      [second, `Lots held for you: ${title}`],
      ...each(reviewers, `Payment receipt to review: ${title}`),
    ]);
  });

  await test.step("the statement shows three transfers, one of them too late: it is given back", async () => {
    const page = await openAs(amaka, "/admin/bank");
    const paid: [Named, Kobo][] = [
      [nneka, 10_000_000n],
      [second, 20_000_000n],
      [first, 20_000_000n],
    ];
    await importToday(
      page,
      paid.map(([person, amountKobo]) => ({
        amountKobo,
        narration: `NIP/ACCESS/${person.fullName.toUpperCase()}/${references.get(person)}`,
      })),
    );
    await mails.expectMails("three transfers came", [[first, `Your transfer has arrived: ${title}`]]);
    await dialog(page).getByRole("button", { name: "Confirm 3 sure matches" }).click();
    await button(page, "Approve 3 payments").click();
    await expect(dialog(page).getByText("2 approved")).toBeVisible();
    await expect(dialog(page).getByText("1 refund is due, because the lots were gone.")).toBeVisible();
    await button(page, "Done").click();
    const sent = await mails.expectMails("two payments are approved, and one is given back", [
      [nneka, `Your backing of ${title} is confirmed`],
      [second, `Your backing of ${title} is confirmed`],
      [nneka, `${title} is now closed`],
      [first, `The lots of ${title} were taken by other backers`],
      [first, `Your payment for ${title} was not approved`],
    ]);

    const receipt = paperOf(sent, nneka, "GR");
    const { text, code } = await readOwnPaper(await openAs(nneka, receipt.path), receipt.number);
    expect(text).toContain("₦100,000.00");
    const stranger = await people.newPage({ isAdmin: false });
    await stranger.goto("/verify");
    await waitForHydration(stranger);
    await stranger.getByLabel("Code on the paper").fill(code);
    await button(stranger, "Check the code").click();
    const known = stranger.getByRole("region", { name: "What we know of this paper" });
    await expect(known).toContainText("This paper is genuine and valid");
    await expect(known).toContainText(receipt.number);
    await expect(known).toContainText("₦100,000.00");
    await expect(known).not.toContainText(nneka.fullName);

    const note = paperOf(sent, first, "GN");
    const phone = await openAs(first, note.path);
    // The notification of it is on the page too, behind the bell.
    const money = phone.getByRole("main");
    await expect(money.getByText("₦200,000 will be returned to you. Tell us where to.").first()).toBeVisible();
    expect((await readOwnPaper(phone, note.number)).text).toContain("₦200,000.00");
  });

  await test.step("the manager enters the harvest, a backer takes a part of it, the other one leaves it to be sold", async () => {
    const page = await openAs(chidi, atHarvests());
    await button(page, "New harvest").click();
    await dialog(page).getByLabel("Quantity, in kg").fill("300");
    await inDialog(page, "Enter harvest");
    await button(page, "Open for choosing…").click();
    await inDialog(page, "Open for choosing");
    await expect(page.getByText(/^Backers choose until .* 0 of 2 have chosen/)).toBeVisible();
    await mails.expectMails("backers may choose", each([nneka, second], `${title} has harvested: choose by {time}`));
    const phone = await openAs(nneka, atOwnHarvest());
    await phone.getByLabel("Take the produce, in kg").fill("50");
    await button(phone, "Save my choice").click();
    await expect(phone.getByText(/^You take 50 kg and 50 kg are sold for you\./)).toBeVisible();
  });

  await test.step("the deadline passes, and the produce is handed over for its code", async () => {
    for (const [days, left] of [
      [7, "7 days"],
      [4, "3 days"],
      [2, "one day"],
    ] as const) {
      await server.pass({ hours: days * 24 });
      // Whoever has chosen isn't reminded. Owners are told once of the round's money, which nobody has released.
      const waits = left === "7 days" ? each([amaka, bola], `Money waits to be released to a farm: ${title}`) : [];
      await mails.expectMails(`${left} left`, [[second, `Your harvest of ${title}: ${left} left to choose`], ...waits]);
    }
    await server.pass({ hours: 48 });
    await mails.expectMails("the deadline is over", [[nneka, `Collect your produce of ${title} by {time}`]]);
    const phone = await openAs(nneka, atOwnHarvest());
    const spelled = await phone
      .getByRole("region", { name: "Collect your produce" })
      .locator(".visually-hidden")
      .textContent();
    const page = await openAs(chidi, atHarvests());
    await page.getByRole("link", { name: "Hand produce over" }).click();
    await page.getByLabel("Code of six digits").fill(spelled ?? "");
    await page.keyboard.press("Enter");
    await button(page, "Handed over").click();
    await expect(page.getByText("Everything was collected.")).toBeVisible();
    await mails.expectMails("the produce is handed over", []);
  });

  await test.step("the rest is sold: one buyer's money comes to the bank, two owners declare the other one's", async () => {
    const page = await openAs(amaka, atHarvests());
    for (const [buyer, quantity, amount] of [
      ["Ibadan Fish Market", "150", "300,000"],
      ["Mile 12 traders", "100", "200,000"],
    ] as const) {
      await button(page, "Add a sale…").click();
      await dialog(page).getByLabel("Buyer").fill(buyer);
      await dialog(page).getByLabel("Quantity, in kg").fill(quantity);
      await dialog(page).getByLabel("Amount").fill(amount);
      await inDialog(page, "Add sale");
      await expect(dialog(page)).toBeHidden();
    }
    await button(page, "Declare as received… (Mile 12 traders, ₦200,000)").click();
    await dialog(page)
      .getByLabel(/^Evidence/)
      .setInputFiles(picture("till.png"));
    await dialog(page).getByLabel("Reason").fill("The buyer paid in cash at the pond.");
    await inDialog(page, "Send to another owner");
    await expect(dialog(page)).toBeHidden();
    const declared = "Declare ₦200,000 of a sale to Mile 12 traders as received";
    await mails.expectMails("a second person is asked", [[bola, `A second person is needed: ${declared}`]]);
    const confirmer = await openAs(bola, atHarvests());
    await button(confirmer, "Confirm").first().click();
    await inDialog(confirmer, "Confirm");
    await expect(confirmer.getByText("₦200,000 has arrived and isn't settled.")).toBeVisible();
    await mails.expectMails("the second person confirms", [
      [amaka, `Your request was confirmed: ${declared}`],
      [bola, `Two owners did this: ${declared}`],
    ]);

    await page.goto("/admin/bank");
    await importToday(page, [{ amountKobo: 30_000_000n, narration: "TRF FROM IBADAN FISH MKT COOP/FISH" }]);
    await button(page, "Close").click();
    await explainBySale(page, "₦300,000.00", "Ibadan Fish Market");
    await page.goto(atHarvests());
    await expect(page.getByText("₦500,000 has arrived and isn't settled.")).toBeVisible();
    await mails.expectMails("a line shows a sale", []);
  });

  await test.step("who wrote no sale down settles it, and a backer reads the statement of it", async () => {
    const page = await openAs(bola, atHarvests());
    await button(page, "Preview the settlement").click();
    await page.getByLabel("Type ₦500,000.00 to settle it").fill("500,000");
    await button(page, "Settle").click();
    await expect(page.getByRole("heading", { name: "Settlement 1" })).toBeVisible();
    await button(page, "Finish harvest…").click();
    await inDialog(page, "Finish harvest");
    await expect(dialog(page)).toBeHidden();
    const sent = await mails.expectMails("the harvest is settled", [
      [nneka, `Your harvest of ${title} was sold: you get ₦95,000`],
      [second, `Your harvest of ${title} was sold: you get ₦380,000`],
    ]);
    const statement = paperOf(sent, second, "GS");
    const { text } = await readOwnPaper(await openAs(second, statement.path), statement.number);
    for (const amount of ["₦400,000.00", "₦20,000.00", "₦380,000.00"]) expect(text).toContain(amount);
  });

  await test.step("all three say where their money goes", async () => {
    for (const [person, accountNumber] of [
      [nneka, "0123456789"],
      [ada, "1234567897"],
      [efe, "2345678901"],
    ] as const) {
      const page = await openAs(person, atMoney);
      await giveAccount(page, { name: person.fullName, accountNumber, password: person.password });
    }
    await mails.expectMails(
      "accounts are given",
      each([nneka, ada, efe], "Gona: the account for your payouts was changed"),
    );
    // A new account rests for two days.
    await server.pass({ hours: 48 });
    await mails.expectMails("the accounts have rested", []);
  });

  const sent = await test.step("one owner makes a run of all of it, and the other approves and sends it", async () => {
    const run = "Payment run 1: ₦675,000 in 3 payouts";
    const maker = await openAs(amaka, "/admin/payouts");
    await button(maker, /^Choose all/).click();
    await button(maker, "Make a run of ₦675,000").click();
    await expect(dialog(maker).getByText(secondPersonTexts.needsAnother)).toBeVisible();
    await mails.expectMails("a run is made", [[bola, `A payment run waits for approval: ${run}`]]);
    const approver = await openAs(bola, new URL(maker.url()).pathname + new URL(maker.url()).search);
    await button(approver, "Approve…").click();
    await button(approver, "Approve").click();
    await button(approver, "Make the files…").click();
    await button(approver, "Make the files").click();
    const link = dialog(approver).getByRole("link", { name: "Download CSV" });
    const { bytes } = await download(approver, () => link.click());
    await button(approver, "The bank has it").click();
    await expect(approver.getByText(/that the bank has it\.$/)).toBeVisible();
    await mails.expectMails("the run went to the bank", [
      [amaka, `Your payment run was approved: ${run}`],
      [bola, `A payment run was approved: ${run}`],
      [amaka, `A payment run went to the bank: ${run}`],
      [nneka, "Your money is on its way: ₦95,000"],
      [second, "Your money is on its way: ₦380,000"],
      [first, "Your money is on its way: ₦200,000"],
    ]);
    const lines = bytes.toString("utf8").trim().split(/\r?\n/).slice(1);
    return lines.map((text) => {
      const [name = "", , , amount = "", reference = ""] = text.slice(1, -1).split('","');
      return { name, amount, reference };
    });
  });
  expect(new Map(sent.map(({ name, amount }) => [name, amount]))).toEqual(
    new Map([
      [nneka.fullName, "95000.00"],
      [second.fullName, "380000.00"],
      [first.fullName, "200000.00"],
    ]),
  );

  await test.step("the next statement shows all of it leaving, and the cash of the sale that was declared", async () => {
    await server.pass({ hours: 24 });
    await mails.expectMails("a day passes", []);
    const page = await openAs(bola, "/admin/bank");
    await importToday(page, [
      { amountKobo: 20_000_000n, narration: "CASH DEPOSIT BY MILE 12 TRADERS" },
      ...sent.map(({ name, amount, reference }) => ({
        amountKobo: -BigInt(amount.replace(".", "")),
        narration: `NIP TRF TO ${name.toUpperCase()}/${reference}`,
      })),
    ]);
    await button(page, "Close").click();
    await explainBySale(page, "₦200,000.00", "Mile 12 traders");
    await mails.expectMails("the bank has paid", [
      [nneka, "Paid: ₦95,000"],
      [second, "Paid: ₦380,000"],
      [first, "Paid: ₦200,000"],
    ]);
    for (const person of [nneka, ada, efe]) {
      const paid = (await openAs(person, atMoney)).getByRole("main").getByText(/Paid \d+ \w+ \d{4}, reference GP-/);
      await expect(paid.first()).toBeVisible();
    }
  });

  await test.step("bank, ledger and its export say the same, and the books hold", async () => {
    const page = await openAs(bola, "/admin/bank");
    const figure = (name: string) =>
      page.getByRole("main").locator("dl > div").filter({ hasText: name }).locator("dd").first().textContent();
    await expect(page.getByText("Bank and ledger agree.")).toBeVisible();
    expect([await figure("Bank"), await figure("Ledger"), await figure("Difference")]).toEqual([
      "₦325,000.00",
      "₦325,000.00",
      "₦0.00",
    ]);
    expect(balance).toBe(32_500_000n);
    await button(page, "Export").click();
    const { bytes } = await download(page, () => page.getByRole("menuitem", { name: "Ledger as JSON" }).click());
    const entries: { account: string; balanceKobo: string }[] = JSON.parse(bytes.toString("utf8"));
    const balances = new Map(entries.map(({ account, balanceKobo }) => [account, balanceKobo]));
    // What is left is what backers paid for the farm, and the fee.
    expect(Object.fromEntries([...balances].filter(([, kobo]) => kobo !== "0"))).toEqual({
      bank: String(balance),
      project_funding: "-30000000",
      fee_income: "-2500000",
    });
    await server.pass({ hours: 1 });
    const { isOk, lines } = describeChecks(await checkBooksAndFiles(server.deps));
    expect(isOk, lines.filter((line) => !line.startsWith("ok")).join("\n")).toBe(true);
  });
  await mails.expectNoOther();
  expect(people.problems, "errors on the console").toEqual([]);
});

/** An owner chooses the sale that is suggested for the line of this amount. */
async function explainBySale(page: Page, amount: string, buyer: string): Promise<void> {
  await page.getByRole("link", { name: new RegExp(`^Match ${amount} of `) }).click();
  await button(page, `Choose ${buyer}`).click();
  await expect(dialog(page).getByRole("region", { name: "Matched to" })).toContainText(buyer);
  await button(page, "Close").click();
}
