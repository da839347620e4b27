import { desc, eq } from "drizzle-orm";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { farmReleases } from "#server/db/schema/payouts.ts";
import { releaseAsks } from "#server/db/schema/release-parts.ts";
import { moveUncollected } from "#server/features/harvests/choosing/collection.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import type { TestDeps } from "./deps.ts";
import { endChoosing, fundFarm, keepCost, keepSale, openHarvestOf, partsOf, sell, settlementsOf } from "./harvests.ts";
import { createPayment, decide, setBankDetails } from "./money.ts";
import { findPayout, giveAccount, keepRun, oweRefund } from "./payouts.ts";
import { callAs, createAdmin, createUser } from "./people.ts";
import { createProject } from "./projects.ts";
import { goodFarm, openRecordOffice } from "./records.ts";
import { agree, confirmNext, countCosts, twoAgree } from "./second-person.ts";
import { keepLine, openOwnAccount } from "./statements.ts";

/** Books in order, which tests of the invariants break: each gives the ids of what is in them. */

/** One project with an approved and a waiting payment, and elsewhere one whose approval was taken back. */
export async function paymentBooks(deps: TestDeps) {
  const stranger = await createUser(deps.db);
  const project = await createProject(deps.db);
  const waiting = await createPayment(deps, { project });
  const { owner } = waiting;
  const approved = await createPayment(deps, { project, owner, status: "approved" });
  const takenBack = await createPayment(deps, { owner, status: "approved" });
  await decide(deps, owner, { paymentId: takenBack.payment.id, status: "rejected" });
  return {
    stranger: stranger.id,
    project: project.id,
    approved: approved.payment.id,
    waiting: waiting.payment.id,
    waitingBacker: waiting.backer.id,
    takenBack: takenBack.payment.id,
  };
}

/**
 * An account with a credit of a waiting payment and a charge, another with a line that nothing explains, and an
 * approved payment.
 */
export async function bankBooks(deps: TestDeps) {
  const owner = await createAdmin(deps.db, "owner");
  const unseen = await createPayment(deps, { owner, status: "approved" });
  const openingKobo = 70_000_000n;
  const account = await openOwnAccount(deps, { importedBy: owner.id, openingKobo });
  const other = await openOwnAccount(deps, { importedBy: owner.id, accountNumber: "9876543210" });
  const { payment, backer } = await createPayment(deps, { owner });
  const { reference: narration, amountKobo } = payment;
  const balanceKobo = openingKobo + amountKobo;
  const paidIn = await keepLine(deps, account, { amountKobo, balanceKobo, narration });
  const charge = await keepLine(deps, account, { amountKobo: -50_00n, balanceKobo: balanceKobo - 50_00n });
  const open = await keepLine(deps, other, { amountKobo: 1_000_00n });
  const { bank } = await callAs(deps, owner);
  const explain = (lineId: number, part: LinePart) => bank.match({ lineId, seenMatchedKobo: 0n, parts: [part] });
  await explain(paidIn.id, { kind: "payment", amountKobo, paymentId: payment.id });
  await explain(charge.id, { kind: "bank_charges", amountKobo: 50_00n });
  const [match] = await deps.db.select().from(lineMatches).where(eq(lineMatches.lineId, paidIn.id));
  return {
    payer: backer.id,
    account: account.id,
    charge: charge.id,
    open: open.id,
    match: match?.id ?? 0,
    payment: payment.id,
    unseen: unseen.payment.id,
  };
}

