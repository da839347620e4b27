import { and, asc, eq, isNotNull, ne, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { startSession } from "#server/accounts/sessions.ts";
import { buildApp } from "#server/app.ts";
import { refuseDemoAccounts } from "#server/cli/demo.ts";
import { isDatabaseEmpty, seedDemoData } from "#server/cli/seed.ts";
import { inTransaction, rows } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { ownAccounts, statementLines } from "#server/db/schema/bank.ts";
import { farmPeople, farms } from "#server/db/schema/farms.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { harvestParts, harvestSales, harvests } from "#server/db/schema/harvests.ts";
import { holds, waitingList } from "#server/db/schema/holds.ts";
import { notifications, outgoingMails } from "#server/db/schema/notifications.ts";
import { papers } from "#server/db/schema/papers.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { farmReleases, payoutRuns, payouts } from "#server/db/schema/payouts.ts";
import {
  backingWeights,
  projectBackings,
  projectMedia,
  projectMessages,
  projects,
  projectUpdates,
} from "#server/db/schema/projects.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { releaseAsks } from "#server/db/schema/release-parts.ts";
import { farmReports, reportAsks, reportPlans } from "#server/db/schema/reports.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { knownDevices, sessions } from "#server/db/schema/sessions.ts";
import { settlements } from "#server/db/schema/settlements.ts";
import { consents } from "#server/db/schema/site.ts";
import { jobApplications } from "#server/db/schema/team.ts";
import { roundTerms } from "#server/db/schema/terms.ts";
import { photoFindings, updatePhotos } from "#server/db/schema/update-photos.ts";
import { users } from "#server/db/schema/users.ts";
import { writeSampleStatement } from "#server/features/bank/importing/sample-statement.ts";
import { readOverview } from "#server/features/bank/own-accounts/overview.ts";
import { exportables } from "#server/features/exports/tables.ts";
import { describeHarvest, listMyHarvests } from "#server/features/harvests/queries.ts";
import { readParts } from "#server/features/payouts/release-parts/queries.ts";
import { findWhereMoneyIs } from "#server/features/payouts/release-parts/shown.ts";
import { withReports } from "#server/features/projects/reporting/queries.ts";
import { readProgress } from "#server/features/projects/rounds/queries.ts";
import { type ActorContext, sessionCookieName } from "#server/platform/context.ts";
import { readEnv } from "#server/platform/env.ts";
import { readPageText } from "#server/platform/page-texts.ts";
import type { AuditAction } from "#shared/audit-log/sentences.ts";
import { dayInLagos, startOfDay } from "#shared/dates.ts";
import { daysBetween } from "#shared/lagos-time.ts";
import { categoryIds } from "#shared/projects/categories.ts";
import { isOnTime, missedAt, reportState } from "#shared/reports/schedule.ts";
import { reportLine } from "#shared/reports/summary-texts.ts";
import { importFile } from "#tests/support/bank-imports.ts";
import { openTestDatabase } from "#tests/support/database.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { contextOf, expectMoneyHolds } from "#tests/support/money.ts";
import { callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";

const deps = await openTestDeps();
const database = deps;
const now = deps.clock.now();

beforeAll(() =>
  seedDemoData(deps, {
    owner: { email: "owner@demo.example", password: "Farm-b3q8Zt-k2W" },
    second: { email: "second-owner@demo.example", password: "Farm-b3q8Zt-k2W" },
    backer: { email: "backer@demo.example", password: "Farm-b3q8Zt-k2W" },
  }),
);

test("the demo has at least 24 farms in all seven categories, open and closed", async () => {
  const farms = await database.db.select().from(projects);
  expect(farms.length).toBeGreaterThanOrEqual(24);
  expect(new Set(farms.map((farm) => farm.category))).toEqual(new Set(categoryIds));
  expect(new Set(farms.map((farm) => farm.isClosed))).toEqual(new Set([true, false]));
  expect(await database.db.$count(projectUpdates)).toBeGreaterThan(50);
});

test("its operator has a story of their own and has adopted the terms; drafts are left to look at", async () => {
  expect(await readPageText(deps, "about")).toMatchObject({
    version: 1,
    html: expect.stringContaining('<p>Gona is Hausa for "the farm". This is how it began.</p>'),
  });
  for (const page of ["terms", "privacy"] as const)
    expect(await readPageText(deps, page)).toMatchObject({ version: 1 });
  for (const page of ["cookies", "accessibility"] as const) {
    expect(await readPageText(deps, page)).toMatchObject({ version: 0 });
  }
});

test("a farm's gallery shows that farm and no other, from afar and from nearer by", async () => {
  const photos = await database.db
    .select({
      title: projects.title,
      imageUrl: projects.imageUrl,
      url: projectMedia.url,
      altText: projectMedia.altText,
    })
    .from(projectMedia)
    .innerJoin(projects, eq(projects.id, projectMedia.projectId))
    .where(eq(projectMedia.type, "photo"));
  const galleries = Map.groupBy(photos, ({ title }) => title);
  expect(galleries.size).toBeGreaterThanOrEqual(20);
  for (const [title, shown] of galleries) {
    expect(shown.length, title).toBeGreaterThanOrEqual(4);
    for (const key of ["url", "altText"] as const)
      expect(new Set(shown.map((photo) => photo[key])).size, title).toBe(shown.length);
    for (const { url, imageUrl } of shown) {
      const [file, part] = url.split("#");
      expect(file, title).toBe(imageUrl);
      if (part === undefined) continue;
      const [x = 0, y = 0, width = 0, height = 0] = [...part.matchAll(/\d+/g)].map(Number);
      expect(part, title).toBe(`svgView(viewBox(${x},${y},${width},${height}))`);
      expect(x + width <= 1200 && y + height <= 750 && height * 8 === width * 5, `${title}: ${part}`).toBe(true);
    }
  }
});

test("its books are in order, and it has payments in each status", async () => {
  await expectMoneyHolds(deps);
  const payments = await database.db.select().from(projectPayments);
  expect(new Set(payments.map((payment) => payment.status))).toEqual(new Set(["pending", "approved", "rejected"]));
  expect(await database.db.$count(storedFiles, eq(storedFiles.kind, "receipt"))).toBe(payments.length);
});

test("its papers are as old as what they tell of, and their numbers rise with their dates", async () => {
  const made = await database.db
    .select()
    .from(papers)
    .orderBy(asc(papers.kind), asc(papers.year), asc(papers.sequence));
  const kinds = ["receipt", "refund_note", "settlement", "run_sheet", "closing"];
  expect(new Set(made.map(({ kind }) => kind))).toEqual(new Set(kinds));
  for (const [index, { kind, year, createdAt }] of made.entries()) {
    const before = made[index - 1];
    if (before?.kind !== kind || before.year !== year) continue;
    expect(before.createdAt.getTime(), kind).toBeLessThanOrEqual(createdAt.getTime());
  }
  const approved = await database.db.select().from(projectPayments).where(eq(projectPayments.status, "approved"));
  const receipts = made.filter(({ kind, replacedAt }) => kind === "receipt" && replacedAt === null);
  const dayOfPayment = new Map(approved.map(({ id, decidedAt }) => [id, decidedAt]));
  expect(receipts).toHaveLength(approved.length);
  for (const { paymentId, createdAt } of receipts) expect(createdAt).toEqual(dayOfPayment.get(paymentId ?? 0));
});

/** Each farm with what its round is sold by. */
const listRounds = () =>
  database.db
    .select()
    .from(projects)
    .innerJoin(projectRounds, and(eq(projectRounds.projectId, projects.id), eq(projectRounds.round, projects.round)));

test("most farms are sold in 10 to 100 lots at ₦20,000 to ₦250,000, three in one lot, and progress tells something", async () => {
  const rounds = await listRounds();
  const inOne = rounds.filter(({ project_rounds }) => project_rounds.lots === 1);
  expect(inOne).toHaveLength(3);
  for (const { projects: farm, project_rounds: round } of rounds.filter((one) => !inOne.includes(one))) {
    expect(round.lots, farm.title).toBeGreaterThanOrEqual(10);
    expect(round.lots, farm.title).toBeLessThanOrEqual(100);
    expect(round.lotPriceKobo, farm.title).toBeGreaterThanOrEqual(2_000_000n);
    expect(round.lotPriceKobo, farm.title).toBeLessThanOrEqual(25_000_000n);
    const share = (round.approvedLots / round.lots) * 100;
    if (farm.isClosed) expect([0, 100], farm.title).toContain(share);
    else expect(share >= 5 && share <= 95, `${farm.title}: ${share} %`).toBe(true);
  }
  expect(rounds.filter(({ project_rounds }) => project_rounds.outcome === "funded").length).toBeGreaterThan(3);
});

test("nobody backs a farm without a lot, but for whom an owner granted it", async () => {
  const backings = await database.db.select().from(projectBackings);
  const granted = backings.filter(({ grantedAt }) => grantedAt !== null);
  expect(granted).toHaveLength(2);
  const weights = await database.db.select().from(backingWeights);
  expect(weights.map(({ weightKobo }) => weightKobo)).toEqual([20_000_000n]);
  const approved = await database.db.select().from(projectPayments).where(eq(projectPayments.status, "approved"));
  const paid = new Set(approved.map(({ projectId, userId }) => `${projectId} ${userId}`));
  for (const { projectId, userId } of backings.filter((one) => !granted.includes(one))) {
    expect(paid).toContain(`${projectId} ${userId}`);
  }
});

test("lots are held and waited for, the demo backer holds some, and a round was given back to them", async () => {
  const [backer] = await database.db.select().from(users).where(eq(users.email, "backer@demo.example"));
  if (!backer) throw new Error("the demo has no backer");
  const held = await database.db
    .select()
    .from(holds)
    .where(and(eq(holds.state, "live"), eq(holds.hasReceipt, false)));
  expect(held.map(({ until }) => until && until > now)).toEqual([true, true, true]);
  expect(held.filter(({ userId }) => userId === backer.id)).toHaveLength(1);
  const rounds = await listRounds();
  const allHeld = rounds.filter(
    ({ projects: farm, project_rounds: { lots, approvedLots, heldLots } }) =>
      !farm.isClosed && lots === approvedLots + heldLots,
  );
  expect(allHeld.map(({ project_rounds }) => project_rounds.lots).sort()).toEqual([1, 37]);
  const waiting = await database.db.select().from(waitingList);
  expect(waiting.length).toBeGreaterThan(2);
  const [waitedFor] = allHeld.filter(({ project_rounds }) => project_rounds.lots > 1);
  expect(new Set(waiting.map(({ projectId }) => projectId))).toEqual(new Set([waitedFor?.projects.id]));
  const [missed] = rounds.filter(({ project_rounds }) => project_rounds.outcome === "not_funded");
  expect(missed?.project_rounds).toMatchObject({ approvedLots: 0, decidedAt: expect.any(Date) });
  expect(missed?.projects).toMatchObject({ isClosed: true, backersCount: 0, currentFundingKobo: 0n });
  const due = await database.db.select().from(refunds);
  expect(due.reduce((sum, { amountKobo }) => sum + amountKobo, 0n)).toBe(11n * 5_000_000n);
  expect(due.some(({ userId }) => userId === backer.id)).toBe(true);
});

test("bank and ledger agree at the last statement, whose lines are explained but for two", async () => {
  const [owner] = await database.db.select().from(users).where(eq(users.email, "owner@demo.example"));
  if (!owner) throw new Error("the demo has no owner");
  const { accounts } = await readOverview(await contextOf(deps, owner));
  expect(accounts).toMatchObject([{ differenceKobo: 0n }]);
  const [sum] = await rows<{ bank: string }>(
    database.db,
    sql`select sum(amount_kobo)::text as bank from ledger_entries where account = 'bank'`,
  );
  expect(accounts[0]?.ledgerKobo).toBe(BigInt(sum?.bank ?? 0));
  const open = await database.db
    .select()
    .from(statementLines)
    .where(sql`${statementLines.matchedKobo} <> abs(${statementLines.amountKobo})`)
    .orderBy(asc(statementLines.id));
  expect(open.map(({ narration }) => narration)).toEqual([
    "SMS ALERT CHARGE",
    "MOBILE TRANSFER FROM OKAFOR C FOR FARM",
  ]);
});

test("its harvests stand at each stage, and each adds up", async () => {
  const all = await database.db.select().from(harvests).orderBy(asc(harvests.id));
  expect(all.map(({ state }) => state).sort()).toEqual(
    ["allotted", "choosing", "choosing", "done", "done", "done", "lost", "settled"].sort(),
  );
  const settled = await database.db.select().from(settlements);
  expect(settled).toHaveLength(4);
  for (const { harvestId, proceedsKobo, costsKobo, farmKobo, netKobo, feeKobo, vatKobo, whtKobo } of settled) {
    expect(costsKobo + farmKobo + netKobo + feeKobo + vatKobo + whtKobo).toBe(proceedsKobo);
    const sales = await database.db.select().from(harvestSales).where(eq(harvestSales.harvestId, harvestId));
    expect(sales.reduce((sum, { amountKobo }) => sum + amountKobo, 0n)).toBe(proceedsKobo);
  }
  for (const { id, quantity, farmQuantity } of all.filter(({ state }) => state === "done" || state === "allotted")) {
    const parts = await database.db.select().from(harvestParts).where(eq(harvestParts.harvestId, id));
    const shared = parts.reduce((sum, { quantity: mine }) => sum + (mine ?? 0n), farmQuantity ?? 0n);
    expect(shared).toBe(quantity);
    const forSale = parts.reduce((sum, { sold }) => sum + (sold ?? 0n), farmQuantity ?? 0n);
    const sales = await database.db.select().from(harvestSales).where(eq(harvestSales.harvestId, id));
    if (sales.length > 0) expect(sales.reduce((sum, sale) => sum + (sale.quantity ?? 0n), 0n)).toBe(forSale);
  }
});

test("money went to the farms by runs, refunds are on their way, and a run waits for the demo owner", async () => {
  const runs = await database.db.select().from(payoutRuns).orderBy(asc(payoutRuns.id));
  expect(runs.at(-1)?.state).toBe("draft");
  expect(runs.at(-2)?.state).toBe("exported");
  expect(runs.slice(0, -2).every(({ state }) => state === "closed")).toBe(true);
  const all = await database.db.select().from(payouts);
  const states = (kind: string) =>
    [...new Set(all.filter((one) => one.kind === kind).map(({ state }) => state))].sort();
  expect(states("farm")).toEqual(["paid"]);
  expect(states("refund")).toEqual(["sent"]);
  expect(states("harvest")).toEqual(["in_run", "paid", "waiting"]);
  const [second] = await database.db.select().from(users).where(eq(users.email, "second-owner@demo.example"));
  expect(runs.at(-1)?.madeBy).toBe(second?.id);
});

test("the pages of funded farms say which week they are in, and what reached their backers", async () => {
  let paidKobo = 0n;
  let collected = 0n;
  const rounds = await listRounds();
  const projectIds = rounds.map(({ projects: farm }) => farm.id);
  const progressOf = await readProgress(database.db, { projectIds, now });
  for (const { projects: farm, project_rounds: round } of rounds) {
    const progress = progressOf.get(farm.id);
    expect(progress === undefined).toBe(round.outcome !== "funded");
    if (!progress || !round.decidedAt) continue;
    expect(progress.week).toBe(Math.floor((now.getTime() - round.decidedAt.getTime()) / 604_800_000) + 1);
    expect(progress.lost).toBeLessThanOrEqual(progress.counted);
    paidKobo += progress.paidKobo;
    collected += progress.collected;
  }
  const paid = await database.db
    .select({ kobo: sql<string>`coalesce(sum(${payouts.amountKobo}), 0)::text` })
    .from(payouts)
    .where(and(eq(payouts.kind, "harvest"), eq(payouts.state, "paid")));
  expect(paidKobo).toBe(BigInt(paid[0]?.kobo ?? 0));
  expect(paidKobo).toBeGreaterThan(0n);
  const taken = await database.db.select().from(harvestParts).where(isNotNull(harvestParts.collectedAt));
  expect(collected).toBe(taken.reduce((sum, part) => sum + (part.taken ?? 0n), 0n));
});

test("an owner sees of each settled harvest that the money of its sales came, and which costs it took", async () => {
  const [owner] = await database.db.select().from(users).where(eq(users.email, "owner@demo.example"));
  if (!owner) throw new Error("the demo has no owner");
  const ctx = await contextOf(deps, owner);
  const settled = await database.db.selectDistinct({ harvestId: settlements.harvestId }).from(settlements);
  expect(settled.length).toBeGreaterThan(2);
  for (const { harvestId } of settled) {
    const { sales, costs } = await describeHarvest(ctx, { harvestId });
    expect(sales.length).toBeGreaterThan(0);
    for (const { matchedKobo, amountKobo } of sales) expect(matchedKobo).toBe(amountKobo);
    for (const { takenKobo, amountKobo } of costs) expect(takenKobo).toBe(amountKobo);
  }
});

test("the demo backer has all of it: harvests settled, to collect, to choose, lost and insured", async () => {
  const [backer] = await database.db.select().from(users).where(eq(users.email, "backer@demo.example"));
  if (!backer) throw new Error("the demo has no backer");
  const ctx = await contextOf(deps, backer);
  const mine = await database.db.select().from(projectBackings).where(eq(projectBackings.userId, backer.id));
  const found = await Promise.all(mine.map(({ projectId }) => listMyHarvests(ctx, { projectId })));
  const states = new Set(found.flat().map(({ state }) => state));
  expect(states).toEqual(new Set(["done", "allotted", "choosing", "lost", "settled"]));
  const owed = await database.db.select().from(payouts).where(eq(payouts.userId, backer.id));
  expect(new Set(owed.map(({ kind, state }) => `${kind} ${state}`))).toEqual(
    new Set(["harvest paid", "harvest in_run", "refund sent"]),
  );
});

test("no mail goes out for the demo's past, nobody is left signed in, and few notifications are unread", async () => {
  expect(await database.db.$count(outgoingMails)).toBe(0);
  const [second] = await database.db.select().from(users).where(eq(users.email, "second-owner@demo.example"));
  expect(await database.db.$count(sessions, eq(sessions.userId, second?.id ?? ""))).toBe(0);
  expect(await database.db.$count(knownDevices)).toBe(0);
  const unread = await database.db.select().from(notifications).where(eq(notifications.isRead, false));
  for (const { createdAt } of unread) expect(now.getTime() - createdAt.getTime()).toBeLessThanOrEqual(2 * 86_400_000);
  for (const [userId, theirs] of Map.groupBy(unread, (one) => one.userId))
    expect(theirs.length, userId).toBeLessThan(20);
});

test("all of it was done by somebody: people joined before they acted, and the audit log tells of the owners' acts", async () => {
  const { db } = database;
  const everybody = await db.select().from(users);
  for (const { email, emailVerifiedAt } of everybody) expect(emailVerifiedAt, email).not.toBeNull();
  // The first owner was made on the command line, and the other invited.
  expect(await db.$count(consents, eq(consents.kind, "sign_up"))).toBe(everybody.length - 2);
  const entries = await db.select().from(auditLogs).orderBy(asc(auditLogs.id));
  const counted = (action: AuditAction) => entries.filter(({ actionType }) => actionType === action).length;
  expect(counted("create_admin")).toBe(1);
  expect(counted("accept_admin_invite")).toBe(1);
  expect(counted("create_farm")).toBe(await db.$count(farms));
  expect(counted("create_project")).toBe(await db.$count(projects));
  expect(counted("add_media")).toBe(await db.$count(projectMedia));
  expect(counted("add_project_update") + counted("publish_report")).toBe(await db.$count(projectUpdates));
  expect(counted("update_applicant_status")).toBe(await db.$count(jobApplications, ne(jobApplications.status, "new")));
  for (const [index, { createdAt, actionType }] of entries.entries())
    expect(createdAt.getTime(), actionType).toBeGreaterThanOrEqual(entries[index - 1]?.createdAt.getTime() ?? 0);
  const told = await db.select().from(notifications);
  for (const kind of ["project_update", "project_media", "backer_message", "admin_message"] as const)
    expect(told.some((one) => one.kind === kind)).toBe(true);
});

test("whoever wrote a message backs the project, but for the team", async () => {
  const { db } = database;
  const written = await db.select().from(projectMessages).where(eq(projectMessages.isAdminReply, false));
  expect(written.length).toBeGreaterThan(30);
  const backings = new Set((await db.select().from(projectBackings)).map((one) => `${one.projectId} ${one.userId}`));
  const [givenBack] = (await listRounds()).filter(({ project_rounds }) => project_rounds.outcome === "not_funded");
  for (const { projectId, userId } of written)
    if (projectId !== givenBack?.projects.id) expect(backings).toContain(`${projectId} ${userId}`);
});

/** How each farm with a funded round reports, by its name, and its reports from the first. */
async function listReporting() {
  const funded = (await listRounds()).filter(({ project_rounds }) => project_rounds.outcome === "funded");
  const all = await database.db.select().from(farmReports).orderBy(asc(farmReports.number));
  const farms = await withReports(
    { db: database.db, clock: deps.clock },
    funded.map(({ projects: farm }) => ({ ...farm, outcome: "funded" as const })),
  );
  return farms.map((farm) => {
    const reports = all.filter(({ projectId }) => projectId === farm.id);
    return { ...farm, all: reports, states: reports.map((report) => reportState(report, now)) };
  });
}

test("its records tell of a good, a late and a lost farm, and a farm with a finished round looks for backers", async () => {
  const visitor = await callAs(deps, "anonymous");
  const pageOf = async (name: string) => {
    const [farm] = await database.db.select().from(farms).where(eq(farms.name, name));
    return visitor.farmPages.page({ farmId: farm?.id ?? 0 });
  };
  const good = await pageOf("Asa River Poultry");
  expect(good.record.map(({ stage, reports }) => [stage, reports])).toEqual([
    ["running", { onTime: 18, counted: 18 }],
    ["finished", { onTime: 6, counted: 6 }],
  ]);
  const [finished] = good.record[1]?.harvests ?? [];
  expect(finished).toMatchObject({ counted: 296_000n, planned: 290_000n, daysToBackers: 4 });
  expect(good.record[1]?.shares.paid).toMatchObject({ source: "bank" });
  const late = (await pageOf("Bodija Mushroom Growers")).record[0]?.harvests[0];
  const [planned, happened] = [late?.plannedOn ?? "", late?.happenedOn ?? ""].map(startOfDay);
  expect(daysBetween(planned as Date, happened as Date)).toBeGreaterThan(14);
  expect((await pageOf("Ede-Oballa Poultry Cooperative")).record).toMatchObject([{ stage: "lost" }]);
  const asked = { search: "layers in Kwara", maxLotPrice: 100_000, hasRecord: true };
  const inAYear = dayInLagos(new Date(deps.clock.now().getTime() + 365 * 86_400_000));
  const { items } = await visitor.projects.list({ ...asked, firstHarvestUntil: inAYear });
  expect(items.map(({ title }) => title)).toEqual(["A third house: 400 layers near Ilorin"]);
});

test("each farm with a funded round has somebody who reports by a plan, and says so on its card", async () => {
  const farms = await listReporting();
  expect(farms).toHaveLength(8);
  for (const { id, farmId, creator, reports } of farms) {
    const people = await database.db
      .select()
      .from(farmPeople)
      .where(eq(farmPeople.farmId, farmId ?? 0));
    expect(people.length, creator).toBeGreaterThan(0);
    for (const person of people)
      expect(person, creator).toMatchObject({ endedAt: null, invitedBy: expect.any(String) });
    expect(await database.db.$count(reportPlans, eq(reportPlans.projectId, id)), creator).toBeGreaterThan(0);
    expect(reports && reportLine(reports), creator).toMatch(/^(Reports: \d+ of \d+ on time\. The last|No report for)/);
  }
  const lines = farms.map(({ reports }) => reports && reportLine(reports));
  expect(lines).toContain("Reports: 18 of 18 on time. The last came 3 days ago.");
  expect(lines).toContain("Reports: 6 of 7 on time. The last came 12 days ago.");
  expect(lines).toContain("No report for 17 days.");
});

test("two reports came late, one farm has missed one and is late again, and one is excused", async () => {
  const farms = await listReporting();
  const late = farms.flatMap(({ all }) => all.filter((report) => report.sentAt && !isOnTime(report)));
  expect(late).toHaveLength(2);
  const silent = farms.filter(({ states }) => states.slice(-3).includes("missed"));
  expect(silent.map(({ states }) => states.slice(-3))).toEqual([["missed", "late", "coming"]]);
  const told = await database.db
    .select()
    .from(notifications)
    .where(eq(notifications.eventKey, `report:${silent[0]?.all.at(-3)?.id}:missed`));
  expect(new Set(told.map(({ kind }) => kind))).toEqual(new Set(["farm_report", "project_update"]));
  const next = silent[0]?.all.at(-2);
  expect(await database.db.$count(reportAsks, eq(reportAsks.number, next?.number ?? 0))).toBe(2);
  expect(farms.flatMap(({ states }) => states).filter((state) => state === "excused")).toHaveLength(1);
});

test("one farm was under its plan twice, and says why; owners were told", async () => {
  const noted = (await listReporting()).flatMap(({ all }) => all.filter(({ farmNote }) => farmNote !== null));
  expect(noted).toHaveLength(1);
  const isOf = eq(notifications.eventKey, `report:${noted[0]?.id}:under_plan`);
  expect(await database.db.$count(notifications, isOf)).toBe(2);
});

test("one farm gets its money in parts: a reused photo was refused, and its keeper can ask for the last part", async () => {
  const [keeper] = await database.db.select().from(users).where(eq(users.email, "keeper@demo.example"));
  const asks = await database.db
    .select()
    .from(releaseAsks)
    .where(eq(releaseAsks.askedBy, keeper?.id ?? ""))
    .orderBy(asc(releaseAsks.id));
  expect(asks).toMatchObject([
    { part: 1, verdict: "checked" },
    { part: 2, verdict: "refused" },
    { part: 2, verdict: "checked" },
  ]);
  const [used] = await database.db.select().from(photoFindings).where(eq(photoFindings.kind, "same_bytes"));
  expect(used?.verdict).toBe("confirmed");
  const { parts, raisedKobo } = await readParts(database.db, { projectId: asks[0]?.projectId ?? 0, round: 1 });
  expect(parts.map(({ state }) => state)).toEqual(["paid", "paid", "planned"]);
  expect(parts[2]?.askableFrom?.getTime()).toBeLessThan(now.getTime());
  expect(parts.reduce((sum, { amountKobo }) => sum + amountKobo, 0n)).toBe(raisedKobo);
});

test("the silence of another farm stopped its last part, which two owners let go for a reason that backers read", async () => {
  const [release] = await database.db.select().from(farmReleases).where(isNotNull(farmReleases.publicReason));
  expect(release).toMatchObject({ part: 2, requestId: expect.any(Number), askId: expect.any(Number) });
  const of = { projectId: release?.projectId ?? 0, round: 1 };
  const missed = (await database.db.select().from(farmReports).where(eq(farmReports.projectId, of.projectId)))
    .filter((report) => reportState(report, now) === "missed")
    .map(missedAt);
  expect(missed).toHaveLength(2);
  for (const at of missed) expect(at.getTime()).toBeLessThan(release?.createdAt.getTime() ?? 0);
  const found = await findWhereMoneyIs({ db: database.db, clock: deps.clock, actor: null }, of);
  expect(found).toMatchObject({ isStopped: false, parts: [{ state: "paid" }, { state: "paid" }] });
  expect(found?.parts.map(({ publicReason }) => publicReason)).toEqual([null, release?.publicReason]);
  expect(found?.places.atFarmKobo).toBe(found?.raisedKobo);
});

test("photos show the week's code, and a mirrored one of the week before waits for a decision", async () => {
  const photos = await database.db.select().from(updatePhotos);
  const farms = await listReporting();
  const withPhotos = farms.flatMap(({ all }) => all.filter(({ id }) => photos.some(({ reportId }) => reportId === id)));
  expect(withPhotos.length).toBeGreaterThan(15);
  const waiting = farms.flatMap(({ all }) => all.filter(({ sentAt, publishedAt }) => sentAt && !publishedAt));
  expect(waiting).toHaveLength(1);
  for (const { id, isCodeSeen } of withPhotos) expect(isCodeSeen).toBe(id !== waiting[0]?.id);
  const findings = await database.db.select().from(photoFindings).where(eq(photoFindings.kind, "alike"));
  expect(findings).toMatchObject([{ verdict: null }]);
  const [reused, original] = [findings[0]?.fileId, findings[0]?.otherFileId].map((fileId) =>
    photos.find((photo) => photo.fileId === fileId),
  );
  expect(reused?.reportId).toBe(waiting[0]?.id);
  expect(original?.reportId).toBe(
    farms
      .flatMap(({ all }) => all)
      .find((report) => report.projectId === waiting[0]?.projectId && report.number === (waiting[0]?.number ?? 0) - 1)
      ?.id,
  );
});

test("every farm states its harvest, and offers no reward that can't be bought", async () => {
  const terms = await database.db.select().from(roundTerms);
  const farms = await database.db.select().from(projects);
  expect(terms).toHaveLength(farms.length);
  for (const { plannedHarvests, firstHarvestOn, collectionPlace } of terms) {
    expect(plannedHarvests).toBeGreaterThan(0);
    expect(firstHarvestOn).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(collectionPlace).not.toBe("");
  }
  expect(terms.filter(({ insurance }) => insurance !== null).length).toBeGreaterThan(3);
  expect(farms.flatMap(({ rewards }) => rewards)).toEqual([]);
});

test("the demo has applicants of each status, and is not loaded twice", async () => {
  const applicants = await database.db.select().from(jobApplications);
  expect(new Set(applicants.map((applicant) => applicant.status))).toEqual(
    new Set(["new", "reviewed", "contacted", "rejected"]),
  );
  expect(await isDatabaseEmpty(database.db)).toBe(false);
});

test("its accounts keep a server from starting anywhere but in local use", async () => {
  const { db } = database;
  const start = (variables: Record<string, string>) => refuseDemoAccounts({ db, env: readEnv(variables) });
  await expect(start({})).resolves.toBeUndefined();
  await expect(start({ HOST: "0.0.0.0" })).rejects.toThrow("demo's accounts");
  await expect(start({ PUBLIC_URL: "https://gona.example" })).rejects.toThrow("demo's accounts");
});

test("an address like the demo's, signed up by anybody, keeps no server from starting", async () => {
  const other = await openTestDatabase();
  try {
    await createUser(other.db, { email: "owner@demo.example", emailVerifiedAt: null });
    const env = readEnv({ PUBLIC_URL: "https://gona.example" });
    await expect(refuseDemoAccounts({ db: other.db, env })).resolves.toBeUndefined();
  } finally {
    await other.close();
  }
});

test("the balances of its ledger's export end where its accounts stand", async () => {
  const { db } = database;
  const text = await inTransaction(db, async (tx) => {
    const asked = { ctx: {} as ActorContext, before: 0 };
    const parts: string[] = [];
    for await (const part of exportables.ledger.read({}).write(tx, "json", asked)) parts.push(part);
    return parts.join("");
  });
  const entries: { account: string; balanceKobo: string }[] = JSON.parse(text);
  expect(entries).not.toHaveLength(0);
  const sums = await rows<{ account: string; kobo: string }>(
    db,
    sql`select account, sum(amount_kobo)::text as kobo from ledger_entries group by account order by account`,
  );
  const last = new Map(entries.map(({ account, balanceKobo }) => [account, balanceKobo]));
  expect([...last].sort().map(([account, kobo]) => ({ account, kobo }))).toEqual(sums);
});

/** The platform's bank account, and an owner who looks after it. */
const bankOf = async () => {
  const [account] = await database.db.select().from(ownAccounts);
  return { owner: await createAdmin(database.db, "owner"), accountId: account?.id ?? 0 };
};

test("the sample statement imports without a question, twice, and fits the payments that wait", async () => {
  const { owner, accountId } = await bankOf();
  const ctx = await contextOf(deps, owner);
  const importSample = async () => {
    const file = Buffer.from(await writeSampleStatement(ctx, { accountId }));
    const done = await importFile(ctx, { accountId, file, mapping: undefined });
    if (done.kind !== "imported") throw new Error(`the sample asks: ${JSON.stringify(done)}`);
    expect(done.knownLines).toBe(0);
    return deps.db
      .select()
      .from(statementLines)
      .where(eq(statementLines.statementId, done.statementId))
      .orderBy(asc(statementLines.position));
  };
  const lines = await importSample();
  const named = lines.filter(({ reference }) => reference !== null);
  expect(named.length).toBeGreaterThanOrEqual(4);
  expect(lines.filter(({ narration }) => narration.startsWith("MOBILE TRANSFER FROM"))).toMatchObject([
    { reference: null },
  ]);
  expect(lines.filter(({ amountKobo }) => amountKobo < 0n)).toHaveLength(2);

  deps.clock.advance({ hours: 1 });
  expect((await importSample()).length).toBeGreaterThanOrEqual(2);
  await expectMoneyHolds(deps);
});

test("the sample statement is given in local use alone, to who may import", async () => {
  const { owner, accountId } = await bankOf();
  const app = await buildApp(deps, { distDir: "/nowhere" });
  const elsewhere = await buildApp({ ...deps, env: { ...deps.env, isLocalUse: false } }, { distDir: "/nowhere" });
  const manager = await createAdmin(deps.db, "manager");
  const cookieOf = async ({ id: userId }: TestUser) =>
    `${sessionCookieName(deps.env)}=${await startSession(deps, { userId, kind: "admin", device: "Test", ipAddress: "127.0.0.1" })}`;
  const get = async (from: typeof app, person: TestUser, id: string | number) =>
    from.inject({
      url: `/bank/sample-statement?accountId=${id}`,
      headers: { cookie: await cookieOf(person), host: "127.0.0.1" },
    });
  const given = await get(app, owner, accountId);
  expect(given.statusCode).toBe(200);
  expect(given.headers["content-disposition"]).toContain("sample-statement.csv");
  expect((await get(app, manager, accountId)).statusCode).toBe(403);
  expect((await get(app, owner, 999_999)).statusCode).toBe(404);
  expect((await get(app, owner, "x")).statusCode).toBe(404);
  expect((await get(elsewhere, owner, accountId)).body).not.toContain("POST DATE");
  await Promise.all([app.close(), elsewhere.close()]);
});
