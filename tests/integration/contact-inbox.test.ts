import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { contactMessages } from "#server/db/schema/team.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { type Caller, callAs } from "#tests/support/people.ts";

const deps = await openTestDeps();
let owner: Caller;

beforeEach(async () => {
  await deps.db.delete(contactMessages);
  owner = await callAs(deps, "owner");
});

async function createMessage(values: Partial<typeof contactMessages.$inferInsert> = {}) {
  const [row] = await deps.db
    .insert(contactMessages)
    .values({
      name: "Yetunde Cole",
      email: "yetunde@example.com",
      phone: "+234 802 000 0201",
      message: "May I visit the snail farm on Saturday?",
      createdAt: deps.clock.now(),
      ...values,
    })
    .returning();
  if (!row) throw new Error("the message was not inserted");
  return row;
}

const readAtOf = async (id: number) =>
  (await deps.db.select().from(contactMessages).where(eq(contactMessages.id, id)))[0]?.readAt;

describe("the list", () => {
  test("is newest first, 30 a page by keyset, by read and unread, and counted", async () => {
    const ids: number[] = [];
    for (let count = 0; count < 32; count += 1) {
      if (count % 2 === 0) deps.clock.advance({ seconds: 1 });
      ids.push((await createMessage({ readAt: count < 3 ? deps.clock.now() : null })).id);
    }
    const first = await owner.contact.messages({});
    const second = await owner.contact.messages({ cursor: first.nextCursor });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids.toReversed());
    expect([first.items.length, second.nextCursor]).toEqual([30, null]);
    expect((await owner.contact.messages({ isRead: true })).items.map(({ id }) => id)).toEqual(
      ids.slice(0, 3).toReversed(),
    );
    expect((await owner.contact.messages({ isRead: false })).items).toHaveLength(29);
    expect(await owner.contact.counts()).toEqual({ all: 32, unread: 29 });
    await expect(owner.contact.messages({ cursor: "nonsense" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  test("shows a message's beginning, the message all of it", async () => {
    const { id, message } = await createMessage({ message: "🐟".repeat(5000) });
    expect((await owner.contact.messages({})).items).toMatchObject([
      { id, excerpt: "🐟".repeat(160), isRead: false, name: "Yetunde Cole" },
    ]);
    expect(await owner.contact.message({ messageId: id })).toMatchObject({
      id,
      message,
      isRead: false,
      email: "yetunde@example.com",
      phone: "+234 802 000 0201",
    });
    await expect(owner.contact.message({ messageId: 999_999 })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: "This message no longer exists.",
    });
  });
});

describe("a message", () => {
  test("is marked as read once, as unread, and as read again; none of it is audited", async () => {
    const { id } = await createMessage();
    const audited = await deps.db.$count(auditLogs);
    const firstRead = deps.clock.now();
    await owner.contact.setRead({ messageId: id, isRead: true });
    deps.clock.advance({ minutes: 5 });
    await owner.contact.setRead({ messageId: id, isRead: true });
    expect(await readAtOf(id)).toEqual(firstRead);
    await owner.contact.setRead({ messageId: id, isRead: false });
    expect(await readAtOf(id)).toBeNull();
    expect(await owner.contact.message({ messageId: id })).toMatchObject({ isRead: false });
    await owner.contact.setRead({ messageId: id, isRead: true });
    expect(await readAtOf(id)).toEqual(deps.clock.now());
    expect(await deps.db.$count(auditLogs)).toBe(audited);
  });

  test("that isn't there can't be marked, and no other one is", async () => {
    const { id } = await createMessage();
    await expect(owner.contact.setRead({ messageId: 999_999, isRead: true })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await readAtOf(id)).toBeNull();
  });
});
