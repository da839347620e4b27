import { asc, desc, eq } from "drizzle-orm";
import { expect, type Page } from "playwright/test";
import { outgoingMails } from "#server/db/schema/notifications.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { matchSureLines } from "#server/features/bank/matching/match-sure-lines.ts";
import { allotIfDue } from "#server/features/harvests/choosing/allotment.ts";
import { wallTexts } from "#shared/bank/texts.ts";
import { voidTexts } from "#shared/bank/void-texts.ts";
import { dayInLagos } from "#shared/dates.ts";
import type { Kobo } from "#shared/money.ts";
import { ownStrikeTexts } from "#shared/payments/own-strikes-texts.ts";
import { strikeTexts } from "#shared/payments/strikes-texts.ts";
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
  importDay,
  inDialog,
  openBrowsers,
  paperOf,
  picture,
  readOwnPaper,
} from "#tests/support/story.ts";

// An operator's bad month: the bank takes money back and writes lines wrong, and people type things wrong. Two owners
// mend each on the screen where they look for it, and the person concerned reads it. Payments that the bank refuses,
// sends back or makes twice are tested by payout-refused.test.ts and payout-lines.test.ts, and by the components'
// bank.test.ts and payouts.test.ts.

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
/** The bank's balance after the last imported line. */
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

test("a wrong statement is void, and a payment that the bank took back from the farm's money is struck", {
  tag: "@nightly",
}, async () => {
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

test("a sale that was typed with a digit too few rises by what came after its settlement", {
  tag: "@nightly",
}, async () => {
  const { deps } = server;
  const { title, id: projectId } = farm.project;
  const atHarvests = `/admin/project/${projectId}?tab=harvests`;
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
