import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { inTransaction } from "#server/db/open.ts";
import { alarms } from "#server/db/schema/alarms.ts";
import { farmPast } from "#server/db/schema/farm-past.ts";
import { harvestParts, harvests } from "#server/db/schema/harvests.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { payeeAccounts, payouts } from "#server/db/schema/payouts.ts";
import { projectBackings, projectMessages, projects } from "#server/db/schema/projects.ts";
import { releaseAsks } from "#server/db/schema/release-parts.ts";
import { farmReports } from "#server/db/schema/reports.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { settings } from "#server/db/schema/settings.ts";
import { contactMessages, jobApplications } from "#server/db/schema/team.ts";
import { sweepHarvests } from "#server/features/harvests/jobs.ts";
import { failPayout } from "#server/features/payouts/failing.ts";
import { dayInLagos } from "#shared/dates.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { secondPersonKey } from "#shared/settings/texts.ts";
import type { openTestDeps } from "./deps.ts";
import { endChoosing, fundFarm, openHarvestOf, partsOf, sell } from "./harvests.ts";
import { contextOf, createPayment, decide } from "./money.ts";
import { giveAccount, giveBack, keepRun } from "./payouts.ts";
import { callAs, createAdmin, createUser } from "./people.ts";
import { createFarm, createProject, type TestProject } from "./projects.ts";
import { keepLine, openOwnAccount } from "./statements.ts";

/** An office in which something happens at each step, for the list of what waits today. */

type TestDeps = Awaited<ReturnType<typeof openTestDeps>>;
/** `pick` chooses among what is there, and `days` says how long ago something was. */
type Change = (pick: number, days: number) => Promise<unknown>;

const reason = "The pens were flooded.";
const unseenReason = "Seen in the app of the bank.";