/** A payout in each state, and a release to a farm. */
export async function payoutBooks(deps: TestDeps) {
  const owner = await createAdmin(deps.db, "owner");
  const second = await createAdmin(deps.db, "owner");
  const owedWithAccount = async () => {
    const owed = await oweRefund(deps, { owner });
    const account = await giveAccount(deps, { userId: owed.backer.id }, { addedBy: owed.backer.id });
    return { payout: await findPayout(deps, owed.payouts[0]?.id ?? 0), account };
  };
  const waiting = await oweRefund(deps, { owner });
  const [due, drafted, sent] = [await owedWithAccount(), await owedWithAccount(), await owedWithAccount()];
  const [paid, failed] = [await owedWithAccount(), await owedWithAccount()];
  const { payment, project } = await createPayment(deps, { owner, status: "approved" });
  const ownAccount = await openOwnAccount(deps, { importedBy: owner.id, openingKobo: 10_000_000_00n });
  const draft = await keepRun(deps, [drafted], { ownAccount, owner, second, isExported: false });
  const run = await keepRun(deps, [sent, paid, failed], { ownAccount, owner, second });
  const caller = await callAs(deps, owner);
  const show = async ({ payout }: typeof paid, kind: "payout" | "returned") => {
    const { amountKobo, id: payoutId, reference: narration } = payout;
    const line = await keepLine(deps, ownAccount, {
      amountKobo: kind === "payout" ? -amountKobo : amountKobo,
      narration,
    });
    await caller.bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts: [{ kind, amountKobo, payoutId }] });
  };
  await show(paid, "payout");
  await show(failed, "payout");
  await show(failed, "returned");
  const stranger = await keepLine(deps, ownAccount, { amountKobo: 75_000_00n, narration: "NIP/ZED TRADERS" });
  const reason = "Zed Traders wrote that they typed a wrong account number.";
  const sentBack = { kind: "sent_back" as const, amountKobo: stranger.amountKobo, reason };
  await caller.bank.match({ lineId: stranger.id, seenMatchedKobo: 0n, parts: [sentBack] });
  const senderAccount = { bankCode: "044", accountNumber: "0690000032", accountName: "Zed Traders" };
  const details = { lineId: stranger.id, ...senderAccount };
  await twoAgree(caller, await callAs(deps, second), { kind: "enter_payee_account", details, reason });
  const credit = await keepLine(deps, ownAccount, { amountKobo: payment.amountKobo, narration: payment.reference });
  const arrived = { kind: "payment" as const, amountKobo: payment.amountKobo, paymentId: payment.id };
  await caller.bank.match({ lineId: credit.id, seenMatchedKobo: 0n, parts: [arrived] });
  await caller.farmReleases.release({
    part: 1,
    askId: null,
    projectId: project.id,
    round: 1,
    seenKobo: payment.amountKobo,
    amountKobo: payment.amountKobo,
  });
  const [release] = await deps.db.select().from(farmReleases);
  return {
    owner: owner.id,
    second: second.id,
    refund: waiting.refund.id,
    waiting: waiting.payouts[0]?.id ?? 0,
    due: due.payout.id,
    drafted: drafted.payout.id,
    sent: sent.payout.id,
    paid: paid.payout.id,
    failed: failed.payout.id,
    draft,
    run,
    release: release?.id ?? 0,
  };
}

const reason = "The farm has its own feed this year.";

/**
 * A farm's money in three parts, of which one was released, two owners left the next out, and the last is asked for and
 * checked.
 */
export async function stepBooks(deps: TestDeps) {
  const asker = await createAdmin(deps.db, "owner");
  const owners = { asker, confirmer: await createAdmin(deps.db, "owner") };
  const owner = await callAs(deps, asker);
  const manager = await callAs(deps, await createAdmin(deps.db, "manager"));
  await setBankDetails(deps.db);
  const parts = [3333, 3333, 3334].map((rate) => ({ label: "Feed", rate, proof: "", afterDays: 0 }));
  const project = await createProject(deps.db, { fundingGoalKobo: 50_000_001n, releaseParts: parts });
  const { payment } = await createPayment(deps, { project, owner: asker });
  const ownAccount = await openOwnAccount(deps, { importedBy: asker.id });
  const line = await keepLine(deps, ownAccount, { amountKobo: payment.amountKobo, narration: payment.reference });
  const arrived = { kind: "payment" as const, amountKobo: payment.amountKobo, paymentId: payment.id };
  await owner.bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts: [arrived] });
  await decide(deps, asker, { paymentId: payment.id, status: "approved" });
  const ofPart = (part: number) => ({ projectId: project.id, round: 1, part });
  const askAndCheck = async (part: number) => {
    await manager.releaseParts.ask({ ...ofPart(part), note: "", fileIds: [] });
    const [ask] = await deps.db.select().from(releaseAsks).orderBy(desc(releaseAsks.id)).limit(1);
    await (await callAs(deps, owners.confirmer)).releaseParts.check({ askId: ask?.id ?? 0 });
    return ask?.id ?? 0;
  };
  const ask = await askAndCheck(1);
  const amountKobo = 16_665_000n;
  await owner.farmReleases.release({ ...ofPart(1), askId: ask, seenKobo: payment.amountKobo, amountKobo });
  await agree(deps, owners, { kind: "skip_part", details: { ...ofPart(2), isSkipped: true }, reason });
  const [release] = await deps.db.select().from(farmReleases);
  return {
    ask,
    lastAsk: await askAndCheck(3),
    release: release?.id ?? 0,
    owner: asker.id,
    second: owners.confirmer.id,
  };
}

