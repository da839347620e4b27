import { sql } from "drizzle-orm";
import { bigint, timestamp } from "drizzle-orm/pg-core";

/** The column types of every table, so that ids, times and money are the same everywhere. */

export const rowId = () => bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity();

export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Written by the application's clock. The database's clock is only the default for rows inserted by hand. */
export const createdAt = () => moment("created_at").notNull().default(sql`now()`);
export const updatedAt = () => moment("updated_at").notNull().default(sql`now()`);

/** In whole kobo. */
export const kobo = (name: string) => bigint(name, { mode: "bigint" });

/** In thousandths of the round's unit. */
export const quantity = (name: string) => bigint(name, { mode: "bigint" });

/** The names between the brackets of `in (…)`, for the check of a column that holds one of them. */
export const listOf = (names: readonly string[]) => sql.raw(names.map((name) => `'${name}'`).join(", "));
