import type { SQL } from "drizzle-orm";
import type { DbOrTx } from "#server/db/open.ts";
import type { Permission } from "#shared/permissions.ts";

/** When it is, for what is late, whose work it is, and where a line reads what no condition can say. */
export type TodayFacts = { db: DbOrTx; now: Date; userId: string };

/**
 * A line of the list of what waits. `items` selects what waits, with `key`, `since` (a moment or null), `is_late`,
 * `title` and `project_id`: the number on the dashboard is counted of it, and the list that the line opens is read of
 * it, or has the same condition.
 */
export type TodayLine = {
  /** Whoever has it may do the work. */
  right: Permission;
  /** It sums up the books, so it has a statement of its own, beside that of the others. */
  isSlow?: true;
  items: (facts: TodayFacts) => SQL | Promise<SQL>;
};
