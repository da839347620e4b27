import { asc, desc, eq, inArray } from "drizzle-orm";
import { expect, type Page } from "playwright/test";
import { sumOfEntries } from "#server/books/sums.ts";
import { ledgerEntries } from "#server/db/schema/ledger.ts";
import { outgoingMails } from "#server/db/schema/notifications.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { matchSureLines } from "#server/features/bank/matching/match-sure-lines.ts";
import { allotIfDue } from "#server/features/harvests/choosing/allotment.ts";
import { payoutLineTexts, wallTexts } from "#shared/bank/texts.ts";
import { voidTexts } from "#shared/bank/void-texts.ts";
import { dayInLagos } from "#shared/dates.ts";
import type { Kobo } from "#shared/money.ts";
import { ownStrikeTexts } from "#shared/payments/own-strikes-texts.ts";
import { strikeTexts } from "#shared/payments/strikes-texts.ts";
import { ownMoneyTexts } from "#shared/payouts/payee-accounts-texts.ts";
import { payoutRunTexts } from "#shared/payouts/runs-texts.ts";
import { letPayoutGoTexts } from "#shared/second-person/texts.ts";
import { csvOf, importAs, keepOwnAccount, line } from "#tests/support/bank-imports.ts";
import { test } from "#tests/support/browser-test.ts";
import { type Farm, fundFarm, keepSale, openHarvestOf } from "#tests/support/harvests.ts";
import { expectMoneyHolds } from "#tests/support/money.ts";
import { giveAccount } from "#tests/support/payouts.ts";
import { callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { farmOf } from "#tests/support/projects.ts";
import { waitForHydration } from "#tests/support/screens.ts";
import { type MovableServer, startMovableServer } from "#tests/support/seeded-server.ts";
import {
  button,
  dialog,
  download,
  importDay,
  inDialog,
  openBrowsers,
  paperOf,
  picture,
  readOwnPaper,
} from "#tests/support/story.ts";

// An operator's bad month: what the bank takes back, writes wrong, refuses and pays twice, and what was typed wrong. Two
// owners find the way out of each on the screen where they look for it, and whoever it is about reads it.

// The second walk goes on with the farm and the bank of the first.
test.describe.configure({ mode: "serial" });

const lot: Kobo = 10_000_000n;
let server: MovableServer;
let amaka: TestUser;
let bola: TestUser;
let farm: Farm;
let ada: TestUser;
let efe: TestUser;
let nneka: TestUser;
let people: ReturnType<typeof openBrowsers>;
/** What the bank has, after the last line that was imported. */
let balance: Kobo = 0n;

test.beforeAll(async () => {
  test.setTimeout(150_000);
  server = await startMovableServer();
  const { deps } = server;
  const accountId = await keepOwnAccount(deps.db);
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  farm = await fundFarm(deps, { owner: amaka, lots: [1, 1, 1] });
  [ada, efe, nneka] = farm.backers as [TestUser, TestUser, TestUser];
  await importByService(
    accountId,
    (await referencesOf(farm)).map((reference) => moved(lot, `NIP/ACCESS/${reference}`)),
  );
  const owner = await callAs(deps, amaka);
  await owner.farmReleases.release({
    part: 1,
    askId: null,
    projectId: farm.project.id,
    round: 1,
    seenKobo: 3n * lot,
    amountKobo: 3n * lot,
  });
  await giveAccount(deps, farmOf(farm.project), { addedBy: amaka.id, accountName: "Asejire Farms" });
  for (const { id, fullName } of [efe, nneka]) {
    await giveAccount(deps, { userId: id }, { addedBy: id, accountName: fullName });
  }
});
test.afterAll(async () => server.stop());
test.beforeEach(({ browser }) => {
  people = openBrowsers(browser, server);
});
test.afterEach(async () => {
  expect(people.problems, "errors on the console").toEqual([]);
  await expectMoneyHolds(server.deps);
});

const today = () => dayInLagos(server.deps.clock.now());
const moved = (amountKobo: Kobo, narration: string) => ({ amountKobo, narration });
type Moved = ReturnType<typeof moved>;
const count = (lines: readonly Moved[]) => {
  for (const { amountKobo } of lines) balance += amountKobo;
};

async function importByService(accountId: number, lines: readonly Moved[]): Promise<void> {
  const truths = lines.map(({ amountKobo, narration }) => line(today(), amountKobo, narration));
  await importAs(server.deps, amaka, { accountId, file: csvOf({ openingKobo: balance, truths }) });
  count(lines);
  await matchSureLines(server.deps);
}

/** An owner imports the statement of today, and its sure lines are matched. */
async function importToday(page: Page, lines: readonly Moved[]): Promise<void> {
  await page.goto("/admin/bank");
  await importDay(page, { day: today(), openingKobo: balance, lines });
  await matchSureLines(server.deps);
  await expect(dialog(page).getByText(/wait for you\.$|^All new lines are matched\.$/)).toBeVisible();
  await button(page, "See the lines").click();
  count(lines);
}

const referencesOf = async ({ project }: Farm): Promise<string[]> => {
  const paid = await server.deps.db
    .select({ reference: projectPayments.reference })
    .from(projectPayments)
    .where(eq(projectPayments.projectId, project.id))
    .orderBy(asc(projectPayments.id));
  return paid.map(({ reference }) => reference);
};
const mailsTo = ({ email }: TestUser) =>
  server.deps.db.select().from(outgoingMails).where(eq(outgoingMails.recipient, email)).orderBy(desc(outgoingMails.id));
const subjectsTo = async (person: TestUser) => (await mailsTo(person)).map(({ subject }) => subject);

async function openLine(page: Page, text: string): Promise<void> {
  await page
    .getByRole("row")
    .filter({ hasText: text })
    .getByRole("link", { name: /^Match/ })
    .click();
}
const matchedTo = (page: Page) => dialog(page).getByRole("region", { name: "Matched to" });

async function sendToAnotherOwner(page: Page): Promise<void> {
  await dialog(page).getByRole("textbox", { name: "Reason" }).fill(reason);
  await inDialog(page, "Send to another owner");
  await expect(page.getByRole("button", { name: "Send to another owner" })).toHaveCount(0);
}
const reason = "The bank's letter of this morning says so.";

/** The other owner reads on the dashboard what a request does, and confirms it. */
async function confirm(second: TestUser, title: string, read: readonly string[]): Promise<Page> {
  const page = await people.openAs(second, "/admin/dashboard");
  const request = page.getByRole("article").filter({ has: page.getByRole("heading", { name: title }) });
  for (const text of [`Reason: ${reason}`, ...read]) await expect(request).toContainText(text);
  await request.getByRole("button", { name: "Confirm" }).click();
  await inDialog(page, "Confirm");
  await expect(request).toHaveCount(0);
  return page;
}

test("a wrong statement is void, and a payment that the bank took back from the farm's money is struck", async () => {
  const { title, id: projectId } = farm.project;
  const [reference = ""] = await referencesOf(farm);
  server.advance({ hours: 24 });

  await test.step("two owners void the statement that the bank wrote wrong, and the right one is imported", async () => {
    const page = await people.openAs(amaka, "/admin/bank");
    await importToday(page, [moved(-lot / 10n, `RVSL ${reference}`)]);
    balance += lot / 10n;
    const file = `statement-${today()}.csv`;
    await page.getByRole("link", { name: /^Imports/ }).click();
    await button(page, `Void ${file}`).click();
    await expect(dialog(page)).toContainText(voidTexts.meaning.statement);
    await sendToAnotherOwner(page);
    await confirm(bola, `Void the statement ${file}`, [voidTexts.importAfter]);
    await page.reload();
    await expect(page.getByRole("region", { name: "Void" })).toContainText(`Confirmed by ${bola.fullName}`);
    await importToday(page, [moved(-lot, `RVSL ${reference}`)]);
  });

  const page =
    await test.step("two owners say that the bank took the transfer back, which its backer reads", async () => {
      const page = await people.openAs(amaka, "/admin/bank");
      await openLine(page, "RVSL");
      await button(page, `Choose ${ada.fullName}, ${reference}`).click();
      await expect(dialog(page)).toContainText(wallTexts.takenBack(reference));
      await sendToAnotherOwner(page);
      await confirm(bola, "Match ₦100,000 of", ["An approved payment stays approved without its money"]);
      expect((await mailsTo(ada))[0]).toMatchObject({
        subject: `The bank took your transfer back: ${title}`,
        text: expect.stringContaining("The bank took back ₦100,000 that you had transferred."),
      });
      return page;
    });

  await test.step("from the line an owner goes to the payment and asks to strike it, with the bank's letter", async () => {
    await page.reload();
    await matchedTo(page)
      .getByRole("link", { name: `See the payment ${reference}` })
      .click();
    await page.getByRole("button", { name: /^View Receipt/ }).click();
    await button(page, "Strike the payment…").click();
    await dialog(page)
      .getByLabel(/^What shows it/)
      .setInputFiles(picture("letter.png"));
    await sendToAnotherOwner(page);
    const second = await people.openAs(bola, "/admin/dashboard");
    const letter = second.getByRole("link", { name: "Open the paper that proves it: letter.png" });
    expect((await second.request.get((await letter.getAttribute("href")) ?? "")).headers()["content-type"]).toBe(
      "image/png",
    );
    await confirm(bola, strikeTexts.title("₦100,000", title), [
      "₦100,000 is lost, and the company bears it.",
      ...strikeTexts.effects,
    ]);
  });

  await test.step("the backer reads why in mail, notice and profile, and the receipt is no longer valid", async () => {
    const mails = await mailsTo(ada);
    expect(mails[0]?.subject).toBe(`Your payment no longer counts: ${title}`);
    for (const words of [reason, "If your money reaches us after all, we give it back to you."]) {
      expect(mails[0]?.text).toContain(words);
    }
    const phone = await people.openAs(ada, "/notifications");
    await expect(phone.getByRole("main").getByText(`Your payment no longer counts: ${title}`)).toBeVisible();
    await phone.goto(`/backed-project/${projectId}`);
    await expect(phone.getByText(ownStrikeTexts.backsNoMore)).toBeVisible();
    const { number, path } = paperOf(mails, ada, "GR");
    await phone.goto(path);
    const struck = phone.getByRole("listitem").filter({ hasText: ownStrikeTexts.label });
    await expect(struck).toContainText(ownStrikeTexts.reason(reason));
    await expect(struck).toContainText(ownStrikeTexts.counts);
    const { code } = await readOwnPaper(phone, number);
    await expect(phone.getByRole("listitem").filter({ hasText: number })).toContainText("No longer valid");
    await phone.goto(`/verify/${code}`);
    await waitForHydration(phone);
    await expect(phone.getByText("This paper is genuine, but no longer valid")).toBeVisible();
  });
});

test("a sale rises by what came after its settlement, and what the bank refuses, sends back or pays twice is put right", async () => {
  const { deps } = server;
  const { title, id: projectId } = farm.project;
  const atHarvests = `/admin/project/${projectId}?tab=harvests`;

  await test.step("a sale that was typed with a digit too few was settled: the rest arrives, and is settled too", async () => {
    const harvestId = await openHarvestOf(await callAs(deps, amaka), farm, 300_000n);
    server.advance({ hours: 15 * 24 });
    await allotIfDue(deps, harvestId);
    const owner = await callAs(deps, amaka);
    const saleId = await keepSale(deps, await callAs(deps, bola), {
      harvestId,
      quantity: 300_000n,
      amountKobo: 14_000_000n,
    });
    const [account] = (await owner.bank.overview()).accounts;
    await importByService(account?.id ?? 0, [moved(14_000_000n, "TRF FROM IBADAN FISH MKT")]);
    const { items } = await owner.bank.lines({ accountId: account?.id ?? 0, tab: "suggested" });
    const part = { kind: "sale" as const, amountKobo: 14_000_000n, saleId };
    await owner.bank.match({ lineId: items[0]?.id ?? 0, seenMatchedKobo: 0n, parts: [part] });
    await owner.harvests.settle({ harvestId, pool: "sold", amount: "140,000" });

    server.advance({ hours: 24 });
    const page = await people.openAs(amaka, "/admin/bank");
    await importToday(page, [moved(90_000_000n, "TRF FROM IBADAN FISH MKT BAL")]);
    await openLine(page, "BAL");
    await button(page, "Sale of a harvest").click();
    await button(page, `Choose all of it for Ibadan Fish Market, Harvest 1 of ${title}`).click();
    await expect(matchedTo(page)).toContainText("Ibadan Fish Market");
    await page.goto(atHarvests);
    await expect(page.getByRole("row").filter({ hasText: "Ibadan Fish Market" })).toContainText("₦1,040,000");
    await button(page, "Preview the settlement").click();
    await page.getByLabel("Type ₦900,000.00 to settle it").fill("900,000");
    await button(page, "Settle").click();
    await expect(page.getByRole("heading", { name: "Settlement 2" })).toBeVisible();
    const mails = await mailsTo(efe);
    expect(mails[0]?.subject).toBe(`Your harvest of ${title} was sold: you get ₦427,500`);
    const phone = await people.openAs(efe, `/backed-project/${projectId}?tab=harvest`);
    await expect(phone.getByText("All settlements together")).toBeVisible();
    await expect(phone.getByRole("main")).toContainText("₦494,000.00");
    const { number, path } = paperOf(mails, efe, "GS");
    await phone.goto(path);
    const { text } = await readOwnPaper(phone, number);
    for (const amount of ["₦450,000.00", "₦22,500.00", "₦427,500.00"]) expect(text).toContain(amount);
  });

  await test.step("one payout is withheld, and others are sent by a run, whose file is written in another layout", async () => {
    const maker = await people.openAs(amaka, "/admin/payouts");
    await button(maker, new RegExp(`^Withhold ₦66,500 for ${nneka.fullName}`)).click();
    await dialog(maker).getByRole("textbox", { name: "Reason" }).fill(reason);
    await inDialog(maker, "Withhold");
    await expect(maker.getByText(`Withheld: ${reason}`)).toBeVisible();
    const phone = await people.openAs(nneka, "/profile?tab=money");
    await expect(phone.getByText(/We are looking at this payout before we send it\./)).toBeVisible();
    await button(maker, "Choose all 4").click();
    await button(maker, "Make a run of ₦1,221,500").click();
    await expect(dialog(maker).getByText("₦1,221,500.00").first()).toBeVisible();

    const approver = await people.openAs(bola, "/admin/dashboard");
    await approver.getByRole("link", { name: /^1 payment run to approve/ }).click();
    await approver.getByRole("link", { name: /^Payment run 1/ }).click();
    await button(approver, "Approve…").click();
    await button(approver, "Approve").click();
    await button(approver, "Make the files…").click();
    await button(approver, "Make the files").click();
    await button(approver, "Another layout…").click();
    await approver.getByLabel("Columns that your bank wants").selectOption({ label: "Four columns" });
    await button(approver, "Make the file").click();
    await expect(dialog(approver).getByText("Layout 2: amount, bankCode, accountNumber, narration")).toBeVisible();
    const rowsOf = async (name: string) => {
      const { bytes } = await download(approver, () =>
        dialog(approver).getByRole("link", { name, exact: true }).click(),
      );
      return bytes.toString("utf8").trim().split("\r\n");
    };
    const usual = await rowsOf("Download CSV 1");
    const four = await rowsOf("Download CSV 2");
    expect(four[0]).toBe('"amount","bankCode","accountNumber","narration"');
    expect(four).toHaveLength(usual.length);
    expect((await subjectsTo(amaka))[0]).toBe(
      "A payment run has a file in another layout: Payment run 1: ₦1,221,500 in 4 payouts",
    );
  });

  await test.step("the bank refuses the whole file, and all of it is due again, which its people read", async () => {
    const approver = await people.openAs(bola, "/admin/payouts?tab=runs&run=1");
    await button(approver, "The bank refused it…").click();
    await expect(approver.getByLabel("The whole file")).toBeChecked();
    await expect(dialog(approver)).toContainText(payoutRunTexts.refused(4, "₦1,221,500.00"));
    await sendToAnotherOwner(approver);
    await confirm(amaka, "The bank refused the whole file of payment run 1: ₦1,221,500", [
      "Nobody is told that money came back.",
      payoutRunTexts.refusedButTaken(4),
    ]);
    await approver.reload();
    await expect(dialog(approver).getByText("Refused by the bank")).toHaveCount(4);
    await expect(dialog(approver).getByRole("button", { name: "Another layout…" })).toHaveCount(0);
    const phone = await people.openAs(efe, "/profile?tab=money");
    await expect(phone.getByText(new RegExp(ownMoneyTexts.refused))).toHaveCount(2);
    for (const person of [efe, nneka]) {
      expect(await subjectsTo(person)).not.toContainEqual(
        expect.stringMatching(/^(Your money is on its way|Money came back)/),
      );
    }
  });

  await test.step("the same go out by another run, and the bank refuses one of those", async () => {
    const owner = await callAs(deps, amaka);
    const { payouts: due } = await owner.payouts.due();
    const payoutIds = due.flatMap(({ id, withheldReason }) => (withheldReason === null ? [id] : []));
    const [account] = (await owner.bank.overview()).accounts;
    const { runId } = await owner.payouts.makeRun({ payoutIds, ownAccountId: account?.id ?? 0 });
    const other = await callAs(deps, bola);
    await other.payouts.approveRun({ runId });
    await other.payouts.exportRun({ runId, profile: "compact" });

    const maker = await people.openAs(amaka, "/admin/payouts");
    const phone = await people.openAs(nneka, "/profile?tab=money");
    const approver = await people.openAs(bola, `/admin/payouts?tab=runs&run=${runId}`);
    await download(approver, () => dialog(approver).getByRole("link", { name: "Download CSV" }).click());
    await button(approver, "The bank refused it…").click();
    await approver.getByLabel("The whole file").uncheck();
    const ofEfe = approver.getByLabel(new RegExp(`^₦66,500 for ${efe.fullName}`));
    await ofEfe.check();
    await sendToAnotherOwner(approver);
    await expect(dialog(approver).getByText("Another owner is asked whether the bank refused it")).toBeVisible();
    await confirm(amaka, "The bank refused 1 payout of payment run 2: ₦66,500", []);
    await approver.reload();
    await button(approver, "The bank has it").click();
    await expect(dialog(approver).getByText(/that the bank has it\.$/)).toBeVisible();
    expect((await subjectsTo(efe))[0]).toBe("Your money is on its way: ₦427,500");
    expect(await subjectsTo(efe)).not.toContain("Your money is on its way: ₦66,500");
    const money = await people.openAs(efe, "/profile?tab=money");
    await expect(money.getByText(new RegExp(ownMoneyTexts.refused))).toHaveCount(3);

    await maker.goto("/admin/payouts");
    await button(maker, new RegExp(`^Let go: ₦66,500 for ${nneka.fullName}`)).click();
    await sendToAnotherOwner(maker);
    await confirm(bola, letPayoutGoTexts.title("₦66,500", nneka.fullName), []);
    await phone.reload();
    await expect(phone.getByText(/In the payment run of \w+day/)).toBeVisible();
  });

  await test.step("one comes back less a charge, and one was paid twice and is recalled", async () => {
    server.advance({ hours: 24 });
    const sent = await deps.db.select().from(payouts).where(eq(payouts.state, "sent"));
    const referenceOf = (of: (payout: (typeof sent)[number]) => boolean) => sent.find(of)?.reference ?? "";
    const [ofEfe, ofNneka, ofFarm] = [
      referenceOf(({ userId }) => userId === efe.id),
      referenceOf(({ userId }) => userId === nneka.id),
      referenceOf(({ kind }) => kind === "farm"),
    ];
    const page = await people.openAs(amaka, "/admin/bank");
    await importToday(page, [
      moved(-42_750_000n, `NIP TRF/${ofEfe}`),
      moved(-42_750_000n, `NIP TRF/${ofNneka}`),
      moved(-30_000_000n, `NIP TRF/${ofFarm}`),
      moved(-42_750_000n, `NIP TRF AGAIN/${ofNneka}`),
      moved(42_744_625n, `RTN/${ofEfe}`),
      moved(42_750_000n, `RECALL/${ofNneka}`),
    ]);
    await openLine(page, "RTN/");
    await button(page, `${ofEfe} came back`).click();
    await expect(dialog(page)).toContainText(payoutLineTexts.cameBackLess(42_744_625n, 42_750_000n));
    await inDialog(page, "It came back");
    await expect(matchedTo(page)).toContainText(ofEfe);
    expect((await subjectsTo(efe)).slice(0, 2)).toEqual([
      "Money came back: ₦427,500, we send it again",
      "Paid: ₦427,500",
    ]);

    await page.goto("/admin/bank?tab=suggested");
    await openLine(page, "RECALL/");
    await expect(dialog(page)).toContainText(payoutLineTexts.secondDebitFirst);
    await button(page, "Close").click();
    await openLine(page, "AGAIN/");
    await dialog(page)
      .getByRole("button", { name: /^It was paid out twice…/ })
      .click();
    await sendToAnotherOwner(page);
    await confirm(bola, `Book ₦427,500 of ${title} as a loss`, []);
    await page.goto("/admin/bank?tab=suggested");
    await openLine(page, "RECALL/");
    await expect(dialog(page)).toContainText(payoutLineTexts.givesSecondBack);
    await dialog(page)
      .getByRole("button", { name: new RegExp(`^Choose .*${ofNneka}$`) })
      .click();
    await expect(matchedTo(page)).toBeVisible();
    const phone = await people.openAs(nneka, "/profile?tab=money");
    await expect(phone.getByRole("main").getByText(new RegExp(`Paid .*, reference ${ofNneka}\\.$`))).toBeVisible();
    expect((await subjectsTo(nneka))[0]).toBe("Paid: ₦427,500");
  });

  const accounts = ["receivable", "losses", "bank_charges", "payouts_in_transit"] as const;
  const sums = await deps.db
    .select({ account: ledgerEntries.account, kobo: sumOfEntries() })
    .from(ledgerEntries)
    .where(inArray(ledgerEntries.account, [...accounts]))
    .groupBy(ledgerEntries.account);
  const kobo = new Map<string, Kobo>(sums.map((sum) => [sum.account, sum.kobo]));
  expect(accounts.map((account) => kobo.get(account))).toEqual([0n, lot, 5_375n, 0n]);
});
