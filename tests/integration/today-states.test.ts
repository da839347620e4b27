import { eq, isNull } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { farmPast } from "#server/db/schema/farm-past.ts";
import { harvests } from "#server/db/schema/harvests.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { projects } from "#server/db/schema/projects.ts";
import { releaseAsks } from "#server/db/schema/release-parts.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { dayInLagos } from "#shared/dates.ts";
import { dayMs, daysBetween } from "#shared/lagos-time.ts";
import { type TodayKind, todayKinds, todayTexts } from "#shared/today/lines.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { isLong } from "#tests/support/length.ts";
import { type Caller, callAs } from "#tests/support/people.ts";
import { openOffice } from "#tests/support/today-changes.ts";

/** The lines of today: each one's number is the length of the list that it opens, in every state of the office. */

const deps = await openTestDeps();
const { db, clock } = deps;
/** Each office is new, so lists stay short. A short run makes each change once, and compares every fifth state. */
const [offices, states, every] = isLong ? [20, 50, 1] : [1, undefined, 5];

/** All pages of a list. */
async function all<Item>(page: (cursor?: string) => Promise<{ items: Item[]; nextCursor: string | null }>) {
  const found: Item[] = [];
  let cursor: string | null | undefined;
  do {
    const { items, nextCursor } = await page(cursor ?? undefined);
    found.push(...items);
    cursor = nextCursor;
  } while (cursor);
  return found;
}

/** All of a list whose pages are numbered. */
async function numbered<Item>(list: (page: number) => Promise<{ items: Item[]; total: number }>) {
  const found: Item[] = [];
  for (let page = 1; ; page += 1) {
    const { items, total } = await list(page);
    found.push(...items);
    if (items.length === 0 || found.length >= total) return found;
  }
}

const isOld = (at: Date | null, days: number) => at !== null && clock.now().getTime() - at.getTime() >= days * dayMs;
const dayBefore = (days: number) => dayInLagos(new Date(clock.now().getTime() - days * dayMs));

type Counts = Partial<Record<TodayKind, number>>;

/** Counts what the tables of payments and of the bank show. */
async function countMoneyIn(by: Caller): Promise<Counts> {
  const late = await all((cursor) => by.payments.list({ late: true, cursor }));
  const { accounts } = await by.bank.overview();
  const entered = await db.select().from(ownAccounts);
  const lines = [];
  for (const { id: accountId } of accounts) {
    for (const tab of ["to_match", "suggested"] as const) {
      lines.push(...(await all((cursor) => by.bank.lines({ accountId, tab, search: "", cursor }))));
    }
  }
  return {
    receipts: (await all((cursor) => by.payments.list({ status: "pending", cursor }))).length,
    unseen_payments: late.filter(({ status }) => status === "approved").length,
    sure_payments: (await by.bank.listSurePayments()).length,
    unexplained_lines: lines.filter(({ date }) => date < dayBefore(3)).length,
    missing_statements: accounts.filter(({ isClosed, id, lastDay }) => {
      const enteredAt = entered.find((one) => one.id === id)?.createdAt ?? clock.now();
      return !isClosed && (lastDay ?? dayInLagos(enteredAt)) <= dayBefore(4);
    }).length,
  };
}

/** Counts what the tabs of payouts show. */
async function countMoneyOut(by: Caller): Promise<Counts> {
  const runs = await all(async (cursor) => {
    const page = await by.payouts.runs({ cursor });
    return { items: page.runs, nextCursor: page.nextCursor };
  });
  const tab = (list: "waiting" | "sent") =>
    all(async (cursor) => {
      const page = await by.payouts.list({ list, cursor });
      return { items: page.payouts, nextCursor: page.nextCursor };
    });
  const [sent, waiting, { payouts: due }] = [await tab("sent"), await tab("waiting"), await by.payouts.due()];
  const inRun = await db.select().from(payouts).where(eq(payouts.state, "in_run"));
  const drafts = runs.filter(({ state }) => state === "draft");
  const isOnItsWay = (id: number) => sent.some(({ runId, state }) => runId === id && state === "sent");
  return {
    runs_to_approve: drafts.filter(({ stale }) => stale === null).length,
    runs_to_void: drafts.filter(({ stale }) => stale !== null).length,
    runs_to_export: runs.filter(({ state }) => state === "approved").length,
    runs_to_give: runs.filter((run) => run.exportedAt !== null && run.givenAt === null && isOnItsWay(run.id)).length,
    unseen_payouts: sent.filter(({ isUnseen }) => isUnseen).length,
    failed_payouts: due.filter(({ replaces, hindrance }) => replaces !== null && hindrance !== "withheld").length,
    overdue_payouts: [...due, ...waiting, ...inRun].filter(({ promisedBy }) => isOld(promisedBy, 0)).length,
    missing_accounts: waiting.filter(({ createdAt }) => isOld(createdAt, 14)).length,
  };
}

