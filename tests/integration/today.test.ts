import { asc, eq, isNull, sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { alarms } from "#server/db/schema/alarms.ts";
import { harvests } from "#server/db/schema/harvests.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { projectBackings, projectMessages } from "#server/db/schema/projects.ts";
import { releaseAsks } from "#server/db/schema/release-parts.ts";
import { farmReports } from "#server/db/schema/reports.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { contactMessages, jobApplications } from "#server/db/schema/team.ts";
import { listOpenAlarms } from "#server/features/alarms/queries.ts";
import { listSurePayments } from "#server/features/bank/matching/confirm-sure-payments.ts";
import { readOverview as readBank } from "#server/features/bank/own-accounts/overview.ts";
import { listLines } from "#server/features/bank/queries.ts";
import { listApplicants } from "#server/features/careers/queries.ts";
import { listContactMessages } from "#server/features/contact/queries.ts";
import { listToday, listTodayItems, lines as todayLines } from "#server/features/dashboard/today.ts";
import { findWaitingMoney } from "#server/features/dashboard/waiting-money.ts";
import { listPayments } from "#server/features/payments/review/queries.ts";
import { listDue, listPayouts, listRuns } from "#server/features/payouts/queries.ts";
import { listMessages } from "#server/features/projects/messages/queries.ts";
import { listReports } from "#server/features/reports/queries.ts";
import { listOpenRequests } from "#server/features/second-person/queries.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { dayInLagos } from "#shared/dates.ts";
import { dayMs, daysBetween } from "#shared/lagos-time.ts";
import { permissionsOf, roles } from "#shared/permissions.ts";
import { type TodayKind, todayKinds } from "#shared/today/lines.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { isLong } from "#tests/support/length.ts";
import { contextOf, createPayment } from "#tests/support/money.ts";
import { giveAccount, keepRun, oweRefund } from "#tests/support/payouts.ts";
import { callAs, createAdmin, createUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { keepLine, openOwnAccount } from "#tests/support/statements.ts";

/** What waits today: each line's number is the length of the list that it opens, and nobody sees another's work. */

const deps = await openTestDeps();
const { db, clock } = deps;
const states = isLong ? 1000 : 25;

beforeEach(() => emptyDatabase(db));

test("nothing waits on a new site", async () => {
  const owner = await callAs(deps, await createAdmin(db, "owner"));
  expect((await owner.dashboard.today()).lines).toEqual([]);
});

test("each person sees the lines of their own work, and opens no other", async () => {
  await db
    .insert(contactMessages)
    .values({ name: "Ada Obi", email: "ada@example.com", phone: "08031234567", message: "Are you open on Saturday?" });
  await createPayment(deps);
  const seenBy = async (who: "viewer" | "manager" | "owner" | "accountant" | "cashier") =>
    (await (await callAs(deps, who)).dashboard.today()).lines.map(({ kind }) => kind);
  expect(await seenBy("owner")).toEqual(["receipts", "contact"]);
  for (const who of ["viewer", "manager", "accountant", "cashier"] as const) expect(await seenBy(who)).toEqual([]);
  for (const role of roles) {
    const person = await callAs(deps, role);
    const own = permissionsOf({ isAdmin: true, roles: [role] });
    for (const kind of todayKinds) {
      const asked = person.dashboard.todayItems({ kind });
      if (own.includes(todayLines[kind].right)) await asked;
      else await expect(asked).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
  }
});

test("late lines come first, with the age of the oldest", async () => {
  const owner = await createAdmin(db, "owner");
  const { payment } = await createPayment(deps);
  await db
    .insert(jobApplications)
    .values({ fullName: "Efe Okoro", email: "efe@example.com", phone: "08031234567", position: "Farm hand" });
  const before = await listToday(await contextOf(deps, owner));
  expect(before.lines[0]).toMatchObject({ kind: "receipts", late: 0 });
  const start = clock.now();
  clock.set(new Date(start.getTime() + 10 * dayMs));
  const { lines } = await listToday(await contextOf(deps, owner));
  expect(lines.slice(0, 2).map(({ kind }) => kind)).toEqual(["payments_late", "receipts"]);
  expect(lines.findIndex(({ late }) => late === 0)).toBeGreaterThanOrEqual(2);
  const oldest = lines.find(({ kind }) => kind === "receipts")?.oldest?.getTime() ?? 0;
  expect(oldest).toBeLessThanOrEqual(payment.createdAt.getTime());
  clock.set(start);
});

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

/** How long each line's list is by the table that it opens, or by a reading of all rows. */
async function lengthsOfLists(ctx: ActorContext, projectIds: number[]): Promise<Record<TodayKind, number>> {
  const now = clock.now();
  const payments = (filter: object) => all(async (cursor) => listPayments(ctx, { ...filter, cursor } as never));
  const waiting = await findWaitingMoney(db);
  const ofKind = (kind: (typeof waiting)[number]["kind"]) => waiting.filter((one) => one.kind === kind).length;
  const runs = await all(async (cursor) => {
    const page = await listRuns(ctx, { cursor } as never);
    return { items: page.runs, nextCursor: page.nextCursor };
  });
  const payoutsOf = (list: "waiting" | "sent") =>
    all(async (cursor) => {
      const page = await listPayouts(ctx, { list, cursor } as never);
      return { items: page.payouts, nextCursor: page.nextCursor };
    });
  const sent = await payoutsOf("sent");
  const waitingPayouts = await payoutsOf("waiting");
  const due = (await listDue(ctx)).payouts;
  const inRun = await db.select().from(payouts).where(eq(payouts.state, "in_run"));
  const lines = await all(async (cursor) => listLines(ctx, { tab: "to_match", search: "", cursor } as never));
  const suggested = await all(async (cursor) => listLines(ctx, { tab: "suggested", search: "", cursor } as never));
  const grown = await db.select().from(harvests);
  const parts = await db.select().from(releaseAsks).where(isNull(releaseAsks.verdict));
  const messages: Awaited<ReturnType<typeof listMessages>>["items"] = [];
  const reports: (Awaited<ReturnType<typeof listReports>>["items"][number] & { projectId: number })[] = [];
  for (const projectId of projectIds) {
    for (let page = 1; ; page += 1) {
      const { items, total } = await listMessages(ctx, { projectId, search: "", page });
      messages.push(...items);
      if (page * 5 >= total) break;
    }
    reports.push(...(await listReports(ctx, { projectId, page: 1 })).items.map((report) => ({ ...report, projectId })));
  }
  const isAnsweredLater = (report: (typeof reports)[number]) =>
    reports.some((one) => one.projectId === report.projectId && one.number > report.number && one.sentAt !== null);
  const old = (at: Date, days: number) => now.getTime() - at.getTime() >= days * dayMs;
  return {
    payments_late: (await payments({ late: true })).length,
    receipts: (await payments({ status: "pending" })).length,
    sure_payments: (await listSurePayments(ctx)).length,
    unexplained_lines: [...lines, ...suggested].filter(
      ({ date }) => date < dayInLagos(new Date(now.getTime() - 3 * dayMs)),
    ).length,
    missing_statements: (await readBank(ctx)).accounts.filter(
      ({ isClosed, lastDay }) =>
        !isClosed && lastDay !== null && lastDay <= dayInLagos(new Date(now.getTime() - 4 * dayMs)),
    ).length,
    rounds_to_decide: ofKind("decide_round"),
    sales_to_settle: ofKind("settle_sales"),
    money_to_release: ofKind("release_money"),
    requests: (await listOpenRequests(ctx)).requests.length,
    runs_to_approve: runs.filter(({ state, stale }) => state === "draft" && stale === null).length,
    runs_to_void: runs.filter(({ state, stale }) => state === "draft" && stale !== null).length,
    runs_to_export: runs.filter(({ state }) => state === "approved").length,
    runs_to_give: runs.filter(({ id, exportedAt, givenAt }) => {
      return (
        exportedAt !== null && givenAt === null && sent.some(({ runId, state }) => runId === id && state === "sent")
      );
    }).length,
    unseen_payouts: sent.filter(({ isUnseen }) => isUnseen).length,
    overdue_payouts: [...due, ...waitingPayouts, ...inRun].filter(({ promisedBy }) => promisedBy && promisedBy <= now)
      .length,
    missing_accounts: waitingPayouts.filter(({ createdAt }) => old(createdAt, 14)).length,
    old_drafts: grown.filter(({ state, createdAt }) => state === "draft" && old(createdAt, 7)).length,
    choosing_ends: grown.filter(
      ({ state, choosesUntil }) => state === "choosing" && choosesUntil && daysBetween(now, choosesUntil) <= 1,
    ).length,
    produce_waiting: 0,
    parts_asked: parts.length,
    late_reports: reports.filter((one) => (one.state === "late" || one.state === "missed") && !isAnsweredLater(one))
      .length,
    doubtful_reports: reports.filter(({ state, sentAt }) => state === "sent" && sentAt && old(sentAt, 1)).length,
    messages: messages.filter(({ wait }) => wait !== null).length,
    contact: (await all(async (cursor) => listContactMessages(ctx, { isRead: false, cursor } as never))).length,
    applicants: (await all(async (cursor) => listApplicants(ctx, { status: "new", cursor } as never))).length,
    alarms: (await listOpenAlarms(ctx)).length,
  };
}

test(`the list agrees with the lists that it opens, in ${states} drawn states`, { timeout: 1_200_000 }, async () => {
  const [owner, second] = [await createAdmin(db, "owner"), await createAdmin(db, "owner")];
  const backers = await Promise.all(Array.from({ length: 4 }, () => createUser(db)));
  const farms: Awaited<ReturnType<typeof createProject>>[] = [];
  for (const lots of [40, 40, 40]) {
    const project = await createProject(db, { lots, minimumLots: 1 });
    for (const { id: userId } of backers) {
      await db
        .insert(projectBackings)
        .values({ projectId: project.id, userId, grantedAt: clock.now(), createdAt: clock.now() });
    }
    farms.push(project);
  }
  const projectIds = farms.map(({ id }) => id);
  const account = await openOwnAccount(deps, { importedBy: owner.id });
  const start = clock.now();
  let made = 0;

  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * dayMs);
  /** What changes from one state to the next; `pick` chooses among what is there, and `days` how long ago something was. */
  const changes: Record<string, (pick: number, days: number) => Promise<unknown>> = {
    async pay(pick) {
      const project = farms[pick % farms.length];
      const isOwned = pick % 3 === 0;
      const status = isOwned ? ("approved" as const) : ("pending" as const);
      const paid = { ...(project && { project }), owner, status, unseenReason: "Seen in the app of the bank." };
      await createPayment(deps, paid).catch(() => null);
    },
    async arrive(pick) {
      const waiting = await db.execute<{ id: number; kobo: string; reference: string }>(sql`select id::int as id,
        amount_kobo::text as kobo, reference from project_payments where status = 'pending' order by id`);
      const chosen = [...(waiting as Iterable<{ id: number; kobo: string; reference: string }>)][pick % 5];
      if (!chosen) return;
      const amountKobo = BigInt(chosen.kobo);
      const { id: lineId } = await keepLine(deps, account, { amountKobo, narration: `NIP ${chosen.reference}` });
      const part = { kind: "payment" as const, amountKobo, paymentId: chosen.id };
      await (await callAs(deps, owner)).bank.match({ lineId, seenMatchedKobo: 0n, parts: [part] }).catch(() => null);
    },
    line: (pick, days) =>
      keepLine(deps, account, { amountKobo: BigInt(1 + pick) * 100n, date: dayInLagos(daysAgo(days)) }),
    statement: (_, days) =>
      db.execute(sql`update statements set last_day = greatest(first_day, ${dayInLagos(daysAgo(days))}::date)`),
    close: (pick) =>
      db.execute(sql`update projects set is_closed = not is_closed,
        closed_at = case when is_closed then null else ${clock.now().toISOString()}::timestamptz end
        where id = ${projectIds[pick % projectIds.length]}`),
    request: (pick, days) =>
      db.insert(secondPersonRequests).values({
        ...{ kind: "write_off", subject: `drawn/${made}`, details: { projectId: projectIds[0] ?? 0, round: 1 } },
        ...{
          reason: "The pens were flooded.",
          requestedBy: (pick % 2 ? owner : second).id,
          requestedAt: daysAgo(days),
        },
      }),
    refund: () => oweRefund(deps, { owner, ...(backers[0] && { backer: backers[0] }) }).catch(() => null),
    async run(pick) {
      const [due] = await db
        .select()
        .from(payouts)
        .where(eq(payouts.state, "waiting"))
        .orderBy(asc(payouts.id))
        .limit(1);
      if (!due?.userId) return;
      const given = await giveAccount(deps, { userId: due.userId }, { addedBy: due.userId });
      const [now] = await db.select().from(payouts).where(eq(payouts.id, due.id));
      if (!now) return;
      const kept = { ownAccount: account, owner, second, isExported: pick % 2 === 0 };
      await keepRun(deps, [{ payout: now, account: given }], kept);
      if (pick % 3 === 0)
        await db
          .execute(sql`update payee_accounts set replaced_at = now() where user_id = ${due.userId}`)
          .catch(() => null);
    },
    harvest: (pick, days) =>
      db.insert(harvests).values({
        ...{
          projectId: projectIds[pick % 3] ?? 0,
          projectTitle: "Drawn",
          round: 1,
          number: 1000 + made,
          isInsurance: false,
        },
        ...{ quantity: 1000n, referencePriceKobo: 100n, createdBy: owner.id, createdAt: daysAgo(days) },
        ...(pick % 2 && {
          ...{ state: "choosing" as const, openedQuantity: 1000n, openedAt: daysAgo(days) },
          choosesUntil: new Date(daysAgo(days).getTime() + 7 * dayMs),
        }),
      }),
    report: (pick, days) =>
      db.insert(farmReports).values({
        ...{ projectId: projectIds[pick % 3] ?? 0, round: 1, number: 1 + made, code: "7K3P", dueAt: daysAgo(days) },
        ...(pick % 4 === 0 && { sentAt: daysAgo(days / 2), firstSentAt: daysAgo(days / 2), content: "All is well." }),
        ...(pick % 4 === 1 && { excusedAt: clock.now(), excuse: "The road to the farm was flooded." }),
      }),
    ask: (pick) =>
      db
        .insert(releaseAsks)
        .values({ projectId: projectIds[pick % 3] ?? 0, round: 1, part: 1 + (pick % 6), askedBy: owner.id })
        .onConflictDoNothing(),
    decideAsk: () =>
      db.execute(sql`update release_asks set verdict = 'refused', refusal = 'No proof.', decided_by = ${second.id}, decided_at = now()
        where id = (select min(id) from release_asks where verdict is null)`),
    message: (pick, days) =>
      db.insert(projectMessages).values({
        ...{
          projectId: projectIds[pick % 3] ?? 0,
          userId: backers[pick % 4]?.id ?? "",
          content: "When?",
          isAdminReply: false,
        },
        ...{ isPrivate: pick % 2 === 0, createdAt: daysAgo(days) },
      }),
    async answer(pick) {
      const projectId = projectIds[pick % 3] ?? 0;
      const [open] = await db.select().from(projectMessages).where(eq(projectMessages.projectId, projectId)).limit(1);
      const isPrivate = pick % 2 === 0 && open !== undefined && !open.isAdminReply;
      await db.insert(projectMessages).values({
        ...{ projectId, userId: owner.id, content: "Soon.", isAdminReply: true, createdAt: clock.now() },
        ...(isPrivate && { isPrivate, recipientId: open.userId, answersId: open.id }),
      });
    },
    dismiss: () =>
      db.execute(sql`update project_messages set no_answer_at = now(), no_answer_by = ${owner.id} where id = (
        select max(id) from project_messages where not is_admin_reply and no_answer_at is null)`),
    write: (pick) =>
      db.insert(contactMessages).values({
        ...{ name: "Ada Obi", email: "ada@example.com", phone: "08031234567", message: "Are you open on Saturday?" },
        readAt: pick % 3 === 0 ? clock.now() : null,
      }),
    read: () =>
      db.execute(
        sql`update contact_messages set read_at = now() where id = (select min(id) from contact_messages where read_at is null)`,
      ),
    apply: (pick) =>
      db.insert(jobApplications).values({
        ...{ fullName: "Efe Okoro", email: "efe@example.com", phone: "08031234567", position: "Farm hand" },
        status: pick % 3 === 0 ? "reviewed" : "new",
      }),
    alarm: (pick) =>
      db
        .insert(alarms)
        .values({ name: "drawn", key: `drawn ${made}`, finding: { violation: `Rule ${pick % 4}`, row: {} } }),
    repair: (pick) =>
      db.execute(
        sql`update alarms set resolved_at = now() where finding->>'violation' = ${`Rule ${pick % 4}`} and resolved_at is null`,
      ),
    async wait(_, days) {
      clock.set(new Date(clock.now().getTime() + days * (dayMs / 4)));
    },
  };

  const step = fc.record({
    change: fc.constantFrom(...Object.keys(changes)),
    pick: fc.nat({ max: 1000 }),
    days: fc.nat({ max: 20 }),
  });
  const seen = new Set<TodayKind>();
  for (const [index, { change, pick, days }] of fc.sample(step, { numRuns: states, seed: 41 }).entries()) {
    made += 1;
    await changes[change]?.(pick, days);
    const ctx = await contextOf(deps, owner);
    const { lines } = await listToday(ctx);
    const counted = Object.fromEntries(
      todayKinds.map((kind) => [kind, lines.find((one) => one.kind === kind)?.count ?? 0]),
    );
    expect(counted, `after change ${index}: ${change} ${pick} ${days}`).toEqual(await lengthsOfLists(ctx, projectIds));
    for (const { kind, count, late } of lines) {
      seen.add(kind);
      const { items } = await listTodayItems(ctx, { kind });
      expect(items.length).toBe(Math.min(count, 200));
      expect(items.filter(({ isLate }) => isLate).length).toBe(Math.min(late, 200));
    }
  }
  if (isLong)
    expect([...seen].sort()).toEqual(
      todayKinds.filter((kind) => kind !== "produce_waiting" && kind !== "sales_to_settle").sort(),
    );
  clock.set(start);
});
