import { asc } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { holidays } from "#server/db/schema/holidays.ts";
import { fillHolidays } from "#server/features/holidays/jobs.ts";
import { findHolidays } from "#server/platform/holidays.ts";
import { holidayTexts as texts } from "#shared/holidays/texts.ts";
import { afterWorkingDays } from "#shared/lagos-time.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { createPayment, findPayment } from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, type TestUser } from "#tests/support/people.ts";

/** Days on which nobody works, and what was promised in working days. */

const deps = await openTestDeps();
const { db } = deps;
let ownerRow: TestUser;
let owner: Caller;

/** A Thursday at ten in Lagos. */
const thursday = new Date("2026-11-26T09:00:00.000Z");
const eid = { day: "2026-11-27", name: "Eid el-Maulud" };

beforeEach(async () => {
  await emptyDatabase(db);
  deps.clock.set(thursday);
  ownerRow = await createAdmin(db, "owner", { fullName: "Chidi Eze" });
  owner = await callAs(deps, ownerRow);
});

const lastAudit = async () => (await db.select().from(auditLogs).orderBy(asc(auditLogs.id))).at(-1);
const listed = async () => (await owner.holidays.list()).holidays;
const state = async () => [await db.select().from(holidays), await db.$count(auditLogs)];
async function expectRefused(call: () => Promise<unknown>, message: unknown): Promise<void> {
  const before = await state();
  await expect(call()).rejects.toMatchObject({ message });
  expect(await state()).toEqual(before);
}

describe("the list", () => {
  test("has the fixed holidays of this year and the next, once", async () => {
    await fillHolidays(deps);
    await fillHolidays(deps);
    const { today, holidays: found } = await owner.holidays.list();
    expect(today).toBe("2026-11-26");
    expect(found).toHaveLength(16);
    expect(found.filter(({ isOver }) => !isOver).map(({ day, name }) => `${day} ${name}`)).toEqual([
      "2026-12-25 Christmas Day",
      "2026-12-26 Boxing Day",
      "2027-01-01 New Year's Day",
      "2027-03-26 Good Friday",
      "2027-03-29 Easter Monday",
      "2027-05-01 Workers' Day",
      "2027-06-12 Democracy Day",
      "2027-10-01 Independence Day",
      "2027-12-25 Christmas Day",
      "2027-12-26 Boxing Day",
    ]);
    deps.clock.set(new Date("2027-01-01T00:30:00.000Z"));
    await fillHolidays(deps);
    owner = await callAs(deps, ownerRow);
    expect((await listed()).map(({ day }) => day)).toContain("2028-12-25");
  });

  test("takes a day of the moon, audited, and gives it up again", async () => {
    await owner.holidays.add(eid);
    expect(await listed()).toMatchObject([{ ...eid, addedByName: "Chidi Eze", isOver: false }]);
    expect(await lastAudit()).toMatchObject({ actionType: "add_holiday", userId: ownerRow.id, details: eid });
    const [{ id: holidayId } = { id: 0 }] = await listed();
    await owner.holidays.remove({ holidayId });
    expect(await listed()).toEqual([]);
    expect(await lastAudit()).toMatchObject({ actionType: "remove_holiday", details: eid });
    await expectRefused(() => owner.holidays.remove({ holidayId }), texts.gone);
    // The day may come back.
    await owner.holidays.add(eid);
    expect(await listed()).toHaveLength(1);
  });

  test("leaves out a fixed one that an owner removed", async () => {
    await fillHolidays(deps);
    const boxingDay = (await listed()).find(({ day }) => day === "2026-12-26");
    await owner.holidays.remove({ holidayId: boxingDay?.id ?? 0 });
    await fillHolidays(deps);
    expect((await listed()).map(({ day }) => day)).not.toContain("2026-12-26");
  });

  test("refuses a day twice, one that is over or far away, and nonsense", async () => {
    await owner.holidays.add(eid);
    await expectRefused(() => owner.holidays.add({ ...eid, name: "Again" }), texts.taken);
    await expectRefused(() => owner.holidays.add({ ...eid, day: "2026-11-25" }), texts.over);
    await expectRefused(() => owner.holidays.add({ ...eid, day: "2029-01-01" }), texts.tooFar);
    await expectRefused(
      () => owner.holidays.add({ ...eid, day: "2026-02-30" }),
      expect.stringContaining(texts.dayMissing),
    );
    await expectRefused(
      () => owner.holidays.add({ day: "2026-12-01", name: " " }),
      expect.stringContaining(texts.nameInvalid),
    );
    const manager = await callAs(deps, "manager");
    await expect(manager.holidays.add({ ...eid, day: "2026-12-01" })).rejects.toMatchObject({ code: "FORBIDDEN" });
    await fillHolidays(deps);
    const past = (await listed()).find(({ isOver }) => isOver);
    await expectRefused(() => owner.holidays.remove({ holidayId: past?.id ?? 0 }), texts.gone);
  });
});

describe("a holiday between receipt and review", () => {
  const reviewBy = async () => {
    const { payment } = await createPayment(deps, { owner: ownerRow });
    return { id: payment.id, promised: payment.reviewBy?.toISOString() };
  };

  test("that is known moves the promise to the next working day", async () => {
    await owner.holidays.add(eid);
    // Friday is a holiday: until Monday at midnight in Lagos.
    expect((await reviewBy()).promised).toBe("2026-11-30T23:00:00.000Z");
  });

  test("that is added or removed afterwards moves nothing that was promised", async () => {
    const { id, promised } = await reviewBy();
    expect(promised).toBe("2026-11-27T23:00:00.000Z");
    deps.clock.advance({ minutes: 10 });
    await owner.holidays.add(eid);
    expect((await findPayment(db, id)).reviewBy?.toISOString()).toBe(promised);
    // Whatever is worked out again from a moment of before comes to the same.
    const friday = new Date("2026-11-27T09:00:00.000Z");
    expect(afterWorkingDays(thursday, 1, await findHolidays(db))).toEqual(friday);
    const later = await reviewBy();
    expect(later.promised).toBe("2026-11-30T23:00:00.000Z");
    deps.clock.advance({ minutes: 10 });
    const [{ id: holidayId } = { id: 0 }] = await listed();
    await owner.holidays.remove({ holidayId });
    expect((await findPayment(db, later.id)).reviewBy?.toISOString()).toBe(later.promised);
    expect((await reviewBy()).promised).toBe("2026-11-27T23:00:00.000Z");
  });
});