/** Counts what the pages of projects and of harvests show. */
async function countFarms(by: Caller): Promise<Counts> {
  const found = { sales: 0, produce: 0, release: 0, late: 0, doubtful: 0, messages: 0 };
  for (const { id: projectId } of await db.select({ id: projects.id }).from(projects)) {
    const managed = await by.releaseParts.ofProject({ projectId });
    for (const { round, releasableKobo } of (await by.farmReleases.ofProject({ projectId })).rounds) {
      const parts = managed.find((one) => one.round === round);
      const isChecked = (askId: number | null) =>
        parts?.asks.some(({ id, verdict }) => id === askId && verdict === "checked");
      const isThere = parts?.parts.some((one) => one.releasableKobo > 0n && (!parts.hasSteps || isChecked(one.askId)));
      if (releasableKobo > 0n && isThere) found.release += 1;
    }
    const messages = await numbered((page) => by.messages.list({ projectId, search: "", page }));
    found.messages += messages.filter(({ wait }) => wait !== null).length;
    const reports = await numbered((page) => by.reports.list({ projectId, page }));
    const lastSent = Math.max(...reports.filter(({ sentAt }) => sentAt !== null).map(({ number }) => number));
    const isMissing = ({ state, number }: (typeof reports)[number]) =>
      (state === "late" || state === "missed") && number > lastSent;
    found.late += reports.filter(isMissing).length;
    found.doubtful += reports.filter(({ state, sentAt }) => state === "sent" && isOld(sentAt, 1)).length;
  }
  const grown = await db.select().from(harvests);
  for (const { id: harvestId, state, collectsUntil } of grown) {
    if (state !== "allotted" && state !== "settled") continue;
    const { unsettledKobo } = await by.harvests.one({ harvestId });
    if (unsettledKobo.sold + unsettledKobo.uncollected > 0n) found.sales += 1;
    const parts = await all((cursor) => by.harvests.parts({ harvestId, search: "", shown: "waiting", cursor }));
    const isOpen = collectsUntil !== null && collectsUntil >= clock.now();
    if (isOpen && parts.some(({ uncollectedAt }) => uncollectedAt === null)) found.produce += 1;
  }
  return {
    sales_to_settle: found.sales,
    produce_waiting: found.produce,
    money_to_release: found.release,
    late_reports: found.late,
    doubtful_reports: found.doubtful,
    messages: found.messages,
    old_drafts: grown.filter(({ state, createdAt }) => state === "draft" && isOld(createdAt, 7)).length,
    choosing_ends: grown.filter(
      ({ state, choosesUntil }) => state === "choosing" && choosesUntil && daysBetween(clock.now(), choosesUntil) <= 1,
    ).length,
  };
}

/** Counts the list behind each line by what its page shows or, where no page has one, by reading all rows. */
async function countByLists(by: Caller): Promise<Counts> {
  const rounds = await db.select().from(projectRounds);
  const closed = await db.select().from(projects).where(eq(projects.isClosed, true));
  const isUndecided = ({ id, round }: (typeof closed)[number]) =>
    rounds.some((one) => one.projectId === id && one.round === round && one.outcome === null && one.approvedLots > 0);
  return {
    ...(await countMoneyIn(by)),
    ...(await countMoneyOut(by)),
    ...(await countFarms(by)),
    rounds_to_decide: closed.filter(isUndecided).length,
    requests: (await by.secondPerson.list()).requests.filter(({ isOwn }) => !isOwn).length,
    parts_asked: await db.$count(releaseAsks, isNull(releaseAsks.verdict)),
    told_pasts: await db.$count(farmPast, eq(farmPast.state, "waiting")),
    contact: (await all((cursor) => by.contact.messages({ isRead: false, cursor }))).length,
    applicants: (await all((cursor) => by.careers.applicants({ status: "new", cursor }))).length,
    alarms: (await by.alarms.list()).length,
  };
}

const seen = new Set<TodayKind>();

/** Makes changes in a new office, and compares the lists after every `every` of them and at the end. */
async function work(seed: number) {
  await emptyDatabase(db);
  const { owner, changes } = await openOffice(deps);
  const names = Object.keys(changes);
  const step = fc.record({
    drawn: fc.constantFrom(...names),
    pick: fc.nat({ max: 1000 }),
    days: fc.nat({ max: 20 }),
  });
  const steps = fc.sample(step, { numRuns: states ?? names.length, seed });
  for (const [index, { drawn, pick, days }] of steps.entries()) {
    const change = states ? drawn : (names[index] ?? "");
    await changes[change]?.(pick, days);
    if ((index + 1) % every > 0 && index < steps.length - 1) continue;
    const by = await callAs(deps, owner);
    const { lines } = await by.dashboard.today();
    const counted = Object.fromEntries(
      todayKinds.map((kind) => [kind, lines.find((one) => one.kind === kind)?.count ?? 0]),
    );
    expect(counted, `office ${seed}, after change ${index}: ${change} ${pick} ${days}`).toEqual(await countByLists(by));
    for (const { kind, count, late, oldest } of lines) {
      seen.add(kind);
      const { items } = await by.dashboard.todayItems({ kind });
      expect(items.length).toBe(Math.min(count, todayTexts.shown));
      expect(items.filter(({ isLate }) => isLate).length).toBe(Math.min(late, todayTexts.shown));
      const since = items.flatMap((item) => item.since?.getTime() ?? []);
      if (count <= todayTexts.shown) expect(oldest?.getTime()).toBe(Math.min(...since));
    }
  }
}

test("the list agrees with the lists that it opens, in whichever state", { timeout: 1_800_000 }, async () => {
  const start = clock.now();
  for (let seed = 1; seed <= offices; seed += 1) {
    await work(seed);
    clock.set(start);
  }
  if (isLong) expect([...seen].sort()).toEqual([...todayKinds].sort());
});
