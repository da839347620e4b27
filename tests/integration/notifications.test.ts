import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { inTransaction, rows } from "#server/db/open.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { notify } from "#server/features/notifications/service.ts";
import { openTestDeps } from "#tests/support/deps.ts";

const deps = await openTestDeps();

test("an event reaches more people than one statement has parameters for", async () => {
  const people = await rows<{ id: string }>(
    deps.db,
    sql`insert into users (email, full_name) select 'many-' || n || '@example.com', 'Person ' || n
      from generate_series(1, 10000) n returning id`,
  );
  const notice = { kind: "project_update", title: "New report", content: "The pond is full." } as const;
  const userIds = people.map(({ id }) => id);
  await inTransaction(deps.db, (tx) => notify(tx, deps, { ...notice, userIds, projectId: null, eventKey: "many" }));
  expect(await deps.db.$count(notifications, eq(notifications.eventKey, "many"))).toBe(10_000);
});