export async function openOffice(deps: TestDeps) {
  const { db, clock } = deps;
  const [owner, second] = [await createAdmin(db, "owner"), await createAdmin(db, "owner")];
  const manager = await createAdmin(db, "manager");
  const backers = await Promise.all(Array.from({ length: 4 }, () => createUser(db)));
  // One owner decides on all that the bank doesn't show.
  await db.insert(settings).values({ key: secondPersonKey, value: "1000000000" });
  const grantedAt = clock.now();
  const farms: TestProject[] = [];
  for (const lots of [40, 40, 40]) {
    const project = await createProject(db, { lots, minimumLots: 1 });
    const values = backers.map(({ id: userId }) => ({
      projectId: project.id,
      userId,
      grantedAt,
      createdAt: grantedAt,
    }));
    await db.insert(projectBackings).values(values);
    farms.push(project);
  }
  const account = await openOwnAccount(deps, { importedBy: owner.id });
  const farmAt = (pick: number) => farms[pick % farms.length]?.id ?? 0;
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * dayMs);
  let made = 0;
  const next = () => {
    made += 1;
    return made;
  };

  /** All of a payment arrives. */
  async function arrive(payment: Pick<typeof projectPayments.$inferSelect, "id" | "amountKobo" | "reference">) {
    const { id: paymentId, amountKobo, reference } = payment;
    const date = dayInLagos(clock.now());
    const { id: lineId } = await keepLine(deps, account, { amountKobo, narration: `NIP ${reference}`, date });
    const parts = [{ kind: "payment" as const, amountKobo, paymentId }];
    await (await callAs(deps, owner)).bank.match({ lineId, seenMatchedKobo: 0n, parts });
  }

  /** The next thing that happens to the parts of a farm's money, with a new farm where the last one has all. */
  async function goOnWithParts(pick: number) {
    const [open] = await db
      .select()
      .from(releaseAsks)
      .where(and(isNull(releaseAsks.verdict), eq(releaseAsks.note, "Drawn")))
      .limit(1);
    if (open) {
      const by = await callAs(deps, second);
      const { id: askId } = open;
      if (pick % 3 === 0) return by.releaseParts.refuse({ askId, refusal: "The receipt is of another farm." });
      return by.releaseParts.check({ askId });
    }
    const [last] = await db
      .select()
      .from(projects)
      .where(eq(projects.title, "In steps"))
      .orderBy(desc(projects.id))
      .limit(1);
    const by = await callAs(deps, owner);
    const about = last && { projectId: last.id, round: 1 };
    const rounds = about ? await by.releaseParts.ofProject({ projectId: about.projectId }) : [];
    const isBehind = (state: string) => state === "released" || state === "paid";
    const part = rounds[0]?.parts.find(({ state }) => !isBehind(state));
    if (!about || !part) {
      const steps = ["Chicks", "Feed", "Transport"].map((label, at) => ({
        label,
        rate: at === 0 ? 3333 : at === 1 ? 3334 : 3333,
        proof: "",
        afterDays: 0,
      }));
      const project = await createProject(db, {
        title: "In steps",
        lots: 7,
        fundingGoalKobo: 70_000_000n,
        minimumLots: 1,
        releaseParts: steps,
      });
      await extendCampaigns();
      const { payment } = await createPayment(deps, { project, lots: 7 });
      await arrive(payment);
      return decide(deps, owner, { paymentId: payment.id, status: "approved", unseenReason });
    }
    if (part.state !== "checked") {
      const asking = await callAs(deps, manager);
      return asking.releaseParts.ask({ ...about, part: part.part, note: "Drawn", fileIds: [] });
    }
    const seen = (await by.farmReleases.ofProject({ projectId: about.projectId })).rounds[0]?.releasableKobo ?? 0n;
    const amountKobo = pick % 4 === 0 ? part.amountKobo / 2n : part.amountKobo - part.releasedKobo;
    const released = { ...about, part: part.part, askId: part.askId, seenKobo: seen, amountKobo };
    return by.farmReleases.release(released);
  }

  /** The next thing that happens to the last harvest of a funded farm, with a new farm after the last. */
  async function goOnWithHarvest(pick: number) {
    const [last] = await db
      .select()
      .from(harvests)
      .where(sql`${harvests.number} < 1000`)
      .orderBy(desc(harvests.id))
      .limit(1);
    const owners = { asker: owner, confirmer: second };
    if (!last || last.state === "settled" || last.state === "done") {
      const farm = await fundFarm(deps, { owner, lots: [1, 1], unseenReason });
      return openHarvestOf(await callAs(deps, owner), farm, 100_000n, await callAs(deps, second));
    }
    if (last.state === "choosing") {
      const [part] = await partsOf(deps, last.id);
      const backer = { id: part?.userId ?? "", isAdmin: false };
      await (await callAs(deps, backer)).harvests.choose({ harvestId: last.id, taken: "10", given: "0" });
      return endChoosing(deps, last.id);
    }
    const by = await callAs(deps, owner);
    const { sales } = await by.harvests.one({ harvestId: last.id });
    const toCollect = and(
      eq(harvestParts.harvestId, last.id),
      isNotNull(harvestParts.code),
      isNull(harvestParts.collectedAt),
    );
    const [uncollected] = await db
      .select()
      .from(harvestParts)
      .where(and(toCollect, gt(harvestParts.taken, 0n)));
    if (sales.length === 0)
      return sell(deps, owners, { harvestId: last.id, quantity: 90_000n, amountKobo: 500_000_00n });
    if (pick % 2 && uncollected?.code && !uncollected.uncollectedAt) {
      if (last.collectsUntil && last.collectsUntil < clock.now()) return sweepHarvests(deps);
      return by.harvests.collect({ harvestId: last.id, code: uncollected.code });
    }
    return by.harvests.settle({ harvestId: last.id, pool: "sold", amount: "500,000" });
  }

  /** Purchases go on, however far the clock goes. */
  const extendCampaigns = () =>
    db
      .update(projects)
      .set({ endsAt: daysAgo(-30) })
      .where(eq(projects.isClosed, false));

  const changes: Record<string, Change> = {
    async pay(pick) {
      const project = farms[pick % farms.length];
      const [round] = await db
        .select()
        .from(projectRounds)
        .where(eq(projectRounds.projectId, project?.id ?? 0));
      const isOpen = await db.$count(projects, and(eq(projects.id, project?.id ?? 0), eq(projects.isClosed, false)));
      if (!project || !isOpen || round?.outcome !== null || round.approvedLots + round.heldLots >= round.lots) return;
      await extendCampaigns();
      const status = pick % 3 === 0 ? ("approved" as const) : ("pending" as const);
      await createPayment(deps, { project, owner, status, unseenReason });
    },
    async arrive(pick) {
      const waiting = await db
        .select()
        .from(projectPayments)
        .where(inArray(projectPayments.status, ["pending", "approved"]))
        .orderBy(asc(projectPayments.id));
      const payment = waiting[pick % waiting.length];
      const isSeen = payment && (await db.execute(sql`select 1 from line_matches where payment_id = ${payment.id}`));
      if (payment && [...Object(isSeen)].length === 0) await arrive(payment);
    },
    line: (pick, days) =>
      keepLine(deps, account, { amountKobo: BigInt(1 + pick) * 100n, date: dayInLagos(daysAgo(days)) }),
    statement: (_, days) =>
      db.execute(sql`update statements set last_day = greatest(first_day, ${dayInLagos(daysAgo(days))}::date)`),
    async close(pick) {
      const isIt = and(eq(projects.id, farmAt(pick)), isNull(projectRounds.outcome));
      const [found] = await db
        .select({ id: projects.id, isClosed: projects.isClosed })
        .from(projects)
        .innerJoin(projectRounds, eq(projectRounds.projectId, projects.id))
        .where(isIt);
      if (!found) return;
      const isClosed = !found.isClosed;
      await db
        .update(projects)
        .set({ isClosed, closedAt: isClosed ? clock.now() : null })
        .where(eq(projects.id, found.id));
    },
    async decide(pick) {
      const projectId = farmAt(pick);
      const isIt = and(
        eq(projectRounds.projectId, projectId),
        isNull(projectRounds.outcome),
        gt(projectRounds.approvedLots, 0),
      );
      const [round] = await db.select().from(projectRounds).where(isIt);
      if (!round || (await db.$count(projects, and(eq(projects.id, projectId), eq(projects.isClosed, true)))) === 0)
        return;
      const { approvedLots: seenApprovedLots } = round;
      await (await callAs(deps, owner)).payments.decideRound({ projectId, outcome: "funded", seenApprovedLots });
    },
    request: (pick, days) =>
      db.insert(secondPersonRequests).values({
        kind: "write_off",
        subject: `drawn/${next()}`,
        details: { projectId: farmAt(0), round: 1 },
        reason,
        requestedBy: (pick % 2 ? owner : second).id,
        requestedAt: daysAgo(days),
      }),
    async refund() {
      const project = await createProject(db, { endsAt: daysAgo(-30) });
      const { payment } = await createPayment(deps, { project, owner, status: "approved", unseenReason });
      await giveBack(deps, owner, payment);
    },
    async run(pick) {
      const open = await db
        .select()
        .from(payouts)
        .where(and(inArray(payouts.state, ["waiting", "due"]), isNotNull(payouts.userId)))
        .orderBy(asc(payouts.id));
      const chosen = open[pick % open.length];
      if (!chosen?.userId) return;
      const { userId } = chosen;
      const isUsed = and(eq(payeeAccounts.userId, userId), isNull(payeeAccounts.replacedAt));
      const [used] = await db.select().from(payeeAccounts).where(isUsed);
      const given = used ?? (await giveAccount(deps, { userId }, { addedBy: userId }));
      const [payout] = await db.select().from(payouts).where(eq(payouts.id, chosen.id));
      if (!payout) return;
      await keepRun(deps, [{ payout, account: given }], {
        ownAccount: account,
        owner,
        second,
        isExported: pick % 2 === 0,
      });
    },
    approveRun: () =>
      db.execute(sql`update payout_runs set state = 'approved', approved_by = ${second.id}, approved_at = ${clock.now().toISOString()}
        where id = (select max(id) from payout_runs where state = 'draft')`),
    async fail(pick) {
      const by = await contextOf(deps, owner);
      const sent = await db.select().from(payouts).where(eq(payouts.state, "sent")).orderBy(asc(payouts.id));
      const payout = sent[pick % sent.length];
      if (!payout) return;
      const isAccountWrong = pick % 3 === 0;
      await inTransaction(db, (tx) => failPayout(tx, by, payout, { reason: "The bank sent it back.", isAccountWrong }));
    },
    harvest(pick, days) {
      const number = 1000 + next();
      return db.insert(harvests).values({
        projectId: farmAt(pick),
        projectTitle: "Drawn",
        round: 1,
        isInsurance: false,
        number,
        place: number,
        quantity: 1000n,
        referencePriceKobo: 100n,
        createdBy: owner.id,
        createdAt: daysAgo(days),
        ...(pick % 2 && {
          state: "choosing" as const,
          openedQuantity: 1000n,
          openedAt: daysAgo(days),
          choosesUntil: new Date(daysAgo(days).getTime() + 7 * dayMs),
        }),
      });
    },
    tell: async (pick, days) =>
      db.insert(farmPast).values({
        ...{
          farmId: (await createFarm(db)).id,
          fromYear: 2019,
          toYear: 2020,
          farmed: "Layers",
          outcome: "Sold in Ilorin.",
        },
        paidBy: "Savings",
        evidence: "Delivery notes",
        enteredBy: owner.id,
        createdAt: daysAgo(days),
        ...(pick % 2 && { state: "refused" as const, decidedBy: second.id, decidedAt: clock.now(), reason }),
      }),
    report: (pick, days) =>
      db.insert(farmReports).values({
        projectId: farmAt(pick),
        round: 1,
        number: next(),
        code: "7K3P",
        dueAt: daysAgo(days),
        ...(pick % 4 === 0 && { sentAt: daysAgo(days / 2), firstSentAt: daysAgo(days / 2), content: "All is well." }),
        ...(pick % 4 === 1 && { excusedAt: clock.now(), excuse: "The road to the farm was flooded." }),
      }),
    message: (pick, days) =>
      db.insert(projectMessages).values({
        projectId: farmAt(pick),
        userId: backers[pick % 4]?.id ?? "",
        content: "When?",
        isAdminReply: false,
        isPrivate: pick % 2 === 0,
        createdAt: daysAgo(days),
      }),
    async answer(pick) {
      const projectId = farmAt(pick);
      const [open] = await db.select().from(projectMessages).where(eq(projectMessages.projectId, projectId)).limit(1);
      const isPrivate = pick % 2 === 0 && open !== undefined && !open.isAdminReply;
      await db.insert(projectMessages).values({
        projectId,
        userId: owner.id,
        content: "Soon.",
        isAdminReply: true,
        createdAt: clock.now(),
        ...(isPrivate && { isPrivate, recipientId: open.userId, answersId: open.id }),
      });
    },
    dismiss: () =>
      db.execute(sql`update project_messages set no_answer_at = now(), no_answer_by = ${owner.id} where id = (
        select max(id) from project_messages where not is_admin_reply and no_answer_at is null)`),
    write: (pick) =>
      db.insert(contactMessages).values({
        name: "Ada Obi",
        email: "ada@example.com",
        phone: "08031234567",
        message: "Are you open on Saturday?",
        readAt: pick % 3 === 0 ? clock.now() : null,
      }),
    read: () =>
      db.execute(
        sql`update contact_messages set read_at = now() where id = (select min(id) from contact_messages where read_at is null)`,
      ),
    apply: (pick) =>
      db.insert(jobApplications).values({
        fullName: "Efe Okoro",
        email: "efe@example.com",
        phone: "08031234567",
        position: "Farm hand",
        status: pick % 3 === 0 ? "reviewed" : "new",
      }),
    alarm: (pick) =>
      db
        .insert(alarms)
        .values({ name: "drawn", key: `drawn ${next()}`, finding: { violation: `Rule ${pick % 4}`, row: {} } }),
    repair: (pick) =>
      db.execute(
        sql`update alarms set resolved_at = now() where finding->>'violation' = ${`Rule ${pick % 4}`} and resolved_at is null`,
      ),
    parts: goOnWithParts,
    grow: goOnWithHarvest,
    async wait(_, days) {
      clock.set(new Date(clock.now().getTime() + days * (dayMs / 4)));
    },
  };
  return { owner, changes };
}
