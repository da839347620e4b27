import { sql } from "drizzle-orm";
import { bigint, timestamp } from "drizzle-orm/pg-core";

/** Column kinds used by every table, so that ids, times and money are alike everywhere. */

export const rowId = () => bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity();

export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** The application's clock writes it; the database's clock is only the default for hand-made rows. */
export const createdAt = () => moment("created_at").notNull().default(sql`now()`);
export const updatedAt = () => moment("updated_at").notNull().default(sql`now()`);

/** Whole kobo. */
export const kobo = (name: string) => bigint(name, { mode: "bigint" });