/**
 * A harvest with something of everything: collected, ready, sold, given, settled, reversed, costs of both payers, lost
 * costs.
 */
export async function harvestBooks(deps: TestDeps) {
  const asker = await createAdmin(deps.db, "owner");
  const owners = { asker, confirmer: await createAdmin(deps.db, "owner") };
  await setBankDetails(deps.db);
  const asOwner = () => callAs(deps, asker);
  const farm = await fundFarm(deps, { owner: asker, lots: [3, 2, 1], farmPart: "10" });
  const harvest = await openHarvestOf(await asOwner(), farm, 600_000n);
  await (await farm.as(1)).harvests.choose({ harvestId: harvest, taken: "50", given: "10" });
  await (await farm.as(2)).harvests.choose({ harvestId: harvest, taken: "20", given: "0" });
  await endChoosing(deps, harvest);
  const [, second] = await partsOf(deps, harvest);
  await (await asOwner()).harvests.collect({ harvestId: harvest, code: second?.code ?? "" });
  await keepCost(deps, { harvestId: harvest, amountKobo: 100_000n, paidBy: "platform" });
  await keepCost(deps, { harvestId: harvest, amountKobo: 50_000n, paidBy: "farm" });
  await countCosts(deps, owners, harvest);
  const sale = await sell(deps, owners, { harvestId: harvest, amountKobo: 50_000_000n });
  const settle = async () => (await asOwner()).harvests.settle({ harvestId: harvest, pool: "sold", amount: "500,000" });
  await settle();
  const [reversed] = await settlementsOf(deps, harvest);
  const reason = "The price was typed wrong at first.";
  await (await asOwner()).harvests.reverse({ settlementId: reversed?.id ?? 0, reason });
  await settle();
  await openHarvestOf(await asOwner(), farm, 100_000n);
  const withdrawn = await openHarvestOf(await asOwner(), farm, 100_000n);
  await (await asOwner()).harvests.withdraw({ harvestId: withdrawn, reason });
  await keepCost(deps, { harvestId: withdrawn, amountKobo: 200_000n, paidBy: "platform" });
  const details = { what: "costs" as const, harvestId: withdrawn, lostKobo: "200000" };
  await (await asOwner()).secondPerson.ask({ kind: "lose", details, reason });
  await confirmNext(deps, owners.confirmer);
  await moveUncollected(deps, harvest);
  await keepSale(deps, await asOwner(), { harvestId: harvest, amountKobo: 100n });
  const settlement = (await settlementsOf(deps, harvest))[1]?.id ?? 0;
  return { harvest, withdrawn, sale, settlement, backing: second?.backingId ?? 0 };
}

/** A farm that was paid for, harvested, sold, and paid its backers, all of it on statements. */
export async function recordBooks(deps: TestDeps) {
  const office = await openRecordOffice(deps);
  const { harvestId, settlementId, payoutIds } = await goodFarm(office);
  return { harvest: harvestId, settlement: settlementId, paid: payoutIds[0] ?? 0, owner: office.owners.asker.id };
}
