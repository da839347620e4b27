import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { farmPeople } from "#server/db/schema/farms.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { projectUpdates } from "#server/db/schema/projects.ts";
import { farmReports } from "#server/db/schema/reports.ts";
import { settings } from "#server/db/schema/settings.ts";
import { userRoles, users } from "#server/db/schema/users.ts";
import { sweepReports } from "#server/features/reports/jobs.ts";
import { planOfTemplate } from "#shared/reports/templates.ts";
import { autoPublishKey } from "#shared/settings/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { createFarmPerson } from "#tests/support/farms.ts";
import { endChoosing, type Farm, fundFarm, openHarvestOf, sell } from "#tests/support/harvests.ts";
import { callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { startEachWith } from "#tests/support/scene.ts";

const deps = await openTestDeps();
const { db, clock } = deps;
let owner: TestUser;
let manager: TestUser;
let farm: Farm;
let keeper: TestUser;
let projectId: number;

/** A farm of 500 birds that was funded just now. */
startEachWith(deps, async () => {
  owner = await createAdmin(db, "owner");
  manager = await createAdmin(db, "manager");
  farm = await fundFarm(deps, { owner, lots: [1, 1], unseenReason: "Told by phone." });
  projectId = farm.project.id;
  keeper = await createFarmPerson(db, farm.project.farmId ?? 0, "keeper");
  const [alive, died, sold] = planOfTemplate("broiler").figures;
  const figures = [alive, died, sold].flatMap((figure) => (figure ? [{ ...figure, curve: null }] : []));
  const plan = { ...planOfTemplate("broiler"), figures };
  await (await callAs(deps, manager)).reports.savePlan({ projectId, plan });
});

const day = 24;
const reportsOf = () =>
  db.select().from(farmReports).where(eq(farmReports.projectId, projectId)).orderBy(farmReports.number);
const sweepAfter = async (hours: number) => {
  clock.advance({ hours });
  await sweepReports(deps);
};
/** Moves the clock to `hoursAfter` hours after a report is due, report by report, and runs the job each time. */
async function sweepAt(number: number, hoursAfter: number): Promise<void> {
  const all = await reportsOf();
  const last = all.at(-1);
  const report = all.find((row) => row.number === number);
  if (!last) throw new Error("no report is owed");
  const at = report ? report.dueAt.getTime() + hoursAfter * 3_600_000 : last.dueAt.getTime();
  await sweepAfter((at - clock.now().getTime()) / 3_600_000);
  if (!report) await sweepAt(number, hoursAfter);
}
const recordOf = async () => (await callAs(deps, "anonymous")).reports.record({ projectId });
const statesOf = async () => (await recordOf()).reports.map(({ state }) => state);

type Sent = {
  number?: number;
  figures?: Record<string, string>;
  farmNote?: string;
  key?: string;
  isConfirmed?: boolean;
};
const reportWith = ({ number = 1, figures, farmNote = "", key, isConfirmed = false }: Sent = {}) => ({
  by: { projectId },
  number,
  idempotencyKey: key ?? crypto.randomUUID(),
  content: "All pens are clean, and the birds eat well.",
  figures: figures ?? { alive: "500", died: "0" },
  farmNote,
  photoKeys: [],
  isConfirmed,
});
const send = async (sent?: Sent, by: TestUser = keeper) => (await callAs(deps, by)).reports.send(reportWith(sent));

describe("the reports that a farm owes", () => {
  test("are twenty Fridays at 18:00 in Lagos without a gap, though the job stood still for three", async () => {
    await sweepReports(deps);
    const [first, ...others] = await reportsOf();
    expect(others).toEqual([]);
    expect(first?.dueAt.toISOString()).toMatch(/T17:00:00.000Z$/);
    expect(first?.dueAt.getUTCDay()).toBe(5);
    const days = ((first?.dueAt.getTime() ?? 0) - clock.now().getTime()) / 86_400_000;
    expect(days).toBeGreaterThanOrEqual(3);
    expect(days).toBeLessThan(10);
    await sweepAt(8, 1);
    await sweepAfter(3 * 7 * day);
    expect(await reportsOf()).toHaveLength(12);
    await sweepAt(19, 1);
    const all = await reportsOf();
    expect(all.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    for (const [index, { dueAt }] of all.entries())
      expect(dueAt.getTime()).toBe((first?.dueAt.getTime() ?? 0) + index * 7 * 86_400_000);
    expect(new Set(all.map(({ code }) => code)).size).toBeGreaterThan(18);
  });

  test("end with the plan", async () => {
    await sweepReports(deps);
    const [first] = await reportsOf();
    const endsOn = (first?.dueAt ?? new Date()).toISOString().slice(0, 10);
    const plan = { ...planOfTemplate("none"), endsOn };
    await (await callAs(deps, manager)).reports.savePlan({ projectId, plan });
    await sweepAt(1, 200);
    expect(await reportsOf()).toHaveLength(1);
  });

  test("are on time, late, missed or excused, as everybody reads", async () => {
    await sweepReports(deps);
    await sweepAt(1, 1);
    await send();
    await sweepAt(2, 49);
    expect(await statesOf()).toEqual(["published", "late", "coming"]);
    await send({ number: 2 });
    await sweepAt(3, 7 * day);
    const third = (await reportsOf())[2];
    await sweepAt(4, 7 * day);
    const byManager = await callAs(deps, manager);
    const excuse = "The road was under water for a week.";
    await byManager.reports.excuse({ reportId: third?.id ?? 0, reason: excuse });
    const record = await recordOf();
    expect(record.reports.slice(0, 4).map(({ state }) => state)).toEqual([
      "published",
      "published",
      "excused",
      "missed",
    ]);
    expect(record.summary).toMatchObject({ onTime: 1, counted: 3 });
    const shown = await (await callAs(deps, "anonymous")).projects.byId({ projectId });
    expect(shown.reports).toMatchObject({ onTime: 1, counted: 3, isLate: true, lastAt: record.reports[1]?.sentAt });
    expect(record.reports[2]?.excuse).toBe(excuse);
    await byManager.reports.withdrawExcuse({ reportId: third?.id ?? 0 });
    expect((await statesOf())[2]).toBe("missed");
  });
});

describe("a report", () => {
  startEachWith(deps, async () => {
    await sweepReports(deps);
    await sweepAt(1, -1);
  });

  test("is kept once; a second phone reads who was first, and the same key has the same answer", async () => {
    const key = crypto.randomUUID();
    const other = await createFarmPerson(
      db,
      farm.project.farmId ?? 0,
      "reporter",
      await createUser(db, { fullName: "Ngozi Bello" }),
    );
    const first = await send({ key });
    expect(await send({ key })).toEqual(first);
    const [row] = await reportsOf();
    await expect(send({}, other)).rejects.toThrow(/sent this report on/);
    expect((await reportsOf())[0]).toEqual(row);
    const opened = await (await callAs(deps, other)).reports.open({ by: { projectId } });
    expect(opened.lastSent).toMatchObject({ number: 1, by: keeper.fullName });
  });

  test("of two phones at once is kept once", async () => {
    const other = await createFarmPerson(db, farm.project.farmId ?? 0, "reporter");
    const tries = await Promise.allSettled([send(), send({}, other), send(), send({}, other)]);
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await db.$count(auditLogs, eq(auditLogs.actionType, "send_report"))).toBeGreaterThan(0);
  });

  test("can't be sent before it is open, nor once it is missed", async () => {
    await sweepAt(1, 1);
    await expect(send({ number: 2 })).rejects.toThrow("This report isn't open yet.");
    await sweepAt(1, 7 * day);
    await expect(send()).rejects.toThrow("This report is missed.");
  });

  test("whose stock doesn't add up needs a note, which backers read", async () => {
    await send();
    await sweepAt(2, 0);
    const sent = { number: 2, figures: { alive: "480", died: "5" } };
    await expect(send(sent)).rejects.toThrow("From the last report it should be 495.");
    await send({ ...sent, farmNote: "Fifteen were stolen on Monday." });
    const [, second] = await reportsOf();
    await (await callAs(deps, manager)).reports.publish({ reportId: second?.id ?? 0, isCodeSeen: false });
    expect((await recordOf()).reports[1]?.farmNote).toBe("Fifteen were stolen on Monday.");
  });

  test("is asked about figures that look wrong, and kept once the sender says they are right", async () => {
    const figures = { alive: "500", died: "0", sold: "12" };
    const note = "We count on Fridays.";
    await send({ figures, farmNote: note });
    await sweepAt(2, 0);
    await send({ number: 2, figures, farmNote: note });
    await sweepAt(3, 0);
    const third = { number: 3, figures, farmNote: note };
    expect(await send(third)).toEqual({
      questions: [expect.stringContaining("“Sold” is the same as in the two reports before")],
    });
    expect((await reportsOf())[2]?.sentAt).toBeNull();
    expect(await send({ ...third, isConfirmed: true })).toMatchObject({ number: 3 });
    const [shown] = (await (await callAs(deps, manager)).reports.list({ projectId, page: 1 })).items.filter(
      ({ number }) => number === 3,
    );
    expect(shown?.questions).toHaveLength(1);
  });

  test("is refused with a figure that is missing, is no number of birds or isn't asked for, and nothing changes", async () => {
    const notWhole = "A number like 480 or 12.5";
    for (const [figures, text] of [
      [{ alive: "500" }, "Give the figure “Died”"],
      [{ alive: "500.5", died: "0" }, notWhole],
      [{ alive: "many", died: "0" }, notWhole],
      [{ alive: "500", died: "0", goats: "2" }, "This figure isn't asked for any more."],
    ] as [Record<string, string>, string][]) {
      await expect(send({ figures })).rejects.toThrow(text);
    }
    expect((await reportsOf())[0]?.sentAt).toBeNull();
  });

  test("under the plan twice needs a note, and owners are told", async () => {
    const [alive, died] = planOfTemplate("broiler").figures;
    const curve: [number, number][] = [
      [0, 500],
      [52, 500],
    ];
    const figures = alive && died ? [{ ...alive, curve }, died] : [];
    await (await callAs(deps, manager)).reports.savePlan({
      projectId,
      plan: { ...planOfTemplate("broiler"), figures },
    });
    await sweepAt(1, 1);
    await sweepAt(2, 0);
    await send({ number: 2, figures: { alive: "350", died: "0" } });
    await sweepAt(3, 0);
    const sent = { number: 3, figures: { alive: "340", died: "10" } };
    await expect(send(sent)).rejects.toThrow("For the second time this is far under the plan: Birds alive.");
    await send({ ...sent, farmNote: "The hatchery sent too few. New ones come on Tuesday." });
    const told = await db
      .select()
      .from(notifications)
      .where(and(eq(notifications.projectId, projectId), eq(notifications.userId, owner.id)));
    expect(told.map(({ title }) => title)).toContain("A farm is under its plan");
  });
});

test("a farm that sells what it planned to keep alive is on its plan: it needs no note, and the record knows what left", async () => {
  const planned = planOfTemplate("broiler").figures.slice(0, 3);
  const curve: [number, number][] = [
    [0, 500],
    [52, 500],
  ];
  const figures = planned.map((figure) => (figure.kind === "stock" ? { ...figure, curve } : figure));
  const plan = { ...planOfTemplate("broiler"), figures };
  await (await callAs(deps, manager)).reports.savePlan({ projectId, plan });
  await sweepReports(deps);
  await sweepAt(1, 0);
  await send({ figures: { alive: "400", died: "0", sold: "100" } });
  await sweepAt(2, 0);
  await send({ number: 2, figures: { alive: "200", died: "0", sold: "200" } });
  await sweepAt(3, 0);
  // With the 320 that were sold it is 420 of 500, and then 380 and 370.
  await send({ number: 3, figures: { alive: "100", died: "0", sold: "20" }, farmNote: "Eighty were stolen." });
  await sweepAt(4, 0);
  await send({ number: 4, figures: { alive: "60", died: "40" } });
  // Published is what the clock has published: the fourth waits.
  expect((await recordOf()).reports.map(({ gone }) => gone)).toEqual([100_000n, 300_000n, 320_000n, 0n, 0n]);
  await sweepAt(5, 0);
  await expect(send({ number: 5, figures: { alive: "50", died: "10" } })).rejects.toThrow("For the second time");
});

test("a report every two weeks is asked about what an animal eats in two weeks, and the clock publishes what isn't asked about", async () => {
  const [alive, died, , feed] = planOfTemplate("broiler").figures;
  const figures = [alive, died, feed].flatMap((figure) => (figure ? [{ ...figure, curve: null }] : []));
  const plan = { ...planOfTemplate("broiler"), everyDays: 14 as const, figures };
  await (await callAs(deps, manager)).reports.savePlan({ projectId, plan });
  await sweepReports(deps);
  await sweepAt(1, 0);
  await send();
  await sweepAt(2, 0);
  // 500 birds eat 200 g a day for 14 days.
  const sent = { number: 2, figures: { alive: "500", died: "0", feed: "1400" } };
  expect(await send({ ...sent, figures: { ...sent.figures, feed: "14000" } })).toEqual({
    questions: [expect.stringContaining("“Feed eaten”: A broiler eats 15 to 240 g a day. Here it is 2000 g.")],
  });
  expect(await send(sent)).toMatchObject({ number: 2 });
  await sweepAfter(24);
  expect((await statesOf())[1]).toBe("published");
});

describe("publishing", () => {
  startEachWith(deps, async () => {
    await sweepReports(deps);
    await sweepAt(1, 0);
    await send();
  });
  const firstId = async () => (await reportsOf())[0]?.id ?? 0;
  const updates = () => db.select().from(projectUpdates).where(eq(projectUpdates.projectId, projectId));

  test("by a manager makes an update of it, tells backers once, and shows its figures to everybody", async () => {
    const byManager = await callAs(deps, manager);
    expect((await recordOf()).reports[0]?.figures).toEqual({});
    await byManager.reports.publish({ reportId: await firstId(), isCodeSeen: true });
    await byManager.reports.publish({ reportId: await firstId(), isCodeSeen: false });
    expect(await updates()).toMatchObject([
      { title: "Report 1", content: "All pens are clean, and the birds eat well." },
    ]);
    expect((await recordOf()).reports[0]).toMatchObject({
      state: "published",
      isCodeSeen: true,
      figures: { alive: 500_000n },
    });
    const { items } = await byManager.updates.list({ projectId, page: 1 });
    expect(items).toMatchObject([{ report: { isCodeSeen: true, farmNote: null } }]);
    const mails = await queuedMailsTo(db, farm.backers[0]?.email ?? "");
    expect(mails.filter(({ subject }) => subject.endsWith(": Report 1"))).toHaveLength(1);
  });

  test("is done by the clock after a day, where nothing looks wrong", async () => {
    await sweepAfter(23);
    expect(await updates()).toEqual([]);
    await sweepAfter(1);
    expect(await updates()).toHaveLength(1);
    expect((await reportsOf())[0]).toMatchObject({ publishedBy: null, isCodeSeen: false });
  });

  test("never is where the setting is 0", async () => {
    await db.insert(settings).values({ key: autoPublishKey, value: "0" });
    await sweepAfter(100);
    expect(await updates()).toEqual([]);
    await db.delete(settings).where(eq(settings.key, autoPublishKey));
  });

  test("is refused for a report that was sent back, which the farm reads and sends again", async () => {
    const byManager = await callAs(deps, manager);
    const reportId = await firstId();
    await byManager.reports.sendBack({ reportId, reason: "The photo is of another farm." });
    await expect(byManager.reports.publish({ reportId, isCodeSeen: false })).rejects.toThrow(
      "This report hasn't come yet.",
    );
    const [mail] = (await queuedMailsTo(db, keeper.email)).filter(({ subject }) => subject.includes("again"));
    expect(mail?.text).toContain("The photo is of another farm.");
    const opened = await (await callAs(deps, keeper)).reports.open({ by: { projectId } });
    expect(opened.report).toMatchObject({ number: 1, sentBackNote: "The photo is of another farm." });
    await send();
    await byManager.reports.publish({ reportId, isCodeSeen: false });
    await expect(byManager.reports.sendBack({ reportId, reason: "The photo is of another farm." })).rejects.toThrow(
      "This report is published.",
    );
    await expect(byManager.reports.excuse({ reportId, reason: "The road was under water." })).rejects.toThrow(
      "This report came.",
    );
  });
});

describe("a report that was sent back", () => {
  const backAfter = async (hours: number) => {
    clock.advance({ hours });
    const reportId = (await reportsOf())[0]?.id ?? 0;
    await (await callAs(deps, manager)).reports.sendBack({ reportId, reason: "The photo is of another farm." });
  };
  const mailsTo = async (person: TestUser, words: string) =>
    (await queuedMailsTo(db, person.email)).filter(({ text }) => text.includes(words));

  startEachWith(deps, () => sweepReports(deps));

  test("has its time anew, however late we looked at it", async () => {
    await sweepAt(1, 1);
    await send();
    await backAfter(8 * day);
    expect((await statesOf())[0]).toBe("due");
    await send();
    const { summary, reports } = await recordOf();
    expect([summary, reports[0]]).toMatchObject([{ onTime: 1, counted: 1 }, { isOnTime: true }]);
  });

  test("isn't sent by a phone that tries the same once more", async () => {
    const key = crypto.randomUUID();
    await sweepAt(1, 1);
    await send({ key });
    await backAfter(1);
    await expect(send({ key })).rejects.toThrow("This report was sent back: The photo is of another farm.");
    expect((await reportsOf())[0]?.sentAt).toBeNull();
    await send();
    expect((await reportsOf())[0]?.sentAt).not.toBeNull();
  });

  test("stays late if it was late before", async () => {
    await sweepAt(1, 49);
    await send();
    await backAfter(1);
    await send();
    const { summary, reports } = await recordOf();
    expect([summary, reports[0]]).toMatchObject([{ onTime: 0, counted: 1 }, { isOnTime: false }]);
  });

  test("is told of as sent back, not as due, and again once it is late anew", async () => {
    await sweepAt(1, -1);
    await send();
    await backAfter(8 * day);
    await sweepAfter(1);
    expect(await mailsTo(keeper, "Report 1 is due today")).toEqual([]);
    await sweepAfter(48);
    expect(await mailsTo(keeper, "Report 1 was sent back on")).toHaveLength(1);
    const told = await mailsTo(manager, `hasn't sent report 1 of ${farm.project.title}, which was sent back on`);
    expect(told).toHaveLength(1);
  });
});

describe("the plan", () => {
  const planned = (everyDays: 7 | 14 | 30, weekday: number) => ({ ...planOfTemplate("none"), everyDays, weekday });
  const save = async (plan: ReturnType<typeof planned>) =>
    (await callAs(deps, manager)).reports.savePlan({ projectId, plan });
  const weekdaysOf = async () => (await reportsOf()).map(({ dueAt }) => dueAt.getUTCDay());
  const openedFigures = async () => {
    const { report } = await (await callAs(deps, keeper)).reports.open({ by: { projectId } });
    return [report?.number, report?.figures.map(({ key }) => key)];
  };

  test("that is changed holds from the next report on, also for its weekday", async () => {
    await sweepReports(deps);
    await sweepAt(1, -1);
    await save(planned(14, 1));
    expect(await openedFigures()).toEqual([1, ["alive", "died", "sold"]]);
    await send();
    await sweepAt(1, 1);
    await sweepAt(2, 1);
    expect(await openedFigures()).toEqual([2, planOfTemplate("none").figures.map(({ key }) => key)]);
    const [first, second, third] = await reportsOf();
    expect(await weekdaysOf()).toEqual([5, 1, 1]);
    const daysAfter = (one?: { dueAt: Date }, other?: { dueAt: Date }) =>
      ((other?.dueAt.getTime() ?? 0) - (one?.dueAt.getTime() ?? 0)) / 86_400_000;
    expect([daysAfter(first, second), daysAfter(second, third)]).toEqual([17, 14]);
    const shown = (await (await callAs(deps, manager)).reports.list({ projectId, page: 1 })).items.at(-1);
    expect(shown?.figures.map(({ key }) => key)).toEqual(["alive", "died"]);
  });

  test("is the last round's while the next is sold, whose farm goes on to report", async () => {
    await sweepReports(deps);
    await sweepAt(1, -1);
    await (await callAs(deps, owner)).projects.reopen({ projectId });
    await send();
    await sweepAt(1, 1);
    expect(await reportsOf()).toMatchObject([{ round: 1 }, { round: 1, number: 2 }]);
    expect(await recordOf()).toMatchObject({ round: 1, summary: { counted: 1 } });
    expect((await (await callAs(deps, "anonymous")).projects.byId({ projectId })).reports).toMatchObject({
      counted: 1,
    });
  });
});

test("a round that is over owes no report more, and nothing says that its farm is silent", async () => {
  const second = await createAdmin(db, "owner");
  await sweepReports(deps);
  await sweepAt(1, -1);
  await send();
  await sweepAt(1, 1);
  const asOwner = await callAs(deps, owner);
  const harvestId = await openHarvestOf(asOwner, farm, 100_000n, await callAs(deps, second));
  await endChoosing(deps, harvestId);
  await sweepReports(deps);
  await sell(deps, { asker: owner, confirmer: second }, { harvestId, amountKobo: 30_000_000n, quantity: 100_000n });
  await (await callAs(deps, owner)).harvests.settle({ harvestId, pool: "sold", amount: "300,000" });
  await (await callAs(deps, owner)).harvests.finish({ harvestId });
  const endedAt = clock.now().getTime();
  const owed = (await reportsOf()).length;
  await sweepReports(deps);
  await sweepAfter(60 * day);
  const reports = await reportsOf();
  expect(reports).toHaveLength(owed);
  // Reports missed before stay missed; all others have the reason why they don't come.
  const [came, ...others] = reports;
  expect(came?.excuse).toBeNull();
  for (const { dueAt, excuse } of others) {
    const wasMissed = dueAt.getTime() <= endedAt - 7 * day * 3_600_000;
    expect(excuse).toBe(wasMissed ? null : "The round was over before this report came.");
  }
  expect(others.map(({ excuse }) => excuse === null)).toContain(false);
  expect((await recordOf()).summary).toMatchObject({ isLate: false, nextDueAt: null });
  expect((await (await callAs(deps, keeper)).reports.open({ by: { projectId } })).report).toBeNull();
  const draft = { projectId, round: 1, quantity: "1", lostQuantity: "0", referencePrice: "2,750", note: "" };
  await expect((await callAs(deps, keeper)).farmHarvests.draft(draft)).rejects.toThrow("This round has been settled.");
  // Another harvest of the round, begun by a manager, calls for the next report, not for those in between.
  await (await callAs(deps, owner)).harvests.create(draft);
  await sweepReports(deps);
  const [next, ...more] = (await reportsOf()).slice(owed);
  expect(more).toEqual([]);
  expect(next?.dueAt.getTime()).toBeGreaterThan(clock.now().getTime());
});

describe("reminders", () => {
  test("go to the farm the day before, at the time and when it is late; then to managers, owners and backers, each once", async () => {
    await sweepReports(deps);
    const subjectsTo = async (person: TestUser | undefined) =>
      (await queuedMailsTo(db, person?.email ?? ""))
        .map(({ subject }) => subject.replace(/^.*?: /, ""))
        .filter((text) => /report/.test(text));
    const [backer] = farm.backers;
    await sweepAt(1, -25);
    expect(await subjectsTo(keeper)).toEqual([]);
    await sweepAt(1, -23);
    await sweepAt(1, 0.5);
    await sweepAt(1, 1);
    expect(await subjectsTo(keeper)).toEqual(["report 1 is due tomorrow", "report 1 is due"]);
    await sweepAt(1, 49);
    await sweepAt(1, 50);
    expect(await subjectsTo(keeper)).toHaveLength(3);
    expect((await subjectsTo(manager)).filter((text) => text === "report 1 hasn't come")).not.toEqual([]);
    expect(await subjectsTo(backer)).toEqual([]);
    await sweepAt(1, 7 * day);
    await sweepAt(1, 7 * day + 1);
    const [told, ...more] = await subjectsTo(backer);
    expect(told).toMatch(/^no report for \d+ days$/);
    expect(more).toEqual([]);
  });
});

describe("who may report", () => {
  startEachWith(deps, async () => {
    await sweepReports(deps);
    await sweepAt(1, 0);
  });

  test("is the farm's people and managers, nobody else, and ends with their work", async () => {
    const other = await fundFarm(deps, { owner, lots: [1], unseenReason: "Told by phone." });
    const stranger = await createFarmPerson(db, other.project.farmId ?? 0, "keeper");
    for (const person of [stranger, await createUser(db), farm.backers[0]]) {
      await expect(
        (await callAs(deps, person ?? "anonymous")).reports.open({ by: { projectId } }),
      ).rejects.toMatchObject({
        code: "FORBIDDEN",
      });
    }
    await expect((await callAs(deps, "anonymous")).reports.open({ by: { projectId } })).rejects.toMatchObject({
      code: "UNAUTHORIZED",
    });
    expect(await (await callAs(deps, manager)).reports.open({ by: { projectId } })).toMatchObject({ projectId });
    const work = await (await callAs(deps, manager)).farms.one({ farmId: farm.project.farmId ?? 0 });
    await (await callAs(deps, manager)).farms.endPerson({
      personId: work.people.find(({ userId }) => userId === keeper.id)?.id ?? 0,
    });
    await expect(send()).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect((await reportsOf())[0]?.sentAt).toBeNull();
  });

  const tokenOf = (url: string) => url.split("/").at(-1) ?? "";

  test("is the holder of a link, for its project and seven days, until it is revoked", async () => {
    const byKeeper = await callAs(deps, keeper);
    const { url } = await byKeeper.reports.makeLink({ projectId, label: "Musa at the ponds" });
    const by = { token: tokenOf(url) };
    const nobody = await callAs(deps, "anonymous");
    expect(await nobody.reports.open({ by })).toMatchObject({ projectId, report: { number: 1 } });
    await nobody.reports.send({ ...reportWith(), by });
    expect((await byKeeper.reports.open({ by: { projectId } })).lastSent?.by).toBe("Musa at the ponds");
    const [link] = await byKeeper.reports.links({ projectId });
    await byKeeper.reports.revokeLink({ linkId: link?.id ?? 0 });
    await expect(nobody.reports.open({ by })).rejects.toThrow("This link has ended.");
    const { url: second } = await byKeeper.reports.makeLink({ projectId, label: "Musa" });
    clock.advance({ hours: 7 * day });
    await expect(nobody.reports.open({ by: { token: tokenOf(second) } })).rejects.toThrow("This link has ended.");
  });

  test("is no link's holder any more once whoever made it has lost the right to, and is again with that right", async () => {
    const nobody = await callAs(deps, "anonymous");
    const dismissed = await createAdmin(db, "manager");
    const blocked = await createFarmPerson(db, farm.project.farmId ?? 0, "keeper");
    const links = [];
    for (const maker of [keeper, dismissed, blocked]) {
      const { url } = await (await callAs(deps, maker)).reports.makeLink({ projectId, label: "Musa" });
      const by = { token: tokenOf(url) };
      expect(await nobody.reports.open({ by })).toMatchObject({ projectId });
      links.push(by);
    }
    const ofKeeper = and(eq(farmPeople.userId, keeper.id), eq(farmPeople.farmId, farm.project.farmId ?? 0));
    await db.update(farmPeople).set({ role: "reporter" }).where(ofKeeper);
    await db.delete(userRoles).where(eq(userRoles.userId, dismissed.id));
    await db.update(users).set({ isBlocked: true }).where(eq(users.id, blocked.id));
    for (const by of links) {
      await expect(nobody.reports.open({ by })).rejects.toThrow("This link has ended.");
      await expect(nobody.reports.send({ ...reportWith(), by })).rejects.toThrow("This link has ended.");
    }
    expect((await reportsOf())[0]?.sentAt).toBeNull();
    const { reports } = await callAs(deps, manager);
    expect(await reports.links({ projectId })).toEqual([]);
    await db.update(farmPeople).set({ role: "keeper" }).where(ofKeeper);
    expect(await reports.links({ projectId })).toHaveLength(1);
    await db.update(farmPeople).set({ endedAt: clock.now() }).where(ofKeeper);
    for (const by of links) await expect(nobody.reports.open({ by })).rejects.toThrow("This link has ended.");
  });

  test("is for its own project alone", async () => {
    const other = await fundFarm(deps, { owner, lots: [1], unseenReason: "Told by phone." });
    await sweepReports(deps);
    const { url } = await (await callAs(deps, manager)).reports.makeLink({ projectId, label: "Musa" });
    const nobody = await callAs(deps, "anonymous");
    const both = { token: tokenOf(url), projectId: other.project.id };
    await expect(nobody.reports.send({ ...reportWith(), by: both })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    const named = { projectId: other.project.id };
    await expect(nobody.reports.send({ ...reportWith(), by: named })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    const sent = await db.select({ projectId: farmReports.projectId, sentAt: farmReports.sentAt }).from(farmReports);
    const ofOther = sent.filter((row) => row.projectId === other.project.id);
    expect(ofOther[0]).toEqual({ ...named, sentAt: null });
    expect(ofOther.filter(({ sentAt }) => sentAt !== null)).toEqual([]);
    expect((await reportsOf()).filter(({ sentAt }) => sentAt !== null)).toEqual([]);
  });

  test("isn't found by guessing: after 60 wrong links a right one is refused too", async () => {
    const { url } = await (await callAs(deps, manager)).reports.makeLink({ projectId, label: "Musa" });
    const nobody = await callAs(deps, "anonymous");
    for (let time = 0; time < 60; time++)
      await expect(nobody.reports.open({ by: { token: `guess-${time}` } })).rejects.toThrow("This link isn't valid.");
    await expect(nobody.reports.open({ by: { token: tokenOf(url) } })).rejects.toMatchObject({
      code: "TOO_MANY_REQUESTS",
    });
    clock.advance({ hours: 1.1 });
    expect(await nobody.reports.open({ by: { token: tokenOf(url) } })).toMatchObject({ projectId });
  });
});

test("a backer asks for a report from the tenth day on, once, and the farm reads how many did", async () => {
  await sweepReports(deps);
  await expect((await farm.as(0)).reports.ask({ projectId })).rejects.toThrow(
    "The last report is less than 10 days old.",
  );
  await sweepAfter(10 * day);
  const [first, second] = [await farm.as(0), await farm.as(1)];
  await first.reports.ask({ projectId });
  await first.reports.ask({ projectId });
  await second.reports.ask({ projectId });
  expect(await first.reports.canAsk({ projectId })).toMatchObject({ hasAsked: true, canAsk: false });
  expect((await (await callAs(deps, keeper)).reports.open({ by: { projectId } })).report?.asks).toBe(2);
  await expect((await callAs(deps, await createUser(db))).reports.ask({ projectId })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("where a report comes every 30 days, its backers ask once it is due, and while it is missed", async () => {
  const { version: _, ...weekly } = (await recordOf()).plan;
  await (await callAs(deps, manager)).reports.savePlan({ projectId, plan: { ...weekly, everyDays: 30 } });
  await sweepReports(deps);
  await sweepAt(1, 0);
  await send();
  const ask = async () => (await farm.as(0)).reports.ask({ projectId });
  const canAsk = async () => (await (await farm.as(0)).reports.canAsk({ projectId }))?.canAsk;
  await sweepAt(2, -1);
  await expect(ask()).rejects.toThrow("The next report isn't due yet.");
  expect(await canAsk()).toBe(false);
  await sweepAt(2, 0);
  expect(await canAsk()).toBe(true);
  await sweepAt(2, 8 * day);
  expect((await statesOf()).slice(1)).toEqual(["missed", "coming"]);
  await ask();
  expect((await (await callAs(deps, keeper)).reports.open({ by: { projectId } })).report).toMatchObject({
    number: 3,
    asks: 1,
  });
});
